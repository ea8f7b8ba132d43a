/* channel_files.h - files for a locked process, which asks the host for them through its pipe.
 *
 * The process reads through channel_files.reader. Each file takes one question (`ask`, path) and
 * one answer (`reply`, size, bytes). The host decides which files may be read. */
#ifndef ENSIGN_JAIL_CHANNEL_FILES_H
#define ENSIGN_JAIL_CHANNEL_FILES_H

#include "channel.h"
#include "lua/folders.h"

/* The locked end. */
struct channel_files {
    struct reader reader; /* its context is this struct, which must not be moved */
    int in, out;
    uint32_t ask, reply;        /* first number of a question and of its answer */
    uint32_t *sequence;         /* of the frame being answered */
    struct frame question;      /* cleared and used for each question */
    struct frame file;          /* the last one received */
    char path[FOLDER_PATH_MAX]; /* its path; empty before the first */
    uint32_t size;              /* or CHANNEL_NO_FILE */
};

static const uint32_t CHANNEL_NO_FILE = UINT32_MAX;

enum { CHANNEL_EXIT_LOST = 2 }; /* exit code of a locked process whose pipe broke */

/* Makes room for files of READER_FILE_MAX bytes. If the pipe breaks during a read, the process
 * exits with CHANNEL_EXIT_LOST. False without memory. */
bool channel_files_open(struct channel_files *files, int in, int out, uint32_t ask, uint32_t reply,
                        uint32_t *sequence);

/* The host's end: sends the file at `path` from `reader`, or CHANNEL_NO_FILE if there is none or
 * `path` is NULL. Of a file larger than READER_FILE_MAX only the size is sent. CHANNEL_FAILED with
 * errno if the host is short of descriptors: the file is not missing. `watch` is the frame's. */
enum channel_result channel_files_send(int to, const struct reader *reader, const char *path,
                                       uint32_t reply, uint32_t sequence, int64_t deadline,
                                       struct channel_watch *watch);

/* May the script at `file` read `path`? It may read itself and its modules: paths below the folder
 * `scripts` or its own, of small letters, digits, '_' and '/', that end in ".lua". */
bool channel_files_may_read(const char *path, const char *scripts, const char *file);

/* The same of a path as faults show it: safe UTF-8. */
bool channel_files_may_show(const char *shown, const char *scripts, const char *file);

#endif
