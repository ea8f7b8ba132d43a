/* ensign.h - the rules of the Stratego family for other programs: many games at once, each side's
 * knowledge as planes of bytes, legal moves as numbers.
 *
 * Red is side 0, blue side 1. Everything a side is given is turned so that its own back rank is
 * rank 0 (ENSIGN_ABSOLUTE: red's is). Squares count from the first file of rank 0, rank by rank.
 *
 * Errors are values. Structs begin with their size, so that they can grow: set `size` to sizeof
 * before a call. Arrays belong to the caller, who makes them as long as the shape says; NULL means
 * that it is not wanted. No call prints, exits, reads a clock or keeps a pointer that it was given.
 * A freed handle must not be used again; freeing NULL does nothing.
 *
 * Rules never change and serve any number of threads. A batch serves one thread at a time; a call
 * that finds another one at work in the same batch gives ENSIGN_BUSY. Different batches are
 * independent. Only the batches of variants with calls (functions of the variant that depend on the
 * position, ensign_shape.calls) run Lua during play; their steps take tens of microseconds.
 *
 * The tables of actions and planes, and their history: src/lib/README.md. */
#ifndef ENSIGN_H
#define ENSIGN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ENSIGN_API __attribute__((visibility("default")))
#else
#define ENSIGN_API
#endif

#define ENSIGN_ABI 0

/* Grows when actions, planes, scalars or results of any variant change; never for speed. */
#define ENSIGN_ENV_VERSION 2

typedef enum {
    ENSIGN_OK,
    ENSIGN_USAGE, /* NULL, a number out of range, handles that do not go together */
    ENSIGN_BUSY,  /* another thread is in the batch */
    ENSIGN_NO_MEMORY,
    ENSIGN_NOT_FOUND, /* no such variant or file */
    ENSIGN_SCRIPT,    /* the variant's file, or one of its functions during play */
    ENSIGN_ILLEGAL,   /* an action against the rules */
    ENSIGN_SETUP,     /* a set-up that the variant does not allow */
    ENSIGN_DATA,      /* bytes or text that make no sense, or of another version */
    ENSIGN_SYSTEM     /* files, processes; or a part that this library was built without */
} ensign_status;

typedef struct {
    size_t size;
    ensign_status status;
    int line, column; /* of `file`, from 1; 0: unknown */
    char file[256];   /* may be empty */
    char text[640];   /* one line */
} ensign_error;

typedef struct ensign_rules ensign_rules;
typedef struct ensign_batch ensign_batch;

ENSIGN_API uint32_t ensign_version(void);  /* major << 16 | minor << 8 | patch */
ENSIGN_API const char *ensign_parts(void); /* "core lua jail", without what was left out */
ENSIGN_API const char *ensign_status_name(ensign_status status); /* "ok", "usage", … */

/* Rules.
 *
 * ENSIGN_LOCKED loads in a process that can do nothing but compute, for files of strangers (Linux).
 * It comes from a process that ensign_lock() forks: call that first in main(), before there are
 * threads or secrets. Without the flag the file runs in this process, in a sandbox. */
enum { ENSIGN_LOCKED = 1 };
ENSIGN_API ensign_status ensign_lock(ensign_error *error);

/* A variant by name ("original") or path ("./mine.lua"). NULL with an error. */
ENSIGN_API ensign_rules *ensign_rules_load(const char *name, uint32_t flags, ensign_error *error);

/* Rules as bytes, which need no Lua: another machine, process or language can play them. Reading
 * checks every byte. A variant with calls cannot be written: 0. Writing returns the length needed
 * and writes only if `room` suffices. */
ENSIGN_API ensign_rules *ensign_rules_read(const void *bytes, size_t length, ensign_error *error);
ENSIGN_API size_t ensign_rules_write(const ensign_rules *rules, void *out, size_t room);

/* One more owner; each frees it once. A batch is an owner. */
ENSIGN_API ensign_rules *ensign_rules_share(ensign_rules *rules);
ENSIGN_API void ensign_rules_free(ensign_rules *rules);

/* Groups of planes, a set. */
enum {
    ENSIGN_OWN_KINDS = 1,   /* a plane for each kind: own pieces */
    ENSIGN_SHOWN_KINDS = 2, /* enemies whose kind is known */
    ENSIGN_MAY_BE = 4,      /* enemies that may be of the kind, the known ones too */
    ENSIGN_THEY_THINK = 8,  /* own pieces that may be of the kind for all that both sides saw */
    ENSIGN_STATES = 16,     /* own hidden, their hidden, own moved, their moved, empty, lake */
    ENSIGN_MOVES = 32,      /* the latest moves, one plane each */
    ENSIGN_SIGHT = 64,      /* squares in sight */
    ENSIGN_DEFAULT_PLANES = 63
};

/* Flags of a batch, a set. */
enum {
    ENSIGN_AUTO_RESET = 1,      /* a game that is over begins again in the same step */
    ENSIGN_ABSOLUTE = 2,        /* boards and actions are not turned for blue */
    ENSIGN_SETUPS_BY_AGENT = 4, /* each side lays out its army by actions before the first move;
                                   not in variants that draw the armies */
    ENSIGN_RECORD = 8           /* keep all moves, for ensign_text() of ENSIGN_ALL: 8 bytes a ply */
};

typedef struct {
    size_t size;
    uint32_t games; /* 1 … 1,048,576; 0: 1 */
    uint32_t flags;
    uint64_t seed;                         /* of games that are reset without a seed of their own */
    uint32_t plies_limit, no_attack_limit; /* truncate a game; 0: never. The rules' own limits end
                                              it all the same */
    uint32_t planes;                       /* groups; 0: ENSIGN_DEFAULT_PLANES */
    uint32_t moves;                        /* planes of ENSIGN_MOVES, up to 64; 0: 8 */
    uint32_t undo; /* decisions that ensign_undo() can take back, up to 4,096 */
} ensign_options;

/* Sizes of arrays, for these rules and options (NULL: one game without flags). */
typedef struct {
    size_t size;
    uint32_t files, ranks, squares, kinds; /* kinds are numbered from 1 */
    uint32_t army[2], zone[2];             /* pieces and set-up squares of each side */
    uint32_t actions, mask_words;          /* mask_words = (actions + 63) / 64 */
    uint32_t ways;                         /* actions of one square that move the piece on it */
    uint32_t planes, scalars;
    uint32_t plies_max; /* of the rules; 0: no limit */
    uint32_t calls;     /* 1: the variant's functions run during play */
    uint32_t env_version;
    uint64_t rules_hash; /* equal for rules that play alike */
    size_t game_bytes;   /* memory of a game, about */
} ensign_shape;

ENSIGN_API ensign_status ensign_shape_of(const ensign_rules *rules, const ensign_options *options,
                                         ensign_shape *shape);

/* Texts. Each writes at most `room` bytes with a final 0 and returns the length needed without it;
 * 0: no such thing. `side` is whose action it is. */
ENSIGN_API size_t ensign_title(const ensign_rules *rules, char *out, size_t room);
ENSIGN_API size_t ensign_kind_name(const ensign_rules *rules, uint32_t kind, char *out,
                                   size_t room);
ENSIGN_API size_t ensign_plane_name(const ensign_rules *rules, const ensign_options *options,
                                    uint32_t plane, char *out, size_t room);
ENSIGN_API size_t ensign_scalar_name(const ensign_rules *rules, uint32_t scalar, char *out,
                                     size_t room);
ENSIGN_API size_t ensign_action_text(const ensign_rules *rules, uint32_t action, int side,
                                     char *out, size_t room);
/* The action with this text, or -1. */
ENSIGN_API int32_t ensign_action_read(const ensign_rules *rules, int side, const char *text);

/* What a call fills in. Rows are games. The side of a row is the side to move unless a call names
 * one. */
typedef struct {
    size_t size;
    uint8_t *planes;     /* games x planes x squares, 0 … 255 */
    uint64_t *mask_bits; /* games x mask_words: bit a % 64 of word a / 64 is action a */
    uint8_t *mask;       /* games x actions, 0 or 1 */
    uint8_t *cells;      /* games x squares: the kind, 0 where unknown or empty; + 32 enemy,
                            + 64 moved, + 128 own and known to the enemy, or enemy and unknown;
                            255 lake */
    float *scalars;      /* games x scalars */
    float *reward;       /* games x 2, red's and blue's: 1 won, -1 lost, 0 */
    uint8_t *to_move;    /* 0 red, 1 blue */
    uint8_t *terminated; /* 1: over by the rules */
    uint8_t *truncated;  /* 1: ended by a limit of the options */
    uint8_t *reason;     /* why it is over, ensign_reason_name(); 255: the action was illegal */
    uint64_t *episode;   /* games begun in this row before this one */
    uint32_t *ply;       /* plies played */
    uint64_t
        *info_hash; /* of all that the side has been told: equal for what it cannot tell apart */
} ensign_out;

enum { ENSIGN_REASON_ILLEGAL = 255 };
ENSIGN_API const char *ensign_reason_name(uint32_t reason); /* "flag", …; NULL: no such reason */

/* Batches. NULL with an error. All games begin with the first ensign_reset(). */
ENSIGN_API ensign_batch *ensign_batch_new(ensign_rules *rules, const ensign_options *options,
                                          ensign_error *error);
ENSIGN_API void ensign_batch_free(ensign_batch *batch);
ENSIGN_API ensign_status ensign_batch_error(const ensign_batch *batch, ensign_error *error);

/* Begins games anew: those with which[game] != 0 (NULL: all). seeds (NULL: drawn from the options'
 * seed): the same seed gives the same armies and, in ensign_step_random(), the same moves. setups
 * (NULL: drawn): games x 2 sides x squares of the larger zone: the kind on each square of the
 * side's zone in ascending order as its owner counts, 0 empty. Nothing happens if any is refused
 * (ENSIGN_SETUP). */
ENSIGN_API ensign_status ensign_reset(ensign_batch *batch, const uint8_t *which,
                                      const uint64_t *seeds, const uint8_t *setups,
                                      ensign_out *out);

/* One decision in each game; -1 leaves a game as it is, and so does any action in a game that is
 * over. An illegal action is not played: the game stays, its reason is ENSIGN_REASON_ILLEGAL, and
 * the call gives ENSIGN_ILLEGAL after all others were played. With ENSIGN_AUTO_RESET reward,
 * terminated, truncated and reason are those of the game that has ended, everything else of the new
 * one. ENSIGN_SCRIPT: a function of the variant failed in some game, which is drawn. */
ENSIGN_API ensign_status ensign_step(ensign_batch *batch, const int32_t *actions, ensign_out *out);

/* The same with uniformly random legal moves. `played` (NULL or one a game) gets the action of a
 * move; of one that takes several decisions the first. ENSIGN_USAGE in the midst of a move. */
ENSIGN_API ensign_status ensign_step_random(ensign_batch *batch, int32_t *played, ensign_out *out);

/* Fills in what `side` (0, 1; -1: the side to move) may know now; masks are of the side to move,
 * and empty for the other. */
ENSIGN_API ensign_status ensign_observe(ensign_batch *batch, int side, ensign_out *out);

/* Single games. Batches must be of the same rules. */
ENSIGN_API ensign_status ensign_copy(ensign_batch *to, uint32_t at, ensign_batch *from,
                                     uint32_t game);
/* Takes back the last decision; ENSIGN_USAGE if the options' `undo` keeps no more. */
ENSIGN_API ensign_status ensign_undo(ensign_batch *batch, uint32_t game);

/* A game as bytes, for the same rules, options, processor and version of this library. Writing
 * returns the length needed. Bytes may come from strangers: reading gives a game that can be played
 * on, or ENSIGN_DATA (ENSIGN_SCRIPT if a function of the variant fails) and leaves the batch as it
 * was. Whether the moves before were legal is not checked. */
ENSIGN_API size_t ensign_save(ensign_batch *batch, uint32_t game, void *out, size_t room);
ENSIGN_API ensign_status ensign_load(ensign_batch *batch, uint32_t game, const void *bytes,
                                     size_t length, ensign_error *error);

/* A position as text, for the eyes of red, blue, the public or all: ranks from the last to the
 * first, two letters a piece, "?" for a kind that these eyes do not know, and the side to move.
 * With ENSIGN_RECORD and ENSIGN_ALL also the set-ups and moves. */
enum { ENSIGN_RED, ENSIGN_BLUE, ENSIGN_PUBLIC, ENSIGN_ALL };
ENSIGN_API size_t ensign_text(ensign_batch *batch, uint32_t game, int eyes, char *out, size_t room);

/* Why an action of the side to move is legal or not: the word of the rule, ": " and a sentence. */
ENSIGN_API size_t ensign_why(ensign_batch *batch, uint32_t game, int32_t action, char *out,
                             size_t room);

/* The text of the move that an action begins or ends, as records have it; 0 if it is illegal. */
ENSIGN_API size_t ensign_move_text(ensign_batch *batch, uint32_t game, int32_t action, char *out,
                                   size_t room);

/* Fills games first … first + count - 1 of `to` with games that `side` cannot tell from this one:
 * the enemies that it does not know are drawn, with a probability proportional to the product of
 * their weights (squares x (kinds + 1), by square as the side sees it; NULL: all alike). Where the
 * rules limit sight, pieces out of sight stand anywhere out of sight, and may block other moves. */
ENSIGN_API ensign_status ensign_sample(ensign_batch *batch, uint32_t game, int side,
                                       const float *weights, uint64_t seed, ensign_batch *to,
                                       uint32_t first, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
