/* shoot.h - the stem's process, the processes that it forks, and their protocol with the host.
 *
 * The host asks the stem for a shoot with an empty request (post.h). The shoot gets its order
 * through its socket: a struct shoot_order, then the text in packets of SHOOT_PIECE bytes. It
 * answers with one frame through its pipe (wire.h): a number, 1, then a variant (variant_wire.h) or
 * a text of JSON; or 0 and a fault (wire_fault.h). For a variant with calls it sends a packet
 * through the socket before that, the process id of their nursery with its socket. With `bots` it
 * becomes a nursery behind the socket, else it exits. */
#ifndef ENSIGN_HOST_WALL_SHOOT_H
#define ENSIGN_HOST_WALL_SHOOT_H

#include "lua/folders.h"
#include "lua/sandbox.h"
#include "variant_wire.h"

#include <sys/types.h>

enum shoot_job { SHOOT_VARIANT, SHOOT_CHECK, SHOOT_LIST };

enum {
    SHOOT_SEQUENCE = 1, /* of its frame */
    SHOOT_PIECE = 1 << 16,
    SHOOT_JSON_MAX = 16 << 20,
    SHOOT_ANSWER_MAX = VARIANT_WIRE_MAX + 16
};

struct shoot_order {
    enum shoot_job job;
    char name[FOLDER_PATH_MAX]; /* of the variant, or the text */
    bool bots;                  /* VARIANT: stay as their nursery */
    /* CHECK */
    size_t length; /* of the text that follows */
    bool has_variant;
    char variant[FOLDER_PATH_MAX];
    uint32_t games, balance;
    uint64_t seed;
    int seconds;
    unsigned parts; /* LIST */
};

/* The stem's answer to a request, with the shoot's socket, the end of its pipe, and a pidfd. */
struct shoot_start {
    pid_t pid;
    int error; /* an errno, or 0; then nothing comes with it */
};
enum { SHOOT_SOCKET, SHOOT_PIPE, SHOOT_HANDLE, SHOOT_DESCRIPTORS };

struct stem_work {
    struct folders folders;
    struct folders shown; /* in lists */
    struct sandbox_limits bots;
};

/* Runs the stem, as for post_fork(); `context` is a struct stem_work. */
void stem_serve(const void *context, int socket);

/* Runs a shoot, which must have nothing but these descriptors, as 0 and 1. */
_Noreturn void shoot_run(const struct stem_work *work, int socket, int out);

#endif
