#include "walled.h"

#include "host/player_process.h"
#include "host/players.h"
#include "host/referee.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct rules *walled_rules;
static char folder[64];
char walled_seen[FAULT_TEXT_MAX], walled_seen_file[FAULT_FILE_MAX];
struct usage walled_usage;

int walled_open(void **state) {
    (void)state;
    walled_rules = support_rules("duel");
    support_folder(folder);
    return 0;
}

int walled_close(void **state) {
    (void)state;
    support_remove(folder);
    rules_free(walled_rules);
    return 0;
}

const char *walled_bot(const char *name, const char *text, char *path) {
    snprintf(path, 128, "%s/%s.lua", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

struct player_options walled_options(struct template *template, int deadline) {
    return (struct player_options){.folders = support_folders(),
                                   .rules = walled_rules,
                                   .limits = SANDBOX_DEFAULTS,
                                   .deadline = deadline,
                                   .template = template};
}

struct template *walled_template(struct sandbox_limits limits) {
    struct fault fault = {0};
    struct player_options options = walled_options(NULL, PATIENT);
    options.limits = limits;
    struct template *template = player_template(&options, &fault);
    if (!template) fail_msg("%s", fault.text);
    return template;
}

enum reason walled_play(struct template *template, int deadline, const char *path) {
    struct fault fault = {0};
    struct player red = {0}, blue = {0};
    struct player_options options = walled_options(template, deadline);
    struct referee_report report;
    struct referee_options referee = {.first = RED};
    walled_seen[0] = 0;
    if (!player_open(&red, &options, path, &(const struct chance){{1}}, &fault)) {
        snprintf(walled_seen, sizeof walled_seen, "%s", fault.text);
        return fault.status == STATUS_CRASH ? REASON_FORFEIT_CRASH : REASON_NONE;
    }
    options.template = NULL;
    assert_true(player_open(&blue, &options, "rookie", &(const struct chance){{1, 1}}, &fault));
    struct player *const players[2] = {&red, &blue};
    if (!referee_play(walled_rules, players, &referee, NULL, &report, &fault))
        fail_msg("%s", fault.text);
    red.close(red.self);
    blue.close(blue.self);
    snprintf(walled_seen, sizeof walled_seen, "%s", report.forfeit.text);
    snprintf(walled_seen_file, sizeof walled_seen_file, "%s", report.forfeit.file);
    walled_usage = report.usage[RED];
    if (report.forfeit.status != STATUS_OK) assert_int_equal(report.result, RESULT_BLUE);
    return report.reason;
}

void walled_assert_seen(const char *words) {
    if (!strstr(walled_seen, words)) fail_msg("\"%s\" says nothing of \"%s\"", walled_seen, words);
}
