/* loader_process.h - the locked process of a loader, and its protocol with the host.
 *
 * A process is sent one order, a frame. It asks for files and names, then answers with one frame.
 * Numbers in frames are uint32_t, texts a length and bytes. */
#ifndef ENSIGN_JAIL_LOADER_PROCESS_H
#define ENSIGN_JAIL_LOADER_PROCESS_H

#include "codec.h"
#include "trial_work.h"
#include "variant_codec.h"

enum loader_job { LOADER_VARIANT, LOADER_BOT, LOADER_LANGUAGE, LOADER_SCRIPT, LOADER_LEARNED };

struct loader_order {
    enum loader_job job;
    const struct folders *folders;
    const char *path;
    const char *text; /* of the variant at `path`; NULL: the host is asked for it */
    size_t length;
    const struct loader_trial *trial; /* NULL: none */
    const struct rules *rules;        /* that were learned, for LOADER_LEARNED */
};

void loader_order_put(struct frame *frame, const struct loader_order *order);

/* A frame from the process begins with one of these, a frame to it with LOADER_FILE or
 * LOADER_PATH. */
enum loader_word {
    LOADER_ASKS_FILE, /* text: path; answered by LOADER_FILE (channel_files.h) */
    LOADER_ASKS_PATH, /* text: name of a variant; answered by LOADER_PATH */
    LOADER_FILE,
    LOADER_PATH, /* number: 1; text: path. Or number: 0; a fault (codec.h) */
    LOADER_DONE  /* faults; then by job:
                    VARIANT number: 1 if it can be played; its rules; the source of its calls
                            (variant_codec.h), its first file the order's; then, if it was tried,
                            the numbers of tests, tests tried and tests passed, 1 if no game
                            failed, struct trial; a profile (codec.h) if it is wished.
                            At the end, also if it cannot be played, the log as a tail
                            (frame_put_tail) if it is wished
                    BOT     number: 1 if it can play; texts: its title, how it plays; number: enum
                            bot_level
                    LANGUAGE number: 1 if it can be used; text: its name; a number and that many
                            pairs of texts, first for kinds, then for texts
                    SCRIPT  number: enum script_kind
                    LEARNED number: 1 if it can be used; struct learned */
};

enum {
    LOADER_SEQUENCE = 1, /* of every frame */
    LOADER_EXIT_HOST = 3 /* exit code: the cage failed, or no memory for the job */
};
enum {
    LOADER_ORDER_MAX = VARIANT_WIRE_MAX + (4 << 20),
    LOADER_ANSWER_MAX = RULES_WIRE_MAX + LOADER_LOG_MAX + CHANNEL_PROFILE_MAX + (1 << 20)
};

/* Runs the process, as jail_job: locks it, takes an order, carries it out and exits. */
void loader_process_run(const void *known, int in, int out);

/* Adds the remarks of a frame to `faults`, checked and made safe to print. An invalid list breaks
 * the frame and adds nothing. */
void loader_take_faults(struct frame *frame, struct faults *faults);

#endif
