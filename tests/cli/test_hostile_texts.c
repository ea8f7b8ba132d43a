/* Hostile names, titles, tags and file names through every command that could print them: only
 * plain text reaches the terminal. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "games/sanitized.h"
#include "program.h"

#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define ESCAPE "\033[31m"
#define FORGED "x\nforged line"
#define OVERRIDE "a\xe2\x80\xaegpj"

/* Names of files: all that controls a terminal or deceives a reader, in bytes that are no UTF-8 and
 * in bytes that are. */
static const char *const NAMES[] = {
    FORGED ESCAPE "latin\377csi\2335m",
    OVERRIDE "c1\302\2335mz\342\200\213wiso\342\201\246latebell\a\b\r\177tab\there",
};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

static const char SETUP[] = "M..2....../...9..2.../3.S......3/....BFB...\n";
static const char BOT[] = "return { api = 1, move = function(view) return view:moves()[1] end }\n";
static const char ANGRY[] = "return { api = 1, title = 'Angry', move = function()\n"
                            "  error('\\27[2J\\n\\155forged line\\226\\128\\174') end }\n";
static const char VARIANT[] = "return { api = 1, extends = 'duel', title = 'Fair' }\n";
static const char TITLES[] =
    "return { api = 1, extends = 'duel', title = '\\27[31mred\\27]0;t\\7\\n\\r',\n"
    "  names = { en = '\\27[2J' }, edition = '\\155\\27[5m', note = 'a\\226\\128\\174b',\n"
    "  pieces = { scout = { label = '\\27[7', names = { en = 'a\\nb' } } } }\n";
static const char RECORD[] =
    "[Variant \"duel\"]\n[Red \"r" ESCAPE "\x9b" OVERRIDE "\"]\n[Blue \"b\a\xff\"]\n"
    "[RedSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
    "[BlueSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
    "[Event \"\xc2\x9b"
    "2J\"]\n[Result \"*\"]\n\n1. a4-a5 j7-j6 2. a5-" ESCAPE " j6-j5\n";
static const char GSN[] = "#X38FA11 Stratego-Notation v2\ntype 4\n"
                          "AAAAAAAAAAAAAAAAAAAAAA\nA4-A5\nK7-" ESCAPE "\nEND\nAn" ESCAPE
                          "\x9b vs B" OVERRIDE " result 7 winner 2\n";
static const char LANGUAGE[] =
    "return { api = 1, name = '\\27[31mEvil', texts = { variants = '\\27[2J' } }\n";

static char folder[64], home[PATH_MAX];

__attribute__((format(printf, 3, 4))) static void put(const char *text, size_t length,
                                                      const char *format, ...) {
    char path[512];
    va_list args;
    va_start(args, format);
    vsnprintf(path, sizeof path, format, args);
    va_end(args);
    FILE *file = fopen(path, "w");
    if (!file) fail_msg("%s", path);
    fwrite(text, 1, length, file);
    fclose(file);
}

#define PUT(text, ...) put(text, sizeof text - 1, __VA_ARGS__)

/* A folder of downloaded files, and the current one. */
static int enter(void **state) {
    static const char *const folders[] = {"variants", "variants/setups",   "bots",
                                          "scripts",  "scripts/languages", "files"};
    (void)state;
    strcpy(folder, "/tmp/ensign-test-XXXXXX");
    if (!getcwd(home, sizeof home) || !mkdtemp(folder) || chdir(folder)) return -1;
    setenv("HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_DATA_HOME", folder, 1);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) mkdir(folders[i], 0700);
    for (int i = 0; i < NAME_COUNT; i++) {
        PUT(VARIANT, "variants/%s.lua", NAMES[i]);
        PUT(BOT, "bots/%s.lua", NAMES[i]);
        PUT(SETUP, "variants/setups/%s.txt", NAMES[i]);
        PUT(RECORD, "files/%s.rec", NAMES[i]);
        PUT(SETUP, "files/%s.txt", NAMES[i]);
        PUT(GSN, "files/%s.gsn", NAMES[i]);
    }
    PUT(TITLES, "variants/titles.lua");
    PUT(ANGRY, "bots/angry.lua");
    PUT("return { api = 1, title = '\\27[31m', move = function() end }\n", "bots/titled.lua");
    PUT("return {\n  api = 1, '\033[2J\x9b\xe2\x80\xae', }}\n", "variants/broken.lua");
    PUT("M..2\033[31m\x9b\n\xe2\x80\xae\n", "files/broken.txt");
    PUT(LANGUAGE, "scripts/languages/xx.lua");
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk) {
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static int leave(void **state) {
    (void)state;
    return chdir(home) || nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Bytes of the character at `text`, decoded independently; 0 if it could control a terminal or
 * deceive a reader. */
static size_t harmless(const unsigned char *text) {
    if (text[0] < 0x80)
        return text[0] == '\n' || text[0] == '\t' || (text[0] >= 0x20 && text[0] < 0x7F);
    size_t length = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : text[0] >= 0xC2 ? 2 : 0;
    unsigned long character = text[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) return 0;
        character = character << 6 | (text[i] & 0x3F);
    }
    bool deceives = character < 0xA0 || (character >= 0x200B && character <= 0x200F) ||
                    (character >= 0x2028 && character <= 0x202E) ||
                    (character >= 0x2060 && character <= 0x206F) || character == 0xFEFF;
    return deceives ? 0 : length;
}

static void assert_text(const char *command, const char *text) {
    for (const char *at = text; *at;) {
        size_t length = harmless((const unsigned char *)at);
        if (!length) {
            fail_msg("%s: byte %zu is 0x%02x: %.60s", command, (size_t)(at - text),
                     (unsigned char)*at, at);
        }
        at += length;
    }
    if (!strncmp(text, "forged", 6) || strstr(text, "\nforged")) fail_msg("%s:\n%s", command, text);
}

/* Asserts that the run printed only plain text. */
static struct program_run told(const char *const *arguments) {
    struct program_run run = program_run(NULL, arguments);
    if (run.exit_code > 3) fail_msg("%s: exit code %d", arguments[0], run.exit_code);
    assert_text(arguments[0], run.out);
    assert_text(arguments[0], run.err);
    return run;
}

static void expect_text(const char *const *arguments) {
    struct program_run run = told(arguments);
    program_clear(&run);
}

#define TOLD(...) told((const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_TEXT(...) expect_text((const char *const[]){__VA_ARGS__, NULL})

static json_t *document(struct program_run run) {
    json_t *json = json_loads(run.out, 0, NULL);
    if (!json) fail_msg("no document: %s%s", run.out, run.err);
    program_clear(&run);
    return json;
}

#define DOCUMENT(...) document(TOLD(__VA_ARGS__, "--json"))

static void lists_are_text_and_complete(void **state) {
    (void)state;
    EXPECT_TEXT("list");
    EXPECT_TEXT("list", "--lang", "xx");
    EXPECT_TEXT("setups");
    const char *const parts[] = {"variants", "bots", "setups"};
    for (int i = 0; i < 3; i++) {
        struct program_run run = TOLD("list", parts[i]);
        size_t lines = 0;
        for (const char *at = run.out; *at; at++) lines += *at == '\n';
        program_clear(&run);
        json_t *all = DOCUMENT("list", parts[i]);
        assert_int_equal(json_array_size(json_object_get(all, parts[i])), lines - 1);
        assert_true(lines > NAME_COUNT);
        json_decref(all);
    }
    json_t *setups = DOCUMENT("setups", "-v", "duel");
    assert_true(json_array_size(setups) >= NAME_COUNT);
    json_decref(setups);
}

static void file_names_are_text_wherever_a_file_is_named(void **state) {
    (void)state;
    for (int i = 0; i < NAME_COUNT; i++) {
        char variant[128], bot[128], setup[128], record[128], gsn[128], absent[128];
        snprintf(variant, sizeof variant, "variants/%s.lua", NAMES[i]);
        snprintf(bot, sizeof bot, "bots/%s.lua", NAMES[i]);
        snprintf(setup, sizeof setup, "files/%s.txt", NAMES[i]);
        snprintf(record, sizeof record, "files/%s.rec", NAMES[i]);
        snprintf(gsn, sizeof gsn, "files/%s.gsn", NAMES[i]);
        snprintf(absent, sizeof absent, "files/%s/absent.rec", NAMES[i]);
        EXPECT_TEXT("show", variant);
        json_decref(DOCUMENT("show", variant));
        EXPECT_TEXT("check", variant, bot, setup, record, absent, "-v", "duel", "-n", "2",
                    "--balance", "9");
        json_decref(DOCUMENT("check", variant, bot, setup, record, absent, "-v", "duel", "-n", "2",
                             "--balance", "9"));
        EXPECT_TEXT("replay", "--plain", record);
        EXPECT_TEXT("replay", record, absent, record);
        EXPECT_TEXT("replay", "--verify", record, absent, record);
        EXPECT_TEXT("replay", "--ply", "99", record);
        json_decref(DOCUMENT("replay", "--verify", record));
        json_decref(DOCUMENT("replay", record, record));
        EXPECT_TEXT("moves", record);
        EXPECT_TEXT("moves", variant, NAMES[i]);
        EXPECT_TEXT("moves", "duel", NAMES[i], "--json");
        EXPECT_TEXT("setups", setup, absent, NAMES[i], "-v", "duel");
        json_decref(DOCUMENT("setups", setup, "-v", variant));
        EXPECT_TEXT("import", gsn);
        EXPECT_TEXT("import", gsn, record, absent, "-o", "files/imported");
        EXPECT_TEXT("export", record, absent, "-o", "files/exported");
        EXPECT_TEXT("report", record, "-o", "files/page.html");
        EXPECT_TEXT("report", record, "--json");
        EXPECT_TEXT("report", absent, "-o", NAMES[i]);
        EXPECT_TEXT("bench", "-v", absent);
        EXPECT_TEXT("list", NAMES[i]);
        EXPECT_TEXT("new", "bot", NAMES[i]);
        EXPECT_TEXT("play", "--plain", "--continue", record);
        EXPECT_TEXT("play", "--plain", variant, "--red", bot, "--blue", absent);
        EXPECT_TEXT("watch", absent);
        EXPECT_TEXT(NAMES[i]);
        EXPECT_TEXT("match", NAMES[i], "--seed", NAMES[i]);
    }
}

static void names_that_a_shell_would_obey_are_not_completed(void **state) {
    (void)state;
    static const char *const planted[] = {
        "scripts/languages/$(id).lua", "bots/--trust.lua", "bots/`id`.lua",
        "bots/a\n:folders.lua",        "variants/;id.lua", "variants/setups/&id.txt"};
    mkdir("scripts", 0700);
    mkdir("scripts/languages", 0700);
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        FILE *file = fopen(planted[i], "w");
        assert_non_null(file);
        fclose(file);
    }
    static const char *const before[][2] = {
        {"play", "--lang"}, {"match", NULL}, {"show", NULL}, {"play", "--setup"}};
    for (int i = 0; i < 4; i++) {
        struct program_run run = TOLD("help", "--complete", "--", before[i][0], before[i][1]);
        assert_true(run.out[0]);
        if (strpbrk(run.out, "$`&\033") || strstr(run.out, "--trust\n") ||
            strstr(run.out, ":folders\n") || strstr(run.out, ";id"))
            fail_msg("%s", run.out);
        program_expect(run, 0, "");
    }
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) unlink(planted[i]);
    rmdir("scripts/languages");
    rmdir("scripts");
}

/* As `check *` gives them, in a folder of somebody else. */
static void names_of_files_start_no_programs(void **state) {
    (void)state;
    static const char *const names[] = {"json:sh harm.sh", "ucc:sh harm.sh", "x=json:sh harm.sh"};
    PUT("touch harmed\n", "harm.sh");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        PUT("", "%s", names[i]);
        const char *const commands[][8] = {{"check", "-v", "classic", names[i], NULL},
                                           {"match", "rookie", names[i], "-v", "classic", NULL},
                                           {"play", "classic", "--red", names[i], NULL},
                                           {"selfplay", "classic", names[i], "-o", "x.npy", NULL}};
        for (size_t j = 0; j < sizeof commands / sizeof *commands; j++) {
            struct program_run run = program_run(NULL, commands[j]);
            assert_int_equal(run.exit_code, 2);
            assert_non_null(strstr(run.err, "is the name of a file: it starts no program"));
            program_clear(&run);
        }
        unlink(names[i]);
    }
    assert_int_equal(access("harmed", F_OK), -1);
    unlink("harm.sh");
}

static void titles_labels_and_errors_of_scripts_are_text(void **state) {
    (void)state;
    const char *const scripts[] = {"variants/titles.lua", "variants/broken.lua", "bots/titled.lua",
                                   "bots/angry.lua", "files/broken.txt"};
    for (int i = 0; i < 5; i++) {
        EXPECT_TEXT("check", scripts[i], "--balance", "9");
        EXPECT_TEXT("show", scripts[i]);
        json_decref(DOCUMENT("check", scripts[i], "--balance", "9"));
    }
    struct program_run run = TOLD("show", "titles");
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.err, "title: control character U+001B"));
    program_clear(&run);
    run = TOLD("match", "titled", "rookie", "-v", "duel", "-n", "2");
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.err, "title: control character U+001B"));
    program_clear(&run);
    EXPECT_TEXT("match", "angry", "rookie", "-v", "duel", "-n", "2");
    EXPECT_TEXT("match", "angry", "rookie", "-v", "duel", "-n", "2", "--trust", "--json");
    EXPECT_TEXT("play", "duel", "--plain", "--red", "angry", "--blue", "rookie");
}

static void a_variant_whose_texts_cannot_be_shown_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "\\27[31m",        "a\\nforged line", "\\155", "\\226\\128\\174",
        "\\239\\187\\191", "\\127",           "fair"};
    static const char *const places[] = {"title = '%s'", "edition = '%s'", "note = '%s'",
                                         "names = { es = '%s' }",
                                         "pieces = { scout = { names = { en = '%s' } } }"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k += sanitized() ? 2 : 1) {
            char value[128], text[256];
            snprintf(value, sizeof value, places[i], texts[k]);
            int length =
                snprintf(text, sizeof text, "return { api = 1, extends = 'duel', %s }", value);
            put(text, (size_t)length, "variants/single.lua");
            struct program_run run = TOLD("show", "single");
            if (run.exit_code != (strcmp(texts[k], "fair") != 0))
                fail_msg("%s: %s", value, run.err);
            program_clear(&run);
        }
    }
    remove("variants/single.lua");
}

static void the_command_that_goes_on_with_a_match_is_text_that_a_shell_reads(void **state) {
    (void)state;
    static const char *const arguments[] = {
        "match", "rookie", "raider",   "-v", "duel",
        "-n",    "4000",   "--events", "-o", "m\033[31m\nforged'",
        NULL};
    struct program_run run = program_signal(arguments, 2, SIGTERM);
    assert_int_equal(run.exit_code, 1);
    assert_text("match", run.err);
    assert_non_null(strstr(run.err, "$'"));
    assert_non_null(strstr(run.err, "-o $'m\\x1b[31m\\x0aforged\\x27'"));
    program_clear(&run);
}

static void players_are_text_in_a_match_its_report_and_its_sequel(void **state) {
    (void)state;
    for (int i = 0; i < NAME_COUNT; i++) {
        char bot[128], kept[32], variant[128], setup[128];
        snprintf(bot, sizeof bot, "bots/%s.lua", NAMES[i]);
        snprintf(variant, sizeof variant, "variants/%s.lua", NAMES[i]);
        snprintf(setup, sizeof setup, "files/%s.txt", NAMES[i]);
        snprintf(kept, sizeof kept, "match-%d", i);
        EXPECT_TEXT("match", bot, "rookie", "-v", variant, "-n", "2", "-o", kept);
        EXPECT_TEXT("report", kept, "-v", "duel", "--json");
        EXPECT_TEXT("report", kept, "-o", "page.html");
        EXPECT_TEXT("match", "--resume", "-o", kept);
        json_t *all = DOCUMENT("match", bot, "rookie", "-v", variant, "-n", "2");
        assert_int_equal(json_array_size(json_object_get(all, "games")), 2);
        json_decref(all);
        EXPECT_TEXT("match", bot, "rookie", "-v", variant, "-n", "2", "--events");
        EXPECT_TEXT("match", "rookie", "-v", "duel", "-n", "2", "--setups", setup, "--versus",
                    "random");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_text_and_complete),
        cmocka_unit_test(names_that_a_shell_would_obey_are_not_completed),
        cmocka_unit_test(file_names_are_text_wherever_a_file_is_named),
        cmocka_unit_test(names_of_files_start_no_programs),
        cmocka_unit_test(titles_labels_and_errors_of_scripts_are_text),
        cmocka_unit_test(a_variant_whose_texts_cannot_be_shown_is_refused),
        cmocka_unit_test(the_command_that_goes_on_with_a_match_is_text_that_a_shell_reads),
        cmocka_unit_test(players_are_text_in_a_match_its_report_and_its_sequel),
    };
    return cmocka_run_group_tests_name("cli/hostile_texts", tests, enter, leave);
}
