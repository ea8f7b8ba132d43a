/* legal.c - judges single moves and lists all legal ones.
 *
 * Listing goes through the pieces by square. Steps and runs come from sets of squares computed for
 * all pieces at once (steps.h). Other movements walk their tries; where ways may meet, destinations
 * are collected in a set. Moves refused by a repetition rule or a call are removed afterwards if
 * the whole list has room. Abilities after an attack are judged as if the piece survived, since the
 * mover cannot know. */
#include "legal.h"

#include "calls.h"
#include "repetition.h"

#include <stdio.h>
#include <string.h>

const char *verdict_name(enum verdict verdict) {
    static const char *const names[VERDICT_COUNT] = {
        [LEGAL] = "legal",
        [ILLEGAL_TEXT] = "text",
        [ILLEGAL_OFF_BOARD] = "off-board",
        [ILLEGAL_GAME_OVER] = "game-over",
        [ILLEGAL_NOT_YOURS] = "not-yours",
        [ILLEGAL_IMMOBILE_KIND] = "immobile-kind",
        [ILLEGAL_LAKE] = "lake",
        [ILLEGAL_OWN_PIECE] = "own-piece",
        [ILLEGAL_BLOCKED] = "blocked",
        [ILLEGAL_MOVEMENT] = "movement",
        [ILLEGAL_ABILITY] = "ability",
        [ILLEGAL_TWO_SQUARES] = "two-squares",
        [ILLEGAL_CHASE] = "chase",
        [ILLEGAL_LEAVES] = "leaves",
        [ILLEGAL_SHELTER] = "shelter",
        [ILLEGAL_BATTLE] = "battle",
        [ILLEGAL_HELD] = "held",
        [ILLEGAL_VARIANT] = "variant",
    };
    return names[verdict];
}

const char *verdict_sentence(enum verdict verdict) {
    static const char *const sentences[VERDICT_COUNT] = {
        [LEGAL] = "the move is legal",
        [ILLEGAL_TEXT] = "this is not a move; expected e.g. a4-a5",
        [ILLEGAL_OFF_BOARD] = "there is no such square on this board",
        [ILLEGAL_GAME_OVER] = "the game is over",
        [ILLEGAL_NOT_YOURS] = "no piece of the side to move stands there",
        [ILLEGAL_IMMOBILE_KIND] = "this piece never moves",
        [ILLEGAL_LAKE] = "nothing can enter a lake",
        [ILLEGAL_OWN_PIECE] = "a piece of the same side stands there",
        [ILLEGAL_BLOCKED] = "the way there is blocked",
        [ILLEGAL_MOVEMENT] = "the piece does not move like that",
        [ILLEGAL_ABILITY] = "the piece cannot do that from there, now, to that target",
        [ILLEGAL_TWO_SQUARES] =
            "the piece has gone to and fro between these squares as often as it may",
        [ILLEGAL_CHASE] = "this chase may not go on: it would repeat itself",
        [ILLEGAL_LEAVES] = "no piece leaves this square",
        [ILLEGAL_SHELTER] = "the piece there is sheltered: it cannot be attacked",
        [ILLEGAL_BATTLE] = "the piece may not attack that one there",
        [ILLEGAL_HELD] = "the piece may not move or act in this turn",
        [ILLEGAL_VARIANT] = "a rule of this variant forbids it",
    };
    return sentences[verdict];
}

const char *verdict_text(const struct game *game, struct move move, enum verdict verdict,
                         char out[VERDICT_TEXT_MAX]) {
    char why[CALL_WHY_MAX] = "";
    if (verdict == ILLEGAL_VARIANT) calls_allow(game, move, why);
    snprintf(out, VERDICT_TEXT_MAX, "%s%s%s", verdict_sentence(verdict), why[0] ? ": " : "", why);
    return out;
}

/* The repetition rules, then the variant's call, for a move that is legal by all other rules. */
static enum verdict judge_last(const struct game *game, struct move move) {
    enum verdict verdict = repetition_judge(game, move);
    if (verdict != LEGAL || !calls_want(game, CALL_LEGAL)) return verdict;
    return calls_allow(game, move, NULL) ? LEGAL : ILLEGAL_VARIANT;
}

/* Could judge_last() refuse any move at all now? */
static bool is_restricted(const struct game *game) {
    return repetition_in_force(game) || calls_want(game, CALL_LEGAL);
}

/* Squares that the side to move cannot enter whatever moves: those of its own pieces and of
 * sheltered enemies. */
static inline squareset closed_squares(const struct game *game) {
    return game->pieces[game->to_move] |
           (game->pieces[1 - game->to_move] & game->rules->board.shelter);
}

/* Those of `to` that hold an enemy which the piece on `from` may not attack there. */
static squareset barred(const struct game *game, square from, squareset to) {
    const enum side side = (enum side)game->to_move;
    squareset set = 0;
    for (squareset left = to & game->pieces[side_other(side)]; left;) {
        const square at = squareset_pop(&left);
        if (rules_outcome_on(game->rules, side, from, at, cell_kind(game->at[from]),
                             cell_kind(game->at[at])) == CANNOT_ATTACK)
            set |= squareset_of(at);
    }
    return set;
}

/* Squares that the piece on `from` gets to, ignoring the repetition rules and battles that may not
 * be. */
static squareset reached_from(const struct game *game, square from) {
    const struct rules *rules = game->rules;
    const squareset closed = closed_squares(game);
    uint8_t index = rules->kind[cell_kind(game->at[from])].movement;
    if (index == MOVEMENT_NONE) return 0;
    const struct movement *movement = &rules->movement[index];
    if (movement->step) return rules->board.neighbours[from] & ~closed;
    if (!movement->plain)
        return movement_reach(movement, (enum side)game->to_move, from,
                              game->pieces[RED] | game->pieces[BLUE]) &
               ~closed;
    const uint32_t *start = &movement->start[game->to_move][from];
    const struct path_node *nodes = movement->nodes + start[0];
    uint32_t count = start[1] - start[0];
    squareset reached = 0;
    for (uint32_t i = 0; i < count;) {
        reached |= squareset_of(nodes[i].to);
        i = game->at[nodes[i].to] ? nodes[i].skip : i + 1;
    }
    return reached & ~closed;
}

/* Destinations of the piece on `from`, ignoring the repetition rules. */
static squareset destinations(const struct game *game, square from) {
    const squareset reached = reached_from(game, from);
    return rules_bar(game->rules) ? reached & ~barred(game, from, reached) : reached;
}

/* Targets of a piece that came from `from` and stands on `to`. */
static squareset ability_targets(const struct game *game, const struct ability *ability,
                                 square from, square to) {
    enum side side = (enum side)game->to_move;
    squareset here = squareset_of(to);
    squareset own = game->pieces[side] & ~squareset_of(from) & ~here;
    squareset enemy = game->pieces[side_other(side)] & ~here;
    squareset allowed = 0;
    if (ability->aims & AIM_ENEMY) allowed |= enemy;
    if (ability->aims & AIM_OWN) allowed |= own;
    if (ability->aims & AIM_EMPTY) allowed |= game->rules->board.land & ~own & ~enemy & ~here;
    return ability->targets[side][to] & allowed;
}

static kindset ability_choices(const struct game *game, const struct ability *ability) {
    if (ability->asks != ASKS_CAPTURED) return ability->choices;
    kindset choices = 0;
    for (kindset left = ability->choices; left; left &= left - 1) {
        kind_id kind = (kind_id)__builtin_ctz(left);
        bool returnable = game_returnable(game, (enum side)game->to_move, kind) != 0;
        choices |= (kindset)returnable << kind;
    }
    return choices;
}

/* May the piece use the ability this turn after going to `to` (or staying), given a valid target?
 */
static bool ability_ready(const struct game *game, const struct ability *ability, square from,
                          square to) {
    unsigned time = to == from     ? ABILITY_INSTEAD
                    : game->at[to] ? ABILITY_AFTER_ATTACK
                                   : ABILITY_AFTER_STEP;
    return ability->targets[game->to_move][to] && (ability->when & time) &&
           (ability->limit == 0 || game->uses[game->to_move][ability->tally.n] < ability->limit) &&
           (ability->each == 0 || mark_count_at(&game->marks.spent, from) < ability->each);
}

static bool ability_allows(const struct game *game, struct move move) {
    const struct rules *rules = game->rules;
    if (move.ability >= rules->abilities) return false;
    const struct ability *ability = &rules->ability[move.ability];
    if (ability->actor != cell_kind(game->at[move.from]) ||
        !ability_ready(game, ability, move.from, move.to) || move.target >= rules->board.squares ||
        !squareset_has(ability_targets(game, ability, move.from, move.to), move.target))
        return false;
    if (ability->asks == ASKS_NOTHING) return move.choice == KIND_NONE;
    return move.choice < KINDS_MAX &&
           (ability_choices(game, ability) & kindset_of((kind_id)move.choice));
}

static enum verdict judge_walk(const struct game *game, struct move move) {
    const struct rules *rules = game->rules;
    const struct kind *kind = &rules->kind[cell_kind(game->at[move.from])];
    if (kind->movement == MOVEMENT_NONE) return ILLEGAL_IMMOBILE_KIND;
    if (squareset_has(rules->board.stays, move.from)) return ILLEGAL_LEAVES;
    if (!squareset_has(rules->board.land, move.to)) return ILLEGAL_LAKE;
    enum side side = (enum side)game->to_move;
    const squareset ever = movement_ever(&rules->movement[kind->movement], side, move.from,
                                         game->at[move.to] ? BAR_ATTACK : BAR_MOVE);
    if (!squareset_has(ever, move.to)) return ILLEGAL_MOVEMENT;
    if (squareset_has(game->pieces[side], move.to)) return ILLEGAL_OWN_PIECE;
    if (squareset_has(closed_squares(game), move.to)) return ILLEGAL_SHELTER;
    if (squareset_has(destinations(game, move.from), move.to)) return LEGAL;
    return squareset_has(reached_from(game, move.from), move.to) ? ILLEGAL_BATTLE : ILLEGAL_BLOCKED;
}

enum verdict game_judge(const struct game *game, struct move move) {
    const struct board *board = &game->rules->board;
    if (move.from >= board->squares || move.to >= board->squares) return ILLEGAL_OFF_BOARD;
    if (game->result != RESULT_NONE) return ILLEGAL_GAME_OVER;
    if (!squareset_has(game->pieces[game->to_move], move.from)) return ILLEGAL_NOT_YOURS;
    if (game_holds(game, move.from)) return ILLEGAL_HELD;
    if (move.to != move.from) {
        enum verdict walk = judge_walk(game, move);
        if (walk != LEGAL) return walk;
    } else if (move.ability == ABILITY_NONE) {
        return ILLEGAL_MOVEMENT;
    }
    if (move.ability != ABILITY_NONE && !ability_allows(game, move)) return ILLEGAL_ABILITY;
    if (move.ability == ABILITY_NONE && (move.target != SQUARE_NONE || move.choice != KIND_NONE))
        return ILLEGAL_ABILITY;
    return judge_last(game, move);
}

struct list {
    struct move *out;
    size_t capacity, count;
    bool judge; /* pass each move through judge_last() */
};

static void list_add(const struct game *game, struct list *list, struct move move) {
    if (list->judge && judge_last(game, move) != LEGAL) return;
    if (list->count < list->capacity) list->out[list->count] = move;
    list->count++;
}

/* All uses of the piece's abilities after it went to `to`, by target, then ability, then choice. */
static void list_abilities(const struct game *game, struct list *list, square from, square to) {
    const struct rules *rules = game->rules;
    uint16_t has = rules->kind[cell_kind(game->at[from])].abilities;
    squareset targets[ABILITIES_MAX], any = 0;
    for (unsigned left = has; left; left &= left - 1) {
        int index = __builtin_ctz(left);
        const struct ability *ability = &rules->ability[index];
        bool ready = ability_ready(game, ability, from, to);
        targets[index] = ready ? ability_targets(game, ability, from, to) : 0;
        any |= targets[index];
    }
    while (any) {
        square target = squareset_pop(&any);
        for (unsigned left = has; left; left &= left - 1) {
            uint8_t index = (uint8_t)__builtin_ctz(left);
            if (!squareset_has(targets[index], target)) continue;
            struct move move = {from, to, target, index, KIND_NONE};
            if (rules->ability[index].asks == ASKS_NOTHING) {
                list_add(game, list, move);
                continue;
            }
            for (kindset choices = ability_choices(game, &rules->ability[index]); choices;
                 choices &= choices - 1) {
                move.choice = (kind_id)__builtin_ctz(choices);
                list_add(game, list, move);
            }
        }
    }
}

/* Moves of a piece without abilities whose ways never meet: each node is one destination. */
static void list_plain(const struct game *game, struct list *list, square from,
                       const struct movement *movement) {
    const uint32_t *start = &movement->start[game->to_move][from];
    const struct path_node *nodes = movement->nodes + start[0];
    uint32_t count = start[1] - start[0];
    cell own = game->at[from];
    for (uint32_t i = 0; i < count;) {
        square to = nodes[i].to;
        cell there = game->at[to];
        if (there == CELL_EMPTY || ((there ^ own) & CELL_BLUE))
            list_add(game, list, (struct move){from, to, SQUARE_NONE, ABILITY_NONE, KIND_NONE});
        i = there == CELL_EMPTY ? i + 1 : nodes[i].skip;
    }
}

static void list_piece(const struct game *game, struct list *list, square from, bool acts) {
    squareset stands = acts ? game->rules->stands[game->to_move] : 0;
    squareset to_set = destinations(game, from) | (stands & squareset_of(from));
    while (to_set) {
        square to = squareset_pop(&to_set);
        if (to != from)
            list_add(game, list, (struct move){from, to, SQUARE_NONE, ABILITY_NONE, KIND_NONE});
        if (squareset_has(stands, to)) list_abilities(game, list, from, to);
    }
}

/* All moves of any piece; the slow path. */
static __attribute__((noinline)) void list_any(const struct game *game, struct list *list,
                                               square from, bool walks) {
    const struct rules *rules = game->rules;
    const struct kind *kind = &rules->kind[cell_kind(game->at[from])];
    if (kind->abilities || (walks && (!rules->movement[kind->movement].apart ||
                                      rules->board.shelter || rules_bar(rules))))
        list_piece(game, list, from, kind->abilities != 0);
    else if (walks)
        list_plain(game, list, from, &rules->movement[kind->movement]);
}

/* Removes the moves that judge_last() refuses. */
static size_t list_judged(const struct game *game, struct move *moves, size_t count) {
    const struct suspects suspects = repetition_suspects(game);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        moves[kept] = moves[i];
        kept += !suspects_have(&suspects, moves[i]) || repetition_judge(game, moves[i]) == LEGAL;
    }
    return calls_want(game, CALL_LEGAL) ? calls_allow_all(game, moves, kept) : kept;
}

/* Sets of squares for listing the moves of all pieces of the side to move. */
struct outlook {
    struct stepping near;
    steps_pair taken;
    steps_pair room; /* squares with a free way */
    steps_pair all;  /* pieces that may have moves */
    steps_pair runs; /* of those, the runners that can go farther than a step */
    steps_pair odd;  /* of those, the pieces for list_any() */
};

/* Writes the moves of the pieces on half the board at `next`; returns the end. Inlined once per
 * half: the lane index of a vector must be a compile-time constant. */
static inline __attribute__((always_inline)) char *list_half(const struct game *game,
                                                             struct list *list, char *next,
                                                             const struct outlook *outlook,
                                                             int half) {
    const struct rules *rules = game->rules;
    const struct stepping_half ways = stepping_half(&outlook->near, half);
    const uint64_t odd = outlook->odd[half], special = odd | outlook->runs[half];
    for (uint64_t left = outlook->all[half]; left; left &= left - 1) {
        unsigned number = lowest_bit(left), from = 64u * (unsigned)half + number;
        if (__builtin_expect(!(special >> number & 1), 1)) {
            next += steps_write(&rules->steps, next, from, stepping_ways(&ways, number));
        } else if (!(odd >> number & 1)) {
            next += runs_write(&rules->steps, next, from, stepping_ways(&ways, number),
                               &outlook->near, outlook->taken);
        } else {
            list->count = (size_t)((struct move *)next - list->out);
            bool walks = !rules->near_walk || (outlook->room[half] >> number & 1);
            list_any(game, list, (square)from, walks);
            next = (char *)(list->out + list->count);
        }
    }
    return next;
}

static size_t list_all(const struct game *game, struct move *out, size_t capacity) {
    const struct rules *rules = game->rules;
    const struct board *board = &rules->board;
    enum side side = (enum side)game->to_move;
    if (game->result != RESULT_NONE) return 0;
    bool judge = is_restricted(game), quickly = capacity >= rules->moves_max;
    struct list list = {out, capacity, 0, judge && !quickly};
    struct outlook outlook;
    outlook.near = stepping_of(board, pair_of(board->land & ~game->pieces[side]));
    outlook.taken = pair_of(game->pieces[RED] | game->pieces[BLUE]);
    outlook.room = stepping_any(&outlook.near);
    outlook.odd = pair_of(game->odd[side]);
    outlook.all = (pair_of(game->mobile[side]) & outlook.room) | outlook.odd;
    if (rules->marks) outlook.all &= ~pair_of(marks_held(&game->marks));
    outlook.runs = pair_of(game->runners[side]) & stepping_far(&outlook.near, board, outlook.taken);
    if (!quickly) outlook.odd = outlook.all;
    char *next = list_half(game, &list, (char *)out, &outlook, 0);
    next = list_half(game, &list, next, &outlook, 1);
    size_t count = (size_t)((struct move *)next - out);
    return judge && quickly ? list_judged(game, out, count) : count;
}

size_t game_moves(const struct game *game, struct move *out, size_t capacity) {
    size_t count = list_all(game, out, capacity);
    if (count == 0 && game->calls && !game_over(game) && !calls_failed())
        calls_blame(game, CALL_LEGAL,
                    "allowed a move when it was first asked and now none, expected answers that "
                    "depend on the position alone");
    return count;
}

/* Squares from which the piece can use an ability: its own, and its destinations if some ability
 * comes after a move. Only squares from which some ability has a target. */
static squareset ability_stands(const struct game *game, square from, squareset reach) {
    unsigned when = 0;
    for (unsigned left = game->rules->kind[cell_kind(game->at[from])].abilities; left;
         left &= left - 1)
        when |= game->rules->ability[__builtin_ctz(left)].when;
    squareset stands = when & (ABILITY_AFTER_STEP | ABILITY_AFTER_ATTACK) ? reach : 0;
    if (when & ABILITY_INSTEAD) stands |= squareset_of(from);
    return stands & game->rules->stands[game->to_move];
}

static uint32_t choices_of(const struct game *game, const struct ability *ability) {
    if (ability->asks == ASKS_NOTHING) return 1;
    return (uint32_t)__builtin_popcount(ability_choices(game, ability));
}

uint32_t game_piece_count(const struct game *game, square from, bool walks, bool acts) {
    const struct rules *rules = game->rules;
    if (game_holds(game, from)) return 0;
    squareset reach = destinations(game, from);
    uint32_t count = walks ? (uint32_t)squareset_count(reach) : 0;
    if (!acts) return count;
    squareset stands = ability_stands(game, from, reach);
    for (unsigned left = rules->kind[cell_kind(game->at[from])].abilities; left; left &= left - 1) {
        const struct ability *ability = &rules->ability[__builtin_ctz(left)];
        uint32_t targets = 0;
        for (squareset still = stands; still;) {
            square to = squareset_pop(&still);
            if (ability_ready(game, ability, from, to))
                targets += (uint32_t)squareset_count(ability_targets(game, ability, from, to));
        }
        if (targets) count += targets * choices_of(game, ability);
    }
    return count;
}

struct move game_piece_move(const struct game *game, square from, bool walks, uint32_t index) {
    const struct rules *rules = game->rules;
    squareset reach = destinations(game, from);
    struct move move = {from, from, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    if (walks) {
        uint32_t ways = (uint32_t)squareset_count(reach);
        if (index < ways) {
            squareset left = reach;
            do move.to = squareset_pop(&left);
            while (index--);
            return move;
        }
        index -= ways;
    }
    for (squareset stands = ability_stands(game, from, reach); stands;) {
        move.to = squareset_pop(&stands);
        for (unsigned left = rules->kind[cell_kind(game->at[from])].abilities; left;
             left &= left - 1) {
            move.ability = (uint8_t)__builtin_ctz(left);
            const struct ability *ability = &rules->ability[move.ability];
            if (!ability_ready(game, ability, from, move.to)) continue;
            squareset targets = ability_targets(game, ability, from, move.to);
            uint32_t choices = targets ? choices_of(game, ability) : 0;
            uint32_t uses = (uint32_t)squareset_count(targets) * choices;
            if (index >= uses) {
                index -= uses;
                continue;
            }
            for (uint32_t skip = index / choices; skip; skip--) targets &= targets - 1;
            move.target = squareset_pop(&targets);
            if (ability->asks == ASKS_NOTHING) return move;
            kindset named = ability_choices(game, ability);
            for (uint32_t skip = index % choices; skip; skip--) named &= named - 1;
            move.choice = (kind_id)__builtin_ctz(named);
            return move;
        }
    }
    return move;
}

/* Can a piece that only steps or runs go to a neighbouring square, clear of the repetition rules?
 */
static bool plain_can_move(const struct game *game) {
    const struct board *board = &game->rules->board;
    const struct suspects suspects = repetition_suspects(game);
    squareset plain = game->mobile[game->to_move] & ~game->odd[game->to_move];
    if (game->rules->marks) plain &= ~marks_held(&game->marks);
    if (suspects.from != SQUARE_NONE) plain &= ~squareset_of(suspects.from);
    squareset free = board->land & ~game->pieces[game->to_move] & ~suspects.to;
    return (plain & board_beside(board, free)) != 0;
}

bool game_can_move(const struct game *game) {
    bool judge = is_restricted(game);
    if (!calls_want(game, CALL_LEGAL) && plain_can_move(game)) return true;
    squareset free = game->rules->board.land & ~game->pieces[game->to_move];
    squareset left = game->mobile[game->to_move];
    if (game->rules->marks) left &= ~marks_held(&game->marks);
    if (game->rules->near_walk) left &= board_beside(&game->rules->board, free);
    while (left) {
        square from = squareset_pop(&left);
        for (squareset to_set = destinations(game, from); to_set;) {
            struct move move = {from, squareset_pop(&to_set), SQUARE_NONE, ABILITY_NONE, KIND_NONE};
            if (!judge || judge_last(game, move) == LEGAL) return true;
        }
    }
    if (game->rules->abilities == 0) return false;
    struct move any;
    return list_all(game, &any, 1) > 0;
}
