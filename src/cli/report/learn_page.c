/* learn_page.c - the data of learning's page, as learning.js reads them. */
#include "learn_page.h"

#include "embedded.h"
#include "host/learn/strength_test.h"
#include "host/report/summary.h"
#include "page.h"

#include <inttypes.h>
#include <math.h>

struct lesson_page {
    const struct trainer *trainer;
    const struct language *language;
};

static json_t *share_json(double share) {
    return isfinite(share) ? json_real(round(share * 1e4) / 1e4) : json_null();
}

static json_t *notes_json(const struct trainer_state *state) {
    json_t *notes = json_array();
    for (int i = 0; i < state->notes; i++) {
        const struct trainer_note *note = &state->note[i];
        json_array_append_new(notes, json_pack("[I, o, o, o, o]", (json_int_t)note->games,
                                               share_json(note->against_first / 100),
                                               share_json(note->against_past / 100),
                                               share_json(note->plies), share_json(note->draws)));
    }
    return notes;
}

static json_t *strength_test_json(const struct trainer_state *state) {
    json_t *ladder = json_array();
    for (int i = 0; i < state->rungs; i++) {
        const struct trainer_rung *rung = &state->rung[i];
        const struct statistics *first = &rung->against[0];
        json_t *scores = json_array();
        for (int r = 0; r < TRAINER_RIVALS; r++) {
            const struct summary_score score = summary_score(&rung->against[r]);
            json_array_append_new(scores, json_pack("[o, o, o]", share_json(score.score),
                                                    share_json(score.low), share_json(score.high)));
        }
        json_array_append_new(
            ladder,
            json_pack("{s:I, s:I, s:o}", "games", (json_int_t)rung->games, "played",
                      (json_int_t)(first->wins + first->draws + first->losses), "scores", scores));
    }
    return ladder;
}

static json_t *learning_json(const struct lesson_page *page) {
    const struct trainer *trainer = page->trainer;
    const struct trainer_state *state = &trainer->state;
    char seed[24];
    json_t *rivals = json_array();
    for (int i = 0; i < TRAINER_RIVALS; i++)
        json_array_append_new(rivals, json_string(STRENGTH_TEST_RIVALS[i]));
    snprintf(seed, sizeof seed, "%" PRIu64, state->seed);
    return json_pack("{s:s, s:s, s:s, s:i, s:I, s:i, s:o, s:o, s:o}", "variant",
                     trainer->rules->name, "title", language_title(page->language, trainer->rules),
                     "seed", seed, "opponents", trainer->opponent_count, "games",
                     (json_int_t)(state->classes * CLASS_GAMES), "compared", TRAINER_NOTE_GAMES,
                     "notes", notes_json(state), "rivals", rivals, "ladder",
                     strength_test_json(state));
}

static void write_title(const void *context, FILE *out) {
    const struct lesson_page *page = context;
    page_text(language_title(page->language, page->trainer->rules), out);
    fputs(": ", out);
    page_text(language_text(page->language, TEXT("Learning report")), out);
}

static bool write_data(const void *context, FILE *out) {
    page_data_begin("learning", out);
    bool written = page_json(learning_json(context), out);
    page_data_end(out);
    return written;
}

bool learn_page_write(const struct trainer *trainer, const struct language *language, FILE *out) {
    static const unsigned char *const scripts[] = {dom_js, charts_js, learning_js, NULL};
    const struct lesson_page data = {trainer, language};
    const struct page page = {.language = language,
                              .scripts = scripts,
                              .title = write_title,
                              .data = write_data,
                              .context = &data};
    return page_write(&page, out);
}
