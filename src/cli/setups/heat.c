/* heat.c - draws shaded maps of the set-up zone.
 *
 * A square is two columns wide: a block element whose weight grows with the share or, with colours,
 * the share in percent. */
#include "heat.h"

#include "cli/columns.h"

enum { COLUMNS = 80, MARGIN = 3, GAP = 2, LEVELS = 5 };

static const char *const SHADES[LEVELS] = {"  ", "░░", "▒▒", "▓▓", "██"};
/* Backgrounds among the 256 colours, from dark to bright, each with a readable foreground. */
static const struct {
    int back, front;
} colours[LEVELS] = {{234, 240}, {17, 252}, {54, 255}, {166, 16}, {220, 16}};

static int map_columns(const struct rules *rules) {
    int width = MARGIN + 2 * rules->board.files;
    const int title = 24; /* "lieutenant 5, up to 10 %" */
    return (width > title ? width : title) + GAP;
}

static square heat_fullest(const struct rules *rules, const struct setup_tally *tally,
                           kind_id kind) {
    square best = 0;
    for (square at = 0; at < rules->board.squares; at++)
        if (tally->stood[kind][at] > tally->stood[kind][best]) best = at;
    return best;
}

static double heat_share(const struct setup_tally *tally, kind_id kind, square at) {
    return tally->seen ? (double)tally->stood[kind][at] / (double)tally->seen : 0;
}

/* Pads a map to the next one in its row. */
static void heat_pad(FILE *out, const struct rules *rules, int columns, bool last) {
    if (!last) fprintf(out, "%*s", map_columns(rules) - columns, "");
}

static void draw_square(const struct terminal *terminal, double part, double most) {
    int level = part > 0 ? (int)(part / most * (LEVELS - 1) + 0.5) : 0;
    if (!level && part >= 0.005) level = 1;
    if (!terminal->colour) {
        fputs(SHADES[level], terminal->out);
        return;
    }
    char percent[16] = "  ";
    int rounded = (int)(100 * part + 0.5);
    if (rounded) snprintf(percent, sizeof percent, rounded < 100 ? "%2d" : "**", rounded);
    fprintf(terminal->out, "\033[38;5;%d;48;5;%dm%s\033[0m", colours[level].front,
            colours[level].back, percent);
}

/* The title above a map. */
static void draw_title(const struct terminal *terminal, const struct language *language,
                       const struct rules *rules, const struct setup_tally *tally, kind_id kind,
                       bool last) {
    double most = heat_share(tally, kind, heat_fullest(rules, tally, kind));
    char title[256], cut[256];
    language_write(title, sizeof title, language, "{1} {2}, up to {3} %",
                   language_kind(language, rules, kind), rules->kind[kind].label,
                   NUMBER_TEXT((unsigned)(100 * most + 0.5)));
    int columns = columns_cut(cut, sizeof cut, title, map_columns(rules) - GAP);
    fputs(cut, terminal->out);
    heat_pad(terminal->out, rules, columns, last);
}

static void draw_rank(const struct terminal *terminal, const struct rules *rules,
                      const struct setup_tally *tally, kind_id kind, int rank, bool last) {
    const struct board *board = &rules->board;
    double most = heat_share(tally, kind, heat_fullest(rules, tally, kind));
    fprintf(terminal->out, "%*d ", MARGIN - 1, rank + 1);
    for (int file = 0; file < board->files; file++) {
        square at = board_square(board, file, rank);
        if (squareset_has(board->lakes, at))
            fputs("~~", terminal->out);
        else
            draw_square(terminal, heat_share(tally, kind, at), most);
    }
    heat_pad(terminal->out, rules, MARGIN + 2 * board->files, last);
}

static void draw_files(const struct terminal *terminal, const struct rules *rules, bool last) {
    fprintf(terminal->out, "%*s", MARGIN, "");
    for (int file = 0; file < rules->board.files; file++) fprintf(terminal->out, " %c", 'a' + file);
    heat_pad(terminal->out, rules, MARGIN + 2 * rules->board.files, last);
}

void heat_draw(const struct terminal *terminal, const struct language *language,
               const struct rules *rules, enum side side, const struct setup_tally *tally) {
    int abreast = COLUMNS / map_columns(rules);
    for (int first = 1; first <= rules->kinds; first += abreast) {
        int behind = first + abreast <= rules->kinds ? first + abreast : rules->kinds + 1;
        fputc('\n', terminal->out);
        for (int kind = first; kind < behind; kind++)
            draw_title(terminal, language, rules, tally, (kind_id)kind, kind + 1 == behind);
        fputc('\n', terminal->out);
        for (int rank = rules->board.zone_ranks[side] - 1; rank >= 0; rank--) {
            for (int kind = first; kind < behind; kind++)
                draw_rank(terminal, rules, tally, (kind_id)kind, rank, kind + 1 == behind);
            fputc('\n', terminal->out);
        }
        for (int kind = first; kind < behind; kind++)
            draw_files(terminal, rules, kind + 1 == behind);
        fputc('\n', terminal->out);
    }
}
