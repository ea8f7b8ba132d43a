/* gravon_xml.c - Gravon's XML format.
 *
 * Expat parses; five elements count: game (type), field (content), move (source, target), player
 * (text; the first is red) and result (type, winner: 1 red, 2 blue, 3 draw). A document type, which
 * the format does not have, ends the reading: with it entities could expand without bound. */
#define _GNU_SOURCE /* memmem */
#include "gravon_xml.h"

#include "base/lines.h"
#include "base/utf8.h"
#include "gravon_field.h"

#include <expat.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

struct gravon_reader {
    XML_Parser parser;
    struct foreign *foreign;
    const struct foreign_help *help;
    int type; /* of the game; -1: unknown */
    int players;
    bool in_player, field, result;
    char name[FOREIGN_NAME_MAX]; /* of the player being read */
    size_t name_length;
};

static int line_of(const struct gravon_reader *reader) {
    return (int)XML_GetCurrentLineNumber(reader->parser);
}

static int column_of(const struct gravon_reader *reader) {
    return (int)XML_GetCurrentColumnNumber(reader->parser) + 1;
}

static const char *attribute(const XML_Char **attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (!strcmp(attributes[0], name)) return attributes[1];
    return NULL;
}

static void read_type(struct gravon_reader *reader, const char *word) {
    for (int type = 0; word && type < GRAVON_TYPES; type++) {
        const char *also = GRAVON_TYPE[type].also;
        if (!strcmp(word, GRAVON_TYPE[type].word) || (also && !strcmp(word, also)) ||
            (strlen(word) == 1 && word[0] == (char)('0' + type))) {
            reader->type = type;
            foreign_variant(reader->foreign, reader->help, GRAVON_TYPE[type].variant,
                            line_of(reader));
            return;
        }
    }
    foreign_complain(reader->help, line_of(reader), column_of(reader),
                     "game type \"%.40s\": classic, barrage, classicfree, ultimate lightning or "
                     "duell is expected",
                     word ? word : "");
}

static void read_field(struct gravon_reader *reader, const char *content) {
    if (reader->field || !content) {
        foreign_complain(reader->help, line_of(reader), column_of(reader),
                         reader->field ? "a second field is not expected"
                                       : "a field with content=\"…\" is expected");
        return;
    }
    reader->field = true;
    gravon_field_read(reader->foreign, reader->help, reader->type, content, strlen(content),
                      line_of(reader), 0);
}

static void read_xml_move(struct gravon_reader *reader, const char *source, const char *target) {
    struct foreign_move move = {SQUARE_NONE,     SQUARE_NONE,       BATTLE_UNTOLD,
                                line_of(reader), column_of(reader), ""};
    square from, to;
    size_t lengths[2] = {source ? strlen(source) : 0, target ? strlen(target) : 0};
    bool sound = source && target && lengths[0] &&
                 gravon_square_read(source, lengths[0], &from) == lengths[0] &&
                 gravon_square_read(target, lengths[1], &to) == lengths[1] && lengths[1];
    if (sound) {
        move.from = from;
        move.to = to;
    } else {
        foreign_complain(
            reader->help, move.line, move.column,
            "a move from \"%.20s\" to \"%.20s\": two squares as in \"A4\" are expected",
            source ? source : "", target ? target : "");
    }
    char words[FOREIGN_WORDS_MAX];
    int length =
        snprintf(words, sizeof words, "%.10s-%.10s", source ? source : "", target ? target : "");
    if (!foreign_add(reader->foreign, reader->help, move, words, (size_t)length))
        XML_StopParser(reader->parser, XML_FALSE);
}

static void read_result(struct gravon_reader *reader, const char *type, const char *winner) {
    static const enum result results[] = {RESULT_RED, RESULT_BLUE, RESULT_DRAW};
    reader->result = true;
    if (type)
        foreign_copy(reader->foreign->ending, reader->help, line_of(reader), type, strlen(type));
    if (winner && strlen(winner) == 1 && *winner >= '1' && *winner <= '3') {
        reader->foreign->result = results[*winner - '1'];
    } else {
        foreign_complain(reader->help, line_of(reader), column_of(reader),
                         "winner \"%.20s\": 1 (red), 2 (blue) or 3 (draw) is expected",
                         winner ? winner : "");
    }
}

static void XMLCALL element_begin(void *context, const XML_Char *name,
                                  const XML_Char **attributes) {
    struct gravon_reader *reader = context;
    if (!strcmp(name, "game")) {
        read_type(reader, attribute(attributes, "type"));
    } else if (!strcmp(name, "field")) {
        read_field(reader, attribute(attributes, "content"));
    } else if (!strcmp(name, "move")) {
        read_xml_move(reader, attribute(attributes, "source"), attribute(attributes, "target"));
    } else if (!strcmp(name, "player")) {
        reader->in_player = true;
        reader->name_length = 0;
    } else if (!strcmp(name, "result")) {
        read_result(reader, attribute(attributes, "type"), attribute(attributes, "winner"));
    }
}

static void XMLCALL element_end(void *context, const XML_Char *name) {
    struct gravon_reader *reader = context;
    if (strcmp(name, "player") != 0) return;
    reader->in_player = false;
    /* Expat gives UTF-8, whose last character may have been cut. */
    const size_t length = utf8_part(reader->name, reader->name_length);
    if (reader->players < 2)
        foreign_copy(reader->foreign->names[reader->players++], reader->help, line_of(reader),
                     reader->name, length);
}

static void XMLCALL element_text(void *context, const XML_Char *text, int length) {
    struct gravon_reader *reader = context;
    for (int i = 0; reader->in_player && i < length; i++)
        if (reader->name_length < sizeof reader->name - 1)
            reader->name[reader->name_length++] = text[i];
}

static void XMLCALL document_type(void *context, const XML_Char *name, const XML_Char *system,
                                  const XML_Char *public, int has_internal) {
    struct gravon_reader *reader = context;
    (void)name, (void)system, (void)public, (void)has_internal;
    foreign_complain(reader->help, line_of(reader), column_of(reader),
                     "a document type is not expected");
    XML_StopParser(reader->parser, XML_FALSE);
}

/* Describes an encoding of one byte a character to expat, which knows few. */
static int XMLCALL describe_encoding(void *context, const XML_Char *name, XML_Encoding *encoding) {
    static const char *const families[] = {"iso-8859-", "windows-125", "koi8-"};
    const bool usual = !strcasecmp(name, "windows-1252");
    bool known = usual;
    (void)context;
    for (int i = 0; i < 3; i++) known |= !strncasecmp(name, families[i], strlen(families[i]));
    iconv_t converter = known && !usual ? iconv_open("WCHAR_T", name) : (iconv_t)-1;
    if (!usual && converter == (iconv_t)-1) return XML_STATUS_ERROR;
    memset(encoding, 0, sizeof *encoding);
    for (int code = 0; code < 256; code++) {
        wchar_t letter = -1;
        char byte = (char)code, *in = &byte, *out = (char *)&letter;
        size_t in_left = 1, out_left = sizeof letter;
        if (!usual) iconv(converter, &in, &in_left, &out, &out_left);
        encoding->map[code] = usual ? (int)utf8_of_windows_1252(byte) : (int)letter;
    }
    if (!usual) iconv_close(converter);
    return XML_STATUS_OK;
}

/* Does the declaration, at the start of the text, name this encoding? "": any. */
static bool declares(const char *text, size_t length, const char *encoding) {
    static const char key[] = "encoding=";
    const char *end = memmem(text, length < 200 ? length : 200, "?>", 2);
    const char *at = end ? memmem(text, (size_t)(end - text), key, strlen(key)) : NULL;
    if (!at) return false;
    at += strlen(key) + 1;
    return at < end && !strncasecmp(at, encoding, strlen(encoding));
}

/* The encoding where the text's own word is not to be trusted; NULL: expat finds it out. Names in
 * ISO 8859-1 hold the quotes and dashes of windows-1252, as on the web. */
static const char *find_encoding(const struct foreign_help *help, const char *text, size_t length) {
    static const char usual[] = "windows-1252";
    const bool utf8 = declares(text, length, "utf-8") || declares(text, length, "us-ascii") ||
                      !declares(text, length, "");
    const bool wide = length > 1 && (!text[0] || !text[1] || (text[0] & text[1] & 0xFE) == 0xFE);
    if (declares(text, length, "iso-8859-1\"") || declares(text, length, "iso-8859-1'"))
        return usual;
    const size_t at = utf8_part(text, length);
    if (!utf8 || wide || at >= length) return NULL;
    foreign_note(help, lines_number(text, text + at), 0,
                 "the text is not UTF-8 (byte 0x%02x): read as windows-1252",
                 (unsigned char)text[at]);
    return usual;
}

void gravon_xml_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
                     size_t length) {
    struct gravon_reader reader = {.parser = XML_ParserCreate(find_encoding(help, text, length)),
                                   .foreign = foreign,
                                   .help = help,
                                   .type = -1};
    foreign->source = "Gravon XML";
    if (!reader.parser) {
        foreign_complain(help, 0, 0, "no memory for reading XML");
        return;
    }
    XML_SetUserData(reader.parser, &reader);
    XML_SetElementHandler(reader.parser, element_begin, element_end);
    XML_SetCharacterDataHandler(reader.parser, element_text);
    XML_SetUnknownEncodingHandler(reader.parser, describe_encoding, NULL);
    XML_SetStartDoctypeDeclHandler(reader.parser, document_type);
    enum XML_Status status = XML_Parse(reader.parser, text, (int)length, 1);
    enum XML_Error error = XML_GetErrorCode(reader.parser);
    if (status == XML_STATUS_ERROR && error != XML_ERROR_ABORTED) {
        foreign_complain(help, line_of(&reader), column_of(&reader), "malformed XML: %s",
                         XML_ErrorString(error));
    } else if (status == XML_STATUS_OK) {
        if (!reader.field) foreign_complain(help, 0, 0, "an element \"field\" is expected");
        if (!reader.result) foreign_complain(help, 0, 0, "an element \"result\" is expected");
        if (reader.players < 2)
            foreign_complain(help, 0, 0, "two elements \"player\" are expected");
    }
    XML_ParserFree(reader.parser);
}
