/* registered.h - external programs that play under a name.
 *
 * A file programs/NAME.toml in the user's data folder (never in the current one, which may be
 * somebody else's) has lines KEY = "VALUE", as in TOML:
 *
 *   command = "java -jar demon.jar"   the program and its words (program_command.h)
 *   protocol = "ucc"                  or "json", which it is without this line
 *   folder = "~/demon"                where words that name files are looked up; without this line
 *                                     the folder of the file; a relative one is below that folder
 *   options = "-l5"                   further words
 *   about = "…"                       for people
 */
#ifndef ENSIGN_HOST_PROGRAM_REGISTERED_H
#define ENSIGN_HOST_PROGRAM_REGISTERED_H

#include "base/fault.h"
#include "lua/folders.h"

enum { REGISTERED_TEXT_MAX = 1024 };

struct registered {
    char command[REGISTERED_TEXT_MAX], protocol[8], folder[FOLDER_PATH_MAX],
        options[REGISTERED_TEXT_MAX], about[REGISTERED_TEXT_MAX];
};

/* Reads the file of a registered program. False with a fault at the file and line. */
bool registered_read(const char *path, struct registered *registered, struct fault *fault);

/* What player_open() takes for a name: "NAME=PROTOCOL:COMMAND" of the program that is registered
 * under it, unless a bot has the name. The caller frees. NULL: there is none, or (with a fault) its
 * file is broken. */
char *registered_player(const struct folders *folders, const char *name, struct fault *fault);

#endif
