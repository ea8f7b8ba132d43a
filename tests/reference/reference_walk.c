/* reference_walk.c - geometry by ranks and files; movement and strength of the stock kinds as
 * printed in the rules sheets; for other variants the path trees of `struct rules`. */
#include "reference_walk.h"

#include <stdlib.h>
#include <string.h>

static bool on_board(const struct reference *ref, int rank, int file) {
    return rank >= 0 && file >= 0 && rank < ref->rules->board.ranks &&
           file < ref->rules->board.files;
}

square reference_square(const struct reference *ref, int rank, int file) {
    return (square)(rank * ref->rules->board.files + file);
}

bool reference_lake(const struct reference *ref, square at) {
    return squareset_has(ref->rules->board.lakes, at);
}

int reference_neighbours(const struct reference *ref, square at, square out[4]) {
    struct place p = reference_place(ref, at);
    int count = 0;
    if (on_board(ref, p.rank + 1, p.file)) out[count++] = reference_square(ref, p.rank + 1, p.file);
    if (on_board(ref, p.rank - 1, p.file)) out[count++] = reference_square(ref, p.rank - 1, p.file);
    if (on_board(ref, p.rank, p.file + 1)) out[count++] = reference_square(ref, p.rank, p.file + 1);
    if (on_board(ref, p.rank, p.file - 1)) out[count++] = reference_square(ref, p.rank, p.file - 1);
    return count;
}

bool reference_next_to(const struct reference *ref, square a, square b) {
    struct place p = reference_place(ref, a), q = reference_place(ref, b);
    return abs(p.rank - q.rank) + abs(p.file - q.file) == 1;
}

/* Strength as in RULES 3; -1 for kinds that fight by exceptions only. */
static int stock_rank(const struct rules *rules, kind_id kind) {
    static const char *const names[] = {"spy",     "scout", "miner",   "sergeant", "lieutenant",
                                        "captain", "major", "colonel", "general",  "marshal"};
    const char *name = rules->kind[kind].name;
    bool galaxy = strncmp(rules->name, "galaxy", 6) == 0;
    if (strcmp(name, "saboteur") == 0 || strcmp(name, "spotter") == 0) return 1;
    if (galaxy && strcmp(name, "spy") == 0) return 0;
    for (int i = 0; i < 10; i++)
        if (strcmp(name, names[i]) == 0) return i + 1;
    return -1;
}

enum outcome reference_outcome(const struct rules *rules, kind_id attacker, kind_id defender) {
    const char *a = rules->kind[attacker].name, *d = rules->kind[defender].name;
    bool lightning = strcmp(rules->name, "lightning") == 0;
    if (strcmp(d, "flag") == 0) return ATTACKER_WINS;
    if (strcmp(d, "bomb") == 0) {
        if (strcmp(a, "miner") == 0) return ATTACKER_WINS;
        return lightning ? BOTH_FALL : DEFENDER_WINS;
    }
    if (strcmp(a, "spy") == 0 && strcmp(d, "marshal") == 0) return ATTACKER_WINS;
    int strength = stock_rank(rules, attacker) - stock_rank(rules, defender);
    if (strength > 0) return ATTACKER_WINS;
    if (strength < 0) return DEFENDER_WINS;
    return lightning ? ATTACKER_WINS : BOTH_FALL;
}

struct gait reference_gait(const struct rules *rules, bool stock, kind_id kind) {
    const char *name = rules->kind[kind].name;
    if (!stock) return (struct gait){.mobile = rules->kind[kind].movement != MOVEMENT_NONE};
    return (struct gait){
        .mobile = strcmp(name, "flag") != 0 && strcmp(name, "bomb") != 0,
        .runs = strcmp(name, "scout") == 0,
        .twice = strcmp(rules->name, "lightning") == 0 && strcmp(name, "captain") == 0,
    };
}

static void add(struct reach *reach, square at) {
    if (!reach->to[at]) reach->list[reach->count++] = at;
    reach->to[at] = true;
}

/* Adds the square if it can be entered; true if the path continues beyond it. */
static bool enter(const struct reference *ref, const struct reference_state *state, enum side side,
                  int rank, int file, struct reach *reach) {
    if (!on_board(ref, rank, file)) return false;
    square at = reference_square(ref, rank, file);
    if (reference_lake(ref, at)) return false;
    struct token there = state ? state->at[rank][file] : (struct token){0};
    if (!there.id || there.side != side) add(reach, at);
    return !there.id;
}

static void walk_listed(const struct reference *ref, const struct reference_state *state,
                        enum side side, kind_id kind, square from, struct reach *reach) {
    const struct movement *movement = &ref->rules->movement[ref->rules->kind[kind].movement];
    uint32_t begin = movement->start[side][from], end = movement->start[side][from + 1];
    for (uint32_t i = begin; i < end;) {
        struct place place = reference_place(ref, movement->nodes[i].to);
        bool on = enter(ref, state, side, place.rank, place.file, reach);
        i = on ? i + 1 : begin + movement->nodes[i].skip;
    }
}

void reference_walk(const struct reference *ref, const struct reference_state *state,
                    enum side side, kind_id kind, square from, struct reach *reach) {
    static const int way[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    memset(reach->to, 0, sizeof reach->to);
    reach->count = 0;
    if (!reference_mobile(ref, kind)) return;
    if (!ref->stock) {
        walk_listed(ref, state, side, kind, from, reach);
        return;
    }
    struct place start = reference_place(ref, from);
    struct gait gait = ref->gait[kind];
    reach->to[from] = true; /* so that paths back are not added */
    for (int i = 0; i < 4; i++) {
        int rank = start.rank + way[i][0], file = start.file + way[i][1];
        bool on = enter(ref, state, side, rank, file, reach);
        while (gait.runs && on) {
            rank += way[i][0];
            file += way[i][1];
            on = enter(ref, state, side, rank, file, reach);
        }
        for (int j = 0; gait.twice && on && j < 4; j++)
            enter(ref, state, side, rank + way[j][0], file + way[j][1], reach);
    }
    reach->to[from] = false;
}
