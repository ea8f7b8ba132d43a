/* test_pages.c - what a browser may fetch. */
#include "serve/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

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

/* A browser offers to install what names itself, a start and icons that are there. */
static void the_page_can_be_installed(void **state) {
    struct net_page page;
    char path[64];
    (void)state;
    assert_true(pages_find(pages, "/manifest.json", &page));
    json_t *manifest = json_loadb(page.bytes, page.length, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(manifest, "name")), "Ensign");
    assert_string_equal(json_string_value(json_object_get(manifest, "start_url")), "./");
    assert_string_equal(json_string_value(json_object_get(manifest, "display")), "standalone");
    const json_t *icons = json_object_get(manifest, "icons"), *icon;
    size_t i;
    assert_true(json_array_size(icons) > 0);
    json_array_foreach(icons, i, icon) {
        snprintf(path, sizeof path, "/%s", json_string_value(json_object_get(icon, "src")));
        assert_true(pages_find(pages, path, &page));
        assert_string_equal(json_string_value(json_object_get(icon, "type")), page.type);
    }
    json_decref(manifest);
    assert_page("/sw.js", "text/javascript", "notificationclick");
    assert_page("/", "text/html", "rel=\"manifest\" href=\"/manifest.json\"");
}

/* What a browser fetches to show the start page, with the words of a language. */
static void what_the_first_visit_fetches_is_short(void **state) {
    enum { WIRE_MAX = 64 << 10 };
    static const char *const first[] = {"/",          "/icon.svg",      "/style.css",
                                        "/start.css", "/board.css",     "/theme.js",
                                        "/app.js",    "/dom.js",        "/words.js",
                                        "/link.js",   "/seats.js",      "/settings.js",
                                        "/toast.js",  "/start.js",      "/lists.js",
                                        "/saved.js",  "/variants.js",   "/board.js",
                                        "/army.js",   "/position.js",   "/storage.js",
                                        "/names.js",  "/join.js",       "/notices.js",
                                        "/ask.js",    "/game_cache.js", "/words/ru.json"};
    size_t sum = 0;
    struct net_page page;
    (void)state;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        if (!pages_find(pages, first[i], &page)) fail_msg("no page %s", first[i]);
        sum += page.gzip_length ? page.gzip_length : page.length;
    }
    if (sum > WIRE_MAX) fail_msg("%zu bytes", sum);
}

/* What is compressed says the same: inflated here by the library's one call for whole texts. */
static void a_page_that_is_compressed_is_the_same(void **state) {
    static const char *const paths[] = {"/game.js", "/words/uk.json", "/style.css"};
    char text[256 * 1024];
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct net_page page;
        assert_true(pages_find(pages, paths[i], &page));
        assert_true(page.gzip_length > 0 && page.gzip_length < page.length);
        z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)page.gzip,
                           .avail_in = (uInt)page.gzip_length,
                           .next_out = (Bytef *)text,
                           .avail_out = sizeof text};
        assert_int_equal(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
        assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
        assert_int_equal(stream.total_out, page.length);
        inflateEnd(&stream);
        assert_memory_equal(text, page.bytes, page.length);
    }
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
        cmocka_unit_test(the_page_can_be_installed),
        cmocka_unit_test(what_the_first_visit_fetches_is_short),
        cmocka_unit_test(a_page_that_is_compressed_is_the_same),
        cmocka_unit_test(each_language_has_its_words_and_its_rule_sheets),
        cmocka_unit_test(nothing_else_can_be_fetched),
    };
    return cmocka_run_group_tests(tests, open_pages, close_pages);
}
