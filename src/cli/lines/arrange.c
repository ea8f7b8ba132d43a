/* arrange.c - a human's set-up phase in line mode.
 *
 * The set-up on the board is always valid: a command that would make it invalid is refused. */
#include "arrange.h"

#include "host/setups/setup_library.h"
#include "host/setups/setup_pool.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *command, *what;
} HELP[] = {
    {"random", TEXT("another random army")},
    {"swap a1 b2", TEXT("swap two squares")},
    {"mirror", TEXT("mirror left and right")},
    {"load SETUP", TEXT("a set-up by its name, or from a file")},
    {"show", TEXT("the board again")},
    {"ok", TEXT("begin")},
    {"quit", TEXT("leave")},
};

static void arrange_help(const struct line_input *input) {
    for (size_t i = 0; i < sizeof HELP / sizeof HELP[0]; i++) {
        fprintf(input->terminal.out, "  %-12s %s\n", HELP[i].command,
                language_text(input->language, HELP[i].what));
    }
}

static void arrange_draw(struct line_input *input, const struct rules *rules, enum side side,
                         const struct setup *setup) {
    cell cells[BOARD_SQUARES_MAX] = {0};
    for (square at = 0; at < rules->board.squares; at++) {
        kind_id kind = setup->at[board_own(&rules->board, side, at)];
        if (kind != KIND_NONE) cells[at] = cell_of(side, kind);
    }
    struct picture picture;
    picture_cells(&picture, rules, cells);
    picture.below = side;
    terminal_draw(&input->terminal, &picture, NULL, 0);
}

/* Two squares from "a1 b2" or "a1-b2"; false with a fault. */
static bool read_pair(const struct rules *rules, const char *text, square pair[2],
                      struct fault *fault) {
    for (int i = 0; i < 2; i++) {
        text += strspn(text, " \t-,");
        size_t used = square_read(&rules->board, text, strlen(text), &pair[i]);
        if (!used || pair[i] == SQUARE_NONE) {
            return fault_set(fault, STATUS_TEXT,
                             "swap takes two squares of the board, as in \"swap a1 b2\"");
        }
        text += used;
    }
    return !*text || fault_set(fault, STATUS_TEXT, "unexpected \"%s\" after the two squares", text);
}

/* Carries out one command on `setup`. False with a fault if it fails. */
static bool arrange_change(const struct folders *folders, const struct rules *rules, enum side side,
                           const char *line, struct random *random, struct setup *setup,
                           struct fault *fault) {
    if (!strcmp(line, "random")) return setup_random(rules, side, random, setup, fault);
    if (!strcmp(line, "mirror")) {
        struct setup before = *setup;
        setup_mirror(rules, &before, setup);
        return true;
    }
    if (!strncmp(line, "swap", 4)) {
        square pair[2];
        if (!read_pair(rules, line + 4, pair, fault)) return false;
        kind_id *a = &setup->at[board_own(&rules->board, side, pair[0])];
        kind_id *b = &setup->at[board_own(&rules->board, side, pair[1])];
        kind_id kept = *a;
        *a = *b;
        *b = kept;
        return true;
    }
    if (!strncmp(line, "load ", 5)) {
        const char *word = line + 5 + strspn(line + 5, " ");
        return setup_library_load(folders, rules, side, word, random, setup, fault);
    }
    return fault_set(fault, STATUS_TEXT, "unknown command \"%s\", try \"help\"", line);
}

static void arrange_complain(struct line_input *input, const struct fault *fault) {
    char text[FAULT_FILE_MAX + LANGUAGE_TEXT_MAX];
    language_fault_line(input->language, fault, text, sizeof text);
    fprintf(input->terminal.out, "%s\n", text);
}

bool arrange_ask(struct line_input *input, const struct rules *rules, enum side side,
                 struct random *random, struct setup *setup, struct fault *fault) {
    char line[LINE_INPUT_MAX], prompt[128];
    if (!setup_check(rules, side, setup, NULL) && !setup_random(rules, side, random, setup, fault))
        return false;
    line_input_hand_over(input, side, "");
    language_line(input->terminal.out, input->language,
                  side == RED
                      ? TEXT("Red, this is your army. Change it or type \"ok\" to begin.")
                      : TEXT("Blue, this is your army. Change it or type \"ok\" to begin."));
    arrange_draw(input, rules, side, setup);
    snprintf(prompt, sizeof prompt, "%s (ok, random, swap a1 b2, help)> ",
             language_text(input->language,
                           side == RED ? TEXT("set-up of red") : TEXT("set-up of blue")));
    while (line_input_ask(input, prompt, line)) {
        struct fault why = {0};
        struct setup changed = *setup;
        if (line_input_quits(line)) {
            return false;
        } else if (!strcmp(line, "ok")) {
            return true;
        } else if (!*line || !strcmp(line, "help")) {
            arrange_help(input);
        } else if (!strcmp(line, "show")) {
            arrange_draw(input, rules, side, setup);
        } else if (arrange_change(input->folders, rules, side, line, random, &changed, &why) &&
                   setup_check(rules, side, &changed, &why)) {
            *setup = changed;
            arrange_draw(input, rules, side, setup);
        } else {
            arrange_complain(input, &why);
        }
    }
    return false;
}
