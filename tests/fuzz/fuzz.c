/* Stock variants, random play and the checks that several targets make. */
#include "fuzz.h"

#include "core/play/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const NAMES[] = {"original", "duel",        "infiltrator",    "classic",
                                    "galaxy",   "galaxy-duel", "russian",        "barrage",
                                    "quick",    "lightning",   "milton-bradley", "lattaque",
                                    "luzhanqi", "salpakan",    "jungle"};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

void fuzz_require(bool holds, const char *message) {
    if (holds) return;
    fprintf(stderr, "property does not hold: %s\n", message);
    abort();
}

static char folder[] = "/dev/shm/ensign-fuzz-XXXXXX";

static void remove_folder(void) {
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) fprintf(stderr, "%s is left\n", folder);
}

const char *fuzz_folder(void) {
    static bool made;
    if (made) return folder;
    if (access("/dev/shm", W_OK)) strcpy(folder, "/tmp/ensign-fuzz-XXXXXX");
    fuzz_require(mkdtemp(folder) != NULL, "a temporary folder");
    atexit(remove_folder);
    made = true;
    return folder;
}

void fuzz_write(const char *path, const uint8_t *data, size_t size) {
    static const char *const LEFT[] = {"-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof LEFT / sizeof *LEFT; i++) {
        char beside[1024];
        snprintf(beside, sizeof beside, "%s%s", path, LEFT[i]);
        unlink(beside);
    }
    FILE *file = fopen(path, "wb");
    fuzz_require(file && fwrite(data, 1, size, file) == size && !fclose(file),
                 "the input lies there");
}

const struct folders *fuzz_folders(void) {
    static struct folders folders;
    static bool found;
    if (!found) {
        struct fault fault = {0};
        fuzz_require(folders_find(&folders, &fault), "the shared scripts are found");
        found = true;
    }
    return &folders;
}

const struct rules *fuzz_rules(unsigned number) {
    static struct rules *loaded[NAME_COUNT];
    unsigned i = number % NAME_COUNT;
    if (!loaded[i]) {
        struct fault fault = {0};
        loaded[i] = variant_load(fuzz_folders(), NAMES[i], &fault);
        fuzz_require(loaded[i] != NULL, fault.text);
    }
    return loaded[i];
}

const struct rules *fuzz_rules_named(const char *name) {
    for (unsigned i = 0; i < NAME_COUNT; i++)
        if (strcmp(name, NAMES[i]) == 0) return fuzz_rules(i);
    return NULL;
}

void fuzz_require_fault(const struct fault *fault) {
    fuzz_require(fault->status != STATUS_OK && fault->status < STATUS_COUNT,
                 "a fault has a status");
    size_t length = strnlen(fault->text, FAULT_TEXT_MAX);
    fuzz_require(length > 0 && length < FAULT_TEXT_MAX, "a fault has a text");
    for (size_t i = 0; i < length; i++)
        fuzz_require((unsigned char)fault->text[i] >= 0x20, "a fault is one printable line");
    fuzz_require(fault->line >= 0 && fault->column >= 0, "a place is not negative");
}

void fuzz_play(const struct rules *rules, const struct position *position, uint64_t seed,
               uint32_t plies) {
    struct random random = random_stream(seed, STREAM_PLAYOUT, 0);
    struct ply *history = calloc((size_t)plies + 1, sizeof *history);
    struct move *moves = calloc(rules->moves_max + 1, sizeof *moves);
    struct game game, before;
    fuzz_require(history && moves, "there is memory");
    memset(&game, 0, sizeof game);
    game_start(&game, rules, position, NULL, history, plies + 1);
    memcpy(&before, &game, sizeof game);
    while (!game_over(&game) && game.ply_count < plies) {
        size_t count = game_moves(&game, moves, rules->moves_max);
        fuzz_require(count <= rules->moves_max, "there are no more moves than there can be");
        if (calls_failed()) break; /* functions that do not agree with themselves */
        fuzz_require(count > 0, "a running game has moves");
        struct move move = moves[random_below(&random, (uint32_t)count)];
        fuzz_require(game_judge(&game, move) == LEGAL || rules->calls, "a listed move is legal");
        struct events events = {0};
        game_play(&game, move, &events);
        fuzz_require(events.count > 0 && events.count <= EVENTS_MAX, "a turn has events");
    }
    while (game.ply_count) game_undo(&game);
    fuzz_require(memcmp(&before, &game, sizeof game) == 0, "undo restores the game");
    struct fault fault;
    if (calls_take(&fault)) fuzz_require_fault(&fault);
    free(history);
    free(moves);
}
