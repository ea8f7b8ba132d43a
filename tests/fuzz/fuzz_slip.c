/* What machines tell each other: terms and games as a worker or a coordinator takes them, and
 * questions as the coordinator answers them. The first byte says which. What is taken must be
 * sound; a question must not open a file that is not the match's. */
#include "base/utf8.h"
#include "fuzz.h"
#include "host/machines/answers.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { GAMES = 10 };

static struct frame frame;
static struct tournament match = {
    .pairing = {3, false}, .player_count = 3, .game_count = 3 * GAMES};
static struct tournament_options options;
static struct folders folders;
static struct answers *answers;

/* One script was read for the match, and it may require others. */
static const char SCRIPT[] = "/bots/mine.lua";

static long size_of(void *context, const char *path) {
    (void)context;
    const size_t length = strlen(path);
    const bool module = (!strncmp(path, "/bots/", 6) || !strncmp(path, "/scripts/", 9)) &&
                        length > 4 && !strcmp(path + length - 4, ".lua") && !strstr(path, "/.");
    fuzz_require(module, "only scripts of the match and their modules are read");
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
    fuzz_require(frame_open(&frame, SLIP_BYTES_MAX), "memory");
    strcpy(folders.scripts, "/scripts");
    options = (struct tournament_options){
        .folders = &folders, .rules = fuzz_rules_named("duel"), .sources = sources_open(&reader)};
    folders.reader = sources_reader(options.sources);
    folders.reader->read(folders.reader->context, SCRIPT, text, 5);
    struct roster *roster = roster_open();
    answers = answers_open(&(struct answers_options){.match = &match,
                                                     .options = &options,
                                                     .variant = "duel",
                                                     .version = "1",
                                                     .digest = 1,
                                                     .roster = roster});
    fuzz_require(answers, "memory");
}

static void take_terms(void) {
    struct terms terms;
    struct fault fault = {0};
    if (terms_take(&frame, &terms, &fault)) {
        fuzz_require(terms.options.player_count <= TOURNAMENT_PLAYERS_MAX &&
                         terms.options.family_count <= 2 && terms.options.games % 2 == 0,
                     "terms are those of a match");
    } else {
        fuzz_require_fault(&fault);
    }
    terms_clear(&terms);
}

static void take_games(void) {
    struct finished *games[2];
    if (!games_take(&frame, &match, 2, games)) return;
    for (int i = 0; i < 2; i++) {
        fuzz_require(games[i]->number == 4 + (uint32_t)i, "the games of the pair");
        fuzz_require(XXH3_64bits(games[i]->record, strlen(games[i]->record)) == games[i]->game.hash,
                     "a record has its hash");
        for (int side = 0; side < 2; side++)
            fuzz_require(utf8_is_safe(games[i]->setup[side], strlen(games[i]->setup[side])),
                         "a set-up can be shown");
    }
    games_digest(games);
    for (int i = 0; i < 2; i++) finished_free(games[i]);
}

static void ask(const uint8_t *data, size_t size) {
    void *reply = NULL;
    size_t length = 0;
    uint32_t yes;
    answers_hear(answers, "", data, size, &reply, &length);
    fuzz_require(reply && length >= sizeof yes, "every question is answered");
    memcpy(&yes, reply, sizeof yes);
    fuzz_require(yes <= 1, "yes or no");
    free(reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    begin();
    if (!size) return 0;
    if (*data % 3 == 2) {
        ask(data + 1, size - 1);
        return 0;
    }
    frame_clear(&frame);
    frame_put(&frame, data + 1, size - 1);
    if (*data % 3)
        take_games();
    else
        take_terms();
    return 0;
}
