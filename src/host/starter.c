/* starter.c - fills in the templates of scripts/starters/. */
#include "starter.h"

#include "base/files.h"
#include "base/words.h"
#include "core/text/layout.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STARTER_BYTES_MAX = 1 << 16, WORDS_MAX = 12, VALUE_MAX = 1024 };

/* The values of a template's @WORDS@. */
struct starter {
    const struct folders *folders;
    int words;
    struct {
        const char *word;
        char value[VALUE_MAX];
    } word[WORDS_MAX];
};

static void set_word(struct starter *starter, const char *word, const char *value) {
    starter->word[starter->words].word = word;
    snprintf(starter->word[starter->words++].value, VALUE_MAX, "%s", value);
}

static void set_number(struct starter *starter, const char *word, int value) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    set_word(starter, word, text);
}

/* A template with its words filled in; NULL with a fault. The caller frees. */
static char *fill_template(const struct starter *starter, const char *file, struct fault *fault) {
    char path[FOLDER_PATH_MAX + 64];
    size_t length, used = 0;
    snprintf(path, sizeof path, "%s/starters/%s", starter->folders->scripts, file);
    char *pattern = files_read(path, STARTER_BYTES_MAX, &length, fault);
    char *out = pattern ? calloc(2, STARTER_BYTES_MAX) : NULL;
    if (pattern && !out) fault_set(fault, STATUS_NO_MEMORY, "no memory for a file");
    for (const char *at = pattern; out && *at && used < STARTER_BYTES_MAX;) {
        size_t word = *at == '@' ? strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;
        bool filled = false;
        for (int i = 0; word && at[word + 1] == '@' && i < starter->words; i++) {
            if (strlen(starter->word[i].word) != word) continue;
            if (strncmp(starter->word[i].word, at + 1, word) != 0) continue;
            used += (size_t)snprintf(out + used, VALUE_MAX, "%s", starter->word[i].value);
            at += word + 2;
            filled = true;
            break;
        }
        if (!filled) out[used++] = *at++;
    }
    free(pattern);
    return out;
}

/* The most numerous kind other than the flag, mobile kinds first. The new variant has one fewer of
 * it, to make room for its own piece. */
static kind_id most_numerous(const struct rules *rules) {
    kind_id best = KIND_NONE;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const struct kind *it = &rules->kind[kind], *other = &rules->kind[best];
        if (it->flag) continue;
        bool moves = it->movement != MOVEMENT_NONE;
        bool other_moves = best != KIND_NONE && other->movement != MOVEMENT_NONE;
        if (best == KIND_NONE || (moves && !other_moves) ||
            (moves == other_moves && rules_most(rules, kind) > rules_most(rules, best)))
            best = kind;
    }
    return best;
}

/* Sets the words that depend on the extended variant. */
static void set_variant_words(struct starter *starter, const struct rules *rules,
                              const char *base) {
    static const char *const names[] = {"rider", "lancer", "herald", "supervisor", "ranger"};
    static const char letters[] = "RLHWAEGIKNOQTUVYZCDJMPSXBF0123456789";
    kind_id fewer = most_numerous(rules);
    const char *piece = names[0];
    char letter[2] = "R";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        piece = names[i];
        if (rules_kind(rules, piece, strlen(piece)) == KIND_NONE) break;
    }
    for (const char *at = letters; *at; at++) {
        *letter = *at;
        if (rules_kind_of_letter(rules, *at) == KIND_NONE) break;
    }
    set_word(starter, "BASE", base);
    set_word(starter, "PLACED",
             rules->armies == ARMIES_GIVEN
                 ? "\n  setup = false, -- the army is another one: players place it"
                 : "");
    set_word(starter, "FEWER", rules->kind[fewer].name);
    set_number(starter, "COUNT", rules_most(rules, fewer) - 1);
    set_word(starter, "PIECE", piece);
    set_word(starter, "LETTER", letter);
    set_number(starter, "RANK", rules->kind[fewer].rank + 1);
    set_word(starter, "STRONGEST", rules->kind[rules->kinds].name);
}

/* "# 1 F Flag, 6 B Bomb, …" over several lines. */
static void set_counts(struct starter *starter, const struct rules *rules) {
    char text[VALUE_MAX] = "#";
    size_t length = 1, line = 1;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const struct kind *it = &rules->kind[kind];
        char item[2 * WORD_MAX];
        size_t size =
            (size_t)snprintf(item, sizeof item, " %d %c %s%s", rules->start[RED].count[kind],
                             it->letter, it->name, kind < rules->kinds ? "," : "");
        if (length + size + 3 > sizeof text) break;
        if (line + size > 96) {
            length += (size_t)snprintf(text + length, sizeof text - length, "\n#");
            line = 1;
        }
        memcpy(text + length, item, size + 1);
        length += size;
        line += size;
    }
    set_word(starter, "COUNTS", text);
}

/* The title of "my-game" is "My game". */
static struct starter starter_for(const struct folders *folders, const char *name) {
    struct starter starter = {.folders = folders};
    char title[WORD_MAX];
    snprintf(title, sizeof title, "%s", name);
    for (char *at = title; *at; at++)
        if (*at == '-' || *at == '_') *at = ' ';
    title[0] = (char)toupper((unsigned char)title[0]);
    set_word(&starter, "TITLE", title);
    return starter;
}

char *starter_variant(const struct folders *folders, const char *name, const struct rules *rules,
                      const char *base, struct fault *fault) {
    struct starter starter = starter_for(folders, name);
    set_variant_words(&starter, rules, base);
    return fill_template(&starter, "variant.lua.in", fault);
}

char *starter_bot(const struct folders *folders, const char *name, struct fault *fault) {
    struct starter starter = starter_for(folders, name);
    return fill_template(&starter, "bot.lua.in", fault);
}

char *starter_setup(const struct folders *folders, const char *name, const struct rules *rules,
                    const char *variant, uint64_t seed, struct fault *fault) {
    struct starter starter = starter_for(folders, name);
    struct setup setup;
    char line[SETUP_TEXT_MAX];
    struct random random = random_stream(seed, STREAM_RED_SETUP, 0);
    if (!setup_random(rules, RED, &random, &setup, fault)) return NULL;
    setup_write(rules, RED, &setup, line);
    for (char *slash = line; (slash = strchr(slash, '/'));) *slash = '\n';
    set_word(&starter, "VARIANT", variant);
    set_word(&starter, "SETUP", line);
    set_counts(&starter, rules);
    return fill_template(&starter, "setup.txt.in", fault);
}
