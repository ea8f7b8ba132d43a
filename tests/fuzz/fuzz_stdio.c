/* Lines of a client over standard input: a host with one client that may do what the user may. An
 * input is all that it says before it closes its end. Every line that it is told must be one
 * message, and the host must end. Variants are loaded in this process, there are no bots, lists or
 * checks: what those read has targets of its own (see CMakeLists.txt). */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include "host/check/inspect_json.h"
#include "host/players.h"
#include "serve/lists.h"
#include "serve/lobby.h"
#include "serve/stdio.h"
#include "serve/variant_cache.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const names[] = {"duel", "infiltrator", "quick"};
enum { EDITIONS = sizeof names / sizeof *names, OUTPUT_MAX = 64 << 20 };
static struct edition editions[EDITIONS];

const struct edition *__wrap_variant_cache_take(struct variant_cache *variants, const char *name,
                                                struct fault *fault);
void __wrap_variant_cache_return(struct variant_cache *variants, const struct edition *edition);
json_t *__wrap_lists_get(struct lists *lists, enum stock_part part, struct fault *fault);
bool __wrap_player_open(struct player *player, const struct player_options *options,
                        const char *text, const struct chance *chance, struct fault *fault);

const struct edition *__wrap_variant_cache_take(struct variant_cache *variants, const char *name,
                                                struct fault *fault) {
    (void)variants;
    for (size_t i = 0; i < EDITIONS; i++)
        if (!strcmp(name, names[i])) return &editions[i];
    fault_set(fault, STATUS_NOT_FOUND, "there is no variant \"%s\"", name);
    return NULL;
}

void __wrap_variant_cache_return(struct variant_cache *variants, const struct edition *edition) {
    (void)variants, (void)edition;
}

json_t *__wrap_lists_get(struct lists *lists, enum stock_part part, struct fault *fault) {
    (void)lists, (void)part;
    fault_set(fault, STATUS_NOT_FOUND, "there are no lists");
    return NULL;
}

bool __wrap_player_open(struct player *player, const struct player_options *options,
                        const char *text, const struct chance *chance, struct fault *fault) {
    (void)player, (void)options, (void)chance;
    return fault_set(fault, STATUS_NOT_FOUND, "there is no bot \"%s\"", text);
}

json_t *__wrap_inspect_json_text(const struct folders *folders, const struct inspect_terms *terms,
                                 const char *name, const char *text, size_t length,
                                 struct fault *fault);

json_t *__wrap_inspect_json_text(const struct folders *folders, const struct inspect_terms *terms,
                                 const char *name, const char *text, size_t length,
                                 struct fault *fault) {
    (void)folders, (void)terms, (void)text, (void)length;
    fault_set(fault, STATUS_NOT_FOUND, "\"%s\" is not checked", name);
    return NULL;
}

static int file_of(const void *bytes, size_t size) {
    int file = memfd_create("stdio", 0);
    fuzz_require(file >= 0, "a file in memory can be made");
    fuzz_require(write(file, bytes, size) == (ssize_t)size, "and written");
    fuzz_require(!lseek(file, 0, SEEK_SET), "and read");
    return file;
}

/* Every line is one message. */
static void check_output(int out) {
    off_t size = lseek(out, 0, SEEK_END);
    fuzz_require(size >= 0 && size < OUTPUT_MAX, "the output has a size");
    FILE *file = fdopen(out, "rb");
    fuzz_require(file != NULL, "and can be read");
    rewind(file);
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, file)) > 0;) {
        json_t *message = json_loadb(line, (size_t)length, JSON_REJECT_DUPLICATES, NULL);
        fuzz_require(json_is_string(json_object_get(message, "type")), "a line is a message");
        fuzz_require(line[length - 1] == '\n', "and ends");
        json_decref(message);
    }
    free(line);
    fclose(file);
}

static void load_editions(void) {
    struct fault fault = {0};
    for (size_t i = 0; i < EDITIONS && !editions[i].rules; i++) {
        editions[i] = (struct edition){.rules = variant_load(fuzz_folders(), names[i], &fault),
                                       .folders = *fuzz_folders()};
        fuzz_require(editions[i].rules != NULL, fault.text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fault fault = {0};
    load_editions();
    const struct lobby_options options = {.folders = fuzz_folders(),
                                          .shown = fuzz_folders(),
                                          .limits = SANDBOX_DEFAULTS,
                                          .deadline = 1000,
                                          .jobs = 2,
                                          .open = true};
    int in = file_of(data, size), out = file_of("", 0);
    bool tidy;
    fuzz_require(stdio_serve(&options, in, out, &tidy, &fault), fault.text);
    fuzz_require(tidy, "all of it ends");
    close(in);
    check_output(out);
    return 0;
}
