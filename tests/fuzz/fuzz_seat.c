/* What a program says through the seat protocol. The target replaces the process (see
 * CMakeLists.txt) and plays a whole game: the first byte gives variant, side and opponent, the rest
 * are the program's lines. A line "." is a sound answer, ":N" the N-th of the moves that are
 * offered; when the lines are used up, all answers are sound. Whatever the host sends must fit the
 * schema, a refused answer must leave the session as it was, and after an error or a refusal the
 * same question must be asked. */
#include "fuzz.h"
#include "host/program/player_json.h"
#include "host/program/process.h"
#include "host/referee.h"
#include "host/session.h"
#include "schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES = 24, BLANKS_MAX = 4096 };

static struct {
    const uint8_t *data;
    size_t size, at;
    json_t *question; /* the last one; NULL if it was answered by a turn */
    bool again;       /* it was declined or unreadable: only the same may be asked */
    bool over;        /* `end` was sent */
} program;

static const char *type_of(const json_t *message) {
    const char *type = json_string_value(json_object_get(message, "type"));
    return type ? type : "";
}

static bool is_question(const char *type) {
    return !strcmp(type, "setup") || !strcmp(type, "move") || !strcmp(type, "draw");
}

static void take_message(json_t *message) {
    const char *type = type_of(message);
    char definition[32], why[SCHEMA_WHY_MAX];
    snprintf(definition, sizeof definition, "tells_%.20s", type);
    if (!schema_fits(definition, message, why)) fuzz_require(false, why);
    fuzz_require(!program.over, "nothing follows the end");
    program.over = !strcmp(type, "end");
    if (!strcmp(type, "events")) program.again = false;
    if (!strcmp(type, "refused")) program.again = true;
    if (!is_question(type)) return;
    if (program.again)
        fuzz_require(json_equal(program.question, message), "the same question is asked again");
    program.again = false;
    json_decref(program.question);
    program.question = json_incref(message);
}

struct process *__wrap_process_start(const char *path, const char *folder, char *const *words,
                                     const struct external_wall *wall, struct fault *fault);
void __wrap_process_send(struct process *process, const void *bytes, size_t length);
void __wrap_process_flush(struct process *process);
enum process_answer __wrap_process_line(struct process *process, char *line, size_t size,
                                        int milliseconds);
void __wrap_process_status(struct process *process, char out[PROCESS_STATUS_MAX]);
size_t __wrap_process_errors(struct process *process, char *out, size_t size);
void __wrap_process_stop(struct process *process, int milliseconds, char out[PROCESS_STATUS_MAX]);
bool __real_session_play_text(struct session *session, const char *text, size_t length,
                              enum verdict *verdict, struct fault *fault);
bool __wrap_session_play_text(struct session *session, const char *text, size_t length,
                              enum verdict *verdict, struct fault *fault);

struct process *__wrap_process_start(const char *path, const char *folder, char *const *words,
                                     const struct external_wall *wall, struct fault *fault) {
    (void)path, (void)folder, (void)words, (void)wall, (void)fault;
    return (struct process *)&program;
}

void __wrap_process_send(struct process *process, const void *bytes, size_t length) {
    const char *text = bytes;
    json_t *message = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    (void)process;
    fuzz_require(length && memchr(text, '\n', length) == text + length - 1, "a message is a line");
    fuzz_require(message != NULL, "a message is JSON");
    take_message(message);
    json_decref(message);
}

void __wrap_process_flush(struct process *process) {
    (void)process;
}

/* The answer to the last question, with one of the moves offered. */
static size_t answer_soundly(unsigned number, char *line, size_t size) {
    const char *type = type_of(program.question);
    const json_t *moves = json_object_get(program.question, "moves");
    if (!strcmp(type, "setup"))
        return (size_t)snprintf(line, size, "{\"type\":\"setup\",\"setup\":null}");
    if (!strcmp(type, "draw"))
        return (size_t)snprintf(line, size, "{\"type\":\"draw\",\"accept\":false}");
    const json_t *move = json_array_get(moves, number % json_array_size(moves));
    return (size_t)snprintf(line, size, "{\"type\":\"move\",\"move\":\"%s\"}",
                            json_string_value(move));
}

/* The next line that is not blank, as process_line() gives it. */
enum process_answer __wrap_process_line(struct process *process, char *line, size_t size,
                                        int milliseconds) {
    size_t blanks = 0;
    (void)process, (void)milliseconds;
    while (program.at < program.size) {
        const char *text = (const char *)program.data + program.at;
        const size_t left = program.size - program.at;
        const char *end = memchr(text, '\n', left);
        const size_t length = end ? (size_t)(end - text) : left;
        program.at += length + 1;
        if (!length && ++blanks < BLANKS_MAX) continue;
        if (!length || length >= size) return PROCESS_LONG;
        for (size_t i = 0; i < length; i++) line[i] = text[i] ? text[i] : '?';
        line[length] = 0;
        if (!strcmp(line, "!end")) return PROCESS_END;
        if (!strcmp(line, "!late")) return PROCESS_LATE;
        if (*line == '.' || *line == ':')
            answer_soundly((unsigned)strtoul(line + 1, NULL, 10), line, size);
        return PROCESS_LINE;
    }
    answer_soundly((unsigned)program.size, line, size);
    return PROCESS_LINE;
}

void __wrap_process_status(struct process *process, char out[PROCESS_STATUS_MAX]) {
    (void)process;
    strcpy(out, "exit code 0");
}

size_t __wrap_process_errors(struct process *process, char *out, size_t size) {
    (void)process, (void)size;
    out[0] = 0;
    return 0;
}

void __wrap_process_stop(struct process *process, int milliseconds, char out[PROCESS_STATUS_MAX]) {
    (void)process, (void)milliseconds;
    out[0] = 0;
}

bool __wrap_session_play_text(struct session *session, const char *text, size_t length,
                              enum verdict *verdict, struct fault *fault) {
    static struct session before;
    before = *session;
    if (__real_session_play_text(session, text, length, verdict, fault)) return true;
    fuzz_require_fault(fault);
    fuzz_require(!memcmp(&before, session, sizeof before), "a refused move changes nothing");
    return false;
}

/* The opponent: random moves, and draws as the first byte says. */
struct enemy {
    struct random random;
    bool offers, accepts;
    uint32_t offered; /* ply of its last offer */
};

static bool enemy_move(void *self, const struct view *view, const struct move *moves, size_t count,
                       struct answer *answer, struct fault *fault) {
    struct enemy *enemy = self;
    (void)fault;
    if (enemy->offers && enemy->offered != view->plies) {
        enemy->offered = view->plies;
        answer->type = ANSWER_DRAW;
        return true;
    }
    *answer = (struct answer){.move = moves[random_below(&enemy->random, (uint32_t)count)]};
    return true;
}

static bool enemy_accepts_draw(void *self, const struct view *view) {
    (void)view;
    return ((struct enemy *)self)->accepts;
}

static void play(const struct rules *rules, enum side side, struct player *json,
                 struct enemy *enemy) {
    struct player *players[2];
    struct player other = {
        .name = "enemy", .self = enemy, .move = enemy_move, .accepts_draw = enemy_accepts_draw};
    struct setup setup;
    struct referee_report report;
    struct fault fault = {0};
    struct record *record = record_new();
    struct referee_options options = {.first = RED, .limits = &(struct limits){0, PLIES}};
    fuzz_require(record && setup_random(rules, RED, &enemy->random, &setup, &fault), "an enemy");
    options.setups[side_other(side)] = &setup;
    players[side] = json;
    players[side_other(side)] = &other;
    fuzz_require(referee_play(rules, players, &options, record, &report, &fault), fault.text);
    if (report.forfeit.status != STATUS_OK) {
        fuzz_require_fault(&report.forfeit);
        fuzz_require(report.result == result_win(side_other(side)), "the program forfeits");
    }
    char *text = record_write(record);
    struct record *again = text ? record_read(text, strlen(text), &fault) : NULL;
    fuzz_require(again && !again->damaged, "the record can be read");
    record_free(again);
    free(text);
    record_free(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct chance chance = {{1}};
    struct fault fault = {0};
    struct player player = {0};
    const unsigned first = size ? data[0] : 0;
    const struct rules *rules = fuzz_rules(first >> 3);
    struct enemy enemy = {.random = random_stream(size, STREAM_PLAYOUT, 0),
                          .offers = first & 2,
                          .accepts = first & 4,
                          .offered = UINT32_MAX};
    memset(&program, 0, sizeof program);
    program.data = data;
    program.size = size;
    program.at = size ? 1 : 0;
    const struct json_options options = {.rules = rules,
                                         .folders = fuzz_folders(),
                                         .chance = &chance,
                                         .program = {.label = "fuzz", .deadline = 1000}};
    fuzz_require(player_json(&player, "/bin/sh", &options, &fault), fault.text);
    play(rules, first & 1 ? BLUE : RED, &player, &enemy);
    player.close(player.self);
    json_decref(program.question);
    return 0;
}
