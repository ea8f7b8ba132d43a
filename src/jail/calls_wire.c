/* calls_wire.c - both ends of the source of a variant's calls. */
#include "calls_wire.h"

#include <string.h>

void calls_wire_put(struct frame *frame, const struct rules *rules) {
    struct variant_calls_source source;
    if (!rules->calls) {
        frame_put_number(frame, 0);
        return;
    }
    variant_calls_describe(rules, &source);
    frame_put_number(frame, source.declared);
    for (int call = 0; call < CALL_COUNT; call++) {
        frame_put_text(frame, source.written[call].file);
        frame_put_number(frame, (uint32_t)source.written[call].line);
    }
    frame_put_number(frame, (uint32_t)source.count);
    for (int i = 0; i < source.count; i++) frame_put_text(frame, source.path[i]);
}

static bool asks_battles(const struct rules *rules) {
    for (kind_id a = 1; a <= rules->kinds; a++)
        for (kind_id d = 1; d <= rules->kinds; d++)
            if (rules->outcome[a][d] == ASK_THE_VARIANT) return true;
    return false;
}

bool calls_wire_take(struct frame *frame, const struct rules *rules,
                     bool (*may_read)(const void *context, const char *path), const void *context,
                     struct variant_calls_source *source) {
    bool asks = asks_battles(rules);
    *source = (struct variant_calls_source){.declared = frame_take_number(frame)};
    if (!source->declared) return !asks && !frame->broken;
    if (source->declared >> CALL_COUNT || asks != (source->declared >> CALL_BATTLE & 1))
        return false;
    for (int call = 0; call < CALL_COUNT; call++) {
        char *file = source->written[call].file;
        frame_take_text(frame, file, sizeof source->written[call].file);
        uint32_t line = frame_take_number(frame);
        if (line > INT32_MAX || (file[0] && !may_read(context, file))) return false;
        source->written[call].line = (int)line;
    }
    uint32_t count = frame_take_number(frame);
    if (count < 1 || count > CHAIN_MAX) return false;
    source->count = (int)count;
    for (int i = 0; i < source->count; i++) {
        frame_take_text(frame, source->path[i], sizeof source->path[i]);
        if (frame->broken || !may_read(context, source->path[i])) return false;
    }
    return true;
}
