/* lookahead.c - alpha-beta with an incremental evaluation, a table of transpositions and killers.
 *
 * The sum of a position is updated with each move from the previous contents in its ply. The lists
 * of moves lie one after the other in the caller's room.
 *
 * Near the leaves most moves are not played. After a plain move the enemy may leave it at that, so
 * that the move is worth no more than the sum after it; if that does not exceed alpha, the bound
 * replaces the search. This holds unless the move ends the game: see is_calm(). */
#include "lookahead.h"

#include <stdlib.h>
#include <string.h>

#include "core/play/calls.h"
#include "core/play/cells.h"
#include "core/play/game.h"
#include "core/play/legal.h"
#include "core/play/repetition.h"

/* Transpositions: values of positions that a search reaches in more than one way. A value is found
 * again only for the same remaining depth and the same of all it may depend on, so a search gives
 * the same values with and without the table. What cannot matter any more within the depth stays
 * out of the key, or transpositions would hardly be found: two orders of the same moves end with
 * different last moves. */
static inline uint64_t transposition_seal(const struct transpositions *table, uint64_t key) {
    return key ^ table->age * UINT64_C(0xD6E8FEB86659FD93);
}

/* What this search stored for the key, or NULL. Its depth may be another one. */
static inline const struct transposition *transposition_find(const struct transpositions *table,
                                                             uint64_t key) {
    const struct transposition *entry = &table->entry[key % TRANSPOSITIONS];
    bool same = entry->key == transposition_seal(table, key) && entry->bound != BOUND_NONE;
    return same ? entry : NULL;
}

/* Stores an entry for the key instead of what was there. */
static inline void transposition_keep(struct transpositions *table, uint64_t key,
                                      struct transposition entry) {
    entry.key = transposition_seal(table, key);
    table->entry[key % TRANSPOSITIONS] = entry;
}

/* A repeated position is at least four plies old. */
enum { CHASE_REPEATS = 4 };

static uint64_t fold(uint64_t key, uint64_t word) {
    key = (key ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 29;
}

static uint64_t fold_bytes(uint64_t key, const void *bytes, size_t length) {
    for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const char *)bytes + i, sizeof word);
        key = fold(key, word);
    }
    return key;
}

/* The last moves of each side's last mover, if it moves often enough within the depth that the
 * two-squares rule can refuse it. */
static uint64_t fold_two_squares(uint64_t key, const struct game *game, int depth) {
    int limit = game->rules->two_squares;
    for (int side = RED; limit && side <= BLUE; side++) {
        bool moves_next = side == game->to_move;
        int run = game->chaser[side].run, left = (depth + moves_next) / 2;
        if (left == 0 || run + left - 1 < limit) continue;
        if (run > limit) run = limit;
        uint32_t last = game->ply_count - (moves_next ? 2 : 1);
        key = fold(key, (uint64_t)run << 1 | (uint64_t)side);
        for (int i = 0; i < run; i++) {
            const struct move *move = &game->plies[last - 2 * (uint32_t)i].move;
            key = fold(key, (uint64_t)move->from << 8 | move->to);
        }
    }
    return key;
}

/* False if a chase that is going on may be refused within the depth. */
static bool fold_isf_chase(uint64_t *key, const struct game *game, int depth) {
    for (int side = RED; side <= BLUE; side++) {
        int chase = game->chaser[side].chase;
        if (chase && chase + depth > CHASE_REPEATS) return false;
    }
    /* Who runs from the last mover can make a chase of its next moves. */
    if (depth > CHASE_REPEATS) *key = fold(*key, game->chaser[side_other(game->to_move)].to);
    return true;
}

static uint64_t fold_russian_chase(uint64_t key, const struct game *game) {
    for (int side = RED; side <= BLUE; side++) {
        const struct chaser *chaser = &game->chaser[side];
        key = fold(key, (uint64_t)chaser->chase << 24 | (uint64_t)chaser->quarry << 16 |
                            (uint64_t)(chaser->run > 0) << 8 | chaser->to);
    }
    return key;
}

/* What abilities leave behind besides the cells. */
static uint64_t fold_deeds(uint64_t key, const struct game *game) {
    const struct rules *rules = game->rules;
    key = fold_bytes(key, game->uses, sizeof game->uses);
    if (rules->places) {
        squareset returned = cells_where(game->at, CELL_RETURNED, CELL_RETURNED);
        squareset taken = game->pieces[RED] | game->pieces[BLUE];
        key = fold(key, squareset_half(returned & taken, 0));
        key = fold(key, squareset_half(returned & taken, 1));
        key = fold_bytes(key, game->placed, sizeof game->placed);
    }
    return key;
}

static uint64_t fold_marks(uint64_t key, const struct game *game) {
    return game->rules->marks ? fold_bytes(key, &game->marks, sizeof game->marks) : key;
}

/* The counters that draw the game within `plies`. */
static uint64_t fold_limits(uint64_t key, const struct game *game, uint32_t plies) {
    const struct limits *limits = &game->limits;
    if (limits->no_attack && game->quiet + plies >= limits->no_attack)
        key = fold(key, UINT64_C(1) << 32 | game->quiet);
    if ((limits->plies && game->ply_count + plies >= limits->plies) ||
        game->ply_count + plies >= game->ply_capacity)
        key = fold(key, UINT64_C(1) << 33 | game->ply_count);
    return key;
}

/* Everything of the game that a value `depth` plies deep, at least 1, may depend on, in 64 bits:
 * the cells, the side to move, the variant's counters; uses of abilities, pieces brought back and
 * marks; limits that can draw the game in time; the last moves that the two-squares rule can still
 * count, and who chases whom. False where a value may depend on more: in variants with calls or
 * draws by repetition, and in a chase (ISF) that can return to positions before this one. Left out:
 * that the repetition rules may leave a side without a move beyond the depth. */
static bool transposition_key(const struct game *game, int depth, uint64_t *key) {
    const struct rules *rules = game->rules;
    if (game->calls || rules->repetition) return false;
    *key = fold(game->hash, game->to_move);
    *key = fold_two_squares(*key, game, depth);
    if (rules->chase == CHASE_ISF && !fold_isf_chase(key, game, depth)) return false;
    if (rules->chase == CHASE_RUSSIAN) *key = fold_russian_chase(*key, game);
    if (rules->abilities) *key = fold_deeds(*key, game);
    *key = fold_marks(*key, game);
    *key = fold_limits(*key, game, (uint32_t)(depth + EXCHANGE_MAX));
    return true;
}

enum {
    BEYOND = INT32_MAX,
    SORTED_MAX = 32,  /* attacks put in order */
    CALLS_NODE = 500, /* instructions of calls that count as a node */
    CALM_CHASE = 3    /* a longer chase may be refused after the next ply (ISF) */
};

/* One search of a root move. */
struct look {
    struct search *search;
    struct lookahead *memory; /* or NULL */
    struct game *game;
    int depth;       /* plies below the root move */
    int32_t gain[2]; /* by side: the most that a move can gain it without a capture */
    bool stopped;    /* out of nodes: the value is of no use */
};

/* Has it played as many moves as it may? What a variant's calls use counts as moves. */
static bool is_spent(const struct search *search) {
    return search->nodes + (calls_paid() - search->paid) / CALLS_NODE >= search->nodes_max;
}

kindset lookahead_far(const struct rules *rules) {
    kindset far = 0;
    for (kindset left = rules->mobile; left; left &= left - 1) {
        kind_id kind = (kind_id)__builtin_ctz(left);
        const struct movement *movement = &rules->movement[rules->kind[kind].movement];
        for (squareset land = rules->board.land; land;) {
            square from = squareset_pop(&land);
            for (int side = RED; side <= BLUE; side++)
                if (movement_ever(movement, (enum side)side, from, BAR_STOP) &
                    ~rules->board.neighbours[from])
                    far |= kindset_of(kind);
        }
    }
    return far;
}

/* The change of the sum by the last ply. */
static int32_t sum_change(const struct values *values, const struct game *game) {
    const struct ply *ply = &game->plies[game->ply_count - 1];
    int32_t change = 0;
    for (int i = 0; i < ply->changes; i++) {
        square at = ply->change[i].at;
        bool again = false; /* a square written twice counts once, with its first contents */
        for (int j = 0; j < i; j++) again |= ply->change[j].at == at;
        if (again) continue;
        change += values_of(values, game->at[at], at);
        change -= values_of(values, ply->change[i].was, at);
    }
    return change;
}

/* The change of the sum by a move without an ability. */
static int32_t plain_change(const struct values *values, const struct game *game, struct move move,
                            enum outcome outcome) {
    cell mover = game->at[move.from], other = game->at[move.to];
    bool stays = other && (game->rules->stayers >> cell_kind(mover) & 1);
    int32_t change = -values_of(values, mover, move.from);
    if (outcome != DEFENDER_WINS) change -= values_of(values, other, move.to);
    if (outcome == ATTACKER_WINS) change += values_of(values, mover, stays ? move.from : move.to);
    return change;
}

static bool is_guess(const struct game *game, struct move move) {
    return move.ability != ABILITY_NONE && game->rules->ability[move.ability].asks == ASKS_KIND;
}

/* Those of `enemy`, which are not sheltered, that the piece on `from` can attack. */
static squareset attackable(const struct game *game, square from, squareset enemy) {
    const struct rules *rules = game->rules;
    kind_id kind = cell_kind(game->at[from]);
    const struct movement *movement = &rules->movement[rules->kind[kind].movement];
    if (movement->step) return rules->board.neighbours[from] & enemy;
    if (movement->run) {
        const steps_pair *ray = rules->steps.ray[from];
        steps_pair seen = (ray[0] | ray[1] | ray[2] | ray[3]) & pair_of(enemy);
        if (!(seen[0] | seen[1])) return 0;
    }
    enum side side = (enum side)game->to_move;
    return movement_reach(movement, side, from, game->pieces[RED] | game->pieces[BLUE]) & enemy;
}

/* The attacks that win or tie, ignoring the repetition rules. */
static size_t list_attacks(const struct search *search, const struct game *game, struct move *out,
                           size_t room) {
    enum side side = (enum side)game->to_move;
    const struct board *board = &game->rules->board;
    squareset enemy = game->pieces[side_other(side)] & ~board->shelter;
    squareset near = board_joined(board, enemy);
    squareset far = search->far ? game->runners[side] | game->odd[side] : 0;
    size_t count = 0;
    for (squareset left = game->mobile[side] & (near | far); left;) {
        square from = squareset_pop(&left);
        for (squareset targets = attackable(game, from, enemy); targets && count < room;) {
            struct move move = {from, squareset_pop(&targets), SQUARE_NONE, ABILITY_NONE,
                                KIND_NONE};
            if (turn_pays(game, move)) out[count++] = move;
        }
    }
    return count;
}

/* Puts moves[index] before the attacks found so far that gain less. */
static void insert_attack(struct move *moves, int32_t *gain, size_t first, size_t index,
                          int32_t gained) {
    struct move move = moves[index];
    size_t place = first < SORTED_MAX ? first : SORTED_MAX - 1;
    moves[index] = moves[first];
    moves[first] = moves[place];
    for (; place > 0 && gain[place - 1] < gained; place--) {
        gain[place] = gain[place - 1];
        moves[place] = moves[place - 1];
    }
    gain[place] = gained;
    moves[place] = move;
}

/* Drops guesses and puts attacks that pay first, the greatest gain before the others; then come
 * killers, and at the very front the best move of the table. Returns the number of moves left. */
static size_t order_moves(const struct look *look, struct move *moves, size_t count, int ply,
                          const struct transposition *found) {
    const struct game *game = look->game;
    const struct values *values = look->search->values;
    int32_t gain[SORTED_MAX];
    size_t kept = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        struct move move = moves[i];
        if (is_guess(game, move)) continue;
        moves[kept] = move;
        if (turn_attacks(game, move) && turn_pays(game, move))
            insert_attack(moves, gain, first++, kept,
                          abs(values_of(values, game->at[move.to], move.to)));
        kept++;
    }
    for (int k = 0; look->memory && ply < look->depth && k < 2; k++) {
        struct move killer = look->memory->killer[ply][k];
        for (size_t i = first; i < kept; i++) {
            if (!move_equal(moves[i], killer)) continue;
            moves[i] = moves[first];
            moves[first++] = killer;
            break;
        }
    }
    for (size_t i = 1; found && i < kept; i++) {
        if (moves[i].from != found->from || moves[i].to != found->to) continue;
        struct move best = moves[i];
        memmove(moves + 1, moves, i * sizeof *moves);
        moves[0] = best;
        break;
    }
    return kept;
}

/* Is it certain that no plain move of the side to move ends the game, except by the fall of a flag
 * or of its own last mobile piece, or by the draw without miners? */
static bool is_calm(const struct game *game) {
    const struct rules *rules = game->rules;
    const struct limits *limits = &game->limits;
    enum side other = side_other((enum side)game->to_move);
    int chase = game->chaser[other].chase;
    if (game->calls || rules->goals || rules->repetition ||
        game->ply_count + 1 >= game->ply_capacity ||
        (limits->plies && game->ply_count + 1 >= limits->plies) ||
        (limits->no_attack && game->quiet + 1 >= limits->no_attack) ||
        (rules->chase == CHASE_RUSSIAN && chase) ||
        (rules->chase == CHASE_ISF && chase >= CALM_CHASE))
        return false;
    /* Of three pieces with a way one may fall now, and one may have gone to and fro too often. */
    squareset plain = game->mobile[other] & ~game->odd[other];
    if (rules->marks) plain &= ~marks_held(&game->marks);
    plain &= board_beside(&rules->board, rules->board.land & ~game->pieces[other]);
    squareset but_one = plain & (plain - 1);
    return (but_one & (but_one - 1)) != 0;
}

/* An upper bound for the mover of the value of a move, without playing it; BEYOND if there is none.
 * `sum` is the evaluation for the mover, `sign` -1 if it is not search->own. The position is calm.
 */
static int32_t bound_of(const struct look *look, struct move move, int32_t sum, int32_t sign) {
    const struct game *game = look->game;
    if (move.ability != ABILITY_NONE) return BEYOND;
    enum outcome outcome = ATTACKER_WINS;
    cell other = game->at[move.to];
    if (other) {
        squareset own = game->mobile[game->to_move];
        kindset both = kindset_of(cell_kind(game->at[move.from])) | kindset_of(cell_kind(other));
        if ((game->rules->flags & both) || !(own & (own - 1)) || game->rules->draw_without)
            return BEYOND;
        outcome = turn_outcome(game, move);
    }
    return sum + sign * plain_change(look->search->values, game, move, outcome);
}

/* Are the attacks that win or tie, with no others, the moves that can gain a capture? */
static bool can_list_attacks(const struct game *game) {
    return !game->rules->abilities && !game->rules->draw_without && !repetition_in_force(game);
}

/* The most that a side gains by a step or by losing a piece. */
static int32_t find_gain(const struct search *search, const struct rules *rules, enum side side) {
    int32_t sign = side == search->own ? 1 : -1, most = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const int32_t *at = search->values->at[cell_of(side, kind)];
        int32_t least = INT32_MAX, greatest = INT32_MIN;
        for (int i = 0; i < rules->board.squares; i++) {
            least = sign * at[i] < least ? sign * at[i] : least;
            greatest = sign * at[i] > greatest ? sign * at[i] : greatest;
        }
        if (greatest - least > most) most = greatest - least;
        if (-least > most) most = -least;
    }
    return most;
}

static void keep_killer(struct look *look, int ply, struct move move) {
    struct move *killer = look->memory->killer[ply];
    if (move_equal(killer[0], move)) return;
    killer[1] = killer[0];
    killer[0] = move;
}

/* May the entry's value replace a search of this depth between alpha and beta? */
static bool is_answer(const struct transposition *found, int depth, int32_t alpha, int32_t beta) {
    return found->depth == depth &&
           (found->bound == BOUND_EXACT || (found->bound == BOUND_LOWER && found->value >= beta) ||
            (found->bound == BOUND_UPPER && found->value <= alpha));
}

/* The value for the side to move: a lower bound if it is beta or more, an upper bound if it is
 * alpha or less. `sum` is the evaluation for `own`. */
static int32_t look_on(struct look *look, int depth, int32_t alpha, int32_t beta, int32_t sum,
                       struct move *moves, size_t room) {
    struct search *search = look->search;
    struct game *game = look->game;
    int32_t sign = game->to_move == search->own ? 1 : -1, best = -BEYOND;
    if (game_over(game)) {
        /* Prefer winning early and losing late. */
        int32_t value = sign * search_ended(search, (enum result)game->result, sum);
        return game->result == RESULT_DRAW ? 0 : value + (value > 0 ? depth : -depth);
    }
    struct transposition entry = {.from = SQUARE_NONE, .to = SQUARE_NONE, .depth = (int8_t)depth};
    const struct transposition *found = NULL;
    uint64_t key;
    bool keeps = depth > 0 && look->memory && transposition_key(game, depth, &key);
    if (keeps) found = transposition_find(&look->memory->table, key);
    if (found && is_answer(found, depth, alpha, beta)) return found->value;
    int32_t floor = alpha;
    if (depth <= 0) {
        best = sign * sum;
        if (best > alpha) alpha = best;
        if (alpha >= beta || depth <= -EXCHANGE_MAX) return best;
    }
    int ply = look->depth - depth;
    bool calm = depth == 1 && is_calm(game);
    bool attacks_only = depth <= 0;
    if (calm && can_list_attacks(game)) {
        /* No other move can exceed alpha. */
        int32_t most = sign * sum + look->gain[game->to_move];
        if (most <= alpha) {
            attacks_only = true;
            best = most;
        }
    }
    size_t count =
        attacks_only ? list_attacks(search, game, moves, room) : game_moves(game, moves, room);
    count = order_moves(look, moves, count < room ? count : room, ply, found);
    if (depth <= 0 && count) calm = is_calm(game);
    for (size_t i = 0; i < count && alpha < beta; i++) {
        struct move move = moves[i];
        int32_t bound = calm ? bound_of(look, move, sign * sum, sign) : BEYOND;
        if (bound <= alpha) {
            if (bound > best) best = bound;
            continue;
        }
        if (is_spent(search)) {
            look->stopped = true;
            return best;
        }
        search->nodes++;
        game_play(game, move, NULL);
        int32_t after = sum + sum_change(search->values, game);
        int32_t value =
            -look_on(look, depth - 1, -beta, -alpha, after, moves + count, room - count);
        game_undo(game);
        if (look->stopped) return best;
        if (value > best) {
            best = value;
            entry.from = move.from;
            entry.to = move.to;
        }
        if (best > alpha) alpha = best;
        if (alpha >= beta && depth > 0 && look->memory && !turn_attacks(game, move))
            keep_killer(look, ply, move);
    }
    if (best == -BEYOND) best = sign * sum;
    if (keeps) {
        entry.value = best;
        entry.bound = best >= beta ? BOUND_LOWER : best > floor ? BOUND_EXACT : BOUND_UPPER;
        transposition_keep(&look->memory->table, key, entry);
    }
    return best;
}

/* The exact value for `own` of the position after a root move. A narrow window around the guess is
 * enough if it is right, else tells on which side of it the value is. */
static int32_t look_after(struct look *look, int32_t sum, int32_t guess) {
    struct search *search = look->search;
    int32_t sign = look->game->to_move == search->own ? 1 : -1;
    int32_t low = sign * guess - 1, high = sign * guess + 1;
    int32_t value = look_on(look, look->depth, low, high, sum, search->moves, search->room);
    if (value <= low && !look->stopped)
        value = look_on(look, look->depth, -BEYOND, value + 1, sum, search->moves, search->room);
    else if (value >= high && !look->stopped)
        value = look_on(look, look->depth, value - 1, BEYOND, sum, search->moves, search->room);
    return sign * value;
}

int lookahead_score(struct search *search, struct lookahead *memory, struct game *game,
                    struct prospect *prospects, size_t count, int depth) {
    struct look look = {.search = search, .memory = memory, .game = game};
    for (size_t i = 0; i < count; i++) {
        game_play(game, prospects[i].move, NULL);
        prospects[i].value = search_evaluate(search, game->at, (enum result)game->result);
        game_undo(game);
    }
    search->nodes += count;
    if (memory) {
        memory->table.age++;
        memset(memory->killer, 0, sizeof memory->killer);
    }
    for (int side = RED; side <= BLUE; side++)
        look.gain[side] = find_gain(search, game->rules, (enum side)side);
    int32_t sum = search_evaluate(search, game->at, RESULT_NONE);
    int done = 0;
    while (done < depth) {
        int next = done == 0 ? 1 : done % 2 == depth % 2 ? done + 2 : done + 1;
        look.depth = next - 1;
        for (size_t i = 0; i < count; i++) {
            if (is_spent(search)) return done;
            search->nodes++;
            game_play(game, prospects[i].move, NULL);
            int32_t guess = i ? prospects[i - 1].next : prospects[0].value;
            int32_t after = sum + sum_change(search->values, game);
            prospects[i].next = look_after(&look, after, guess);
            game_undo(game);
            if (look.stopped) return done;
        }
        for (size_t i = 0; i < count; i++) prospects[i].value = prospects[i].next;
        done = next;
    }
    return depth;
}
