/* setup_library.h - set-ups with a name and an idea, found on the search path of folders.h and in
 * the setups/ folder of a variant.
 *
 * A file variants/setups/NAME.txt holds one set-up; the comments before it are its idea. It belongs
 * to every variant whose zone and army it fits. The letters are those of the variant or the
 * standard ones (variants/FORMATS.md). */
#ifndef ENSIGN_HOST_SETUPS_SETUP_LIBRARY_H
#define ENSIGN_HOST_SETUPS_SETUP_LIBRARY_H

#include "base/random.h"
#include "core/text/layout.h"
#include "lua/folders.h"

enum { LIBRARY_NAME_MAX = 64, LIBRARY_IDEA_MAX = 512 };

struct library_setup {
    char name[LIBRARY_NAME_MAX];
    char path[FOLDER_PATH_MAX];
    char idea[LIBRARY_IDEA_MAX]; /* one line of UTF-8; may be empty */
    struct setup setup;          /* checked */
};

struct setup_library {
    struct library_setup *list; /* sorted by name */
    size_t count;
};

/* All set-ups that fit a side by these rules. Free with setup_library_close(). False only if memory
 * is short.
 */
bool setup_library_open(struct setup_library *library, const struct folders *folders,
                        const struct rules *rules, enum side side, struct fault *fault);
void setup_library_close(struct setup_library *library);

/* The set-up of that name or path. False with a fault: STATUS_NOT_FOUND ("did you mean") if there
 * is none, STATUS_SETUP or STATUS_TEXT if it does not fit these rules. */
bool setup_library_find(const struct folders *folders, const struct rules *rules, enum side side,
                        const char *name, struct library_setup *found, struct fault *fault);

/* The set-up that a user's `word` names: "random", a name in the library, or a file, of whose
 * set-ups `random` chooses one. */
bool setup_library_load(const struct folders *folders, const struct rules *rules, enum side side,
                        const char *word, struct random *random, struct setup *setup,
                        struct fault *fault);

/* The set-up that a program or a client gives: its text, the name of one in the library, or
 * "random". Reads no other file, and checks the set-up. */
bool setup_library_read(const struct folders *folders, const struct rules *rules, enum side side,
                        const char *text, struct random *random, struct setup *setup,
                        struct fault *fault);

/* The set-up that a bot named. An unknown or wrong one is a STATUS_SETUP fault of the file `bot`.
 */
bool setup_library_answer(const struct folders *folders, const struct rules *rules, enum side side,
                          const char *name, const char *bot, struct setup *setup,
                          struct fault *fault);

/* The file of the user's own set-up of that name, in the data folder. False with a fault if there
 * is none (STATUS_NOT_FOUND), or if the name is that of a set-up elsewhere (STATUS_USAGE). */
bool setup_library_own(const struct folders *folders, const char *name, char path[FOLDER_PATH_MAX],
                       struct fault *fault);

/* Delete or rename one's own set-up; `path` is that of the file, in the end. A new name must not be
 * that of any set-up: one of the two would hide the other. False with a fault. */
bool setup_library_delete(const struct folders *folders, const char *name,
                          char path[FOLDER_PATH_MAX], struct fault *fault);
bool setup_library_rename(const struct folders *folders, const char *name, const char *renamed,
                          char path[FOLDER_PATH_MAX], struct fault *fault);

#endif
