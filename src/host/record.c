/* record.c - one game as text.
 *
 * The reader goes on after every fault, so that a truncated record still shows the game up to
 * there. Tag values and moves in a record are safe to show (base/utf8.h). */
#include "record.h"

#include "base/buffer.h"
#include "base/fault.h"
#include "base/lines.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAGS_MAX = 4096, RECORD_MOVES_MAX = 1 << 20, WRAP_COLUMNS = 100 };

/* A written record can be longer than the text it was read from: it adds numbers and escapes. */
enum { RECORD_WRITTEN_MAX = 4 * RECORD_BYTES_MAX };

struct record *record_new(void) {
    return calloc(1, sizeof(struct record));
}

void record_free(struct record *record) {
    if (!record) return;
    for (size_t i = 0; i < record->tag_count; i++) free(record->tags[i].value);
    free(record->tags);
    free(record->moves);
    free(record);
}

struct record_tag *record_find_tag(const struct record *record, const char *name) {
    for (size_t i = 0; i < record->tag_count; i++)
        if (!strcmp(record->tags[i].name, name)) return &record->tags[i];
    return NULL;
}

const char *record_tag(const struct record *record, const char *name) {
    const struct record_tag *tag = record_find_tag(record, name);
    return tag ? tag->value : NULL;
}

const char *record_tag_or(const struct record *record, const char *name, const char *otherwise) {
    const char *value = record_tag(record, name);
    return value ? value : otherwise;
}

/* Takes over `value`, also when it fails. */
static struct record_tag *add_tag(struct record *record, const char *name, char *value) {
    struct record_tag *tags =
        value ? array_grown(record->tags, record->tag_count, sizeof *tags, TAGS_MAX) : NULL;
    if (!tags) {
        free(value);
        return NULL;
    }
    record->tags = tags;
    struct record_tag *tag = &tags[record->tag_count++];
    *tag = (struct record_tag){.value = value};
    snprintf(tag->name, sizeof tag->name, "%s", name);
    return tag;
}

static struct record_move *add_move(struct record *record, const char *text, size_t length) {
    if (length >= MOVE_TEXT_MAX) return NULL;
    struct record_move *moves =
        array_grown(record->moves, record->move_count, sizeof *moves, RECORD_MOVES_MAX);
    if (!moves) return NULL;
    record->moves = moves;
    struct record_move *move = &moves[record->move_count++];
    *move = (struct record_move){0};
    memcpy(move->text, text, length);
    return move;
}

bool record_add_move(struct record *record, const char *text) {
    return add_move(record, text, strlen(text)) != NULL;
}

bool record_set_tag(struct record *record, const char *name, const char *value) {
    char *copy = strdup(value);
    if (!copy) return false;
    utf8_make_safe(copy);
    struct record_tag *tag = record_find_tag(record, name);
    if (!tag) return add_tag(record, name, copy) != NULL;
    free(tag->value);
    tag->value = copy;
    return true;
}

struct record_reader {
    const char *text;
    size_t length, at;
    int line, column; /* of `at` */
    struct record *record;
    struct faults *faults;
    bool broken; /* stop: memory is short or a ceiling was reached */
};

static bool at_end(const struct record_reader *reader) {
    return reader->at >= reader->length;
}

/* 0 at the end of the text. */
static char peek(const struct record_reader *reader) {
    return at_end(reader) ? 0 : reader->text[reader->at];
}

/* Columns count characters, not bytes. */
static void reader_step(struct record_reader *reader) {
    const size_t end = lines_break(reader->text + reader->at, reader->text + reader->length);
    reader->at += end ? end : 1;
    if (end) {
        reader->line++;
        reader->column = 1;
    } else if (!utf8_continues(peek(reader))) {
        reader->column++;
    }
}

static bool ends_line(char c) {
    return c == '\n' || c == '\r';
}

static bool is_record_blank(char c) {
    return c == ' ' || c == '\t' || ends_line(c);
}

static void reader_skip_blanks(struct record_reader *reader) {
    while (!at_end(reader) && is_record_blank(peek(reader))) reader_step(reader);
}

__attribute__((format(printf, 4, 5))) static void record_complain(struct record_reader *reader,
                                                                  int line, int column,
                                                                  const char *format, ...) {
    struct fault fault = {0};
    va_list args;
    reader->record->damaged = true;
    if (faults_full(reader->faults)) {
        faults_miss(reader->faults);
        return;
    }
    va_start(args, format);
    fault_setv(&fault, STATUS_TEXT, format, args);
    va_end(args);
    fault_place(&fault, NULL, line, column);
    remark_explain(faults_add(reader->faults, &fault), "variants/FORMATS.md#records");
}

static void record_complain_here(struct record_reader *reader, const char *expected) {
    char found[UTF8_REASON_MAX] = "the record's end";
    const char *here = reader->text + reader->at;
    if (!at_end(reader)) {
        size_t length = utf8_safe_length(here, reader->length - reader->at);
        if (ends_line(*here))
            snprintf(found, sizeof found, "the line's end");
        else if (!length)
            utf8_name(here, reader->length - reader->at, found);
        else
            snprintf(found, sizeof found, "\"%.*s\"", (int)length, here);
    }
    record_complain(reader, reader->line, reader->column, "found %s where %s is expected", found,
                    expected);
}

/* Bytes up to the quote that closes a value, or to the line's end. */
static size_t value_length(const struct record_reader *reader) {
    const char *start = reader->text + reader->at, *end = reader->text + reader->length,
               *at = start;
    while (at < end && *at != '"' && !ends_line(*at))
        at += *at == '\\' && at + 1 < end && (at[1] == '"' || at[1] == '\\') ? 2 : 1;
    return (size_t)(at - start);
}

/* Reads a tag's value and its closing quote; the opening one has been read. */
static char *read_value(struct record_reader *reader) {
    size_t used = 0;
    char *value = malloc(value_length(reader) + 1);
    if (!value) return NULL;
    while (!at_end(reader) && peek(reader) != '"' && !ends_line(peek(reader))) {
        if (peek(reader) == '\\') {
            reader_step(reader);
            if (peek(reader) != '"' && peek(reader) != '\\') {
                record_complain_here(reader, "\\\" or \\\\ in a tag's value");
                continue;
            }
        }
        size_t length = utf8_safe_length(reader->text + reader->at, reader->length - reader->at);
        if (!length) {
            record_complain_here(reader, "printable text in UTF-8");
            value[used++] = '?';
            do {
                reader_step(reader);
            } while (utf8_continues(peek(reader)));
            continue;
        }
        for (; length; length--) {
            value[used++] = peek(reader);
            reader_step(reader);
        }
    }
    value[used] = 0;
    if (peek(reader) == '"')
        reader_step(reader);
    else
        record_complain_here(reader, "the closing quote of a tag's value");
    return value;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void reader_skip_line(struct record_reader *reader) {
    while (!at_end(reader) && !ends_line(peek(reader))) reader_step(reader);
}

static void read_tag(struct record_reader *reader) {
    int line = reader->line, column = reader->column;
    reader_step(reader);
    char name[TAG_NAME_MAX];
    size_t length = 0;
    while (is_letter(peek(reader)) || is_digit(peek(reader)) || peek(reader) == '_') {
        if (length < sizeof name - 1) name[length] = peek(reader);
        length++;
        reader_step(reader);
    }
    if (!length || length >= sizeof name) {
        record_complain_here(reader,
                             length ? "a tag's name of at most 63 letters" : "a tag's name");
        reader_skip_line(reader);
        return;
    }
    name[length] = 0;
    if (reader->record->move_count)
        record_complain(reader, line, column, "tag \"%s\" follows moves; tags come first", name);
    if (record_find_tag(reader->record, name))
        record_complain(reader, line, column, "tag \"%s\" is given twice", name);
    while (peek(reader) == ' ' || peek(reader) == '\t') reader_step(reader);
    if (peek(reader) != '"') {
        record_complain_here(reader, "the opening quote of a tag's value");
        reader_skip_line(reader);
        return;
    }
    reader_step(reader);
    line = reader->line;
    column = reader->column;
    struct record_tag *tag = add_tag(reader->record, name, read_value(reader));
    if (!tag) {
        reader->broken = true;
        return;
    }
    tag->line = line;
    tag->column = column;
    while (peek(reader) == ' ' || peek(reader) == '\t') reader_step(reader);
    if (peek(reader) == ']') {
        reader_step(reader);
    } else {
        record_complain_here(reader, "\"]\" at a tag's end");
        reader_skip_line(reader);
    }
}

static void read_comment(struct record_reader *reader) {
    int line = reader->line, column = reader->column;
    const size_t from = reader->at + 1;
    while (!at_end(reader) && peek(reader) != '}') reader_step(reader);
    if (at_end(reader)) {
        record_complain(reader, line, column, "this comment has no closing \"}\"");
        return;
    }
    const size_t length = reader->at - from;
    char *kept = reader->record->comment;
    *kept = 0;
    if (length < RECORD_COMMENT_MAX) memcpy(kept, reader->text + from, length), kept[length] = 0;
    reader_step(reader);
}

/* `12.` or `12...`; the move may follow without a blank. */
static void read_move_number(struct record_reader *reader) {
    while (is_digit(peek(reader))) reader_step(reader);
    if (peek(reader) != '.') record_complain_here(reader, "\".\" after a move's number");
    while (peek(reader) == '.') reader_step(reader);
}

static void read_record_move(struct record_reader *reader) {
    int line = reader->line, column = reader->column;
    const char *start = reader->text + reader->at;
    while (!at_end(reader) && !is_record_blank(peek(reader)) && !strchr("[]{}", peek(reader))) {
        size_t bytes = utf8_safe_length(reader->text + reader->at, reader->length - reader->at);
        if (!bytes) break;
        for (; bytes; bytes--) reader_step(reader);
    }
    size_t length = (size_t)(reader->text + reader->at - start);
    bool looks_right = length > 1 && is_digit(start[1]);
    if (!looks_right || length >= MOVE_TEXT_MAX) {
        int shown = length > 24 ? 24 : (int)length;
        record_complain(reader, line, column,
                        "found \"%.*s\" where a move such as a4-a5 is expected", shown, start);
    }
    if (length >= MOVE_TEXT_MAX) return;
    struct record_move *move = add_move(reader->record, start, length);
    if (!move) {
        reader->broken = true;
        return;
    }
    move->line = line;
    move->column = column;
}

struct record *record_read(const char *text, size_t length, struct fault *fault) {
    struct faults *faults = faults_new();
    struct record *record = faults ? record_examine(text, length, faults) : NULL;
    const struct fault *first = faults ? faults_first(faults) : NULL;
    if (fault && first) *fault = *first;
    free(faults);
    return record;
}

struct record *record_examine(const char *text, size_t length, struct faults *faults) {
    struct record *record = record_new();
    if (!record) return NULL;
    struct record_reader reader = {
        .text = text, .length = length, .line = 1, .column = 1, .record = record, .faults = faults};
    reader.at = lines_mark(text, length);
    if (length > RECORD_BYTES_MAX) {
        record_complain(&reader, 0, 0, "is too long: at most %d bytes are expected",
                        RECORD_BYTES_MAX);
        reader.length = RECORD_BYTES_MAX;
    }
    for (reader_skip_blanks(&reader); !at_end(&reader) && !reader.broken;
         reader_skip_blanks(&reader)) {
        char c = peek(&reader);
        if (c == '[') {
            read_tag(&reader);
        } else if (c == '{') {
            read_comment(&reader);
        } else if (is_digit(c)) {
            read_move_number(&reader);
        } else if (is_letter(c)) {
            read_record_move(&reader);
        } else {
            record_complain_here(&reader, "a tag, a move, its number or a comment");
            reader_step(&reader);
        }
    }
    if (reader.broken) {
        record_complain(&reader, reader.line, reader.column,
                        "at most %d tags and %d moves, and memory for them, are expected", TAGS_MAX,
                        RECORD_MOVES_MAX);
    }
    return record;
}

/* Appends `word` to the line that begins at `*line`, or to a new line if it does not fit. */
static void add_word(struct buffer *text, size_t *line, const char *word) {
    size_t length = strlen(word), column = text->length - *line;
    if (column && column + 1 + length > WRAP_COLUMNS) {
        buffer_add(text, "\n", 1);
        *line = text->length;
    } else if (column) {
        buffer_add(text, " ", 1);
    }
    buffer_add(text, word, length);
}

char *record_write(const struct record *record) {
    struct buffer text = buffer_of(RECORD_WRITTEN_MAX);
    for (size_t i = 0; i < record->tag_count; i++) {
        const struct record_tag *tag = &record->tags[i];
        buffer_add(&text, "[", 1);
        buffer_add_text(&text, tag->name);
        buffer_add(&text, " \"", 2);
        for (const char *c = tag->value; *c; c++) {
            if (*c == '"' || *c == '\\') buffer_add(&text, "\\", 1);
            buffer_add(&text, c, 1);
        }
        buffer_add(&text, "\"]\n", 3);
    }
    buffer_add(&text, "\n", 1);
    size_t line = text.length;
    for (size_t i = 0; i < record->move_count; i++) {
        char word[MOVE_TEXT_MAX + 24];
        if (i % 2 == 0) {
            snprintf(word, sizeof word, "%zu. %s", i / 2 + 1, record->moves[i].text);
            add_word(&text, &line, word);
        } else {
            add_word(&text, &line, record->moves[i].text);
        }
    }
    if (record->move_count) buffer_add(&text, "\n", 1);
    return buffer_take(&text);
}
