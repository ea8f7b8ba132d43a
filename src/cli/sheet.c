/* sheet.c - describes movements and abilities in sentences.
 *
 * The descriptions are derived from the compiled tables that are played, not from the variant's
 * file. A table that fits no phrase is described by its extent. Sentences are whole and lists
 * follow a colon, so that they can be translated into languages with cases. */
#include "sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHEET_LIST_MAX = 1024 };

/* A text of at most `size` bytes. */
struct text {
    const struct language *language;
    char *out;
    size_t size, length;
};

/* Adds a sentence: an English pattern and its arguments. */
#define add(text, ...) add_list(text, " ", (const char *const[]){__VA_ARGS__, NULL})

/* Adds an item of a list. */
#define item(text, ...) add_list(text, ", ", (const char *const[]){__VA_ARGS__, NULL})

static void add_list(struct text *text, const char *between, const char *const *texts) {
    size_t blank = text->length ? strlen(between) : 0;
    if (text->length + blank + 1 >= text->size) return;
    memcpy(text->out + text->length, between, blank);
    text->length += blank;
    text->length += language_fill_list(text->out + text->length, text->size - text->length,
                                       text->language, texts);
}

/* An empty list for a sentence of `text`. */
static struct text list_for(const struct text *text, char out[SHEET_LIST_MAX]) {
    *out = 0;
    return (struct text){text->language, out, SHEET_LIST_MAX, 0};
}

/* Do two movements reach the same squares from every square of an empty board? */
static bool same_reach(const struct board *board, const struct movement *a,
                       const struct movement *b) {
    for (int side = RED; side <= BLUE; side++) {
        for (squareset rest = board->land; rest;) {
            square from = squareset_pop(&rest);
            for (int what = BAR_MOVE; what <= BAR_ATTACK; what++)
                if (movement_ever(a, (enum side)side, from, (enum bars)what) !=
                    movement_ever(b, (enum side)side, from, (enum bars)what))
                    return false;
        }
    }
    return true;
}

static bool walks(const struct rules *rules, const struct movement *movement, struct walk_of walk) {
    struct movement model;
    if (!movement_build_walk(&model, &rules->board, walk, NULL)) return false;
    const bool same = same_reach(&rules->board, movement, &model);
    movement_clear(&model);
    return same;
}

/* Along which ground, and how, a movement goes; false if it is none of these. */
static bool along_ground(const struct language *language, const struct rules *rules,
                         const struct movement *movement, char *out, size_t size) {
    const struct board *board = &rules->board;
    for (int i = 0; i < 4 * board->grounds; i++) {
        const bool steps = i & 1, flood = i & 2;
        const struct ground *ground = &board->ground[i / 4];
        const squareset squares = ground_squares(ground);
        struct ways ways = {0};
        struct movement model = {0};
        bool built = (!steps || ways_add_walk(&ways, board, (struct walk_of){.reach = 1}, NULL)) &&
                     (flood || ways_add_slide(&ways, board, squares, 0, NULL)) &&
                     movement_build(&model, board, ways.list, ways.count, NULL) &&
                     (!flood || movement_add_flood(&model, board, squares, NULL));
        bool same = built && !flood == !movement->flood && same_reach(board, movement, &model);
        free(ways.list);
        movement_clear(&model);
        if (!same) continue;
        if (steps && flood)
            language_write(out, size, language, "one square, or any way along \"{1}\"",
                           ground->name);
        else if (steps)
            language_write(out, size, language, "one square, or in a line along \"{1}\"",
                           ground->name);
        else if (flood)
            language_write(out, size, language, "any way along \"{1}\"", ground->name);
        else
            language_write(out, size, language, "in a line along \"{1}\"", ground->name);
        return true;
    }
    return false;
}

void sheet_movement(const struct language *language, const struct rules *rules, kind_id kind,
                    char *out, size_t size) {
    uint8_t index = rules->kind[kind].movement;
    if (index == MOVEMENT_NONE) {
        language_write(out, size, language, "never moves");
        return;
    }
    const struct movement *movement = &rules->movement[index];
    if (!movement->flood && walks(rules, movement, (struct walk_of){.reach = 1})) {
        language_write(out, size, language, "one square");
        return;
    }
    if (along_ground(language, rules, movement, out, size)) return;
    if (walks(rules, movement, (struct walk_of){.reach = PATH_MAX_SQUARES})) {
        language_write(out, size, language, "any number of squares in a line");
        return;
    }
    for (int reach = 2; reach < PATH_MAX_SQUARES; reach++) {
        if (walks(rules, movement, (struct walk_of){.reach = reach})) {
            language_write(out, size, language, "up to {1} squares in a line", NUMBER_TEXT(reach));
            return;
        }
        if (reach <= 3 && walks(rules, movement, (struct walk_of){.reach = reach, .turns = true})) {
            language_write(out, size, language, "up to {1} squares, turning corners",
                           NUMBER_TEXT(reach));
            return;
        }
    }
    if (walks(rules, movement,
              (struct walk_of){.reach = 2, .turns = true, .last_bars = BAR_MOVE})) {
        language_write(out, size, language,
                       "one square, and may attack from there in the same turn");
        return;
    }
    language_write(out, size, language, "by its own rule");
}

/* Names squares, or the ranks of the owner that they fill within its zone: "ranks 1, 2". */
static bool name_ranks(const struct rules *rules, enum side side, squareset own, char *out,
                       size_t size) {
    const struct board *board = &rules->board;
    const squareset zone = board_own_set(board, side, board->zone[side]);
    size_t used = 0;
    squareset filled = 0;
    out[0] = 0;
    for (int rank = 1; rank <= board->zone_ranks[side] && used < size; rank++) {
        const squareset row =
            zone & board_back(board, RED, rank) & ~board_back(board, RED, rank - 1);
        if (!row || (row & ~own)) continue;
        filled |= row;
        used += (size_t)snprintf(out + used, size - used, "%s%d", used ? ", " : "", rank);
    }
    return filled == own;
}

static void name_squares(const struct board *board, enum side side, squareset own, char *out,
                         size_t size) {
    size_t used = 0;
    out[0] = 0;
    for (squareset left = board_own_set(board, side, own); left && used < size;) {
        char name[SQUARE_TEXT_MAX];
        square_write(board, squareset_pop(&left), name);
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", name);
    }
}

void sheet_start(const struct language *language, const struct rules *rules, kind_id kind,
                 char *out, size_t size) {
    char where[2][SHEET_LIST_MAX];
    bool bound = false, ranks = true, has[2];
    out[0] = 0;
    for (int side = RED; side <= BLUE; side++) {
        const struct start *start = &rules->start[side];
        has[side] = start->count[kind] != 0;
        if (!has[side]) continue;
        bound |= squareset_count(start->on[kind]) != start->zone_size;
        ranks = ranks && name_ranks(rules, (enum side)side, start->on[kind], where[side],
                                    sizeof where[side]);
    }
    if (!bound) return;
    for (int side = RED; side <= BLUE && !ranks; side++)
        if (has[side])
            name_squares(&rules->board, (enum side)side, rules->start[side].on[kind], where[side],
                         sizeof where[side]);
    const bool one = !has[BLUE] || (has[RED] && !strcmp(where[RED], where[BLUE]));
    const char *text =
        ranks ? TEXT("It starts on its owner's ranks {1}.") : TEXT("It starts on {1}.");
    if (one || !has[RED])
        language_write(out, size, language, text, where[has[RED] ? RED : BLUE]);
    else if (ranks)
        language_write(out, size, language,
                       "It starts on its owner's ranks: red's on {1}, blue's on {2}.", where[RED],
                       where[BLUE]);
    else
        language_write(out, size, language, "Red's start on {1}, blue's on {2}.", where[RED],
                       where[BLUE]);
}

/* Pairs of squares, each once: "a1-b2, c3-d4". */
static void name_lines(const struct board *board, const squareset lines[BOARD_SQUARES_MAX],
                       char *out, size_t size) {
    size_t used = 0;
    out[0] = 0;
    for (square at = 0; at < board->squares; at++) {
        for (squareset left = lines[at]; left;) {
            const square other = squareset_pop(&left);
            char from[SQUARE_TEXT_MAX], to[SQUARE_TEXT_MAX];
            if (other < at || used >= size) continue;
            square_write(board, at, from);
            square_write(board, other, to);
            used +=
                (size_t)snprintf(out + used, size - used, "%s%s-%s", used ? ", " : "", from, to);
        }
    }
}

/* The names of the grounds that lie within a set. */
static void name_grounds(const struct board *board, squareset squares, char *out, size_t size) {
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < board->grounds && used < size; i++)
        if (!(ground_squares(&board->ground[i]) & ~squares))
            used += (size_t)snprintf(out + used, size - used, "%s\"%s\"", used ? ", " : "",
                                     board->ground[i].name);
}

void sheet_board(const struct language *language, const struct rules *rules, char *out,
                 size_t size) {
    const struct board *board = &rules->board;
    struct text text = {language, out, size, 0};
    char list[SHEET_TEXT_MAX];
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < board->grounds && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%c %s", used ? ", " : "",
                                 ground_sign(i), board->ground[i].name);
    if (board->grounds) add(&text, TEXT("Signs of the board: {1}."), list);
    name_grounds(board, board->shelter, list, sizeof list);
    if (board->shelter) add(&text, TEXT("A piece on {1} cannot be attacked."), list);
    name_grounds(board, board->stays, list, sizeof list);
    if (board->stays) add(&text, TEXT("No piece leaves {1} by a move."), list);
    name_lines(board, board->linked, list, sizeof list);
    if (list[0]) add(&text, TEXT("Joined though no neighbours: {1}."), list);
    name_lines(board, board->walled, list, sizeof list);
    if (list[0]) add(&text, TEXT("Neighbours that are parted: {1}."), list);
}

static void add_when(struct text *text, unsigned when) {
    static const char *const words[] = {TEXT("instead of a move"),
                                        TEXT("after a step to an empty square"),
                                        TEXT("after an attack it survives")};
    char out[SHEET_LIST_MAX];
    struct text list = list_for(text, out);
    for (int i = 0; i < 3; i++)
        if (when & (1u << i)) item(&list, words[i]);
    add(text, TEXT("When: {1}."), out);
}

/* Where the actor must stand: the squares from which red's has targets. */
static void add_where(struct text *text, const struct rules *rules, const struct ability *ability) {
    const struct board *board = &rules->board;
    squareset from = 0, back = 0;
    for (square at = 0; at < board->squares; at++) {
        if (ability->targets[RED][at]) from |= squareset_of(at);
        if (board_rank(board, at) == board->ranks - 1) back |= squareset_of(at);
    }
    if (from == board->zone[BLUE])
        add(text, TEXT("Where: on the enemy's set-up ranks."));
    else if (from == (back & board->land))
        add(text, TEXT("Where: on the enemy's back rank."));
    else if (from != board->land)
        add(text, TEXT("Squares of the board where it works: {1}."),
            NUMBER_TEXT(squareset_count(from)));
}

static void add_range(struct text *text, const struct rules *rules, const struct ability *ability) {
    const struct board *board = &rules->board;
    squareset all = 0;
    int nearest = BOARD_LINES_MAX, farthest = 0;
    bool straight = true;
    for (square from = 0; from < board->squares; from++) {
        for (squareset rest = ability->targets[RED][from]; rest;) {
            square at = squareset_pop(&rest);
            int files = abs(board_file(board, at) - board_file(board, from));
            int ranks = abs(board_rank(board, at) - board_rank(board, from));
            int distance = files > ranks ? files : ranks;
            all |= squareset_of(at);
            straight = straight && (!files || !ranks);
            if (distance < nearest) nearest = distance;
            if (distance > farthest) farthest = distance;
        }
    }
    if (all == board->zone[RED]) {
        add(text, TEXT("Range: its own set-up zone."));
    } else if (straight && farthest == 1) {
        add(text, TEXT("Range: a neighbouring square."));
    } else if (straight && nearest == farthest) {
        add(text, TEXT("Range along a rank or file: exactly {1}."), NUMBER_TEXT(farthest));
    } else if (straight) {
        add(text, TEXT("Range: {1} to {2} squares along a rank or file."), NUMBER_TEXT(nearest),
            NUMBER_TEXT(farthest));
    } else {
        add(text, TEXT("Range: up to {1} squares."), NUMBER_TEXT(farthest));
    }
}

/* Adds the sentence with a list of effects. */
static void add_effects(struct text *text, const char *sentence, unsigned effects) {
    static const struct {
        unsigned effect;
        const char *words;
    } phrases[] = {
        {EFFECT_REMOVE_TARGET, TEXT("the target is removed")},
        {EFFECT_REMOVE_ACTOR, TEXT("the user is removed")},
        {EFFECT_LEARN, TEXT("its side alone learns about the target")},
        {EFFECT_REVEAL_TARGET, TEXT("the target is revealed")},
        {EFFECT_REVEAL_ACTOR, TEXT("the user is revealed")},
        {EFFECT_CONCEAL_TARGET, TEXT("the target is hidden again")},
        {EFFECT_CONCEAL_ACTOR, TEXT("the user is hidden again")},
        {3 * EFFECT_HOLD, TEXT("the target may not move for a while")},
        {EFFECT_SWAP, TEXT("user and target swap places")},
        {EFFECT_PLACE, TEXT("that piece returns there, hidden")},
        {EFFECT_WIN, TEXT("its side wins")},
        {EFFECT_LOSE, TEXT("its side loses")},
        {EFFECT_DRAW, TEXT("the game is drawn")},
    };
    char out[SHEET_LIST_MAX];
    struct text list = list_for(text, out);
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
        if (effects & phrases[i].effect) item(&list, phrases[i].words);
    if (!list.length) item(&list, TEXT("nothing happens"));
    add(text, sentence, out);
}

/* The common effects of all pairs of target and choice; for an ability that asks for a kind, of
 * those where the guess is `right`. False if they differ. */
static bool common_effects(const struct rules *rules, const struct ability *ability, bool right,
                           unsigned *effects) {
    bool found = false;
    for (kind_id target = 0; target <= rules->kinds; target++) {
        bool aimed = target ? (ability->aims & (AIM_ENEMY | AIM_OWN)) != 0
                            : (ability->aims & AIM_EMPTY) != 0;
        for (kind_id choice = 0; aimed && choice <= rules->kinds; choice++) {
            bool named = ability->asks == ASKS_NOTHING ? choice == KIND_NONE
                         : choice ? (ability->choices & kindset_of(choice)) != 0
                                  : false;
            if (!named || (ability->asks == ASKS_KIND && (target == choice) != right)) continue;
            if (found && *effects != ability->effects[target][choice]) return false;
            *effects = ability->effects[target][choice];
            found = true;
        }
    }
    return found;
}

static void add_outcome(struct text *text, const struct rules *rules,
                        const struct ability *ability) {
    unsigned right = 0, wrong = 0;
    bool guess = ability->asks == ASKS_KIND;
    if (!common_effects(rules, ability, true, &right) ||
        (guess && !common_effects(rules, ability, false, &wrong))) {
        add(text, TEXT("What happens depends on the pieces."));
    } else if (guess) {
        add_effects(text, TEXT("Right: {1}."), right);
        add_effects(text, TEXT("Wrong: {1}."), wrong);
    } else {
        add_effects(text, TEXT("Then: {1}."), right);
    }
}

/* Which kinds of target the user's side can tell apart, for the first choice. */
static void add_learned(struct text *text, const struct rules *rules,
                        const struct ability *ability) {
    char out[SHEET_LIST_MAX] = "";
    size_t used = 0;
    kind_id choice = ability->choices ? (kind_id)__builtin_ctz(ability->choices) : KIND_NONE;
    kindset told = 0;
    bool exact = true;
    for (kind_id target = 1; target <= rules->kinds; target++) {
        kindset kinds = ability->learn[target][choice];
        exact = exact && !(kinds & (kinds - 1));
        if (kinds & told) continue;
        told |= kinds;
        for (kindset left = kinds; left; left &= left - 1)
            used +=
                language_fill(out + used, sizeof out - used,
                              left != kinds ? ", {1}"
                              : used        ? " | {1}"
                                            : "{1}",
                              language_kind(text->language, rules, (kind_id)__builtin_ctz(left)));
    }
    if (told && exact) add(text, TEXT("What it learns: the target's kind."));
    if (told && !exact) add(text, TEXT("What it learns, one of: {1}."), out);
}

/* The turns for which targets are held. */
static void add_holds(struct text *text, const struct rules *rules, const struct ability *ability) {
    unsigned most = 0;
    for (kind_id target = 1; target <= rules->kinds; target++)
        for (kind_id choice = 0; choice <= rules->kinds; choice++)
            if (effect_hold(ability->effects[target][choice]) > most)
                most = effect_hold(ability->effects[target][choice]);
    if (most) add(text, TEXT("Turns in which its target may not move: {1}."), NUMBER_TEXT(most));
}

/* The counters that it changes. */
static void add_counting(struct text *text, const struct rules *rules,
                         const struct ability *ability) {
    for (int i = 0; i < rules->counters; i++) {
        bool changes = false;
        for (kind_id target = 0; target <= rules->kinds; target++)
            for (kind_id choice = 0; choice <= rules->kinds; choice++)
                changes |= ability->counts[target][choice].counter == i + 1;
        if (changes)
            add(text, TEXT("It changes this counter: {1}."),
                language_counter(text->language, rules, i));
    }
}

void sheet_ability(const struct language *language, const struct rules *rules,
                   const struct ability *ability, char *out, size_t size) {
    static const char *const aims[] = {TEXT("an enemy piece"), TEXT("a piece of its own side"),
                                       TEXT("an empty square")};
    struct text text = {language, out, size, 0};
    char aimed[SHEET_LIST_MAX];
    struct text list = list_for(&text, aimed);
    for (int i = 0; i < 3; i++)
        if (ability->aims & (1u << i)) item(&list, aims[i]);
    add_when(&text, ability->when);
    add_where(&text, rules, ability);
    add(&text, TEXT("Target: {1}."), aimed);
    add_range(&text, rules, ability);
    if (ability->asks == ASKS_KIND) add(&text, TEXT("The player names a kind of piece."));
    if (ability->asks == ASKS_CAPTURED)
        add(&text, TEXT("The player names a fallen piece of its own side."));
    add_outcome(&text, rules, ability);
    add_learned(&text, rules, ability);
    if (ability->limit)
        add(&text, TEXT("At most {1} times per game for each side."), NUMBER_TEXT(ability->limit));
    if (ability->each)
        add(&text, TEXT("At most {1} times per game for each piece."), NUMBER_TEXT(ability->each));
    if (ability->rest)
        add(&text, TEXT("Afterwards the piece may not move. Turns: {1}."),
            NUMBER_TEXT(ability->rest));
    add_holds(&text, rules, ability);
    add_counting(&text, rules, ability);
    if (ability->attacks) add(&text, TEXT("Counts as an attack."));
}

bool sheet_same_ability(const struct ability *a, const struct ability *b) {
    return !strcmp(a->name, b->name) && a->when == b->when && a->aims == b->aims &&
           a->asks == b->asks && a->attacks == b->attacks && tally_same(a->tally, b->tally) &&
           a->limit == b->limit && a->each == b->each && a->rest == b->rest &&
           a->choices == b->choices && !memcmp(a->targets, b->targets, sizeof a->targets) &&
           !memcmp(a->effects, b->effects, sizeof a->effects) &&
           !memcmp(a->learn, b->learn, sizeof a->learn) &&
           !memcmp(a->counts, b->counts, sizeof a->counts);
}

const char *sheet_first(const struct rules *rules) {
    switch ((enum first_side)rules->first) {
    case FIRST_RED:
        return "red";
    case FIRST_BLUE:
        return "blue";
    case FIRST_CHOSEN:
        break;
    }
    return "chosen";
}

const char *sheet_after_battle(const struct rules *rules) {
    static const char *const words[] = {[AFTER_BATTLE_REVEAL] = "reveal",
                                        [AFTER_BATTLE_CONCEAL] = "conceal",
                                        [AFTER_BATTLE_SILENT] = "silent"};
    const char *common = NULL;
    for (kind_id a = 1; a <= rules->kinds; a++) {
        if (!(rules->mobile & kindset_of(a))) continue;
        for (kind_id d = 1; d <= rules->kinds; d++) {
            if (rules->outcome[a][d] == BOTH_FALL) continue;
            const char *word = words[rules->after_battle[a][d]];
            if (common && common != word) return "mixed";
            common = word;
        }
    }
    return common ? common : words[AFTER_BATTLE_REVEAL];
}
