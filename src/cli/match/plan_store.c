/* plan_store.c - the plan in the store of a match: its arguments, and its seed or, if a program
 * plays that could read it, a hash of the seed. */
#include "plan.h"

#include "cli/cli.h"
#include "host/seed.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void plan_print_resume(const struct plan *plan, FILE *out) {
    fprintf(out, "%s match --resume -o ", cli_program);
    cli_print_word(out, plan->folder);
}

struct meta {
    const char *key, *value;
};

static bool keep_all(const struct meta *meta, size_t count, struct store *store,
                     struct fault *fault) {
    for (size_t i = 0; i < count; i++)
        if (meta[i].value && !store_put_meta(store, meta[i].key, meta[i].value, fault))
            return false;
    return true;
}

static bool keep_number(struct store *store, const char *key, uint64_t number,
                        struct fault *fault) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return store_put_meta(store, key, text, fault);
}

/* "ensign match …", ready to be typed again; NULL without memory. */
static char *command_text(const struct plan *plan, bool with_seed) {
    const struct arguments *typed = &plan->asked.typed;
    char *command = NULL;
    size_t length;
    FILE *out = open_memstream(&command, &length);
    if (!out) return NULL;
    fputs("ensign", out);
    for (int i = 0; i < typed->count; i++) {
        if (!command_keeps(typed->list[i])) continue;
        putc(' ', out);
        cli_print_word(out, typed->list[i]);
    }
    if (with_seed) fprintf(out, " --seed %" PRIu64, plan->seed);
    if (fclose(out) == 0) return command;
    free(command);
    return NULL;
}

static bool keep_command(const struct plan *plan, bool with_seed, struct store *store,
                         struct fault *fault) {
    char *command = command_text(plan, with_seed);
    bool kept = command ? store_put_meta(store, "command", command, fault)
                        : fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    free(command);
    return kept;
}

static bool keep_words(const struct plan *plan, struct store *store, struct fault *fault) {
    const struct arguments *typed = &plan->asked.typed;
    json_t *list = json_array();
    size_t words = 0;
    for (int i = 0; i < typed->count; i++) {
        if (!command_keeps(typed->list[i])) continue;
        json_array_append_new(list, json_string(typed->list[i]));
        words++;
    }
    char *arguments = json_dumps(list, JSON_COMPACT), directory[PATH_MAX];
    bool good = arguments;
    if (!good) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    } else if (json_array_size(list) != words) {
        good = fault_set(fault, STATUS_USAGE, "an argument is no UTF-8 and cannot be kept");
    } else {
        const struct meta meta[] = {
            {"arguments", arguments},
            {"directory", getcwd(directory, sizeof directory) ? directory : "."},
        };
        good = keep_all(meta, sizeof meta / sizeof *meta, store, fault);
    }
    json_decref(list);
    free(arguments);
    return good;
}

static bool keep_seed(const struct plan *plan, struct store *store, struct fault *fault) {
    return keep_number(store, "seed", plan->seed, fault) && keep_command(plan, true, store, fault);
}

static void write_check(const struct plan *plan, char check[STORE_HASH_MAX]) {
    store_write_hash(chance_number(&plan->match.chance, CHANCE_CHECK, 0), check);
}

/* Keeps a hash instead of the seed, in a store that a program may read. */
static bool keep_check(const struct plan *plan, struct store *store, struct fault *fault) {
    char check[STORE_HASH_MAX];
    write_check(plan, check);
    return store_put_meta(store, "seed_check", check, fault) &&
           keep_command(plan, false, store, fault);
}

bool plan_begin(struct plan *plan, struct fault *fault) {
    return seed_take(INT64_MAX, &plan->seed, fault) &&
           seed_stretch(plan->seed, &plan->match.chance, fault);
}

/* Warns that the remaining games get a new seed, and notes it in the store. */
static bool plan_renew(struct store *store, struct fault *fault) {
    if (store_meta(store, "ended")) return true;
    language_line(
        stderr, cli_tongue(),
        "ensign: the seed of a match with programs is not stored; the remaining games get "
        "a new one (to keep the original seed, give it with --seed N)");
    return store_put_meta(store, "renewed", "yes", fault);
}

bool plan_take_up(struct plan *plan, struct store *store, struct fault *fault) {
    char kept[STORE_HASH_MAX] = "", check[STORE_HASH_MAX];
    uint64_t seed = 0;
    bool given = seed_given(), told = store_meta(store, "seed");
    if (told && !store_meta_number(store, "seed", &seed, fault)) return false;
    const char *value = store_meta(store, "seed_check");
    if (value) snprintf(kept, sizeof kept, "%s", value);
    plan->renewed = store_meta(store, "renewed");
    if (given || !told) {
        if (!plan_begin(plan, fault)) return false;
    } else {
        plan->seed = seed;
        if (!seed_stretch(seed, &plan->match.chance, fault)) return false;
    }
    if (!given && !told) {
        plan->renewed = true;
        return plan_renew(store, fault);
    }
    write_check(plan, check);
    if (told ? plan->seed == seed : !strcmp(kept, check)) return true;
    fault_set(fault, STATUS_USAGE, "--seed: the match was begun with another seed");
    fault_place(fault, plan->folder, 0, 0);
    return false;
}

bool plan_tells_seed(const struct plan *plan, const struct tournament *match) {
    return !tournament_has_externals(match) || (tournament_complete(match) && !plan->renewed);
}

bool plan_end(const struct plan *plan, const struct tournament *match, struct store *store,
              struct fault *fault) {
    if (!tournament_has_externals(match) || !plan_tells_seed(plan, match)) return true;
    return store_begin(store, fault) && keep_seed(plan, store, fault) && store_commit(store, fault);
}

bool plan_keep(const struct plan *plan, const struct tournament *match, struct store *store,
               struct fault *fault) {
    static const char *const firsts[] = {"rules", "red", "blue"};
    const struct tournament_options *options_of_match = &plan->match;
    const struct rules *rules = options_of_match->rules;
    char sprt[128];
    snprintf(sprt, sizeof sprt, "%g,%g,%g,%g", plan->sprt.elo0, plan->sprt.elo1, plan->sprt.alpha,
             plan->sprt.beta);
    const struct meta meta[] = {
        {"ensign", ENSIGN_VERSION},
        {"variant", rules->name},
        {"title", rules->title},
        {"variant_path", plan->asked.variant},
        {"pairing", plan->asked.versus           ? "versus"
                    : options_of_match->gauntlet ? "gauntlet"
                                                 : "round-robin"},
        {"first", firsts[options_of_match->first]},
        {"setups", plan->asked.setups},
        {"versus", plan->asked.versus},
        {"bot", plan->asked.versus ? options_of_match->players[0] : NULL},
        {"clock", plan->asked.clock},
        {"sprt", options_of_match->sprt ? sprt : NULL},
        {"trust", plan->asked.trust ? "yes" : NULL},
    };
    return keep_words(plan, store, fault) &&
           keep_all(meta, sizeof meta / sizeof *meta, store, fault) &&
           (tournament_has_externals(match) ? keep_check : keep_seed)(plan, store, fault) &&
           keep_number(store, "games", match->game_count, fault) &&
           keep_number(store, "fuel", options_of_match->limits.fuel, fault) &&
           keep_number(store, "memory", options_of_match->limits.memory, fault) &&
           keep_number(store, "deadline", (uint64_t)options_of_match->deadline, fault);
}
