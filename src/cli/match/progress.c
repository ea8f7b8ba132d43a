/* progress.c - the progress line of a match, cut to the width of the terminal; the most important
 * figures come first. */
#include "progress.h"

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 512, USUAL_COLUMNS = 80, INTERVAL_MS = 100 /* between two lines */ };

struct progress_line {
    char text[LINE_MAX_BYTES];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void line_add(struct progress_line *line,
                                                           const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line->text + line->used, sizeof line->text - line->used, format, args);
    va_end(args);
    if (length > 0) line->used += (size_t)length;
    if (line->used >= sizeof line->text) line->used = sizeof line->text - 1;
}

/* Adds an English pattern in the language, with its arguments. */
#define line_say(line, ...) line_say_list(line, (const char *const[]){__VA_ARGS__, NULL})

static void line_say_list(struct progress_line *line, const char *const *texts) {
    line->used += language_fill_list(line->text + line->used, sizeof line->text - line->used,
                                     cli_tongue(), texts);
}

void progress_open(struct progress *progress) {
    *progress = (struct progress){.shown = isatty(STDERR_FILENO)};
    pthread_mutex_init(&progress->lock, NULL);
    progress->start = clock_ms();
}

/* "3:07", "1:02:45". */
static void write_time(char *out, size_t size, double seconds) {
    *out = 0;
    if (!(seconds < 1e8)) return;
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole >= 3600)
        snprintf(out, size, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(out, size, "%lu:%02lu", whole / 60, whole % 60);
}

static void line_add_two(struct progress_line *line, const struct tournament *match) {
    const struct statistics *first = &match->statistics[0];
    struct elo elo = statistics_elo(first);
    line_add(line, "  +%" PRIu32 " =%" PRIu32 " -%" PRIu32, first->wins, first->draws,
             first->losses);
    if (isfinite(elo.low) && isfinite(elo.high))
        line_add(line, "  Elo %+.1f ± %.1f", elo.difference, (elo.high - elo.low) / 2);
}

static void line_add_leader(struct progress_line *line, const struct tournament *match) {
    int leader = 0;
    double best = -1;
    for (int i = 0; i < match->player_count; i++) {
        double score = statistics_score(&match->statistics[i]);
        if (score > best) {
            best = score;
            leader = i;
        }
    }
    char score[32];
    snprintf(score, sizeof score, "%.1f %%", 100 * best);
    if (best >= 0) line_say(line, "  {1} leads, {2}", match->name[leader], score);
}

static void show(struct progress *progress, const struct tournament *match,
                 const struct sprt *sprt) {
    int64_t now = clock_ms();
    if (!progress->begun) {
        /* Games found in the store are counted before the first new one. */
        progress->begun = true;
        progress->first = match->found;
    }
    if (match->counted < match->game_count && now < progress->last + INTERVAL_MS) return;
    progress->last = now;
    struct progress_line line = {.used = 0};
    double passed = (double)(now - progress->start) / 1000;
    double played = match->counted > progress->first ? match->counted - progress->first : 0;
    double rate = passed > 0 ? played / passed : 0;
    line_say(&line, "{1} of {2} games", NUMBER_TEXT(match->counted),
             NUMBER_TEXT(match->game_count));
    if (rate > 0) {
        line_add(&line, rate < 10 ? "  %.2f/s  " : "  %.0f/s  ", rate);
        char left[32];
        write_time(left, sizeof left, (match->game_count - match->counted) / rate);
        line_say(&line, "{1} left", left);
    }
    if (progress->told[0]) line_add(&line, "  %s", progress->told);
    if (match->player_count == 2)
        line_add_two(&line, match);
    else
        line_add_leader(&line, match);
    if (sprt) {
        line_add(&line, "  LLR %.2f (%.2f … %.2f)", sprt_llr(sprt, match->statistics[0].pairs),
                 sprt_lower(sprt), sprt_upper(sprt));
    }
    struct winsize size = {0};
    int columns =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : USUAL_COLUMNS;
    char shown[LINE_MAX_BYTES];
    columns_cut(shown, sizeof shown, line.text, columns - 1);
    fprintf(stderr, "\r%s\033[K", shown);
    fflush(stderr);
}

void progress_show(struct progress *progress, const struct tournament *match,
                   const struct sprt *sprt) {
    if (!progress->shown) return;
    pthread_mutex_lock(&progress->lock);
    show(progress, match, sprt);
    pthread_mutex_unlock(&progress->lock);
}

void progress_tell(struct progress *progress, const char *text) {
    pthread_mutex_lock(&progress->lock);
    snprintf(progress->told, sizeof progress->told, "%s", text);
    pthread_mutex_unlock(&progress->lock);
}

void progress_close(struct progress *progress) {
    if (progress->shown && progress->begun) fputs("\r\033[K", stderr);
}
