/* source_map.c - a small lexer of Lua, and a walk through table constructors.
 *
 * The loader has values without their lines, and messages need the line. This parses just enough of
 * a text that Lua has already compiled: strings, comments, brackets and blocks, so that a comma in
 * a function body does not end a field. A computed key is not found; the nearest enclosing key is
 * used instead. */
#include "source_map.h"

#include "base/lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum token_type { TOKEN_END, TOKEN_NAME, TOKEN_STRING, TOKEN_NUMBER, TOKEN_SIGN };

struct token {
    enum token_type type;
    const char *text; /* of strings without their quotes */
    size_t length;
    int line, column;
};

struct lexer {
    const char *at, *end, *line_start;
    int line;
    struct token token; /* the current one */
};

static void lexer_step(struct lexer *lexer) {
    const size_t end = lines_break(lexer->at, lexer->end);
    lexer->at += end ? end : 1;
    if (!end) return;
    lexer->line++;
    lexer->line_start = lexer->at;
}

/* At "[[" or "[=[": the number of '=' between the brackets, else -1. */
static int long_bracket(const struct lexer *lexer) {
    const char *c = lexer->at + 1;
    while (c < lexer->end && *c == '=') c++;
    return c < lexer->end && *c == '[' ? (int)(c - lexer->at - 1) : -1;
}

static void skip_long(struct lexer *lexer, int level) {
    for (int i = 0; i < level + 2; i++) lexer_step(lexer);
    lexer->token.text = lexer->at;
    while (lexer->at < lexer->end) {
        if (*lexer->at == ']' && lexer->end - lexer->at >= level + 2 &&
            lexer->at[level + 1] == ']' && strspn(lexer->at + 1, "=") >= (size_t)level) {
            lexer->token.length = (size_t)(lexer->at - lexer->token.text);
            for (int i = 0; i < level + 2; i++) lexer_step(lexer);
            return;
        }
        lexer_step(lexer);
    }
}

static void lexer_skip_blanks(struct lexer *lexer) {
    while (lexer->at < lexer->end) {
        if (isspace((unsigned char)*lexer->at)) {
            lexer_step(lexer);
        } else if (lexer->end - lexer->at >= 2 && memcmp(lexer->at, "--", 2) == 0) {
            lexer->at += 2;
            int level = lexer->at < lexer->end && *lexer->at == '[' ? long_bracket(lexer) : -1;
            if (level >= 0) skip_long(lexer, level);
            if (level < 0) lexer->at += lines_length(lexer->at, (size_t)(lexer->end - lexer->at));
        } else {
            return;
        }
    }
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void next_token(struct lexer *lexer) {
    lexer_skip_blanks(lexer);
    struct token *token = &lexer->token;
    token->type = TOKEN_END;
    token->text = lexer->at;
    token->length = 0;
    token->line = lexer->line;
    token->column = (int)(lexer->at - lexer->line_start) + 1;
    if (lexer->at >= lexer->end) return;
    char c = *lexer->at;
    int level = c == '[' ? long_bracket(lexer) : -1;
    if (level >= 0) {
        token->type = TOKEN_STRING;
        skip_long(lexer, level);
        return;
    }
    if (c == '"' || c == '\'') {
        token->type = TOKEN_STRING;
        lexer_step(lexer);
        token->text = lexer->at;
        while (lexer->at < lexer->end && *lexer->at != c) {
            if (*lexer->at == '\\' && lexer->at + 1 < lexer->end) lexer_step(lexer);
            lexer_step(lexer);
        }
        token->length = (size_t)(lexer->at - token->text);
        if (lexer->at < lexer->end) lexer_step(lexer);
        return;
    }
    if (is_word(c)) {
        bool number = isdigit((unsigned char)c);
        token->type = number ? TOKEN_NUMBER : TOKEN_NAME;
        while (lexer->at < lexer->end && (is_word(*lexer->at) || (number && *lexer->at == '.')))
            lexer_step(lexer);
    } else {
        token->type = TOKEN_SIGN;
        lexer_step(lexer);
        bool pair = lexer->at < lexer->end && *lexer->at == '=' && strchr("=~<>", c);
        if (pair) lexer_step(lexer);
    }
    token->length = (size_t)(lexer->at - token->text);
}

static bool token_is(const struct lexer *lexer, const char *text) {
    return (lexer->token.type == TOKEN_NAME || lexer->token.type == TOKEN_SIGN) &&
           lexer->token.length == strlen(text) &&
           memcmp(lexer->token.text, text, lexer->token.length) == 0;
}

/* +1 where a bracket or a block opens, -1 where one closes. */
static int nesting(const struct lexer *lexer) {
    static const char *const opening[] = {"{", "(", "[", "function", "if", "do", "repeat"};
    static const char *const closing[] = {"}", ")", "]", "end", "until"};
    for (size_t i = 0; i < sizeof opening / sizeof opening[0]; i++)
        if (token_is(lexer, opening[i])) return 1;
    for (size_t i = 0; i < sizeof closing / sizeof closing[0]; i++)
        if (token_is(lexer, closing[i])) return -1;
    return 0;
}

/* Skips a field's value up to the sign that ends it. */
static void skip_value(struct lexer *lexer) {
    int depth = 0;
    while (lexer->token.type != TOKEN_END) {
        if (depth == 0 && (token_is(lexer, ",") || token_is(lexer, ";") || token_is(lexer, "}")))
            return;
        depth += nesting(lexer);
        next_token(lexer);
    }
}

/* Skips "name =" or "["name"] ="; otherwise false, without moving. */
static bool lexer_take_key(struct lexer *lexer, struct token *key) {
    struct lexer start = *lexer;
    bool bracket = token_is(lexer, "[");
    if (bracket) next_token(lexer);
    *key = lexer->token;
    bool named = key->type == (bracket ? TOKEN_STRING : TOKEN_NAME);
    next_token(lexer);
    if (named && bracket) {
        named = token_is(lexer, "]");
        next_token(lexer);
    }
    if (named && token_is(lexer, "=")) {
        next_token(lexer);
        return true;
    }
    *lexer = start;
    return false;
}

/* Looks for `key` in the constructor whose "{" is the current token. Of a key written twice the
 * last counts, as in Lua. */
static void find_in(struct lexer lexer, const char *key, int depth, struct source_place *place) {
    size_t part = strcspn(key, ".[");
    long wanted = 0, element = 0;
    if (key[0] == '[') {
        char *end;
        wanted = strtol(key + 1, &end, 10);
        part = (size_t)(end - key) + (*end == ']');
    }
    if (part == 0 || depth > 16) return;
    const char *rest = key + part + (key[part] == '.');
    next_token(&lexer);
    while (lexer.token.type != TOKEN_END && !token_is(&lexer, "}")) {
        struct token name = lexer.token;
        bool found = lexer_take_key(&lexer, &name)
                         ? !wanted && name.length == part && memcmp(name.text, key, part) == 0
                         : !token_is(&lexer, "[") && ++element == wanted;
        if (found) {
            *place = (struct source_place){name.line, name.column, depth + 1};
            if (token_is(&lexer, "{") && *rest) find_in(lexer, rest, depth + 1, place);
        }
        skip_value(&lexer);
        if (!token_is(&lexer, "}")) next_token(&lexer);
    }
}

/* Finds the last top-level "NAME = {". */
static bool find_variable(struct lexer lexer, struct token name, struct lexer *found) {
    int depth = 0;
    bool any = false;
    for (next_token(&lexer); lexer.token.type != TOKEN_END; next_token(&lexer)) {
        if (depth == 0 && lexer.token.type == TOKEN_NAME && lexer.token.length == name.length &&
            memcmp(lexer.token.text, name.text, name.length) == 0) {
            struct lexer ahead = lexer;
            next_token(&ahead);
            if (token_is(&ahead, "=")) {
                next_token(&ahead);
                if (token_is(&ahead, "{")) {
                    *found = ahead;
                    any = true;
                }
            }
        }
        depth += nesting(&lexer);
    }
    return any;
}

/* Finds the last top-level "NAME.KEY = …" or "function NAME.KEY (…)" for the first part of a key,
 * and the rest of the key in an assigned table. */
static void find_assigned(struct lexer lexer, struct token name, const char *key,
                          struct source_place *place) {
    int depth = 0;
    bool function = false;
    size_t part = strcspn(key, ".[");
    for (next_token(&lexer); lexer.token.type != TOKEN_END; next_token(&lexer)) {
        struct lexer ahead = lexer;
        bool begins = depth == (function ? 1 : 0) && lexer.token.type == TOKEN_NAME &&
                      lexer.token.length == name.length &&
                      memcmp(lexer.token.text, name.text, name.length) == 0;
        if (begins) next_token(&ahead);
        if (begins && (token_is(&ahead, ".") || token_is(&ahead, ":"))) {
            next_token(&ahead);
            struct token found = ahead.token;
            next_token(&ahead);
            if (found.length == part && memcmp(found.text, key, part) == 0 &&
                token_is(&ahead, function ? "(" : "=")) {
                *place = (struct source_place){found.line, found.column, 1};
                next_token(&ahead);
                if (token_is(&ahead, "{") && key[part])
                    find_in(ahead, key + part + (key[part] == '.'), 1, place);
            }
        }
        function = token_is(&lexer, "function");
        depth += nesting(&lexer);
    }
}

size_t source_head(const char *text, size_t length) {
    const size_t mark = lines_mark(text, length);
    const bool comment = mark < length && text[mark] == '#';
    return mark + (comment ? lines_length(text + mark, length - mark) : 0);
}

struct source_place source_map_find(const char *text, size_t length, const char *key) {
    const size_t head = source_head(text, length);
    const char *begin = text + lines_mark(text, length);
    struct lexer start = {.at = text + head, .end = text + length, .line_start = begin, .line = 1};
    struct lexer lexer = start;
    struct source_place place = {0, 0, 0};
    int depth = 0;
    for (next_token(&lexer); lexer.token.type != TOKEN_END; next_token(&lexer)) {
        if (depth == 0 && token_is(&lexer, "return")) break;
        depth += nesting(&lexer);
    }
    if (lexer.token.type == TOKEN_END) return place;
    place.line = lexer.token.line;
    place.column = lexer.token.column;
    next_token(&lexer);
    struct token name = lexer.token;
    bool named = name.type == TOKEN_NAME;
    if (named && !find_variable(start, name, &lexer)) return place;
    if (!token_is(&lexer, "{")) return place;
    find_in(lexer, key, 0, &place);
    if (named && place.depth == 0) find_assigned(start, name, key, &place);
    return place;
}
