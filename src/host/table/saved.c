/* saved.c - running games as files.
 *
 * A file is drafted and takes its place when it is complete (files.h); from then on it is only
 * appended to, a line a turn. A crash of the process loses nothing; a power failure may lose the
 * latest turns or tear the last line, which the reader of records survives. The lock is flock()'s,
 * which belongs to the open file: another process that opens and closes the file does not drop it.
 */
#include "saved.h"

#include "base/files.h"
#include "base/paths.h"
#include "base/reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    ENTRIES_MAX = 4096,
    CLOCK_BYTES_MAX = 64,
    LINE_MAX_BYTES = MOVE_TEXT_MAX + CLOCK_BYTES_MAX + 32
};

static const char SUFFIX[] = ".rec", DOUBTED[] = ".damaged";

bool saved_folder(const char *name, char path[SAVED_PATH_MAX], struct fault *fault) {
    char base[SAVED_PATH_MAX / 2];
    const size_t needed = path_of_user("XDG_STATE_HOME", "/.local/state", base, sizeof base);
    if (!needed)
        return fault_set(fault, STATUS_SYSTEM,
                         "neither XDG_STATE_HOME nor HOME is an absolute path: games have no "
                         "folder");
    if (needed >= sizeof base)
        return fault_set(fault, STATUS_SYSTEM, "the path of the state folder is too long");
    const int length = snprintf(path, SAVED_PATH_MAX, "%s/ensign/%s/", base, name);
    if (!files_folders(path, strlen(base), fault)) return false;
    path[length - 1] = 0;
    return true;
}

/* Is the file in this folder of running games, where only the user can write? */
static bool is_ours(const char *path, const char *name) {
    char folder[SAVED_PATH_MAX], ours[PATH_MAX], parent[SAVED_PATH_MAX], theirs[PATH_MAX];
    return path_folder(path, parent, sizeof parent) && saved_folder(name, folder, NULL) &&
           realpath(folder, ours) && realpath(parent, theirs) && !strcmp(ours, theirs);
}

static bool is_locked(const char *path) {
    int file = reader_open(path);
    if (file < 0) return false;
    bool locked = flock(file, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
    close(file);
    return locked;
}

/* The value of the first tag, or else of the second. */
static void copy_tag(const struct record *record, const char *first, const char *second,
                     char out[SAVED_NAME_MAX]) {
    const char *value = first ? record_tag(record, first) : NULL;
    if (!value) value = record_tag(record, second);
    snprintf(out, SAVED_NAME_MAX, "%s", value ? value : "");
}

static struct record *read_game(const char *path, struct fault *damage, struct fault *fault) {
    size_t length;
    char *text = files_read_text(path, RECORD_BYTES_MAX, &length, fault);
    if (!text) return NULL;
    struct record *record = record_read(text, length, damage);
    free(text);
    if (!record) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    if (damage->status != STATUS_OK) fault_place(damage, path, 0, 0);
    const char *result = record_tag(record, "Result");
    if (!result || !strcmp(result, result_name(RESULT_NONE))) return record;
    record_free(record);
    fault_set(fault, STATUS_USAGE, "this game is over; one whose result is \"*\" is expected");
    fault_place(fault, path, 0, 0);
    return NULL;
}

bool saved_look(const char *path, struct saved_summary *summary, struct fault *fault) {
    struct fault damage = {0};
    struct stat about;
    memset(summary, 0, sizeof *summary);
    struct record *record = read_game(path, &damage, fault);
    if (!record) return false;
    bool ours = is_ours(path, SAVED_GAMES);
    snprintf(summary->path, sizeof summary->path, "%s", path);
    copy_tag(record, ours ? "VariantPath" : NULL, "Variant", summary->variant);
    copy_tag(record, ours ? "RedPlayer" : NULL, "Red", summary->player[RED]);
    copy_tag(record, ours ? "BluePlayer" : NULL, "Blue", summary->player[BLUE]);
    summary->plies = (uint32_t)record->move_count;
    if (!stat(path, &about)) summary->when = about.st_mtim.tv_sec;
    record_free(record);
    if (!ours && path_is_meant(summary->variant, ".lua")) summary->variant[0] = 0;
    for (int side = RED; side <= BLUE && !ours; side++) {
        char *player = summary->player[side];
        if (path_is_meant(player, ".lua") || strchr(player, ':')) *player = 0;
    }
    return true;
}

static bool write_all(int file, const void *bytes, size_t length) {
    const char *text = bytes;
    while (length) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

struct saved_entry {
    struct timespec when;
    char name[NAME_MAX + 1];
};

static int compare_entries(const void *left, const void *right) {
    const struct saved_entry *a = left, *b = right;
    if (a->when.tv_sec != b->when.tv_sec) return a->when.tv_sec < b->when.tv_sec ? 1 : -1;
    if (a->when.tv_nsec != b->when.tv_nsec) return a->when.tv_nsec < b->when.tv_nsec ? 1 : -1;
    return strcmp(a->name, b->name);
}

/* Files of games that were left, latest first. Unfinished drafts are deleted. */
static size_t list_files(const char *folder, struct saved_entry *entries) {
    atomic_file_sweep(folder);
    DIR *stream = opendir(folder);
    size_t count = 0;
    if (!stream) return 0;
    for (struct dirent *found; count < ENTRIES_MAX && (found = readdir(stream));) {
        struct stat about;
        char path[SAVED_PATH_MAX + NAME_MAX + 2];
        if (!path_ends(found->d_name, SUFFIX)) continue;
        snprintf(path, sizeof path, "%s/%s", folder, found->d_name);
        if (stat(path, &about) || !S_ISREG(about.st_mode) || is_locked(path)) continue;
        entries[count].when = about.st_mtim;
        snprintf(entries[count++].name, sizeof entries->name, "%s", found->d_name);
    }
    closedir(stream);
    qsort(entries, count, sizeof *entries, compare_entries);
    return count;
}

size_t saved_list(struct saved_summary **list) {
    char folder[SAVED_PATH_MAX], path[SAVED_PATH_MAX + NAME_MAX + 2];
    struct saved_entry *entries = malloc(ENTRIES_MAX * sizeof *entries);
    size_t count = 0, listed = 0;
    *list = malloc(SAVED_LISTED_MAX * sizeof **list);
    if (entries && *list && saved_folder(SAVED_GAMES, folder, NULL))
        count = list_files(folder, entries);
    for (size_t i = 0; i < count && listed < SAVED_LISTED_MAX; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i].name);
        if (strlen(path) < SAVED_PATH_MAX && saved_look(path, &(*list)[listed], NULL)) listed++;
    }
    free(entries);
    if (listed) return listed;
    free(*list);
    *list = NULL;
    return 0;
}

void saved_sweep_watched(void) {
    enum { DAY = 24 * 60 * 60 };
    char folder[SAVED_PATH_MAX];
    DIR *stream = saved_folder(SAVED_WATCHED, folder, NULL) ? opendir(folder) : NULL;
    if (!stream) return;
    atomic_file_sweep(folder);
    for (struct dirent *found; (found = readdir(stream));) {
        struct stat about;
        char path[SAVED_PATH_MAX + NAME_MAX + 2];
        snprintf(path, sizeof path, "%s/%s", folder, found->d_name);
        if (!path_ends(found->d_name, SUFFIX) || stat(path, &about) || is_locked(path)) continue;
        if (time(NULL) - about.st_mtim.tv_sec > DAY) unlink(path);
    }
    closedir(stream);
}

bool saved_start(struct saved *saved, const char *folder, struct fault *fault) {
    *saved = (struct saved){.folder = folder, .file = -1, .tags = record_new()};
    return saved->tags || fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

bool saved_take(struct saved *saved, const char *path, struct record **record, struct fault *damage,
                struct fault *fault) {
    int file = -1;
    if (is_ours(path, saved->folder)) {
        file = reader_open(path);
        if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
            close(file);
            fault_set(fault, STATUS_USAGE, "another program is playing this game");
            fault_place(fault, path, 0, 0);
            return false;
        }
    }
    *record = read_game(path, damage, fault);
    if (!*record) {
        if (file >= 0) close(file);
        return false;
    }
    if (file < 0) return true;
    saved->file = file;
    snprintf(saved->path, sizeof saved->path, "%s", path);
    if ((*record)->damaged) saved_distrust(saved);
    return true;
}

void saved_distrust(struct saved *saved) {
    char aside[SAVED_PATH_MAX + 32];
    if (!saved->path[0]) return;
    snprintf(aside, sizeof aside, "%s%s", saved->path, DOUBTED);
    for (int i = 2; !access(aside, F_OK) && i < 1000; i++)
        snprintf(aside, sizeof aside, "%s%s-%d", saved->path, DOUBTED, i);
    /* A second name: the file itself stays until the game goes on. */
    if (link(saved->path, aside))
        fault_set(&saved->fault, STATUS_SYSTEM, "cannot be saved as %s: %s", aside,
                  strerror(errno));
}

static bool saved_complain(struct saved *saved, const char *why) {
    fault_set(&saved->fault, STATUS_SYSTEM, "%s", why);
    fault_within(&saved->fault, "the game cannot be saved");
    fault_place(&saved->fault, saved->path, 0, 0);
    return false;
}

/* "duel-20260314-201500-4711.rec", with the process id. */
static bool choose_path(struct saved *saved, const char *variant) {
    char folder[SAVED_PATH_MAX], stamp[32] = "";
    time_t now = time(NULL);
    struct tm day;
    if (!saved_folder(saved->folder, folder, &saved->fault)) return false;
    if (localtime_r(&now, &day)) strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &day);
    for (int i = 0; i < 100; i++) {
        int length = snprintf(saved->path, sizeof saved->path, "%s/%s-%s-%ld%s%.0d%s", folder,
                              variant, stamp, (long)getpid(), i ? "-" : "", i, SUFFIX);
        if (length < 0 || (size_t)length >= sizeof saved->path) break;
        if (access(saved->path, F_OK)) return true;
    }
    saved->path[0] = 0;
    return fault_set(&saved->fault, STATUS_SYSTEM, "no name is free for the game in %s", folder);
}

/* " {clock 598000 600000}", nothing without a clock. */
static void write_clock(const struct saved *saved, char out[CLOCK_BYTES_MAX]) {
    *out = 0;
    if (saved->has_clock)
        snprintf(out, CLOCK_BYTES_MAX, " {clock %" PRId64 " %" PRId64 "}", saved->left[RED],
                 saved->left[BLUE]);
}

bool saved_clock(const struct record *record, int64_t left[2]) {
    return sscanf(record->comment, "clock %" SCNd64 " %" SCNd64, &left[RED], &left[BLUE]) == 2 &&
           left[RED] >= 0 && left[BLUE] >= 0;
}

/* The whole file: extra tags, then the record, then the clock. The caller frees; NULL if memory is
 * short. */
static char *game_text(const struct saved *saved, const struct record *record) {
    char *tags = record_write(saved->tags), *text = record_write(record), *both = NULL;
    char clock[CLOCK_BYTES_MAX];
    write_clock(saved, clock);
    if (tags && text) both = malloc(strlen(tags) + strlen(text) + strlen(clock) + 2);
    if (both) sprintf(both, "%s%s%s%s", tags, text, clock, *clock ? "\n" : "");
    free(tags);
    free(text);
    return both;
}

/* Writes a new file with this text, in place of an old one. */
static bool write_whole(struct saved *saved, const char *text, size_t moves) {
    struct atomic_file draft;
    struct fault why = {0};
    int file = -1;
    if (atomic_file_begin(&draft, saved->path, ATOMIC_FILE_DURABLE | ATOMIC_FILE_PRIVATE, &why)) {
        fputs(text, draft.out);
        if (atomic_file_end(&draft, &file, &why)) fcntl(file, F_SETFL, O_APPEND);
    }
    if (file >= 0) {
        if (saved->file >= 0) close(saved->file);
        saved->file = file;
        saved->length = (int64_t)strlen(text);
        saved->moves = moves;
        memcpy(saved->left_kept, saved->left, sizeof saved->left);
    } else {
        saved_complain(saved, why.text);
    }
    return file >= 0;
}

static bool write_record(struct saved *saved, const struct record *record) {
    const char *variant = record_tag(record, "Variant");
    if (!saved->path[0] && !choose_path(saved, variant ? variant : "game")) return false;
    char *text = game_text(saved, record);
    bool written = text ? write_whole(saved, text, record->move_count)
                        : saved_complain(saved, "out of memory");
    free(text);
    return written;
}

static bool append_line(struct saved *saved, const char *line, size_t length) {
    if (!write_all(saved->file, line, length)) {
        saved_complain(saved, strerror(errno));
        if (ftruncate(saved->file, (off_t)saved->length)) close(saved->file), saved->file = -1;
        return false;
    }
    saved->length += (int64_t)length;
    memcpy(saved->left_kept, saved->left, sizeof saved->left);
    return true;
}

static bool append_move(struct saved *saved, const struct record *record) {
    char line[LINE_MAX_BYTES], clock[CLOCK_BYTES_MAX];
    size_t number = saved->moves;
    write_clock(saved, clock);
    int length = snprintf(line, sizeof line, "%zu%s %s%s\n", number / 2 + 1,
                          number % 2 ? "..." : ".", record->moves[number].text, clock);
    if (!append_line(saved, line, (size_t)length)) return false;
    saved->moves++;
    return true;
}

/* A person has thought and left. */
static void append_clock(struct saved *saved) {
    char clock[CLOCK_BYTES_MAX + 1];
    write_clock(saved, clock);
    strcat(clock, "\n");
    append_line(saved, clock, strlen(clock));
}

void saved_keep(struct saved *saved, const struct record *record) {
    saved->fault = (struct fault){0};
    if (saved->moves > record->move_count) saved->length = 0; /* some were taken back */
    bool begun = saved->length > 0 && saved->file >= 0;
    if (!begun && !write_record(saved, record)) return;
    while (saved->moves < record->move_count && append_move(saved, record)) continue;
    if (saved->has_clock && memcmp(saved->left, saved->left_kept, sizeof saved->left))
        append_clock(saved);
}

void saved_renew(struct saved *saved, const struct record *record) {
    saved->fault = (struct fault){0};
    if (saved->length > 0) write_record(saved, record);
}

void saved_hold(struct saved *saved, const struct record *record) {
    char *text = game_text(saved, record);
    const char *variant = record_tag(record, "Variant");
    if (!text) {
        saved_complain(saved, "out of memory");
        return;
    }
    snprintf(saved->variant, sizeof saved->variant, "%s", variant ? variant : "game");
    free(saved->held);
    saved->held = text;
    saved->held_moves = record->move_count;
    saved->fault = (struct fault){0};
}

bool saved_release(struct saved *saved) {
    if (!saved->held) return true;
    saved->fault = (struct fault){0};
    bool written = (saved->path[0] || choose_path(saved, saved->variant)) &&
                   write_whole(saved, saved->held, saved->held_moves);
    free(saved->held);
    saved->held = NULL;
    return written;
}

void saved_end(struct saved *saved, bool over) {
    if (over && saved->path[0]) unlink(saved->path);
    if (saved->file >= 0) close(saved->file);
    record_free(saved->tags);
    free(saved->held);
    saved->held = NULL;
    saved->tags = NULL;
    saved->file = -1;
}
