/* Foreign records: reading, reports of damage, and the part that is kept. */
#include "host/foreign/formats.h"

#include "host/foreign/gravon_field.h"
#include "host/playback.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rules *original, *lightning, *old;
static char told[4096]; /* "LINE:COLUMN TEXT" of each complaint */
static int complaints;
static struct record *record;

static const struct rules *stock(void *context, const char *variant, struct fault *fault) {
    struct rules *const known[] = {duel, original, lightning, old};
    (void)context;
    for (int i = 0; i < 4; i++)
        if (!strcmp(known[i]->name, variant)) return known[i];
    fault_set(fault, STATUS_NOT_FOUND, "no variant \"%s\"", variant);
    return NULL;
}

static void complain(void *context, const struct fault *fault) {
    size_t used = strlen(told);
    (void)context;
    complaints++;
    snprintf(told + used, sizeof told - used, "%d:%d %s\n", fault->line, fault->column,
             fault->text);
}

static char noted[4096]; /* the same of each note */
static int notes;

static void note(void *context, const struct fault *fault) {
    size_t used = strlen(noted);
    (void)context;
    notes++;
    snprintf(noted + used, sizeof noted - used, "%d %s\n", fault->line, fault->text);
}

static const struct foreign_help help = {stock, complain, NULL, note};

static int load(void **state) {
    (void)state;
    duel = support_rules("duel");
    original = support_rules("original");
    lightning = support_rules("lightning");
    old = support_rules("milton-bradley");
    return 0;
}

static int unload(void **state) {
    (void)state;
    rules_free(duel);
    rules_free(original);
    rules_free(lightning);
    rules_free(old);
    return 0;
}

static int forget(void **state) {
    (void)state;
    record_free(record);
    record = NULL;
    return 0;
}

static void read_bytes(const char *text, size_t length) {
    told[0] = noted[0] = 0;
    complaints = notes = 0;
    record_free(record);
    record = formats_import(text, length, NULL, &help);
}

static void read_text(const char *text) {
    read_bytes(text, strlen(text));
}

static void read_well(const char *text) {
    read_text(text);
    if (complaints || !record) fail_msg("%s", told);
}

static void assert_tag(const char *name, const char *value) {
    const char *found = record_tag(record, name);
    if (!found || strcmp(found, value) != 0)
        fail_msg("%s is \"%s\", expected \"%s\"\n%s", name, found ? found : "absent", value, told);
}

static void assert_moves(const char *moves) {
    char text[1024] = "";
    for (size_t i = 0; i < record->move_count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", record->moves[i].text);
    }
    assert_string_equal(text, moves);
}

static void assert_told(const char *words) {
    if (!strstr(told, words)) fail_msg("nobody says \"%s\":\n%s", words, told);
}

/* The kept record can be replayed from its own text, with the ending that it states. */
static void assert_replays(void) {
    struct fault fault = {0};
    char *text = record_write(record);
    struct record *again = support_record(text);
    struct playback replay;
    const struct rules *rules = stock(NULL, record_tag(record, "Variant"), &fault);
    if (!playback_open(&replay, again, rules, &fault) || !playback_run(&replay, UINT32_MAX, &fault))
        fail_msg("%s\n%s", fault.text, text);
    playback_close(&replay);
    free(text);
    record_free(again);
}

/* Ten pieces a side: marshal a4, scout d4, flag a1; blue turned by half but for its scout on k7. */
#define FIELD                                                                                      \
    "MBBAAAAAAA"                                                                                   \
    "EECAAAAAAA"                                                                                   \
    "DAAAAAAAAA"                                                                                   \
    "LAADKAAAAA"                                                                                   \
    "AA__AA__AA"                                                                                   \
    "AA__AA__AA"                                                                                   \
    "AAAAAWAAAP"                                                                                   \
    "AAAAAAAAAP"                                                                                   \
    "AAAAAAAOQQ"                                                                                   \
    "AAAAAAXNNY"
#define HEAD "#X38FA11 Stratego-Notation v2\ntype 4\n"

static void a_gsn_is_read_with_names_set_ups_moves_and_result(void **state) {
    (void)state;
    read_well(HEAD FIELD "\nA4-A5\nK7-K4\nA5-A6\nK4-F4\nEND\nAnna vs Ben result 3 winner 1\n");
    assert_tag("Variant", "duel");
    assert_tag("Red", "Anna");
    assert_tag("Blue", "Ben");
    assert_tag("Source", "GSN");
    assert_tag("RedSetup", "M..29...../2........./33S......./FBB.......");
    assert_tag("BlueSetup", "2...9...../2........./33S......./FBBM......");
    assert_moves("a4-a5 j7-j4 a5-a6 j4-f4");
    assert_tag("Result", "blue");
    assert_tag("Reason", "resigned");
    assert_tag("SourceEnding", "3");
    assert_replays();
}

static void moves_behind_an_early_end_are_read_with_a_note_at_their_line(void **state) {
    (void)state;
    read_well(HEAD FIELD "\nA4-A5\nK7-K4\nEND\nAnna vs Ben result 3 winner 1\nA5-A6\nK4-F4\n");
    assert_int_equal(notes, 1);
    assert_non_null(strstr(noted, "8 a move behind the game's end"));
    assert_moves("a4-a5 j7-j4 a5-a6 j4-f4");
    assert_tag("Result", "blue");
    assert_tag("Red", "Anna");
    read_well(HEAD FIELD "\nA4-A5\nEND\nK7-K4\nAnna vs Ben result 3 winner 1\n");
    assert_int_equal(notes, 1);
    assert_moves("a4-a5 j7-j4");
    assert_tag("Blue", "Ben");
}

static void an_end_that_comes_twice_is_read_with_a_note_at_its_line(void **state) {
    (void)state;
    read_well(HEAD FIELD "\nA4-A5\nEND\nA vs B result 1 winner 0\nK7-K4\nEND\n"
                         "Anna vs Ben result 3 winner 1\n");
    assert_int_equal(notes, 3);
    assert_non_null(strstr(noted, "7 a move behind"));
    assert_non_null(strstr(noted, "8 a second \"END\""));
    assert_non_null(strstr(noted, "9 a second line with the players"));
    assert_moves("a4-a5 j7-j4");
    assert_tag("Red", "Anna");
    assert_tag("Result", "blue");
    read_well(HEAD FIELD "\nA4-A5\nEND\nEND\nA vs B result 1 winner 0\n");
    assert_int_equal(notes, 1);
    assert_tag("Red", "A");
}

static void what_is_neither_move_nor_end_behind_the_players_is_a_fault(void **state) {
    (void)state;
    read_text(HEAD FIELD "\nA4-A5\nEND\nA vs B result 1 winner 0\nK7 K4\n");
    assert_int_equal(complaints, 1);
    assert_told("7:1 \"K7 K4\": nothing is expected behind the players");
    assert_tag("Result", "red");
}

static void names_that_are_not_utf_8_are_read_as_windows_1252_with_a_note(void **state) {
    (void)state;
    read_well(HEAD FIELD "\nA4-A5\nEND\nJ\xfcrgen \x93Z\x94 vs Zo\xeb\x81 result 1 winner 0\n");
    assert_tag("Red", "Jürgen “Z”");
    assert_tag("Blue", "Zoë\xef\xbf\xbd"); /* 0x81 stands for nothing */
    assert_int_equal(notes, 2);
    assert_non_null(strstr(noted, "6 \"Jürgen “Z”\" is not UTF-8 (byte 0xfc)"));
    read_well(HEAD FIELD "\nA4-A5\nEND\nJürgen vs Zo\xeb result 1 winner 0\n");
    assert_tag("Red", "Jürgen");
    assert_tag("Blue", "Zoë");
    assert_int_equal(notes, 1);
}

static void a_long_name_is_cut_between_two_characters(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        char text[1200] = HEAD FIELD "\nA4-A5\nEND\n";
        for (int i = 0; i < 200; i++) strcat(text, i || !more ? "é" : "x");
        strcat(text, " vs B result 1 winner 0\n");
        read_well(text);
        const char *name = record_tag(record, "Red");
        assert_null(strchr(name, '?'));
        assert_in_range(strlen(name), 254, 255);
    }
    for (int more = 0; more < 2; more++) {
        char text[1200] = "<stratego><game type=\"duell\"><field content=\"" FIELD "\"/><player>";
        for (int i = 0; i < 200; i++) strcat(text, i || !more ? "é" : "x");
        strcat(text, "</player><player>B</player><result winner=\"1\"/></game></stratego>");
        read_well(text);
        assert_int_equal(notes, 0);
        assert_int_equal(strlen(record_tag(record, "Red")), 254 + more);
        assert_non_null(strstr(record_tag(record, "Red"), "éé"));
    }
}

static void the_tenth_file_is_k_or_in_old_files_j(void **state) {
    (void)state;
    square at;
    assert_int_equal(gravon_square_read("K1", 2, &at), 2);
    assert_int_equal(at, 9);
    assert_int_equal(gravon_square_read("J:", 2, &at), 2);
    assert_int_equal(at, 99);
    assert_int_equal(gravon_square_read("k10", 3, &at), 3);
    assert_int_equal(at, 99);
    assert_int_equal(gravon_square_read("I9", 2, &at), 2);
    assert_int_equal(at, 88);
    assert_int_equal(gravon_square_read("L1", 2, &at), 0);
    assert_int_equal(gravon_square_read("A;", 2, &at), 0);
    read_well("#X38FA11 Stratego-Notation v1\r\ntype 4\r\n" FIELD
              "\r\nA4-A5\r\nJ7-J4\r\nEND\r\nA vs B result 0 winner 2\r\n");
    assert_moves("a4-a5 j7-j4");
    assert_tag("Result", "draw");
    assert_tag("Reason", "agreed");
    assert_replays();
}

/* Red has a miner on a9 and its flag, blue a flag on a10, that the miner takes, and a scout. */
static void read_short_game(const char *ending) {
    char field[101], text[400];
    memset(field, 'A', 100);
    field[100] = 0;
    memcpy(field + 42, "__AA__", 6);
    memcpy(field + 52, "__AA__", 6);
    field[0] = 'M';
    field[80] = 'E';
    field[90] = 'Y';
    field[9] = 'P';
    snprintf(text, sizeof text,
             "#X38FA11 Stratego-Notation v2\ntype 2\n%s\nA9-A:\nEND\nA vs B result 1 winner %s\n",
             field, ending);
    read_text(text);
}

static void how_a_game_ended_is_read_from_its_moves_where_they_tell(void **state) {
    (void)state;
    read_short_game("0");
    assert_string_equal(told, "");
    assert_tag("Variant", "original");
    assert_non_null(record_tag(record, "Position"));
    assert_tag("Result", "red");
    assert_tag("Reason", "flag");
    assert_replays();
}

static void a_result_that_the_moves_contradict_is_told_and_kept_apart(void **state) {
    (void)state;
    read_short_game("1");
    assert_int_equal(complaints, 1);
    assert_told("the text's result is \"blue\", but its moves end in \"red\" by \"flag\"");
    assert_tag("Result", "red");
    assert_tag("SourceResult", "blue");
    assert_replays();
}

static void an_illegal_move_is_named_with_its_line_and_rule_and_the_game_kept_up_to_there(
    void **state) {
    (void)state;
    read_text(HEAD FIELD "\nA4-A5\nK7-K4\nA5-A7\nK4-K3\nEND\nA vs B result 1 winner 0\n");
    assert_int_equal(complaints, 1);
    assert_told("6:1 ply 3, A5-A7 (movement): ");
    assert_moves("a4-a5 j7-j4");
    assert_tag("Result", "*");
    assert_tag("Reason", "unfinished");
    assert_tag("SourceResult", "red");
    assert_tag("Red", "A");
    assert_replays();
}

static void each_damaged_line_is_named_once_and_the_rest_is_kept(void **state) {
    (void)state;
    read_text("#X38FA11 Stratego-Notation v9\ntype x\n" FIELD
              "\nA4-A5\nK7-K4\nA5?A6\nK4-K3\nZ1-Z2\nEND\nA and B result 1 winner 7\n");
    assert_told("1:1 \"#X38FA11 Stratego-Notation v9\": ");
    assert_told("2:1 \"type x\": \"type N\"");
    assert_told("6:1 \"A5?A6\": a move");
    assert_told("8:1 \"Z1-Z2\": a move");
    assert_told("10:1 \"A and B result 1 winner 7\": \"NAME vs NAME\" is expected");
    assert_told("10:16 \"1 winner 7\": \"result N winner W\"");
    assert_int_equal(complaints, 6);
    assert_tag("Variant", "duel"); /* by the number of pieces */
    assert_moves("a4-a5 j7-j4");
    assert_replays();
}

static void wrong_letters_of_a_field_are_named_each_with_its_square(void **state) {
    (void)state;
    char text[400];
    snprintf(text, sizeof text, "%s", HEAD FIELD "\nEND\nA vs B result 1 winner 0\n");
    char *field = strstr(text, "MBB");
    field[4] = '?';
    field[42] = 'D';
    read_text(text);
    assert_told("3:5 \"?\" on e1");
    assert_told("3:43 \"D\" on c5: \"_\" for a lake");
    assert_told("an army is missing");
    assert_null(record);
}

static void a_text_cut_short_keeps_what_it_has(void **state) {
    (void)state;
    read_text(HEAD FIELD "\nA4-A5\nK7-K4\n");
    assert_told("\"END\" is expected");
    assert_told("the line with the players is missing");
    assert_moves("a4-a5 j7-j4");
    assert_tag("Result", "*");
    assert_replays();
}

static void a_rescue_ends_what_can_be_kept(void **state) {
    (void)state;
    char text[600];
    static const char field[] = "MBBEEAAAAA"
                                "CFFGGHHAAA"
                                "DDDDAAAAAA"
                                "LKJIAAAAAA"
                                "AA__AA__AA"
                                "AA__AA__AA"
                                "AAAAAAXWVU"
                                "AAAAAAPPPP"
                                "AAARRSSTTO"
                                "AAAAAQQNNY";
    snprintf(text, sizeof text,
             "#X38FA11 Stratego-Notation v2\ntype 3\n%s\nB4-B5\nG7-F7\nA1:A2\nF7-F6\nEND\n"
             "A vs B result 1 winner 0\n",
             field);
    read_text(text);
    assert_int_equal(complaints, 1);
    assert_told("6:1 \"A1:A2\": a rescue");
    assert_tag("Variant", "lightning");
    assert_moves("b4-b5 g7-f7");
    assert_replays();
}

static void an_xml_is_read_with_names_set_ups_moves_and_result(void **state) {
    (void)state;
    read_well("\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<stratego>\n"
              " <game type=\"duell\">\n  <field content=\"" FIELD "\"/>\n"
              "  <move id=\"1\" source=\"A4\" target=\"A5\"/>\n"
              "  <move id=\"2\" source=\"K7\" target=\"K4\"/>\n"
              "  <move id=\"3\" source=\"A3\" target=\"A4\"/>\n"
              "  <player id=\"1\">Anna &amp; Eva</player><player id=\"2\"> Jürgen </player>\n"
              "  <result type=\"2\" winner=\"3\"/>\n </game>\n</stratego>\n");
    assert_tag("Variant", "duel");
    assert_tag("Red", "Anna & Eva");
    assert_tag("Blue", "Jürgen");
    assert_tag("Source", "Gravon XML");
    assert_moves("a4-a5 j7-j4 a3-a4");
    assert_tag("Result", "draw");
    assert_tag("SourceEnding", "2");
    assert_replays();
}

#define XML(head, name)                                                                            \
    "<?xml version=\"1.0\"" head "?>\n<stratego><game type=\"duell\">\n<field content=\"" FIELD    \
    "\"/>\n<player>" name "</player><player>B</player>\n<result winner=\"3\"/></game></stratego>"

static void an_xml_is_read_in_the_encoding_that_it_has(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
        int notes;
    } cases[] = {
        {XML(" encoding=\"windows-1252\"", "\x93J\xfcrgen\x94 \x80"), "“Jürgen” €", 0},
        {XML(" encoding=\"ISO-8859-1\"", "\x93J\xfcrgen\x94"), "“Jürgen”", 0},
        {XML(" encoding='iso-8859-1'", "J\xfcrgen"), "Jürgen", 0},
        {XML(" encoding=\"ISO-8859-15\"", "\xa4J\xfcrgen"), "€Jürgen", 0},
        {XML(" encoding=\"windows-1251\"", "\xc8\xe2\xe0\xed"), "Иван", 0},
        {XML("", "J\xfcrgen"), "Jürgen", 1},
        {XML(" encoding=\"UTF-8\"", "J\xfcrgen"), "Jürgen", 1},
        {XML(" encoding=\"US-ASCII\"", "J\xfcrgen"), "Jürgen", 1},
        {XML(" encoding=\"UTF-8\"", "Jürgen"), "Jürgen", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_well(cases[i].text);
        assert_tag("Red", cases[i].name);
        assert_int_equal(notes, cases[i].notes);
        if (notes) assert_non_null(strstr(noted, "4 the text is not UTF-8 (byte 0xfc)"));
    }
    read_text(XML(" encoding=\"x-mac-roman\"", "J\x9frgen"));
    assert_told("1:31 malformed XML: unknown encoding");
}

static void an_xml_in_two_bytes_a_letter_is_read(void **state) {
    (void)state;
    static const char text[] = XML("", "\xfc");
    for (int big = 0; big < 2; big++) {
        char wide[2 * sizeof text];
        size_t used = 0;
        for (size_t i = 0; i < sizeof text; i++) { /* the first is the mark of byte order */
            const char low = i ? text[i - 1] : '\xFF', high = i ? 0 : '\xFE';
            wide[used++] = big ? high : low;
            wide[used++] = big ? low : high;
        }
        read_bytes(wide, used);
        if (complaints || notes) fail_msg("%s%s", told, noted);
        assert_tag("Red", "ü");
    }
}

static void an_xml_that_breaks_is_kept_up_to_there(void **state) {
    (void)state;
    read_text("<stratego><game type=\"chess\">\n<field content=\"" FIELD "\"/>\n"
              "<move source=\"A4\" target=\"A5\"/>\n<move source=\"K7\" target=\"Q4\"/>\n<move");
    assert_told("1:11 game type \"chess\"");
    assert_told("4:1 a move from \"K7\" to \"Q4\"");
    assert_told("malformed XML");
    assert_moves("a4-a5");
    assert_replays();
}

static void an_xml_with_a_document_type_is_not_read_on(void **state) {
    (void)state;
    read_text("<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b \"b\">]>\n<a>&b;</a>");
    assert_told("a document type is not expected");
    assert_null(record);
}

#define LOG_HEAD                                                                                   \
    "Messaging red with \"START\"\n../agents/one/one.py RED SETUP\nFB8sB479B8\nBB31555583\n"       \
    "6724898974\n967B669999\ntwo BLUE SETUP\n967B669999\n6724898974\nBB31555583\nFB8sB479B8\n"

static void a_ucc_log_is_read_with_names_set_ups_moves_and_reason(void **state) {
    (void)state;
    read_well(LOG_HEAD "1 RED: 0 3 DOWN OK\n1 BLU: 5 6 UP 1 OK\n2 RED: 0 4 DOWN OK\n"
                       "2 BLU: 0 6 UP BOTHDIE 9 9\n"
                       "Game ends on BLUE's turn - REASON: This player has surrendered!\n"
                       "two BLUE SURRENDER 2 100 100\n");
    assert_tag("Variant", "milton-bradley");
    assert_tag("Red", "one.py");
    assert_tag("Blue", "two");
    assert_tag("RedSetup", "999966B769/4798984276/38555513BB/8B974BS8BF");
    assert_tag("BlueSetup", "967B669999/6724898974/BB31555583/FB8SB479B8");
    assert_moves("j4-j5 e7-e6 j5-j6 j7xj6");
    assert_tag("Result", "red");
    assert_tag("Reason", "resigned");
    assert_replays();
}

static void an_end_on_the_line_of_the_last_turn_is_read(void **state) {
    (void)state;
    static const struct {
        const char *turn, *moves, *result, *reason;
    } cases[] = {
        {"1 BLU: Game ends on BLUE's turn - REASON: SIGPIPE - Broken pipe\n", "j4-j5", "red",
         "forfeit-crash"},
        {"1 BLU:Game ends on BLUE's turn - REASON: Response timeout\n", "j4-j5", "red",
         "forfeit-time"},
        {"1 BLU: 5 6 UP 1 OK\n2 RED: 9 9 UP ILLEGALGame ends on RED's turn - REASON: Selected piece\n",
         "j4-j5 e7-e6", "blue", "forfeit-illegal"},
        {"1 BLU: 5 6 UP 1 OK Game ends on BLUE's turn - REASON: This player has surrendered!\n",
         "j4-j5 e7-e6", "red", "resigned"},
        {"1 BLU: 5 6 UP 1 OK\n2 RED: Game ends on RED's turn - REASON: Game declared a draw after\n",
         "j4-j5 e7-e6", "*", "unfinished"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s1 RED: 0 3 DOWN OK\n%s", LOG_HEAD, cases[i].turn);
        read_text(text);
        if (i < 4 && complaints) fail_msg("%s: %s", cases[i].turn, told);
        assert_moves(cases[i].moves);
        assert_tag("Result", cases[i].result);
        assert_tag("Reason", cases[i].reason);
    }
}

static void every_format_is_read_whatever_ends_its_lines(void **state) {
    (void)state;
    static const char *const texts[] = {
        HEAD FIELD "\nA4-A5\nK7-K4\nEND\nA vs B result 3 winner 1\n", XML("", "A"),
        LOG_HEAD "1 RED: 0 3 DOWN OK\nGame ends on BLUE's turn - REASON: SIGPIPE\n"};
    static const char *const ends[] = {"\r", "\r\n"};
    for (size_t i = 0; i < 3; i++) {
        read_well(texts[i]);
        char *plain = record_write(record);
        for (size_t k = 0; k < 4; k++) {
            char text[2000] = "";
            if (k > 1) strcpy(text, "\xEF\xBB\xBF");
            for (const char *at = texts[i]; *at; at++)
                strncat(text, *at == '\n' ? ends[k % 2] : at, *at == '\n' ? 2 : 1);
            read_well(text);
            char *written = record_write(record);
            assert_string_equal(written, plain);
            free(written);
        }
        free(plain);
    }
}

static void what_a_program_lost_by_is_kept_as_its_forfeit(void **state) {
    (void)state;
    read_well(LOG_HEAD "1 RED: 0 3 DOWN OK\n1 BLU: 5 6 UP 7 ILLEGAL\n"
                       "Game ends on BLUE's turn - REASON: Attempted move into square occupied\n");
    assert_moves("j4-j5");
    assert_tag("Result", "red");
    assert_tag("Reason", "forfeit-illegal");
    assert_tag("Forfeit", "5 6 UP 7 ILLEGAL");
    assert_replays();
    read_well(LOG_HEAD "1 RED: \nGame ends on RED's turn - REASON: Response timeout after 2.0\n");
    assert_tag("Result", "blue");
    assert_tag("Reason", "forfeit-time");
    assert_replays();
}

static void a_log_that_stopped_at_its_turn_limit_is_unfinished(void **state) {
    (void)state;
    read_well(LOG_HEAD
              "1 RED: 0 3 DOWN OK\n"
              "Game ends on BLUE's turn - REASON: Game declared a draw after 5000 turns\n");
    assert_tag("Result", "*");
    assert_tag("Reason", "unfinished");
    assert_replays();
}

static void a_log_without_one_army_is_a_forfeit_before_the_first_move(void **state) {
    (void)state;
    read_well(
        "one RED SETUP\nINVALID!\ntwo BLUE SETUP\n967B669999\n6724898974\nBB31555583\n"
        "FB8sB479B8\nGame ends in the SETUP phase - REASON: An illegal setup was made by RED\n");
    assert_tag("Result", "blue");
    assert_tag("Reason", "forfeit-illegal");
    assert_replays();
}

static void a_log_whose_outcome_the_set_ups_contradict_is_kept_up_to_there(void **state) {
    (void)state;
    read_text(LOG_HEAD "1 RED: 0 3 DOWN OK\n1 BLU: 5 6 UP OK\n2 RED: 0 4 DOWN KILLS 9 9\n"
                       "2 BLU: 0 6 UP BOTHDIE 9 9\n3 RED: nonsense\n3 BLU: 5 5 UP OK\n"
                       "Game ends on RED's turn - REASON: Captured the flag\n");
    assert_told("14:1 ply 3, 2 RED: 0 4 DOWN KILLS 9: there is no battle, but the text says that "
                "the attacker wins");
    assert_told("16:1 \"nonsense\"");
    assert_int_equal(complaints, 2);
    assert_moves("j4-j5 e7-e6 j5-j6");
    assert_replays();
}

static void what_a_log_holds_twice_is_read_with_a_note_at_its_line(void **state) {
    (void)state;
    read_well(LOG_HEAD "1 RED: 0 3 DOWN OK\nGame ends on BLUE's turn - REASON: SIGPIPE\n"
                       "1 BLU: 5 6 UP 1 OK\n"
                       "Game ends on RED's turn - REASON: This player has surrendered!\n");
    assert_int_equal(notes, 2);
    assert_non_null(strstr(noted, "14 a turn behind the game's end"));
    assert_non_null(strstr(noted, "15 a second end of the game; this one counts"));
    assert_moves("j4-j5 e7-e6");
    assert_tag("Result", "blue");
    read_well(LOG_HEAD "one RED SETUP\n967B669999\n6724898974\nBB31555583\nFB8sB479B8\n"
                       "Game ends on RED's turn - REASON: This player has surrendered!\n");
    assert_int_equal(notes, 1);
    assert_non_null(strstr(noted, "12 a second set-up of red; this one counts"));
    assert_tag("Red", "one");
}

static void a_text_in_two_or_four_bytes_a_letter_is_told_so(void **state) {
    (void)state;
    static const char narrow[] = HEAD FIELD "\nA4-A5\nEND\nA vs B result 1 winner 0\n";
    for (int form = 0; form < 6; form++) { /* with a mark of byte order, and without */
        const size_t size = form < 4 ? 2 : 4;
        const bool big = form % 2, mark = form % 4 < 2;
        char wide[4 * sizeof narrow] = {0};
        size_t used = 0;
        for (size_t i = 0; i < sizeof narrow; i++, used += size) {
            if (mark && !i) memcpy(wide + (big ? size - 2 : 0), big ? "\xFE\xFF" : "\xFF\xFE", 2);
            if (!mark || i) wide[used + (big ? size - 1 : 0)] = narrow[i - mark];
        }
        read_bytes(wide, used);
        assert_int_equal(complaints, 1);
        assert_told(size == 2 ? "1:1 is in UTF-16; UTF-8 is expected"
                              : "1:1 is in UTF-32; UTF-8 is expected");
        assert_null(record);
    }
}

static void what_is_no_known_format_is_refused(void **state) {
    (void)state;
    read_text("hello\n");
    assert_told("1:1 no known format");
    assert_null(record);
    read_text("");
    assert_null(record);
    told[0] = 0;
    record = formats_import("hello\n", 6, "game.gsn", &help); /* the name says what it should be */
    assert_told("1:1 \"hello\": \"#X38FA11 Stratego-Notation v1\" or v2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_gsn_is_read_with_names_set_ups_moves_and_result, forget),
        cmocka_unit_test_teardown(the_tenth_file_is_k_or_in_old_files_j, forget),
        cmocka_unit_test_teardown(moves_behind_an_early_end_are_read_with_a_note_at_their_line,
                                  forget),
        cmocka_unit_test_teardown(an_end_that_comes_twice_is_read_with_a_note_at_its_line, forget),
        cmocka_unit_test_teardown(what_is_neither_move_nor_end_behind_the_players_is_a_fault,
                                  forget),
        cmocka_unit_test_teardown(names_that_are_not_utf_8_are_read_as_windows_1252_with_a_note,
                                  forget),
        cmocka_unit_test_teardown(a_long_name_is_cut_between_two_characters, forget),
        cmocka_unit_test_teardown(an_xml_is_read_in_the_encoding_that_it_has, forget),
        cmocka_unit_test_teardown(an_xml_in_two_bytes_a_letter_is_read, forget),
        cmocka_unit_test_teardown(an_end_on_the_line_of_the_last_turn_is_read, forget),
        cmocka_unit_test_teardown(every_format_is_read_whatever_ends_its_lines, forget),
        cmocka_unit_test_teardown(how_a_game_ended_is_read_from_its_moves_where_they_tell, forget),
        cmocka_unit_test_teardown(a_result_that_the_moves_contradict_is_told_and_kept_apart,
                                  forget),
        cmocka_unit_test_teardown(
            an_illegal_move_is_named_with_its_line_and_rule_and_the_game_kept_up_to_there, forget),
        cmocka_unit_test_teardown(each_damaged_line_is_named_once_and_the_rest_is_kept, forget),
        cmocka_unit_test_teardown(wrong_letters_of_a_field_are_named_each_with_its_square, forget),
        cmocka_unit_test_teardown(a_text_cut_short_keeps_what_it_has, forget),
        cmocka_unit_test_teardown(a_rescue_ends_what_can_be_kept, forget),
        cmocka_unit_test_teardown(an_xml_is_read_with_names_set_ups_moves_and_result, forget),
        cmocka_unit_test_teardown(an_xml_that_breaks_is_kept_up_to_there, forget),
        cmocka_unit_test_teardown(an_xml_with_a_document_type_is_not_read_on, forget),
        cmocka_unit_test_teardown(a_ucc_log_is_read_with_names_set_ups_moves_and_reason, forget),
        cmocka_unit_test_teardown(what_a_program_lost_by_is_kept_as_its_forfeit, forget),
        cmocka_unit_test_teardown(a_log_that_stopped_at_its_turn_limit_is_unfinished, forget),
        cmocka_unit_test_teardown(a_log_without_one_army_is_a_forfeit_before_the_first_move,
                                  forget),
        cmocka_unit_test_teardown(a_log_whose_outcome_the_set_ups_contradict_is_kept_up_to_there,
                                  forget),
        cmocka_unit_test_teardown(what_a_log_holds_twice_is_read_with_a_note_at_its_line, forget),
        cmocka_unit_test_teardown(a_text_in_two_or_four_bytes_a_letter_is_told_so, forget),
        cmocka_unit_test_teardown(what_is_no_known_format_is_refused, forget),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
