/* batch_inside.h - a batch of games: for the files of this folder, and the program's tables of
 * actions.
 *
 * A game lies in one block of memory, which a copy or an entry of `undo` copies up to the history:
 *
 *     struct slot | hidden groups of red, of blue | moves told to red, to blue | views | history
 *
 * The history holds the latest plies alone: those that the repetition rules can still look at, and
 * those that can be taken back. A game whose chase is longer gets a longer one of its own. */
#ifndef ENSIGN_LIB_BATCH_INSIDE_H
#define ENSIGN_LIB_BATCH_INSIDE_H

#include <stdatomic.h>

#include "actions.h"
#include "bytes.h"
#include "ensign.h"
#include "known.h"

struct ensign_rules {
    atomic_uint owners;
    struct rules *rules;
    struct actions actions;
    uint64_t hash;
};

/* Takes over rules that were loaded elsewhere, also when it fails: NULL with a fault. The caller is
 * the owner: ensign_rules_free(). */
ensign_rules *rules_handle_new(struct rules *rules, struct fault *fault);

/* A move as a side was told of it; a square out of sight is SQUARE_NONE. */
struct told_move {
    square from, to;
    uint8_t attack;
};

/* The moves before a game: armies are laid out. */
struct laying {
    uint8_t on;   /* 1: `side` is at it */
    uint8_t side; /* enum side; red begins */
    uint8_t next; /* square of its zone, by its number */
};

struct slot {
    struct game game;
    struct lore lore; /* unless the batch has views */
    struct random random;
    uint64_t info[2]; /* of all that a side was told */
    uint64_t begun;   /* games in this place so far */
    uint8_t truncated;
    uint8_t pending; /* the piece on `from` goes to `to` and may use an ability */
    square from, to;
    struct laying laying;
    uint8_t told_count; /* moves in the rings, at most batch->moves */
    uint8_t told_next;
    uint8_t first;          /* enum side that began */
    struct setup setups[2]; /* at the start */
};

/* What must not be copied with a slot. */
struct own_history {
    struct ply *longer; /* owned; NULL: the one in the block */
    uint32_t room;      /* plies of `longer` */
    struct move *moves; /* with ENSIGN_RECORD: all of them; owned */
    uint32_t moves_room;
    uint32_t undo; /* entries that can be taken back */
    uint32_t undo_next;
};

struct ensign_batch {
    atomic_flag busy;
    ensign_rules *owner;
    const struct rules *rules;
    const struct actions *actions;
    const struct bytes_writer *bytes;
    ensign_options options;
    uint32_t planes, scalars, action_count, mask_words;
    bool views;     /* games keep struct eyes, not struct lore */
    uint32_t plies; /* of the history in a block */
    size_t groups_at, told_at, eyes_at, plies_at, stride; /* offsets in a block, and its size */
    size_t groups_size;                                   /* of a side */
    unsigned char *blocks;
    unsigned char *undo; /* games x options.undo x plies_at bytes; NULL: none */
    struct own_history *own;
    struct move *moves; /* room for rules.moves_max */
    struct fault fault; /* of the latest failure */
};

static inline struct slot *batch_slot(const ensign_batch *batch, uint32_t game) {
    return (struct slot *)(void *)(batch->blocks + game * batch->stride);
}

/* Without views both sides are told the same: red's are those of both. */
static inline struct told_move *slot_told(const ensign_batch *batch, struct slot *slot,
                                          enum side side) {
    unsigned char *block = (unsigned char *)slot;
    struct told_move *told = (struct told_move *)(void *)(block + batch->told_at);
    return batch->views && side == BLUE ? told + batch->options.moves : told;
}

static inline struct eyes *slot_eyes(const ensign_batch *batch, struct slot *slot) {
    return (struct eyes *)(void *)((unsigned char *)slot + batch->eyes_at);
}

/* Does the side see the board turned? */
static inline bool batch_turns(const ensign_batch *batch, enum side side) {
    return side == BLUE && !(batch->options.flags & ENSIGN_ABSOLUTE);
}

static inline square batch_square(const ensign_batch *batch, enum side side, square at) {
    return batch_turns(batch, side) ? board_turn(&batch->rules->board, at) : at;
}

/* Whose decision it is. */
static inline enum side slot_to_move(const struct slot *slot) {
    return (enum side)(slot->laying.on ? slot->laying.side : slot->game.to_move);
}

static inline bool slot_over(const struct slot *slot) {
    return !slot->laying.on && (game_over(&slot->game) || slot->truncated);
}

static inline uint32_t slot_ply(const struct slot *slot) {
    return slot->laying.on ? 0 : slot->game.earlier + slot->game.ply_count;
}

/* A copy of the options with every field set; false if one is out of range. */
bool options_read(const ensign_options *options, ensign_options *full);

uint32_t planes_count(const struct rules *rules, const ensign_options *options);
uint32_t scalars_count(const struct rules *rules);
size_t plane_name(const struct rules *rules, const ensign_options *options, uint32_t plane,
                  char *out, size_t room);
size_t scalar_name(const struct rules *rules, uint32_t scalar, char *out, size_t room);

/* Takes the batch for this thread; false if another one has it. */
static inline bool batch_enter(ensign_batch *batch) {
    return !atomic_flag_test_and_set_explicit(&batch->busy, memory_order_acquire);
}

static inline ensign_status batch_leave(ensign_batch *batch, ensign_status status) {
    atomic_flag_clear_explicit(&batch->busy, memory_order_release);
    return status;
}

/* Keeps the fault and leaves with its status. */
ensign_status batch_fail(ensign_batch *batch, ensign_status status, const char *text);

/* The pointers of a slot whose block was copied, and a history with these plies. False without
 * memory. */
bool slot_adopt(ensign_batch *batch, uint32_t game, const struct ply *plies, uint32_t count);

/* Points a slot whose block was copied, and its views, to the rules. */
void slot_settle(ensign_batch *batch, struct slot *slot);

/* Number of moves that ENSIGN_RECORD keeps of a game. */
static inline uint32_t moves_kept(const ensign_batch *batch, const struct slot *slot) {
    return batch->options.flags & ENSIGN_RECORD ? slot_ply(slot) : 0;
}

/* Copies these moves; false without memory. */
bool moves_copy(struct own_history *to, const struct move *moves, uint32_t count);

/* Begins a game with these armies and this side, where the rules or their limits may leave that to
 * a match. */
void slot_set_up(ensign_batch *batch, uint32_t game, const struct setup setups[2], enum side first,
                 const struct limits *limits);

/* Opens views or lore of a game that has been started. */
void slot_open(ensign_batch *batch, struct slot *slot);

/* Number of latest plies that may still be looked at. */
uint32_t slot_needed(const ensign_batch *batch, const struct slot *slot);

/* Writes a row of what a side may know; `ended`: reward and end are written elsewhere. */
void row_observe(ensign_batch *batch, struct slot *slot, enum side side, const ensign_out *out,
                 size_t row);
/* How the game ended, if it has. */
void row_end(const ensign_batch *batch, const struct slot *slot, const ensign_out *out, size_t row);

/* What may stand on the next square of an army that is laid out; KIND_NONE: nothing. */
kindset laying_kinds(const ensign_batch *batch, const struct slot *slot);

/* The legal moves in batch->moves; their number. */
size_t slot_moves(ensign_batch *batch, const struct slot *slot);

/* The move of the side to move that an action says, in the midst of a move or not; DECIDES_NOTHING
 * if that takes another decision. */
enum decided { DECIDED_ILLEGAL, DECIDED_MOVE, DECIDED_PENDING, DECIDED_SETUP };
enum decided slot_decide(ensign_batch *batch, const struct slot *slot, int64_t action,
                         struct move *move);

/* Copies at most `room` bytes with a final 0; returns the length. */
size_t text_give(const char *text, size_t length, char *out, size_t room);

/* A 64-bit hash that continues from `hash`. */
uint64_t bytes_hash(uint64_t hash, const void *bytes, size_t length);

void error_set(ensign_error *error, ensign_status status, const struct fault *fault,
               const char *text);

/* An out whose size is right, with NULL for what the caller's is too short for. */
bool out_read(const ensign_out *out, ensign_out *full);

#endif
