/* printed.c - what bots and a variant's calls print in a game, by ply. */
#define _GNU_SOURCE /* memfd_create */
#include "printed.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINES_MAX = 1 << 16, TEXT_MAX = 1 << 14 };

/* In the file, before the text. */
struct printed_head {
    uint32_t ply, length;
    int side;
};

void printed_open(struct printed *printed) {
    *printed = (struct printed){.file = memfd_create("printed", MFD_CLOEXEC)};
    pthread_mutex_init(&printed->mutex, NULL);
}

static void clear_lines(struct printed *printed, size_t kept) {
    while (printed->count > kept) free(printed->line[--printed->count].text);
    if (printed->count) return;
    free(printed->line);
    printed->line = NULL;
}

void printed_close(struct printed *printed) {
    clear_lines(printed, 0);
    if (printed->file >= 0) close(printed->file);
    pthread_mutex_destroy(&printed->mutex);
}

/* Mutex held. Takes the text. */
static bool add_line(struct printed *printed, struct printed_line line) {
    struct printed_line *grown =
        line.text ? array_grown(printed->line, printed->count, sizeof *grown, LINES_MAX) : NULL;
    if (!grown) {
        free(line.text);
        return false;
    }
    printed->line = grown;
    grown[printed->count++] = line;
    return true;
}

/* Mutex held. */
static void note_line(const struct printed *printed, const struct printed_line *line) {
    const struct printed_head head = {line->ply, (uint32_t)strlen(line->text), line->side};
    off_t end = lseek(printed->file, 0, SEEK_END);
    if (end < 0) return;
    if (write(printed->file, &head, sizeof head) == (ssize_t)sizeof head &&
        write(printed->file, line->text, head.length) == (ssize_t)head.length)
        return;
    if (ftruncate(printed->file, end)) return;
}

/* Reads what an earlier process added to the file. Mutex held. */
static void recall(struct printed *printed) {
    struct printed_head head;
    off_t at = 0;
    if (printed->recalled) return;
    printed->recalled = true;
    while (pread(printed->file, &head, sizeof head, at) == (ssize_t)sizeof head &&
           head.length < TEXT_MAX) {
        struct printed_line line = {head.ply, head.side, calloc(1, head.length + 1)};
        at += (off_t)sizeof head;
        if (line.text && pread(printed->file, line.text, head.length, at) < (ssize_t)head.length)
            line.text[0] = 0;
        at += (off_t)head.length;
        if (!add_line(printed, line)) return;
    }
}

/* Writes the file anew. Mutex held. */
static void note_all(const struct printed *printed) {
    if (ftruncate(printed->file, 0)) return;
    for (size_t i = 0; i < printed->count; i++) note_line(printed, &printed->line[i]);
}

void printed_add(struct printed *printed, int side, const struct log_line *line) {
    pthread_mutex_lock(&printed->mutex);
    recall(printed);
    if (!line->ply && printed->count && printed->line[printed->count - 1].ply) {
        clear_lines(printed, 0);
        note_all(printed);
    }
    struct printed_line added = {line->ply, side, strndup(line->text, TEXT_MAX - 1)};
    if (add_line(printed, added)) note_line(printed, &printed->line[printed->count - 1]);
    pthread_mutex_unlock(&printed->mutex);
}

void printed_cut(struct printed *printed, uint32_t ply) {
    size_t kept = 0;
    pthread_mutex_lock(&printed->mutex);
    recall(printed);
    for (size_t i = 0; i < printed->count; i++)
        if (printed->line[i].ply > ply)
            free(printed->line[i].text);
        else
            printed->line[kept++] = printed->line[i];
    printed->count = kept;
    note_all(printed);
    pthread_mutex_unlock(&printed->mutex);
}

size_t printed_find(struct printed *printed, int side, uint32_t ply, const char **texts,
                    size_t most) {
    size_t found = 0;
    pthread_mutex_lock(&printed->mutex);
    recall(printed);
    for (size_t i = 0; i < printed->count && found < most; i++)
        if (printed->line[i].ply == ply && printed->line[i].side == side)
            texts[found++] = printed->line[i].text;
    pthread_mutex_unlock(&printed->mutex);
    return found;
}
