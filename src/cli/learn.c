/* learn.c - `ensign learn`: learns to play a variant by playing it, and writes a bot.
 *
 * Beside the bot's file lies one with the state of learning, which the same command takes up. */
#include "base/clock.h"
#include "base/descriptors.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/processors.h"
#include "base/words.h"
#include "cli/match/progress.h"
#include "cli/report/learn_page.h"
#include "columns.h"
#include "command.h"
#include "host/learn/learned.h"
#include "host/learn/strength_test.h"
#include "host/seed.h"
#include "host/setups/setup_library.h"
#include "interrupt.h"
#include "jail/loader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct learn_values {
    const char *variant, *out, *page, *lang;
    struct repeated against, repertoire, records;
    int minutes, games, jobs, share;
    uint32_t ladder; /* games against each rival */
    bool table;
};

enum {
    MINUTES_USUAL = 10,
    SHARE_USUAL = 50,
    SAVE_MS = 60000,
    TELL_MS = 200 /* at a terminal; else with SAVE_MS */
};

static int run_learn(const void *values);
const struct command command_learn = {
    COMMAND(learn, .minutes = MINUTES_USUAL, .share = SHARE_USUAL),
    .summary = "learn to play a variant, and write a bot",
    .synopsis = {"VARIANT [OPTIONS]"},
    .prose =
        "Plays the variant against itself and learns what pieces, places, threats and knowledge "
        "are worth in it, what moves say about hidden pieces, and which set-ups do well. Writes a "
        "bot that plays by it. The same command learns on where it was stopped, by Ctrl-C or "
        "otherwise: the state is kept in a file beside the bot's, named as it with \".school\" "
        "added.",
    .arguments = {{NULL, 0, "VARIANT", VALUE_VARIANT, INTO(learn, variant)}},
    .options =
        {
            {"output", 'o', "FILE", VALUE_FILE, INTO(learn, out),
             "the bot's file (default: admiral-VARIANT.lua)"},
            {"against", 0, "FILE", VALUE_FILE, INTO(learn, against),
             "learn to beat a fixed opponent, a table that --table wrote; learning begins with "
             "what it holds. Given several times: all of them in turn, beginning with what the "
             "first holds"},
            {"repertoire", 0, "FILE", VALUE_FILE, INTO(learn, repertoire),
             "learn set-ups alone: keep the styles of a table that --table wrote, and find which "
             "set-ups they should lay out when the enemy knows how often. Given several times: the "
             "styles of the first, set-ups of all",
             .excludes = "against"},
            {"records", 0, "FOLDER", VALUE_FOLDER, INTO(learn, records),
             "learn from the records of other players in a folder, too: what their hidden pieces "
             "show, and set-ups. May be given several times",
             .excludes = "repertoire"},
            {"share", 0, "PERCENT", VALUE_NUMBER, INTO(learn, share),
             "percentage of records among the hidden pieces that habits are learned from",
             .least = 1, .most = 100, .needs = "records"},
            {"minutes", 0, "N", VALUE_NUMBER, INTO(learn, minutes), "minutes to learn now",
             .least = 1, .most = 100000},
            {"games", 'n', "N", VALUE_NUMBER, INTO(learn, games),
             "learn until it has played N games in all, however long it takes; the same number and "
             "seed give the same bot",
             .least = 1, .most = 100000000, .excludes = "minutes"},
            {"jobs", 'j', "JOBS", VALUE_NUMBER, INTO(learn, jobs),
             "threads; one for each processor unless given", .least = 1, .most = HALL_JOBS_MAX},
            {"ladder", 0, "GAMES", VALUE_NUMBER, INTO(learn, ladder),
             "play GAMES against hunter and seer each, at a quarter, at half and at the end of the "
             "time or games; takes time of its own",
             .least = 1, .most = 1000000, .excludes = "table"},
            {"page", 0, "FILE", VALUE_FILE, INTO(learn, page),
             "write a page for the browser that shows how its strength grew; once a minute and at "
             "the end",
             .excludes = "repertoire"},
            {OPTION_LANG, INTO(learn, lang)},
            {OPTION_SEED_SECRET},
            {"table", INTO(learn, table),
             "write only what was learned, for a script that requires it, instead of a bot"},
        },
    .notes = {"10,000 games show much of what can be learned; small boards take a minute for them, "
              "large ones ten."},
};

struct learning {
    const struct learn_values *asked;
    struct opponent *opponents; /* of --against or --repertoire */
    struct examples examples;   /* of --records */
    struct trainer *trainer;
    bool seeded;                         /* with --seed */
    char bot[PATH_MAX], state[PATH_MAX]; /* where they are written */
    struct tournament_options ladder;    /* as strength_test_play() takes it */
    int climbed;                         /* the quarter of the last ladder; 0: none yet */
};

/* Where nobody has named the bot's file. */
static unsigned bot_terms(const struct learning *learning) {
    return learning->asked->out ? 0 : ATOMIC_FILE_NO_LINK;
}

static bool write_bot(const struct learning *learning, struct fault *fault) {
    struct atomic_file draft;
    if (!atomic_file_begin(&draft, learning->bot, bot_terms(learning), fault)) return false;
    learned_write(draft.out, learning->trainer, learning->asked->table);
    return atomic_file_end(&draft, NULL, fault);
}

/* False with a fault if this file could not be written now; nothing at the path is changed. A named
 * pipe is not tried: its reader would take that for the end. */
static bool may_write(const char *path, unsigned terms, struct fault *fault) {
    struct stat about;
    struct atomic_file draft;
    if (!stat(path, &about) && S_ISFIFO(about.st_mode)) return true;
    if (!atomic_file_begin(&draft, path, terms, fault)) return false;
    atomic_file_drop(&draft);
    return true;
}

/* The page must not take the place of what it is made from. */
static bool page_is_apart(const struct learning *learning, struct fault *fault) {
    const struct learn_values *asked = learning->asked;
    bool same =
        path_is_same(asked->page, learning->bot) || path_is_same(asked->page, learning->state);
    for (int i = 0; i < asked->against.count; i++)
        same = same || path_is_same(asked->page, asked->against.list[i]);
    if (!same) return true;
    fault_set(fault, STATUS_USAGE, "holds what the page is made from; give another path");
    fault_place(fault, asked->page, 0, 0);
    return false;
}

/* Before the first game: learning would be lost with a file that cannot be written. Makes the
 * folders of the files. */
static bool may_keep(const struct learning *learning, struct fault *fault) {
    const char *page = learning->asked->page;
    const unsigned terms = bot_terms(learning);
    return (!page || page_is_apart(learning, fault)) &&
           files_folders(learning->bot, SIZE_MAX, fault) &&
           (!page || files_folders(page, SIZE_MAX, fault)) &&
           may_write(learning->state, terms, fault) && may_write(learning->bot, terms, fault) &&
           (!page || may_write(page, 0, fault));
}

static bool write_page(const struct learning *learning, struct fault *fault) {
    struct atomic_file draft;
    if (!learning->asked->page) return true;
    if (!page_is_apart(learning, fault)) return false; /* a path that led nowhere may lead to it */
    if (!atomic_file_begin(&draft, learning->asked->page, 0, fault)) return false;
    if (learn_page_write(learning->trainer, cli_tongue(), draft.out))
        return atomic_file_end(&draft, NULL, fault);
    atomic_file_drop(&draft);
    return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

/* The state first: with it alone the same command goes on, with the bot alone it would not. */
static bool keep(const struct learning *learning, struct fault *fault) {
    return trainer_save(learning->trainer, learning->state, fault) && write_bot(learning, fault) &&
           write_page(learning, fault);
}

/* Begins, or takes up what was kept. */
static bool take_up(const struct learning *learning, struct fault *fault) {
    const uint64_t seed = learning->trainer->state.seed;
    if (access(learning->state, F_OK) == 0) {
        if (!trainer_load(learning->trainer, learning->state, fault)) return false;
        const uint64_t begun = learning->trainer->state.seed;
        return !learning->seeded || begun == seed ||
               fault_set(fault, STATUS_USAGE,
                         "%s was begun with seed %llu; leave --seed out, or choose another file "
                         "with -o",
                         learning->state, (unsigned long long)begun);
    }
    if (access(learning->bot, F_OK) != 0) return true;
    return fault_set(fault, STATUS_USAGE,
                     "there is already a file %s, but none with a state of "
                     "learning; choose another with -o",
                     learning->bot);
}

static void strength_test_told(void *context, const struct tournament *match,
                               const struct tournament_news *news) {
    (void)news;
    progress_show(context, match, NULL);
}

/* Keeps the bot and plays the ladder with it. `stop` as in tournament.h. */
static bool climb(struct learning *learning, atomic_bool *stop, struct fault *fault) {
    struct progress progress;
    struct tournament_options match = learning->ladder;
    if (!keep(learning, fault) || !match.games) return fault->status == STATUS_OK;
    if (!stop)
        language_line(stderr, cli_tongue(),
                      "what was learned is kept; now come the games of --ladder, which a second "
                      "Ctrl-C leaves out");
    progress_open(&progress);
    match.stop = stop;
    match.finished = strength_test_told;
    match.context = &progress;
    bool played = strength_test_play(learning->trainer, learning->bot, match, fault);
    progress_close(&progress);
    return played && keep(learning, fault);
}

/* In one line that is overwritten at a terminal; else a line for each time. */
static void tell(const struct trainer *trainer, int64_t ms, double rate, bool terminal) {
    /* without an opponent, with one, with several */
    static const char *const lines[] = {
        TEXT("{1}: {2} games, {3} a second, {4} % against its beginning"),
        TEXT("{1}: {2} games, {3} a second, {4} % against its opponent"),
        TEXT("{1}: {2} games, {3} a second, {4} % against its opponents")};
    const struct trainer_state *state = &trainer->state;
    char text[32];
    double against = state->notes ? state->note[state->notes - 1].against_first : 50;
    snprintf(text, sizeof text, "%d:%02d", (int)(ms / 60000), (int)(ms / 1000 % 60));
    if (terminal) fputc('\r', stderr);
    const int met = trainer->opponent_count < 2 ? trainer->opponent_count : 2;
    language_print(stderr, cli_tongue(), lines[met], text,
                   NUMBER_TEXT(state->classes * CLASS_GAMES), NUMBER_TEXT(rate),
                   NUMBER_TEXT(against));
    fputs(terminal ? "\033[K" : "\n", stderr);
    fflush(stderr);
}

/* Learns until it is time; false with a fault if it cannot be kept or the ladder not be played. */
static bool learn(struct learning *learning, atomic_bool *stop, struct fault *fault) {
    const struct learn_values *asked = learning->asked;
    struct trainer *trainer = learning->trainer;
    const uint64_t before = trainer->state.classes * CLASS_GAMES;
    int64_t start = clock_ms(); /* moved on by what the ladder takes */
    int64_t saved = start, told = start;
    const bool terminal = isatty(STDERR_FILENO);
    bool broken_off = false; /* a ladder was */
    for (;;) {
        const int64_t now = clock_ms();
        const uint64_t games = trainer->state.classes * CLASS_GAMES;
        const double part = asked->games
                                ? (double)(games - before) / ((double)asked->games - (double)before)
                                : (double)(now - start) / (asked->minutes * 60000.0);
        if (*stop || part >= 1 || (asked->games && games >= (uint64_t)asked->games)) break;
        const int quarters = part >= 0.5 ? 2 : part >= 0.25;
        if (quarters > learning->climbed) {
            learning->climbed = quarters;
            if (!climb(learning, stop, fault)) break;
            broken_off = *stop;
            saved = clock_ms();
            start += saved - now;
            continue;
        }
        trainer_class(trainer);
        if (trainer->fault.status != STATUS_OK) {
            *fault = trainer->fault;
            break;
        }
        if (now - saved >= SAVE_MS) {
            saved = now;
            if (!keep(learning, fault)) break;
        }
        if (now - told < (terminal ? TELL_MS : SAVE_MS)) continue;
        told = now;
        tell(trainer, now - start, (double)(games - before) * 1000 / (double)(now - start),
             terminal);
    }
    if (terminal) fputs("\r\033[K", stderr);
    /* One who stops learning still sees the ladder; only the second signal ends it. */
    return fault->status == STATUS_OK &&
           (broken_off || climb(learning, *stop ? NULL : stop, fault));
}

static void print_ladder(const struct trainer_state *state) {
    enum { GAMES_WIDTH = 14, SCORE_WIDTH = 9 };
    if (!state->rungs) return;
    fputc('\n', stdout);
    columns_print(stdout, language_text(cli_tongue(), TEXT("games learned")), -GAMES_WIDTH);
    for (int i = 0; i < TRAINER_RIVALS; i++)
        columns_print(stdout, STRENGTH_TEST_RIVALS[i], -SCORE_WIDTH);
    fputc('\n', stdout);
    for (int r = 0; r < state->rungs; r++) {
        const struct trainer_rung *rung = &state->rung[r];
        columns_print(stdout, NUMBER_TEXT(rung->games), -GAMES_WIDTH);
        for (int i = 0; i < TRAINER_RIVALS; i++) {
            char score[32];
            snprintf(score, sizeof score, "%.1f %%", 100 * statistics_score(&rung->against[i]));
            columns_print(stdout, score, -SCORE_WIDTH);
        }
        fputc('\n', stdout);
    }
    fputc('\n', stdout);
}

/* A row of the table of beliefs: for each part of the game the loss of counts alone and of what was
 * learned, for each piece. */
static void print_loss_row(const char *name, const struct belief_loss losses[2], int kind,
                           int last) {
    enum { NAME_WIDTH = 14, LOSS_WIDTH = 13 };
    columns_print(stdout, name, NAME_WIDTH);
    for (int phase = 0; phase < LOSS_PHASES; phase++) {
        double sum[2] = {0};
        uint32_t pieces = 0;
        char text[32] = "";
        for (int k = kind; k <= last; k++) {
            pieces += losses[0].pieces[phase][k];
            for (int i = 0; i < 2; i++) sum[i] += losses[i].sum[phase][k];
        }
        if (pieces) snprintf(text, sizeof text, "%.2f %.2f", sum[0] / pieces, sum[1] / pieces);
        columns_print(stdout, text, -LOSS_WIDTH);
    }
    fputc('\n', stdout);
}

/* What beliefs are worth in the games that were held back. */
static bool print_losses(const struct learning *learning, struct fault *fault) {
    static const char *const parts[LOSS_PHASES] = {"0", "24", "72", "180"};
    const struct trainer *trainer = learning->trainer;
    const struct rules *rules = trainer->rules;
    struct habits even, learned;
    struct belief_loss losses[2];
    habits_even(&even);
    trainer_give_habits(trainer, &trainer->state.habits, &learned);
    if (!examples_loss(&learning->examples, rules, &even, &losses[0], fault) ||
        !examples_loss(&learning->examples, rules, &learned, &losses[1], fault))
        return false;
    language_line(stdout, cli_tongue(),
                  "log loss of hidden pieces in {1} records that were held back, by counts alone "
                  "and as learned:",
                  NUMBER_TEXT(learning->examples.count - learning->examples.taught));
    columns_print(stdout, language_text(cli_tongue(), TEXT("from ply")), 14);
    for (int phase = 0; phase < LOSS_PHASES; phase++) columns_print(stdout, parts[phase], -13);
    fputc('\n', stdout);
    for (int kind = 1; kind <= rules->kinds; kind++)
        print_loss_row(language_kind(cli_tongue(), rules, (kind_id)kind), losses, kind, kind);
    print_loss_row(language_text(cli_tongue(), TEXT("all")), losses, 1, rules->kinds);
    return true;
}

static void print_end(const struct learning *learning) {
    const struct language *language = cli_tongue();
    const struct trainer_state *state = &learning->trainer->state;
    char command[2 * PATH_MAX];
    language_line(stdout, language, "{1}: {2} games", learning->bot,
                  NUMBER_TEXT(state->classes * CLASS_GAMES));
    if (learning->ladder.games) print_ladder(state);
    if (learning->asked->table) return;
    snprintf(command, sizeof command, "%s match %s seer -v %s -n 40", cli_program, learning->bot,
             learning->asked->variant);
    language_line(stdout, language, "to see how it plays: {1}", command);
}

/* Says where things are written. The bot's file is a path to every command, also without a suffix.
 */
static bool name_files(struct learning *learning, const struct rules *rules) {
    const char *out = learning->asked->out;
    int length = out ? snprintf(learning->bot, sizeof learning->bot, "%s%s",
                                word_is_name(out) ? "./" : "", out)
                     : snprintf(learning->bot, sizeof learning->bot, "admiral-%s.lua", rules->name);
    return length < (int)sizeof learning->bot &&
           snprintf(learning->state, sizeof learning->state, "%s.school", learning->bot) <
               (int)sizeof learning->state;
}

/* Before the seed is read, which no bot's process may hold. */
static bool prepare_ladder(struct learning *learning, const struct folders *folders,
                           const struct rules *rules, int jobs, struct fault *fault) {
    const struct player_options bots = {
        .folders = folders, .rules = rules, .limits = SANDBOX_DEFAULTS};
    struct tournament_options *ladder = &learning->ladder;
    if (!learning->asked->ladder) return true;
    ladder->folders = folders;
    ladder->games = learning->asked->ladder + learning->asked->ladder % 2;
    ladder->jobs = jobs;
    return descriptors_reserve(DESCRIPTORS_OF_PLAY + (jobs - 1) * DESCRIPTORS_OF_GAME, fault) &&
           cli_template(false, &bots, &ladder->template, fault);
}

_Static_assert((int)REPEATED_MAX == (int)OPPONENTS_MAX, "options take as many as a school");

/* Reads the files of --against or --repertoire; while there are no threads. */
static bool read_tables(struct learning *learning, const struct folders *folders,
                        const struct rules *rules, struct fault *fault) {
    const struct learn_values *asked = learning->asked;
    const struct repeated *files = asked->against.count ? &asked->against : &asked->repertoire;
    if (!files->count) return true;
    learning->opponents = calloc((size_t)files->count, sizeof *learning->opponents);
    if (!learning->opponents) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < files->count; i++) {
        struct opponent *opponent = &learning->opponents[i];
        opponent->name = files->list[i];
        if (!loader_learned(folders, opponent->name, rules, &opponent->learned, fault))
            return false;
    }
    return true;
}

/* The set-ups of the library that fit the variant. */
static bool invite_library(struct learning *learning, const struct folders *folders,
                           const struct rules *rules, struct fault *fault) {
    struct setup_library library;
    struct setup setups[CAMP_GUESTS];
    size_t count = 0;
    if (!setup_library_open(&library, folders, rules, RED, fault)) return false;
    for (; count < library.count && count < CAMP_GUESTS; count++)
        setups[count] = library.list[count].setup;
    setup_library_close(&library);
    trainer_invite(learning->trainer, setups, count);
    return true;
}

static void examples_complain(void *context, const struct fault *fault) {
    cli_complain(context, fault);
}

/* Reads the folders of --records; while there are no threads. */
static bool read_examples(struct learning *learning, const struct folders *folders,
                          const struct rules *rules, struct fault *fault) {
    const struct repeated *records = &learning->asked->records;
    struct complaints complaints = {0};
    bool ok = true;
    for (int i = 0; ok && i < records->count; i++)
        ok = examples_read(&learning->examples, folders, rules, learning->asked->variant,
                           records->list[i], examples_complain, &complaints, fault);
    cli_complained(&complaints);
    examples_hold(&learning->examples);
    return ok;
}

static bool begin(struct learning *learning, const struct folders *folders,
                  const struct rules *rules, struct fault *fault) {
    const int asked = learning->asked->jobs;
    const int jobs = asked ? asked : processors_count(HALL_JOBS_MAX);
    struct chance chance;
    uint64_t seed;
    learning->seeded = seed_given();
    const int repertoire = learning->asked->repertoire.count;
    if (!read_tables(learning, folders, rules, fault) ||
        !read_examples(learning, folders, rules, fault) ||
        !prepare_ladder(learning, folders, rules, jobs, fault) ||
        !seed_take(UINT32_MAX, &seed, fault) || !seed_stretch(seed, &chance, fault))
        return false;
    learning->trainer = trainer_new(rules, learning->opponents, learning->asked->against.count,
                                    &chance, seed, jobs, fault);
    if (!learning->trainer || !invite_library(learning, folders, rules, fault)) return false;
    return (!learning->examples.count ||
            trainer_show(learning->trainer, &learning->examples, learning->asked->share, fault)) &&
           (!repertoire ||
            trainer_muster(learning->trainer, learning->opponents, repertoire, fault)) &&
           take_up(learning, fault) && may_keep(learning, fault);
}

static int learn_variant(struct learning *learning, const struct folders *folders,
                         const struct rules *rules) {
    struct fault fault = {0};
    if (!name_files(learning, rules))
        return cli_misuse("learn", "the name of the file is too long");
    bool done = begin(learning, folders, rules, &fault);
    if (done) {
        done = learn(learning, interrupt_catch(), &fault);
        interrupt_release();
    }
    if (done && learning->examples.count > learning->examples.taught)
        done = print_losses(learning, &fault);
    if (done) print_end(learning);
    template_close(learning->ladder.template);
    trainer_free(learning->trainer);
    examples_clear(&learning->examples);
    free(learning->opponents);
    return done ? EXIT_DONE : cli_fail(&fault);
}

static int run_learn(const void *values) {
    struct learning learning = {.asked = values};
    struct folders folders;
    int code = EXIT_DONE;
    if (!learning.asked->variant) return cli_misuse("learn", "a variant is expected");
    if (learning.asked->page && !strcmp(learning.asked->page, "-"))
        return cli_misuse("learn", "--page: a file is expected, which is written again and again");
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct rules *rules = cli_variant(&folders, learning.asked->variant, &code);
    if (!rules) return code;
    if (!rules->same_starts) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_USAGE,
                  "the sides of \"%s\" start differently: what is learned is for both",
                  rules->name);
        code = cli_fail(&fault);
        rules_free(rules);
        return code;
    }
    code = learn_variant(&learning, &folders, rules);
    rules_free(rules);
    return code;
}
