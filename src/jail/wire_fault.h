/* wire_fault.h - faults in frames. */
#ifndef ENSIGN_JAIL_WIRE_FAULT_H
#define ENSIGN_JAIL_WIRE_FAULT_H

#include "base/fault.h"
#include "wire.h"

/* The form travels too, so that a fault from behind the wall can be translated. A hostile process
 * can at most choose which of the program's own sentences is shown for its text. */
void frame_put_fault(struct frame *frame, const struct fault *fault);

/* Takes a fault with safe texts, a sound form and a possible place; anything else breaks the frame
 * and leaves STATUS_OK. STATUS_NO_MEMORY becomes STATUS_MEMORY: the process ran out of its own. The
 * caller must check whether the process may name this file, and whether it may report failures of
 * the host (status_exit_code() 3). */
bool frame_take_fault(struct frame *frame, struct fault *fault);

#endif
