/* Lessons: whatever the file, it is read or refused with a line, and each of its steps can be begun
 * or says why not. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include "host/lesson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The path of a file in memory with these bytes; `*file` is its descriptor. */
static const char *write_file(const uint8_t *data, size_t size, int *file) {
    static char path[64];
    *file = memfd_create("lesson", 0);
    fuzz_require(*file >= 0, "a file in memory can be made");
    fuzz_require(write(*file, data, size) == (ssize_t)size, "and written");
    fuzz_require(!lseek(*file, 0, SEEK_SET), "and read");
    snprintf(path, sizeof path, "/dev/fd/%d", *file);
    return path;
}

static void begin_step(const struct lesson_step *step) {
    const char *variant = record_tag(step->record, "Variant");
    const struct rules *rules = fuzz_rules_named(variant);
    struct lesson_play play;
    struct fault fault = {0};
    fuzz_require(step->title && step->task && step->text && step->done, "a step has its words");
    fuzz_require(step->line > 0, "and a line");
    if (!rules) return;
    if (!lesson_begin(&play, step, rules, &fault)) {
        fuzz_require_fault(&fault);
        fuzz_require(fault.line >= step->line, "a fault is in its step");
        return;
    }
    const struct referee_options terms = lesson_terms(&play);
    fuzz_require(position_check(rules, terms.position, &fault), "its position is sound");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct lesson *lesson = malloc(sizeof *lesson);
    struct fault fault = {0};
    int file;
    const char *path = write_file(data, size, &file);
    fuzz_require(lesson != NULL, "there is memory");
    if (lesson_read(lesson, path, &fault)) {
        fuzz_require(lesson->count > 0, "a lesson has steps");
        for (int i = 0; i < lesson->count; i++) begin_step(&lesson->step[i]);
    } else {
        fuzz_require_fault(&fault);
        fuzz_require(!strcmp(fault.file, path), "a fault names the file");
    }
    lesson_clear(lesson);
    free(lesson);
    close(file);
    return 0;
}
