/* learned.c - terms without weight and signs that tell nothing are left out. */
#include "learned.h"

#include "base/utf8.h"
#include "core/text/layout.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* A kind's name as a key of a table; some are words of Lua, or begin with a digit. */
static void write_key(FILE *out, const char *name) {
    static const char words[] =
        " and break do else elseif end false for function goto if in local nil not or repeat return "
        "then true until while ";
    char spaced[WORD_MAX + 2];
    snprintf(spaced, sizeof spaced, " %s ", name);
    const bool plain = !isdigit((unsigned char)*name) && !strstr(words, spaced);
    fprintf(out, plain ? "%s" : "[\"%s\"]", name);
}

static void write_terms(FILE *out, const char *const *names, const int32_t *weights, int count) {
    const char *between = "";
    fputs("{ ", out);
    for (int i = 0; i < count; i++) {
        if (!weights[i]) continue;
        fprintf(out, "%s%s = %d", between, names[i], weights[i]);
        between = ", ";
    }
    fputs(" }", out);
}

/* Signs by number. */
static void write_ratios(FILE *out, const char *in, const char *name, const struct habits *habits,
                         kind_id kind, int from, int count) {
    fprintf(out, "%s    %s = {", in, name);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s %d", i ? "," : "", habits->ratio[from + i][kind]);
    fputs(" },\n", out);
}

/* Signs by kind. */
static void write_by_kind(FILE *out, const char *in, const char *name, const struct rules *rules,
                          const struct habits *habits, kind_id kind, int from) {
    fprintf(out, "%s    %s = { none = %d", in, name, habits->ratio[from][kind]);
    for (kind_id other = 1; other <= rules->kinds; other++) {
        if (habits->ratio[from + other][kind] != HABIT_UNIT) {
            fputs(", ", out);
            write_key(out, rules->kind[other].name);
            fprintf(out, " = %d", habits->ratio[from + other][kind]);
        }
    }
    fputs(" },\n", out);
}

/* The parts of a style, each line moved in by `in`. */
static void write_style(FILE *out, const struct trainer *trainer, const struct style *style,
                        const char *in) {
    const struct rules *rules = trainer->rules;
    const struct value *value = &style->value;
    struct habits habits;
    trainer_give_habits(trainer, &value->habits, &habits);
    fprintf(out, "%sown = {\n", in);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        fprintf(out, "%s  ", in);
        write_key(out, rules->kind[kind].name);
        fputs(" = ", out);
        write_terms(out, OWN_TERM_NAMES, value->weights.own[kind], OWN_TERMS);
        fputs(",\n", out);
    }
    fprintf(out, "%s},\n%senemy = {\n", in, in);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        fprintf(out, "%s  ", in);
        write_key(out, rules->kind[kind].name);
        fputs(" = ", out);
        write_terms(out, ENEMY_TERM_NAMES, value->weights.enemy[kind], ENEMY_TERMS);
        fputs(",\n", out);
    }
    fprintf(out, "%s},\n%swhole = ", in, in);
    write_terms(out, WHOLE_TERM_NAMES, value->weights.whole, WHOLE_TERMS);
    fprintf(out, ",\n%shabits = {\n", in);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        fprintf(out, "%s  ", in);
        write_key(out, rules->kind[kind].name);
        fputs(" = {\n", out);
        write_ratios(out, in, "start", &habits, kind, SIGN_START,
                     sign_start_rows(&rules->board, RED) * SIGN_START_PLACES);
        write_ratios(out, in, "moves", &habits, kind, SIGN_MOVES, SIGN_MOVES_COUNT);
        write_by_kind(out, in, "dared", rules, &habits, kind, SIGN_DARED);
        write_by_kind(out, in, "fled", rules, &habits, kind, SIGN_FLED);
        write_ratios(out, in, "stood", &habits, kind, SIGN_STOOD, SIGN_STOOD_COUNT);
        if (!(rules->mobile >> kind & 1))
            write_ratios(out, in, "beside", &habits, kind, SIGN_BESIDE, SIGN_BESIDE_COUNT);
        fprintf(out, "%s  },\n", in);
    }
    fprintf(out, "%s},\n%ssetups = {\n", in, in);
    for (uint32_t i = 0; i < style->setups; i++) {
        char text[SETUP_TEXT_MAX];
        setup_write(rules, RED, &style->setup[i], text);
        fprintf(out, "%s  \"%s\",\n", in, text);
    }
    fprintf(out, "%s},\n", in);
}

/* The style of the learner is the table itself; those that a league plays are a list in it. */
static void write_table(FILE *out, const struct trainer *trainer) {
    enum { SHARES = 1000 };
    const struct league *league = &trainer->state.league;
    struct style learner;
    fprintf(out, "{\n  games = %llu,\n", (unsigned long long)trainer->state.classes * CLASS_GAMES);
    if (league->count == 0) {
        trainer_style(trainer, &learner);
        write_style(out, trainer, &learner, "  ");
    } else {
        fputs("  styles = {\n", out);
        for (int i = 0; i < league->count; i++) {
            if (league->share[i] == 0) continue;
            const double share = SHARES * league->share[i];
            fprintf(out, "    {\n      share = %.0f,\n", share < 1 ? 1 : share);
            write_style(out, trainer, &league->style[i], "      ");
            fputs("    },\n", out);
        }
        fputs("  },\n", out);
    }
    fputs("}\n", out);
}

static void write_option(FILE *out, const char *option, const char *name) {
    char safe[PATH_MAX]; /* in a comment of one line */
    snprintf(safe, sizeof safe, "%s", name);
    utf8_make_safe(safe);
    fprintf(out, " --%s %s", option, safe);
}

void learned_write(FILE *out, const struct trainer *trainer, bool table) {
    fprintf(out, "-- Learned by `ensign learn %s", trainer->rules->name);
    for (int i = 0; i < trainer->opponent_count; i++)
        write_option(out, "against", trainer->opponents[i].name);
    for (int i = 0; i < trainer->table_count; i++)
        write_option(out, "repertoire", trainer->tables[i].name);
    fprintf(
        out,
        " --seed %llu --games %llu`.\n"
        "-- Weights are in 1/4096 of a logit, habits in 1/256: see bots/LEARNING.md, \"What was learned\".\n",
        (unsigned long long)trainer->state.seed,
        (unsigned long long)trainer->state.classes * CLASS_GAMES);
    fputs(table ? "return " : "return require \"toolkit.admiral\" { learned = ", out);
    write_table(out, trainer);
    if (!table) fputs("}\n", out);
}
