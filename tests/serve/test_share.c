/* The link of a game: a title and a picture where it is shared, once the game is over. */
#include "hosted.h"
#include "serve/share.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

enum { PATH_BYTES = 128, EDGE = 630 };

static int ask(struct web *web, const char *game, const char *end) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "/game/%s%s", game, end);
    return web_ask(web, "GET", path, "");
}

/* What follows the headers of an answer. */
static const char *body(const struct web *web) {
    const char *found = strstr(web->input, "\r\n\r\n");
    assert_non_null(found);
    return found + 4;
}

static void resign(struct web *red, struct web *blue, const char *game) {
    json_decref(hosted_question(red, game));
    hosted_say(red, json_pack("{s:s, s:s}", "type", "resign", "game", game));
    json_decref(hosted_hear(red, "end"));
    json_decref(hosted_hear(blue, "end"));
}

static void assert_shared(struct web *web, const char *game) {
    assert_int_equal(ask(web, game, ""), 200);
    assert_non_null(strstr(body(web), "<title>"));
    if (!strstr(body(web), ": Duel – Ensign</title>")) fail_msg("%.600s", body(web));
    assert_non_null(strstr(body(web), "og:description\" content=\"Blue wins. The other side "
                                      "resigned. Plies: 4.\""));
    char picture[PATH_BYTES];
    snprintf(picture, sizeof picture, "/game/%s.png\"", game);
    assert_non_null(strstr(body(web), picture));
    assert_non_null(strstr(body(web), "src=\"/app.js\""));
    assert_int_equal(ask(web, game, ".png"), 200);
    assert_non_null(strstr(web->input, "image/png"));
}

static void a_link_tells_nothing_before_the_end_and_the_result_after_it(void **state) {
    (void)state;
    struct hosted house;
    HOSTED_OPEN(&house, NULL);
    struct web *red = web_socket(house.server.port), *blue = web_socket(house.server.port);
    struct web *web = web_open(house.server.port);
    char *game = hosted_game(red, blue, NULL);
    hosted_play(red, blue, game, 0, 4);
    assert_int_equal(ask(web, "nosuchgame", ""), 200);
    char *unknown = strdup(body(web));
    assert_int_equal(ask(web, game, ""), 200);
    assert_string_equal(body(web), unknown);
    free(unknown);
    assert_int_equal(ask(web, game, ".png"), 404);
    resign(red, blue, game);
    assert_shared(web, game);
    free(game);
    web_close(web), web_close(red), web_close(blue);
    hosted_close(&house, SIGTERM);
}

static void a_game_of_the_archive_is_shared_too(void **state) {
    (void)state;
    struct hosted house;
    HOSTED_OPEN(&house, NULL);
    struct web *red = web_socket(house.server.port), *blue = web_socket(house.server.port);
    char *game = hosted_game(red, blue, NULL);
    hosted_play(red, blue, game, 0, 4);
    resign(red, blue, game);
    web_close(red), web_close(blue);
    hosted_again(&house, SIGTERM);
    struct web *web = web_open(house.server.port);
    assert_shared(web, game);
    free(game);
    web_close(web);
    hosted_close(&house, SIGTERM);
}

static void only_ids_of_games_are_paths(void **state) {
    static const char *const none[] = {"/game",     "/game/",      "/games/x",
                                       "/game/x/y", "/game/x.svg", "/game/.png",
                                       "/game/a-b", "/game/../x",  "/game/x.png.png"};
    char id[ROOM_ID_MAX];
    bool picture;
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (share_path(none[i], id, &picture)) fail_msg("%s", none[i]);
    assert_true(share_path("/game/xYz23", id, &picture) && !picture);
    assert_string_equal(id, "xYz23");
    assert_true(share_path("/game/xYz23.png", id, &picture) && picture);
    assert_string_equal(id, "xYz23");
}

static void names_cannot_leave_the_head_of_the_page(void **state) {
    static const char index[] = "<head>\n<meta name=\"description\" content=\"x\">\n"
                                "<title>Ensign</title>\n</head>";
    const struct net_page from = {.bytes = index, .length = sizeof index - 1};
    const struct room_card card = {.title = "\"><script>alert(1)</script> & co", .about = "<b>"};
    struct net_page page;
    (void)state;
    assert_true(share_page(&from, &card, "id", "http://here/", &page));
    assert_null(strstr(page.bytes, "<script"));
    assert_null(strstr(page.bytes, "<b>"));
    assert_non_null(strstr(page.bytes, "&quot;>&lt;script>alert(1)&lt;/script> &amp; co"));
    assert_non_null(strstr(page.bytes, "content=\"http://here/game/id.png\""));
    assert_memory_equal(page.bytes, "<head>\n<meta", 12);
    free(page.owned);
}

static uint32_t number_at(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Reads a PNG as its standard says: signature, chunks with checksums, a palette, rows without a
 * filter. Fills colours, 0xRRGGBB, of EDGE x EDGE points. */
static void read_png(const unsigned char *bytes, size_t length, uint32_t *colour) {
    static unsigned char rows[EDGE * (EDGE + 1)];
    const unsigned char *palette = NULL, *end = bytes + length;
    uLongf unpacked = sizeof rows;
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    for (bytes += 8; bytes < end;) {
        const uint32_t size = number_at(bytes);
        const unsigned char *data = bytes + 8;
        assert_true(data + size + 4 <= end);
        assert_int_equal(number_at(data + size), crc32(0, bytes + 4, size + 4));
        if (!memcmp(bytes + 4, "IHDR", 4)) {
            assert_int_equal(number_at(data), EDGE);
            assert_int_equal(number_at(data + 4), EDGE);
            assert_memory_equal(data + 8, "\x08\x03\0\0\0", 5);
        }
        if (!memcmp(bytes + 4, "PLTE", 4)) palette = data;
        if (!memcmp(bytes + 4, "IDAT", 4))
            assert_int_equal(uncompress(rows, &unpacked, data, size), Z_OK);
        bytes = data + size + 4;
    }
    assert_int_equal(unpacked, sizeof rows);
    assert_non_null(palette);
    for (int y = 0; y < EDGE; y++) {
        assert_int_equal(rows[y * (EDGE + 1)], 0);
        for (int x = 0; x < EDGE; x++) {
            const unsigned char *own = palette + 3 * rows[y * (EDGE + 1) + 1 + x];
            colour[y * EDGE + x] = (uint32_t)own[0] << 16 | (uint32_t)own[1] << 8 | own[2];
        }
    }
}

/* A board of two files and three ranks: red on a1, blue on b3, a lake on a3. */
static void the_picture_is_the_board_seen_from_red(void **state) {
    static uint32_t colour[EDGE * EDGE];
    struct room_card card = {.files = 2, .ranks = 3};
    struct net_page page;
    (void)state;
    card.at[0] = (struct card_square){CARD_RED, "10"};
    card.at[5] = (struct card_square){CARD_BLUE, "S"};
    card.at[4].type = CARD_LAKE;
    assert_true(share_picture(&card, &page));
    read_png(page.bytes, page.length, colour);
    const int size = (EDGE - 30) / 3, left = EDGE / 2 - size, top = 15;
    const int edge = size / 5; /* of a square, inside of the piece and outside of its label */
#define AT(file, rank, dx, dy)                                                                     \
    colour[(top + (2 - (rank)) * size + (dy)) * EDGE + left + (file)*size + (dx)]
    assert_int_equal(AT(0, 0, edge, size / 2), 0xb5382f);
    assert_int_equal(AT(1, 2, edge, size / 2), 0x27599c);
    assert_int_equal(AT(0, 2, size / 2, size / 2), 0xa9cbd8);
    assert_int_equal(AT(1, 0, size / 2, size / 2), 0xe9e2cf);
    assert_int_equal(AT(1, 2, size / 8, size / 8), 0xe9e2cf); /* blue is round */
    assert_int_equal(AT(0, 0, size / 6, size / 6), 0xb5382f); /* red is not */
    assert_int_equal(colour[0], 0xf4f1ea);
    free(page.owned);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_tells_nothing_before_the_end_and_the_result_after_it),
        cmocka_unit_test(a_game_of_the_archive_is_shared_too),
        cmocka_unit_test(only_ids_of_games_are_paths),
        cmocka_unit_test(names_cannot_leave_the_head_of_the_page),
        cmocka_unit_test(the_picture_is_the_board_seen_from_red),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
