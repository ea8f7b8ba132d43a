/* codec.c - a fault is sent as status, line, column, file, text and form. */
#include "codec.h"

#include <string.h>

#include "base/utf8.h"

void frame_put_fault(struct frame *frame, const struct fault *fault) {
    frame_put_number(frame, fault->status);
    frame_put_number(frame, (uint32_t)fault->line);
    frame_put_number(frame, (uint32_t)fault->column);
    frame_put_text(frame, fault->file);
    frame_put_text(frame, fault->text);
    frame_put(frame, &fault->form, sizeof fault->form);
}

bool frame_take_fault(struct frame *frame, struct fault *fault) {
    *fault = (struct fault){0};
    uint32_t status = frame_take_number(frame);
    uint32_t line = frame_take_number(frame), column = frame_take_number(frame);
    frame_take_text(frame, fault->file, sizeof fault->file);
    frame_take_text(frame, fault->text, sizeof fault->text);
    frame_take(frame, &fault->form, sizeof fault->form);
    bool known = status > STATUS_OK && status < STATUS_COUNT && status != STATUS_START &&
                 line <= INT32_MAX && column <= INT32_MAX && fault->text[0] &&
                 utf8_is_safe(fault->file, strlen(fault->file)) &&
                 utf8_is_safe(fault->text, strlen(fault->text)) && fault_form_is_sound(fault);
    if (!known) frame->broken = true;
    if (frame->broken) {
        *fault = (struct fault){0};
        return false;
    }
    fault->status = status == STATUS_NO_MEMORY ? STATUS_MEMORY : (enum status)status;
    fault->line = (int)line;
    fault->column = (int)column;
    return true;
}

/* A profile is sent as its fuel in all, a number of lines, and for each its file, its number and
 * its fuel. */

void frame_put_profile(struct frame *frame, const struct profile *profile) {
    struct profile_line lines[PROFILE_SHOWN_MAX];
    size_t count = profile_greatest(profile, lines, PROFILE_SHOWN_MAX);
    uint64_t total = profile_total(profile);
    frame_put(frame, &total, sizeof total);
    frame_put_number(frame, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        frame_put_text(frame, lines[i].file);
        frame_put_number(frame, (uint32_t)lines[i].line);
        frame_put(frame, &lines[i].fuel, sizeof lines[i].fuel);
    }
}

bool frame_take_profile(struct frame *frame, struct profile *profile,
                        bool (*may_read)(const void *context, const char *path),
                        const void *context) {
    uint64_t left, fuel;
    char file[FAULT_FILE_MAX];
    frame_take(frame, &left, sizeof left);
    uint32_t count = frame_take_number(frame);
    if (frame->broken || count > PROFILE_SHOWN_MAX) return false;
    for (uint32_t i = 0; i < count; i++) {
        frame_take_text(frame, file, sizeof file);
        uint32_t line = frame_take_number(frame);
        frame_take(frame, &fuel, sizeof fuel);
        if (frame->broken || line >= PROFILE_LINES_MAX || fuel > left || !may_read(context, file))
            return false;
        left -= fuel;
        profile_add(profile, file, (int)line, fuel);
    }
    profile_add(profile, NULL, 0, left);
    return true;
}
