/* trainer.h - learning by self-play, or against fixed opponents.
 *
 * Games are played in classes. All games of a class are played with the same weights, on as many
 * threads as wished; then the weights take a step, by what all of them have shown, added in order.
 * So the number of threads makes no difference: the same rules, seed and number of classes give the
 * same value. The steps and the chance in moves shrink as games are played; the value that is given
 * out is the average of the later weights.
 *
 * It learns in stages. In the first it plays itself, now and earlier. Its value and set-ups are
 * then the first style of a league (league.h); each further stage begins as the style that the
 * league plays most (of large armies, the newest), plays half of its games against the league and
 * the others against itself, and ends with a new style that joins it.
 *
 * Against opponents there is one stage without end: it begins as the first of them, meets all in
 * turn and plays no other.
 *
 * A trainer may learn set-ups alone (repertoire.h): then its styles play rivals, which are the same
 * styles, and stay as they are, but for what they believe of starts. */
#ifndef ENSIGN_HOST_LEARN_TRAINER_H
#define ENSIGN_HOST_LEARN_TRAINER_H

#include "camp.h"
#include "examples.h"
#include "fit.h"
#include "league.h"
#include "repertoire.h"
#include "selfplay.h"

#include "base/fault.h"
#include "host/match/statistics.h"

enum { CLASS_GAMES = 64, TRAINER_PAST = 12, TRAINER_NOTES = 256 };
enum { TRAINER_NOTE_GAMES = 64, TRAINER_RUNGS = 64, TRAINER_RIVALS = 2 };

/* How strong it was at some time: points of a hundred. */
struct trainer_note {
    uint64_t games;
    double against_first, against_past; /* the beginning or the opponents, and the middle of the
                                           way so far */
    double plies, draws;                /* of games then; draws as a part of 1 */
};

/* What its bot scored against stock bots at some time (strength_test.h). */
struct trainer_rung {
    uint64_t games; /* learned */
    struct statistics against[TRAINER_RIVALS];
};

struct trainer {
    const struct rules *rules;
    const struct opponent *opponents;
    int opponent_count;              /* 0: it learns by itself */
    const struct examples *examples; /* NULL: it sees no games of others */
    int example_share;               /* of the habits that are given out, of a hundred */
    struct habits example_habits;    /* of all examples to learn from */
    const struct opponent *tables;
    int table_count;     /* 0: it does not learn set-ups alone */
    struct roster given; /* the styles of the first table, as they were */
    struct value mustered[REPERTOIRE_ROLES][LEAGUE_MAX]; /* each style, as it believes of starts */
    struct roster roster; /* who is met now; nobody: itself, now and earlier */
    uint64_t stage;       /* classes of a stage; the first has twice as many */
    struct measure measure;
    int jobs;
    struct fault fault;         /* of a call of the variant, or no memory: learning must end */
    struct selfplay **episodes; /* one for each job */

    /* What a checkpoint holds. */
    struct trainer_state {
        uint64_t made_for;    /* the rules; the lower half is the opponents', too */
        struct chance chance; /* all of it */
        uint64_t seed;        /* for people */
        uint64_t classes;
        struct fit fit;
        struct habit_counts counts;
        struct habits habits;
        struct camp camp;
        uint64_t stage_began;     /* after so many classes */
        struct value stage_first; /* as which the stage began */
        struct league league;
        struct repertoire repertoire;    /* with tables */
        struct value past[TRAINER_PAST]; /* the first: how it began */
        uint32_t past_count;
        double plies, draws; /* of games lately */
        int notes;
        struct trainer_note note[TRAINER_NOTES];
        int rungs;
        struct trainer_rung rung[TRAINER_RUNGS];
    } state;
};

/* All of it follows from `chance` and the opponents (0 to OPPONENTS_MAX), which must outlive the
 * trainer; `seed` is what `chance` was made from, to be written down. NULL with a fault without
 * memory. `jobs` is 1 to HALL_JOBS_MAX. */
struct trainer *trainer_new(const struct rules *rules, const struct opponent *opponents,
                            int opponent_count, const struct chance *chance, uint64_t seed,
                            int jobs, struct fault *fault);
void trainer_free(struct trainer *trainer);

/* Before the first class: set-ups that others have found good, checked, join the camp: the first
 * CAMP_GUESTS of them. Not with opponents, whose set-ups it begins with. */
void trainer_invite(struct trainer *trainer, const struct setup *setups, size_t count);

/* Before the first class: from now on it keeps the styles of the first table and learns which
 * set-ups they should lay out, beginning with those of all tables (1 to OPPONENTS_MAX), which must
 * outlive the trainer. Not with opponents. False with a fault without memory. */
bool trainer_muster(struct trainer *trainer, const struct opponent *tables, int count,
                    struct fault *fault);

/* Before the first class: from now on habits are given out with `share` of a hundred (1 to 100) of
 * those of the examples, whose set-ups join those that games are played with; the state of learning
 * is theirs. They must outlive the trainer. Not with tables. False with a fault without memory. */
bool trainer_show(struct trainer *trainer, const struct examples *examples, int share,
                  struct fault *fault);

/* Plays one class and takes a step. Sets trainer->fault if that fails. */
void trainer_class(struct trainer *trainer);

/* What the learner values now. */
void trainer_value(const struct trainer *trainer, struct value *value);

/* The same with its best set-ups, the best first. */
void trainer_style(const struct trainer *trainer, struct style *style);

/* The habits of a style as they are given out: for opponents that were never met, with those of
 * examples; as they are, if it learned to beat opponents or set-ups alone. */
void trainer_give_habits(const struct trainer *trainer, const struct habits *own,
                         struct habits *habits);

/* Keep the state in a file, and take it up again: learning then goes on as if it had not been
 * interrupted. The file must be of the same rules and opponents and of this version of the
 * program, else STATUS_TEXT, and nothing changes. */
bool trainer_save(const struct trainer *trainer, const char *path, struct fault *fault);
bool trainer_load(struct trainer *trainer, const char *path, struct fault *fault);

/* The hash that ends such a file. */
uint64_t trainer_hash(const struct trainer_state *state);

/* Points of a hundred that `first` scores against `second` in so many games (even), in pairs with
 * colours exchanged and set-ups as in learning. `chance` decides all of it. 0 with trainer->fault
 * if that fails. */
double trainer_compare(struct trainer *trainer, const struct value *first,
                       const struct value *second, uint32_t games, const struct chance *chance);

/* The same that what was learned so far scores against its beginning; or against the opponents in
 * turn, a pair of games each, each side with the set-ups of its file. */
double trainer_compare_first(struct trainer *trainer, uint32_t games, const struct chance *chance);

#endif
