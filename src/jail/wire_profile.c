/* wire_profile.c - a profile is sent as its fuel in all, a number of lines, and for each its file,
 * its number and its fuel. */
#include "wire_profile.h"

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
