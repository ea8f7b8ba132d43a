/* answers.h - what a locked process says to questions for a variant's calls, made from an input.
 *
 * Most answers have the form of jail/call_process.c, with anything in it that its types can hold;
 * the rest are faults or arbitrary bytes. */
#ifndef ENSIGN_TESTS_FUZZ_ANSWERS_H
#define ENSIGN_TESTS_FUZZ_ANSWERS_H

#include "core/rules/rules.h"
#include "jail/frame.h"

struct answers {
    const uint8_t *data;
    size_t size, at;
    uint32_t moves; /* of the last question, about many moves; 0: it was about one, or none */
};

uint8_t answers_byte(struct answers *answers);

/* Notes the question. */
void answers_hear(struct answers *answers, const struct frame *question);

/* Fills `frame` with the answer. True if it is one that a process may give; `rules` NULL: it is not
 * said. */
bool answers_give(struct answers *answers, const struct rules *rules, struct frame *frame);

#endif
