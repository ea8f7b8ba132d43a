/* question.h - what people of the tests answer. Their games must not end by chance before the test
 * does, so they stay at home. */
#ifndef ENSIGN_TESTS_SERVE_QUESTION_H
#define ENSIGN_TESTS_SERVE_QUESTION_H

#include <jansson.h>

/* Of a question for a move, one that stays in the seat's half and attacks nobody, picked by its
 * ply: two people always play the same game. Fails the test if there is none. */
const char *question_quiet_move(const json_t *question);

#endif
