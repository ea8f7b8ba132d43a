/* browser.h - a Chromium without windows that a test drives through the DevTools protocol: JSON
 * texts, each ended by 0, over two pipes. Every function fails the running test on an error. */
#ifndef ENSIGN_TESTS_CLI_BROWSER_H
#define ENSIGN_TESTS_CLI_BROWSER_H

#include <jansson.h>
#include <stdbool.h>

struct browser;

/* Starts it with a folder of its own and an empty page; NULL if it is not installed. */
struct browser *browser_open(void);
void browser_close(struct browser *browser);

/* The size of the window in CSS pixels; phones scroll with an overlay and may zoom. */
void browser_resize(struct browser *browser, int width, int height, bool phone);

/* Sets the preferred colour scheme, light or dark. */
void browser_prefer_dark(struct browser *browser, bool dark);

/* Loads the file at this absolute path, with this fragment ("" or "#…"), and waits until it has
 * loaded. */
void browser_load(struct browser *browser, const char *path, const char *fragment);

/* Loads a page of a server, such as "http://127.0.0.1:8080/"; requests for anything of that origin
 * are expected from then on. */
void browser_visit(struct browser *browser, const char *url);

/* Runs a script in every page from now on, before the page's own. */
void browser_prepare(struct browser *browser, const char *script);

/* Leaves for an empty page. */
void browser_leave(struct browser *browser);

/* The value of a JavaScript expression, or of its promise; the caller decrefs. */
json_t *browser_value(struct browser *browser, const char *expression);

/* Presses and releases a key: "ArrowRight", "Enter", or a character. */
void browser_key(struct browser *browser, const char *key);

/* In CSS pixels from the window's top left: a click of the mouse, a tap of a finger, and a finger
 * that drags from one place to another. Fingers need browser_resize() with `phone`. */
void browser_click(struct browser *browser, double x, double y);
void browser_tap(struct browser *browser, double x, double y);
void browser_drag(struct browser *browser, double x, double y, double to_x, double to_y);

/* Writes the window's content, or with `whole` the whole page, as a PNG file. */
void browser_picture(struct browser *browser, const char *path, bool whole);

/* Waits until a page has saved a file, in a folder that goes with the browser; its path. */
const char *browser_downloaded(struct browser *browser);

/* Errors since it was opened: uncaught exceptions, messages on the console, and requests
 * for anything but the loaded file; one a line. */
const char *browser_complaints(const struct browser *browser);

#endif
