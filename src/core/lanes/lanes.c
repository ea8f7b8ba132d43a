/* lanes.c - random playouts on lines of bits.
 *
 * The board is kept in four copies. Copy 0 has its ranks one after the other, bit 0 at the left;
 * copy 1 the files, from the bottom; copies 2 and 3 are the same read backwards. So in each copy
 * the next square in one direction is the next bit, and a piece steps by a shift. Each line ends in
 * a wall bit, always set. Five lines of ten squares fit a word of 64 bits, two words make a copy:
 *
 *     . . s . . e . o . . #      one line: a scout s, an enemy e, an own piece o, the wall #
 *     0 0 1 0 0 1 0 1 0 0 1      taken
 *     0 0 0 1 1 0 0 1 0 0 1      taken - 2 * scouts: the borrow runs on to the next taken square
 *     0 0 0 1 1 1 0 0 0 0 0      its difference (xor) to taken, where the scout can go, once own
 *                                pieces, lakes and walls are struck out
 *
 * All scouts run at once, since each borrow ends at the next piece, and all other pieces step at
 * once. Only the nearest piece behind a square can move there in that direction, so a destination
 * bit in one copy identifies the move. Moves are therefore counted (popcount) and the r-th
 * selected, without a list. The few pieces with abilities or with other movements are counted one
 * by one by legal.c and come after the others.
 *
 * The repetition rules forbid few moves. A move is drawn as if they did not exist. If a cheap test
 * finds it suspect it is judged, and if it is forbidden one of the legal moves is drawn instead, so
 * every legal move has the same chance. The test reads `memo`: 32 bits for each side, the lower
 * half for the side to move:
 *
 *     0-7    where its last move went, or NOWHERE
 *     8-15   the same if the move before was by the same piece, else NOWHERE
 *     16-18  whether its last three moves ran away, the latest in bit 16
 *     20     the side
 *
 * A move from the square in bits 8-15 may be going to and fro. A move runs away if it leaves a
 * square beside the destination of the other side's last move. The ISF rule needs three such moves
 * of the enemy in succession: repeating a position without turning straight back takes five plies
 * of chase, and the first, third and fifth are the enemy's. (If an ability can be used without
 * attacking or changing anything, one is enough for suspicion.) The Russian rule needs two. */
#include "lanes.h"

#include "core/play/cells.h"
#include "core/play/ending.h"
#include "core/play/turn.h"
#include "lane_inside.h"
#include "lane_judge.h"
#include "lane_special.h"
#include "nth_bit.h"

#include <string.h>

#define EACH_BYTE UINT64_C(0x0101010101010101)
#define EACH_SIGN UINT64_C(0x8080808080808080)

enum { BYTE_TESTABLE = 127 }; /* largest byte for comparing eight at a time by subtraction */

typedef uint64_t quad __attribute__((vector_size(32), may_alias));
enum { QUADS = sizeof(struct lane_lines) / sizeof(quad) };
#define QUAD(lines, index) (((quad *)(uintptr_t)(lines).word)[index])

static uint32_t memo_now(const struct lanes_table *table, uint32_t mine, uint32_t his, square from,
                         square to) {
    uint32_t chain = (mine & 255) == from ? to : NOWHERE;
    uint32_t ran = lanes_beside(table, from, (square)(his & 255));
    return to | chain << 8 | ((mine << 1) & RAN_BITS) | ran << RAN_BIT |
           (mine & (uint32_t)1 << SIDE_BIT);
}

/* The memo after a ply of the side to move. */
static inline uint64_t memo_next(const struct lanes_table *table, uint64_t memo, square from,
                                 square to) {
    uint32_t mine = (uint32_t)memo, his = (uint32_t)(memo >> 32);
    return his | (uint64_t)memo_now(table, mine, his, from, to) << 32;
}

/* May a repetition rule forbid a move from here? */
static inline bool memo_suspects(const struct lanes_table *table, uint64_t memo, square from) {
    uint32_t mine = (uint32_t)memo, his = (uint32_t)(memo >> 32);
    return ((mine >> 8 & 255) == from) | ((his & table->chase_bits) == table->chase_bits);
}

static void update_may_use(const struct lanes_table *table, struct lane *lane, enum side side) {
    lane->may_use[side] = false;
    for (int i = 0; i < table->rules->abilities; i++) {
        const struct ability *ability = &table->rules->ability[i];
        if (!ability->limit || lane->game.uses[side][ability->tally.n] < ability->limit)
            lane->may_use[side] = true;
    }
    lane->gate[side] = lane->may_use[side] ? table->gate[side] : 0;
}

/* Updates the lines, which lanes in a crowd do not keep. */
static void put_on_lines(const struct lanes_table *table, struct lane *lane, square at, cell was,
                         cell now) {
    const struct lane_lines here = table->place[at];
    if (was)
        for (int set = 0; set < LANE_SETS; set++)
            for (int w = 0; w < LINE_WORDS; w++)
                lane->set[cell_side(was)][set].word[w] &= ~here.word[w];
    if (now) {
        struct lane_lines *set = lane->set[cell_side(now)];
        for (int w = 0; w < LINE_WORDS; w++) set[LANE_ALL].word[w] |= here.word[w];
        for (int w = 0; w < LINE_WORDS; w++) set[table->set_of[now]].word[w] |= here.word[w];
    }
}

static void lane_put(const struct lanes_table *table, struct lane *lane, square at, cell now) {
    cell was = lane->game.at[at];
    squareset bit = squareset_of(at);
    lane->changed |= bit;
    if (!lane->crowd) put_on_lines(table, lane, at, was, now);
    if (was) {
        enum side side = cell_side(was);
        kind_id kind = cell_kind(was);
        lane->game.pieces[side] &= ~bit;
        lane->acting[side] &= ~bit;
        lane->game.count[side][kind]--;
        if (was & CELL_RETURNED) lane->game.returned[side][kind]--;
        if (table->rules->mobile & kindset_of(kind)) lane->mobile[side]--;
    }
    if (now) {
        enum side side = cell_side(now);
        kind_id kind = cell_kind(now);
        lane->game.pieces[side] |= bit;
        lane->acting[side] |= bit & table->sight[side][kind];
        lane->game.count[side][kind]++;
        if (now & CELL_RETURNED) lane->game.returned[side][kind]++;
        if (table->rules->mobile & kindset_of(kind)) lane->mobile[side]++;
    }
    lane->game.at[at] = now;
}

uint32_t lane_past(const struct game *game) {
    uint32_t past = 2 * TWO_SQUARES_MAX + 2;
    for (int side = RED; side <= BLUE; side++)
        if (past < game->chaser[side].chase + 2u) past = game->chaser[side].chase + 2u;
    if (game->rules->repetition) past = LANE_PAST_MAX;
    if (past > game->ply_count) past = game->ply_count;
    return past < LANE_PAST_MAX ? past : LANE_PAST_MAX;
}

void lane_note_attack(struct lane *lane) {
    uint32_t limit = lane->game.limits.no_attack;
    lane->plies[(lane->ply - 1) & lane->mask].attack = true;
    if (limit) lane->quiet_stop = lane->ply + limit;
    lane->stop = lane->end < lane->quiet_stop ? lane->end : lane->quiet_stop;
}

/* Endings: those of ending.c, in the same order. A side without a move is noticed when its move is
 * drawn, or in lane_finish(). The functions return false if the game is over. */

static bool stop_game(struct lane *lane, enum result result, enum reason reason) {
    game_stop(&lane->game, result, reason);
    return false;
}

bool lane_stop_immobile(struct lane *lane) {
    return stop_game(lane, result_win(side_other(lane_to_move(lane))), REASON_IMMOBILE);
}

/* The sets of the game that a lane does not keep up to date, from its cells. */
static void find_pieces(const struct lanes_table *table, struct game *game) {
    squareset blue = cells_blue(game->at);
    squareset mobile = cells_of_kinds(game->at, table->rules->mobile);
    game->pieces[RED] = cells_taken(game->at) & ~blue;
    game->pieces[BLUE] = blue;
    for (int side = RED; side <= BLUE; side++) game->mobile[side] = game->pieces[side] & mobile;
}

static bool drawn_without(const struct lanes_table *table, struct lane *lane) {
    const struct rules *rules = table->rules;
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if ((rules->draw_without & kindset_of(kind)) &&
            (lane->game.count[RED][kind] || lane->game.count[BLUE][kind]))
            return false;
    find_pieces(table, &lane->game);
    return ending_drawn_without(&lane->game);
}

static enum result result_of_losers(bool red, bool blue) {
    return red && blue ? RESULT_DRAW : red ? RESULT_BLUE : RESULT_RED;
}

/* After an attack or an ability with these effects. */
static bool go_on(const struct lanes_table *table, struct lane *lane, enum side mover,
                  bool red_flag, bool blue_flag, unsigned effects) {
    if (red_flag | blue_flag)
        return stop_game(lane, result_of_losers(red_flag, blue_flag), REASON_FLAG);
    if (effects & EFFECT_DRAW) return stop_game(lane, RESULT_DRAW, REASON_ABILITY);
    if (effects & (EFFECT_WIN | EFFECT_LOSE))
        return stop_game(lane, result_win(effects & EFFECT_WIN ? mover : side_other(mover)),
                         REASON_ABILITY);
    bool red = !lane->mobile[RED], blue = !lane->mobile[BLUE];
    if (red | blue)
        return stop_game(lane, result_of_losers(red, blue),
                         red && blue ? REASON_BOTH_IMMOBILE : REASON_IMMOBILE);
    if (table->rules->draw_without && drawn_without(table, lane))
        return stop_game(lane, RESULT_DRAW, REASON_NO_MINERS);
    return true;
}

static inline void note_fall(const struct lanes_table *table, struct lane *lane, cell piece) {
    enum side side = cell_side(piece);
    kind_id kind = cell_kind(piece);
    lane->game.count[side][kind]--;
    if (piece & CELL_RETURNED) lane->game.returned[side][kind]--;
    lane->mobile[side] = (uint8_t)(lane->mobile[side] - (table->rules->mobile >> kind & 1));
}

/* Finishes a battle on `to` after the lines were updated. */
static ALWAYS_INLINE bool after_battle(const struct lanes_table *table, struct lane *lane,
                                       enum side side, square to, enum outcome outcome, cell actor,
                                       cell defender) {
    bool flag[2] = {false, false};
    lane->attacks[cell_kind(actor)]++;
    lane_note_attack(lane);
    lane->game.at[to] = outcome == ATTACKER_WINS   ? actor
                        : outcome == DEFENDER_WINS ? defender
                                                   : CELL_EMPTY;
    if (outcome != DEFENDER_WINS) {
        note_fall(table, lane, defender);
        flag[!side] = table->rules->flags >> cell_kind(defender) & 1;
        if (table->acting) special_fall(table, lane, side_other(side), to);
    }
    if (outcome != ATTACKER_WINS) {
        note_fall(table, lane, actor);
        flag[side] = table->rules->flags >> cell_kind(actor) & 1;
        if (table->acting) special_fall(table, lane, side, to);
    }
    return go_on(table, lane, side, flag[RED], flag[BLUE], 0);
}

static bool play_slowly(const struct lanes_table *table, struct lane *lane, struct move move) {
    enum side mover = lane_to_move(lane);
    struct turn turn;
    if (move.to != move.from && lane->game.at[move.to])
        lane->attacks[cell_kind(lane->game.at[move.from])]++;
    turn_resolve(&lane->game, move, &turn, NULL);
    for (int i = 0; i < turn.changes; i++)
        lane_put(table, lane, turn.change[i].at, turn.change[i].now);
    special_forget(lane);
    lane->plies[lane->ply++ & lane->mask] =
        (struct lane_ply){move.from, move.to, turn.placed ? move.target : SQUARE_NONE, false};
    lane->memo = memo_next(table, lane->memo, move.from, move.to);
    lane->game.to_move = (uint8_t)side_other(mover);
    if (turn.used) {
        lane->game.uses[mover][table->rules->ability[move.ability].tally.n]++;
        update_may_use(table, lane, mover);
    }
    if (turn.placed) lane->game.placed[mover][turn.placed]++;
    if (turn.attack) lane_note_attack(lane);
    return (!turn.attack && !turn.used) || go_on(table, lane, mover, turn.flags_fallen >> RED & 1,
                                                 turn.flags_fallen >> BLUE & 1, turn.effects);
}

static bool forbidden(const struct lanes_table *table, const struct lane *lane, square from,
                      square to) {
    struct move move = {from, to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    return lane_judge(table, lane, move) != LEGAL;
}

#define KERNEL_INLINE static ALWAYS_INLINE

#define KERNEL(name) name##_plain
#define KERNEL_BMI2 false
#include "lane_kernel.h"
#undef KERNEL
#undef KERNEL_BMI2

#if defined(__x86_64__)
#include "avx2_begin.h"
#define KERNEL(name) name##_avx2
#define KERNEL_BMI2 true
#include "lane_kernel.h"
#undef KERNEL
#undef KERNEL_BMI2
#include "avx2_end.h"
#else
#define run_avx2 run_plain
#define run_together_avx2 run_together_plain
#define lay_lines_avx2 lay_lines_plain
#endif

struct lane_ply lane_ply_of(const struct game *game, uint32_t back) {
    uint32_t index = game->ply_count - back;
    const struct ply *ply = &game->plies[index];
    uint32_t quiet = back > 1 ? game->plies[index + 1].quiet : game->quiet;
    return (struct lane_ply){ply->move.from, ply->move.to,
                             ply->placed ? ply->move.target : SQUARE_NONE, quiet == 0};
}

static void lay_lines(const struct lanes_table *table, struct lane *lane) {
    (lanes_have_avx2() ? lay_lines_avx2 : lay_lines_plain)(table, lane);
}

void lane_begin(const struct lanes_table *table, struct lane *lane, const struct game *game,
                uint32_t cap, struct random random, uint32_t first) {
    lane->random = lane->again = random;
    for (int i = 0; i < 4; i++) lane->again.state[i] = random_next(&lane->random);
    lane->game = *game;
    memset(lane->attacks, 0, sizeof lane->attacks);
    for (int side = RED; side <= BLUE; side++)
        lane->mobile[side] = (uint8_t)squareset_count(lane->game.mobile[side]);
    special_find(table, lane);
    for (int side = RED; side <= BLUE; side++) update_may_use(table, lane, (enum side)side);
    special_forget(lane);

    uint32_t past = lane_past(game);
    uint32_t sides[2] = {NOWHERE | NOWHERE << 8, NOWHERE | NOWHERE << 8 | (uint32_t)1 << SIDE_BIT};
    for (uint32_t back = past; back > 0; back--) {
        struct lane_ply ply = lane_ply_of(game, back);
        enum side side = (enum side)(game->to_move ^ (back & 1));
        sides[side] = memo_now(table, sides[side], sides[!side], ply.from, ply.to);
    }
    lane->memo = sides[game->to_move] | (uint64_t)sides[!game->to_move] << 32;

    lane->known = first;
    lane->ply = lane->started = first + past;
    uint32_t left = cap;
    if (game->limits.plies && game->limits.plies - game->ply_count < left)
        left = game->limits.plies - game->ply_count;
    lane->end = lane->ply + left;
    lane->quiet_stop =
        game->limits.no_attack ? lane->ply + game->limits.no_attack - game->quiet : UINT32_MAX;
    lane->stop = lane->end < lane->quiet_stop ? lane->end : lane->quiet_stop;
}

void lane_start(const struct lanes_table *table, struct lane *lane, const struct game *game,
                uint32_t cap, struct random random, struct lane_ply *plies) {
    lane_begin(table, lane, game, cap, random, 0);
    lay_lines(table, lane);
    lane->crowd = NULL;
    lane->plies = plies;
    lane->mask = UINT32_MAX;
    for (uint32_t i = 0; i < lane->ply; i++) plies[i] = lane_ply_of(game, lane->ply - i);
}

void lane_run(const struct lanes_table *table, struct lane *lane) {
    if (lanes_have_avx2())
        run_avx2(table, lane);
    else
        run_plain(table, lane);
}

unsigned lanes_run(const struct lanes_table *table, struct lane *const lanes[LANES_TOGETHER]) {
    return lanes_have_avx2() ? run_together_avx2(table, lanes) : run_together_plain(table, lanes);
}

const char *lanes_instructions(void) {
    return lanes_have_avx2() ? "AVX2, BMI2" : "plain";
}

static uint32_t count_of(const struct lanes_table *table, struct lane *lane,
                         const struct aim_plain *aim) {
    return (uint32_t)(aim->upto >> 56) + (table->acting ? special_count(table, lane) : 0);
}

static struct move move_of(const struct lanes_table *table, const struct lane *lane,
                           const struct aim_plain *aim, uint32_t index) {
    uint32_t before = 0;
    for (unsigned word = 0; word < LINE_WORDS; word++) {
        uint32_t upto = aim->upto >> (8 * word) & 255;
        if (index < upto) {
            uint64_t bit = nth_bit_plain(aim->to.word[word], index - before);
            uint64_t behind = aim->taken.word[word] & (bit - 1);
            return (struct move){
                table->square_at[word * 64 + 63 - (unsigned)__builtin_clzll(behind)],
                table->square_at[word * 64 + (unsigned)__builtin_ctzll(bit)], SQUARE_NONE,
                ABILITY_NONE, KIND_NONE};
        }
        before = upto;
    }
    return special_move(table, lane, index - before);
}

uint32_t lane_count(const struct lanes_table *table, struct lane *lane) {
    struct aim_plain aim;
    look_plain(table, lane, &aim);
    return count_of(table, lane, &aim);
}

struct move lane_move(const struct lanes_table *table, const struct lane *lane, uint32_t index) {
    struct aim_plain aim;
    look_plain(table, lane, &aim);
    return move_of(table, lane, &aim, index);
}

/* Do the repetition rules allow the move? Few moves need judging. */
static bool is_legal(const struct lanes_table *table, const struct lane *lane, struct move move) {
    return !memo_suspects(table, lane->memo, move.from) || lane_judge(table, lane, move) == LEGAL;
}

/* A limit has been reached: a draw if the side to move can move. */
bool lane_finish(const struct lanes_table *table, struct lane *lane) {
    struct aim_plain aim;
    if (lane->crowd) lane_lay_out(table, lane);
    look_plain(table, lane, &aim);
    uint32_t count = count_of(table, lane, &aim);
    for (uint32_t i = 0; i < count; i++)
        if (is_legal(table, lane, move_of(table, lane, &aim, i)))
            return stop_game(lane, RESULT_DRAW,
                             lane->ply >= lane->quiet_stop ? REASON_NO_ATTACK_LIMIT
                                                           : REASON_PLY_LIMIT);
    return lane_stop_immobile(lane);
}

/* A ply outside the kernel: the move with this index if it is legal, else a random legal one. False
 * if the game is over. */
bool lane_ply_slowly(const struct lanes_table *table, struct lane *lane, uint32_t index) {
    struct aim_plain aim;
    if (lane->crowd) lane_lay_out(table, lane);
    look_plain(table, lane, &aim);
    uint32_t count = count_of(table, lane, &aim), legal = 0;
    if (count == 0) return lane_stop_immobile(lane);
    struct move move = move_of(table, lane, &aim, index);
    if (is_legal(table, lane, move)) return play_slowly(table, lane, move);
    for (uint32_t i = 0; i < count; i++)
        legal += is_legal(table, lane, move_of(table, lane, &aim, i));
    if (legal == 0) return lane_stop_immobile(lane);
    uint32_t skip = random_below(&lane->again, legal);
    for (uint32_t i = 0;; i++) {
        move = move_of(table, lane, &aim, i);
        if (is_legal(table, lane, move) && skip-- == 0) return play_slowly(table, lane, move);
    }
}

/* A ply with an ability; `index` is the move's. A piece that stays cannot break the repetition
 * rules. */
bool lane_play_special(const struct lanes_table *table, struct lane *lane, struct move move,
                       uint32_t index) {
    bool legal = move.from == move.to || is_legal(table, lane, move);
    return legal ? play_slowly(table, lane, move) : lane_ply_slowly(table, lane, index);
}

void lane_play(const struct lanes_table *table, struct lane *lane, struct move move) {
    if (play_slowly(table, lane, move) && lane->ply >= lane->stop) lane_finish(table, lane);
}

bool lane_battle(const struct lanes_table *table, struct lane *lane, enum side side, square to,
                 enum outcome outcome, cell actor, cell defender) {
    return after_battle(table, lane, side, to, outcome, actor, defender);
}

void lane_lay_out(const struct lanes_table *table, struct lane *lane) {
    find_pieces(table, &lane->game);
    for (int side = RED; side <= BLUE; side++)
        lane->mobile[side] = (uint8_t)squareset_count(lane->game.mobile[side]);
    special_find(table, lane);
    lay_lines(table, lane);
    special_forget(lane);
}
