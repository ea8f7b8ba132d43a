/* pages.c - a list of paths with their texts. */
#include "pages.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/paths.h"
#include "jail/loader.h"
#include "page/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PAGES_MAX = 8192, LANGUAGES_MAX = 64, FILE_BYTES_MAX = 4 << 20 };

struct entry {
    char path[NET_PATH_MAX];
    struct net_page page;
};

struct pages {
    const char *folder;
    json_t *languages; /* an array of tags */
    struct entry *entry;
    size_t count;
};

static const char *type_of(const char *name) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".svg", "image/svg+xml"},
                                           {".json", "application/json"},
                                           {".txt", "text/plain; charset=utf-8"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (path_ends(name, types[i][0])) return types[i][1];
    return NULL;
}

static struct net_page make_page(const char *type, const void *bytes, size_t length) {
    struct net_page page = {.type = type, .bytes = bytes, .length = length};
    snprintf(page.etag, sizeof page.etag, "%016llx", (unsigned long long)digest_of(bytes, length));
    return page;
}

/* A compressed copy of the page's bytes for the page; it goes without if that is no shorter, or
 * without memory. */
static void compress_page(struct net_page *page) {
    enum { GZIP = 16 };
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)page->bytes,
                       .avail_in = (uInt)page->length,
                       .avail_out = (uInt)page->length};
    Bytef *bytes = malloc(page->length + 1);
    if (!bytes || deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP,
                               MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(bytes);
        return;
    }
    stream.next_out = bytes;
    if (deflate(&stream, Z_FINISH) == Z_STREAM_END) {
        page->gzip = bytes;
        page->gzip_length = stream.total_out;
    } else {
        free(bytes);
    }
    deflateEnd(&stream);
}

/* Adds a page, which owns its bytes if `owned`. */
static bool add_page(struct pages *pages, const char *path, const char *bytes, size_t length,
                     bool owned) {
    const char *type = type_of(path);
    if (!type || strlen(path) >= NET_PATH_MAX) return false;
    struct entry *grown = array_grown(pages->entry, pages->count, sizeof *grown, PAGES_MAX);
    if (!grown) return false;
    pages->entry = grown;
    struct entry *entry = &grown[pages->count++];
    strcpy(entry->path, path);
    entry->page = make_page(type, bytes, length);
    compress_page(&entry->page);
    if (owned) entry->page.owned = (void *)(uintptr_t)bytes;
    return true;
}

/* Of a part of a language; nothing for English, which is NULL. */
static json_t *texts_of(const struct language *language, enum language_part part) {
    json_t *texts = json_object();
    for (size_t i = 0; language && i < language_count(language, part); i++) {
        const char *key, *text;
        language_entry(language, part, i, &key, &text);
        json_object_set_new(texts, key, json_string(text));
    }
    return texts;
}

struct loading {
    struct pages *pages;
    const struct folders *folders;
    pages_sheet *sheet;
    struct language *language[LANGUAGES_MAX]; /* NULL: English */
    size_t languages;
    bool failed;
};

static void add_language(struct loading *loading, const struct language *language) {
    char path[NET_PATH_MAX];
    const char *tag = language_tag(language);
    const bool marked = language && language_count(language, LANGUAGE_PAGE);
    json_t *words = json_pack("{s:s, s:s, s:o, s:o}", "tag", tag, "name", language_name(language),
                              "kinds", texts_of(language, LANGUAGE_KINDS), "texts",
                              texts_of(language, marked ? LANGUAGE_PAGE : LANGUAGE_TEXTS));
    char *text = words ? json_dumps(words, JSON_COMPACT) : NULL;
    json_decref(words);
    snprintf(path, sizeof path, "/words/%s.json", tag);
    if (text && add_page(loading->pages, path, text, strlen(text), true))
        json_array_append_new(loading->pages->languages, json_string(tag));
    else
        loading->failed = true, free(text);
}

static void load_language(void *context, const char *name, const char *path) {
    struct loading *loading = context;
    (void)name;
    if (loading->languages == LANGUAGES_MAX) return;
    struct language *language = loader_language(loading->folders, path, NULL);
    if (!language) return;
    loading->language[loading->languages++] = language;
    add_language(loading, language);
}

static void add_sheet(struct loading *loading, const char *name, const struct rules *rules,
                      const struct language *language) {
    char path[NET_PATH_MAX], *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool written = out != NULL;
    if (out) {
        loading->sheet(out, language, rules);
        written = !ferror(out);
        written &= fclose(out) == 0;
    }
    snprintf(path, sizeof path, "/rules/%s/%s.txt", language_tag(language), name);
    if (written && add_page(loading->pages, path, text, length, true)) return;
    loading->failed = true;
    free(text);
}

static void load_variant(void *context, const char *name, const char *path) {
    struct loading *loading = context;
    struct fault fault = {0};
    struct rules *rules = loader_variant(loading->folders, path, &fault);
    for (size_t i = 0; rules && i < loading->languages; i++)
        add_sheet(loading, name, rules, loading->language[i]);
    rules_free(rules);
}

static bool add_files(struct pages *pages) {
    for (const struct embedded_file *file = page_files; file->name; file++) {
        char path[NET_PATH_MAX];
        snprintf(path, sizeof path, "/%s", file->name);
        if (!add_page(pages, path, (const char *)file->text, file->length, false)) return false;
    }
    return true;
}

struct pages *pages_open(const struct folders *folders, const char *folder, pages_sheet *sheet,
                         struct fault *fault) {
    struct pages *pages = calloc(1, sizeof *pages);
    struct loading loading = {pages, folders, sheet, {NULL}, 1, !pages};
    if (pages) {
        pages->folder = folder;
        pages->languages = json_array();
        loading.failed = !add_files(pages);
        add_language(&loading, NULL);
        folders_list(folders, FOLDER_LANGUAGES, load_language, &loading);
        folders_list(folders, FOLDER_VARIANTS, load_variant, &loading);
        while (loading.languages) language_free(loading.language[--loading.languages]);
    }
    if (!loading.failed) return pages;
    pages_close(pages);
    fault_set(fault, STATUS_NO_MEMORY, "no memory for the page");
    return NULL;
}

void pages_close(struct pages *pages) {
    if (!pages) return;
    for (size_t i = 0; i < pages->count; i++) {
        free((void *)(uintptr_t)pages->entry[i].page.gzip);
        free(pages->entry[i].page.owned);
    }
    free(pages->entry);
    json_decref(pages->languages);
    free(pages);
}

/* A file of another folder; not one outside, nor below it. */
static bool read_page(const struct pages *pages, const char *name, struct net_page *page) {
    char path[FOLDER_PATH_MAX];
    size_t length;
    if (strchr(name, '/') || *name == '.' || !type_of(name) ||
        snprintf(path, sizeof path, "%s/%s", pages->folder, name) >= (int)sizeof path)
        return false;
    char *text = files_read(path, FILE_BYTES_MAX, &length, NULL);
    if (!text) return false;
    *page = make_page(type_of(name), text, length);
    page->owned = text;
    return true;
}

bool pages_find(const struct pages *pages, const char *path, struct net_page *page) {
    if (!strcmp(path, "/")) path = "/index.html";
    if (pages->folder && read_page(pages, path + 1, page)) return true;
    for (size_t i = 0; i < pages->count; i++) {
        if (strcmp(pages->entry[i].path, path)) continue;
        *page = pages->entry[i].page;
        page->owned = NULL; /* it stays with the list */
        return true;
    }
    return false;
}

json_t *pages_languages(const struct pages *pages) {
    return json_incref(pages->languages);
}
