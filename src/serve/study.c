/* study.c - reads a record, plays it, and answers from that; bots are asked in slices of time. */
#include "study.h"

#include "base/clock.h"
#include "base/words.h"
#include "host/analysis.h"
#include "host/bot_levels.h"
#include "host/hint.h"
#include "host/playback.h"
#include "host/records.h"
#include "host/seat/message.h"
#include "host/seat/reply.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 20,          /* ms of an analysis, before others */
    PROGRESS_EACH = 250, /* ms */
    TRIED_MAX = 1000,    /* moves that follow those of a record */
    GAME_ID_MAX = 40,
    PLIES_MAX = 1 << 20
};

struct studies {
    struct study_terms terms;
    atomic_bool stopped;
    pthread_mutex_t lock;            /* guards what follows */
    char appraiser[FOLDER_PATH_MAX]; /* the strongest bot that says how its chances stand; "": to be
                                      found */
};

enum study_sort { STUDY_ANALYSE, STUDY_EXPLORE, STUDY_ADVISE, STUDY_SORTS };
static const char *const TYPES[STUDY_SORTS] = {"analyse", "explore", "advise"};

struct study {
    struct task task; /* first */
    struct studies *studies;
    enum study_sort sort;
    struct client *client;  /* held */
    json_t *request;        /* held */
    char game[GAME_ID_MAX]; /* "": of a record alone */
    char *text;             /* of the record; owned */
    struct bot_claim claim;

    /* What is asked. */
    const char *bot, *moves; /* of the request; NULL: none */
    enum onlooker eyes;
    uint64_t ply; /* moves of the record that are played */
    bool from_there;
    uint64_t from; /* plies that the client knows */

    struct record *record;         /* owned; NULL: not read yet */
    const struct edition *edition; /* held */
    enum result result;            /* of the record, played to its end */
    enum reason reason;
    struct analysis_options options;
    struct analysis analysis;
    struct analyser *analyser;
    char appraiser[FOLDER_PATH_MAX];
    int64_t told_at; /* clock_ms() of the last word about the progress */
};

struct studies *studies_open(const struct study_terms *terms) {
    struct studies *studies = calloc(1, sizeof *studies);
    if (!studies) return NULL;
    studies->terms = *terms;
    pthread_mutex_init(&studies->lock, NULL);
    return studies;
}

void studies_close(struct studies *studies) {
    if (!studies) return;
    pthread_mutex_destroy(&studies->lock);
    free(studies);
}

void studies_stop(struct studies *studies) {
    atomic_store(&studies->stopped, true);
}

static enum study_sort sort_of(const char *type) {
    enum study_sort sort = 0;
    while (sort < STUDY_SORTS && strcmp(type, TYPES[sort]) != 0) sort++;
    return sort;
}

bool study_is(const char *type) {
    return sort_of(type) < STUDY_SORTS;
}

static void study_reply(const struct study *study, json_t *message) {
    if (message && study->game[0]) json_object_set_new(message, "game", json_string(study->game));
    client_send(study->client, reply_to(study->request, message));
}

/* Frees the study and answers with `reply`, which is taken; NULL: its caller answers. What the
   study held is given back first, so that who hears the answer can ask again at once. */
static void study_end(struct study *study, json_t *reply) {
    analyser_close(study->analyser);
    analysis_clear(&study->analysis);
    record_free(study->record);
    if (study->edition) variant_cache_return(study->studies->terms.variants, study->edition);
    bot_slots_give(study->studies->terms.slots, &study->claim);
    visitor_give(client_visitor(study->client), HOLDS_STUDIES);
    if (reply) study_reply(study, reply);
    client_is_answered(study->client);
    client_release(study->client);
    json_decref(study->request);
    free(study->text);
    free(study);
}

/* Reads the record and plays it to its end. */
static bool read_record(struct study *study, struct fault *fault) {
    const struct study_terms *terms = &study->studies->terms;
    study->record = record_read(study->text, strlen(study->text), fault);
    if (!study->record) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a record");
    if (study->record->damaged) return fault_within(fault, "in the record");
    const char *variant = record_tag(study->record, "Variant");
    if (!variant || (!terms->open && !word_is_name(variant)))
        return fault_set(fault, STATUS_TEXT,
                         "in the record: tag \"Variant\": expected the name of a variant");
    study->edition = variant_cache_take(terms->variants, variant, fault);
    if (!study->edition) return false;
    struct playback replay;
    const bool played = playback_open(&replay, study->record, study->edition->rules, fault) &&
                        playback_run(&replay, UINT32_MAX, fault);
    study->result = replay.result;
    study->reason = replay.reason;
    playback_close(&replay);
    return played || fault_within(fault, "in the record");
}

static struct player_options seat_of(const struct study *study) {
    const struct study_terms *terms = &study->studies->terms;
    return (struct player_options){.folders = &study->edition->folders,
                                   .rules = study->edition->rules,
                                   .limits = terms->limits,
                                   .deadline = terms->deadline,
                                   .programs = {.refused = true},
                                   .template = study->edition->template,
                                   .give_up = &study->studies->stopped};
}

/* Opens the record's game before its first move, with room for moves that follow. */
static struct session *open_line(const struct study *study, struct fault *fault) {
    const struct rules *rules = study->edition->rules;
    struct position position;
    struct limits limits;
    if (!record_start(study->record, rules, &position, &limits, fault)) return NULL;
    const struct session_options options = {.rules = rules,
                                            .position = &position,
                                            .limits = &limits,
                                            .plies = (uint32_t)study->record->move_count +
                                                     TRIED_MAX + 1};
    return session_open(&options, fault);
}

/* Who hears of a line's turns: the client, as a list of messages, or a bot that advises. */
struct hearer {
    const struct study *study;
    json_t *told;         /* NULL: nothing is told */
    struct hint *hint[2]; /* of the sides; NULL: none */
};

static bool hear_turn(const struct hearer *hearer, const struct session *session,
                      struct fault *fault) {
    const struct study *study = hearer->study;
    const struct outlook outlook = outlook_of(study->eyes, &session->eyes);
    bool heard = true;
    if (hearer->told && (!study->from_there || session->game.ply_count > study->from))
        heard = !json_array_append_new(hearer->told, message_events(&outlook));
    for (int side = RED; side <= BLUE; side++)
        if (hearer->hint[side])
            heard = heard && hint_observe(hearer->hint[side], &session->eyes.view[side],
                                          &session->eyes.told[side]);
    return heard || fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
}

static bool play_turn(const struct hearer *hearer, struct session *session, const char *text,
                      size_t length, struct fault *fault) {
    enum verdict verdict;
    if (session->over)
        return fault_set(fault, STATUS_ILLEGAL_MOVE, "%.*s: the game is over", (int)length, text);
    return session_play_text(session, text, length, &verdict, fault) &&
           hear_turn(hearer, session, fault);
}

/* Plays what is asked: moves of the record, then others. */
static bool play_line(const struct hearer *hearer, struct session *session, struct fault *fault) {
    const struct study *study = hearer->study;
    const struct record *record = study->record;
    const uint64_t count = study->ply < record->move_count ? study->ply : record->move_count;
    for (int side = RED; side <= BLUE; side++)
        if (hearer->hint[side]) hint_start(hearer->hint[side], &session->eyes.view[side]);
    for (uint64_t at = 0; at < count; at++)
        if (!play_turn(hearer, session, record->moves[at].text, strlen(record->moves[at].text),
                       fault))
            return false;
    const char *move = study->moves ? study->moves : "";
    int tried = 0;
    for (size_t length; *(move += strspn(move, " ")); move += length) {
        length = strcspn(move, " ");
        if (tried++ == TRIED_MAX)
            return fault_set(fault, STATUS_TEXT, "\"moves\": expected at most %d", TRIED_MAX);
        if (!play_turn(hearer, session, move, length, fault)) return false;
    }
    /* The record's end, where it is not by the rules. */
    if (!session->over && !tried && count == record->move_count && study->result != RESULT_NONE) {
        session_stop(session, study->result, study->reason);
        return !hearer->told || hear_turn(hearer, session, fault);
    }
    return true;
}

static json_t *legal_moves(struct session *session, struct fault *fault) {
    size_t count;
    const struct move *moves = session_moves(session, &count, fault);
    if (!moves) return NULL;
    const struct view *view = &session->eyes.view[session->game.to_move];
    json_t *asked = message_move(view, moves, count, NULL);
    json_t *list = json_incref(json_object_get(asked, "moves"));
    json_decref(asked);
    return list;
}

/* What the client is told of the beginning. */
static void tell_start(const struct study *study, const struct session *session, json_t *told) {
    const struct record *record = study->record;
    const struct message_table about = {
        .id = study->game[0] ? study->game : "record",
        .names = {record_tag_or(record, "Red", "?"), record_tag_or(record, "Blue", "?")},
        .rules = study->edition->rules,
        .first = session->start.to_move,
        .limits = session->limits};
    const struct outlook outlook = outlook_of(study->eyes, &session->eyes);
    json_array_append_new(told, message_game(&about, study->eyes));
    json_array_append_new(told, message_start(&outlook));
}

static json_t *explore(const struct study *study, struct session *session, struct fault *fault) {
    json_t *told = json_array(), *moves = NULL;
    const struct hearer hearer = {.study = study, .told = told};
    if (!study->from_there) tell_start(study, session, told);
    bool done = play_line(&hearer, session, fault);
    if (done && session->over)
        json_array_append_new(told, message_end(session));
    else if (done)
        done = (moves = legal_moves(session, fault));
    json_t *reply = done ? json_pack("{s:s, s:s, s:I, s:O}", "type", "explored", "eyes",
                                     onlooker_name(study->eyes), "ply",
                                     (json_int_t)session->game.ply_count, "told", told)
                         : NULL;
    if (reply && moves) json_object_set(reply, "moves", moves);
    json_decref(told);
    json_decref(moves);
    return reply;
}

static json_t *candidate_json(const struct view *view, struct move move,
                              const struct candidate *candidate) {
    char text[MOVE_TEXT_MAX];
    move_text(view->rules, move, view_enters_enemy(view, move), text);
    json_t *json = json_pack("{s:s, s:f}", "move", text, "score", candidate->score);
    if (candidate->chance >= 0) json_object_set_new(json, "chance", json_real(candidate->chance));
    if (candidate->stake >= 0) json_object_set_new(json, "stake", json_real(candidate->stake));
    return json;
}

static json_t *advice_json(const struct study *study, const struct view *view, struct move move,
                           const struct advice *advice, const struct move *moves) {
    char text[MOVE_TEXT_MAX];
    json_t *list = json_array();
    for (int i = 0; i < advice->count; i++)
        json_array_append_new(
            list, candidate_json(view, moves[advice->list[i].chosen], &advice->list[i]));
    move_text(view->rules, move, view_enters_enemy(view, move), text);
    return json_pack("{s:s, s:s, s:s, s:I, s:s, s:b, s:o}", "type", "advice", "bot", study->bot,
                     "side", side_name(view->side), "ply", (json_int_t)view->plies, "move", text,
                     "percent", (int)advice->percent, "candidates", list);
}

static json_t *advise(const struct study *study, struct session *session, struct fault *fault) {
    const struct study_terms *terms = &study->studies->terms;
    struct hint hint[2] = {0};
    const struct hearer hearer = {.study = study, .hint = {&hint[RED], &hint[BLUE]}};
    struct move move;
    struct advice advice;
    size_t count = 0;
    json_t *reply = NULL;
    bool played = play_line(&hearer, session, fault);
    if (played && session->over)
        played = fault_set(fault, STATUS_USAGE, "the game is over: no move can be made");
    const struct move *moves = played ? session_moves(session, &count, fault) : NULL;
    const int side = session->game.to_move;
    hint[side].options = (struct hint_options){
        .bot = study->bot,
        .player = seat_of(study),
        .chance = chance_derive(&terms->key, CHANCE_HINT, session->game.ply_count)};
    const struct view *view = &session->eyes.view[side];
    if (moves &&
        hint_ask(&hint[side], view, moves, count, &study->studies->stopped, &move, &advice, fault))
        reply = advice_json(study, view, move, &advice, moves);
    hint_clear(&hint[RED]);
    hint_clear(&hint[BLUE]);
    return reply;
}

/* The bot that is asked, unless the request names one. */
static bool find_appraiser(struct study *study, struct fault *fault) {
    struct studies *studies = study->studies;
    struct bot_levels levels = {0};
    pthread_mutex_lock(&studies->lock);
    if (!studies->appraiser[0] || studies->terms.open) {
        const bool read = bot_levels_read(studies->terms.folders, &levels, fault);
        const struct rung *rung = read ? bot_levels_appraiser(&levels) : NULL;
        snprintf(studies->appraiser, sizeof studies->appraiser, "%s", rung ? rung->name : "");
        bot_levels_clear(&levels);
    }
    snprintf(study->appraiser, sizeof study->appraiser, "%s", studies->appraiser);
    pthread_mutex_unlock(&studies->lock);
    return study->appraiser[0] || fault->status != STATUS_OK ||
           fault_set(fault, STATUS_NOT_FOUND, "no bot here says how its chances stand");
}

static bool begin_analysis(struct study *study, struct fault *fault) {
    if (!study->bot && !find_appraiser(study, fault)) return false;
    study->options = (struct analysis_options){.seat = seat_of(study),
                                               .bot = study->bot ? study->bot : study->appraiser};
    if (!records_seed(study->record, &study->options.seed, fault)) return false;
    study->analyser = analyser_open(&study->options, study->record, &study->analysis, fault);
    return study->analyser;
}

/* Says how far the analysis is, to a client that can tell which of its requests it is. */
static void tell_progress(struct study *study) {
    const int64_t now = clock_ms();
    json_t *id = json_object_get(study->request, "id");
    if (!id || now - study->told_at < PROGRESS_EACH) return;
    study->told_at = now;
    client_send(study->client, json_pack("{s:s, s:O, s:I, s:I}", "type", "progress", "request", id,
                                         "ply", (json_int_t)analyser_ply(study->analyser), "plies",
                                         (json_int_t)study->analysis.count));
}

/* A slice of an analysis. True if there is more. */
static bool analyse(struct study *study, struct fault *fault) {
    const int64_t until = clock_ms() + SLICE;
    if (!study->analyser && !begin_analysis(study, fault)) return false;
    tell_progress(study);
    bool more = true;
    while (more && clock_ms() < until) more = analyser_step(study->analyser, fault);
    return more;
}

static json_t *analysed(const struct study *study) {
    json_t *document = analysis_json(&study->analysis, study->edition->rules, study->record);
    return document ? json_pack("{s:s, s:o}", "type", "analysis", "analysis", document) : NULL;
}

/* The reply; NULL with a fault, or, if there is `more` to do, without one. */
static json_t *study_answer(struct study *study, bool *more, struct fault *fault) {
    *more = false;
    if (!study->edition && !read_record(study, fault)) return NULL;
    if (study->sort == STUDY_ANALYSE) {
        *more = analyse(study, fault);
        return *more || fault->status != STATUS_OK ? NULL : analysed(study);
    }
    struct session *session = open_line(study, fault);
    if (!session) return NULL;
    json_t *reply = study->sort == STUDY_EXPLORE ? explore(study, session, fault)
                                                 : advise(study, session, fault);
    session_close(session);
    return reply;
}

static enum task_result study_run(struct task *task) {
    struct study *study = (struct study *)task;
    struct studies *studies = study->studies;
    struct fault fault = {0};
    json_t *reply = NULL;
    const bool wanted = !atomic_load(&studies->stopped) && !client_is_gone(study->client);
    if (wanted && study->claim.bots && !bot_slots_take(studies->terms.slots, &study->claim, true))
        return TASK_IDLE;
    if (wanted) {
        bool more;
        reply = study_answer(study, &more, &fault);
        if (more) return TASK_MORE;
        if (!reply && fault.status == STATUS_OK)
            fault_set(&fault, STATUS_NO_MEMORY, "no memory for a reply");
        if (!reply) reply = message_error(&fault);
    }
    study_end(study, reply);
    studies->terms.done(studies->terms.context);
    return TASK_ENDED;
}

/* Reads what is asked. */
static bool study_read(struct study *study, struct fault *fault) {
    const json_t *request = study->request;
    const char *text, *eyes;
    bool there;
    study->ply = PLIES_MAX;
    study->eyes = ONLOOKER_ALL;
    if (!reply_text(request, "record", &text, fault) ||
        !reply_text(request, "bot", &study->bot, fault) ||
        !reply_text(request, "moves", &study->moves, fault) ||
        !reply_text(request, "eyes", &eyes, fault) ||
        !reply_number(request, "ply", PLIES_MAX, &there, &study->ply, fault) ||
        !reply_number(request, "from", PLIES_MAX, &study->from_there, &study->from, fault))
        return false;
    if (eyes) study->eyes = onlooker_named(eyes);
    if (study->eyes == ONLOOKERS)
        return fault_set(fault, STATUS_TEXT,
                         "\"eyes\": expected \"public\", \"red\", \"blue\" or \"all\"");
    if (study->sort == STUDY_ADVISE && !study->bot)
        return fault_set(fault, STATUS_TEXT, "\"bot\": expected the name of a bot");
    if (study->bot && !study->studies->terms.open && !word_is_name(study->bot))
        return fault_set(fault, STATUS_USAGE, "\"bot\": expected the name of a bot");
    if (!study->text && text) study->text = strdup(text);
    return study->text ||
           fault_set(fault, STATUS_TEXT, "\"record\": expected the text of a record");
}

bool study_begin(struct studies *studies, struct client *client, const json_t *request,
                 const char *game, char *record, struct fault *fault) {
    struct visitor *visitor = client_visitor(client);
    struct study *study = NULL;
    if (!visitor_spend(visitor, RATE_BACKGROUND, 1, fault) ||
        !visitor_take(visitor, HOLDS_STUDIES, fault)) {
        free(record);
        return false;
    }
    study = calloc(1, sizeof *study);
    if (!study) {
        visitor_give(visitor, HOLDS_STUDIES);
        free(record);
        return fault_set(fault, STATUS_NO_MEMORY, "no memory for a request");
    }
    *study = (struct study){.task = {.run = study_run, .source = visitor_source(visitor)},
                            .studies = studies,
                            .sort = sort_of(json_string_value(json_object_get(request, "type"))),
                            .client = client_hold(client),
                            .request = json_deep_copy(request),
                            .text = record,
                            .claim = {.share = visitor_bots(visitor), .study = true}};
    study->claim.task = &study->task;
    study->claim.bots = study->sort == STUDY_ANALYSE ? 2 : study->sort == STUDY_ADVISE ? 1 : 0;
    if (game) snprintf(study->game, sizeof study->game, "%s", game);
    client_asks(client);
    if (study->request && study_read(study, fault) &&
        task_begin(studies->terms.workers, &study->task, TASK_STUDY, fault)) {
        task_wake(&study->task);
        return true;
    }
    study_end(study, NULL);
    return false;
}
