/* sheet_places.c - places by the names of their grounds, and pairs of them by their battles. */
#include "sheet_places.h"

#include <stdio.h>
#include <string.h>

enum { PLACE_TEXT_MAX = 256 };

static bool same_battles(const struct rules *rules, int from, int to, int other_from,
                         int other_to) {
    for (kind_id a = 1; a <= rules->kinds; a++)
        for (kind_id d = 1; d <= rules->kinds && (rules->mobile & kindset_of(a)); d++)
            if (rules->battles->outcome[from][to][a][d] !=
                rules->battles->outcome[other_from][other_to][a][d])
                return false;
    return true;
}

bool sheet_places_first(const struct rules *rules, int from, int to) {
    for (int f = 0; f <= from; f++)
        for (int t = 0; t < rules->battles->places; t++) {
            if (f == from && t == to) return true;
            if (same_battles(rules, f, t, from, to)) return false;
        }
    return true;
}

/* A square of the place, and the side for which it is one; SQUARE_NONE if it has none. */
static square square_of(const struct rules *rules, int place, enum side *side) {
    for (int i = RED; i <= BLUE; i++)
        for (square at = 0; at < rules->board.squares; at++)
            if (rules->battles->place[i][at] == place && squareset_has(rules->board.land, at)) {
                *side = (enum side)i;
                return at;
            }
    return SQUARE_NONE;
}

static void name_place(const struct language *language, const struct rules *rules, int place,
                       char out[PLACE_TEXT_MAX]) {
    enum side side = RED;
    const square at = square_of(rules, place, &side);
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < rules->board.grounds && at != SQUARE_NONE; i++) {
        const struct ground *ground = &rules->board.ground[i];
        const bool own = squareset_has(ground->squares[side], at);
        const bool enemys = squareset_has(ground->squares[side_other(side)], at);
        if (!own && !enemys) continue;
        if (used && used + 2 < PLACE_TEXT_MAX) used += (size_t)sprintf(out + used, "+");
        const char *form = own && enemys ? "{1}"
                           : own         ? TEXT("{1} of the attacker")
                                         : TEXT("{1} of the enemy");
        language_fill_list(out + used, PLACE_TEXT_MAX - used, language,
                           (const char *const[]){form, ground->name, NULL});
        used = strlen(out);
    }
    if (!used) snprintf(out, PLACE_TEXT_MAX, "%s", language_text(language, TEXT("other squares")));
}

/* Has the row of `from`, or the column of `to`, the battles of the pair everywhere? */
static bool whole_row(const struct rules *rules, int from, int to) {
    for (int t = 0; t < rules->battles->places; t++)
        if (!same_battles(rules, from, t, from, to)) return false;
    return true;
}

static bool whole_column(const struct rules *rules, int from, int to) {
    for (int f = 0; f < rules->battles->places; f++)
        if (!same_battles(rules, f, to, from, to)) return false;
    return true;
}

void sheet_places(const struct language *language, const struct rules *rules, int from, int to,
                  char *out, size_t size) {
    size_t used = 0;
    out[0] = 0;
    for (int f = 0; f < rules->battles->places; f++)
        for (int t = 0; t < rules->battles->places; t++) {
            char left[PLACE_TEXT_MAX], right[PLACE_TEXT_MAX];
            if (!same_battles(rules, f, t, from, to)) continue;
            const bool column = whole_column(rules, f, t), row = !column && whole_row(rules, f, t);
            if ((column && f) || (row && t)) continue;
            const char *any = language_text(language, TEXT("any square"));
            name_place(language, rules, f, left);
            name_place(language, rules, t, right);
            const int more = snprintf(out + used, size - used, "%s%s → %s", used ? "; " : "",
                                      column ? any : left, row ? any : right);
            if (more < 0 || used + (size_t)more >= size) {
                out[used] = 0;
                return;
            }
            used += (size_t)more;
        }
}
