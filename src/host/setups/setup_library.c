/* setup_library.c - set-ups with a name and an idea.
 *
 * Nothing is cached: each call reads the files again, so that a file saved a moment ago counts. A
 * file belongs to a variant if it can be read with its rules. */
#include "setup_library.h"

#include "base/buffer.h"
#include "base/files.h"
#include "base/lines.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "base/words.h"
#include "setup_pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIBRARY_FILE_MAX = 1 << 16, LIBRARY_MAX = 1024 };

/* The standard letters of variants/FORMATS.md. A variant may give them to other pieces. */
static const struct {
    char letter;
    const char *kind;
} usual[] = {{'F', "flag"},       {'B', "bomb"},    {'S', "spy"},   {'X', "saboteur"},
             {'P', "spotter"},    {'2', "scout"},   {'3', "miner"}, {'4', "sergeant"},
             {'5', "lieutenant"}, {'6', "captain"}, {'7', "major"}, {'8', "colonel"},
             {'9', "general"},    {'M', "marshal"}};
enum { USUAL = sizeof usual / sizeof *usual };

static char letter_in(const struct rules *rules, char letter) {
    char upper = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
    for (int i = 0; i < USUAL; i++) {
        if (usual[i].letter != upper) continue;
        kind_id kind = rules_kind_named(rules, usual[i].kind);
        if (kind != KIND_NONE) return rules->kind[kind].letter;
    }
    return letter;
}

/* Replaces the standard letters with those of the variant; true if that changed anything. */
static bool translate_letters(const struct rules *rules, char *text, size_t length) {
    bool comment = false, changed = false;
    for (size_t i = 0; i < length; i++) {
        comment = text[i] == '#' || (comment && text[i] != '\n' && text[i] != '\r');
        char letter = comment ? text[i] : letter_in(rules, text[i]);
        changed |= letter != text[i];
        text[i] = letter;
    }
    return changed;
}

static bool read_checked(const struct rules *rules, enum side side, const char *text, size_t length,
                         struct setup *setup, struct fault *fault) {
    return setup_read(rules, side, text, length, setup, fault) &&
           setup_check(rules, side, setup, fault);
}

/* Comments before the set-up, joined with blanks; lines that do not fit are left out. */
static void read_idea(const char *text, char idea[LIBRARY_IDEA_MAX]) {
    size_t used = 0;
    text += lines_mark(text, strlen(text));
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text != '#') break;
        text += strspn(text, "# \t");
        size_t length = strcspn(text, "\r\n");
        if (length && used + length + 1 < LIBRARY_IDEA_MAX) {
            if (used) idea[used++] = ' ';
            memcpy(idea + used, text, length);
            used += length;
        }
        text += length;
    }
    idea[used] = 0;
    utf8_make_safe(idea);
}

/* Reads through the reader of the folders, which may note the file (changes.h) or refuse it; the
 * caller frees. */
static char *read_text(const struct folders *folders, const char *path, size_t *length,
                       struct fault *fault) {
    const struct reader *reader = folders_reader(folders);
    long size = reader->size(reader->context, path);
    bool fits = size >= 0 && size <= LIBRARY_FILE_MAX;
    if (!fits && reader == &READER_DISK) /* for its message */
        return files_read(path, LIBRARY_FILE_MAX, length, fault);
    char *text = fits ? malloc((size_t)size + 1) : NULL;
    long got = text ? reader->read(reader->context, path, text, (size_t)size) : -1;
    if (got < 0) {
        /* what a finder has found lies on another machine, which may have gone */
        fault_set(fault, folders->finder ? STATUS_SYSTEM : STATUS_NOT_FOUND, "cannot be read");
        fault_place(fault, path, 0, 0);
        free(text);
        return NULL;
    }
    text[got] = 0;
    *length = (size_t)got;
    return text;
}

static bool read_entry(const struct folders *folders, const struct rules *rules, enum side side,
                       const char *path, struct library_setup *entry, struct fault *fault) {
    size_t length;
    char *text = read_text(folders, path, &length, fault);
    if (!text) return false;
    *entry = (struct library_setup){0};
    snprintf(entry->path, sizeof entry->path, "%s", path);
    path_stem(path, entry->name, sizeof entry->name);
    read_idea(text, entry->idea);
    struct fault wrong = {0};
    bool read = read_checked(rules, side, text, length, &entry->setup, &wrong) ||
                (translate_letters(rules, text, length) &&
                 read_checked(rules, side, text, length, &entry->setup, NULL));
    free(text);
    if (read) return true;
    fault_repeat(fault, &wrong);
    fault_within(fault, "the set-up does not fit \"%s\"", rules->name);
    fault_place(fault, path, wrong.line, wrong.column);
    return false;
}

struct library_collector {
    struct setup_library *library;
    const struct folders *folders;
    const struct rules *rules;
    enum side side;
    bool full; /* no memory */
};

static void library_collect(void *context, const char *name, const char *path) {
    struct library_collector *collector = context;
    struct setup_library *library = collector->library;
    size_t count = library->count;
    (void)name;
    if (collector->full) return;
    struct library_setup *list = array_grown(library->list, count, sizeof *list, LIBRARY_MAX);
    collector->full = !list;
    if (!list) return;
    library->list = list;
    if (read_entry(collector->folders, collector->rules, collector->side, path, &list[count], NULL))
        library->count++;
}

bool setup_library_open(struct setup_library *library, const struct folders *folders,
                        const struct rules *rules, enum side side, struct fault *fault) {
    const struct folders own = folders_of_variant(folders, rules->name);
    struct library_collector collector = {library, &own, rules, side, false};
    *library = (struct setup_library){0};
    folders_list(&own, FOLDER_SETUPS, library_collect, &collector);
    if (!collector.full) return true;
    setup_library_close(library);
    return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

void setup_library_close(struct setup_library *library) {
    free(library->list);
    *library = (struct setup_library){0};
}

/* Sets the fault, with a guess among the set-ups that fit these rules. Always false. */
static bool library_not_found(const struct folders *folders, const struct rules *rules,
                              enum side side, const char *name, struct fault *fault) {
    struct setup_library library;
    struct word_guess guess = word_guess_for(name);
    if (!setup_library_open(&library, folders, rules, side, fault)) return false;
    for (size_t i = 0; i < library.count; i++) word_offer(&guess, library.list[i].name);
    setup_library_close(&library);
    fault_set(fault, STATUS_NOT_FOUND, "no set-up \"%s\" for \"%s\"", name, rules->name);
    return word_suggest(&guess, fault);
}

bool setup_library_find(const struct folders *folders, const struct rules *rules, enum side side,
                        const char *name, struct library_setup *found, struct fault *fault) {
    char path[FOLDER_PATH_MAX];
    const struct folders own = folders_of_variant(folders, rules->name);
    if (folders_resolve(&own, FOLDER_SETUPS, name, path, fault))
        return read_entry(&own, rules, side, path, found, fault);
    return word_is_name(name) && library_not_found(folders, rules, side, name, fault);
}

bool setup_library_answer(const struct folders *folders, const struct rules *rules, enum side side,
                          const char *name, const char *bot, struct setup *setup,
                          struct fault *fault) {
    struct library_setup found;
    struct fault why = {0};
    if (setup_library_find(folders, rules, side, name, &found, &why)) {
        *setup = found.setup;
        return true;
    }
    bool host = why.status == STATUS_NO_MEMORY || why.status == STATUS_SYSTEM;
    if (!host) why.status = STATUS_SETUP;
    fault_repeat(fault, &why);
    fault_within(fault, "in setup");
    fault_place(fault, bot, 0, 0);
    return false;
}

bool setup_library_read(const struct folders *folders, const struct rules *rules, enum side side,
                        const char *text, struct random *random, struct setup *setup,
                        struct fault *fault) {
    struct library_setup found;
    if (!strcmp(text, "random")) return setup_random(rules, side, random, setup, fault);
    if (setup_read(rules, side, text, strlen(text), setup, fault))
        return setup_check(rules, side, setup, fault);
    if (!word_is_name(text)) return false;
    /* In a zone of several ranks a single word is not a set-up, so it must be a name. */
    *fault = (struct fault){0};
    if (!setup_library_find(folders, rules, side, text, &found, fault)) return false;
    *setup = found.setup;
    return true;
}

static bool load_file(const struct rules *rules, enum side side, const char *path,
                      struct random *random, struct setup *setup, struct fault *fault) {
    size_t length;
    struct setup_pool setups;
    char *text = files_read_text(path, SETUP_POOL_BYTES_MAX, &length, fault);
    bool read = text && setup_pool_read(rules, side, text, length, &setups, fault);
    free(text);
    if (!read) {
        fault_place(fault, path, 0, 0);
        return false;
    }
    *setup = setups.list[random_below(random, (uint32_t)setups.count)];
    setup_pool_clear(&setups);
    return true;
}

bool setup_library_load(const struct folders *folders, const struct rules *rules, enum side side,
                        const char *word, struct random *random, struct setup *setup,
                        struct fault *fault) {
    struct stat about;
    struct library_setup found;
    if (!strcmp(word, "random")) return setup_random(rules, side, random, setup, fault);
    if (!word_is_name(word)) return load_file(rules, side, word, random, setup, fault);
    if (setup_library_find(folders, rules, side, word, &found, fault)) {
        *setup = found.setup;
        return true;
    }
    bool is_file = stat(word, &about) == 0 && S_ISREG(about.st_mode);
    return is_file && load_file(rules, side, word, random, setup, fault);
}

bool setup_library_own(const struct folders *folders, const char *name, char path[FOLDER_PATH_MAX],
                       struct fault *fault) {
    char own[FOLDER_PATH_MAX];
    if (!folders_resolve(folders, FOLDER_SETUPS, name, path, fault)) return false;
    if (word_is_name(name) && folders_own(FOLDER_SETUPS, name, own, NULL) && !strcmp(own, path))
        return true;
    return fault_set(fault, STATUS_USAGE, "\"%s\" is not one of your own set-ups: %s", name, path);
}

bool setup_library_delete(const struct folders *folders, const char *name,
                          char path[FOLDER_PATH_MAX], struct fault *fault) {
    if (!setup_library_own(folders, name, path, fault)) return false;
    if (!unlink(path)) return true;
    fault_set(fault, STATUS_SYSTEM, "cannot be deleted: %s", strerror(errno));
    fault_place(fault, path, 0, 0);
    return false;
}

bool setup_library_rename(const struct folders *folders, const char *name, const char *renamed,
                          char path[FOLDER_PATH_MAX], struct fault *fault) {
    char before[FOLDER_PATH_MAX];
    if (!setup_library_own(folders, name, before, fault)) return false;
    if (!word_is_new_name(renamed)) {
        return fault_set(fault, STATUS_USAGE,
                         "A name starts with a lowercase letter and has lowercase letters, "
                         "digits, '-' and '_' (characters: at most %d).",
                         WORD_MAX - 1);
    }
    if (folders_resolve(folders, FOLDER_SETUPS, renamed, path, NULL)) {
        return fault_set(fault, STATUS_USAGE, "The library already has a set-up \"%s\": %s",
                         renamed, path);
    }
    if (!folders_own(FOLDER_SETUPS, renamed, path, fault)) return false;
    /* A second name first: rename() would replace a file that came meanwhile. */
    if (!link(before, path) && !unlink(before)) return true;
    fault_set(fault, STATUS_SYSTEM, "cannot be renamed: %s", strerror(errno));
    fault_place(fault, before, 0, 0);
    return false;
}
