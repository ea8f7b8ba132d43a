/* channel_files.c - both ends of a question for a file. */
#include "channel_files.h"

#include "base/clock.h"
#include "base/descriptors.h"
#include "base/fault.h"
#include "lua/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Gets a file from the host, unless it is the last one received. */
static void channel_files_fetch(struct channel_files *files, const char *path) {
    if (!strcmp(files->path, path)) return;
    if (strlen(path) >= sizeof files->path) {
        files->path[0] = 0;
        files->size = CHANNEL_NO_FILE;
        return;
    }
    frame_clear(&files->question);
    frame_put_number(&files->question, files->ask);
    frame_put_text(&files->question, path);
    if (channel_send(files->out, &files->question, *files->sequence, CHANNEL_FOREVER) !=
            CHANNEL_OK ||
        channel_receive(files->in, &files->file, files->sequence, CHANNEL_FOREVER) != CHANNEL_OK ||
        frame_take_number(&files->file) != files->reply)
        _exit(CHANNEL_EXIT_LOST);
    files->size = frame_take_number(&files->file);
    strcpy(files->path, path);
}

static long channel_files_size(void *context, const char *path) {
    struct channel_files *files = context;
    channel_files_fetch(files, path);
    return files->size == CHANNEL_NO_FILE ? -1 : (long)files->size;
}

static long channel_files_read(void *context, const char *path, char *out, size_t size) {
    struct channel_files *files = context;
    channel_files_fetch(files, path);
    if (files->size == CHANNEL_NO_FILE || size > files->file.length - files->file.at) return -1;
    memcpy(out, files->file.bytes + CHANNEL_HEADER + files->file.at, size);
    return (long)size;
}

bool channel_files_open(struct channel_files *files, int in, int out, uint32_t ask, uint32_t reply,
                        uint32_t *sequence) {
    *files = (struct channel_files){.reader = {channel_files_size, channel_files_read, files},
                                    .in = in,
                                    .out = out,
                                    .ask = ask,
                                    .reply = reply,
                                    .sequence = sequence};
    return frame_open(&files->question, FOLDER_PATH_MAX + 2 * sizeof(uint32_t)) &&
           frame_open(&files->file, READER_FILE_MAX + 2 * sizeof(uint32_t));
}

/* What a reader's answer means for the host itself: an errno of a shortage, or 0. */
static int shortage(long answer) {
    return answer < 0 && descriptors_are_short(errno) ? errno : 0;
}

enum channel_result channel_files_send(int to, const struct reader *reader, const char *path,
                                       uint32_t reply, uint32_t sequence, int64_t deadline,
                                       struct channel_watch *watch) {
    const int64_t began = clock_ms();
    errno = 0; /* a reader that keeps files opens them when it is asked for their size */
    long size = path ? reader->size(reader->context, path) : -1;
    int error = shortage(size);
    bool whole = size >= 0 && size <= READER_FILE_MAX;
    struct frame file;
    char *bytes = malloc(whole ? (size_t)size + 1 : 1);
    if (!frame_open(&file, 2 * sizeof(uint32_t) + (whole ? (size_t)size : 0)) || !bytes) {
        frame_close(&file);
        free(bytes);
        return CHANNEL_FAILED;
    }
    file.watch = watch;
    errno = 0;
    if (whole) size = reader->read(reader->context, path, bytes, (size_t)size);
    if (!error) error = shortage(size);
    if (watch) watch->held_up += clock_ms() - began;
    frame_put_number(&file, reply);
    frame_put_number(&file, size < 0                ? CHANNEL_NO_FILE
                            : size > UINT32_MAX - 1 ? UINT32_MAX - 1
                                                    : (uint32_t)size);
    if (whole && size > 0) frame_put(&file, bytes, (size_t)size);
    enum channel_result result =
        error ? CHANNEL_FAILED : channel_send(to, &file, sequence, deadline);
    if (!error) error = errno;
    frame_close(&file);
    free(bytes);
    errno = error;
    return result;
}

/* The rest of `path` below the folder of `length` bytes, from its '/'; NULL if outside it. */
static const char *below(const char *path, const char *folder, size_t length) {
    return !strncmp(path, folder, length) && path[length] == '/' ? path + length : NULL;
}

bool channel_files_may_read(const char *path, const char *scripts, const char *file) {
    if (!strcmp(path, file)) return true;
    const char *slash = strrchr(file, '/');
    const char *rest = below(path, scripts, strlen(scripts));
    if (!rest) rest = slash ? below(path, file, (size_t)(slash - file)) : below(path, ".", 1);
    /* One spelling a file: under several names the host would keep it several times. */
    if (!rest || strstr(rest, "//") || strstr(rest, "/.")) return false;
    size_t word = strspn(rest, "abcdefghijklmnopqrstuvwxyz0123456789_/");
    return !strcmp(rest + word, ".lua");
}

bool channel_files_may_show(const char *shown, const char *scripts, const char *file) {
    struct fault own = {0}, shared = {0};
    fault_place(&own, file, 0, 0);
    fault_place(&shared, scripts, 0, 0);
    return channel_files_may_read(shown, shared.file, own.file);
}
