#include "messages.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "host/players.h"
#include "host/record.h"
#include "host/session.h"
#include "jail/codec.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

bool messages_is_name(const char *name) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return name[0] && strlen(name) < MESSAGES_WORKER_MAX && !name[strspn(name, letters)];
}

struct messages_hash messages_hash(const void *bytes, size_t length) {
    struct messages_hash hash;
    crypto_generichash(hash.bytes, sizeof hash.bytes, bytes, length, NULL, 0);
    return hash;
}

unsigned char *messages_seal(const uint8_t worker[SEAL_KEY], const struct seal_keys *keys,
                             enum messages_kind kind, const struct frame *body, size_t *length) {
    const uint32_t protocol = MESSAGES_PROTOCOL;
    *length = MESSAGES_HEAD + body->length + SEAL_EXTRA;
    unsigned char *message = body->broken ? NULL : malloc(*length);
    if (!message) return NULL;
    memcpy(message, &protocol, sizeof protocol);
    memcpy(message + sizeof protocol, worker, SEAL_KEY);
    seal_close(keys->to_match, (char)kind, NULL, body->bytes + CHANNEL_HEADER, body->length,
               message + MESSAGES_HEAD);
    return message;
}

static void put_long(struct frame *frame, uint64_t number) {
    frame_put(frame, &number, sizeof number);
}

static uint64_t take_long(struct frame *frame) {
    uint64_t number;
    frame_take(frame, &number, sizeof number);
    return number;
}

void messages_put_greeting(struct frame *frame, const struct messages_greeting *greeting) {
    frame_put_text(frame, greeting->version);
    frame_put_text(frame, greeting->worker);
    frame_put_number(frame, (uint32_t)greeting->threads);
    put_long(frame, (uint64_t)clock_ns());
}

bool messages_take_greeting(struct frame *frame, struct messages_greeting *greeting) {
    frame_take_text(frame, greeting->version, sizeof greeting->version);
    frame_take_text(frame, greeting->worker, sizeof greeting->worker);
    const uint32_t threads = frame_take_number(frame);
    greeting->threads = threads <= TOURNAMENT_JOBS_MAX ? (int)threads : 0;
    greeting->number = take_long(frame);
    return !frame->broken && messages_is_name(greeting->worker) && greeting->threads &&
           utf8_is_safe(greeting->version, strlen(greeting->version));
}

void messages_put_lack(struct frame *frame, const struct messages_lack *lack) {
    frame_put_number(frame, lack->sort);
    frame_put_text(frame, lack->name);
}

bool messages_take_lack(struct frame *frame, struct messages_lack *lack) {
    lack->sort = frame_take_number(frame);
    frame_take_text(frame, lack->name, sizeof lack->name);
    return !frame->broken && lack->sort <= MESSAGES_LACKS_TIME;
}

/* A number that is 0 or 1; any other breaks the frame. */
static bool take_flag(struct frame *frame) {
    const uint32_t number = frame_take_number(frame);
    if (number > 1) frame->broken = true;
    return number == 1;
}

/* A text that can be shown. */
static void take_safe_text(struct frame *frame, char *out, size_t size) {
    frame_take_text(frame, out, size);
    if (!utf8_is_safe(out, strlen(out))) frame->broken = true;
}

void terms_put(struct frame *frame, const struct tournament_options *options, const char *variant,
               bool trust) {
    frame_put_text(frame, variant);
    frame_put_text(frame, options->folders->scripts);
    frame_put_number(frame, trust);
    frame_put_number(frame, options->gauntlet);
    frame_put_number(frame, options->no_limits);
    frame_put_number(frame, options->games);
    frame_put_number(frame, options->first);
    frame_put_number(frame, (uint32_t)options->deadline);
    frame_put(frame, &options->chance, sizeof options->chance);
    put_long(frame, (uint64_t)options->pace.ms);
    put_long(frame, (uint64_t)options->pace.increment);
    put_long(frame, options->limits.fuel);
    put_long(frame, options->limits.memory);
    put_long(frame, options->programs.memory);
    frame_put_number(frame, options->programs.fresh);
    frame_put_number(frame, options->programs.wall);
    frame_put_number(frame, (uint32_t)options->player_count);
    for (int i = 0; i < options->player_count; i++) frame_put_text(frame, options->players[i]);
    frame_put_number(frame, (uint32_t)options->family_count);
    for (int i = 0; i < options->family_count; i++) {
        const struct tournament_family *family = &options->family[i];
        frame_put_text(frame, family->name);
        frame_put_number(frame, family->setups ? (uint32_t)family->setups->count : 0);
    }
}

static bool take_players(struct frame *frame, struct terms *terms) {
    enum { NAME_BYTES = 1 << 16 };
    struct tournament_options *options = &terms->options;
    char *name = malloc(NAME_BYTES);
    uint32_t count = frame_take_number(frame);
    if (count < 1 || count > TOURNAMENT_PLAYERS_MAX) frame->broken = true;
    for (uint32_t i = 0; name && !frame->broken && i < count; i++) {
        frame_take_text(frame, name, NAME_BYTES);
        terms->players[i] = strdup(name);
        if (!terms->players[i]) frame->broken = true;
    }
    free(name);
    options->players = (const char *const *)terms->players;
    options->player_count = (int)count;
    return name && !frame->broken;
}

static void take_families(struct frame *frame, struct terms *terms) {
    struct tournament_options *options = &terms->options;
    uint32_t count = frame_take_number(frame);
    if (count > 2) frame->broken = true;
    for (uint32_t i = 0; !frame->broken && i < count; i++) {
        frame_take_text(frame, terms->family[i], sizeof terms->family[i]);
        options->family[i].name = terms->family[i];
        terms->setups[i] = frame_take_number(frame);
        if (terms->setups[i] > SETUP_POOL_MAX) frame->broken = true;
    }
    options->family_count = (int)count;
}

/* Whether a match can have these numbers. */
static bool is_sound(const struct tournament_options *options) {
    const bool versus = options->family_count == 2;
    const struct pairing pairing = {versus ? 2 : options->player_count, options->gauntlet};
    return (versus ? options->player_count == 1 : options->player_count >= 2) &&
           options->first <= TOURNAMENT_FIRST_BLUE && options->deadline >= 1 && options->games &&
           options->games % 2 == 0 && pace_is_sound(&options->pace) && options->limits.fuel &&
           options->limits.memory &&
           (uint64_t)pairing_meetings(&pairing) * options->games <= TOURNAMENT_GAMES_MAX;
}

bool terms_take(struct frame *frame, struct terms *terms, struct fault *fault) {
    struct tournament_options *options = &terms->options;
    *terms = (struct terms){.trust = false};
    frame_take_text(frame, terms->variant, sizeof terms->variant);
    frame_take_text(frame, terms->scripts, sizeof terms->scripts);
    terms->trust = take_flag(frame);
    options->gauntlet = take_flag(frame);
    options->no_limits = take_flag(frame);
    options->games = frame_take_number(frame);
    options->first = (enum tournament_first)frame_take_number(frame);
    options->deadline = (int)frame_take_number(frame);
    frame_take(frame, &options->chance, sizeof options->chance);
    options->pace.ms = (int64_t)take_long(frame);
    options->pace.increment = (int64_t)take_long(frame);
    options->limits.fuel = take_long(frame);
    options->limits.memory = take_long(frame);
    options->programs.memory = take_long(frame);
    options->programs.fresh = take_flag(frame);
    options->programs.wall = take_flag(frame);
    if (take_players(frame, terms)) take_families(frame, terms);
    if (!frame->broken && frame->at == frame->length && is_sound(options)) return true;
    return fault_set(fault, STATUS_TEXT, "the terms of the match make no sense");
}

void terms_clear(struct terms *terms) {
    for (int i = 0; i < TOURNAMENT_PLAYERS_MAX; i++) free(terms->players[i]);
    *terms = (struct terms){.trust = false};
}

bool terms_are_permitted(const struct terms *terms, const struct permits *permits,
                         struct fault *fault) {
    const struct tournament_options *options = &terms->options;
    const size_t most = options->limits.memory > options->programs.memory
                            ? options->limits.memory
                            : options->programs.memory;
    const uint64_t setups = ((uint64_t)terms->setups[0] + terms->setups[1]) * sizeof(struct setup);
    bool programs = false;
    for (int i = 0; i < options->player_count; i++)
        programs = programs || player_is_program(options->players[i]);
    if (programs && !permits->programs)
        return fault_set(fault, STATUS_USAGE,
                         "the match needs external programs: start the worker with "
                         "--allow-programs");
    if (terms->trust && !permits->trust)
        return fault_set(fault, STATUS_USAGE,
                         "the match runs bots without the wall: start the worker with "
                         "--allow-trust");
    if (options->limits.fuel > permits->fuel)
        return fault_set(fault, STATUS_USAGE,
                         "the match gives a bot %" PRIu64 " instructions, and this worker at most "
                         "%" PRIu64 ": start it with --fuel",
                         options->limits.fuel, permits->fuel);
    if (most > permits->memory || setups > permits->memory)
        return fault_set(
            fault, STATUS_USAGE,
            "the match needs %zu MiB for a bot or %zu for its set-ups, and this worker "
            "gives all matches together %zu: start it with --memory",
            most >> 20, (size_t)(setups >> 20), permits->memory >> 20);
    return options->deadline <= permits->deadline ||
           fault_set(fault, STATUS_USAGE,
                     "the match waits %d ms for an answer, and this worker at most %d: start it "
                     "with --deadline",
                     options->deadline, permits->deadline);
}

static void usage_put(struct frame *frame, const struct usage *usage) {
    put_long(frame, usage->calls);
    frame_put_number(frame, usage->metered);
    put_long(frame, usage->fuel);
    put_long(frame, usage->fuel_greatest);
    put_long(frame, usage->ns);
    put_long(frame, usage->ns_greatest);
}

/* Whether `sum` can be that of so many calls, of which the greatest is this. */
static bool sum_fits(uint64_t sum, uint64_t greatest, uint64_t calls) {
    return greatest <= sum && (calls ? sum / calls <= greatest : !sum);
}

static bool usage_take(struct frame *frame, uint32_t plies, struct usage *usage) {
    static const uint64_t ns_most = 10ull * 24 * 3600 * 1000000000; /* ten days of one game */
    usage->calls = take_long(frame);
    usage->metered = take_flag(frame);
    usage->fuel = take_long(frame);
    usage->fuel_greatest = take_long(frame);
    usage->ns = take_long(frame);
    usage->ns_greatest = take_long(frame);
    /* A player that has offered a draw is asked once more. */
    return !frame->broken && usage->calls <= 2 * ((uint64_t)plies + 1) &&
           (usage->metered || !usage->fuel) && usage->fuel <= INT64_MAX &&
           sum_fits(usage->fuel, usage->fuel_greatest, usage->calls) && usage->ns <= ns_most &&
           sum_fits(usage->ns, usage->ns_greatest, usage->calls);
}

static void game_put(struct frame *frame, const struct finished *finished) {
    const struct tournament_game *game = &finished->game;
    const uint32_t length = (uint32_t)strlen(finished->record);
    frame_put_number(frame, game->result);
    frame_put_number(frame, game->reason);
    frame_put_number(frame, game->plies);
    put_long(frame, game->seed);
    put_long(frame, game->hash);
    frame_put_number(frame, length);
    frame_put(frame, finished->record, length);
    for (int side = RED; side <= BLUE; side++) {
        frame_put_text(frame, finished->setup[side]);
        usage_put(frame, &finished->usage[side]);
    }
    frame_put_number(frame, finished->late_side);
    frame_put_number(frame, finished->fault != NULL);
    if (finished->fault) frame_put_fault(frame, finished->fault);
}

void games_put(struct frame *frame, struct finished *const games[2]) {
    for (int game = 0; game < 2; game++) game_put(frame, games[game]);
}

/* Lines of characters that can be shown. */
static bool record_is_safe(const char *text) {
    for (; *text; text += *text == '\n') {
        const size_t line = strcspn(text, "\n");
        if (!utf8_is_safe(text, line)) return false;
        text += line;
    }
    return true;
}

static bool take_record(struct frame *frame, struct finished *finished) {
    const uint32_t length = frame_take_number(frame);
    if (frame->broken || length > frame->length - frame->at || length > RECORD_BYTES_MAX)
        return false;
    finished->record = malloc(length + 1);
    if (!finished->record) return false;
    frame_take(frame, finished->record, length);
    finished->record[length] = 0;
    return strlen(finished->record) == length && finished->game.plies <= length &&
           digest_of(finished->record, length) == finished->game.hash &&
           record_is_safe(finished->record);
}

static bool take_fault(struct frame *frame, struct finished *finished) {
    if (!take_flag(frame)) return !frame->broken;
    finished->fault = malloc(sizeof *finished->fault);
    return finished->fault && frame_take_fault(frame, finished->fault);
}

/* Result, reason and plies, as far as they can be judged without the moves. */
static bool take_end(struct frame *frame, struct tournament_game *game) {
    const uint32_t result = frame_take_number(frame), reason = frame_take_number(frame);
    game->plies = frame_take_number(frame);
    if (frame->broken || result <= RESULT_NONE || result >= RESULT_COUNT || reason <= REASON_NONE ||
        reason >= REASON_UNFINISHED || game->plies > SESSION_PLIES_MAX)
        return false;
    game->result = (uint8_t)result;
    game->reason = (uint8_t)reason;
    const bool won = result != RESULT_DRAW, given = reason == REASON_RESIGNED;
    return won || !(given || reason_is_forfeit((enum reason)reason));
}

static struct finished *game_take(struct frame *frame, const struct tournament *match,
                                  uint32_t number) {
    struct finished *finished = calloc(1, sizeof *finished);
    uint8_t players[2];
    if (!finished) return NULL;
    finished->number = number;
    pairing_players(&match->pairing, number / 2, players);
    finished->game.player[RED] = players[number % 2];
    finished->game.player[BLUE] = players[1 - number % 2];
    bool good = take_end(frame, &finished->game);
    finished->game.seed = take_long(frame);
    finished->game.hash = take_long(frame);
    good = good && take_record(frame, finished);
    for (int side = RED; good && side <= BLUE; side++) {
        take_safe_text(frame, finished->setup[side], sizeof finished->setup[side]);
        good = usage_take(frame, finished->game.plies, &finished->usage[side]);
    }
    if (good) finished->late_side = take_flag(frame) ? BLUE : RED;
    if (good && take_fault(frame, finished) && !frame->broken) return finished;
    finished_free(finished);
    return NULL;
}

bool games_take(struct frame *frame, const struct tournament *match, uint32_t pair,
                struct finished *games[2]) {
    games[0] = game_take(frame, match, 2 * pair);
    games[1] = games[0] ? game_take(frame, match, 2 * pair + 1) : NULL;
    if (games[1]) return true;
    finished_free(games[0]);
    return false;
}

static uint64_t digest_add_text(uint64_t digest, const char *text) {
    return digest_add(digest, text, strlen(text));
}

static uint64_t digest_add_fault(uint64_t digest, const struct finished *finished) {
    const struct fault *fault = finished->fault;
    const int told[] = {(int)fault->status, fault->line, fault->column, (int)finished->late_side};
    digest = digest_add(digest, told, sizeof told);
    digest = digest_add_text(digest, fault->file);
    return digest_add_text(digest, fault->text);
}

uint64_t games_digest(struct finished *const games[2]) {
    uint64_t digest = 0;
    for (int i = 0; i < 2; i++) {
        const struct finished *finished = games[i];
        const struct tournament_game *game = &finished->game;
        const uint64_t told[] = {game->result, game->reason, game->plies, game->seed, game->hash};
        digest = digest_add(digest, told, sizeof told);
        for (int side = RED; side <= BLUE; side++) {
            const struct usage *usage = &finished->usage[side];
            const uint64_t used[] = {usage->calls, usage->metered, usage->fuel,
                                     usage->fuel_greatest};
            digest = digest_add(digest, used, sizeof used);
            digest = digest_add_text(digest, finished->setup[side]);
        }
        if (finished->fault) digest = digest_add_fault(digest, finished);
    }
    return digest ? digest : 1;
}
