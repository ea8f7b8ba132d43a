/* page.c - fills the template, which has the names of its parts between two '@'. */
#include "page.h"

#include "embedded.h"

#include <string.h>

/* Writes dumped JSON, escaped for a script element. */
static int write_escaped(const char *text, size_t length, void *out) {
    for (size_t i = 0; i < length; i++)
        if (text[i] == '<')
            fputs("\\u003c", out);
        else
            putc(text[i], out);
    return 0;
}

bool page_json(json_t *document, FILE *out) {
    bool written = document && !json_dump_callback(document, write_escaped, out,
                                                   JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(document);
    return written;
}

void page_data_begin(const char *id, FILE *out) {
    fprintf(out, "<script type=\"application/json\" id=\"%s\">", id);
}

void page_data_end(FILE *out) {
    fputs("</script>\n", out);
}

void page_text(const char *text, FILE *out) {
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
            fprintf(out, "&#%d;", *text);
        else
            putc(*text, out);
}

/* Do the scripts have the English text as a literal? */
static bool scripts_say(const struct page *page, const char *english) {
    char literal[LANGUAGE_TEXT_MAX + 2];
    snprintf(literal, sizeof literal, "\"%s\"", english);
    for (size_t i = 0; page->scripts[i]; i++)
        if (strstr((const char *)page->scripts[i], literal)) return true;
    return false;
}

/* `{tag, texts}`, as dom.js reads it, and what the page adds; in English only the tag. */
static json_t *words_json(const struct page *page) {
    const struct language *language = page->language;
    json_t *texts = json_object();
    for (int part = LANGUAGE_TEXTS; language && part <= LANGUAGE_PAGE; part++)
        for (size_t i = 0; i < language_count(language, (enum language_part)part); i++) {
            const char *key, *text;
            language_entry(language, (enum language_part)part, i, &key, &text);
            if (scripts_say(page, key)) json_object_set_new(texts, key, json_string(text));
        }
    json_t *words = json_pack("{s:s, s:o}", "tag", language_tag(language), "texts", texts);
    if (words && page->words) page->words(page->context, words);
    return words;
}

static bool write_part(const struct page *page, const char *name, size_t length, FILE *out) {
    if (!strncmp(name, "title", length))
        page->title(page->context, out);
    else if (!strncmp(name, "language", length))
        page_text(language_tag(page->language), out);
    else if (!strncmp(name, "noscript", length))
        page_text(language_text(page->language,
                                TEXT("This page needs JavaScript to draw its tables and boards; "
                                     "it loads no scripts from elsewhere.")),
                  out);
    else if (!strncmp(name, "words", length))
        return page_json(words_json(page), out);
    else if (!strncmp(name, "version", length))
        fputs(ENSIGN_VERSION, out);
    else if (!strncmp(name, "style", length))
        fputs((const char *)page_css, out);
    else if (!strncmp(name, "script", length))
        for (size_t i = 0; page->scripts[i]; i++)
            fprintf(out, "%s\n", (const char *)page->scripts[i]);
    else
        return page->data(page->context, out);
    return true;
}

bool page_write(const struct page *page, FILE *out) {
    const char *rest = (const char *)page_html;
    for (const char *mark; (mark = strchr(rest, '@'));) {
        const char *end = strchr(mark + 1, '@');
        fwrite(rest, 1, (size_t)(mark - rest), out);
        if (!write_part(page, mark + 1, (size_t)(end - mark - 1), out)) return false;
        rest = end + 1;
    }
    fputs(rest, out);
    return true;
}
