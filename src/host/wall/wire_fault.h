/* wire_fault.h - what went wrong, as a locked process tells it. */
#ifndef ENSIGN_HOST_WALL_WIRE_FAULT_H
#define ENSIGN_HOST_WALL_WIRE_FAULT_H

#include "base/fault.h"
#include "wire.h"

/* The form travels too, so that a fault from behind the wall can be said in any language. A hostile
 * one chooses at most which of the program's own sentences is shown for its text. */
void frame_put_fault(struct frame *frame, const struct fault *fault);

/* Takes a fault with a safe text, its form, and a place that can be; anything else breaks the
 * frame, and the fault is then STATUS_OK. Memory that ran out was the process's own
 * (STATUS_MEMORY). Whether the file is one that it may name, byte for byte, and whether it can know
 * of the host's failures (status_exit_code() 3), is for the caller to see. */
bool frame_take_fault(struct frame *frame, struct fault *fault);

#endif
