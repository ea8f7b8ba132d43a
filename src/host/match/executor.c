#include "executor.h"

static void post(void *context, struct finished *finished) {
    result_writer_post(context, finished);
}

uint32_t consignment_next(const struct batch *batch, uint32_t from) {
    const uint32_t count = batch->match->game_count / 2;
    while (from < count && result_writer_has(batch->writer, 2 * from) &&
           result_writer_has(batch->writer, 2 * from + 1))
        from++;
    return from;
}

struct pair consignment_pair(const struct batch *batch, struct template *template,
                             uint32_t number) {
    struct result_writer *writer = batch->writer;
    struct pair pair = {
        .match = batch->match,
        .options = batch->options,
        .template = template,
        .stop = batch->stop,
        .number = number,
        .has = {result_writer_has(writer, 2 * number), result_writer_has(writer, 2 * number + 1)},
        .finished = post,
        .context = writer};
    if (pair.has[0]) result_writer_setups(writer, 2 * number, pair.stood);
    return pair;
}
