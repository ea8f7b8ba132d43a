/* Answers are drawn from a stream that the position seeds. Each drawn effect is applied to a copy
 * of the board, so that the next one fits. */
#include "custom_calls.h"

#include <stdlib.h>
#include <string.h>

/* The copy that effects are tried on. */
struct trial {
    const struct rules *rules;
    cell at[BOARD_SQUARES_MAX];
    uint8_t returnable[2][KINDS_MAX]; /* fallen pieces that may be brought back */
};

static struct random chance_of(const struct game *game, enum call call, const struct play *play) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int at = 0; at < game->rules->board.squares; at++)
        hash = (hash ^ game->at[at]) * UINT64_C(0x100000001b3);
    hash = (hash ^ game->to_move) * UINT64_C(0x100000001b3);
    hash = (hash ^ (game->earlier + game->ply_count)) * UINT64_C(0x100000001b3);
    if (play) {
        hash = (hash ^ play->move.from) * UINT64_C(0x100000001b3);
        hash = (hash ^ play->move.to) * UINT64_C(0x100000001b3);
        hash = (hash ^ play->move.target) * UINT64_C(0x100000001b3);
        hash = (hash ^ play->kind) * UINT64_C(0x100000001b3);
        hash = (hash ^ play->other) * UINT64_C(0x100000001b3);
        hash = (hash ^ (uint64_t)play->side) * UINT64_C(0x100000001b3);
    }
    if (play && call != CALL_LEGAL && call != CALL_BATTLE)
        hash = (hash ^ (uint64_t)play->outcome) * UINT64_C(0x100000001b3);
    return random_stream(hash, STREAM_PLAYOUT, call);
}

static square some_square(const struct trial *trial, struct random *random, bool taken) {
    const struct board *board = &trial->rules->board;
    for (int tries = 0; tries < 40; tries++) {
        square at = (square)random_below(random, board->squares);
        if (squareset_has(board->land, at) && (trial->at[at] != CELL_EMPTY) == taken) return at;
    }
    return SQUARE_NONE;
}

/* Draws an effect and tries it; false if none fitted. */
static bool draw_deed(struct trial *trial, struct random *random, squareset *shown,
                      struct deed *deed) {
    *deed = (struct deed){.at = SQUARE_NONE, .to = SQUARE_NONE};
    if (trial->rules->counters && random_below(random, 3) == 0) {
        uint8_t counter = (uint8_t)random_below(random, trial->rules->counters);
        bool sets = random_below(random, 3) == 0;
        deed->type = DEED_COUNT;
        deed->side = (uint8_t)random_below(random, 2);
        deed->counting = (struct counting){(uint8_t)(counter + 1), sets ? COUNTING_SETS : 0,
                                           (int16_t)(sets ? trial->rules->counter[counter].from
                                                          : (int)random_below(random, 5) - 2)};
        return true;
    }
    uint32_t what = random_below(random, 60);
    if (what < 10) {
        deed->type = DEED_REMOVE;
        deed->at = some_square(trial, random, true);
        if (deed->at == SQUARE_NONE) return false;
        cell piece = trial->at[deed->at];
        bool flag = trial->rules->kind[cell_kind(piece)].flag;
        if (flag && random_below(random, 4)) return false;
        if (!(piece & CELL_RETURNED)) trial->returnable[cell_side(piece)][cell_kind(piece)]++;
        trial->at[deed->at] = CELL_EMPTY;
    } else if (what < 20) {
        deed->type = what < 15 ? DEED_REVEAL : DEED_CONCEAL;
        deed->at = some_square(trial, random, true);
        if (deed->at == SQUARE_NONE || squareset_has(*shown, deed->at)) return false;
        *shown |= squareset_of(deed->at);
    } else if (what < 40) {
        deed->type = DEED_PLACE;
        deed->at = some_square(trial, random, false);
        deed->side = (uint8_t)random_below(random, 2);
        deed->kind = (kind_id)(1 + random_below(random, trial->rules->kinds));
        if (deed->at == SQUARE_NONE || !trial->returnable[deed->side][deed->kind]) return false;
        trial->returnable[deed->side][deed->kind]--;
        trial->at[deed->at] = (cell)(cell_of((enum side)deed->side, deed->kind) | CELL_RETURNED);
    } else if (what < 58) {
        deed->type = DEED_SWAP;
        deed->at = some_square(trial, random, random_below(random, 2));
        deed->to = some_square(trial, random, true);
        if (deed->at == SQUARE_NONE || deed->to == SQUARE_NONE || deed->at == deed->to)
            return false;
        cell here = trial->at[deed->at];
        trial->at[deed->at] = trial->at[deed->to];
        trial->at[deed->to] = here;
    } else {
        if (random_below(random, 8)) return false;
        deed->type = what == 58 ? DEED_WIN : DEED_DRAW;
        deed->side = (uint8_t)random_below(random, 2);
    }
    return true;
}

static void draw_deeds(const struct game *game, struct random *random, struct call_answer *answer) {
    struct trial trial = {.rules = game->rules};
    memcpy(trial.at, game->at, sizeof trial.at);
    for (int side = RED; side <= BLUE; side++)
        for (kind_id kind = 1; kind <= game->rules->kinds; kind++)
            trial.returnable[side][kind] = game_returnable(game, (enum side)side, kind);
    squareset shown = 0;
    answer->count = 0;
    if (random_below(random, 6)) return;
    int wanted = 1 + (int)random_below(random, 4);
    while (answer->count < wanted) {
        struct deed deed;
        if (!draw_deed(&trial, random, &shown, &deed)) return;
        answer->deed[answer->count++] = deed;
        if (deed.type == DEED_WIN || deed.type == DEED_DRAW) return;
    }
}

static bool ask(struct calls *calls, enum call call, const struct game *game,
                const struct play *play, struct call_answer *answer, struct fault *fault) {
    (void)calls, (void)fault;
    struct random random = chance_of(game, call, play);
    switch (call) {
    case CALL_LEGAL:
        answer->allowed = random_below(&random, 6) > 0;
        answer->why[0] = 0;
        break;
    case CALL_BATTLE:
        answer->outcome = (enum outcome)random_below(&random, 3);
        break;
    case CALL_ENDING:
        answer->result =
            random_below(&random, 400) ? RESULT_NONE : (enum result)(1 + random_below(&random, 3));
        break;
    default:
        draw_deeds(game, &random, answer);
    }
    return true;
}

static void place(struct calls *calls, enum call call, struct fault *fault) {
    (void)calls, (void)call, (void)fault;
}

static void close_calls(struct calls *calls) {
    free(calls);
}

struct calls *custom_calls(void) {
    struct calls *calls = calloc(1, sizeof *calls);
    if (!calls) return NULL;
    *calls = (struct calls){
        .declared = (1u << CALL_COUNT) - 1, .ask = ask, .place = place, .close = close_calls};
    return calls;
}
