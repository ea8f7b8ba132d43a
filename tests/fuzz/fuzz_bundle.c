/* Bundles: whatever is read is safe to unpack, and written again gives the same bytes. The first
 * byte selects the input's form: '0', the bytes of a bundle; '1', lines "PATH TEXT" of files, which
 * a bundle is written of even if it must not hold them; '2', the answer of a locked process that
 * has read a bundle, which may lie. */
#include "base/utf8.h"
#include "fuzz.h"
#include "host/bundle/bundle.h"
#include "jail/channel.h"
#include "jail/zygote.h"

#include <ctype.h>
#include <string.h>

static void require_plain(const char *path) {
    static const char *const places[] = {"variants/", "bots/", "scripts/languages/"};
    int place = 0;
    while (place < 3 && strncmp(path, places[place], strlen(places[place]))) place++;
    fuzz_require(place < 3, "a file lies where bundles have files");
    fuzz_require(!strstr(path, "..") && !strstr(path, "//") && !strstr(path, "/."),
                 "a path goes down");
    for (const char *at = path; *at; at++)
        fuzz_require(islower((unsigned char)*at) || isdigit((unsigned char)*at) ||
                         strchr("-_/.", *at),
                     "a path is the same on every disk");
}

static void require_sound(const struct bundle *bundle, const char *bytes, size_t length) {
    fuzz_require(bundle->count > 0 && bundle->count <= BUNDLE_FILES_MAX, "there are files");
    for (int i = 0; i < bundle->count; i++) {
        const struct bundle_file *file = &bundle->file[i];
        require_plain(file->path);
        fuzz_require(!i || strcmp(file[-1].path, file->path) < 0, "no file is there twice");
        fuzz_require(file->bytes >= bytes && file->bytes + file->size <= bytes + length,
                     "a file lies in the bundle");
    }
    fuzz_require(utf8_is_safe(bundle->about, strlen(bundle->about)), "texts can be printed");
}

static void read_bundle(const char *bytes, size_t length) {
    static struct bundle bundle;
    struct fault fault = {0};
    struct buffer again;
    if (!bundle_parse(&bundle, bytes, length, &fault)) {
        fuzz_require_fault(&fault);
        return;
    }
    require_sound(&bundle, bytes, length);
    fuzz_require(bundle_write(&bundle, &again), "what was read can be written");
    fuzz_require(again.length == length && !memcmp(again.text, bytes, length), "as it was");
    buffer_clear(&again);
}

/* What the process says. */
static const uint8_t *answer;
static size_t answer_size;

enum channel_result __wrap_channel_send(int to, struct frame *frame, uint32_t sequence,
                                        int64_t deadline);
enum channel_result __wrap_channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                           int64_t deadline);
bool __wrap_zygote_take(jail_job *run, struct locked_process *child, struct fault *fault);
int __wrap_locked_process_end(struct locked_process *child);

enum channel_result __wrap_channel_send(int to, struct frame *frame, uint32_t sequence,
                                        int64_t deadline) {
    (void)to, (void)sequence, (void)deadline;
    fuzz_require(!frame->broken, "what is sent fits into its frame");
    return CHANNEL_OK;
}

enum channel_result __wrap_channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                           int64_t deadline) {
    (void)from, (void)sequence, (void)deadline;
    frame_clear(frame);
    frame_put(frame, answer, answer_size);
    return frame->broken ? CHANNEL_LONG : CHANNEL_OK;
}

bool __wrap_zygote_take(jail_job *run, struct locked_process *child, struct fault *fault) {
    (void)run, (void)fault;
    *child = (struct locked_process){.pid = -1, .to = -1, .from = -1, .held = -1};
    return true;
}

int __wrap_locked_process_end(struct locked_process *child) {
    (void)child;
    return 0;
}

static void hear_process(const uint8_t *data, size_t size) {
    static const char bytes[64];
    static struct bundle bundle;
    struct fault fault = {0};
    answer = data;
    answer_size = size;
    if (bundle_read(&bundle, bytes, sizeof bytes, &fault))
        require_sound(&bundle, bytes, sizeof bytes);
    else
        fuzz_require_fault(&fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct bundle bundle;
    const char *at = (const char *)data + 1, *const end = (const char *)data + size;
    struct buffer bytes;
    if (!size) return 0;
    if (data[0] == '2') {
        hear_process(data + 1, size - 1);
        return 0;
    }
    if (data[0] == '0') {
        read_bundle(at, size - 1);
        return 0;
    }
    bundle = (struct bundle){.name = "fuzz", .release = "1", .needs = {1, 1, 1, 1}};
    while (at < end && bundle.count < BUNDLE_FILES_MAX) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        if (!line) line = end;
        const char *blank = memchr(at, ' ', (size_t)(line - at));
        if (!blank) blank = line;
        struct bundle_file *file = &bundle.file[bundle.count++];
        const size_t length = (size_t)(blank - at);
        if (!length || length >= sizeof file->path) return 0;
        memcpy(file->path, at, length);
        file->path[length] = 0;
        if (!utf8_is_safe(file->path, length)) return 0;
        file->bytes = blank;
        file->size = (uint32_t)(line - blank);
        at = line + 1;
    }
    fuzz_require(bundle_write(&bundle, &bytes), "a bundle can be written");
    read_bundle(bytes.text, bytes.length);
    buffer_clear(&bytes);
    return 0;
}
