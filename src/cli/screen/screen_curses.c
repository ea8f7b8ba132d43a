/* screen_curses.c - the terminal as a screen, through ncurses.
 *
 * Signal handlers write to the screen's pipe, so a signal between the check and the wait is not
 * lost. SIGTSTP is obeyed there too: ncurses' own handler may run in any thread, in the midst of a
 * drawing, and its stop is lost when another thread takes it. The bytes that restore the terminal
 * after a crash are prepared in advance, since a signal handler may call very little. */
#define _GNU_SOURCE /* pipe2 */
#include "screen_curses.h"

#include "base/clock.h"
#include "base/utf8.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#undef columns /* a capability in term.h */

enum { ESCAPE_DELAY_MS = 25, RESTORE_MAX = 256, MANY_COLOURS = 256, REDRAW_KEY = 'L' & 0x1F };

struct look {
    attr_t attributes;
    short ink, ground; /* -1: the terminal's own */
};

/* What matters has its own ground colour, so light and dark terminals both show it; ink on the
 * terminal's own ground is of medium brightness. */
static const struct look MANY[STYLE_COUNT] = {
    [STYLE_PLAIN] = {A_NORMAL, -1, -1},      [STYLE_DIM] = {A_NORMAL, 244, -1},
    [STYLE_TITLE] = {A_BOLD, -1, -1},        [STYLE_STRONG] = {A_BOLD, -1, -1},
    [STYLE_KEY] = {A_BOLD, 32, -1},          [STYLE_WARNING] = {A_BOLD, 160, -1},
    [STYLE_FRAME] = {A_NORMAL, -1, -1},      [STYLE_CHOSEN] = {A_NORMAL, 16, 220},
    [STYLE_FIELD] = {A_NORMAL, 16, 252},     [STYLE_RED] = {A_BOLD, 160, -1},
    [STYLE_BLUE] = {A_BOLD, 32, -1},         [STYLE_FREE] = {A_NORMAL, 245, -1},
    [STYLE_LAKE] = {A_NORMAL, 23, 73},       [STYLE_RED_PIECE] = {A_BOLD, 231, 124},
    [STYLE_BLUE_PIECE] = {A_BOLD, 231, 26},  [STYLE_RED_BACK] = {A_NORMAL, 217, 88},
    [STYLE_BLUE_BACK] = {A_NORMAL, 153, 19}, [STYLE_CURSOR] = {A_BOLD, 16, 226},
    [STYLE_SELECTED] = {A_BOLD, 16, 82},     [STYLE_TARGET] = {A_NORMAL, 16, 114},
    [STYLE_ADVISED] = {A_BOLD, 16, 51},      [STYLE_GUESS] = {A_NORMAL, 16, 250},
    [STYLE_LAST] = {A_BOLD, 16, 214},        [STYLE_BATTLE] = {A_BOLD, 231, 127},
};

static const struct look EIGHT[STYLE_COUNT] = {
    [STYLE_PLAIN] = {A_NORMAL, -1, -1},
    [STYLE_DIM] = {A_DIM, -1, -1},
    [STYLE_TITLE] = {A_BOLD, -1, -1},
    [STYLE_STRONG] = {A_BOLD, -1, -1},
    [STYLE_KEY] = {A_BOLD, -1, -1},
    [STYLE_WARNING] = {A_BOLD, COLOR_RED, -1},
    [STYLE_FRAME] = {A_NORMAL, -1, -1},
    [STYLE_CHOSEN] = {A_NORMAL, COLOR_BLACK, COLOR_YELLOW},
    [STYLE_FIELD] = {A_UNDERLINE, -1, -1},
    [STYLE_RED] = {A_BOLD, COLOR_RED, -1},
    [STYLE_BLUE] = {A_BOLD, COLOR_BLUE, -1},
    [STYLE_FREE] = {A_NORMAL, -1, -1},
    [STYLE_LAKE] = {A_NORMAL, COLOR_BLACK, COLOR_CYAN},
    [STYLE_RED_PIECE] = {A_BOLD, COLOR_WHITE, COLOR_RED},
    [STYLE_BLUE_PIECE] = {A_BOLD, COLOR_WHITE, COLOR_BLUE},
    [STYLE_RED_BACK] = {A_NORMAL, COLOR_WHITE, COLOR_RED},
    [STYLE_BLUE_BACK] = {A_NORMAL, COLOR_WHITE, COLOR_BLUE},
    [STYLE_CURSOR] = {A_NORMAL, COLOR_BLACK, COLOR_YELLOW},
    [STYLE_SELECTED] = {A_BOLD | A_REVERSE, -1, -1},
    [STYLE_TARGET] = {A_NORMAL, COLOR_BLACK, COLOR_GREEN},
    [STYLE_ADVISED] = {A_BOLD, COLOR_BLACK, COLOR_CYAN},
    [STYLE_GUESS] = {A_NORMAL, COLOR_BLACK, COLOR_WHITE},
    [STYLE_LAST] = {A_NORMAL, COLOR_BLACK, COLOR_MAGENTA},
    [STYLE_BATTLE] = {A_BOLD, COLOR_WHITE, COLOR_MAGENTA},
};

static const attr_t NO_COLOURS[STYLE_COUNT] = {
    [STYLE_DIM] = A_DIM,
    [STYLE_TITLE] = A_BOLD,
    [STYLE_STRONG] = A_BOLD,
    [STYLE_KEY] = A_BOLD,
    [STYLE_WARNING] = A_BOLD,
    [STYLE_CHOSEN] = A_REVERSE,
    [STYLE_FIELD] = A_UNDERLINE,
    [STYLE_RED] = A_BOLD,
    [STYLE_BLUE] = A_BOLD,
    [STYLE_RED_PIECE] = A_BOLD,
    [STYLE_BLUE_PIECE] = A_BOLD,
    [STYLE_CURSOR] = A_REVERSE,
    [STYLE_SELECTED] = A_REVERSE,
    [STYLE_TARGET] = A_BOLD | A_UNDERLINE,
    [STYLE_ADVISED] = A_BOLD | A_UNDERLINE,
    [STYLE_GUESS] = A_UNDERLINE,
    [STYLE_LAST] = A_BOLD,
    [STYLE_BATTLE] = A_BOLD | A_REVERSE,
};

static const struct {
    int code, key;
} KEYS[] = {
    {KEY_UP, SCREEN_UP},
    {KEY_DOWN, SCREEN_DOWN},
    {KEY_LEFT, SCREEN_LEFT},
    {KEY_RIGHT, SCREEN_RIGHT},
    {KEY_HOME, SCREEN_HOME},
    {KEY_END, SCREEN_END},
    {KEY_PPAGE, SCREEN_PAGE_UP},
    {KEY_NPAGE, SCREEN_PAGE_DOWN},
    {KEY_BTAB, SCREEN_BACK_TAB},
    {KEY_DC, SCREEN_DELETE},
    {KEY_BACKSPACE, SCREEN_BACKSPACE},
    {KEY_ENTER, SCREEN_ENTER},
    {KEY_F(1), SCREEN_F1},
    {KEY_F(2), SCREEN_F2},
};

static const int CLOSING[] = {SIGHUP, SIGINT, SIGTERM};
static const int CRASHES[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
enum { CLOSINGS = sizeof CLOSING / sizeof *CLOSING, CRASHING = sizeof CRASHES / sizeof *CRASHES };

/* A process has one terminal. */
static struct {
    struct screen *screen;
    SCREEN *term;
    attr_t attributes[STYLE_COUNT];
    short pair[STYLE_COUNT];
    struct termios before;
    char restore[RESTORE_MAX]; /* bytes that restore the terminal */
    size_t restore_length;
    struct sigaction closing[CLOSINGS], crash[CRASHING], resized, goes_on, stopped,
        broken_pipe; /* before */
} own;

static volatile sig_atomic_t pending_signal, pending_resize, pending_stop;

static void on_closing(int number) {
    pending_signal = number;
    screen_wake(own.screen);
}

/* Also when the process goes on after a stop: it was not told what happened to the window. */
static void on_resize(int number) {
    (void)number;
    pending_resize = 1;
    screen_wake(own.screen);
}

static void on_stop(int number) {
    (void)number;
    pending_stop = 1;
    screen_wake(own.screen);
}

/* Restores the terminal and leaves the fault to the previous handler. */
static void on_crash(int number, siginfo_t *info, void *context) {
    (void)context;
    ssize_t written = write(STDOUT_FILENO, own.restore, own.restore_length);
    (void)written;
    tcsetattr(STDIN_FILENO, TCSANOW, &own.before);
    for (int i = 0; i < CRASHING; i++)
        if (CRASHES[i] == number) sigaction(number, &own.crash[i], NULL);
    if (info->si_code <= 0) raise(number); /* sent by kill(): it would not recur by itself */
}

static int restore_byte(int byte) {
    if (own.restore_length < RESTORE_MAX) own.restore[own.restore_length++] = (char)byte;
    return byte;
}

static void prepare_restore(void) {
    static const char *const NAMES[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
    static const char MOUSE_OFF[] = "\033[?1006l\033[?1000l";
    own.restore_length = 0;
    if (key_defined("\033[M") || tigetstr("kmous") > (char *)0)
        for (const char *byte = MOUSE_OFF; *byte; byte++) restore_byte(*byte);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char name[8];
        strcpy(name, NAMES[i]);
        const char *text = tigetstr(name);
        if (text && text != (const char *)-1) tputs(text, 1, restore_byte);
    }
}

static void prepare_styles(void) {
    const char *none = getenv("NO_COLOR");
    bool colours = !(none && *none) && has_colors() && start_color() == OK && COLORS >= 8 &&
                   COLOR_PAIRS > STYLE_COUNT && use_default_colors() == OK;
    for (int style = 0; style < STYLE_COUNT; style++) {
        const struct look *look = COLORS >= MANY_COLOURS ? &MANY[style] : &EIGHT[style];
        own.attributes[style] = colours ? look->attributes : NO_COLOURS[style];
        own.pair[style] = 0;
        if (!colours || (look->ink < 0 && look->ground < 0)) continue;
        own.pair[style] = (short)(style + 1);
        init_pair(own.pair[style], look->ink, look->ground);
    }
}

static void take_signals(void) {
    struct sigaction action = {.sa_handler = on_closing};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < CLOSINGS; i++) sigaction(CLOSING[i], &action, &own.closing[i]);
    action.sa_handler = on_resize;
    sigaction(SIGWINCH, &action, &own.resized);
    sigaction(SIGCONT, &action, &own.goes_on);
    action.sa_handler = on_stop;
    sigaction(SIGTSTP, &action, &own.stopped);
    if (own.stopped.sa_handler == SIG_IGN) sigaction(SIGTSTP, &own.stopped, NULL);
    action.sa_handler = SIG_IGN; /* a lost terminal shows as end of input */
    sigaction(SIGPIPE, &action, &own.broken_pipe);
    struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO};
    sigemptyset(&crash.sa_mask);
    for (int i = 0; i < CRASHING; i++) sigaction(CRASHES[i], &crash, &own.crash[i]);
}

static void give_signals_back(void) {
    for (int i = 0; i < CLOSINGS; i++) sigaction(CLOSING[i], &own.closing[i], NULL);
    for (int i = 0; i < CRASHING; i++) sigaction(CRASHES[i], &own.crash[i], NULL);
    sigaction(SIGWINCH, &own.resized, NULL);
    sigaction(SIGCONT, &own.goes_on, NULL);
    sigaction(SIGTSTP, &own.stopped, NULL);
    sigaction(SIGPIPE, &own.broken_pipe, NULL);
}

static void curses_show(struct screen *screen) {
    for (int row = 0; row < screen->rows; row++) {
        for (int column = 0; column < screen->columns; column++) {
            const struct screen_cell *drawn = screen_cell(screen, row, column);
            wchar_t glyph[SCREEN_GLYPH_MAX + 1] = {0};
            cchar_t shown;
            if (!drawn->glyph[0]) continue;
            memcpy(glyph, drawn->glyph, sizeof drawn->glyph);
            setcchar(&shown, glyph, own.attributes[drawn->style], own.pair[drawn->style], NULL);
            mvadd_wch(row, column, &shown);
        }
    }
    bool cursor = screen->cursor_row >= 0;
    if (cursor) move(screen->cursor_row, screen->cursor_column);
    curs_set(cursor);
    refresh();
}

static struct screen_event mouse_event(void) {
    MEVENT mouse;
    struct screen_event event = {.type = SCREEN_TIMEOUT};
    if (getmouse(&mouse) != OK) return event;
    event.row = mouse.y;
    event.column = mouse.x;
    if (mouse.bstate & BUTTON1_PRESSED) event.type = SCREEN_MOUSE;
    if (mouse.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
        event.type = SCREEN_WHEEL;
        event.key = mouse.bstate & BUTTON4_PRESSED ? SCREEN_UP : SCREEN_DOWN;
    }
    return event;
}

/* The next key or mouse event that has arrived; SCREEN_TIMEOUT if none has. */
static struct screen_event key_event(void) {
    wint_t code;
    struct screen_event event = {.type = SCREEN_TIMEOUT};
    for (;;) {
        int got = get_wch(&code);
        if (got == ERR) return event;
        if (got == KEY_CODE_YES && code == KEY_MOUSE) {
            event = mouse_event();
            if (event.type != SCREEN_TIMEOUT) return event;
            continue;
        }
        if (got == OK && code == REDRAW_KEY) { /* another program wrote to the terminal */
            redrawwin(stdscr);
            refresh();
            continue;
        }
        event.type = SCREEN_KEY;
        if (got == OK) {
            event.key = code == '\r' ? SCREEN_ENTER : code == 0x7F ? SCREEN_BACKSPACE : (int)code;
            return event;
        }
        for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
            event.key = KEYS[i].key;
            if (KEYS[i].code == (int)code) return event;
        }
        event.type = SCREEN_TIMEOUT; /* an unknown key */
    }
}

static bool follow_size(struct screen *screen) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
        return screen_resize(screen, LINES, COLS);
    resizeterm(size.ws_row, size.ws_col);
    return screen_resize(screen, size.ws_row, size.ws_col);
}

/* Stops this process with the terminal as it was before; whoever lets it go on finds the screen. */
static void stop_here(void) {
    pending_stop = 0;
    endwin();
    kill(getpid(), SIGSTOP);
    pending_resize = 1;
}

/* Is the terminal gone? Readable without a byte means end of input. */
static bool is_gone(const struct pollfd *input) {
    int waiting = 0;
    if (!input->revents) return false;
    return !(input->revents & POLLIN) || ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || !waiting;
}

static struct screen_event curses_wait(struct screen *screen, int timeout_ms) {
    int64_t deadline = clock_ms() + timeout_ms;
    bool looked = false;
    for (;;) {
        if (pending_signal) {
            screen->signal = pending_signal;
            return (struct screen_event){.type = SCREEN_CLOSED};
        }
        if (pending_stop) stop_here();
        if (pending_resize) {
            pending_resize = 0;
            if (!follow_size(screen)) return (struct screen_event){.type = SCREEN_CLOSED};
            return (struct screen_event){.type = SCREEN_RESIZE};
        }
        struct screen_event event = key_event();
        if (event.type != SCREEN_TIMEOUT) return event;
        int left = timeout_ms < 0 ? -1 : clock_left(deadline);
        if (looked && !left) return event;
        looked = true;
        int changed = screen->changes ? changes_descriptor(screen->changes) : -1;
        struct pollfd ready[3] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                  {.fd = screen->wake[0], .events = POLLIN},
                                  {.fd = changed, .events = POLLIN}};
        if (poll(ready, 3, left) < 0) continue;
        char bytes[64];
        bool woken = false;
        while (read(screen->wake[0], bytes, sizeof bytes) > 0) woken = true;
        if (pending_signal || pending_stop || pending_resize) continue;
        if (is_gone(&ready[0])) return (struct screen_event){.type = SCREEN_CLOSED};
        if (ready[2].revents && changes_happened(screen->changes)) {
            screen->interrupted = true;
            return (struct screen_event){.type = SCREEN_CLOSED};
        }
        if (woken) return (struct screen_event){.type = SCREEN_WOKEN};
    }
}

static void curses_close(struct screen *screen) {
    (void)screen;
    if (own.term) {
        curs_set(1);
        endwin();
        delscreen(own.term);
    }
    give_signals_back();
    own.term = NULL;
    own.screen = NULL;
}

static const struct screen_device DEVICE = {curses_show, curses_wait, curses_close};

bool screen_curses_usable(const struct language *language) {
    enum { SHOWN = 40 }; /* bytes of a name that is not one */
    const char *whole = getenv("TERM");
    char name[SHOWN + 1] = "";
    int failure;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return false;
    const bool known = setupterm(NULL, STDOUT_FILENO, &failure) == OK;
    const char *cup = known ? tigetstr((char[]){"cup"}) : NULL;
    const bool usable = cup && cup != (const char *)-1;
    if (known) del_curterm(cur_term);
    if (usable) return true;
    if (whole)
        snprintf(name, sizeof name, "%.*s",
                 (int)(strlen(whole) > SHOWN ? utf8_cut(whole, SHOWN) : SHOWN), whole);
    if (!*name)
        language_line(stderr, language,
                      "ensign: plain lines instead of the screen: TERM is not set; "
                      "TERM=xterm-256color suits most terminals");
    else if (!known)
        language_line(stderr, language,
                      "ensign: plain lines instead of the screen: this system does not know the "
                      "terminal \"{1}\"; TERM=xterm-256color suits most",
                      name);
    else
        language_line(stderr, language,
                      "ensign: plain lines instead of the screen: the cursor of the terminal "
                      "\"{1}\" cannot be moved; TERM=xterm-256color suits most",
                      name);
    return false;
}

bool screen_curses_open(struct screen *screen, struct fault *fault) {
    pending_signal = pending_resize = pending_stop = 0;
    tcgetattr(STDIN_FILENO, &own.before);
    if (!screen_start(screen, &DEVICE, NULL, 24, 80))
        return fault_set(fault, STATUS_SYSTEM, "the screen: %s", strerror(errno));
    own.screen = screen;
    take_signals();
    own.term = newterm(NULL, stdout, stdin);
    if (!own.term) {
        screen_close(screen);
        return fault_set(fault, STATUS_SYSTEM, "the terminal cannot be used as a screen");
    }
    set_escdelay(ESCAPE_DELAY_MS);
    cbreak();
    noecho();
    nonl(); /* tells Enter from Control-J, which some terminals send in pasted text */
    nodelay(stdscr, TRUE);
    keypad(stdscr, TRUE);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
    prepare_styles();
    prepare_restore();
    screen->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    if (follow_size(screen)) return true;
    screen_close(screen);
    return fault_set(fault, STATUS_NO_MEMORY, "no memory for the screen");
}
