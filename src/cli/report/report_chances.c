/* report_chances.c - analyses the games of a report. */
#include "report_chances.h"

#include "base/files.h"
#include "cli/cli.h"
#include "host/analysis.h"
#include "host/match/store.h"
#include "host/records.h"
#include "jail/loader.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 64 << 20 };

bool report_chances_open(struct report_chances *chances, const struct folders *folders,
                         const struct rules *rules, const char *bot, struct fault *fault) {
    const struct player_options bots = {
        .folders = folders, .rules = rules, .limits = SANDBOX_DEFAULTS};
    *chances = (struct report_chances){.bot = bot, .folders = folders, .rules = rules};
    return cli_nursery(false, &bots, &chances->nursery, fault);
}

bool report_chances_open_match(struct report_chances *chances,
                               const struct summary_options *options, const char *folder,
                               const char *bot, struct fault *fault) {
    char path[SUMMARY_PATH_MAX];
    struct fault unsaid = {0};
    summary_variant(folder, options, path);
    struct rules *rules = *path ? loader_variant(options->folders, path, &unsaid) : NULL;
    bool opened = !rules || report_chances_open(chances, options->folders, rules, bot, fault);
    chances->own_rules = rules;
    return opened;
}

void report_chances_close(struct report_chances *chances) {
    nursery_close(chances->nursery);
    rules_free(chances->own_rules);
    *chances = (struct report_chances){.bot = NULL};
}

static unsigned per_mille(uint16_t chance) {
    return (chance + APPRAISAL_CERTAIN / 2000U) / (APPRAISAL_CERTAIN / 1000U);
}

static bool write_chances(const struct analysis *analysis, struct film *film, struct fault *fault) {
    struct buffer text = buffer_of(TEXT_MAX);
    for (uint32_t at = 0; at <= analysis->count; at++)
        film_add_number(&text, per_mille(analysis->chance[RED][at]) << 12 |
                                   per_mille(analysis->chance[BLUE][at]));
    film->chances = buffer_take(&text);
    memcpy(film->bot, analysis->bot, sizeof film->bot);
    return film->chances || fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

static bool add_game(const struct report_chances *chances, const char *path, struct film *film,
                     struct fault *fault) {
    struct analysis_options options = {.seat = {.folders = chances->folders,
                                                .rules = chances->rules,
                                                .limits = SANDBOX_DEFAULTS,
                                                .deadline = PLAYER_DEADLINE,
                                                .nursery = chances->nursery},
                                       .bot = chances->bot};
    struct analysis analysis = {.count = 0};
    size_t length;
    char *text = files_read_text(path, RECORD_BYTES_MAX, &length, fault);
    struct record *record = text ? record_read(text, length, fault) : NULL;
    bool done = record && !record->damaged && records_seed(record, &options.seed, fault) &&
                analysis_run(&options, record, &analysis, fault) &&
                write_chances(&analysis, film, fault);
    analysis_clear(&analysis);
    record_free(record);
    free(text);
    return done;
}

static void show_progress(size_t game, size_t games) {
    if (!isatty(STDERR_FILENO)) return;
    fputc('\r', stderr);
    if (game < games)
        language_print(stderr, cli_tongue(), "{1} of {2} games", NUMBER_TEXT(game),
                       NUMBER_TEXT(games));
    fputs("\033[K", stderr);
}

bool report_chances_add(const struct report_chances *chances, struct summary *report,
                        const char *folder, char *const *paths, struct fault *fault) {
    const size_t count = chances->nursery ? report->reel.count : 0;
    bool added = true;
    for (size_t i = 0; i < count && added; i++) {
        struct reel_game *entry = &report->reel.list[i];
        const uint32_t number = report->list[entry->game].number;
        char path[STORE_PATH_MAX];
        if (folder) store_record_path(folder, report->planned, number, path);
        show_progress(i, count);
        added = add_game(chances, folder ? path : paths[number - 1], &entry->film, fault);
    }
    show_progress(count, count);
    return added;
}
