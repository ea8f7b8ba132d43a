/* report_page.c - the data of a report's page, as its scripts read them. */
#include "report_page.h"

#include "embedded.h"
#include "host/report/report_json.h"
#include "host/safe_json.h"
#include "page.h"

static void write_title(const void *context, FILE *out) {
    const struct report_pages *pages = context;
    const struct summary *report = pages->reports[0];
    for (size_t i = 0; i < pages->count; i++) {
        if (i) fputs(", ", out);
        page_text(language_title(pages->language, pages->reports[i]->rules), out);
    }
    if (pages->count > 1) return;
    for (int i = 0; i < report->players && i < 4; i++) {
        fputs(i ? " - " : ": ", out);
        page_text(report->name[i], out);
    }
    if (report->players > 4) fputs(" …", out);
}

/* `[game, red, blue, result, reason, first, start, plies, notes, ending]`, and if a bot was asked
 * for the chances `bot, chances`, as film.js reads it. */
static json_t *film_json(const struct summary *report, const struct reel_game *entry) {
    const struct summary_game *game = &report->list[entry->game];
    const struct film *film = &entry->film;
    json_t *notes = film->note_count ? json_object() : json_null();
    for (size_t i = 0; i < film->note_count; i++) {
        char ply[16];
        snprintf(ply, sizeof ply, "%u", film->notes[i].ply);
        json_object_set_new(notes, ply, json_string(film->notes[i].move));
    }
    json_t *document =
        json_pack("[I, i, i, s, s, s, s, s, o, o]", (json_int_t)game->number,
                  (int)game->player[RED], (int)game->player[BLUE],
                  result_name((enum result)game->result), reason_name((enum reason)game->reason),
                  side_name(film->first), film->start, film->text, notes, safe_json(film->ending));
    if (film->chances) {
        json_array_append_new(document, safe_json(film->bot));
        json_array_append_new(document, json_string(film->chances));
    }
    return document;
}

static bool write_films(const struct summary *report, FILE *out) {
    putc('[', out);
    for (size_t i = 0; i < report->reel.count; i++) {
        fputs(i ? ",\n" : "\n", out);
        if (!page_json(film_json(report, &report->reel.list[i]), out)) return false;
    }
    fputs("]", out);
    return true;
}

static json_t *kinds_json(const struct language *language, const struct rules *rules) {
    json_t *kinds = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        json_array_append_new(kinds, json_string(language_kind(language, rules, kind)));
    return kinds;
}

/* Reasons, and by report the variants' titles and kinds; none in English. */
static void add_words(const void *context, json_t *words) {
    const struct report_pages *pages = context;
    const struct language *language = pages->language;
    json_t *titles = json_array(), *kinds = json_array();
    for (int r = 0; language && r < REASON_COUNT; r++)
        json_object_set_new(json_object_get(words, "texts"), reason_name((enum reason)r),
                            json_string(language_reason(language, (enum reason)r)));
    for (size_t i = 0; language && i < pages->count; i++) {
        const struct rules *rules = pages->reports[i]->rules;
        json_array_append_new(titles, json_string(language_title(language, rules)));
        json_array_append_new(kinds, kinds_json(language, rules));
    }
    json_object_set_new(words, "titles", titles);
    json_object_set_new(words, "kinds", kinds);
}

/* The elements of the first report are "numbers" and "films", those of the second "numbers-2" … */
static bool write_data(const void *context, FILE *out) {
    const struct report_pages *pages = context;
    for (size_t i = 0; i < pages->count; i++) {
        char id[32], end[24] = "";
        if (i) snprintf(end, sizeof end, "-%zu", i + 1);
        snprintf(id, sizeof id, "numbers%s", end);
        page_data_begin(id, out);
        if (!page_json(report_numbers(pages->reports[i]), out)) return false;
        page_data_end(out);
        snprintf(id, sizeof id, "films%s", end);
        page_data_begin(id, out);
        if (!write_films(pages->reports[i], out)) return false;
        page_data_end(out);
    }
    return true;
}

bool report_page_write(const struct report_pages *pages, FILE *out) {
    static const unsigned char *const scripts[] = {
        dom_js, board_js, charts_js, film_js, sections_js, curve_js, replay_js, main_js, NULL};
    const struct page page = {.language = pages->language,
                              .scripts = scripts,
                              .title = write_title,
                              .data = write_data,
                              .words = add_words,
                              .context = pages};
    return page_write(&page, out);
}
