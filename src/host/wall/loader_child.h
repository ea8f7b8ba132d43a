/* loader_child.h - the locked process of a loader, and what it and the host say to each other.
 *
 * A process does one job, whose order it inherits when it is forked. It asks for files and names,
 * then answers with one frame. Numbers in frames are uint32_t, texts their length and their bytes.
 */
#ifndef ENSIGN_HOST_WALL_LOADER_CHILD_H
#define ENSIGN_HOST_WALL_LOADER_CHILD_H

#include "loader.h"
#include "rules_wire.h"

enum loader_job { LOADER_VARIANT, LOADER_BOT, LOADER_LANGUAGE, LOADER_SCRIPT };

struct loader_order {
    enum loader_job job;
    const struct folders *folders;
    const char *path;
    const char *text; /* of the variant at `path`; NULL: it is asked for */
    size_t length;
    const struct loader_trial *trial; /* NULL: the variant is only loaded */
};

/* A frame from the process begins with one of these, a frame to it with LOADER_FILE or
 * LOADER_PATH. */
enum loader_word {
    LOADER_ASKS_FILE, /* text: path; answered by LOADER_FILE (wire_files.h) */
    LOADER_ASKS_PATH, /* text: name of a variant; answered by LOADER_PATH */
    LOADER_FILE,
    LOADER_PATH, /* number: 1; text: path. Or number: 0; number: status; text: why there is none */
    LOADER_DONE  /* faults; then by job:
                    VARIANT number: 1 if it can be played, its rules, set of its calls and, if there
                            are any, for each a text and a number (file and line), a number and
                            so many texts (paths of its files, the variant's first); then, if it was
                            tried, the numbers of tests, of those tried and of those held, 1 if
                            games were played without a fault, struct trial
                    BOT     number: 1 if it can play; text: its title
                    LANGUAGE number: 1 if it can be used; text: its name; twice a number and so
                            many pairs of texts: kinds, texts
                    SCRIPT  number: enum script_kind */
};

enum {
    LOADER_SEQUENCE = 1, /* of every frame */
    LOADER_EXIT_HOST = 3 /* exit code: no lock or no memory before the job */
};
enum { LOADER_ANSWER_MAX = RULES_WIRE_MAX + (1 << 20) };

/* For a process that was just forked: locks it, does the job and exits. */
_Noreturn void loader_child_run(const struct loader_order *order, int in, int out);

/* Append all remarks to a frame; add those of a frame to `faults`, checked and made safe to print.
 * A list that cannot be one breaks the frame, and none of it is taken. */
void loader_put_faults(struct frame *frame, const struct faults *faults);
void loader_take_faults(struct frame *frame, struct faults *faults);

#endif
