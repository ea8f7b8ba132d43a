/* Files of languages. One that is refused has a fault; one that loads has texts that can be shown,
 * each with the placeholders of its original, and can be put together again from its entries. */
#include "base/utf8.h"
#include "fuzz.h"
#include "lua/language.h"

#include <string.h>

struct input {
    const uint8_t *data;
    size_t size;
};

static long input_size(void *context, const char *path) {
    const struct input *input = context;
    return strcmp(path, "fuzz.lua") ? -1 : (long)input->size;
}

static long input_read(void *context, const char *path, char *out, size_t size) {
    const struct input *input = context;
    if (strcmp(path, "fuzz.lua") != 0) return -1;
    if (size > input->size) size = input->size;
    memcpy(out, input->data, size);
    return (long)size;
}

static bool input_find(void *context, enum folder_sort sort, const char *name,
                       char path[FOLDER_PATH_MAX], struct fault *fault) {
    (void)context, (void)sort, (void)name, (void)fault;
    strcpy(path, "fuzz.lua");
    return true;
}

static unsigned placeholders(const char *text) {
    unsigned set = 0;
    for (; *text; text++)
        if (text[0] == '{' && text[1] >= '1' && text[1] <= '9' && text[2] == '}')
            set |= 1u << (text[1] - '0');
    return set;
}

static void require_entries(const struct language *language) {
    struct language *again = language_new("fuzz", language_name(language));
    fuzz_require(again != NULL, "a language has a name that can be shown");
    for (int part = 0; part < LANGUAGE_PARTS; part++) {
        for (size_t i = 0; i < language_count(language, (enum language_part)part); i++) {
            const char *key, *text;
            language_entry(language, (enum language_part)part, i, &key, &text);
            fuzz_require(utf8_is_safe(text, strlen(text)) && *text, "a text can be shown");
            fuzz_require(placeholders(key) == placeholders(text), "no placeholder is lost");
            fuzz_require(language_add(again, (enum language_part)part, key, text),
                         "what was read can be added");
        }
    }
    language_seal(again);
    language_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input input = {data, size};
    const struct reader reader = {input_size, input_read, &input};
    const struct finder finder = {input_find, &input};
    struct folders folders = *fuzz_folders();
    struct fault fault = {0};
    folders.reader = &reader;
    folders.finder = &finder;
    struct language *language = language_load(&folders, "fuzz", &fault);
    if (language)
        require_entries(language);
    else
        fuzz_require_fault(&fault);
    language_free(language);
    return 0;
}
