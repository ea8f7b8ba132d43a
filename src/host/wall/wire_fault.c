/* wire_fault.c - faults in frames: status, line, column, file, text. */
#include "wire_fault.h"

#include "base/utf8.h"

void frame_put_fault(struct frame *frame, const struct fault *fault) {
    frame_put_number(frame, fault->status);
    frame_put_number(frame, (uint32_t)fault->line);
    frame_put_number(frame, (uint32_t)fault->column);
    frame_put_text(frame, fault->file);
    frame_put_text(frame, fault->text);
}

bool frame_take_fault(struct frame *frame, struct fault *fault) {
    *fault = (struct fault){.status = STATUS_OK};
    uint32_t status = frame_take_number(frame);
    uint32_t line = frame_take_number(frame), column = frame_take_number(frame);
    frame_take_text(frame, fault->file, sizeof fault->file);
    frame_take_text(frame, fault->text, sizeof fault->text);
    bool known = status > STATUS_OK && status < STATUS_COUNT && line <= INT32_MAX &&
                 column <= INT32_MAX && fault->text[0];
    if (!known) frame->broken = true;
    if (frame->broken) return false;
    fault->status = status == STATUS_NO_MEMORY ? STATUS_MEMORY : (enum status)status;
    utf8_make_safe(fault->text);
    fault->line = (int)line;
    fault->column = (int)column;
    return true;
}
