/* test_keyboard.c - Cyrillic keys as commands, and moves typed in another language. */
#include "cli/keyboard.h"
#include "cli/typed.h"
#include "core/text/notation.h"
#include "lua/folders.h"
#include "variant/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include <cmocka.h>

static struct folders folders;

static void assert_keys(enum keyboard keyboard, const wchar_t *typed, const wchar_t *meant) {
    assert_int_equal(wcslen(typed), wcslen(meant));
    for (; *typed; typed++, meant++)
        assert_int_equal(keyboard_latin(keyboard, (int)*typed), *meant);
}

static void a_cyrillic_letter_is_the_latin_one_on_its_key(void **state) {
    (void)state;
    assert_keys(KEYBOARD_RUSSIAN, L"йкмзвыіьашгнсщЖ", L"qrvpdssmfiuyco:");
    assert_keys(KEYBOARD_RUSSIAN, L"ИЫІЬАЧЗ", L"BSSMFXP");
    assert_keys(KEYBOARD_RUSSIAN, L"ролд", L"hjkl");
    assert_keys(KEYBOARD_BULGARIAN, L",иэзаяпожксщъдМБ", L"qrvpdsmfguiyco:?");
    assert_keys(KEYBOARD_BULGARIAN, L"гтнв", L"hjkl");
    assert_keys(KEYBOARD_BULGARIAN, L"ФЯПОЙЗ", L"BSMFXP");
}

static void other_keys_stay_what_they_are(void **state) {
    (void)state;
    assert_keys(KEYBOARD_RUSSIAN, L"qM19?:,+\n\033ñš", L"qM19?:,+\n\033ñš");
    assert_int_equal(keyboard_latin(KEYBOARD_RUSSIAN, 0x200000), 0x200000);
}

/* What a line becomes in that language; NULL: English. */
static void assert_typed(const char *tag, const char *variant, const char *line,
                         const char *expected) {
    struct language *language = tag ? language_load(&folders, tag, NULL) : NULL;
    struct rules *rules = variant_load(&folders, variant, NULL);
    char move[MOVE_TEXT_MAX];
    assert_true(rules && (language || !tag));
    typed_move(language, rules, line, move, sizeof move);
    assert_string_equal(move, expected);
    rules_free(rules);
    language_free(language);
}

static void a_kind_is_named_by_what_stands_on_its_piece_or_in_any_language(void **state) {
    (void)state;
    assert_typed(NULL, "infiltrator", "e7@e9=10", "e7@e9=marshal");
    assert_typed(NULL, "infiltrator", "e7@e9=1", "e7@e9=saboteur");
    assert_typed(NULL, "infiltrator", "e7@e9=BOMB ", "e7@e9=bomb");
    assert_typed("uk", "infiltrator", "e7@e9= бомба", "e7@e9=bomb");
    assert_typed("uk", "infiltrator", "e7@e9=bomb", "e7@e9=bomb");
    assert_typed("ru", "infiltrator", "e7@e9=САПЕР", "e7@e9=miner");
    assert_typed("hr", "infiltrator", "e7@e9=MARŠAL", "e7@e9=marshal");
    assert_typed("es", "infiltrator", "e7@e9=bom", "e7@e9=bom");
}

static void squares_may_be_typed_in_cyrillic(void **state) {
    (void)state;
    assert_typed("ru", "duel", "ф4-ф5", "a4-a5");
    assert_typed("uk", "infiltrator", "у7@у9=Бомба", "e7@e9=bomb");
    assert_typed("bg", "duel", "ь4-ф5", "a4-b5");
    assert_typed("ru", "duel", "a4-a5", "a4-a5");
}

int main(void) {
    if (!folders_find(&folders, NULL)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cyrillic_letter_is_the_latin_one_on_its_key),
        cmocka_unit_test(other_keys_stay_what_they_are),
        cmocka_unit_test(a_kind_is_named_by_what_stands_on_its_piece_or_in_any_language),
        cmocka_unit_test(squares_may_be_typed_in_cyrillic),
    };
    return cmocka_run_group_tests_name("cli/keyboard", tests, NULL, NULL);
}
