/* leftovers.c - words of two texts compared. */
#include "leftovers.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const LEFTOVERS_TAGS[LEFTOVERS_LANGUAGES + 1] = {"bg", "es", "hr", "ru", "uk", NULL};

enum { WORD_LEAST = 3, WORD_MOST = 32, WORDS_MAX = 4096 };

/* What stays as it is in every language. */
static const char stays[] =
    /* names; those of variants, bots and set-ups are known by their files */
    " ensign human play match nowhere ann bob milton bradley bradley-terry"
    /* formats, and rules, abilities and functions as they are typed; a bot of the tests */
    " lua rec txt gsn zip minisign minisig schema text stratego-notation type result winner game-over not-yours"
    " rescue spot sabotage appraise appraiser"
    /* keys, figures, and what systems call things */
    " enter tab space delete esc pageup pagedown home end ctrl-c elo inf kill websocket"
    " x-forwarded-for mib ";

/* Words that are the same in this language. */
static const struct {
    const char *tag, *words;
} same[] = {
    {"es", " bot bots terminal error scripts legal proxy idea general cursor red decide manual "},
    {"hr", " bot program signal terminal one argument general interval "},
    {"bg", " "},
    {"ru", " "},
    {"uk", " "}};

struct words {
    int count;
    char list[WORDS_MAX][WORD_MOST];
};

static bool is_letter(char letter) {
    return isalpha((unsigned char)letter) || (unsigned char)letter >= 0x80;
}

static bool is_listed(const char *list, const char *word) {
    char wanted[WORD_MOST + 2];
    snprintf(wanted, sizeof wanted, " %s ", word);
    return strstr(list, wanted);
}

/* The name of a variant, a bot or a set-up? */
static bool is_name(const char *word) {
    static const char *const places[] = {"variants/%s.lua", "bots/%s.lua",
                                         "variants/setups/%s.txt"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char path[256] = ENSIGN_ROOT "/";
        size_t used = strlen(path);
        snprintf(path + used, sizeof path - used, places[i], word);
        if (!access(path, F_OK)) return true;
    }
    return false;
}

static bool is_among(const struct words *words, const char *word) {
    for (int i = 0; i < words->count; i++)
        if (!strcmp(words->list[i], word)) return true;
    return false;
}

/* The word of a token without the punctuation around it, in small letters; empty if it is none that
 * could be translated. */
static void read_word(const char *token, size_t length, char word[WORD_MOST]) {
    word[0] = 0;
    bool option = false;
    while (length && !isalnum((unsigned char)*token) && !is_letter(*token)) {
        option = *token++ == '-';
        length--;
    }
    if (option) return;
    while (length && !isalnum((unsigned char)token[length - 1]) && !is_letter(token[length - 1]))
        length--;
    bool small = false;
    if (length < WORD_LEAST || length >= WORD_MOST) return;
    for (size_t i = 0; i < length; i++) {
        if (!isalpha((unsigned char)token[i]) && token[i] != '-') return;
        small |= islower((unsigned char)token[i]) != 0;
    }
    for (size_t i = 0; small && i < length; i++) word[i] = (char)tolower((unsigned char)token[i]);
    word[small ? length : 0] = 0;
}

/* Past a text between two " of one line, or the character itself. */
static const char *past_quoted(const char *text) {
    size_t length = strcspn(text + 1, "\"\n");
    return text[1 + length] == '"' ? text + length + 2 : text + 1;
}

/* Is it the name at the head of a line of a list: two blanks, a word, two blanks? */
static bool is_head(const char *start, const char *token, size_t length) {
    return token - start >= 3 && !memcmp(token - 3, "\n  ", 3) && !strncmp(token + length, "  ", 2);
}

/* Is it a command in a synopsis, "usage: ensign new bot NAME", or a line that only shows one? */
static bool is_synopsis(const char *start, const char *token) {
    const char *line = token;
    if (strncmp(token, "ensign ", 7) != 0 && strncmp(token, "build/", 6) != 0) return false;
    while (line > start && line[-1] != '\n') line--;
    line += strspn(line, " ");
    size_t before = strcspn(line, " ");
    return line == token ? token > start && token[-1] == ' '
                         : line + before + 1 == token && line[before - 1] == ':';
}

/* Words in quotes, after "ensign" and with a '|' are typed; those at the head of a line are names.
 */
static void read_words(const char *start, struct words *words) {
    static const char blanks[] = " \t\n\r";
    bool typed = false;
    words->count = 0;
    for (const char *text = start; *(text += strspn(text, blanks));) {
        char word[WORD_MOST] = "";
        size_t length = strcspn(text, " \t\n\r\"");
        if (!length) {
            text = past_quoted(text);
            continue;
        }
        if (is_synopsis(start, text)) {
            text += strcspn(text, "\n");
            continue;
        }
        if (!typed && !memchr(text, '|', length) && !is_head(start, text, length))
            read_word(text, length, word);
        typed = length == 6 && !memcmp(text, "ensign", 6);
        text += length;
        if (*word && words->count < WORDS_MAX && !is_among(words, word))
            strcpy(words->list[words->count++], word);
    }
}

int leftovers_count(const char *tag, const char *where, const char *english,
                    const char *translated) {
    static struct words said, left;
    const char *own = "";
    int count = 0;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if (!strcmp(same[i].tag, tag)) own = same[i].words;
    read_words(english, &said);
    read_words(translated, &left);
    for (int i = 0; i < left.count; i++) {
        const char *word = left.list[i];
        if (!is_among(&said, word) || is_listed(stays, word) || is_listed(own, word) ||
            is_name(word))
            continue;
        fprintf(stderr, "%s, %s: \"%s\" is English\n", tag, where, word);
        count++;
    }
    return count;
}
