/* test_languages.c - the program speaks every language there is a file of. */
#include "script/language.h"
#include "script/variant.h"
#include "session.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER ENSIGN_ROOT "/scripts/languages"

/* RULES 9; what is written there stays here as data. */
static const struct {
    const char *tag;
    const char *names[14];
} table[] = {
    {"en",
     {"Flag", "Bomb", "Spy", "Saboteur", "Spotter", "Scout", "Miner", "Sergeant", "Lieutenant",
      "Captain", "Major", "Colonel", "General", "Marshal"}},
    {"bg",
     {"Знаме", "Бомба", "Шпионин", "Саботьор", "Наблюдател", "Разузнавач", "Сапьор", "Сержант",
      "Лейтенант", "Капитан", "Майор", "Полковник", "Генерал", "Маршал"}},
    {"uk",
     {"Прапор", "Бомба", "Шпигун", "Диверсант", "Спостерігач", "Розвідник", "Мінер", "Сержант",
      "Лейтенант", "Капітан", "Майор", "Полковник", "Генерал", "Маршал"}},
    {"hr",
     {"Zastava", "Bomba", "Špijun", "Saboter", "Promatrač", "Izviđač", "Rudar", "Narednik",
      "Poručnik", "Kapetan", "Bojnik", "Pukovnik", "General", "Maršal"}},
    {"es",
     {"Bandera", "Bomba", "Espía", "Saboteador", "Sondeador", "Explorador", "Minador", "Sargento",
      "Teniente", "Capitán", "Comandante", "Coronel", "General", "Mariscal"}},
    {"ru",
     {"Знамя", "Мина", "Шпион", "Диверсант", "Наблюдатель", "Разведчик", "Сапёр", "Сержант",
      "Лейтенант", "Капитан", "Майор", "Полковник", "Генерал", "Фельдмаршал"}},
};
enum { LANGUAGES = sizeof table / sizeof table[0] };

static const char *const kinds[] = {"flag",  "bomb",    "spy",      "saboteur",   "spotter",
                                    "scout", "miner",   "sergeant", "lieutenant", "captain",
                                    "major", "colonel", "general",  "marshal"};

/* Calls `visit` for the tag of every file; true if any call was. */
static bool for_each_file(bool (*visit)(const char *tag)) {
    DIR *open = opendir(FOLDER);
    bool any = false;
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));) {
        char tag[64];
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".lua") != 0) continue;
        snprintf(tag, sizeof tag, "%.*s", (int)length - 4, entry->d_name);
        any |= visit(tag);
    }
    closedir(open);
    return any;
}

static bool does_not_load(const char *tag) {
    struct folders folders;
    struct fault fault = {0};
    assert_true(folders_find(&folders, &fault));
    struct language *language = language_load(&folders, tag, &fault);
    if (!language) print_error("%s:%d: %s\n", fault.file, fault.line, fault.text);
    bool bad = !language || strcmp(language_tag(language), tag) != 0;
    language_free(language);
    return bad;
}

static void every_language_loads(void **state) {
    (void)state;
    assert_false(for_each_file(does_not_load));
}

static void pieces_are_called_as_in_the_printed_sheets(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault = {0};
    assert_true(folders_find(&folders, &fault));
    struct rules *rules[] = {variant_load(&folders, "infiltrator", &fault),
                             variant_load(&folders, "galaxy", &fault)};
    for (int l = 0; l < LANGUAGES; l++) {
        struct language *language = NULL;
        if (strcmp(table[l].tag, "en") != 0) {
            language = language_load(&folders, table[l].tag, &fault);
            if (!language) fail_msg("%s: %s", table[l].tag, fault.text);
        }
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            const struct rules *in = rules[!strcmp(kinds[k], "spotter")];
            kind_id kind = rules_kind(in, kinds[k], strlen(kinds[k]));
            assert_int_not_equal(kind, KIND_NONE);
            assert_string_equal(language_kind(language, in, kind), table[l].names[k]);
        }
        language_free(language);
    }
    rules_free(rules[0]);
    rules_free(rules[1]);
}

static void assert_sheet(const char *lc_all, const char *lang, const char *lang_option,
                         const char *word) {
    struct session session;
    setenv("LC_ALL", lc_all, 1);
    setenv("LANG", lang, 1);
    const char *arguments[] = {"show", "duel", lang_option ? "--lang" : NULL, lang_option, NULL};
    assert_int_equal(session_run(&session, "", arguments), 0);
    unsetenv("LC_ALL");
    unsetenv("LANG");
    if (!strstr(session.text, word)) fail_msg("no %s in %s", word, session.text);
    session_clear(&session);
}

static void the_option_or_else_the_locale_chooses_the_language(void **state) {
    (void)state;
    assert_sheet("", "uk_UA.UTF-8", NULL, "Розвідник");
    assert_sheet("hr_HR.utf8", "uk_UA.UTF-8", NULL, "Izviđač");
    assert_sheet("es", "", NULL, "Explorador");
    assert_sheet("C", "uk_UA.UTF-8", NULL, "Scout");
    assert_sheet("uk_UA.KOI8-U", "", NULL, "Scout");
    assert_sheet("xx_XX.UTF-8", "", NULL, "Scout");
    assert_sheet("uk_UA.UTF-8", "", "ru", "Разведчик");
    assert_sheet("uk_UA.UTF-8", "", "en", "Scout");
    assert_sheet("", "", "bg_BG.UTF-8", "Разузнавач");
}

static void a_language_that_does_not_exist_is_wrong_use(void **state) {
    (void)state;
    struct session session;
    const char *const arguments[] = {"show", "duel", "--lang", "bgg", NULL};
    assert_int_equal(session_run(&session, "", arguments), 2);
    assert_non_null(strstr(session.text, "no language \"bgg\", did you mean \"bg\"?"));
    session_clear(&session);
}

static void a_game_is_told_in_the_language_from_its_first_move_to_its_end(void **state) {
    (void)state;
    static const struct {
        const char *tag, *attack, *end;
    } told[] = {
        {"en", " attacks", "Plies: "},        {"bg", " напада", "Полуходове: "},
        {"uk", " нападає", "Напівходів: "},   {"hr", " napada", "Polupoteza: "},
        {"es", " ataca", "Medias jugadas: "}, {"ru", " атакует", "Полуходов: "},
    };
    session_folder(); /* where the records go */
    for (int i = 0; i < LANGUAGES; i++) {
        struct session session;
        const char *const arguments[] = {"play",   "duel",      "--red",  "rookie",
                                         "--blue", "rookie",    "--seed", "1",
                                         "--lang", told[i].tag, NULL};
        assert_int_equal(session_run(&session, "", arguments), 0);
        if (!strstr(session.text, told[i].attack) || !strstr(session.text, told[i].end)) {
            fail_msg("%s: %s", told[i].tag, session.text);
        }
        if (strcmp(told[i].tag, "en")) assert_null(strstr(session.text, " attacks"));
        session_clear(&session);
    }
}

static void a_language_of_your_own_is_one_file(void **state) {
    (void)state;
    struct session session;
    const char *path = session_file(0, "de.lua",
                                    "return { api = 1, name = 'Deutsch',\n"
                                    "  kinds = { scout = 'Aufklärer' },\n"
                                    "  texts = { ['Red begins.'] = 'Rot beginnt.' } }\n");
    const char *const arguments[] = {"show", "duel", "--lang", path, NULL};
    assert_int_equal(session_run(&session, "", arguments), 0);
    assert_non_null(strstr(session.text, "Aufklärer  any number of squares"));
    assert_non_null(strstr(session.text, "Rot beginnt."));
    assert_non_null(strstr(session.text, "Endings"));
    session_clear(&session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_language_loads),
        cmocka_unit_test(pieces_are_called_as_in_the_printed_sheets),
        cmocka_unit_test(the_option_or_else_the_locale_chooses_the_language),
        cmocka_unit_test(a_language_that_does_not_exist_is_wrong_use),
        cmocka_unit_test(a_game_is_told_in_the_language_from_its_first_move_to_its_end),
        cmocka_unit_test(a_language_of_your_own_is_one_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
