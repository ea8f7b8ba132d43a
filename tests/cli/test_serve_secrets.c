/* Hidden information over the pipe of `ensign serve --stdio`: two games whose only difference red
 * cannot know give the seat of red and public spectators the same bytes.
 *
 * A client plays both sides of both games by the same moves. In the second game two pieces of blue
 * are exchanged, which neither move nor meet red. */
#include "driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLIES = 30, GAMES = 2, SETUP_MAX = 512, SQUARE_MAX = 4 };

static const char *const variants[] = {"original",
                                       "barrage",
                                       "classic",
                                       "duel",
                                       "galaxy-duel",
                                       "galaxy",
                                       "quick",
                                       "infiltrator",
                                       "milton-bradley",
                                       "russian",
                                       "lightning",
                                       "variants/examples/fog.lua",
                                       "variants/examples/silent_defence.lua"};

/* One of the two games. */
struct table {
    char id[16];
    char *told;       /* to red and to the public since its start, without the game's id; owned */
    json_t *question; /* the latest for a move; owned; NULL: the game is over */
};

/* Adds a message to what red or the public was told, if it is for them. */
static void note(struct table *table, const struct driver *driver) {
    const char *seat = json_string_value(json_object_get(driver->message, "seat"));
    const char *eyes = json_string_value(json_object_get(driver->message, "eyes"));
    const char *type = driver_text(driver, "type");
    if (!strcmp(type, "end") || !strcmp(type, "created")) return; /* everything is uncovered */
    if (!(seat ? !strcmp(seat, "red") : eyes && !strcmp(eyes, "public"))) return;
    const char *id = strstr(driver->line, "\"game\":\"");
    assert_non_null(id);
    const char *after = strchr(id + 8, '"');
    size_t length = table->told ? strlen(table->told) : 0;
    table->told = realloc(table->told, length + strlen(driver->line) + 2);
    sprintf(table->told + length, "%.*s%s\n", (int)(id - driver->line), driver->line, after);
}

/* Hears everything up to the next question for a move or the end. */
static void hear_turn(struct table *table, struct driver *driver) {
    json_decref(table->question);
    table->question = NULL;
    for (;;) {
        assert_non_null(driver_hear(driver));
        note(table, driver);
        const char *type = driver_text(driver, "type");
        if (!strcmp(type, "error") || !strcmp(type, "refused")) fail_msg("%.400s", driver->line);
        if (!strcmp(type, "move")) table->question = json_incref(driver->message);
        if (!strcmp(type, "end") && json_object_get(driver->message, "eyes")) return;
        if (table->question) return;
    }
}

/* Opens a game with these armies (NULL: by chance). False if the variant does not take them. */
static bool open_table(struct table *table, struct driver *driver, const char *variant, int number,
                       const char *const armies[2]) {
    snprintf(table->id, sizeof table->id, "%d", number);
    driver_say(driver,
               "{'type':'new','variant':'%s','seed':7,'watch':'public','first':'red','setups':"
               "{'red':'%s','blue':'%s'}}",
               variant, armies ? armies[0] : "random", armies ? armies[1] : "random");
    driver_hear(driver);
    if (!strcmp(driver_text(driver, "type"), "error")) return false;
    hear_turn(table, driver);
    return true;
}

static void close_table(struct table *table, struct driver *driver) {
    driver_say(driver, "{'type':'leave','game':'%s'}", table->id);
    driver_await(driver, "left");
    free(table->told);
    json_decref(table->question);
    *table = (struct table){.told = NULL};
}

/* Copies the value of a tag of the game's record. */
static void copy_army(struct driver *driver, const char *game, const char *tag,
                      char army[SETUP_MAX]) {
    char start[32];
    char *record = driver_record(driver, game);
    snprintf(start, sizeof start, "[%s \"", tag);
    const char *found = strstr(record, start);
    assert_non_null(found);
    found += strlen(start);
    snprintf(army, SETUP_MAX, "%.*s", (int)strcspn(found, "\""), found);
    free(record);
}

/* Exchanges two different pieces of a set-up. */
static void exchange(char army[SETUP_MAX], unsigned number) {
    size_t length = strlen(army);
    for (size_t a = number % length;; a = (a + 1) % length) {
        size_t b = (a + 1 + number / 7 % (length - 1)) % length;
        if (strchr("./", army[a]) || strchr("./", army[b]) || army[a] == army[b]) {
            number = number * 5 + 3;
            continue;
        }
        char kept = army[a];
        army[a] = army[b];
        army[b] = kept;
        return;
    }
}

/* The squares on which two positions differ. Returns how many. */
static int differences(const char *one, const char *other, char squares[2][SQUARE_MAX]) {
    int rank = 1, file = 0, count = 0;
    for (const char *at = one; *at != ' '; at++) rank += *at == '/';
    for (; *one != ' '; one++, other++) {
        if (*one == '/') {
            rank--;
            file = 0;
            continue;
        }
        if (*one == 'r' || *one == 'b') one++, other++;
        if (*one != *other && count < 2)
            snprintf(squares[count++], SQUARE_MAX, "%c%d", 'a' + file, rank);
        file++;
    }
    return count;
}

static void copy_position(struct driver *driver, const char *game, char *out, size_t size) {
    driver_say(driver, "{'type':'view','game':'%s','eyes':'all'}", game);
    driver_await(driver, "view");
    snprintf(out, size, "%s", driver_text(driver, "position"));
}

static bool names_square(const char *move, char squares[2][SQUARE_MAX]) {
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(squares[i]);
        for (const char *at = move; (at = strstr(at, squares[i])); at++)
            if (at[length] < '0' || at[length] > '9') return true;
    }
    return false;
}

static bool offers(const json_t *question, const char *move) {
    size_t i;
    json_t *offered;
    json_array_foreach(json_object_get(question, "moves"), i,
                       offered) if (!strcmp(json_string_value(offered), move)) return true;
    return false;
}

/* A move that both questions offer and that leaves the exchanged pieces alone; NULL: none. */
static const char *choose(const struct table tables[2], char squares[2][SQUARE_MAX], size_t from) {
    const json_t *moves = json_object_get(tables[0].question, "moves");
    const size_t count = json_array_size(moves);
    for (size_t i = 0; i < count; i++) {
        const char *move = json_string_value(json_array_get(moves, (from + i) % count));
        bool plain = !strchr(move, '@') && !names_square(move, squares);
        if (plain && offers(tables[1].question, move)) return move;
    }
    return NULL;
}

static void assert_same(const struct table tables[2], const char *variant) {
    if (!strcmp(tables[0].told, tables[1].told)) return;
    size_t at = 0;
    while (tables[0].told[at] == tables[1].told[at]) at++;
    at -= at < 100 ? at : 100;
    fail_msg("%s:\n%.300s\nand\n%.300s", variant, tables[0].told + at, tables[1].told + at);
}

/* Returns the plies that were played in both games. */
static int compare_games(struct driver *driver, const char *variant, int *number, unsigned seed) {
    struct table tables[2] = {{.told = NULL}};
    char armies[2][SETUP_MAX], squares[2][SQUARE_MAX], one[1024], other[1024];
    int plies = 0;
    assert_true(open_table(&tables[0], driver, variant, ++*number, NULL));
    copy_army(driver, tables[0].id, "RedSetup", armies[0]);
    copy_army(driver, tables[0].id, "BlueSetup", armies[1]);
    close_table(&tables[0], driver);
    const char *given[2] = {armies[0], armies[1]};
    assert_true(open_table(&tables[0], driver, variant, ++*number, given));
    do exchange(armies[1], seed = seed * 69069 + 5);
    while (!open_table(&tables[1], driver, variant, ++*number, given));
    copy_position(driver, tables[0].id, one, sizeof one);
    copy_position(driver, tables[1].id, other, sizeof other);
    assert_int_equal(differences(one, other, squares), 2);
    while (plies < PLIES && tables[0].question && tables[1].question) {
        const char *move = choose(tables, squares, seed = seed * 69069 + 5);
        char text[32];
        if (!move) break;
        snprintf(text, sizeof text, "%s", move);
        for (int i = 0; i < 2; i++) {
            driver_say(driver, "{'type':'move','game':'%s','move':'%s'}", tables[i].id, text);
            hear_turn(&tables[i], driver);
        }
        assert_same(tables, variant);
        plies++;
    }
    for (int i = 0; i < 2; i++) close_table(&tables[i], driver);
    return plies;
}

static void red_and_the_public_are_told_the_same_whatever_blue_hides(void **state) {
    (void)state;
    struct driver driver;
    int number = 0;
    DRIVER_OPEN(&driver, "-j", "2");
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        int plies = 0;
        for (unsigned game = 0; game < GAMES; game++)
            plies += compare_games(&driver, variants[v], &number, game * 77 + (unsigned)v);
        if (plies < GAMES * PLIES / 4) fail_msg("%s: only %d plies", variants[v], plies);
    }
    assert_int_equal(driver_close(&driver), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(red_and_the_public_are_told_the_same_whatever_blue_hides),
    };
    return cmocka_run_group_tests_name("serve_secrets", tests, NULL, NULL);
}
