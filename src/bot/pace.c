/* pace.c - reads and writes the pace of a game, and exchanges fuel for time. */
#include "pace.h"

#include <inttypes.h>
#include <stdio.h>

enum { MS = 1000, MINUTE = 60, NS_A_MS = 1000000, NS_A_INSTRUCTION = 1000 * NS_A_MS / PACE_FUEL };

void game_clock_spend(struct game_clock *clock, enum side side, int64_t ms) {
    clock->left[side] = clock->left[side] > ms ? clock->left[side] - ms : 0;
}

void game_clock_add(struct game_clock *clock, enum side side) {
    if (clock->left[side]) clock->left[side] += clock->increment;
}

/* Reads a decimal number of seconds as milliseconds and returns what follows it; NULL if there is
 * none, or it is too large or too fine. */
static const char *pace_number(const char *text, int64_t *ms) {
    const char *digits = text;
    int64_t unit = MS;
    *ms = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        *ms = *ms * 10 + (*text - '0') * MS;
        if (*ms > (int64_t)PACE_SECONDS_MAX * MS) return NULL;
    }
    if (text == digits) return NULL;
    if (*text != '.') return text;
    for (digits = ++text; *text >= '0' && *text <= '9'; text++) {
        unit /= 10;
        if (!unit) return NULL;
        *ms += (*text - '0') * unit;
    }
    return text > digits ? text : NULL;
}

bool pace_read(const char *text, struct pace *pace, struct fault *fault) {
    *pace = (struct pace){0, 0};
    const char *rest = pace_number(text, &pace->ms);
    if (rest && *rest == '+') rest = pace_number(rest + 1, &pace->increment);
    if (rest && !*rest && pace->ms > 0) return true;
    *pace = (struct pace){0, 0};
    return fault_set(fault, STATUS_USAGE,
                     "\"%.40s\" is no clock; expected SECONDS or SECONDS+INCREMENT, as in 60+0.5, "
                     "with 0.001 to %d seconds",
                     text, PACE_SECONDS_MAX);
}

bool pace_read_minutes(const char *text, struct pace *pace, struct fault *fault) {
    if (pace_read(text, pace, NULL) && pace->ms <= (int64_t)PACE_SECONDS_MAX * MS / MINUTE) {
        pace->ms *= MINUTE;
        return true;
    }
    *pace = (struct pace){0, 0};
    return fault_set(fault, STATUS_USAGE,
                     "\"%.40s\" is no clock; expected MINUTES or MINUTES+SECONDS, as in 10+5",
                     text);
}

static int write_seconds(char *out, size_t size, int64_t ms) {
    int length = snprintf(out, size, "%" PRId64 ".%03d", ms / MS, (int)(ms % MS));
    while (out[length - 1] == '0') length--;
    if (out[length - 1] == '.') length--;
    out[length] = 0;
    return length;
}

void pace_write(const struct pace *pace, char out[PACE_TEXT_MAX]) {
    int length = write_seconds(out, PACE_TEXT_MAX, pace->ms);
    if (!pace->increment) return;
    out[length++] = '+';
    write_seconds(out + length, (size_t)(PACE_TEXT_MAX - length), pace->increment);
}

bool pace_is_sound(const struct pace *pace) {
    const int64_t most = (int64_t)PACE_SECONDS_MAX * MS;
    return pace->ms >= 0 && pace->ms <= most && pace->increment >= 0 && pace->increment <= most &&
           (pace->ms || !pace->increment);
}

int64_t pace_ns(uint64_t fuel) {
    const uint64_t most = INT64_MAX / NS_A_INSTRUCTION;
    return (int64_t)(fuel < most ? fuel : most) * NS_A_INSTRUCTION;
}

uint64_t pace_fuel(int64_t ms) {
    return (uint64_t)ms * (NS_A_MS / NS_A_INSTRUCTION);
}
