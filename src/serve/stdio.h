/* stdio.h - the seat protocol over standard input and output. */
#ifndef ENSIGN_SERVE_STDIO_H
#define ENSIGN_SERVE_STDIO_H

#include "lobby.h"

/* Serves one client, lines from `in` and to `out`, until it closes its end and has read the answers
 * to what it asked. `options` without wake.
 * False with a fault if the host fails. `*tidy`: all players have ended; if not, the process should
 * exit at once, which ends them. */
bool stdio_serve(const struct lobby_options *options, int in, int out, bool *tidy,
                 struct fault *fault);

#endif
