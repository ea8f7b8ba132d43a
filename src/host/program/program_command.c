/* program_command.c - splits the command of an external program and finds its file.
 *
 * Paths are made absolute, since the program may be started in another folder. */
#include "program_command.h"

#include "base/paths.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Programs that run the file named in their arguments; a version may follow, as in "python3.11". */
static const char *const INTERPRETERS[] = {
    "bash", "bun",    "deno", "dotnet", "env",  "java",   "lua",  "luajit", "mono",
    "node", "nodejs", "perl", "php",    "pypy", "python", "ruby", "sh",     "wine",
};

enum { INTERPRETER_MAX = 256 }; /* bytes of a first line that the kernel reads */

/* Splits `text`, which it changes, at blanks outside quotes. */
static bool split_words(struct program_command *command, char *text, struct fault *fault) {
    int count = 0;
    char *out = text;
    for (;;) {
        text += strspn(text, " \t\n");
        if (!*text) break;
        if (count == PROGRAM_WORDS_MAX)
            return fault_set(fault, STATUS_USAGE, "a command of more than %d words",
                             PROGRAM_WORDS_MAX);
        command->words[count++] = out;
        char quote = 0;
        for (; *text && (quote || !strchr(" \t\n", *text)); text++)
            if (quote ? *text == quote : *text == '\'' || *text == '"')
                quote = quote ? 0 : *text;
            else if (*text == '\\' && quote != '\'' && text[1])
                *out++ = *++text;
            else
                *out++ = *text;
        if (quote)
            return fault_set(fault, STATUS_USAGE, "a quote (%c) is not closed in the command",
                             quote);
        bool more = *text != 0;
        *out++ = 0; /* not beyond the blank, which has been read */
        if (more) text++;
    }
    if (count && command->words[0][0]) return true;
    return fault_set(fault, STATUS_USAGE,
                     "the command of a program is expected after the colon, as in \"ucc:./mybot\"");
}

static bool is_program(const char *path) {
    return path_is_file(path) && !access(path, X_OK);
}

/* Writes the absolute path of a folder. False if there is none or it does not fit. */
static bool absolute_folder(const char *folder, char out[FOLDER_PATH_MAX]) {
    char *full = realpath(folder, NULL);
    bool fits = full && snprintf(out, FOLDER_PATH_MAX, "%s", full) < FOLDER_PATH_MAX;
    free(full);
    return fits;
}

/* Writes the absolute path of a file of `folder`. */
static bool path_in(const char *folder, const char *file, char out[FOLDER_PATH_MAX]) {
    char full[FOLDER_PATH_MAX];
    return absolute_folder(folder, full) &&
           snprintf(out, FOLDER_PATH_MAX, "%s/%s", strcmp(full, "/") ? full : "", file) <
               FOLDER_PATH_MAX;
}

/* Finds the program of that name on PATH. */
static bool search_path(const char *name, char out[FOLDER_PATH_MAX]) {
    const char *folders = getenv("PATH");
    char folder[FOLDER_PATH_MAX];
    for (const char *rest = folders ? folders : "/usr/bin:/bin"; *rest;) {
        size_t length = strcspn(rest, ":");
        bool fits = length && length < sizeof folder;
        if (fits) {
            memcpy(folder, rest, length);
            folder[length] = 0;
        }
        if (fits && path_in(folder, name, out) && is_program(out)) return true;
        rest += length + (rest[length] == ':');
    }
    return false;
}

/* Fills path and folder. Does not follow the program's own link: its folder is the one named. */
static bool find_program(struct program_command *command, struct fault *fault) {
    const char *name = command->words[0], *slash = strrchr(name, '/');
    if (!slash) {
        if (!absolute_folder(".", command->folder))
            return fault_set(fault, STATUS_SYSTEM, "the current folder has no path");
        if (search_path(name, command->path)) return true;
        return fault_set(fault, STATUS_NOT_FOUND,
                         "no program \"%s\" on PATH; a file is named with its folder, as in ./%s",
                         name, name);
    }
    char folder[FOLDER_PATH_MAX];
    bool fits = path_folder(name, folder, sizeof folder) &&
                absolute_folder(folder, command->folder) &&
                path_in(folder, slash + 1, command->path);
    return fits || fault_set(fault, STATUS_NOT_FOUND, "no program \"%s\"", name);
}

/* Reads the line after "#!" of a script, without blanks around it. False if the file is something
 * else. */
static bool read_interpreter(const char *path, char line[INTERPRETER_MAX]) {
    FILE *file = fopen(path, "re");
    bool script = file && fgets(line, INTERPRETER_MAX, file) && !strncmp(line, "#!", 2);
    if (file) fclose(file);
    if (!script) return false;
    line[strcspn(line, "\n")] = 0;
    size_t start = 2 + strspn(line + 2, " \t"), length = strlen(line + start);
    memmove(line, line + start, length + 1);
    return length;
}

/* The program that "env" would run: the first of `words` that is no option and sets no variable. */
static char *word_for_env(char *words) {
    char *rest = NULL, *word = strtok_r(words, " \t", &rest);
    while (word && (*word == '-' || strchr(word, '='))) word = strtok_r(NULL, " \t", &rest);
    return word;
}

static bool check_interpreter(const char *path, struct fault *fault) {
    char line[INTERPRETER_MAX], found[FOLDER_PATH_MAX];
    if (!read_interpreter(path, line)) return true;
    size_t length = strcspn(line, " \t");
    char *arguments = line + length + (line[length] != 0), *wanted = NULL;
    line[length] = 0;
    bool there = is_program(line);
    if (there && !strcmp(path_file(line), "env")) wanted = word_for_env(arguments);
    if (there && (!wanted || strchr(wanted, '/') || search_path(wanted, found))) return true;
    const char *missing = wanted ? wanted : line;
    fault_set(fault, STATUS_NOT_FOUND,
              wanted ? "%s: its interpreter \"%s\" is not on PATH"
                     : "%s: its interpreter \"%s\" is not an executable file",
              path_file(path), missing);
    if (strchr(missing, '\r')) fault_add(fault, " (its lines end with carriage returns)");
    return false;
}

bool program_command_check(const struct program_command *command, struct fault *fault) {
    const char *path = command->path;
    if (access(path, F_OK)) return fault_set(fault, STATUS_NOT_FOUND, "no program \"%s\"", path);
    if (!is_program(path))
        return fault_set(fault, STATUS_USAGE, "\"%s\" is not an executable file", path);
    return check_interpreter(path, fault);
}

static bool is_interpreter(const char *name) {
    for (size_t i = 0; i < sizeof INTERPRETERS / sizeof *INTERPRETERS; i++) {
        size_t length = strlen(INTERPRETERS[i]);
        if (strncmp(name, INTERPRETERS[i], length)) continue;
        if (!name[length + strspn(name + length, "0123456789.-")]) return true;
    }
    return false;
}

/* The file that the command is named after. */
static const char *naming_file(const struct program_command *command) {
    if (strchr(command->words[0], '/') || !is_interpreter(command->words[0])) return command->path;
    for (char *const *word = command->words + 1; *word; word++)
        if (path_is_file(*word)) return *word;
    return command->path;
}

bool program_command_split(struct program_command *command, const char *text, struct fault *fault) {
    *command = (struct program_command){.storage = strdup(text)};
    if (!command->storage) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a player");
    return split_words(command, command->storage, fault);
}

bool program_command_read(struct program_command *command, const char *text, struct fault *fault) {
    if (!program_command_split(command, text, fault) || !find_program(command, fault) ||
        !program_command_check(command, fault))
        return false;
    const char *file = path_file(naming_file(command));
    size_t length = strlen(file);
    if (length >= sizeof command->name) length = utf8_cut(file, sizeof command->name - 1);
    memcpy(command->name, file, length);
    utf8_make_safe(command->name);
    command->words[0] = command->path;
    return true;
}

bool program_command_fix(struct program_command *command, struct fault *fault) {
    for (int i = 1; command->words[i]; i++) {
        char path[FOLDER_PATH_MAX];
        const char *word = command->words[i];
        if (!*word || *word == '/' || *word == '-') continue;
        int needed = snprintf(path, sizeof path, "%s/%s", command->folder, word);
        char *full = needed < (int)sizeof path ? realpath(path, NULL) : NULL;
        if (!full) full = realpath(word, NULL);
        if (!full && errno == ENOMEM)
            return fault_set(fault, STATUS_NO_MEMORY, "no memory for a player");
        if (!full) continue;
        command->words[i] = command->fixed[i] = full;
    }
    return true;
}

void program_command_clear(struct program_command *command) {
    for (int i = 0; i < PROGRAM_WORDS_MAX; i++) free(command->fixed[i]);
    free(command->storage);
    *command = (struct program_command){0};
}
