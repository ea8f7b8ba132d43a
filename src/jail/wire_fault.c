/* wire_fault.c - a fault is sent as status, line, column, file, text and form. */
#include "wire_fault.h"

#include "base/utf8.h"

#include <string.h>

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
