/* registered.c - reads programs/NAME.toml and writes it as the name of a player. */
#include "registered.h"

#include "base/buffer.h"
#include "base/files.h"
#include "base/lines.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "base/words.h"
#include "program_command.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 16, PLAYER_MAX = 1 << 14 };

static bool misread(const struct lines *lines, const char *path, struct fault *fault,
                    const char *expected) {
    fault_set(fault, STATUS_TEXT, "%s", expected);
    fault_place(fault, path, lines->number, 0);
    return false;
}

/* Reads "VALUE" or 'VALUE' and a comment after it. */
static bool read_value(const char *at, const char *end, char *out, size_t size) {
    const char quote = at < end ? *at : 0;
    size_t used = 0;
    if (quote != '"' && quote != '\'') return false;
    for (at++; at < end && *at != quote; at++) {
        if (*at == '\\' && quote == '"' && ++at == end) return false;
        if (used + 1 >= size) return false;
        out[used++] = *at;
    }
    if (at == end) return false;
    for (at++; at < end && lines_blank(*at); at++) {}
    out[used] = 0;
    return at == end || *at == '#';
}

static bool read_line(const struct lines *lines, const char *path, struct registered *out,
                      struct fault *fault) {
    const struct {
        const char *key;
        char *value;
        size_t size;
    } keys[] = {{"command", out->command, sizeof out->command},
                {"protocol", out->protocol, sizeof out->protocol},
                {"folder", out->folder, sizeof out->folder},
                {"options", out->options, sizeof out->options},
                {"about", out->about, sizeof out->about}};
    const char *at = lines->line, *const end = at + lines->line_length;
    size_t length = 0;
    while (at + length < end && at[length] >= 'a' && at[length] <= 'z') length++;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (length != strlen(keys[i].key) || memcmp(at, keys[i].key, length) != 0) continue;
        for (at += length; at < end && lines_blank(*at); at++) {}
        if (at == end || *at++ != '=') break;
        while (at < end && lines_blank(*at)) at++;
        if (read_value(at, end, keys[i].value, keys[i].size)) return true;
        break;
    }
    return misread(lines, path, fault,
                   "expected command, protocol, folder, options or about, and = \"VALUE\"");
}

bool registered_read(const char *path, struct registered *registered, struct fault *fault) {
    size_t length;
    char *text = files_read_text(path, FILE_MAX, &length, fault), reason[UTF8_REASON_MAX];
    *registered = (struct registered){.protocol = "json"};
    if (!text) return false;
    struct lines lines = lines_of(text, length);
    bool right = true;
    const char *flaw = NULL;
    while (right && lines_next(&lines)) {
        flaw = utf8_reason(lines.line, lines.line_length, lines.line_length, reason);
        if (flaw)
            right = misread(&lines, path, fault, flaw);
        else if (*lines.line != '#')
            right = read_line(&lines, path, registered, fault);
    }
    if (right && strcmp(registered->protocol, "json") != 0 &&
        strcmp(registered->protocol, "ucc") != 0)
        right = misread(&lines, path, fault, "protocol: expected \"json\" or \"ucc\"");
    if (right && !registered->command[0])
        right = misread(&lines, path, fault, "command: the command of a program is expected");
    free(text);
    return right;
}

/* The folder of the words, absolute or as the path of the file is. */
static bool find_folder(const char *path, const struct registered *registered,
                        char out[FOLDER_PATH_MAX]) {
    const char *home = getenv("HOME"), *folder = registered->folder;
    char own[FOLDER_PATH_MAX];
    int length;
    if (!path_folder(path, own, sizeof own)) return false;
    if (!*folder)
        length = snprintf(out, FOLDER_PATH_MAX, "%s", own);
    else if (!strncmp(folder, "~/", 2) && home)
        length = snprintf(out, FOLDER_PATH_MAX, "%s%s", home, folder + 1);
    else if (*folder == '/')
        length = snprintf(out, FOLDER_PATH_MAX, "%s", folder);
    else
        length = snprintf(out, FOLDER_PATH_MAX, "%s/%s", own, folder);
    return length < FOLDER_PATH_MAX;
}

/* Adds a word in quotes; one that names a file in the folder as its path. The program itself is
 * looked up on PATH unless it has a '/'. */
static void put_word(struct buffer *out, const char *folder, const char *word, bool first) {
    char path[FOLDER_PATH_MAX];
    const bool named = *word && *word != '/' && *word != '-' && (!first || strchr(word, '/')) &&
                       snprintf(path, sizeof path, "%s/%s", folder, word) < (int)sizeof path &&
                       (path_is_file(path) || path_is_folder(path));
    buffer_add_text(out, first ? "'" : " '");
    for (const char *at = named ? path : word; *at; at++)
        if (*at == '\'')
            buffer_add_text(out, "'\\''");
        else
            buffer_add(out, at, 1);
    buffer_add_text(out, "'");
}

static bool put_words(struct buffer *out, const char *folder, const char *text, bool first,
                      struct fault *fault) {
    struct program_command command;
    if (!program_command_split(&command, text, fault)) {
        program_command_clear(&command);
        return false;
    }
    for (int i = 0; command.words[i]; i++) put_word(out, folder, command.words[i], first && i == 0);
    program_command_clear(&command);
    return true;
}

char *registered_player(const struct folders *folders, const char *name, struct fault *fault) {
    struct registered registered;
    char path[FOLDER_PATH_MAX], folder[FOLDER_PATH_MAX];
    struct buffer out = buffer_of(PLAYER_MAX);
    if (!word_is_name(name) || folders_resolve(folders, FOLDER_BOTS, name, path, NULL) ||
        !folders_resolve(folders, FOLDER_PROGRAMS, name, path, NULL))
        return NULL;
    if (!registered_read(path, &registered, fault)) return NULL;
    buffer_add_text(&out, name);
    buffer_add_text(&out, "=");
    buffer_add_text(&out, registered.protocol);
    buffer_add_text(&out, ":");
    bool right = find_folder(path, &registered, folder) ||
                 fault_set(fault, STATUS_TEXT, "the path is too long");
    right = right && put_words(&out, folder, registered.command, true, fault) &&
            (!registered.options[0] || put_words(&out, folder, registered.options, false, fault));
    if (right && out.broken) right = fault_set(fault, STATUS_TEXT, "the command is too long");
    if (right) return buffer_take(&out);
    fault_within(fault, "%s", path);
    buffer_clear(&out);
    return NULL;
}
