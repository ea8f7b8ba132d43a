/* answers.c - answers as jail/call_process.c puts them. */
#include "answers.h"

#include "core/play/calls.h"

#include <string.h>

uint8_t answers_byte(struct answers *answers) {
    return answers->at < answers->size ? answers->data[answers->at++] : 0;
}

void answers_hear(struct answers *answers, const struct frame *question) {
    struct frame copy = *question;
    copy.at = sizeof(uint32_t); /* behind the call */
    const bool all = frame_take_number(&copy) != 0;
    frame_take_number(&copy); /* whether it is logged */
    answers->moves = all ? frame_take_number(&copy) : 0;
}

static void put_some(struct answers *answers, struct frame *frame) {
    size_t length = answers_byte(answers), left = answers->size - answers->at;
    if (length > left) length = left;
    if (length) frame_put(frame, answers->data + answers->at, length);
    answers->at += length;
}

/* A text of a few bytes of the input, now and then of more than fits. */
static void put_word(struct answers *answers, struct frame *frame, bool *sound) {
    char text[CALL_WHY_MAX + 8] = "";
    const uint8_t length = answers_byte(answers);
    const bool fits = length < 250;
    if (!fits) memset(text, length, sizeof text - 1);
    for (size_t i = 0; i < length % 8u && fits; i++) text[i] = (char)answers_byte(answers);
    *sound = *sound && fits;
    frame_put_text(frame, text);
}

static void put_words(struct answers *answers, struct frame *frame, bool *sound) {
    const uint8_t byte = answers_byte(answers);
    const uint32_t count = byte < 240 ? byte % 4 : byte;
    put_word(answers, frame, sound);
    frame_put_number(frame, count);
    *sound = *sound && count <= ENDING_TONGUES_MAX;
    for (uint32_t i = 0; i < 2 * count && i < 2 * ENDING_TONGUES_MAX; i++) {
        char tag[NAME_TAG_MAX] = "xx";
        if (i % 2)
            put_word(answers, frame, sound);
        else
            frame_put_text(frame, tag);
    }
}

/* A number below `end`, or now and then any. */
static uint32_t some_below(struct answers *answers, uint32_t end, bool *sound) {
    const uint8_t byte = answers_byte(answers);
    const uint32_t number = byte < 248 ? byte % end : byte;
    *sound = *sound && number < end;
    return number;
}

static bool deed_is_sound(const struct rules *rules, const struct deed *deed) {
    if (deed->type > DEED_DRAW || deed->side > BLUE) return false;
    if (deed->type == DEED_PLACE) return deed->kind >= 1 && deed->kind <= rules->kinds;
    return deed->type != DEED_COUNT ||
           (deed->counting.counter >= 1 && deed->counting.counter <= rules->counters);
}

static void put_deeds(struct answers *answers, const struct rules *rules, struct frame *frame,
                      bool *sound) {
    struct deed deeds[DEEDS_MAX];
    const uint8_t byte = answers_byte(answers);
    const uint32_t count = byte < 200 ? byte % 4 : byte;
    memset(deeds, 0, sizeof deeds);
    frame_put_number(frame, count);
    *sound = *sound && count <= DEEDS_MAX;
    for (uint32_t i = 0; i < count && i < DEEDS_MAX; i++) {
        struct deed *deed = &deeds[i];
        deed->type = (uint8_t)some_below(answers, DEED_DRAW + 1, sound);
        deed->side = (uint8_t)some_below(answers, BLUE + 1, sound);
        deed->kind = answers_byte(answers) % KINDS_MAX;
        deed->at = answers_byte(answers);
        deed->to = answers_byte(answers);
        uint8_t counting[sizeof deed->counting];
        for (size_t k = 0; k < sizeof counting; k++) counting[k] = answers_byte(answers);
        memcpy(&deed->counting, counting, sizeof counting);
        if (rules) *sound = *sound && deed_is_sound(rules, deed);
    }
    frame_put(frame, deeds, sizeof deeds);
}

static void put_fuel(struct answers *answers, struct frame *frame) {
    const uint8_t byte = answers_byte(answers);
    const uint64_t fuel = byte == 255 ? UINT64_MAX : (uint64_t)byte << byte % 40;
    frame_put(frame, &fuel, sizeof fuel);
}

static bool put_single(struct answers *answers, const struct rules *rules, struct frame *frame) {
    char why[CALL_WHY_MAX] = "";
    bool sound = true;
    frame_put_number(frame, some_below(answers, 2, &sound));
    for (size_t i = 0; i < 6; i++) why[i] = (char)answers_byte(answers);
    if ((uint8_t)why[0] == 255) memset(why, 255, sizeof why), sound = false; /* without an end */
    frame_put(frame, why, sizeof why);
    frame_put_number(frame, some_below(answers, BOTH_FALL + 1, &sound));
    /* Few endings, or all games would be short. */
    const uint8_t ends = answers_byte(answers);
    frame_put_number(frame, ends % 16 ? 0 : some_below(answers, RESULT_COUNT, &sound));
    put_words(answers, frame, &sound);
    put_deeds(answers, rules, frame, &sound);
    return sound;
}

bool answers_give(struct answers *answers, const struct rules *rules, struct frame *frame) {
    const uint8_t sort = answers_byte(answers);
    if (sort >= 252) { /* a fault */
        frame_put_number(frame, 0);
        put_fuel(answers, frame);
        for (int i = 0; i < 3; i++) frame_put_number(frame, answers_byte(answers));
        put_some(answers, frame);
        return false;
    }
    if (sort >= 248) {
        put_some(answers, frame);
        return false;
    }
    frame_put_number(frame, 1);
    put_fuel(answers, frame);
    if (!answers->moves) return put_single(answers, rules, frame);
    for (uint32_t i = 0; i < answers->moves; i++) {
        const uint8_t allowed = answers->at < answers->size ? answers_byte(answers) : 1;
        frame_put(frame, &allowed, 1);
    }
    return true;
}
