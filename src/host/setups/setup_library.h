/* setup_library.h - set-ups with a name and an idea, found on the search path of folders.h, and in
 * the setups/ of a variant that has a folder to itself.
 *
 * A file variants/setups/NAME.txt holds one set-up; what its comments say before it is its idea. It
 * belongs to every variant whose zone and army it fits. The letters are those of the variant, or
 * the usual ones of the usual pieces (README.md, "Texts") where the variant has others. */
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

/* All that belong to these rules; files of other armies are passed over. Free with
 * setup_library_close(). False only without memory. */
bool setup_library_open(struct setup_library *library, const struct folders *folders,
                        const struct rules *rules, struct fault *fault);
void setup_library_close(struct setup_library *library);

/* The one of that name or path. False with a fault: STATUS_NOT_FOUND ("did you mean") if there is
 * none, STATUS_SETUP or STATUS_TEXT if it does not belong to these rules. */
bool setup_library_find(const struct folders *folders, const struct rules *rules, const char *name,
                        struct library_setup *found, struct fault *fault);

/* What people give as a set-up: "random", a name of the library, or a file, and then, if it holds
 * many, one of them. Draws from `random` where there is a choice. */
bool setup_library_load(const struct folders *folders, const struct rules *rules, const char *word,
                        struct random *random, struct setup *setup, struct fault *fault);

/* The one that a bot answered with; what is wrong is a STATUS_SETUP fault of the file `bot`. */
bool setup_library_answer(const struct folders *folders, const struct rules *rules,
                          const char *name, const char *bot, struct setup *setup,
                          struct fault *fault);

#endif
