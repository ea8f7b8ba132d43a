/* screen_memory.c - a screen in memory, driven by a script.
 *
 * Events come only from the script, so that a test is the same on every machine: while a step
 * waits for its words nothing is typed, however long a bot may think. */
#include "screen_memory.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 30000 };

static struct memory *memory_of(const struct screen *screen) {
    return screen->self;
}

static void write_glyphs(FILE *out, const wchar_t *glyph) {
    for (int i = 0; i < SCREEN_GLYPH_MAX && glyph[i]; i++) {
        char bytes[8];
        uint32_t code = (uint32_t)glyph[i];
        int length = 0;
        if (code < 0x80) {
            bytes[length++] = (char)code;
        } else if (code < 0x800) {
            bytes[length++] = (char)(0xC0 | code >> 6);
            bytes[length++] = (char)(0x80 | (code & 0x3F));
        } else {
            bytes[length++] = (char)(0xE0 | code >> 12);
            bytes[length++] = (char)(0x80 | (code >> 6 & 0x3F));
            bytes[length++] = (char)(0x80 | (code & 0x3F));
        }
        fwrite(bytes, 1, (size_t)length, out);
    }
}

static void memory_show(struct screen *screen) {
    struct memory *memory = memory_of(screen);
    size_t length;
    free(memory->picture);
    FILE *out = open_memstream(&memory->picture, &length);
    for (int row = 0; row < screen->rows; row++) {
        int last = screen->columns - 1;
        while (last >= 0 && screen_cell(screen, row, last)->glyph[0] == L' ') last--;
        for (int column = 0; column <= last; column++)
            write_glyphs(out, screen_cell(screen, row, column)->glyph);
        fputc('\n', out);
    }
    fclose(out);
}

const char *screen_memory_text(const struct screen *screen) {
    const char *picture = memory_of(screen)->picture;
    return picture ? picture : "";
}

const char *screen_memory_part(const struct screen *screen, int row, int column, int columns) {
    static char text[4096];
    FILE *out = fmemopen(text, sizeof text, "w");
    for (int x = column; x < column + columns; x++) {
        const struct screen_cell *cell = screen_cell(screen, row, x);
        if (cell) write_glyphs(out, cell->glyph);
    }
    fputc(0, out);
    fclose(out);
    return text;
}

bool screen_memory_find(const struct screen *screen, const char *text, int *row, int *column) {
    for (*row = 0; *row < screen->rows; ++*row) {
        for (*column = 0; *column < screen->columns; ++*column) {
            const char *rest = screen_memory_part(screen, *row, *column, screen->columns - *column);
            if (!strncmp(rest, text, strlen(text))) return true;
        }
    }
    return false;
}

static _Noreturn void give_up(const struct screen *screen, const char *words) {
    fprintf(stderr, "\"%s\" was not shown:\n%s", words, screen_memory_text(screen));
    _exit(1);
}

static struct screen_event named_event(struct screen *screen, const char *name) {
    static const struct {
        const char *name;
        int key;
    } names[] = {
        {"Enter>", SCREEN_ENTER},        {"Esc>", SCREEN_ESCAPE}, {"Up>", SCREEN_UP},
        {"Down>", SCREEN_DOWN},          {"Left>", SCREEN_LEFT},  {"Right>", SCREEN_RIGHT},
        {"Home>", SCREEN_HOME},          {"End>", SCREEN_END},    {"PageUp>", SCREEN_PAGE_UP},
        {"PageDown>", SCREEN_PAGE_DOWN}, {"Tab>", SCREEN_TAB},    {"Back>", SCREEN_BACKSPACE},
        {"Delete>", SCREEN_DELETE},      {"F2>", SCREEN_F2},
    };
    struct screen_event event = {.type = SCREEN_KEY};
    if (sscanf(name, "@%d,%d>", &event.row, &event.column) == 2) {
        event.type = SCREEN_MOUSE;
        return event;
    }
    if (sscanf(name, "=%d,%d>", &event.row, &event.column) == 2) {
        screen_resize(screen, event.row, event.column);
        event.type = SCREEN_RESIZE;
        return event;
    }
    if (!strncmp(name, "Hangup>", 7)) return (struct screen_event){.type = SCREEN_CLOSED};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        event.key = names[i].key;
        if (!strncmp(name, names[i].name, strlen(names[i].name))) return event;
    }
    fprintf(stderr, "no key <%s\n", name);
    _exit(1);
}

static struct screen_event next_event(struct screen *screen, struct memory *memory) {
    const char *key = memory->keys++;
    if (*key != '<') {
        uint32_t glyph;
        memory->keys = key + utf8_read(key, &glyph);
        return (struct screen_event){.type = SCREEN_KEY, .key = (int)glyph};
    }
    memory->keys = strchr(key, '>') + 1;
    return named_event(screen, key + 1);
}

static struct screen_event memory_wait(struct screen *screen, int timeout_ms) {
    static int64_t waiting_since;
    struct memory *memory = memory_of(screen);
    for (;;) {
        const struct memory_step *step = memory->step;
        if (!step->shown && !step->keys && !step->look)
            return (struct screen_event){.type = SCREEN_CLOSED};
        if (!memory->keys && (!step->shown || strstr(screen_memory_text(screen), step->shown))) {
            memory->keys = step->keys ? step->keys : "";
            waiting_since = 0;
            if (step->look) step->look(screen);
        }
        if (!memory->keys) break;
        if (*memory->keys) return next_event(screen, memory);
        memory->keys = NULL;
        memory->step++;
    }
    if (!waiting_since) waiting_since = clock_ms();
    if (clock_ms() - waiting_since > PATIENCE_MS) give_up(screen, memory->step->shown);
    struct pollfd ready = {.fd = screen->wake[0], .events = POLLIN};
    int patience = timeout_ms < 0 || timeout_ms > PATIENCE_MS ? PATIENCE_MS : timeout_ms;
    if (poll(&ready, 1, patience) <= 0) {
        if (timeout_ms < 0) give_up(screen, memory->step->shown);
        return (struct screen_event){.type = SCREEN_TIMEOUT};
    }
    char bytes[64];
    while (read(screen->wake[0], bytes, sizeof bytes) > 0) continue;
    return (struct screen_event){.type = SCREEN_WOKEN};
}

static void memory_close(struct screen *screen) {
    free(memory_of(screen)->picture);
    memory_of(screen)->picture = NULL;
}

void screen_memory_open(struct screen *screen, struct memory *memory, int rows, int columns,
                        const struct memory_step *steps) {
    static const struct screen_device device = {memory_show, memory_wait, memory_close};
    *memory = (struct memory){.step = steps};
    if (!screen_start(screen, &device, memory, rows, columns)) _exit(1);
}
