/* fitting.c - tries variants until one fits. */
#include "fitting.h"

#include "host/player_process.h"
#include "host/session.h"
#include "host/setups/setup_pool.h"
#include "jail/loader.h"
#include "jail/zygote.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char FIRST[] = "original";

/* How far a variant is from fitting; 0: it fits. */
typedef uint64_t distance_of(const void *context, const struct rules *rules);

struct search {
    const struct folders *folders;
    distance_of *distance;
    const void *context;
    struct rules *best;
    uint64_t closest;
};

static void consider(struct search *search, const char *name, struct fault *fault) {
    struct rules *rules = search->closest ? loader_variant(search->folders, name, fault) : NULL;
    const uint64_t distance = rules ? search->distance(search->context, rules) : UINT64_MAX;
    if (distance >= search->closest) {
        rules_free(rules);
        return;
    }
    rules_free(search->best);
    search->best = rules;
    search->closest = distance;
}

static void consider_listed(void *context, const char *name, const char *path) {
    struct fault unused = {0};
    (void)path;
    if (strcmp(name, FIRST) != 0) consider(context, name, &unused);
}

static struct fitting search_fitting(const struct folders *folders, distance_of *distance,
                                     const void *context, struct fault *fault) {
    struct search search = {folders, distance, context, NULL, UINT64_MAX};
    consider(&search, FIRST, fault);
    if (search.best) folders_list(folders, FOLDER_VARIANTS, consider_listed, &search);
    return (struct fitting){search.best, !search.closest};
}

struct fitted_bot {
    const struct folders *folders;
    const char *path;
};

/* False only if it lays out another army, or none. */
static bool bot_lays_out(const struct player_options *options, const char *path) {
    struct fault fault = {0};
    struct player player = {0};
    struct setup setup;
    const struct session_options game = {.rules = options->rules};
    struct session *session = session_open(&game, &fault);
    bool opened = session && player_process(&player, options, path, &(struct chance){{0}}, &fault);
    if (opened && player.setup(player.self, &session->eyes.view[RED], &setup, &fault))
        session_take_setup(session, RED, &setup, &fault);
    if (opened) player.close(player.self);
    session_close(session);
    return fault.status != STATUS_SETUP && fault.status != STATUS_SCRIPT &&
           fault.status != STATUS_NOT_FOUND;
}

static uint64_t bot_distance(const void *context, const struct rules *rules) {
    const struct fitted_bot *bot = context;
    struct player_options options = {.folders = bot->folders,
                                     .rules = rules,
                                     .limits = SANDBOX_DEFAULTS,
                                     .deadline = PLAYER_DEADLINE};
    struct fault fault = {0};
    options.template = player_template(&options, &fault);
    const bool fits = !options.template || bot_lays_out(&options, bot->path);
    template_close(options.template);
    return !fits;
}

struct fitting fitting_bot(const struct folders *folders, const char *path, struct fault *fault) {
    return search_fitting(folders, bot_distance, &(struct fitted_bot){folders, path}, fault);
}

struct fitted_setups {
    const char *text;
    size_t length;
    uint64_t pieces; /* letters and digits outside comments */
};

static void count_complaint(void *context, const struct fault *fault) {
    uint64_t *complaints = context;
    (void)fault;
    ++*complaints;
}

/* From the text's pieces to a whole number of armies. */
static uint64_t army_distance(const struct rules *rules, uint64_t pieces) {
    const uint64_t army = rules->start[RED].size;
    if (pieces < army) return army - pieces;
    const uint64_t over = pieces % army;
    return over < army - over ? over : army - over;
}

static uint64_t setups_distance(const void *context, const struct rules *rules) {
    enum { COMPLAINT = 1000 };
    const struct fitted_setups *of = context;
    struct setup_pool setups = {0};
    struct fault fault = {0};
    uint64_t complaints = 0;
    if (!setup_pool_survey(rules, RED, of->text, of->length, count_complaint, &complaints, &setups,
                           &fault))
        complaints++;
    setup_pool_clear(&setups);
    return complaints ? complaints * COMPLAINT + army_distance(rules, of->pieces) : 0;
}

struct fitting fitting_setups(const struct folders *folders, const char *text, size_t length,
                              struct fault *fault) {
    struct fitted_setups setups = {text, length, 0};
    bool comment = false;
    for (size_t i = 0; i < length; i++) {
        comment = text[i] == '#' || (comment && text[i] != '\n' && text[i] != '\r');
        setups.pieces += !comment && isalnum((unsigned char)text[i]);
    }
    return search_fitting(folders, setups_distance, &setups, fault);
}
