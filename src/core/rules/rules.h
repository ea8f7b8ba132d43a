/* rules.h - one compiled variant: everything the core needs to play it, in tables.
 *
 * The script layer fills the upper part of `struct rules` from a variant's Lua file and calls
 * rules_finish(), which checks it and derives the rest. From then on the struct never changes and
 * is shared by all threads. The core reads tables only: the variant's pure Lua functions (outcomes
 * of battles, reach and effects of abilities, ways to walk) are called for every possible argument
 * when the variant is loaded.
 *
 * Kinds are numbered from 1; 0 means "no kind". */
#ifndef ENSIGN_CORE_RULES_RULES_H
#define ENSIGN_CORE_RULES_RULES_H

#include "base/chance.h"
#include "base/words.h"
#include "core/board/move.h"
#include "core/board/steps.h"
#include "movement.h"

enum {
    KINDS_MAX = 32, /* including the unused number 0 */
    ABILITIES_MAX = 16,
    MOVEMENTS_MAX = 16,
    NAME_TAG_MAX = 32,   /* bytes of the tag of a language ("uk"), with its final 0 */
    CALLED_MAX = 1024,   /* translated names in a variant, all languages together */
    TITLE_MAX = 96,      /* bytes of a title, with its final 0 */
    NOTE_MAX = 480,      /* bytes of a note, with its final 0 */
    LABEL_MAX = 8,       /* bytes of a label, with its final 0 */
    RANK_MAX = 1000,     /* ranks are -RANK_MAX to RANK_MAX */
    TWO_SQUARES_MIN = 2, /* limits of the two-squares rule */
    TWO_SQUARES_MAX = 16,
    MOVES_CEILING = 1 << 18,
    LIMIT_MAX = 65535, /* largest draw limit, in plies */
    COUNTERS_MAX = 8,
    COUNTER_MAX = 30000, /* counters are -COUNTER_MAX to COUNTER_MAX */
    GOALS_MAX = 8,
    REPETITION_MIN = 2, /* a draw when a position stands this often */
    REPETITION_MAX = 9,
    PLACES_MAX = 16,   /* kinds of squares where battles depend on them */
    FALL_SHOWS_MAX = 6 /* pieces of a side that falls may show in all */
};

typedef uint32_t kindset;

static inline kindset kindset_of(kind_id kind) {
    return (kindset)1 << kind;
}

struct kind {
    char name[WORD_MAX];   /* lower case, as in variant files: "marshal" */
    char label[LABEL_MAX]; /* printed on the piece: "10", "S" */
    char letter;           /* in set-ups and positions: one of A-Z 0-9, unique in the rules */
    bool flag;             /* the game ends when it falls */
    int16_t rank;          /* strength, compared by the default combat */
    uint8_t movement;      /* index into rules.movements, or MOVEMENT_NONE */
    uint16_t abilities;    /* set of indices into rules.abilities */
};
enum { MOVEMENT_NONE = 255 };

/* The name of a kind, of the variant (KIND_NONE), or of a counter (called_counter()), in a
 * language. For display only. */
struct called {
    uint8_t kind;
    char tag[NAME_TAG_MAX];
    char text[TITLE_MAX];
};

static inline uint8_t called_counter(int counter) {
    return (uint8_t)(KINDS_MAX + counter);
}

/* A whole number that a game keeps, for each side or for both together. Public. */
struct counter {
    char name[WORD_MAX];
    bool each;        /* each side has its own */
    int16_t from, to; /* its range */
    int16_t start;    /* its value at the start of a game */
};

/* The values of all counters. One that both sides share is red's. */
struct counters {
    int16_t of[2][COUNTERS_MAX];
};

/* A change of a counter by an ability. */
struct counting {
    uint8_t counter; /* its number + 1; 0: none */
    uint8_t how;     /* a set of the following */
    int16_t by;      /* the value, or what is added to it: the result stays within the range */
};
enum { COUNTING_ENEMY = 1, COUNTING_SETS = 2 };

enum goal_result { GOAL_WIN, GOAL_LOSE, GOAL_DRAW, GOAL_RED, GOAL_BLUE, GOAL_RESULTS };

/* What ends a game: a piece of a side that stands somewhere, or a counter that has come so far. */
struct goal {
    kindset kinds;   /* the pieces; none: it is about a counter */
    squareset at[2]; /* where they must stand, by side */
    uint8_t after;   /* how often their side's turn must have begun since; 0: at once */
    uint8_t counter; /* its number */
    int16_t reaches; /* from its start, upwards or downwards; not the start itself */
    uint8_t result;  /* enum goal_result: for the side; for a counter that both share, of the
                        game, GOAL_DRAW or after it */
};

enum outcome {
    ATTACKER_WINS,
    DEFENDER_WINS,
    BOTH_FALL,
    ASK_THE_VARIANT, /* depends on the position (calls.h); only in rules.outcome */
    CANNOT_ATTACK    /* the attack may not be made; only in rules.battles */
};

/* Battles that depend on where the two stand. Squares are of one place if they are of the same
 * grounds; a ground that belongs to a side is another one for the attacker than for the defender.
 */
struct battles {
    uint8_t places;                      /* places 0 .. places - 1 exist; 0 has no ground */
    bool bars;                           /* some attacks may not be made; derived */
    uint8_t place[2][BOARD_SQUARES_MAX]; /* by the side of the attacker and square */
    /* enum outcome, by the places of attacker and defender and by their kinds */
    uint8_t outcome[PLACES_MAX][PLACES_MAX][KINDS_MAX][KINDS_MAX];
};

/* When in a turn an ability may be used; a set. */
enum ability_time {
    ABILITY_INSTEAD = 1,      /* in place of a move */
    ABILITY_AFTER_STEP = 2,   /* after a move to an empty square, in the same turn */
    ABILITY_AFTER_ATTACK = 4, /* after an attack that the piece survives; otherwise it is lost */
};

/* Allowed targets of an ability; a set. */
enum ability_aim { AIM_ENEMY = 1, AIM_OWN = 2, AIM_EMPTY = 4 };

enum ability_asks {
    ASKS_NOTHING,
    ASKS_KIND,    /* any kind of the army, even one without pieces left */
    ASKS_CAPTURED /* a kind of which the user's side has game_returnable() pieces */
};

/* Effects of an ability; a set. rules_finish() refuses contradictions. */
enum effect {
    EFFECT_REMOVE_TARGET = 1,
    EFFECT_REMOVE_ACTOR = 2,
    EFFECT_REVEAL_TARGET = 4,
    EFFECT_REVEAL_ACTOR = 8,
    EFFECT_CONCEAL_TARGET = 16,
    EFFECT_CONCEAL_ACTOR = 32,
    EFFECT_SWAP = 64,   /* actor and target exchange squares; the actor moves to an empty target */
    EFFECT_PLACE = 128, /* the captured piece named returns on the target square, hidden */
    EFFECT_WIN = 256,   /* the user's side has won */
    EFFECT_LOSE = 512,  /* the user's side has lost */
    EFFECT_DRAW = 1024,
    EFFECT_LEARN = 2048, /* the user's side alone is told what the target may be: `learn` */
    EFFECT_HOLD = 4096   /* times 1 to MARK_MAX: the turns for which the target is held */
};

enum { MARK_MAX = 3 };

static inline unsigned effect_hold(unsigned effects) {
    return effects / EFFECT_HOLD & MARK_MAX;
}

/* Counter of uses. Abilities that share one have one limit, all attack or none does, and they look
 * the same to the enemy. Not an index of an ability. */
struct tally_id {
    uint8_t n; /* 0 … ABILITIES_MAX - 1 */
};

static inline bool tally_same(struct tally_id a, struct tally_id b) {
    return a.n == b.n;
}

struct ability {
    char name[WORD_MAX];
    kind_id actor; /* the kind that has it */
    uint8_t when;  /* set of enum ability_time, not empty */
    uint8_t aims;  /* set of enum ability_aim, not empty */
    uint8_t asks;  /* enum ability_asks */
    bool attacks;  /* its use counts as an attack for the chase rules and the no-attack limit */
    struct tally_id tally;
    uint8_t limit;                           /* uses per game and side; 0: no limit */
    uint8_t each;                            /* uses per game and piece, counted together for the
                                                abilities of a piece that have this; 0: no limit */
    uint8_t rest;                            /* turns for which it holds its user */
    kindset choices;                         /* kinds that may be named; empty if it asks nothing */
    squareset targets[2][BOARD_SQUARES_MAX]; /* by side and the square where the piece stands */
    uint16_t effects[KINDS_MAX][KINDS_MAX];  /* by target (KIND_NONE: empty) and choice */
    kindset learn[KINDS_MAX][KINDS_MAX];     /* with EFFECT_LEARN: the kinds that the target may
                                                then be, for its user; the target among them */
    struct counting counts[KINDS_MAX][KINDS_MAX]; /* by target and choice, as the effects */
};

enum chase_rule {
    CHASE_NONE,
    CHASE_ISF,    /* more-squares rule of the International Stratego Federation, RULES 5 */
    CHASE_RUSSIAN /* a retreating piece may be chased for at most two moves, RULES 5 */
};

/* How the armies come to stand. */
enum army_source {
    ARMIES_PLACED,   /* the players place them */
    ARMIES_GIVEN,    /* in one way: start[].only has a square for each piece, setup_given() */
    ARMIES_BY_CHANCE /* drawn for each game: setup_random() */
};

enum first_side { FIRST_RED, FIRST_BLUE, FIRST_CHOSEN };

/* What the other side learns about a battle's winner. The fallen are shown unless
 * rules.fallen_hidden. */
enum after_battle {
    AFTER_BATTLE_REVEAL,  /* its kind, for good */
    AFTER_BATTLE_CONCEAL, /* its kind, at that moment; then it is face down again */
    AFTER_BATTLE_SILENT   /* that it has won */
};

/* Squares that a piece sees, by side, kind and where it stands. */
struct sight {
    squareset from[2][KINDS_MAX][BOARD_SQUARES_MAX];
};

/* Draw limits in plies; 0 switches one off. */
struct limits {
    uint32_t no_attack; /* plies in a row without an attack */
    uint32_t plies;     /* plies in all */
};

/* What a side starts with, and where. The squares are its own: blue's are turned (board_own()). */
struct start {
    uint8_t count[KINDS_MAX];  /* pieces of each kind, 0..128 */
    squareset only[KINDS_MAX]; /* unless empty: the squares on which a kind may start */

    /* Derived by rules_finish(). */
    uint8_t size;            /* pieces */
    kindset kinds;           /* the kinds that it has */
    squareset on[KINDS_MAX]; /* where each of them may start, within the zone */

    /* Starting point of setup_random(): pieces that may not start everywhere are placed first, the
     * kinds with the fewest squares before the others; the rest are shuffled. */
    uint8_t bound;                  /* kinds that may not start everywhere in the zone */
    kind_id order[KINDS_MAX];       /* these, in the order in which they are placed */
    uint8_t open[KINDS_MAX];        /* the most squares that may be free for each of them then */
    square zone[BOARD_SQUARES_MAX]; /* the squares of the zone, in ascending order */
    uint8_t zone_size;
    kind_id muster[BOARD_SQUARES_MAX]; /* their contents but for bound kinds, sorted by kind */
    uint8_t alike;                     /* length of the leading run of one kind */
};

/* A piece in one byte. Bits 0-4: the kind; 5: the side; 6: the piece fell and was brought back; 7:
 * it has moved (only if in rules.moved). 0 is an empty square. */
typedef uint8_t cell;
enum { CELL_EMPTY = 0, CELL_BLUE = 32, CELL_RETURNED = 64, CELL_WALKED = 128 };

/* Functions of a variant that are called during play: what a caller sees is in play/calls.h. */
enum call {
    CALL_LEGAL,        /* is this move, legal by all other rules, allowed? */
    CALL_BATTLE,       /* who falls? For pairs with ASK_THE_VARIANT in rules.outcome */
    CALL_AFTER_BATTLE, /* effects */
    CALL_AFTER_MOVE,   /* effects, after every turn */
    CALL_TURN_START,   /* effects, when the other side's turn begins; not before the first ply */
    CALL_ENDING,       /* has the game ended? Called at the start too */
    CALL_COUNT
};

/* Set of the calls that answer with effects. */
enum { CALLS_EFFECTS = 1 << CALL_AFTER_BATTLE | 1 << CALL_AFTER_MOVE | 1 << CALL_TURN_START };

struct game;
struct play;
struct plays;
struct call_answer;
struct calls_fuel;

struct calls {
    unsigned declared; /* the variant's calls, a set of 1 << enum call */
    /* Fills the call's part of `answer`. `play` is NULL for CALL_TURN_START and CALL_ENDING. May be
     * called from any thread. False with a fault. */
    bool (*ask)(struct calls *calls, enum call call, const struct game *game,
                const struct play *play, struct call_answer *answer, struct fault *fault);
    /* calls_allow_each() in another process; NULL: in this one. */
    bool (*allow)(struct calls *calls, const struct game *game, const struct plays *plays,
                  struct calls_fuel *fuel, bool *allowed, struct fault *fault);
    /* Sets the place of a fault to the call's line in the variant file. */
    void (*place)(struct calls *calls, enum call call, struct fault *fault);
    /* From now on names, for each call, a variable of the script that it has changed, and that is
     * as before at the next one; "": none was seen. NULL: no longer. May be NULL itself. While it
     * looks, one thread may ask. */
    void (*look)(struct calls *calls, char changed[CALL_COUNT][WORD_MAX]);
    void (*close)(struct calls *calls); /* frees everything */
};
struct refusals;

struct rules {
    /* Filled by the loader. */
    char name[WORD_MAX];
    char title[TITLE_MAX];
    char edition[TITLE_MAX]; /* the printed edition it follows; may be empty */
    char note[NOTE_MAX];     /* for display: rules not visible in the tables; may be empty */
    struct board board;
    uint8_t kinds;       /* kinds 1..kinds exist; each is in the army of some side */
    uint8_t abilities;   /* abilities 0..abilities - 1 exist */
    uint8_t movements;   /* movements 0..movements - 1 exist */
    bool zone_filled;    /* the army fills the set-up zone, else it stands anywhere in it */
    bool fallen_hidden;  /* the kind of a fallen piece is told to its own side alone */
    bool open;           /* both sides know all pieces from the start */
    uint8_t armies;      /* enum army_source */
    uint8_t two_squares; /* limit N, TWO_SQUARES_MIN..MAX; 0: no such rule */
    uint8_t chase;       /* enum chase_rule */
    uint8_t first;       /* enum first_side */
    kindset stayers;     /* kinds that stay where they are when they win as attackers */
    kindset fall_shows[KINDS_MAX]; /* by fallen kind: pieces of its side of these kinds are then
                                      shown to the other */
    kindset draw_without; /* unless empty: draw once neither side has any of these and the flags
                             are walled in, RULES 7 */
    struct limits limits;
    struct start start[2];
    uint8_t repetition; /* draw when a position stands this often, REPETITION_MIN..MAX; 0: never */
    uint8_t counters;   /* counters 0..counters - 1 exist */
    uint8_t goals;      /* goals 0..goals - 1 exist */
    struct counter counter[COUNTERS_MAX];
    struct goal goal[GOALS_MAX];
    struct called *called; /* the variant's translated names; owned, may be NULL */
    int called_count;
    struct kind kind[KINDS_MAX];
    struct movement movement[MOVEMENTS_MAX];
    struct ability *ability; /* ABILITIES_MAX of them, owned; NULL if there are none */
    struct sight *sight;     /* owned; NULL if all pieces are always seen */
    struct calls *calls;     /* functions called during play (calls.h), owned; NULL if none */
    struct battles *battles; /* owned; NULL if the squares of a battle do not matter */
    uint8_t outcome[KINDS_MAX][KINDS_MAX]; /* enum outcome, by (mobile) attacker and defender; on
                                              squares without a ground if squares matter, and
                                              DEFENDER_WINS for CANNOT_ATTACK */
    uint8_t after_battle[KINDS_MAX][KINDS_MAX]; /* enum after_battle, in the same way */

    /* Derived by rules_finish(). */
    kindset army;     /* all kinds */
    bool same_starts; /* the sides have the same pieces, which may start on the same squares of
                         their own */
    kindset mobile;   /* kinds that can move */
    kindset pacers;  /* kinds that can move if and only if a neighbouring square has no own piece */
    kindset runners; /* kinds that run in straight lines and do nothing else */
    kindset odd;     /* kinds with abilities or other movements; all the rest only step, or stay */
    kindset flags;
    bool places;     /* some ability or call can place pieces */
    bool marks;      /* pieces have marks: `each`, `rest`, EFFECT_HOLD, or `stays` (play/marks.h) */
    bool stays;      /* some goal counts turns for which a piece has stood */
    bool falls_show; /* some fall shows other pieces */
    bool watched;    /* a plain move may do more than move a piece: marks, goals, repetition */
    bool near_walk;  /* all movements begin with a neighbouring square */
    bool same_walk;  /* all mobile kinds move alike: no move tells them apart */
    uint8_t moved;   /* cell bits set when a piece moves: CELL_WALKED where calls may ask for it,
                        else 0 */
    size_t moves_max;    /* upper bound of legal moves, and the room for the fast listing
                            (legal.h) */
    squareset stands[2]; /* squares from which some ability of that side has a target */
    struct steps steps;
    uint64_t key[2][KINDS_MAX][BOARD_SQUARES_MAX]; /* Zobrist keys */
};

/* A zeroed struct, or NULL without memory. The caller frees with rules_free(). */
struct rules *rules_new(void);
void rules_free(struct rules *rules);

/* Checks the upper part and derives the rest. False with at least one refusal (refusal.h). */
bool rules_finish(struct rules *rules, struct refusals *refusals);

const char *outcome_name(enum outcome outcome); /* "attacker", "defender", "both", "ask", "none" */
const char *chase_name(enum chase_rule chase);  /* "none", "isf", "russian" */
const char *armies_name(enum army_source armies); /* "placed", "given", "chance" */

/* Words of variant files, in the order of the bits of enum ability_time and enum ability_aim, and
 * of enum ability_asks from ASKS_KIND on; each list ends with NULL. */
extern const char *const ABILITY_TIME_WORDS[], *const ABILITY_AIM_WORDS[],
                                                   *const ABILITY_ASKS_WORDS[];

/* The side that moves first; red where a match or a user chooses. */
static inline enum side rules_first(const struct rules *rules) {
    return rules->first == FIRST_BLUE ? BLUE : RED;
}

/* The side that moves first by the rules; where they leave that to choice, by a coin of `chance`
 * (CHANCE_FIRST). */
enum side rules_draw_first(const struct rules *rules, const struct chance *chance);

/* The pieces of a kind at the start: of the side that has more of it, and of both. */
static inline int rules_most(const struct rules *rules, kind_id kind) {
    const int red = rules->start[RED].count[kind], blue = rules->start[BLUE].count[kind];
    return red > blue ? red : blue;
}

static inline int rules_both(const struct rules *rules, kind_id kind) {
    return rules->start[RED].count[kind] + rules->start[BLUE].count[kind];
}

/* The pieces at the start of the side that has more. */
static inline int rules_size(const struct rules *rules) {
    const int red = rules->start[RED].size, blue = rules->start[BLUE].size;
    return red > blue ? red : blue;
}

/* Who falls when `attacker` attacks `defender`, or ASK_THE_VARIANT. RULES 1. */
static inline enum outcome rules_outcome(const struct rules *rules, kind_id attacker,
                                         kind_id defender) {
    return (enum outcome)rules->outcome[attacker][defender];
}

/* The same for a piece of `side` on `from` that attacks one on `to`; it may be CANNOT_ATTACK. */
static inline enum outcome rules_outcome_on(const struct rules *rules, enum side side, square from,
                                            square to, kind_id attacker, kind_id defender) {
    const struct battles *battles = rules->battles;
    if (!battles) return rules_outcome(rules, attacker, defender);
    const uint8_t *place = battles->place[side];
    return (enum outcome)battles->outcome[place[from]][place[to]][attacker][defender];
}

/* The same on squares without a ground. */
static inline enum outcome rules_outcome_bare(const struct rules *rules, kind_id attacker,
                                              kind_id defender) {
    if (!rules->battles) return rules_outcome(rules, attacker, defender);
    return (enum outcome)rules->battles->outcome[0][0][attacker][defender];
}

/* The outcomes that a battle of these kinds has anywhere: a set, by enum outcome. */
unsigned rules_outcomes(const struct rules *rules, kind_id attacker, kind_id defender);

/* Has some battle this outcome? */
bool rules_have_outcome(const struct rules *rules, enum outcome outcome);

/* May some attacks not be made for where the two stand, or what they are? */
static inline bool rules_bar(const struct rules *rules) {
    return rules->battles && rules->battles->bars;
}

/* The abilities with this tally, at least one: the set of their indices; the first, which stands
 * for all in name and appearance; the kinds that have them. */
uint16_t rules_sharing(const struct rules *rules, struct tally_id tally);
uint8_t rules_first_sharing(const struct rules *rules, struct tally_id tally);
kindset rules_users(const struct rules *rules, struct tally_id tally);

/* The counter with exactly this name, or -1. */
int rules_counter_named(const struct rules *rules, const char *name);

/* Its value after a change; `value` is the one before it. */
int counting_result(const struct rules *rules, struct counting counting, int value);

/* Has the counter of a goal come far enough? */
static inline bool goal_reached(const struct rules *rules, const struct goal *goal, int value) {
    bool up = goal->reaches > rules->counter[goal->counter].start;
    return up ? value >= goal->reaches : value <= goal->reaches;
}

/* "win", "lose", "draw", "red", "blue": the words of variant files; the list ends with NULL. */
extern const char *const GOAL_RESULT_WORDS[];

/* The kind with this name, letter or label, in either case, or KIND_NONE. Reads `length` bytes of
 * `text`. */
kind_id rules_kind(const struct rules *rules, const char *text, size_t length);

/* The kind with exactly this name, or with this letter in either case; KIND_NONE if none. */
kind_id rules_kind_named(const struct rules *rules, const char *name);
kind_id rules_kind_of_letter(const struct rules *rules, char letter);

/* The variant's translated name of a kind, of itself (KIND_NONE) or of a counter; NULL if it has
 * none. */
const char *rules_called(const struct rules *rules, uint8_t kind, const char *tag);

/* Kinds that could walk from `from` to `to` with these squares occupied (`to` does not matter). */
kindset rules_walkers(const struct rules *rules, enum side side, squareset occupied, square from,
                      square to);

#endif
