#include "question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RED_HALF = 5 }; /* ranks 1 … 5: no army of blue begins there on 8 ranks or more */

static bool is_quiet(const char *move, bool red) {
    const char *step = strchr(move, '-'); /* an attack has an x there */
    return step && (atoi(step + 2) <= RED_HALF) == red;
}

const char *question_quiet_move(const json_t *question) {
    const json_t *moves = json_object_get(question, "moves");
    const size_t ply = (size_t)json_integer_value(json_object_get(question, "ply"));
    const size_t count = json_array_size(moves);
    const char *seat = json_string_value(json_object_get(question, "seat"));
    assert_non_null(seat);
    for (size_t i = 0; i < count; i++) {
        const size_t pick = (ply * 7 + ply / 5 + i) % count;
        const char *move = json_string_value(json_array_get(moves, pick));
        if (is_quiet(move, !strcmp(seat, "red"))) return move;
    }
    fail_msg("no quiet move at ply %zu", ply);
    return NULL;
}
