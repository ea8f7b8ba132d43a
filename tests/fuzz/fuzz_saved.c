/* Planted files of running games. One that can be taken over is kept and played on; the file is
 * then read again, in full and as a summary, with every tag and move. The folder is a temporary
 * one. */
#include "base/utf8.h"
#include "fuzz.h"
#include "host/table/saved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[SAVED_PATH_MAX];

static void open_state(void) {
    /* In memory, since every game is written through. */
    fuzz_require(!setenv("XDG_STATE_HOME", fuzz_folder(), 1), "a state folder");
    fuzz_require(saved_folder("saved", folder, NULL), "a folder for games");
}

/* Takes the game over; false if it cannot be. */
static bool take(struct saved *saved, const char *path, struct record **record,
                 struct fault *damage) {
    struct fault fault = {0};
    *damage = (struct fault){0};
    fuzz_require(saved_start(saved, SAVED_GAMES, &fault), "a game can begin");
    if (saved_take(saved, path, record, damage, &fault)) return true;
    fuzz_require_fault(&fault);
    saved_end(saved, false);
    return false;
}

static bool has_tag(const struct record *record, const char *name) {
    return record_tag(record, name) != NULL;
}

/* The game as the referee writes it: without the program's own tags. */
static struct record *played_on(const struct record *found) {
    struct record *record = record_new();
    fuzz_require(record != NULL, "memory");
    for (size_t i = 0; i < found->tag_count; i++) {
        const struct record_tag *tag = &found->tags[i];
        if (!strcmp(tag->name, "RedPlayer") || !strcmp(tag->name, "BluePlayer") ||
            !strcmp(tag->name, "VariantPath") || has_tag(record, tag->name))
            continue;
        fuzz_require(record_set_tag(record, tag->name, tag->value), "a tag is copied");
    }
    for (size_t i = 0; i < found->move_count; i++)
        fuzz_require(record_add_move(record, found->moves[i].text), "a move is copied");
    return record;
}

static void require_as_kept(const struct record *kept, const struct record *read) {
    fuzz_require(kept->move_count == read->move_count, "as many moves are read again");
    for (size_t i = 0; i < kept->move_count; i++)
        fuzz_require(!strcmp(kept->moves[i].text, read->moves[i].text), "a move keeps its text");
    for (size_t i = 0; i < kept->tag_count; i++) {
        const struct record_tag *tag = &kept->tags[i];
        fuzz_require(has_tag(read, tag->name), "a tag is read again");
        fuzz_require(!strcmp(record_tag(read, tag->name), record_tag(kept, tag->name)),
                     "a tag keeps its value");
    }
}

static void require_summary(const char *path, const struct record *record) {
    struct saved_summary summary;
    struct fault fault = {0};
    static unsigned looks; /* each is a process */
    if (looks++ % 64) return;
    if (!saved_look(path, &summary, &fault)) {
        fuzz_require_fault(&fault);
        return;
    }
    fuzz_require(summary.plies == record->move_count, "a summary counts the moves");
    fuzz_require(memchr(summary.variant, 0, SAVED_NAME_MAX) && memchr(summary.player[RED], 0, 256),
                 "names end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[SAVED_PATH_MAX + 16];
    struct saved saved, again;
    struct record *found, *record, *read;
    struct fault damage, second;
    if (!folder[0]) open_state();
    snprintf(path, sizeof path, "%s/fuzz.rec", folder);
    fuzz_write(path, data, size);
    if (!take(&saved, path, &found, &damage)) {
        unlink(path);
        return 0;
    }
    bool damaged = found->damaged;
    if (damaged) fuzz_require_fault(&damage);
    record = played_on(found);
    fuzz_require(record_set_tag(saved.tags, "RedPlayer", "human"), "a tag is added");
    saved_keep(&saved, record);
    fuzz_require(saved.fault.status == STATUS_OK, "the game is kept");
    for (int i = 0; i < 3; i++) {
        fuzz_require(record_add_move(record, "a4-a5"), "a move is added");
        saved_keep(&saved, record);
        fuzz_require(saved.fault.status == STATUS_OK && saved.moves == record->move_count,
                     "a turn is kept");
    }
    saved_end(&saved, false);
    fuzz_require(take(&again, path, &read, &second), "what was kept is read again");
    fuzz_require(damaged || !read->damaged, "what was kept is not damaged");
    if (!damaged) require_as_kept(record, read);
    require_summary(path, read);
    saved_end(&again, true);
    fuzz_require(access(path, F_OK) != 0, "a game that is over leaves no file");
    record_free(read);
    record_free(record);
    record_free(found);
    char aside[sizeof path + 24];
    snprintf(aside, sizeof aside, "%s.damaged", path);
    unlink(aside);
    for (int i = 2; i < 4; i++) {
        snprintf(aside, sizeof aside, "%s.damaged-%d", path, i);
        unlink(aside);
    }
    return 0;
}
