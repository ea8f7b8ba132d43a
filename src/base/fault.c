/* fault.c - the table of statuses, the text of faults and the form of that text.
 *
 * Faults quote untrusted files, so a fault's text is reduced to printable UTF-8 on one line.
 *
 * The end of an argument in the text is found without knowing its type: for each conversion the
 * format is cut after it and formatted again; the resulting length is the argument's end. */
#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static const struct {
    const char *name;
    int exit_code;
} statuses[STATUS_COUNT] = {
    [STATUS_OK] = {"ok", 0},
    [STATUS_TEXT] = {"text", 1},
    [STATUS_RULES] = {"rules", 1},
    [STATUS_SETUP] = {"setup", 1},
    [STATUS_ILLEGAL_MOVE] = {"illegal-move", 1},
    [STATUS_SCRIPT] = {"script", 1},
    [STATUS_FUEL] = {"fuel", 1},
    [STATUS_TIME] = {"time", 1},
    [STATUS_MEMORY] = {"memory", 1},
    [STATUS_CRASH] = {"crash", 1},
    [STATUS_KILLED] = {"killed", 3},
    [STATUS_START] = {"start", 1},
    [STATUS_NOT_FOUND] = {"not-found", 2},
    [STATUS_USAGE] = {"usage", 2},
    [STATUS_NO_MEMORY] = {"no-memory", 3},
    [STATUS_SYSTEM] = {"system", 3},
};

const char *status_name(enum status status) {
    return statuses[status].name;
}

int status_exit_code(enum status status) {
    return statuses[status].exit_code;
}

/* A text before unsafe bytes are replaced with '?'. */
struct raw {
    char text[FAULT_TEXT_MAX];
    size_t length;
    struct fault_form form;
};

/* Bytes of the conversion at `format`, such as "%-*.2zu". */
static size_t conversion_length(const char *format) {
    return 2 + strspn(format + 1, "-+ #0123456789.*hlLqjzt");
}

/* Finds the arguments in the text made from `format`. False if there are too many. */
static bool find_arguments(struct raw *raw, const char *format, va_list args) {
    char head[FAULT_TEXT_MAX];
    size_t made = 0, count = 0;
    if (strlen(format) >= sizeof head) return false;
    for (const char *at = format; *at; made++) {
        if (*at != '%' || at[1] == '%') {
            at += *at == '%' ? 2 : 1;
            continue;
        }
        if (count == FAULT_PART_ARGUMENTS_MAX) return false;
        at += conversion_length(at);
        memcpy(head, format, (size_t)(at - format));
        head[at - format] = 0;
        va_list again;
        va_copy(again, args);
        size_t end = (size_t)vsnprintf(NULL, 0, head, again);
        va_end(again);
        raw->form.argument[count].start = (uint16_t)made;
        raw->form.argument[count++].end = (uint16_t)end;
        made = end - 1; /* the loop adds one */
    }
    raw->form.part[0].arguments = (uint16_t)count;
    return true;
}

/* Appends the bytes of `raw` from `*from` to `until`, made safe, to the fault's text. */
static void keep_safe(struct fault *fault, struct raw *raw, size_t *from, size_t until,
                      size_t *used) {
    char next = raw->text[until];
    raw->text[until] = 0;
    utf8_make_safe(raw->text + *from);
    size_t length = strlen(raw->text + *from);
    memcpy(fault->text + *used, raw->text + *from, length);
    *used += length;
    *from = until;
    raw->text[until] = next;
}

/* Builds the safe text piece by piece, since a piece may shrink and move the offsets after it. */
static void keep_form(struct fault *fault, struct raw *raw) {
    size_t from = 0, used = 0;
    fault->form = raw->form;
    for (int i = 0; i < raw->form.part[0].arguments; i++) {
        keep_safe(fault, raw, &from, raw->form.argument[i].start, &used);
        fault->form.argument[i].start = (uint16_t)used;
        keep_safe(fault, raw, &from, raw->form.argument[i].end, &used);
        fault->form.argument[i].end = (uint16_t)used;
    }
    keep_safe(fault, raw, &from, raw->length, &used);
    fault->text[used] = 0;
    if (raw->form.parts) fault->form.part[0].end = (uint16_t)used;
}

/* Cuts a text to at most `most` bytes (3 or more) between two characters and ends it with "...".
 * Returns the length. */
static size_t text_cut(char text[FAULT_TEXT_MAX], size_t most) {
    size_t end = utf8_cut(text, most - 3);
    memcpy(text + end, "...", 4);
    return end + 3;
}

bool fault_setv(struct fault *fault, enum status status, const char *format, va_list args) {
    if (!fault) return false;
    struct raw raw = {.form = {.parts = 1}};
    va_list again;
    va_copy(again, args);
    int needed = vsnprintf(raw.text, sizeof raw.text, format, again);
    va_end(again);
    raw.length = needed < 0 ? 0 : (size_t)needed;
    bool whole = raw.length < sizeof raw.text;
    if (!whole) raw.length = text_cut(raw.text, FAULT_TEXT_MAX - 1);
    for (size_t i = 0; i < raw.length; i++)
        if (!raw.text[i]) raw.text[i] = '?';
    if (!whole || (strcmp(format, "%s") != 0 && !find_arguments(&raw, format, args)))
        raw.form = (struct fault_form){.parts = 0};
    fault->status = status;
    keep_form(fault, &raw);
    return false;
}

bool fault_set(struct fault *fault, enum status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fault_setv(fault, status, format, args);
    va_end(args);
    return false;
}

static size_t arguments_of(const struct fault_form *form, int parts) {
    size_t count = 0;
    for (int i = 0; i < parts; i++) count += form->part[i].arguments;
    return count;
}

/* Appends the parts of `more`, whose text begins at `shift` and fits up to `end`. */
static void append_parts(struct fault_form *form, const struct fault_form *more, size_t shift,
                         size_t end) {
    size_t from = 0, count = arguments_of(form, form->parts);
    for (int i = 0; i < more->parts; from += more->part[i++].arguments) {
        size_t arguments = more->part[i].arguments;
        if (form->parts == FAULT_PARTS_MAX || count + arguments > FAULT_ARGUMENTS_MAX ||
            shift + more->part[i].end > end)
            return;
        int part = form->parts++;
        form->part[part].start = (uint16_t)(more->part[i].start + shift);
        form->part[part].end = (uint16_t)(more->part[i].end + shift);
        form->part[part].arguments = (uint16_t)arguments;
        for (size_t k = 0; k < arguments; k++, count++) {
            form->argument[count].start = (uint16_t)(more->argument[from + k].start + shift);
            form->argument[count].end = (uint16_t)(more->argument[from + k].end + shift);
        }
    }
}

/* Puts the texts and parts of two faults together as those of `fault`. */
static void fault_join(struct fault *fault, const struct fault *first, const char *between,
                       const struct fault *second) {
    struct fault_form form = {.parts = 0};
    char text[FAULT_TEXT_MAX];
    size_t end = FAULT_TEXT_MAX - 1, shift = strlen(first->text) + strlen(between);
    int needed = snprintf(text, sizeof text, "%s%s%s", first->text, between, second->text);
    if (needed >= (int)sizeof text) end = text_cut(text, end) - 3;
    append_parts(&form, &first->form, 0, end);
    append_parts(&form, &second->form, shift, end);
    memcpy(fault->text, text, sizeof text);
    fault->form = form;
}

bool fault_within(struct fault *fault, const char *format, ...) {
    if (!fault) return false;
    struct fault outer;
    va_list args;
    va_start(args, format);
    fault_setv(&outer, fault->status, format, args);
    va_end(args);
    fault_join(fault, &outer, ": ", fault);
    return false;
}

bool fault_addv(struct fault *fault, const char *format, va_list args) {
    if (!fault) return false;
    struct fault more;
    fault_setv(&more, fault->status, format, args);
    size_t added = strlen(more.text), most = FAULT_TEXT_MAX - 1;
    most = added + 3 < most ? most - added : 3;
    if (strlen(fault->text) > most) {
        text_cut(fault->text, most);
        fault->form.parts = 0;
    }
    fault_join(fault, fault, "", &more);
    return false;
}

bool fault_add(struct fault *fault, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fault_addv(fault, format, args);
    va_end(args);
    return false;
}

bool fault_repeat(struct fault *fault, const struct fault *other) {
    if (!fault) return false;
    fault->status = other->status;
    memcpy(fault->text, other->text, sizeof fault->text);
    fault->form = other->form;
    return false;
}

bool fault_form_is_sound(const struct fault *fault) {
    const struct fault_form *form = &fault->form;
    size_t length = strlen(fault->text), at = 0, next = 0;
    if (form->parts > FAULT_PARTS_MAX) return false;
    for (int i = 0; i < form->parts; i++) {
        size_t last = next + form->part[i].arguments, end = form->part[i].end;
        if (form->part[i].start < at || end < form->part[i].start || end > length) return false;
        if (form->part[i].arguments > FAULT_PART_ARGUMENTS_MAX || last > FAULT_ARGUMENTS_MAX)
            return false;
        for (at = form->part[i].start; next < last; at = form->argument[next++].end)
            if (form->argument[next].start < at ||
                form->argument[next].end < form->argument[next].start ||
                form->argument[next].end > end)
                return false;
        at = end;
    }
    return true;
}

static char *part_put(char *out, const char *bytes, size_t length) {
    memcpy(out, bytes, length);
    return out + length;
}

void fault_read_part(const struct fault *fault, int index, struct fault_part *part) {
    const struct fault_form *form = &fault->form;
    size_t first = arguments_of(form, index), at = form->part[index].start;
    char *pattern = part->pattern, *bytes = part->bytes;
    int count = form->part[index].arguments;
    for (int i = 0; i < count; i++) {
        size_t start = form->argument[first + (size_t)i].start;
        size_t length = form->argument[first + (size_t)i].end - start;
        pattern = part_put(pattern, fault->text + at, start - at);
        *pattern++ = '{';
        *pattern++ = (char)('1' + i);
        *pattern++ = '}';
        part->argument[i] = bytes;
        bytes = part_put(bytes, fault->text + start, length);
        *bytes++ = 0;
        at = start + length;
    }
    part->argument[count] = NULL;
    pattern = part_put(pattern, fault->text + at, form->part[index].end - at);
    *pattern = 0;
}

void fault_place(struct fault *fault, const char *file, int line, int column) {
    if (!fault) return;
    if (file) {
        const size_t length = strlen(file), most = sizeof fault->file - 1;
        const char *end = length > most ? file + length - most + 3 : file;
        while (end > file && utf8_continues(*end)) end++;
        snprintf(fault->file, sizeof fault->file, "%s%s", end > file ? "..." : "", end);
        utf8_make_safe(fault->file);
    }
    if (line) fault->line = line;
    if (column) fault->column = column;
}

size_t fault_place_write(const struct fault *fault, char *out, size_t size) {
    char place[FAULT_FILE_MAX + 32] = "";
    size_t used = 0;
    if (fault->file[0]) used += (size_t)snprintf(place, sizeof place, "%s:", fault->file);
    if (fault->line)
        used += (size_t)snprintf(place + used, sizeof place - used,
                                 fault->file[0] ? "%d:" : "line %d:", fault->line);
    if (fault->line && fault->column)
        used += (size_t)snprintf(place + used, sizeof place - used, "%d:", fault->column);
    return (size_t)snprintf(out, size, "%s%s", place, used ? " " : "");
}

size_t fault_format(const struct fault *fault, char *out, size_t size) {
    size_t used = fault_place_write(fault, out, size);
    size_t left = used < size ? size - used : 0;
    return used + (size_t)snprintf(left ? out + used : NULL, left, "%s", fault->text);
}

/* A bounded list of remarks. */

struct faults *faults_new(void) {
    return calloc(1, sizeof(struct faults));
}

static bool is_full(const struct faults *faults) {
    return faults->count == FAULTS_MAX;
}

/* Removes the last warning from the list. */
static void drop_warning(struct faults *faults) {
    size_t i = faults->count;
    while (i > 0 && !faults->list[i - 1].warning) i--;
    if (i == 0) return;
    memmove(&faults->list[i - 1], &faults->list[i], (faults->count - i) * sizeof faults->list[0]);
    faults->count--;
}

static struct remark *faults_append(struct faults *faults, const struct fault *fault,
                                    bool warning) {
    if (is_full(faults) && !warning) drop_warning(faults);
    struct remark *remark = &faults->list[faults->count];
    if (!is_full(faults)) faults->count++;
    *(warning ? &faults->warnings : &faults->errors) += 1;
    memset(remark, 0, sizeof *remark);
    remark->fault = *fault;
    remark->warning = warning;
    return remark;
}

struct remark *faults_add(struct faults *faults, const struct fault *fault) {
    return faults_append(faults, fault, false);
}

struct remark *faults_warn(struct faults *faults, const struct fault *fault) {
    return faults_append(faults, fault, true);
}

void remark_explain(struct remark *remark, const char *page) {
    snprintf(remark->page, sizeof remark->page, "%s", page);
}

bool faults_full(const struct faults *faults) {
    if (!is_full(faults)) return false;
    for (size_t i = 0; i < faults->count; i++)
        if (faults->list[i].warning) return false;
    return true;
}

void faults_miss(struct faults *faults) {
    faults->errors++;
}

/* Is `inner` the key `outer` or something in it? */
static bool holds(const char *outer, const char *inner) {
    size_t length = strlen(outer);
    return strncmp(outer, inner, length) == 0 &&
           (length == 0 || inner[length] == 0 || inner[length] == '.' || inner[length] == '[');
}

bool faults_about(const struct faults *faults, const char *key) {
    for (size_t i = 0; i < faults->count; i++) {
        const struct remark *remark = &faults->list[i];
        if (remark->warning) continue;
        if (holds(remark->key, key) || holds(key, remark->key)) return true;
        if (remark->meant[0] && holds(remark->meant, key)) return true;
    }
    return false;
}

/* Length of the text without " (ply N)" at its end. */
static size_t length_without_ply(const char *text) {
    size_t length = strlen(text);
    const char *last = strrchr(text, '(');
    bool ply = last && last > text && !strncmp(last, "(ply ", 5);
    return ply ? (size_t)(last - text) - 1 : length;
}

bool faults_holds(const struct faults *faults, const struct fault *fault) {
    const size_t length = length_without_ply(fault->text);
    for (size_t i = 0; i < faults->count; i++) {
        const struct fault *listed = &faults->list[i].fault;
        size_t all = length_without_ply(listed->text);
        if (!faults->list[i].warning && listed->line == fault->line &&
            !strcmp(listed->file, fault->file) && all >= length &&
            !strncmp(listed->text + all - length, fault->text, length))
            return true;
    }
    return false;
}

static int fault_compare(const struct fault *a, const struct fault *b, const char *first) {
    bool a_first = strcmp(a->file, first) == 0, b_first = strcmp(b->file, first) == 0;
    if (a_first != b_first) return a_first ? -1 : 1;
    int order = strcmp(a->file, b->file);
    if (order) return order;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

void faults_sort(struct faults *faults, const char *first) {
    for (size_t i = 1; i < faults->count; i++) {
        struct remark remark = faults->list[i];
        size_t at = i;
        for (; at > 0 && fault_compare(&remark.fault, &faults->list[at - 1].fault, first) < 0; at--)
            faults->list[at] = faults->list[at - 1];
        faults->list[at] = remark;
    }
}

const struct fault *faults_first(const struct faults *faults) {
    for (size_t i = 0; i < faults->count; i++)
        if (!faults->list[i].warning) return &faults->list[i].fault;
    return NULL;
}
