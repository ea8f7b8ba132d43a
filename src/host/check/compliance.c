/* compliance.c - games of a program against chance, some of them with nonsense or played twice.
 *
 * A game's chance depends on seed, variant and number of the game alone, so a single variant (-v)
 * repeats what was found among all. The first fault in a variant ends its games: a program that
 * fails tends to fail everywhere. */
#include "compliance.h"

#include "base/clock.h"
#include "base/digest.h"
#include "host/players.h"
#include "host/program/program.h"
#include "host/referee.h"
#include "host/safe_json.h"
#include "host/seat/outlook.h"
#include "host/seed.h"
#include "jail/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VARIANTS_MAX = 256,
    GAME_PLIES = 50,  /* in which the program is asked, at most */
    DEPTH_MAX = 300,  /* random plies before them */
    OFFER_PLY = 10,   /* at which the opponent offers a draw */
    GAMES_SPARE = 32, /* games beyond those that would do if none ended early */
    TWICE = 4         /* games of each variant that are played twice */
};

/* Messages of a later protocol, and about games of others. */
static const char UNKNOWN[] =
    "{\"type\":\"weather\",\"wind\":[1,2.5,{\"from\":null}],\"id\":-1}\n"
    "{\"type\":\"presence\",\"game\":\"none\",\"id\":\"999\",\"ply\":-7}\n";

/* Lines that are no messages. */
static const char GARBAGE[] = "no JSON\n{\"type\":\n[]\n7\n\"move\"\n{}\n{\"type\":7}\n";

/* A variant that the program is tried in. */
struct field {
    struct rules *rules; /* owned */
    struct chance chance;
    uint32_t positions, games;
    bool failed;
};

struct exam {
    const struct compliance_terms *terms;
    struct faults *faults;
    json_t *facts;
    struct chance chance;
    struct field fields[VARIANTS_MAX];
    int count;
    int64_t slowest; /* ms of its answers */
    bool seeded;     /* the program gets seeds, and has not played two games by one */
    bool asides;     /* lines that are no answers were told */
    struct program_probe probe;
};

/* One game, and what follow() sees of it. */
struct round {
    struct exam *exam;
    struct field *field;
    uint32_t number;
    enum side side; /* of the program */
    uint32_t questions, ply;
    int64_t asked; /* clock_ms() when the last question was asked; 0: it was not */
    char position[POSITION_TEXT_MAX]; /* at the last question, as the program sees it */
    struct record *record;
    struct setup setup;
};

struct stranger {
    struct player player;
    struct random random;
    int64_t offers; /* at this ply or the next one; -1: never */
};

static bool stranger_setup(void *self, const struct view *view, struct setup *setup,
                           struct fault *fault) {
    struct stranger *stranger = self;
    return setup_random(view->rules, (enum side)view->side, &stranger->random, setup, fault);
}

static bool stranger_move(void *self, const struct view *view, const struct move *moves,
                          size_t count, struct answer *answer, struct fault *fault) {
    struct stranger *stranger = self;
    (void)fault;
    answer->type = ANSWER_MOVE;
    answer->move = moves[random_below(&stranger->random, (uint32_t)count)];
    if (stranger->offers < 0 || view->plies < stranger->offers) return true;
    stranger->offers = -1;
    answer->type = ANSWER_DRAW;
    return true;
}

static void stranger_open(struct stranger *stranger, const struct chance *seat, bool offers) {
    *stranger = (struct stranger){.random = chance_random(seat, CHANCE_SETUP, 0),
                                  .offers = offers ? OFFER_PLY : -1};
    stranger->player = (struct player){
        .name = "chance", .self = stranger, .setup = stranger_setup, .move = stranger_move};
}

/* Notes questions and how long their answers take. */
static void round_follow(void *context, const struct session *session) {
    struct round *round = context;
    const struct outlook outlook = outlook_of_side(&session->eyes.view[round->side], NULL);
    const int64_t now = clock_ms();
    if (round->asked && session->forfeit.status == STATUS_OK) {
        round->questions++;
        if (now - round->asked > round->exam->slowest) round->exam->slowest = now - round->asked;
    }
    round->asked = 0;
    if (session->over || session->game.to_move != round->side) return;
    round->asked = now;
    round->ply = session->game.ply_count;
    outlook_position(&outlook, round->position);
}

/* Adds a fault of this game, with all that repeats it. */
static void round_blame(const struct round *round, bool warning, struct fault *fault) {
    struct exam *exam = round->exam;
    const char *variant = round->field->rules->name, *side = side_name(round->side);
    json_t *places = json_object_get(exam->facts, "found");
    fault_within(fault, "%s, seed %" PRIu64 ", game %" PRIu32 " as %s", variant, exam->terms->seed,
                 round->number, side);
    if (round->position[0]) fault_add(fault, "; the position: %s", round->position);
    if (!fault->file[0]) fault_place(fault, exam->terms->program, 0, 0);
    if (warning)
        faults_warn(exam->faults, fault);
    else
        faults_add(exam->faults, fault);
    json_array_append_new(places, json_pack("{s:s, s:I, s:I, s:s, s:I, s:s?}", "variant", variant,
                                            "seed", (json_int_t)exam->terms->seed, "game",
                                            (json_int_t)round->number, "side", side, "ply",
                                            (json_int_t)round->ply, "position",
                                            round->position[0] ? round->position : NULL));
}

/* Lays out both armies and plays up to `depth` random plies: a session with its record, not over
 * where that can be. NULL with a fault of the host or of the variant. */
static struct session *random_past(const struct rules *rules, enum side first, uint32_t depth,
                                   struct random *random, struct fault *fault) {
    const struct session_options options = {
        .rules = rules, .first = first, .names = {"red", "blue"}};
    struct session *session = session_open(&options, fault);
    bool right = session != NULL;
    for (int side = RED; side <= BLUE && right; side++) {
        struct setup setup;
        right = setup_random(rules, (enum side)side, random, &setup, fault) &&
                session_take_setup(session, (enum side)side, &setup, fault);
    }
    while (right && !session->over && session->game.ply_count < depth) {
        size_t count;
        const struct move *moves = session_moves(session, &count, fault);
        right = moves &&
                session_play(session, moves[random_below(random, (uint32_t)count)], NULL, fault);
    }
    if (right && session->over) right = session_rewind(session, session->game.ply_count / 2, fault);
    if (right) return session;
    session_close(session);
    return NULL;
}

/* Plays the game. False with a fault of the host or of the variant. */
static bool round_play(struct round *round, struct referee_report *report, struct fault *fault) {
    struct exam *exam = round->exam;
    const struct rules *rules = round->field->rules;
    const struct chance chance = chance_derive(&round->field->chance, CHANCE_GAME, round->number);
    const enum side other = side_other(round->side);
    const struct chance seats[2] = {chance_derive(&chance, CHANCE_SEAT, RED),
                                    chance_derive(&chance, CHANCE_SEAT, BLUE)};
    struct limits limits = rules->limits;
    struct referee_options game = {.first = rules_draw_first(rules, &chance),
                                   .limits = &limits,
                                   .chance = &chance,
                                   .give_up = exam->terms->stop,
                                   .follow = round_follow,
                                   .context = round};
    const struct player_options options = {.folders = exam->terms->folders,
                                           .rules = rules,
                                           .deadline = exam->terms->deadline,
                                           .opponent = "chance",
                                           .programs = {.wall = exam->terms->wall},
                                           .probe = &exam->probe};
    struct stranger stranger;
    struct player program, *players[2];
    struct session *past = NULL;
    if (!player_open(&program, &options, exam->terms->program, &seats[round->side], fault))
        return false;
    bool played = true;
    if (round->number & 2 && !program.own_setup) {
        struct random random = chance_random(&chance, CHANCE_SETUP, 0);
        past = random_past(rules, game.first, random_below(&random, DEPTH_MAX), &random, fault);
        played = past;
    }
    if (past) {
        for (int side = RED; side <= BLUE; side++) game.setups[side] = &past->setups[side];
        game.played = past->record->moves;
        game.played_count = past->record->move_count;
    }
    const uint32_t plies = (uint32_t)game.played_count + GAME_PLIES;
    if (!limits.plies || limits.plies > plies) limits.plies = plies;
    stranger_open(&stranger, &seats[other], round->number % 4 == 1);
    players[round->side] = &program;
    players[other] = &stranger.player;
    round->record = record_new();
    played = played && referee_play(rules, players, &game, round->record, report, fault);
    if (played) round->setup = report->setups[round->side];
    program.close(program.self);
    session_close(past);
    return played;
}

/* What the program did wrong beside losing by forfeit. */
static void round_judge(const struct round *round, const struct referee_report *report) {
    struct exam *exam = round->exam;
    const struct program_probe *probe = &exam->probe;
    struct fault fault = {0};
    if (probe->asides && !exam->asides) {
        fault_set(&fault, STATUS_TEXT, "%" PRIu32 " of its lines were no answers; the first: %s",
                  probe->asides, probe->aside.text);
        round_blame(round, true, &fault);
        exam->asides = true;
    }
    if (!probe->stopped || report->reason == REASON_UNFINISHED ||
        report->forfeit.status != STATUS_OK)
        return;
    if (!probe->exits)
        fault_set(&fault, STATUS_TIME, "it was still running half a second after the end");
    else if (strcmp(probe->status, "exit code 0") != 0)
        fault_set(&fault, STATUS_CRASH, "after the end it left with %s", probe->status);
    else
        return;
    round->field->failed = true;
    round_blame(round, false, &fault);
}

/* Plays a game and judges it. False if the program failed or the game did not come about. */
static bool round_run(struct round *round, const char *when, bool warning) {
    struct exam *exam = round->exam;
    struct referee_report report = {0};
    struct fault fault = {0};
    exam->probe = (struct program_probe){.before = exam->probe.before, .keys = exam->probe.keys};
    if (!round_play(round, &report, &fault)) {
        for (int i = 0; i < exam->count; i++) exam->fields[i].failed = true;
        fault_place(&fault, fault.file[0] ? NULL : exam->terms->program, 0, 0);
        faults_add(exam->faults, &fault);
        return false;
    }
    round->field->positions += round->questions;
    if (report.forfeit.status != STATUS_OK) {
        round->field->failed = !warning;
        if (when) fault_within(&report.forfeit, "%s", when);
        round_blame(round, warning, &report.forfeit);
        return false;
    }
    round_judge(round, &report);
    return report.reason != REASON_UNFINISHED;
}

/* Compares two games of the same chance. */
static void compare(const struct round *round, const struct round *again) {
    const struct record *one = round->record, *two = again->record;
    struct fault fault = {0};
    size_t at = 0;
    while (at < one->move_count && at < two->move_count &&
           !strcmp(one->moves[at].text, two->moves[at].text))
        at++;
    if (memcmp(&round->setup, &again->setup, sizeof round->setup) != 0)
        fault_set(&fault, STATUS_TEXT, "the same seed gave it another set-up");
    else if (at < one->move_count || at < two->move_count)
        fault_set(&fault, STATUS_TEXT, "the same seed gave another move at ply %zu: %s, then %s",
                  at + 1, at < one->move_count ? one->moves[at].text : "none",
                  at < two->move_count ? two->moves[at].text : "none");
    else
        return;
    round->exam->seeded = false; /* once is enough */
    round_blame(round, true, &fault);
}

static struct round round_of(struct exam *exam, struct field *field, uint32_t number) {
    return (struct round){
        .exam = exam, .field = field, .number = number, .side = number % 2 ? BLUE : RED};
}

static void play_game(struct exam *exam, struct field *field, uint32_t number) {
    struct round round = round_of(exam, field, number), again = round;
    bool whole = round_run(&round, NULL, false);
    field->games++;
    if (whole && exam->seeded && !field->failed && number < TWICE) {
        const uint32_t positions = field->positions;
        if (round_run(&again, NULL, false)) compare(&round, &again);
        field->positions = positions;
    }
    record_free(round.record);
    record_free(again.record);
}

/* One game with lines that are not for the program, in the first variant that it plays well. */
static void play_nonsense(struct exam *exam, const char *lines, bool keys, uint32_t number,
                          const char *when, bool warning) {
    for (int i = 0; i < exam->count; i++) {
        struct field *field = &exam->fields[i];
        if (field->failed || atomic_load(exam->terms->stop)) continue;
        struct round round = round_of(exam, field, number);
        const uint32_t positions = field->positions;
        exam->probe.before = lines;
        exam->probe.keys = keys;
        round_run(&round, when, warning);
        exam->probe.before = NULL;
        exam->probe.keys = false;
        field->positions = positions;
        record_free(round.record);
        return;
    }
}

static void play_all_nonsense(struct exam *exam) {
    play_nonsense(exam, UNKNOWN, true, 0, "with messages and keys that it does not know", false);
    play_nonsense(exam, GARBAGE, false, 1, "with lines that are no messages", true);
}

static void add_field(struct exam *exam, struct rules *rules) {
    const uint64_t name = digest_of(rules->name, strlen(rules->name));
    struct fault unfit = {0};
    if (exam->count == VARIANTS_MAX ||
        (!exam->terms->variant && !player_fits(exam->terms->program, rules, &unfit))) {
        rules_free(rules);
        return;
    }
    exam->fields[exam->count++] =
        (struct field){.rules = rules, .chance = chance_derive(&exam->chance, CHANCE_PAIR, name)};
}

static void find_field(void *context, const char *name, const char *path) {
    struct exam *exam = context;
    struct fault fault = {0};
    (void)path;
    struct rules *rules = loader_variant(exam->terms->folders, name, &fault);
    if (rules) add_field(exam, rules); /* broken ones are told by `ensign list` */
}

static bool exam_open(struct exam *exam, struct fault *fault) {
    const struct compliance_terms *terms = exam->terms;
    exam->seeded = player_has_seed(terms->program);
    json_object_set_new(exam->facts, "found", json_array());
    if (!seed_stretch(terms->seed, &exam->chance, fault)) return false;
    if (!terms->variant) {
        folders_list(terms->folders, FOLDER_VARIANTS, find_field, exam);
        return exam->count ||
               fault_set(fault, STATUS_NOT_FOUND, "no variant that its protocol can express");
    }
    struct rules *rules = loader_variant(terms->folders, terms->variant, fault);
    if (rules) add_field(exam, rules);
    return rules;
}

/* Plays one game after another in each variant, until each has its positions. */
static void exam_run(struct exam *exam) {
    const uint32_t positions = exam->terms->positions;
    const uint32_t games = 4 * positions / GAME_PLIES + GAMES_SPARE;
    for (uint32_t number = 0; number < games; number++) {
        for (int i = 0; i < exam->count; i++) {
            struct field *field = &exam->fields[i];
            if (!field->failed && field->positions < positions && !atomic_load(exam->terms->stop))
                play_game(exam, field, number);
        }
        if (number == 1 && player_has_seed(exam->terms->program)) play_all_nonsense(exam);
    }
}

/* Counts up what was done. False if something was left out. */
static bool exam_sum(struct exam *exam) {
    json_t *variants = json_array();
    json_int_t positions = 0, games = 0;
    bool whole = true;
    for (int i = 0; i < exam->count; i++) {
        const struct field *field = &exam->fields[i];
        json_array_append_new(variants,
                              json_pack("{s:s, s:I, s:I, s:b}", "name", field->rules->name,
                                        "positions", (json_int_t)field->positions, "games",
                                        (json_int_t)field->games, "ok", !field->failed));
        positions += field->positions;
        games += field->games;
        whole = whole && (field->failed || field->positions >= exam->terms->positions);
    }
    json_t *sum = json_pack("{s:I, s:I, s:I, s:o}", "positions", positions, "games", games,
                            "slowest_ms", (json_int_t)exam->slowest, "variants", variants);
    json_object_update(exam->facts, sum);
    json_decref(sum);
    return whole;
}

static void note_left_out(const struct exam *exam) {
    struct fault fault = {0};
    int variants = 0;
    for (int i = 0; i < exam->count; i++)
        variants += exam->fields[i].positions < exam->terms->positions;
    if (atomic_load(exam->terms->stop))
        fault_set(
            &fault, STATUS_TIME,
            "not all positions of %d variants before the time was over; --seconds allows more",
            variants);
    else
        fault_set(&fault, STATUS_TEXT,
                  "not all positions of %d variants: games end early by its answers", variants);
    fault_place(&fault, exam->terms->program, 0, 0);
    faults_warn(exam->faults, &fault);
}

bool compliance_test(const struct compliance_terms *terms, struct faults *faults, json_t *facts) {
    struct fault fault = {0};
    struct exam *exam = calloc(1, sizeof *exam);
    if (!exam) {
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        faults_add(faults, &fault);
        return false;
    }
    exam->terms = terms;
    exam->faults = faults;
    exam->facts = facts;
    bool opened = exam_open(exam, &fault), whole = false;
    if (!opened) faults_add(faults, &fault);
    if (opened) exam_run(exam);
    if (opened) whole = exam_sum(exam);
    if (opened && !whole && !faults->errors) note_left_out(exam);
    for (int i = 0; i < exam->count; i++) rules_free(exam->fields[i].rules);
    free(exam);
    return whole && !faults->errors;
}
