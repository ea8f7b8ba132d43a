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

static const int WAY[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

bool reference_lake(const struct reference *ref, square at) {
    return squareset_has(ref->rules->board.lakes, at);
}

static bool walled(const struct reference *ref, square a, square b) {
    return squareset_has(ref->rules->board.walled[a], b);
}

bool reference_next_to(const struct reference *ref, square a, square b) {
    struct place p = reference_place(ref, a), q = reference_place(ref, b);
    if (squareset_has(ref->rules->board.linked[a], b)) return true;
    return abs(p.rank - q.rank) + abs(p.file - q.file) == 1 && !walled(ref, a, b);
}

int reference_neighbours(const struct reference *ref, square at, square out[BOARD_SQUARES_MAX]) {
    struct place p = reference_place(ref, at);
    int count = 0;
    for (int i = 0; i < 4; i++) {
        int rank = p.rank + WAY[i][0], file = p.file + WAY[i][1];
        if (on_board(ref, rank, file) && !walled(ref, at, reference_square(ref, rank, file)))
            out[count++] = reference_square(ref, rank, file);
    }
    if (!ref->rules->board.linked[at]) return count;
    for (square to = 0; to < ref->rules->board.squares; to++)
        if (squareset_has(ref->rules->board.linked[at], to)) out[count++] = to;
    return count;
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

static bool is_game(const struct rules *rules, const char *name) {
    return strcmp(rules->name, name) == 0;
}

static int place_in(const char *name, const char *const *names, int count) {
    int place = 0;
    while (place < count && strcmp(names[place], name) != 0) place++;
    return place;
}

/* RULES 10: ranks from the lowest up, the engineer among them. */
static enum outcome luzhanqi_outcome(const char *a, const char *d) {
    static const char *const ranks[] = {"engineer",  "lieutenant", "captain", "major",  "colonel",
                                        "brigadier", "division",   "general", "marshal"};
    if (strcmp(a, "bomb") == 0 || strcmp(d, "bomb") == 0) return BOTH_FALL;
    if (strcmp(d, "flag") == 0) return ATTACKER_WINS;
    if (strcmp(d, "mine") == 0) return strcmp(a, "engineer") == 0 ? ATTACKER_WINS : DEFENDER_WINS;
    int strength = place_in(a, ranks, 9) - place_in(d, ranks, 9);
    return strength > 0 ? ATTACKER_WINS : strength < 0 ? DEFENDER_WINS : BOTH_FALL;
}

/* RULES 13: officers from the highest down; spies above them, privates below, and above spies. */
static enum outcome salpakan_outcome(const char *a, const char *d) {
    static const char *const ranks[] = {
        "spy",      "five_star", "four_star",        "three_star",
        "two_star", "one_star",  "colonel",          "lieutenant_colonel",
        "major",    "captain",   "first_lieutenant", "second_lieutenant",
        "sergeant", "private"};
    int attacker = place_in(a, ranks, 14), defender = place_in(d, ranks, 14);
    if (strcmp(d, "flag") == 0) return ATTACKER_WINS;
    if (strcmp(a, "flag") == 0) return DEFENDER_WINS;
    if (attacker == defender) return BOTH_FALL;
    bool higher = attacker < defender;
    if (abs(attacker - defender) == 13) higher = !higher;
    return higher ? ATTACKER_WINS : DEFENDER_WINS;
}

/* RULES 11: the animals from the weakest up; the den falls to all of them. */
static int jungle_rank(const char *name) {
    static const char *const ranks[] = {"den",     "rat",   "cat",  "dog",     "wolf",
                                        "leopard", "tiger", "lion", "elephant"};
    return place_in(name, ranks, 9);
}

/* On land, outside of traps. */
static bool jungle_beats(const char *a, const char *d) {
    const int attacker = jungle_rank(a), defender = jungle_rank(d);
    if (attacker == 1 && defender == 8) return true;
    return attacker >= defender && !(attacker == 8 && defender == 1);
}

/* Squares by their names, for a board of seven files. */
static bool jungle_river(square at) {
    const int file = at % 7, rank = at / 7 + 1;
    return rank >= 4 && rank <= 6 && file != 0 && file != 3 && file != 6;
}

static bool jungle_trap(enum side side, square at) {
    const int home = side == RED ? 0 : 8, front = side == RED ? 1 : 7, file = at % 7;
    return at / 7 == home ? file == 2 || file == 4 : at / 7 == front && file == 3;
}

enum outcome reference_outcome(const struct rules *rules, kind_id attacker, kind_id defender) {
    const char *a = rules->kind[attacker].name, *d = rules->kind[defender].name;
    bool lightning = is_game(rules, "lightning");
    if (is_game(rules, "luzhanqi")) return luzhanqi_outcome(a, d);
    if (is_game(rules, "jungle")) return jungle_beats(a, d) ? ATTACKER_WINS : DEFENDER_WINS;
    if (is_game(rules, "salpakan")) return salpakan_outcome(a, d);
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

enum outcome reference_fight(const struct reference *ref, enum side side, square from, square to,
                             kind_id attacker, kind_id defender) {
    const struct battles *battles = ref->rules->battles;
    if (ref->written && is_game(ref->rules, "jungle")) {
        if (jungle_river(from) != jungle_river(to)) return CANNOT_ATTACK;
        const bool wins = ref->outcome[attacker][defender] == ATTACKER_WINS;
        return wins || jungle_trap(side, to) ? ATTACKER_WINS : CANNOT_ATTACK;
    }
    if (ref->written || !battles) return ref->outcome[attacker][defender];
    const uint8_t a = battles->place[side][from], d = battles->place[side][to];
    return (enum outcome)battles->outcome[a][d][attacker][defender];
}

static squareset ground_of(const struct rules *rules, const char *name) {
    const struct board *board = &rules->board;
    for (int i = 0; i < board->grounds; i++)
        if (strcmp(board->ground[i].name, name) == 0)
            return board->ground[i].squares[RED] | board->ground[i].squares[BLUE];
    return 0;
}

/* RULES 10: the railway, without roads and camps. */
static struct gait luzhanqi_gait(const struct rules *rules, const char *name) {
    squareset rail = 0;
    for (int rank = 1; rank < 11; rank++)
        for (int file = 0; file < 5; file++) {
            bool along = rank == 1 || rank == 5 || rank == 6 || rank == 10;
            if (along || file == 0 || file == 4)
                rail |= squareset_of((square)(rank * rules->board.files + file));
        }
    bool mobile = strcmp(name, "flag") != 0 && strcmp(name, "mine") != 0;
    bool engineer = strcmp(name, "engineer") == 0;
    return (struct gait){
        .mobile = mobile,
        .steps = mobile,
        .slides = engineer ? 0 : rail,
        .floods = engineer ? rail : 0,
    };
}

/* The moves of tests/data/lines.lua. */
static struct gait lines_gait(const struct rules *rules, const char *name) {
    squareset rail = ground_of(rules, "rail");
    bool sergeant = strcmp(name, "sergeant") == 0, general = strcmp(name, "general") == 0;
    bool miner = strcmp(name, "miner") == 0, marshal = strcmp(name, "marshal") == 0;
    bool runs = strcmp(name, "scout") == 0;
    return (struct gait){
        .mobile = strcmp(name, "flag") != 0 && strcmp(name, "bomb") != 0,
        .steps = !general && !marshal && !runs,
        .runs = runs,
        .twice = strcmp(name, "spy") == 0,
        .slides = sergeant || general ? rail : 0,
        .floods = miner || marshal ? rail : 0,
    };
}

struct gait reference_gait(const struct rules *rules, bool written, kind_id kind) {
    const char *name = rules->kind[kind].name;
    if (!written)
        return (struct gait){.mobile = rules->kind[kind].movement != MOVEMENT_NONE,
                             .returns = rules->stayers >> kind & 1};
    if (is_game(rules, "lines")) return lines_gait(rules, name);
    if (is_game(rules, "luzhanqi")) return luzhanqi_gait(rules, name);
    if (is_game(rules, "jungle"))
        return (struct gait){.mobile = strcmp(name, "den") != 0,
                             .steps = strcmp(name, "den") != 0,
                             .dry = strcmp(name, "rat") != 0,
                             .leaps = strcmp(name, "lion") == 0 || strcmp(name, "tiger") == 0};
    if (is_game(rules, "salpakan")) return (struct gait){.mobile = true, .steps = true};
    return (struct gait){
        .mobile = strcmp(name, "flag") != 0 && strcmp(name, "bomb") != 0,
        .steps = strcmp(name, "scout") != 0,
        .runs = strcmp(name, "scout") == 0,
        .twice = is_game(rules, "lightning") && strcmp(name, "captain") == 0,
        .strikes = is_game(rules, "lattaque") && strcmp(name, "scout") != 0,
        .returns = is_game(rules, "lattaque") && strcmp(name, "scout") == 0,
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
    bool sheltered = squareset_has(ref->rules->board.shelter, at);
    if (!there.id || (there.side != side && !sheltered)) add(reach, at);
    return !there.id;
}

static void walk_listed(const struct reference *ref, const struct reference_state *state,
                        enum side side, kind_id kind, square from, struct reach *reach) {
    const struct movement *movement = &ref->rules->movement[ref->rules->kind[kind].movement];
    uint32_t begin = movement->start[side][from], end = movement->start[side][from + 1];
    for (uint32_t i = begin; i < end;) {
        struct place place = reference_place(ref, movement->nodes[i].to);
        bool held = state && state->at[place.rank][place.file].id;
        bool struck = state ? held : reach->struck;
        bool barred = movement->bars && (movement->bars[i] & (struck ? BAR_ATTACK : BAR_MOVE));
        bool on = barred ? !held : enter(ref, state, side, place.rank, place.file, reach);
        i = on ? i + 1 : begin + movement->nodes[i].skip;
    }
}

static bool enter_square(const struct reference *ref, const struct reference_state *state,
                         enum side side, square at, struct reach *reach) {
    struct place place = reference_place(ref, at);
    return enter(ref, state, side, place.rank, place.file, reach);
}

/* Straight on along these squares. */
static void walk_lines(const struct reference *ref, const struct reference_state *state,
                       enum side side, square from, squareset ground, struct reach *reach) {
    for (int i = 0; i < 4; i++) {
        struct place place = reference_place(ref, from);
        for (square at = from;;) {
            place.rank += WAY[i][0];
            place.file += WAY[i][1];
            if (!on_board(ref, place.rank, place.file)) break;
            square next = reference_square(ref, place.rank, place.file);
            if (walled(ref, at, next) || !squareset_has(ground, next)) break;
            if (!enter_square(ref, state, side, next, reach)) break;
            at = next;
        }
    }
}

/* From one to the next of these squares, round corners too. */
static void walk_flood(const struct reference *ref, const struct reference_state *state,
                       enum side side, square from, squareset ground, struct reach *reach) {
    square queue[BOARD_SQUARES_MAX], beside[BOARD_SQUARES_MAX];
    bool seen[BOARD_SQUARES_MAX] = {false};
    int first = 0, count = 0;
    queue[count++] = from;
    seen[from] = true;
    while (first < count) {
        int others = reference_neighbours(ref, queue[first++], beside);
        for (int i = 0; i < others; i++) {
            square to = beside[i];
            if (seen[to] || !squareset_has(ground, to)) continue;
            seen[to] = true;
            if (enter_square(ref, state, side, to, reach)) queue[count++] = to;
        }
    }
}

/* Straight over the river, if nothing swims there. */
static void walk_leaps(const struct reference *ref, const struct reference_state *state,
                       enum side side, square from, struct reach *reach) {
    for (int i = 0; i < 4; i++) {
        struct place place = reference_place(ref, from);
        int crossed = 0;
        for (;;) {
            place.rank += WAY[i][0];
            place.file += WAY[i][1];
            if (!on_board(ref, place.rank, place.file)) break;
            const square at = reference_square(ref, place.rank, place.file);
            if (!jungle_river(at)) {
                if (crossed) enter_square(ref, state, side, at, reach);
                break;
            }
            if (state && reference_on(ref, state, at).id) break;
            crossed++;
        }
    }
}

/* Takes enemies off the list that may not be attacked. */
static void bar(const struct reference *ref, const struct reference_state *state, enum side side,
                kind_id kind, square from, struct reach *reach) {
    int count = 0;
    for (int i = 0; i < reach->count; i++) {
        const square at = reach->list[i];
        const struct token there = reference_on(ref, state, at);
        reach->barred[at] =
            there.id && reference_fight(ref, side, from, at, kind, there.kind) == CANNOT_ATTACK;
        if (reach->barred[at])
            reach->to[at] = false;
        else
            reach->list[count++] = at;
    }
    reach->count = count;
}

static void walk_all(const struct reference *ref, const struct reference_state *state,
                     enum side side, kind_id kind, square from, struct reach *reach) {
    struct gait gait = ref->gait[kind];
    if (!ref->written) {
        walk_listed(ref, state, side, kind, from, reach);
        gait.floods = ref->rules->movement[ref->rules->kind[kind].movement].ground;
    }
    square beside[BOARD_SQUARES_MAX], beyond[BOARD_SQUARES_MAX];
    reach->to[from] = true; /* so that paths back are not added */
    int count = gait.steps ? reference_neighbours(ref, from, beside) : 0;
    for (int i = 0; i < count; i++) {
        if (gait.dry && jungle_river(beside[i])) continue;
        bool on = enter_square(ref, state, side, beside[i], reach);
        bool further = gait.twice || gait.strikes;
        int more = further && on ? reference_neighbours(ref, beside[i], beyond) : 0;
        for (int j = 0; j < more; j++) {
            bool struck = state ? reference_on(ref, state, beyond[j]).id != 0 : reach->struck;
            if (gait.twice || struck) enter_square(ref, state, side, beyond[j], reach);
        }
    }
    if (gait.leaps) walk_leaps(ref, state, side, from, reach);
    if (gait.runs) walk_lines(ref, state, side, from, ~(squareset)0, reach);
    if (squareset_has(gait.slides, from)) walk_lines(ref, state, side, from, gait.slides, reach);
    if (squareset_has(gait.floods, from)) walk_flood(ref, state, side, from, gait.floods, reach);
    reach->to[from] = false;
}

void reference_walk(const struct reference *ref, const struct reference_state *state,
                    enum side side, kind_id kind, square from, struct reach *reach) {
    memset(reach->to, 0, sizeof reach->to);
    memset(reach->barred, 0, sizeof reach->barred);
    reach->count = 0;
    if (!reference_mobile(ref, kind) || squareset_has(ref->rules->board.stays, from)) return;
    walk_all(ref, state, side, kind, from, reach);
    if (state) bar(ref, state, side, kind, from, reach);
}
