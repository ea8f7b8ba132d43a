/* vt.c - the terminal of a test. */
#include "vt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_property(VTermProp property, VTermValue *value, void *user) {
    struct vt *vt = user;
    if (property == VTERM_PROP_ALTSCREEN) vt->other = value->boolean;
    if (property == VTERM_PROP_CURSORVISIBLE) vt->hides_cursor = !value->boolean;
    if (property == VTERM_PROP_MOUSE) vt->mouse = value->number;
    return 1;
}

static int refuse_sequence(const char *leader, const long *arguments, int count, const char *middle,
                           char final, void *user) {
    (void)arguments, (void)count, (void)middle, (void)user;
    if (final == 't') return 1; /* saves or restores the window's title */
    fprintf(stderr, "vt: unknown sequence \\033[%s...%c\n", leader ? leader : "", final);
    abort();
}

static void take_sent(const char *bytes, size_t length, void *user) {
    struct vt *vt = user;
    size_t before = strlen(vt->sent);
    if (length >= sizeof vt->sent - before) abort();
    memcpy(vt->sent + before, bytes, length);
    vt->sent[before + length] = 0;
}

void vt_open(struct vt *vt, int rows, int columns) {
    static const VTermScreenCallbacks SCREEN = {.settermprop = set_property};
#if VTERM_VERSION_MAJOR == 0 && VTERM_VERSION_MINOR < 2
    static const VTermParserCallbacks UNKNOWN = {.csi = refuse_sequence};
#else
    static const VTermStateFallbacks UNKNOWN = {.csi = refuse_sequence};
#endif
    *vt = (struct vt){.term = vterm_new(rows, columns), .rows = rows, .columns = columns};
    vterm_set_utf8(vt->term, true);
    vterm_output_set_callback(vt->term, take_sent, vt);
    vt->screen = vterm_obtain_screen(vt->term);
    vterm_screen_set_callbacks(vt->screen, &SCREEN, vt);
    vterm_screen_set_unrecognised_fallbacks(vt->screen, &UNKNOWN, NULL);
    vterm_screen_enable_altscreen(vt->screen, true);
    vterm_screen_reset(vt->screen, true);
}

void vt_close(struct vt *vt) {
    if (vt->term) vterm_free(vt->term);
    *vt = (struct vt){0};
}

void vt_resize(struct vt *vt, int rows, int columns) {
    vt->rows = rows;
    vt->columns = columns;
    vterm_set_size(vt->term, rows, columns);
}

/* libvterm reads only the first mode of "\033[?1006;1000h", so each is passed on by itself. */
void vt_read(struct vt *vt, const char *output, size_t length) {
    *vt->sent = 0;
    for (; vt->used < length; vt->used++) {
        const char *at = output + vt->used;
        if (*at == '?')
            vt->in_modes = vt->used >= 2 && memcmp(at - 2, "\033[", 2) == 0;
        else if (!strchr("0123456789;", *at))
            vt->in_modes = false;
        if (vt->in_modes && *at == ';') {
            const char *final = at + strspn(at, "0123456789;");
            if (!*final) return;
            vterm_input_write(vt->term, final, 1);
            vterm_input_write(vt->term, "\033[?", 3);
        } else {
            vterm_input_write(vt->term, at, 1);
        }
    }
    if (!*vt->sent) return;
    fprintf(stderr, "vt: the program queries the terminal; no test answers\n");
    abort();
}

const char *vt_row(const struct vt *vt, int row) {
    static char text[VT_COLUMNS_MAX * VTERM_MAX_CHARS_PER_CELL * 4 + 1];
    VTermRect cells = {row, row + 1, 0, vt->columns};
    size_t length = vterm_screen_get_text(vt->screen, text, sizeof text - 1, cells);
    while (length && text[length - 1] == ' ') length--;
    text[length] = 0;
    return text;
}

bool vt_shows(const struct vt *vt, const char *text) {
    for (int row = 0; row < vt->rows; row++)
        if (strstr(vt_row(vt, row), text)) return true;
    return false;
}

int vt_await_any(struct vt *vt, struct console *console, const char *const *words) {
    for (;;) {
        vt_read(vt, console->text, console->length);
        for (int i = 0; words[i]; i++)
            if (vt_shows(vt, words[i])) return i;
        if (!console_receive(console)) {
            for (int row = 0; row < vt->rows; row++) print_error("%s\n", vt_row(vt, row));
            fail_msg("\"%s\" was not shown", words[0]);
        }
    }
}

void vt_await_gone(struct vt *vt, struct console *console, const char *text) {
    vt_read(vt, console->text, console->length);
    while (vt_shows(vt, text)) {
        if (!console_receive(console)) fail_msg("\"%s\" is still shown", text);
        vt_read(vt, console->text, console->length);
    }
}

VTermScreenCell vt_cell(const struct vt *vt, int row, int column) {
    VTermScreenCell cell = {0};
    vterm_screen_get_cell(vt->screen, (VTermPos){row, column}, &cell);
    return cell;
}

VTermPos vt_cursor(const struct vt *vt) {
    VTermPos position;
    vterm_state_get_cursorpos(vterm_obtain_state(vt->term), &position);
    return position;
}

const char *vt_key(struct vt *vt, VTermKey key) {
    *vt->sent = 0;
    vterm_keyboard_key(vt->term, key, VTERM_MOD_NONE);
    return vt->sent;
}

const char *vt_click(struct vt *vt, int row, int column) {
    *vt->sent = 0;
    if (vt->mouse == VTERM_PROP_MOUSE_NONE) return vt->sent;
    vterm_mouse_move(vt->term, row, column, VTERM_MOD_NONE);
    vterm_mouse_button(vt->term, 1, true, VTERM_MOD_NONE);
    vterm_mouse_button(vt->term, 1, false, VTERM_MOD_NONE);
    return vt->sent;
}

bool vt_is_given_back(struct vt *vt) {
    return !vt->other && !vt->hides_cursor && vt->mouse == VTERM_PROP_MOUSE_NONE &&
           strcmp(vt_key(vt, VTERM_KEY_DOWN), "\033[B") == 0;
}
