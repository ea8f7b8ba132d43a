/* wire_files.h - files for a locked process, which asks the host for them through its pipe.
 *
 * The process reads through wire_files.reader. Each file is one question (a frame of `ask` and the
 * path) and one answer (a frame of `reply`, the size and the bytes). The host decides what may be
 * read. */
#ifndef ENSIGN_HOST_WALL_WIRE_FILES_H
#define ENSIGN_HOST_WALL_WIRE_FILES_H

#include "lua/folders.h"
#include "wire.h"

/* The locked end. */
struct wire_files {
    struct reader reader; /* its context is this struct, which must not be moved */
    int in, out;
    uint32_t ask, reply;        /* first number of a question and of its answer */
    uint32_t *sequence;         /* of the frame that is being answered */
    struct frame question;      /* cleared and used for each question */
    struct frame file;          /* the file asked for last */
    char path[FOLDER_PATH_MAX]; /* its path; empty before the first */
    uint32_t size;              /* or WIRE_NO_FILE */
};

static const uint32_t WIRE_NO_FILE = UINT32_MAX;

/* Makes room for files of READER_FILE_MAX bytes. A pipe that breaks ends the process with
 * `lost`. False without memory. */
bool wire_files_open(struct wire_files *files, int in, int out, uint32_t ask, uint32_t reply,
                     uint32_t *sequence);

/* The host's end: sends the file at `path` as `reader` has it, or that there is none (also for
 * `path` NULL). Of a file larger than READER_FILE_MAX only the size is sent. */
enum wire_result wire_files_send(int to, const struct reader *reader, const char *path,
                                 uint32_t reply, uint32_t sequence, int64_t deadline);

/* May `require` in the file at `file` read `path`? It may if `path` lies under the shared scripts
 * or the file's own folder, with small letters, digits, '_' and '/' only, and ends in ".lua". */
bool wire_files_is_module(const char *path, const char *scripts, const char *file);

#endif
