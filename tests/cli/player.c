/* player.c - a person at the emulated terminal. */
#include "player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct console console;
struct vt vt;

const struct lesson_keys lesson_keys[LESSON_STEPS] = {
    {"Moving", "\rk\r", "e4-e5", "Red e4-e5.", "That is a move."},
    {"Attacking", "k\rk\r", "e5xe6", "Captain attacks, Lieutenant falls.", "The captain beats"},
    {"Equal ranks", ":a6xa7\r", "a6xa7", "Sergeant attacks Sergeant, both fall.", "Equal ranks:"},
    {"The spy and the marshal", "kkl\rh\r", "f6xe6", "Spy attacks, Marshal falls.",
     "The spy beats the"},
    {"The scout", ":b3b9\r", "b3xb9", "Scout attacks and falls, General stays.", "The scout falls"},
    {"The bomb", "kkkk\rk\r", "e8xe9", "Major attacks and falls, Bomb stays.", "A bomb beats"},
    {"The miner", "kkkk\rk\r", "e8xe9", "Miner attacks, Bomb falls.", "The bomb is gone"},
    {"The saboteur", ":e8@e9=bomb\r", "e8@e9=bomb", "Bomb on e9 is removed.", "Right, and even a"},
    {"The flag", "kkkkk\rk\r", "e9xe10", "Miner attacks, Flag falls.", "You have won."},
};

void player_comes(const char *const *arguments) {
    console_folder();
    setenv("LC_ALL", "C.UTF-8", 1);
    console_open(&console, true, arguments);
    vt_open(&vt, 24, 80);
}

void player_comes_in_shell(const char *const *arguments) {
    console_folder();
    setenv("LC_ALL", "C.UTF-8", 1);
    console_open_in_shell(&console, arguments);
    vt_open(&vt, 24, 80);
}

int player_goes(void **state) {
    (void)state;
    console_clear(&console);
    vt_close(&vt);
    return 0;
}

int await_any(const char *const *words) {
    for (;;) {
        vt_read(&vt, console.text, console.length);
        for (int i = 0; words[i]; i++)
            if (vt_shows(&vt, words[i])) return i;
        if (console_receive(&console)) continue;
        for (int row = 0; row < vt.rows; row++) print_error("%s\n", vt_row(&vt, row));
        fail_msg("\"%s\" was not shown", words[0]);
    }
}

void await(const char *words) {
    await_any(ARGUMENTS(words));
}

void type(const char *keys) {
    console_send(&console, keys);
}

void assert_lines(const char *words) {
    if (!strstr(console.text, words)) fail_msg("no \"%s\" in:\n%s", words, console.text);
}

void type_other(void) {
    type(vt_key(&vt, VTERM_KEY_UP));
    type("\r");
}

bool play_on(unsigned turn, unsigned until) {
    for (;; turn++) {
        char words[32];
        snprintf(words, sizeof words, "%u. red to move", turn);
        if (await_any(ARGUMENTS(words, "uncovered"))) return false;
        if (turn == until) return true;
        type("\t\r\t\r"); /* the next piece, to the next square */
    }
}

void lesson_heading(int step, char out[80]) {
    snprintf(out, 80, "Lesson, %d of %d: %s", step + 1, LESSON_STEPS, lesson_keys[step].title);
}

void play_lesson(void) {
    for (int i = 0; i < LESSON_STEPS; i++) {
        char title[80];
        lesson_heading(i, title);
        await(title);
        await("1. red to move");
        await("Your task: ");
        type(lesson_keys[i].keys);
        await(lesson_keys[i].done);
        await(lesson_keys[i].told);
        await("Enter go on");
        assert_false(vt_shows(&vt, "Your task: "));
        type("\r");
    }
}
