/* What machines tell each other in frames: terms, games, questions and greetings, as a worker or a
 * coordinator takes them once they are opened, and whole messages that nobody has sealed. The first
 * byte says which. What is taken must be sound; a question must not open a file that is not the
 * match's; a game's record must hold what the game says. */
#include "base/digest.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "host/machines/answers.h"
#include "host/machines/verify.h"
#include "host/players.h"
#include "host/record.h"
#include "host/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 10 };

static struct frame frame;
static struct tournament match = {
    .pairing = {3, false}, .player_count = 3, .game_count = 3 * GAMES};
static struct tournament_options options;
static struct folders folders;
static struct answers *answers;
static struct seal_match seal;
static const struct seal_secret none;
static uint8_t worker[SEAL_KEY];
static struct seal_keys keys;

/* One script was read for the match. */
static const char SCRIPT[] = "/bots/mine.lua";

static long size_of(void *context, const char *path) {
    (void)context;
    fuzz_require(!strcmp(path, SCRIPT), "only scripts of the match are read");
    return 5;
}

static long read_of(void *context, const char *path, char *out, size_t size) {
    size_of(context, path);
    memset(out, 'x', size);
    return (long)size;
}

static void begin(void) {
    static const struct reader reader = {size_of, read_of, NULL};
    char text[8];
    if (answers) return;
    fuzz_require(frame_open(&frame, MESSAGES_BYTES_MAX), "memory");
    strcpy(folders.scripts, "/scripts");
    options = (struct tournament_options){
        .folders = &folders, .rules = fuzz_rules_named("duel"), .sources = sources_open(&reader)};
    folders.reader = sources_reader(options.sources);
    folders.reader->read(folders.reader->context, SCRIPT, text, 5);
    struct worker_list *list = worker_list_open();
    struct fault fault = {0};
    for (int i = 0; i < 3; i++) snprintf(match.name[i], sizeof match.name[i], "bot%d", i);
    fuzz_require(seal_match_draw(&seal, &fault) &&
                     seal_worker_draw(seal.open, &none, worker, &keys, &fault),
                 "keys");
    answers = answers_open(&(struct answers_options){.match = &match,
                                                     .options = &options,
                                                     .seal = &seal,
                                                     .secret = &none,
                                                     .variant = "duel",
                                                     .version = "1",
                                                     .digest = 1,
                                                     .list = list});
    fuzz_require(answers, "memory");
}

static void take_terms(void) {
    struct terms terms;
    struct fault fault = {0};
    if (terms_take(&frame, &terms, &fault)) {
        static const struct permits nothing = {.fuel = 1, .memory = 1, .deadline = 1};
        fuzz_require(terms.options.player_count <= TOURNAMENT_PLAYERS_MAX &&
                         terms.options.family_count <= 2 && terms.options.games % 2 == 0,
                     "terms are those of a match");
        if (terms_are_permitted(&terms, &nothing, &fault)) {
            fuzz_require(!terms.trust && terms.options.limits.memory <= 1, "what is not permitted");
            for (int i = 0; i < terms.options.player_count; i++)
                fuzz_require(!player_is_program(terms.players[i]), "no program is permitted");
        } else {
            fuzz_require_fault(&fault);
        }
    } else {
        fuzz_require_fault(&fault);
    }
    terms_clear(&terms);
}

static bool is_safe(const char *text) {
    for (; *text; text += *text == '\n') {
        const size_t line = strcspn(text, "\n");
        if (!utf8_is_safe(text, line)) return false;
        text += line;
    }
    return true;
}

static void look_at(const struct finished *game) {
    const struct tournament_game *end = &game->game;
    fuzz_require(digest_of(game->record, strlen(game->record)) == end->hash,
                 "a record has its hash");
    fuzz_require(is_safe(game->record), "a record can be shown");
    fuzz_require(end->result > RESULT_NONE && end->result < RESULT_COUNT &&
                     end->reason > REASON_NONE && end->reason < REASON_UNFINISHED &&
                     end->plies <= SESSION_PLIES_MAX,
                 "an end of a game");
    for (int side = 0; side < 2; side++) {
        const struct usage *usage = &game->usage[side];
        fuzz_require(is_safe(game->setup[side]), "a set-up can be shown");
        fuzz_require(usage->calls <= 2 * (end->plies + 1ull) &&
                         usage->fuel_greatest <= usage->fuel && usage->ns_greatest <= usage->ns &&
                         usage->fuel <= INT64_MAX,
                     "calls of a game");
    }
    struct fault fault = {0};
    if (!verify_game(&match, &options, game, &fault)) fuzz_require_fault(&fault);
}

static void take_games(void) {
    struct finished *games[2];
    if (!games_take(&frame, &match, 2, games)) return;
    for (int i = 0; i < 2; i++) {
        fuzz_require(games[i]->number == 4 + (uint32_t)i, "the games of the pair");
        look_at(games[i]);
    }
    pair_allows(&match, &options, games);
    games_digest(games);
    for (int i = 0; i < 2; i++) finished_free(games[i]);
}

/* A record that says of itself what the game is. */
static void replay(const uint8_t *data, size_t size) {
    struct fault fault = {0};
    struct record *record = record_read((const char *)data, size, &fault);
    struct finished game = {.number = 4, .record = malloc(size + 1)};
    fuzz_require(record && game.record, "memory");
    memcpy(game.record, data, size);
    game.record[size] = 0;
    pairing_players(&match.pairing, 2, game.game.player);
    game.game.result = (uint8_t)result_named(record_tag_or(record, "Result", ""));
    game.game.reason = (uint8_t)reason_named(record_tag_or(record, "Reason", ""));
    game.game.seed = strtoull(record_tag_or(record, "Seed", ""), NULL, 10);
    game.game.plies = (uint32_t)record->move_count;
    snprintf(game.setup[RED], SETUP_TEXT_MAX, "%s", record_tag_or(record, "RedSetup", ""));
    snprintf(game.setup[BLUE], SETUP_TEXT_MAX, "%s", record_tag_or(record, "BlueSetup", ""));
    fault = (struct fault){0};
    if (game.game.result < RESULT_COUNT && game.game.reason < REASON_COUNT) {
        if (!verify_game(&match, &options, &game, &fault))
            fuzz_require_fault(&fault);
        else
            fuzz_require(!record->damaged, "a damaged record is none of a match");
    }
    record_free(record);
    free(game.record);
}

/* A question that a worker has sealed, with a greeting of now if it has any. */
static void ask(const uint8_t *data, size_t size) {
    struct messages_greeting greeting;
    size_t question_length = 0, length = 0;
    uint32_t yes;
    const bool greets = messages_take_greeting(&frame, &greeting);
    const size_t taken = greets ? frame.at : 0;
    frame_clear(&frame);
    if (greets) messages_put_greeting(&frame, &greeting);
    frame_put(&frame, data + taken, size - taken);
    unsigned char *sealed =
        messages_seal(worker, &keys, MESSAGES_QUESTION, &frame, &question_length);
    unsigned char *answer = sealed ? answers_hear(answers, sealed, question_length, &length) : NULL;
    fuzz_require(answer && length >= SEAL_EXTRA + sizeof yes, "every question is answered");
    unsigned char *opened = malloc(length);
    fuzz_require(opened && seal_open(keys.to_worker, MESSAGES_ANSWER, sealed + MESSAGES_HEAD,
                                     answer, length, opened),
                 "the answer is sealed for the question");
    memcpy(&yes, opened, sizeof yes);
    fuzz_require(yes <= 1, "yes or no");
    free(answer);
    answer = answers_hear(answers, sealed, question_length, &length);
    fuzz_require(!answer || !greets, "nothing that is repeated is answered");
    free(sealed);
    free(answer);
    free(opened);
}

/* Bytes that nobody has sealed. */
static void shout(const uint8_t *data, size_t size) {
    size_t length;
    fuzz_require(!answers_hear(answers, data, size, &length), "what is not sealed is not answered");
}

static void greet(void) {
    struct messages_greeting greeting;
    if (!messages_take_greeting(&frame, &greeting)) return;
    fuzz_require(messages_is_name(greeting.worker) && is_safe(greeting.version) &&
                     greeting.threads >= 1 && greeting.threads <= TOURNAMENT_JOBS_MAX,
                 "a greeting can be shown");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { TERMS, GAMES_OF_A_PAIR, QUESTION, NOISE, GREETING, RECORD, KINDS };
    begin();
    if (!size || size > MESSAGES_BYTES_MAX / 2) return 0;
    frame_clear(&frame);
    frame_put(&frame, data + 1, size - 1);
    switch (*data % KINDS) {
    case TERMS:
        take_terms();
        break;
    case GAMES_OF_A_PAIR:
        take_games();
        break;
    case QUESTION:
        ask(data + 1, size - 1);
        break;
    case NOISE:
        shout(data + 1, size - 1);
        break;
    case GREETING:
        greet();
        break;
    case RECORD:
        replay(data + 1, size - 1);
        break;
    }
    return 0;
}
