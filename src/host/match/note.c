/* note.c - texts behind one another, in one allocation. */
#define _GNU_SOURCE
#include "note.h"

#include <stdlib.h>
#include <string.h>

enum { RED_SETUP, BLUE_SETUP, FAULT_FILE, FAULT_TEXT, TEXTS };

struct note *note_new(const struct usage usage[2], const char *const setups[2],
                      const struct fault *fault, enum side late_side) {
    const char *const texts[TEXTS] = {setups[RED] ? setups[RED] : "",
                                      setups[BLUE] ? setups[BLUE] : "", fault->file, fault->text};
    size_t length = 0;
    for (int i = 0; i < TEXTS; i++) length += strlen(texts[i]) + 1;
    struct note *note = malloc(sizeof *note + length);
    if (!note) return NULL;
    *note = (struct note){.usage = {usage[RED], usage[BLUE]},
                          .status = fault->status,
                          .late_side = late_side,
                          .line = fault->line,
                          .column = fault->column};
    char *at = note->texts;
    for (int i = 0; i < TEXTS; i++) at = stpcpy(at, texts[i]) + 1;
    return note;
}

static const char *note_text(const struct note *note, int which) {
    const char *text = note->texts;
    for (int i = 0; i < which; i++) text += strlen(text) + 1;
    return text;
}

const char *note_setup(const struct note *note, enum side side) {
    const char *setup = note_text(note, side == RED ? RED_SETUP : BLUE_SETUP);
    return *setup ? setup : NULL;
}

void note_fault(const struct note *note, struct fault *fault) {
    *fault = (struct fault){0};
    if (note->status == STATUS_OK) return;
    fault_set(fault, note->status, "%s", note_text(note, FAULT_TEXT));
    fault_place(fault, note_text(note, FAULT_FILE), note->line, note->column);
}
