#define _XOPEN_SOURCE 700 /* nftw */
#include "browser.h"

#include <ctype.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE = 60000 /* ms, for one answer */, COMPLAINTS_MAX = 4096 };

struct browser {
    char asked[400]; /* the last command, for complaints */
    pid_t process;
    int to, from;
    int calls;
    char *text; /* received and not yet read */
    size_t length, capacity;
    char console[64];
    char folder[64];
    char url[512];
    bool loaded; /* the page requested last */
    bool away;   /* at about:blank, where an icon that the browser still wants is refused */
    char downloaded[256]; /* path of the last file */
    char complaints[COMPLAINTS_MAX];
};

static bool is_installed(void) {
    return system("command -v chromium-headless-shell >/dev/null 2>&1") == 0;
}

/* In the child: the protocol is spoken over descriptors 3 and 4. */
static void become_browser(int in, int out, const char *folder) {
    char profile[128];
    snprintf(profile, sizeof profile, "--user-data-dir=%s", folder);
    /* Moved up first, so that neither overwrites the other. */
    in = fcntl(in, F_DUPFD, 10);
    out = fcntl(out, F_DUPFD, 10);
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
    dup2(in, 3);
    dup2(out, 4);
    setpgid(0, 0);
    /* The engine of chromium, in two thirds of its processor time. */
    execlp("chromium-headless-shell", "chromium-headless-shell", "--no-sandbox", "--disable-gpu",
           "--disable-dev-shm-usage", "--remote-debugging-pipe", profile, "about:blank",
           (char *)NULL);
    _exit(127);
}

static void complain(struct browser *browser, const char *what, const char *text) {
    size_t used = strlen(browser->complaints);
    snprintf(browser->complaints + used, sizeof browser->complaints - used, "%s: %s\n", what,
             text ? text : "?");
}

static const char *text_at(json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void follow_event(struct browser *browser, const char *method, json_t *parameters) {
    if (!strcmp(method, "Page.loadEventFired")) {
        browser->loaded = true;
    } else if (!strcmp(method, "Browser.downloadProgress")) {
        const char *state = text_at(parameters, "state"), *path = text_at(parameters, "filePath");
        if (state && path && !strcmp(state, "completed"))
            snprintf(browser->downloaded, sizeof browser->downloaded, "%s", path);
    } else if (!strcmp(method, "Runtime.exceptionThrown")) {
        json_t *details = json_object_get(parameters, "exceptionDetails");
        json_t *exception = json_object_get(details, "exception");
        complain(browser, "exception",
                 exception ? text_at(exception, "description") : text_at(details, "text"));
    } else if (!strcmp(method, "Runtime.consoleAPICalled")) {
        complain(browser, "console", text_at(parameters, "type"));
    } else if (!strcmp(method, "Log.entryAdded")) {
        if (!browser->away)
            complain(browser, "log", text_at(json_object_get(parameters, "entry"), "text"));
    } else if (!strcmp(method, "Network.requestWillBeSent")) {
        const char *url = text_at(json_object_get(parameters, "request"), "url");
        bool whole = !strncmp(browser->url, "file:", 5);
        bool expected = url && (!strcmp(url, "about:blank") || !strncmp(url, "blob:", 5) ||
                                (whole ? !strcmp(url, browser->url)
                                       : !strncmp(url, browser->url, strlen(browser->url))));
        if (!expected) complain(browser, "request", url);
    }
}

/* The next message; waits for it. */
static json_t *receive(struct browser *browser) {
    for (;;) {
        char *end = browser->length ? memchr(browser->text, 0, browser->length) : NULL;
        if (end) {
            json_t *message = json_loads(browser->text, 0, NULL);
            size_t used = (size_t)(end + 1 - browser->text);
            browser->length -= used;
            memmove(browser->text, end + 1, browser->length);
            assert_non_null(message);
            return message;
        }
        if (browser->length + 65536 > browser->capacity) {
            browser->capacity = 2 * browser->capacity + 65536;
            browser->text = realloc(browser->text, browser->capacity);
            assert_non_null(browser->text);
        }
        struct pollfd waiting = {.fd = browser->from, .events = POLLIN};
        if (poll(&waiting, 1, PATIENCE) != 1)
            fail_msg("the browser gives no answer to %s", browser->asked);
        ssize_t got = read(browser->from, browser->text + browser->length, 65536);
        if (got <= 0) fail_msg("the browser has left");
        browser->length += (size_t)got;
    }
}

/* Sends a command, whose parameters are taken, and returns its result. */
static json_t *call(struct browser *browser, const char *method, json_t *parameters) {
    int id = ++browser->calls;
    assert_non_null(parameters);
    json_t *message =
        json_pack("{s:i, s:s, s:o}", "id", id, "method", method, "params", parameters);
    if (*browser->console) json_object_set_new(message, "sessionId", json_string(browser->console));
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    assert_non_null(text);
    snprintf(browser->asked, sizeof browser->asked, "%s", text);
    for (size_t sent = 0, length = strlen(text) + 1; sent < length;) {
        ssize_t some = write(browser->to, text + sent, length - sent);
        assert_true(some > 0);
        sent += (size_t)some;
    }
    free(text);
    for (;;) {
        json_t *answer = receive(browser);
        const char *event = text_at(answer, "method");
        if (event) follow_event(browser, event, json_object_get(answer, "params"));
        if (!event && json_integer_value(json_object_get(answer, "id")) == id) {
            json_t *error = json_object_get(answer, "error");
            if (error) fail_msg("%s: %s", method, text_at(error, "message"));
            json_t *result = json_incref(json_object_get(answer, "result"));
            json_decref(answer);
            return result;
        }
        json_decref(answer);
    }
}

static void tell(struct browser *browser, const char *method, json_t *parameters) {
    json_decref(call(browser, method, parameters));
}

struct browser *browser_open(void) {
    if (!is_installed()) return NULL;
    struct browser *browser = calloc(1, sizeof *browser);
    int in[2], out[2];
    assert_non_null(browser);
    signal(SIGPIPE, SIG_IGN);
    snprintf(browser->folder, sizeof browser->folder, "/tmp/ensign-browser-XXXXXX");
    assert_non_null(mkdtemp(browser->folder));
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    browser->process = fork();
    assert_true(browser->process >= 0);
    if (browser->process == 0) become_browser(in[0], out[1], browser->folder);
    close(in[0]);
    close(out[1]);
    fcntl(in[1], F_SETFD, FD_CLOEXEC);
    fcntl(out[0], F_SETFD, FD_CLOEXEC);
    browser->to = in[1];
    browser->from = out[0];
    json_t *target = call(browser, "Target.createTarget", json_pack("{s:s}", "url", "about:blank"));
    json_t *attached =
        call(browser, "Target.attachToTarget",
             json_pack("{s:s, s:b}", "targetId", text_at(target, "targetId"), "flatten", 1));
    snprintf(browser->console, sizeof browser->console, "%s", text_at(attached, "sessionId"));
    json_decref(attached);
    json_decref(target);
    static const char *const domains[] = {"Page.enable", "Runtime.enable", "Log.enable",
                                          "Network.enable"};
    for (int i = 0; i < 4; i++) tell(browser, domains[i], json_object());
    tell(browser, "Browser.setDownloadBehavior",
         json_pack("{s:s, s:s, s:b}", "behavior", "allow", "downloadPath", browser->folder,
                   "eventsEnabled", 1));
    return browser;
}

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *walk) {
    (void)about, (void)type, (void)walk;
    remove(path); /* a dying browser may still write; leftovers stay in /tmp */
    return 0;
}

void browser_close(struct browser *browser) {
    if (!browser) return;
    kill(-browser->process, SIGKILL);
    waitpid(browser->process, NULL, 0);
    close(browser->to);
    close(browser->from);
    nftw(browser->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(browser->text);
    free(browser);
}

void browser_resize(struct browser *browser, int width, int height, bool phone) {
    tell(browser, "Emulation.setDeviceMetricsOverride",
         json_pack("{s:i, s:i, s:f, s:b}", "width", width, "height", height, "deviceScaleFactor",
                   phone ? 2.0 : 1.0, "mobile", (int)phone));
    tell(browser, "Emulation.setTouchEmulationEnabled", json_pack("{s:b}", "enabled", (int)phone));
}

void browser_prefer_dark(struct browser *browser, bool dark) {
    tell(browser, "Emulation.setEmulatedMedia",
         json_pack("{s:[{s:s, s:s}]}", "features", "name", "prefers-color-scheme", "value",
                   dark ? "dark" : "light"));
}

/* Waits for something to happen. */
static void follow_next(struct browser *browser) {
    json_t *event = receive(browser);
    const char *method = text_at(event, "method");
    if (method) follow_event(browser, method, json_object_get(event, "params"));
    json_decref(event);
}

static void navigate(struct browser *browser, const char *url) {
    browser->loaded = false;
    browser->away = !strcmp(url, "about:blank");
    tell(browser, "Page.navigate", json_pack("{s:s}", "url", url));
    while (!browser->loaded) follow_next(browser);
}

void browser_leave(struct browser *browser) {
    navigate(browser, "about:blank");
}

void browser_load(struct browser *browser, const char *path, const char *fragment) {
    char url[sizeof browser->url + 64];
    browser_leave(browser); /* a new fragment alone would load nothing */
    snprintf(browser->url, sizeof browser->url, "file://%s", path);
    snprintf(url, sizeof url, "%s%s", browser->url, fragment);
    navigate(browser, url);
}

void browser_visit(struct browser *browser, const char *url) {
    const char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
    assert_non_null(path);
    browser_leave(browser);
    snprintf(browser->url, sizeof browser->url, "%.*s/", (int)(path - url), url);
    navigate(browser, url);
}

void browser_prepare(struct browser *browser, const char *script) {
    tell(browser, "Page.addScriptToEvaluateOnNewDocument", json_pack("{s:s}", "source", script));
}

json_t *browser_value(struct browser *browser, const char *expression) {
    json_t *answer = call(browser, "Runtime.evaluate",
                          json_pack("{s:s, s:b, s:b}", "expression", expression, "returnByValue", 1,
                                    "awaitPromise", 1));
    json_t *thrown = json_object_get(answer, "exceptionDetails");
    if (thrown) {
        fail_msg("%s: %s", expression,
                 text_at(json_object_get(thrown, "exception"), "description"));
    }
    json_t *value = json_incref(json_object_get(json_object_get(answer, "result"), "value"));
    json_decref(answer);
    return value;
}

/* What a key writes, and the number by which browsers know it. */
static const struct {
    const char *name, *text;
    int number;
} KEYS[] = {{"Enter", "\r", 13}, {"Tab", "\t", 9}, {" ", " ", 32}, {"Escape", NULL, 27}};

void browser_key(struct browser *browser, const char *key) {
    static const char *const types[] = {"keyDown", "keyUp"};
    const char *text = key[1] ? NULL : key;
    int number = key[1] ? 0 : toupper((unsigned char)*key);
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        if (strcmp(key, KEYS[i].name) != 0) continue;
        text = KEYS[i].text;
        number = KEYS[i].number;
    }
    for (int i = 0; i < 2; i++) {
        json_t *event = json_pack("{s:s, s:s, s:s}", "type", types[i], "key", key, "code", key);
        if (number) json_object_set_new(event, "windowsVirtualKeyCode", json_integer(number));
        if (text && !i) json_object_set_new(event, "text", json_string(text));
        tell(browser, "Input.dispatchKeyEvent", event);
    }
}

void browser_click(struct browser *browser, double x, double y) {
    static const char *const types[] = {"mouseMoved", "mousePressed", "mouseReleased"};
    for (int i = 0; i < 3; i++) {
        tell(browser, "Input.dispatchMouseEvent",
             json_pack("{s:s, s:f, s:f, s:s, s:i}", "type", types[i], "x", x, "y", y, "button",
                       i ? "left" : "none", "clickCount", i ? 1 : 0));
    }
}

static void touch(struct browser *browser, const char *type, double x, double y) {
    json_t *points = json_array();
    if (strcmp(type, "touchEnd") != 0)
        json_array_append_new(points, json_pack("{s:f, s:f}", "x", x, "y", y));
    tell(browser, "Input.dispatchTouchEvent",
         json_pack("{s:s, s:o}", "type", type, "touchPoints", points));
}

void browser_tap(struct browser *browser, double x, double y) {
    touch(browser, "touchStart", x, y);
    touch(browser, "touchEnd", x, y);
}

void browser_drag(struct browser *browser, double x, double y, double to_x, double to_y) {
    enum { STEPS = 5 };
    touch(browser, "touchStart", x, y);
    for (int i = 1; i <= STEPS; i++)
        touch(browser, "touchMove", x + (to_x - x) * i / STEPS, y + (to_y - y) * i / STEPS);
    touch(browser, "touchEnd", to_x, to_y);
}

static unsigned char base64_value(char digit) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = strchr(digits, digit);
    return (unsigned char)(found ? found - digits : 0);
}

void browser_picture(struct browser *browser, const char *path, bool whole) {
    json_t *answer =
        call(browser, "Page.captureScreenshot",
             json_pack("{s:s, s:b}", "format", "png", "captureBeyondViewport", (int)whole));
    const char *text = text_at(answer, "data");
    FILE *file = fopen(path, "wb");
    assert_true(text && file);
    for (; text[0] && text[1] && text[2] && text[3]; text += 4) {
        uint32_t bits = 0;
        for (int i = 0; i < 4; i++) bits = bits << 6 | base64_value(text[i]);
        int bytes = text[2] == '=' ? 1 : text[3] == '=' ? 2 : 3;
        for (int i = 0; i < bytes; i++) fputc((int)(bits >> (16 - 8 * i) & 255), file);
    }
    fclose(file);
    json_decref(answer);
}

const char *browser_downloaded(struct browser *browser) {
    while (!browser->downloaded[0]) follow_next(browser);
    return browser->downloaded;
}

const char *browser_complaints(const struct browser *browser) {
    return browser->complaints;
}
