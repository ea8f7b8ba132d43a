/* Files that claim to be the games of a server. One that is opened finds its games with sound
 * texts, and takes further ones. The folder is a temporary one. */
#include "fuzz.h"
#include "serve/archive.h"

#include <stdio.h>
#include <string.h>

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
    char path[128];
    snprintf(path, sizeof path, "%s/games.sqlite", fuzz_folder());
    fuzz_write(path, data, size);
    struct archive *archive = archive_open(fuzz_folder(), &fault);
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
