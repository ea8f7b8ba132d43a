/* test_pages.c - what a browser may fetch. */
#include "serve/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct folders folders;
static struct pages *pages;

static void write_title(FILE *out, const struct language *language, const struct rules *rules) {
    fprintf(out, "%s: %s\n", language_tag(language), language_title(language, rules));
}

static int open_pages(void **state) {
    struct fault fault = {0};
    (void)state;
    if (!folders_find(&folders, &fault)) return -1;
    pages = pages_open(&folders, NULL, write_title, &fault);
    return pages ? 0 : -1;
}

static int close_pages(void **state) {
    (void)state;
    pages_close(pages);
    return 0;
}

static void assert_page(const char *path, const char *type, const char *word) {
    struct net_page page;
    char text[256 * 1024];
    if (!pages_find(pages, path, &page)) fail_msg("no page %s", path);
    assert_null(page.owned);
    assert_true(page.length < sizeof text);
    memcpy(text, page.bytes, page.length);
    text[page.length] = 0;
    if (!strstr(page.type, type)) fail_msg("%s is %s", path, page.type);
    if (!strstr(text, word)) fail_msg("no %s in %s", word, path);
}

static void the_page_is_in_the_program(void **state) {
    (void)state;
    assert_page("/", "text/html", "app.js");
    assert_page("/app.js", "text/javascript", "import");
    assert_page("/style.css", "text/css", ":root");
}

static void each_language_has_its_words_and_its_rule_sheets(void **state) {
    (void)state;
    assert_page("/words/en.json", "application/json", "\"texts\":{}");
    assert_page("/words/hr.json", "application/json", "Maršal");
    assert_page("/rules/en/duel.txt", "text/plain", "en: Duel\n");
    assert_page("/rules/bg/duel.txt", "text/plain", "bg: Дуел\n");
    assert_page("/rules/es/galaxy-duel.txt", "text/plain", "es: Duelo galáctico\n");
}

static void nothing_else_can_be_fetched(void **state) {
    static const char *const others[] = {"",
                                         "/page.html",
                                         "/../CMakeLists.txt",
                                         "/words/",
                                         "/words/xx.json",
                                         "/rules/en/../../words/en.json",
                                         "/rules/en/nowhere.txt",
                                         "//index.html",
                                         "index.html"};
    struct net_page page;
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (pages_find(pages, others[i], &page)) fail_msg("there is %s", others[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_in_the_program),
        cmocka_unit_test(each_language_has_its_words_and_its_rule_sheets),
        cmocka_unit_test(nothing_else_can_be_fetched),
    };
    return cmocka_run_group_tests(tests, open_pages, close_pages);
}
