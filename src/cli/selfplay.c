/* selfplay.c - `ensign selfplay`: games of bots, or of records, as rows of numbers for learners.
 *
 * The games are those of a match. Each is replayed in the library, and every decision becomes a row
 * of a file that numpy.load() reads (src/lib/README.md). Rows come in order of the games; the
 * header counts those of whole pairs, so that a file that was cut off goes on behind them. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/descriptors.h"
#include "base/digest.h"
#include "base/paths.h"
#include "base/processors.h"
#include "cli/interrupt.h"
#include "cli/match/progress.h"
#include "command.h"
#include "host/match/tournament.h"
#include "host/records.h"
#include "host/seed.h"
#include "lib/batch_inside.h"

struct selfplay_values {
    struct arguments players;
    const char *variant, *file, *lang;
    uint64_t fuel; /* 0: the default */
    uint32_t games;
    int jobs, deadline; /* 0: one for each processor; ms */
    bool planes, trust;
};

static int run_selfplay(const void *values);
const struct command command_selfplay = {
    COMMAND(selfplay, .games = 100, .deadline = PLAYER_DEADLINE),
    .summary = "write games of bots as numbers for programs that learn",
    .synopsis = {"VARIANT BOT [BOT] -o FILE [OPTIONS]", "VARIANT RECORD… -o FILE [--planes]"},
    .prose =
        "Plays games as match does, of a bot against itself or another one, or takes those of "
        "records, and writes a row for each decision: what the side knows, its legal actions, the "
        "action and the result. numpy.load() reads FILE (see src/lib/README.md). A FILE that was "
        "begun with the same bots and --seed goes on. Between bots it is the same for any -j.",
    .arguments = {{NULL, 0, "VARIANT", VALUE_VARIANT, INTO(selfplay, variant), .needed = true},
                  {NULL, 0, "BOT|RECORD", VALUE_BOT, INTO(selfplay, players), .needed = true,
                   .many = true, .opens = true}},
    .options =
        {
            {"output", 'o', "FILE", VALUE_FILE, INTO(selfplay, file), "the file to write"},
            {"games", 'n', "GAMES", VALUE_NUMBER, INTO(selfplay, games),
             "games in all, rounded up to pairs in which the bots exchange sides", .least = 1,
             .most = TOURNAMENT_GAMES_MAX},
            {"jobs", 'j', "JOBS", VALUE_NUMBER, INTO(selfplay, jobs),
             "threads; one for each processor unless given", .least = 1,
             .most = TOURNAMENT_JOBS_MAX},
            {"seed", 's', "N", VALUE_SEED, .most = INT64_MAX,
             .help = "the same seed gives the same games; needed to go on (default: a new seed)"},
            {"planes", INTO(selfplay, planes),
             "rows hold the planes of ensign show --planes instead of a byte a square"},
            {"fuel", 0, "N", VALUE_NUMBER, INTO(selfplay, fuel),
             "limit of a bot's callback, in Lua instructions (default 50000000)", .least = 1000,
             .most = UINT64_MAX / 2},
            {OPTION_DEADLINE, INTO(selfplay, deadline)},
            {OPTION_TRUST, INTO(selfplay, trust)},
            {OPTION_LANG, INTO(selfplay, lang)},
        },
};

/* The numbers of a row before its arrays; little-endian, as the file says. */
struct row_head {
    uint64_t run; /* the same in rows of one run */
    uint32_t game, ply;
    int32_t action;
    uint8_t side, player; /* player: of the two named, from 0; of records the side */
    int8_t result;        /* 1 this side has won, -1 lost, 0 */
    uint8_t reason;
};
_Static_assert(sizeof(struct row_head) == 24, "the head of a row has no gaps");

enum { HEAD_MAX = 1024, ROWS_BYTES_MAX = 1 << 30, COUNT_DIGITS = 20 };

/* The file, and the batch of one game that makes its rows. */
struct rows {
    ensign_batch *batch;
    ensign_shape shape;
    ensign_out out; /* its arrays lie in `row`, behind the head */
    unsigned char *row;
    size_t row_size, mask_at, scalars_at, board_at;
    struct buffer game; /* rows of the pair that is being written */
    int file;
    const char *path;
    bool planes;         /* not cells */
    char head[HEAD_MAX]; /* of the file; with COUNT_DIGITS for the number of rows */
    size_t head_size, count_at;
    uint64_t run, count;
};

/* The head of the file: format 1.0 of numpy.save(), with blanks behind the number of rows. */
static void rows_head(struct rows *rows) {
    const ensign_shape *shape = &rows->shape;
    char board[64], dict[HEAD_MAX];
    snprintf(board, sizeof board,
             rows->planes ? "('planes','|u1',(%u,%u,%u))" : "('cells','|u1',(%u,%u))",
             rows->planes ? shape->planes : shape->ranks,
             rows->planes ? shape->ranks : shape->files, shape->files);
    int length = snprintf(
        dict, sizeof dict,
        "{'descr':[('run','<u8'),('game','<u4'),('ply','<u4'),('action','<i4'),('side','|u1'),"
        "('player','|u1'),('result','|i1'),('reason','|u1'),('mask','|u1',(%u,)),"
        "('scalars','<f4',(%u,)),%s],'fortran_order':False,'shape':(",
        shape->mask_words * 8, shape->scalars, board);
    rows->count_at = 10 + (size_t)length;
    length += snprintf(dict + length, sizeof dict - (size_t)length, "%-*" PRIu64 ",)}",
                       COUNT_DIGITS, (uint64_t)0);
    rows->head_size = (10 + (size_t)length + 1 + 63) / 64 * 64;
    memset(rows->head, ' ', sizeof rows->head);
    memcpy(rows->head, "\x93NUMPY\x01\x00", 8);
    rows->head[8] = (char)((rows->head_size - 10) & 255);
    rows->head[9] = (char)((rows->head_size - 10) >> 8);
    memcpy(rows->head + 10, dict, (size_t)length);
    rows->head[rows->head_size - 1] = '\n';
}

/* Makes the batch and the row. Takes over the rules. */
static bool rows_open(struct rows *rows, struct rules *rules, struct fault *fault) {
    const ensign_options options = {.size = sizeof options, .games = 1};
    ensign_error error = {.size = sizeof error};
    ensign_rules *handle = rules_handle_new(rules, fault);
    if (!handle) return false;
    rows->shape.size = sizeof rows->shape;
    ensign_shape_of(handle, &options, &rows->shape);
    const ensign_shape *shape = &rows->shape;
    rows->batch = ensign_batch_new(handle, &options, &error);
    ensign_rules_free(handle);
    rows->mask_at = sizeof(struct row_head);
    rows->scalars_at = rows->mask_at + shape->mask_words * 8;
    rows->board_at = rows->scalars_at + shape->scalars * sizeof(float);
    rows->row_size = rows->board_at + (rows->planes ? shape->planes : 1) * shape->squares;
    rows->row = calloc(1, rows->row_size + 8);
    rows->out = (ensign_out){.size = sizeof rows->out};
    rows->game = buffer_of(ROWS_BYTES_MAX);
    if (!rows->batch || !rows->row) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    rows_head(rows);
    return true;
}

static void rows_close(struct rows *rows) {
    ensign_batch_free(rows->batch);
    buffer_clear(&rows->game);
    free(rows->row);
    if (rows->file >= 0) close(rows->file);
}

static bool cannot_write(const struct rows *rows, struct fault *fault) {
    fault_set(fault, STATUS_SYSTEM, "cannot be written");
    fault_place(fault, rows->path, 0, 0);
    return false;
}

static bool write_at(int file, const void *bytes, size_t length, off_t at) {
    const char *from = bytes;
    while (length) {
        const ssize_t written = pwrite(file, from, length, at);
        if (written <= 0) return false;
        from += written, at += written, length -= (size_t)written;
    }
    return true;
}

/* Writes the rows of `game` behind the others, and then that they are there. */
static bool rows_commit(struct rows *rows, struct fault *fault) {
    char digits[COUNT_DIGITS + 1];
    const size_t length = rows->game.length;
    if (rows->game.broken) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (!write_at(rows->file, rows->game.text, length,
                  (off_t)(rows->head_size + rows->count * rows->row_size)))
        return cannot_write(rows, fault);
    rows->count += length / rows->row_size;
    snprintf(digits, sizeof digits, "%-*" PRIu64, COUNT_DIGITS, rows->count);
    buffer_clear(&rows->game);
    rows->game = buffer_of(ROWS_BYTES_MAX);
    return write_at(rows->file, digits, COUNT_DIGITS, (off_t)rows->count_at) ||
           cannot_write(rows, fault);
}

/* A decision of the side to move, and plays it. */
static bool rows_decide(struct rows *rows, struct row_head *head, uint32_t action,
                        const enum result result) {
    const struct slot *slot = batch_slot(rows->batch, 0);
    const uint8_t side = (uint8_t)slot_to_move(slot);
    const uint8_t player = head->player; /* red's */
    const int32_t number = (int32_t)action;
    unsigned char *row = rows->row;
    rows->out.scalars = (float *)(void *)(row + rows->scalars_at);
    rows->out.mask_bits = (uint64_t *)(void *)(row + rows->mask_at);
    *(rows->planes ? &rows->out.planes : &rows->out.cells) = row + rows->board_at;
    if (ensign_observe(rows->batch, -1, &rows->out) != ENSIGN_OK) return false;
    head->ply = slot_ply(slot);
    head->action = number;
    head->side = side;
    head->player = side ? (uint8_t)!player : player;
    head->result = (int8_t)(result == RESULT_RED    ? (side ? -1 : 1)
                            : result == RESULT_BLUE ? (side ? 1 : -1)
                                                    : 0);
    memcpy(row, head, sizeof *head);
    head->player = player;
    buffer_add(&rows->game, row, rows->row_size);
    return ensign_step(rows->batch, &number, NULL) == ENSIGN_OK;
}

/* A move that the record has played: one decision or two. */
static bool rows_move(struct rows *rows, struct row_head *head, struct move move,
                      enum result result) {
    const struct actions *actions = rows->batch->actions;
    const struct slot *slot = batch_slot(rows->batch, 0);
    const enum side side = slot_to_move(slot);
    const uint32_t first = actions_of(actions, batch_square(rows->batch, side, move.from),
                                      batch_square(rows->batch, side, move.to));
    if (!rows_decide(rows, head, first, result)) return false;
    if (!slot->pending) return true;
    if (move.ability == ABILITY_NONE) return rows_decide(rows, head, actions->none, result);
    move.target = batch_square(rows->batch, side, move.target);
    return rows_decide(rows, head, actions_of_use(actions, move), result);
}

/* The armies of a game that has just begun. */
static void armies_of(const struct game *game, struct setup setups[2]) {
    const struct rules *rules = game->rules;
    memset(setups, 0, 2 * sizeof *setups);
    for (int side = RED; side <= BLUE; side++)
        for (int i = 0; i < rules->start[side].zone_size; i++) {
            const square at = rules->start[side].zone[i];
            setups[side].at[at] =
                cell_kind(game->at[board_own(&rules->board, (enum side)side, at)]);
        }
}

/* A game, and how it ended: what its record says of that need not be true. */
struct played {
    uint32_t number;
    int player; /* red's */
    enum result result;
    enum reason reason;
};

/* Adds the rows of a game. One that ended before its first move has none. */
static bool rows_add(struct rows *rows, const struct record *record, const struct played *game,
                     struct fault *fault) {
    struct row_head head = {.run = rows->run,
                            .game = game->number,
                            .player = (uint8_t)game->player,
                            .reason = (uint8_t)game->reason};
    struct playback replay;
    if (!record->move_count) return true;
    if (record_tag(record, "Position"))
        return fault_set(fault, STATUS_USAGE,
                         "begins with a position; games that begin with set-ups are expected");
    bool well = playback_open(&replay, record, rows->batch->rules, fault);
    if (well) {
        const struct session *session = replay.session;
        struct setup setups[2];
        armies_of(&session->game, setups);
        slot_set_up(rows->batch, 0, setups, (enum side)session->game.to_move,
                    &session->game.limits);
        while (well && playback_step(&replay, fault)) {
            const struct move move = session->game.plies[session->game.ply_count - 1].move;
            if (!rows_move(rows, &head, move, game->result))
                well = fault_set(fault, STATUS_SYSTEM, "ply %" PRIu32 " cannot be followed",
                                 replay.plies);
        }
        well = well && fault->status == STATUS_OK;
    }
    playback_close(&replay);
    return well;
}

/* Opens the file for a run, and finds where it goes on: behind the last whole pair, `*pairs`. */
static bool rows_begin(struct rows *rows, const char *path, uint32_t *pairs, struct fault *fault) {
    char head[HEAD_MAX], digits[COUNT_DIGITS + 1] = "";
    struct row_head last;
    struct stat about;
    rows->path = path;
    *pairs = 0;
    rows->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    /* Where files cannot be locked other writers are not kept out. */
    if (rows->file >= 0 && flock(rows->file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        fault_set(fault, STATUS_USAGE, "another process is writing this file");
        return fault_place(fault, path, 0, 0), false;
    }
    if (rows->file < 0 || fstat(rows->file, &about) || !S_ISREG(about.st_mode))
        return cannot_write(rows, fault);
    if (!about.st_size)
        return write_at(rows->file, rows->head, rows->head_size, 0) || cannot_write(rows, fault);
    const bool whole = pread(rows->file, head, rows->head_size, 0) == (ssize_t)rows->head_size;
    if (whole) {
        memcpy(digits, head + rows->count_at, COUNT_DIGITS);
        memcpy(head + rows->count_at, rows->head + rows->count_at, COUNT_DIGITS);
        rows->count = strtoull(digits, NULL, 10);
    }
    bool same = whole && !memcmp(head, rows->head, rows->head_size) &&
                rows->count <= ((uint64_t)about.st_size - rows->head_size) / rows->row_size;
    if (same && rows->count) {
        const off_t at = (off_t)(rows->head_size + (rows->count - 1) * rows->row_size);
        same = pread(rows->file, &last, sizeof last, at) == sizeof last && last.run == rows->run;
        *pairs = last.game / 2 + 1;
    }
    if (!same) {
        fault_set(fault, STATUS_USAGE,
                  "is not of this run: the same variant, bots, options and --seed are expected, or "
                  "another file");
        return fault_place(fault, path, 0, 0), false;
    }
    return !ftruncate(rows->file, (off_t)(rows->head_size + rows->count * rows->row_size)) ||
           cannot_write(rows, fault);
}

/* A command in progress. */
struct running {
    const struct selfplay_values *asked;
    struct tournament_options match;
    struct rows rows;
    struct fault fault; /* the first of a game or of writing */
    struct progress progress;
    const char *twice[2]; /* a bot that plays itself */
};

/* In order of the games, and never by two threads at once. */
static void game_finished(void *context, const struct tournament *match,
                          const struct tournament_news *news) {
    struct running *running = context;
    struct rows *rows = &running->rows;
    struct fault fault = {0};
    if (running->fault.status == STATUS_OK) {
        struct record *record = record_read(news->record, strlen(news->record), &fault);
        const struct tournament_game *told = &match->games[news->number];
        const struct played game = {news->number, told->player[RED], (enum result)told->result,
                                    (enum reason)told->reason};
        bool well = record && !record->damaged && rows_add(rows, record, &game, &fault);
        if (well && news->number % 2) well = rows_commit(rows, &fault);
        if (!well) running->fault = fault;
        record_free(record);
    }
    if (running->fault.status != STATUS_OK) atomic_store(running->match.stop, true);
    progress_show(&running->progress, match, NULL);
}

/* A number that tells runs apart: of what fixes the games and their rows. */
static uint64_t run_number(const struct rows *rows, const struct tournament *match,
                           const struct chance *chance) {
    const uint64_t numbers[] = {rows->shape.rules_hash,
                                rows->shape.env_version,
                                digest_of(rows->head, rows->head_size),
                                match ? match->source[0] : 0,
                                match ? match->source[1] : 0,
                                chance ? chance_number(chance, CHANCE_CHECK, 0) : 0};
    return digest_of(numbers, sizeof numbers);
}

static bool play(struct running *running, const struct folders *folders, struct fault *fault) {
    struct tournament_options *options = &running->match;
    const struct player_options bots = {
        .folders = folders, .rules = options->rules, .limits = options->limits};
    struct tournament *match = NULL;
    uint64_t seed;
    bool well = descriptors_reserve(DESCRIPTORS_OF_PLAY + (options->jobs - 1) * DESCRIPTORS_OF_GAME,
                                    fault) &&
                seed_take(INT64_MAX, &seed, fault) && seed_stretch(seed, &options->chance, fault) &&
                cli_template(running->asked->trust, &bots, &options->template, fault) &&
                (match = tournament_open(options, fault));
    if (well) {
        running->rows.run = run_number(&running->rows, match, &options->chance);
        well = rows_begin(&running->rows, running->asked->file, &options->from, fault);
        if (options->from > options->games / 2) options->from = options->games / 2;
    }
    if (well) {
        cli_tongue(); /* before there are threads */
        progress_open(&running->progress);
        options->stop = interrupt_catch();
        well = tournament_play(match, fault);
        interrupt_release();
        progress_close(&running->progress);
        if (well && running->fault.status != STATUS_OK) {
            *fault = running->fault;
            well = false;
        }
    }
    if (well)
        language_line(stdout, cli_tongue(), "{1}: {2} rows of {3} games, seed {4}",
                      running->asked->file, NUMBER_TEXT(running->rows.count),
                      NUMBER_TEXT(match->counted), NUMBER_TEXT(seed));
    if (well && !tournament_complete(match)) {
        language_line(stderr, cli_tongue(),
                      "ensign: ended early; the same command with --seed {1} goes on",
                      NUMBER_TEXT(seed));
        fault->status = STATUS_OK;
    }
    const bool complete = match && tournament_complete(match);
    tournament_free(match);
    template_close(options->template);
    return well && complete;
}

/* Rows of records, one behind the other in a new file. */
static bool take_records(struct running *running, const struct folders *folders,
                         struct fault *fault) {
    const struct selfplay_values *asked = running->asked;
    struct records records = {.folders = folders, .variant = asked->variant};
    struct rows *rows = &running->rows;
    uint32_t pairs;
    rows->run = run_number(rows, NULL, NULL);
    bool well = rows_begin(rows, asked->file, &pairs, fault);
    if (well && rows->count) {
        well = fault_set(fault, STATUS_USAGE, "exists; records go into a new file");
        fault_place(fault, asked->file, 0, 0);
    }
    for (int i = 0; i < asked->players.count && well; i++) {
        const char *path = asked->players.list[i];
        well = records_play(&records, path, UINT32_MAX, fault);
        const struct playback *replay = &records.replay;
        const struct played game = {(uint32_t)i, RED, replay->result, replay->reason};
        well = well && rows_add(rows, records.record, &game, fault);
        well = well && rows_commit(rows, fault);
        if (!well && !fault->file[0]) fault_place(fault, path, 0, 0);
    }
    records_clear(&records);
    if (well)
        language_line(stdout, cli_tongue(), "{1}: {2} rows of {3} games", asked->file,
                      NUMBER_TEXT(rows->count), NUMBER_TEXT(asked->players.count));
    return well;
}

static int run_selfplay(const void *values) {
    const struct selfplay_values *asked = values;
    struct running running = {.asked = asked, .rows = {.file = -1, .planes = asked->planes}};
    struct fault fault = {0};
    struct folders folders;
    int code, records = 0;
    if (!asked->file) return cli_misuse("selfplay", "-o FILE is expected");
    for (int i = 0; i < asked->players.count; i++)
        records += path_ends(asked->players.list[i], ".rec");
    if (records ? records < asked->players.count : asked->players.count > 2)
        return cli_misuse("selfplay", "one or two bots or only records are expected");
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct sources *sources = sources_open(&READER_DISK);
    if (!sources) return EXIT_HOST;
    folders.reader = sources_reader(sources);
    struct rules *rules = cli_variant(&folders, asked->variant, &code);
    if (!rules) {
        sources_close(sources);
        return code;
    }
    running.twice[0] = running.twice[1] = asked->players.list[0];
    running.match = (struct tournament_options){
        .folders = &folders,
        .rules = rules,
        .players =
            asked->players.count == 1 ? running.twice : (const char *const *)asked->players.list,
        .player_count = 2,
        .games = asked->games + asked->games % 2,
        .jobs = asked->jobs ? asked->jobs : processors_count(TOURNAMENT_JOBS_MAX),
        .limits = SANDBOX_DEFAULTS,
        .deadline = asked->deadline,
        .sources = sources,
        .records = true,
        .finished = game_finished,
        .context = &running};
    if (asked->fuel) running.match.limits.fuel = asked->fuel;
    bool well = rows_open(&running.rows, rules, &fault) &&
                (records ? take_records : play)(&running, &folders, &fault);
    code = fault.status != STATUS_OK ? cli_fail(&fault) : well ? EXIT_DONE : EXIT_SHORT;
    rows_close(&running.rows);
    sources_close(sources);
    return code;
}
