/* report_page.c - builds the page from its parts (the files beside this one) and the data.
 *
 * Names and texts come from bots and records and are untrusted. The data are JSON in script
 * elements of a type that is not run, with every '<' escaped, so that nothing can close the
 * element; the page's scripts treat them as text only; the page's policy allows no requests and no
 * other scripts. */
#include "report_page.h"

#include "embedded.h"
#include "host/report/report_json.h"
#include "host/safe_json.h"

#include <stdlib.h>
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

static bool write_json(json_t *document, FILE *out) {
    bool written = document && !json_dump_callback(document, write_escaped, out,
                                                   JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(document);
    return written;
}

static void write_html(const char *text, FILE *out) {
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
            fprintf(out, "&#%d;", *text);
        else
            putc(*text, out);
}

static void write_title(const struct report_pages *pages, FILE *out) {
    const struct summary *report = pages->reports[0];
    for (size_t i = 0; i < pages->count; i++) {
        if (i) fputs(", ", out);
        write_html(language_title(pages->language, pages->reports[i]->rules), out);
    }
    if (pages->count > 1) return;
    for (int i = 0; i < report->players && i < 4; i++) {
        fputs(i ? " - " : ": ", out);
        write_html(report->name[i], out);
    }
    if (report->players > 4) fputs(" …", out);
}

/* `[game, red, blue, result, reason, first, start, plies, notes, ending]`, as film.js reads it. */
static json_t *film_json(const struct summary *report, const struct reel_game *entry) {
    const struct summary_game *game = &report->list[entry->game];
    const struct film *film = &entry->film;
    json_t *notes = film->note_count ? json_object() : json_null();
    for (size_t i = 0; i < film->note_count; i++) {
        char ply[16];
        snprintf(ply, sizeof ply, "%u", film->notes[i].ply);
        json_object_set_new(notes, ply, json_string(film->notes[i].move));
    }
    return json_pack("[I, i, i, s, s, s, s, s, o, o]", (json_int_t)game->number,
                     (int)game->player[RED], (int)game->player[BLUE],
                     result_name((enum result)game->result), reason_name((enum reason)game->reason),
                     side_name(film->first), film->start, film->text, notes,
                     safe_json(film->ending));
}

static bool write_films(const struct summary *report, FILE *out) {
    putc('[', out);
    for (size_t i = 0; i < report->reel.count; i++) {
        fputs(i ? ",\n" : "\n", out);
        if (!write_json(film_json(report, &report->reel.list[i]), out)) return false;
    }
    fputs("]", out);
    return true;
}

static const unsigned char *const scripts[] = {dom_js,      board_js,  charts_js, film_js,
                                               sections_js, replay_js, main_js};
enum { SCRIPTS = sizeof scripts / sizeof *scripts };

static void write_script(FILE *out) {
    for (size_t i = 0; i < SCRIPTS; i++) fprintf(out, "%s\n", (const char *)scripts[i]);
}

/* Do the scripts have the English text as a literal? */
static bool scripts_say(const char *english) {
    char literal[LANGUAGE_TEXT_MAX + 2];
    snprintf(literal, sizeof literal, "\"%s\"", english);
    for (size_t i = 0; i < SCRIPTS; i++)
        if (strstr((const char *)scripts[i], literal)) return true;
    return false;
}

static json_t *kinds_json(const struct language *language, const struct rules *rules) {
    json_t *kinds = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        json_array_append_new(kinds, json_string(language_kind(language, rules, kind)));
    return kinds;
}

/* `{tag, texts, titles, kinds}`, as dom.js reads it; in English only the tag. */
static json_t *words_json(const struct report_pages *pages) {
    const struct language *language = pages->language;
    json_t *texts = json_object(), *titles = json_array(), *kinds = json_array();
    for (size_t i = 0; language && i < language_count(language, LANGUAGE_TEXTS); i++) {
        const char *key, *text;
        language_entry(language, LANGUAGE_TEXTS, i, &key, &text);
        if (scripts_say(key)) json_object_set_new(texts, key, json_string(text));
    }
    for (int r = 0; language && r < REASON_COUNT; r++) {
        json_object_set_new(texts, reason_name((enum reason)r),
                            json_string(language_reason(language, (enum reason)r)));
    }
    for (size_t i = 0; language && i < pages->count; i++) {
        const struct rules *rules = pages->reports[i]->rules;
        json_array_append_new(titles, json_string(language_title(language, rules)));
        json_array_append_new(kinds, kinds_json(language, rules));
    }
    return json_pack("{s:s, s:o, s:o, s:o}", "tag", language_tag(language), "texts", texts,
                     "titles", titles, "kinds", kinds);
}

/* The data of the second report and of those behind it. */
static bool write_others(const struct summary *const *reports, size_t count, FILE *out) {
    static const char start[] = "<script type=\"application/json\" id=\"%s-%zu\">";
    for (size_t i = 1; i < count; i++) {
        fprintf(out, start, "numbers", i + 1);
        if (!write_json(report_numbers(reports[i]), out)) return false;
        fputs("</script>\n", out);
        fprintf(out, start, "films", i + 1);
        if (!write_films(reports[i], out)) return false;
        fputs("</script>\n", out);
    }
    return true;
}

static bool write_part(const struct report_pages *pages, const char *name, size_t length,
                       FILE *out) {
    const struct summary *const *reports = pages->reports;
    if (!strncmp(name, "title", length))
        write_title(pages, out);
    else if (!strncmp(name, "language", length))
        write_html(language_tag(pages->language), out);
    else if (!strncmp(name, "noscript", length))
        write_html(language_text(pages->language,
                                 TEXT("This page needs JavaScript to draw its tables and boards; "
                                      "it loads no scripts from elsewhere.")),
                   out);
    else if (!strncmp(name, "words", length))
        return write_json(words_json(pages), out);
    else if (!strncmp(name, "others", length))
        return write_others(reports, pages->count, out);
    else if (!strncmp(name, "version", length))
        fputs(ENSIGN_VERSION, out);
    else if (!strncmp(name, "style", length))
        fputs((const char *)page_css, out);
    else if (!strncmp(name, "script", length))
        write_script(out);
    else if (!strncmp(name, "numbers", length))
        return write_json(report_numbers(reports[0]), out);
    else
        return write_films(reports[0], out);
    return true;
}

bool report_page_write(const struct report_pages *pages, FILE *out) {
    /* The template has the names of its parts between two '@'. */
    const char *rest = (const char *)page_html;
    for (const char *mark; (mark = strchr(rest, '@'));) {
        const char *end = strchr(mark + 1, '@');
        fwrite(rest, 1, (size_t)(mark - rest), out);
        if (!write_part(pages, mark + 1, (size_t)(end - mark - 1), out)) return false;
        rest = end + 1;
    }
    fputs(rest, out);
    return true;
}
