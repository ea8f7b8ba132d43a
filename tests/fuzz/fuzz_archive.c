/* Files that claim to be the games of a server. One that is opened finds its games with sound
 * texts, and takes further ones. The folder is a temporary one. */
#include "fuzz.h"
#include "serve/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/dev/shm/ensign-fuzz-XXXXXX", path[128];

static void remove_folder(void) {
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) fprintf(stderr, "%s is left\n", folder);
}

static void open_folder(void) {
    if (access("/dev/shm", W_OK)) strcpy(folder, "/tmp/ensign-fuzz-XXXXXX");
    fuzz_require(mkdtemp(folder) != NULL, "a temporary folder");
    snprintf(path, sizeof path, "%s/games.sqlite", folder);
    atexit(remove_folder);
}

static void write_input(const uint8_t *data, size_t size) {
    static const char *const ENDINGS[] = {"-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
        char other[sizeof path + 16];
        snprintf(other, sizeof other, "%s%s", path, ENDINGS[i]);
        unlink(other);
    }
    FILE *file = fopen(path, "wb");
    fuzz_require(file && fwrite(data, 1, size, file) == size && !fclose(file),
                 "the input lies there");
}

static void find(struct archive *archive, const char *id, bool by_secret) {
    struct archived game;
    struct fault fault = {0};
    if (!(by_secret ? archive_find_seat : archive_find)(archive, id, &game, &fault)) {
        fuzz_require_fault(&fault);
        return;
    }
    fuzz_require(game.request != NULL, "a game has a request");
    fuzz_require(memchr(game.id, 0, sizeof game.id) && memchr(game.secret[RED], 0, SECRET_MAX),
                 "short texts end");
    for (size_t i = 0; i < game.move_count; i++)
        fuzz_require(memchr(game.moves[i].text, 0, MOVE_TEXT_MAX) != NULL, "moves end");
    archived_clear(&game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const IDS[] = {"one", "two", "three"};
    const int64_t left[2] = {1, 2};
    struct fault fault = {0};
    if (!path[0]) open_folder();
    write_input(data, size);
    struct archive *archive = archive_open(folder, &fault);
    if (!archive) {
        fuzz_require_fault(&fault);
        return 0;
    }
    for (size_t i = 0; i < sizeof IDS / sizeof *IDS; i++) find(archive, IDS[i], false);
    find(archive, "red of one", true);
    struct archived game = {.id = "new", .secret = {"new red", "new blue"}, .request = "{}"};
    bool kept = archive_add(archive, &game) && archive_turn(archive, "new", 1, "a1-a2", left) &&
                archive_take_back(archive, "one", 1, "2 to 1", left) &&
                archive_end(archive, "one", "red", "flag", NULL);
    if (kept) find(archive, "new", false); /* where the damage is elsewhere */
    archive_close(archive);
    return 0;
}
