/* figures.c - the measuring loops of `ensign bench`.
 *
 * They measure processor time, which other programs disturb less than wall time; loops that depend
 * on other processes or threads measure wall time. */
#include "figures.h"

#include "base/clock.h"
#include "base/processors.h"
#include "core/know/sample.h"
#include "core/play/calls.h"
#include "core/search/search.h"
#include "host/match/tournament.h"
#include "host/player_process.h"
#include "host/players.h"
#include "host/session.h"
#include "jail/channel.h"
#include "jail/loader.h"
#include "lua/sandbox.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

enum { PERFT_DEPTH = 3, SAMPLE_PLIES = 60, TAIL_PLIES = SAMPLE_TAIL + 2 };

static double wall_now(void) {
    return 1e-9 * (double)clock_ns();
}

static double cpu_now(void) {
    return 1e-9 * (double)clock_process_ns();
}

bool workshop_open(struct workshop *workshop, const struct folders *folders, const char *variant) {
    memset(workshop, 0, sizeof *workshop);
    workshop->folders = folders;
    workshop->variant = variant;
    workshop->random = random_stream(1, STREAM_PLAYOUT, 0);
    workshop->rules = loader_variant(folders, variant, &workshop->fault);
    if (!workshop->rules) return false;
    workshop->playouts = playouts_new(workshop->rules, FIGURE_CAP);
    workshop->batch = FIGURE_BATCH;
    workshop->round = FIGURE_ROUND;
    if (workshop->playouts && playouts_why_listed(workshop->playouts))
        workshop->batch = workshop->round = FIGURE_FEW;
    workshop->plies = malloc((FIGURE_CAP + 64) * sizeof *workshop->plies);
    workshop->moves = malloc(PERFT_DEPTH * workshop->rules->moves_max * sizeof *workshop->moves);
    workshop->tails = malloc(FIGURE_BATCH * TAIL_PLIES * sizeof *workshop->tails);
    workshop->sums = malloc(DEAL_ROOM * sizeof *workshop->sums);
    if (workshop->playouts && workshop->plies && workshop->moves && workshop->tails &&
        workshop->sums)
        return true;
    return fault_set(&workshop->fault, STATUS_NO_MEMORY, "out of memory");
}

void workshop_close(struct workshop *workshop) {
    playouts_free(workshop->playouts);
    free(workshop->plies);
    free(workshop->moves);
    free(workshop->tails);
    free(workshop->sums);
    rules_free(workshop->rules);
}

bool workshop_position(struct workshop *workshop, struct position *position) {
    struct setup red, blue;
    if (!setup_random(workshop->rules, RED, &workshop->random, &red, &workshop->fault) ||
        !setup_random(workshop->rules, BLUE, &workshop->random, &blue, &workshop->fault))
        return false;
    position_from_setups(workshop->rules, &red, &blue, RED, position);
    return true;
}

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

bool workshop_measure(struct workshop *workshop, const struct figure *figures, size_t count,
                      double seconds, struct reading *readings) {
    for (int run = 0; run < FIGURE_RUNS; run++) {
        for (size_t i = 0; i < count; i++) {
            double rate = figures[i].measure(workshop, seconds / FIGURE_RUNS);
            if (calls_take(&workshop->fault) || rate <= 0) return false;
            readings[i].run[run] = figures[i].inverse ? 1 / rate : rate;
        }
    }
    for (size_t i = 0; i < count; i++)
        qsort(readings[i].run, FIGURE_RUNS, sizeof readings[i].run[0], compare_doubles);
    return true;
}

static bool draw_game(struct workshop *workshop, struct game *game) {
    struct position position;
    if (!workshop_position(workshop, &position)) return false;
    game_start(game, workshop->rules, &position, NULL, workshop->plies, FIGURE_CAP);
    return true;
}

double figure_playouts(struct workshop *workshop, double seconds) {
    double start = cpu_now(), spent;
    uint64_t plies = 0;
    do {
        for (int i = 0; i < workshop->round; i++) {
            if (!draw_game(workshop, &workshop->starts[0])) return 0;
            playout_run(workshop->playouts, &workshop->starts[0],
                        random_stream(workshop->seed++, STREAM_PLAYOUT, 0), &workshop->results[0]);
            plies += workshop->results[0].plies;
        }
        spent = cpu_now() - start;
    } while (spent < seconds);
    return (double)plies / spent;
}

/* Plays the starts as one batch. Returns the plies. */
static uint64_t run_batch(struct workshop *workshop) {
    uint64_t plies = 0;
    playout_batch(workshop->playouts, workshop->starts, (size_t)workshop->batch, workshop->seed++,
                  workshop->results);
    for (int i = 0; i < workshop->batch; i++) plies += workshop->results[i].plies;
    return plies;
}

double figure_batches(struct workshop *workshop, double seconds) {
    double start = cpu_now(), spent;
    uint64_t plies = 0;
    do {
        for (int i = 0; i < workshop->batch; i++)
            if (!draw_game(workshop, &workshop->starts[i])) return 0;
        plies += run_batch(workshop);
        spent = cpu_now() - start;
    } while (spent < seconds);
    return (double)plies / spent;
}

static struct session *open_session(struct workshop *workshop) {
    struct position position;
    if (!workshop_position(workshop, &position)) return NULL;
    const struct session_options options = {
        .rules = workshop->rules, .position = &position, .plies = FIGURE_CAP};
    return session_open(&options, &workshop->fault);
}

static bool play_any(struct workshop *workshop, struct session *session) {
    size_t count;
    const struct move *moves = session_moves(session, &count, &workshop->fault);
    return moves && session_play(session, moves[random_below(&workshop->random, (uint32_t)count)],
                                 NULL, &workshop->fault);
}

/* A session that still runs after SAMPLE_PLIES random plies. */
static struct session *open_middle_game(struct workshop *workshop) {
    for (;;) {
        struct session *session = open_session(workshop);
        bool played = session != NULL;
        while (played && !session->over && session->game.ply_count < SAMPLE_PLIES)
            played = play_any(workshop, session);
        if (played && !session->over) return session;
        session_close(session);
        if (!played) return NULL;
    }
}

double figure_sampled(struct workshop *workshop, double seconds) {
    static struct sampler sampler; /* too large for a stack */
    kindset may_be[2 * BOARD_SQUARES_MAX];
    struct session *session = open_middle_game(workshop);
    if (!session) return 0;
    const struct view *view = &session->eyes.view[RED];
    view_all_may_be(view, may_be);
    sampler.deal.table = workshop->sums;
    sampler.deal.room = DEAL_ROOM;
    sampler_start(&sampler, view, may_be, 0);
    if (deal_prepare(&sampler.deal) == DEAL_NONE) {
        session_close(session);
        return fault_set(&workshop->fault, STATUS_RULES, "no army fits what a view knows");
    }

    double start = cpu_now(), spent;
    uint64_t plies = 0;
    do {
        for (int i = 0; i < workshop->batch; i++)
            sampler_draw(&sampler, &workshop->random, &workshop->starts[i],
                         workshop->tails + (size_t)i * TAIL_PLIES, TAIL_PLIES);
        plies += run_batch(workshop);
        spent = cpu_now() - start;
    } while (spent < seconds);
    session_close(session);
    return (double)plies / spent;
}

double figure_listed(struct workshop *workshop, double seconds) {
    double start = cpu_now(), spent;
    uint64_t plies = 0;
    do {
        struct game game;
        if (!draw_game(workshop, &game)) return 0;
        while (!game_over(&game)) {
            size_t count = game_moves(&game, workshop->moves, workshop->rules->moves_max);
            if (count == 0) break;
            uint32_t pick = random_below(&workshop->random, (uint32_t)count);
            game_play(&game, workshop->moves[pick], NULL);
        }
        plies += game.ply_count;
        spent = cpu_now() - start;
    } while (spent < seconds);
    return (double)plies / spent;
}

/* perft_count() plays every leaf but the last ply of each line; this one plays those too. */
static uint64_t perft_unbulked(struct game *game, int depth, struct move *moves) {
    if (depth == 0) return 1;
    uint64_t leaves = 0;
    size_t count = game_moves(game, moves, game->rules->moves_max);
    for (size_t i = 0; i < count; i++) {
        game_play(game, moves[i], NULL);
        leaves += perft_unbulked(game, depth - 1, moves + game->rules->moves_max);
        game_undo(game);
    }
    return leaves;
}

static double perft_rate(struct workshop *workshop, double seconds,
                         uint64_t (*count)(struct game *, int, struct move *)) {
    double start = cpu_now(), spent;
    uint64_t leaves = 0;
    do {
        struct game game;
        if (!draw_game(workshop, &game)) return 0;
        leaves += count(&game, PERFT_DEPTH, workshop->moves);
        spent = cpu_now() - start;
    } while (spent < seconds);
    return (double)leaves / spent;
}

double figure_perft(struct workshop *workshop, double seconds) {
    return perft_rate(workshop, seconds, perft_count);
}

double figure_perft_unbulked(struct workshop *workshop, double seconds) {
    return perft_rate(workshop, seconds, perft_unbulked);
}

double figure_loads(struct workshop *workshop, double seconds) {
    double start = wall_now(), spent;
    int loads = 0;
    do {
        struct rules *rules =
            loader_variant(workshop->folders, workshop->variant, &workshop->fault);
        if (!rules) return 0;
        rules_free(rules);
        loads++;
        spent = wall_now() - start;
    } while (spent < seconds);
    return loads / spent;
}

static struct player_options player_options(const struct workshop *workshop,
                                            struct template *template) {
    return (struct player_options){.folders = workshop->folders,
                                   .rules = workshop->rules,
                                   .limits = SANDBOX_DEFAULTS,
                                   .deadline = PLAYER_DEADLINE,
                                   .template = template};
}

static bool play_turns(struct workshop *workshop, const struct player *player,
                       struct session *session, int turns) {
    const struct view *view = &session->eyes.view[RED];
    struct game *game = &session->game;
    struct answer answer;
    for (int i = 0; i < turns; i++) {
        size_t count = game_moves(game, workshop->moves, workshop->rules->moves_max);
        if (!player->move(player->self, view, workshop->moves, count, &answer, &workshop->fault))
            return false;
    }
    return true;
}

static double turns_of(struct workshop *workshop, const struct player *player, double (*now)(void),
                       double seconds) {
    struct session *session = open_session(workshop);
    bool played =
        session &&
        (!player->start || player->start(player->self, &session->eyes.view[RED], &workshop->fault));
    double start = now(), spent = 0;
    uint64_t turns = 0;
    while (played && spent < seconds) {
        played = play_turns(workshop, player, session, FIGURE_ROUND);
        turns += FIGURE_ROUND;
        spent = now() - start;
    }
    session_close(session);
    return played ? (double)turns / spent : 0;
}

/* A rookie's turns in a child of the template, or in this process without one. */
static double rookie_turns(struct workshop *workshop, struct template *template, double seconds) {
    const struct player_options options = player_options(workshop, template);
    struct player player = {0};
    /* It may run in this process, so only the installed one is trusted. */
    char rookie[FOLDER_PATH_MAX];
    const struct folders *folders = workshop->folders;
    snprintf(rookie, sizeof rookie, "%.1000s/bots/rookie.lua", folders->base[folders->count - 1]);
    if (!player_open(&player, &options, rookie, &(const struct chance){{1}}, &workshop->fault))
        return 0;
    double rate = turns_of(workshop, &player, template ? wall_now : cpu_now, seconds);
    player.close(player.self);
    return rate;
}

double figure_bot_turns(struct workshop *workshop, double seconds) {
    return rookie_turns(workshop, NULL, seconds);
}

/* Bytes of a rookie's turn: the moves of an opening, and the chosen one. */
enum { QUESTION = 200, ANSWER = 8 };

static void exchange_echo(const void *context, int in, int out) {
    struct frame frame;
    uint32_t sequence = 0;
    (void)context;
    if (!frame_open(&frame, QUESTION)) return;
    while (channel_receive(in, &frame, &sequence, CHANNEL_FOREVER) == CHANNEL_OK) {
        frame.length = ANSWER;
        if (channel_send(out, &frame, sequence, CHANNEL_FOREVER) != CHANNEL_OK) return;
        sequence = 0;
    }
}

static double exchanges(struct workshop *workshop, struct template *template, double seconds) {
    struct frame frame;
    struct locked_process child;
    if (!frame_open(&frame, QUESTION)) {
        fault_set(&workshop->fault, STATUS_NO_MEMORY, "out of memory");
        return 0;
    }
    memset(frame.bytes, 0, CHANNEL_HEADER + QUESTION);
    if (!template_take(template, &child, &workshop->fault)) {
        frame_close(&frame);
        return 0;
    }
    double start = wall_now(), spent = 0;
    enum channel_result result = CHANNEL_OK;
    uint32_t count = 0;
    while (result == CHANNEL_OK && spent < seconds) {
        for (int i = 0; result == CHANNEL_OK && i < FIGURE_ROUND; i++) {
            int64_t deadline = clock_ms() + PLAYER_DEADLINE;
            count++;
            frame.length = QUESTION;
            result = channel_send(child.to, &frame, count, deadline);
            if (result == CHANNEL_OK)
                result = channel_receive(child.from, &frame, &count, deadline);
        }
        spent = wall_now() - start;
    }
    locked_process_end(&child);
    frame_close(&frame);
    if (result == CHANNEL_OK) return (double)count / spent;
    fault_set(&workshop->fault, STATUS_SYSTEM, "another process %s",
              result == CHANNEL_LATE ? "answered too late" : "ended instead of answering");
    return 0;
}

/* Measures with the template's children on the same processor, as in a match. */
static double rate_beside(struct workshop *workshop, struct template *template, double seconds,
                          double measure(struct workshop *workshop, struct template *template,
                                         double seconds)) {
    if (!template) return 0;
    struct processors before;
    struct processor_claim claim = PROCESSOR_UNCLAIMED;
    processors_get(0, &before);
    processors_claim(&before, &claim);
    double rate = measure(workshop, template, seconds);
    processors_release(&before, &claim);
    template_close(template);
    return rate;
}

double figure_bot_turns_in_child(struct workshop *workshop, double seconds) {
    const struct player_options options = player_options(workshop, NULL);
    return rate_beside(workshop, player_template(&options, &workshop->fault), seconds,
                       rookie_turns);
}

double figure_exchanges(struct workshop *workshop, double seconds) {
    return rate_beside(
        workshop,
        template_open((struct template_work){exchange_echo, NULL}, NULL, &workshop->fault), seconds,
        exchanges);
}

/* Rounds of a tight Lua loop, with or without the hook that counts fuel. */
static double lua_rounds(struct workshop *workshop, bool counted, double seconds) {
    enum { ROUNDS = 100000 };
    static const char loop[] = "local x = 0 for i = 1, 100000 do x = x + i % 7 end return x";
    struct sandbox *sandbox =
        sandbox_new(workshop->folders->scripts, "loop.lua", SANDBOX_DEFAULTS, &workshop->fault);
    if (!sandbox) return 0;
    lua_State *lua = sandbox->lua;
    double start = cpu_now(), spent = 0;
    uint64_t rounds = 0;
    bool ran = luaL_loadstring(lua, loop) == LUA_OK;
    while (ran && spent < seconds) {
        lua_pushvalue(lua, 1);
        if (counted) {
            ran = sandbox_call(sandbox, 0, 0, NULL, &workshop->fault);
        } else {
            lua_sethook(lua, NULL, 0, 0);
            ran = lua_pcall(lua, 0, 0, 0) == LUA_OK;
        }
        rounds += ROUNDS;
        spent = cpu_now() - start;
    }
    sandbox_free(sandbox);
    return ran ? (double)rounds / spent : 0;
}

double figure_lua_counted(struct workshop *workshop, double seconds) {
    return lua_rounds(workshop, true, seconds);
}

double figure_lua_uncounted(struct workshop *workshop, double seconds) {
    return lua_rounds(workshop, false, seconds);
}

size_t workshop_state_bytes(struct workshop *workshop) {
    char path[FOLDER_PATH_MAX];
    if (!folders_resolve(workshop->folders, FOLDER_BOTS, "rookie", path, &workshop->fault))
        return 0;
    struct sandbox *sandbox =
        sandbox_new(workshop->folders->scripts, path, SANDBOX_DEFAULTS, &workshop->fault);
    if (!sandbox) return 0;
    size_t bytes = sandbox_run_file(sandbox, path, &workshop->fault) ? sandbox->memory_used : 0;
    sandbox_free(sandbox);
    return bytes;
}

double figure_copies(struct workshop *workshop, double seconds) {
    if (!draw_game(workshop, &workshop->starts[0])) return 0;
    double start = cpu_now(), spent;
    uint64_t copies = 0;
    do {
        for (int i = 0; i < 1000; i++, copies++) {
            workshop->starts[1] = workshop->starts[0];
            __asm__ volatile("" : : "r"(&workshop->starts[1]) : "memory"); /* keeps the copy */
        }
        spent = cpu_now() - start;
    } while (spent < seconds);
    return (double)copies / spent;
}

static double match_games(struct workshop *workshop, uint32_t games, int jobs, double *spent) {
    static const char *const players[] = {"rookie", "rookie"};
    struct tournament_options options = {.folders = workshop->folders,
                                         .rules = workshop->rules,
                                         .players = players,
                                         .player_count = 2,
                                         .games = games,
                                         .jobs = jobs,
                                         .chance = {{1}},
                                         .limits = SANDBOX_DEFAULTS};
    double start = wall_now();
    struct tournament *match = tournament_run(&options, &workshop->fault);
    *spent = wall_now() - start;
    if (!match) return 0;
    tournament_free(match);
    return games / *spent;
}

/* Plays a few games to find out how many fill the time. */
static double figure_match_jobs(struct workshop *workshop, double seconds, int jobs) {
    double spent, rate = match_games(workshop, 8, jobs, &spent);
    if (rate <= 0 || spent >= seconds) return rate;
    uint32_t games = 2 * (uint32_t)(rate * seconds / 2);
    return games > 8 ? match_games(workshop, games, jobs, &spent) : rate;
}

double figure_match(struct workshop *workshop, double seconds) {
    return figure_match_jobs(workshop, seconds, 1);
}

double figure_match_two_jobs(struct workshop *workshop, double seconds) {
    return figure_match_jobs(workshop, seconds, 2);
}
