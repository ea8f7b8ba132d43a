#include "met.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct tournament *met_rookie(const struct folders *folders, const struct rules *rules,
                              const char *bot, struct template *template) {
    struct fault fault = {0};
    const char *players[] = {bot, "rookie"};
    const struct tournament_options options = {.folders = folders,
                                               .rules = rules,
                                               .players = players,
                                               .player_count = 2,
                                               .games = 2,
                                               .jobs = 1,
                                               .chance = {{3}},
                                               .limits = SANDBOX_DEFAULTS,
                                               .deadline = PLAYER_DEADLINE,
                                               .template = template};
    struct tournament *match = tournament_run(&options, &fault);
    if (!match) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
    return match;
}
