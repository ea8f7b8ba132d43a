/* first_move.c - an external program of the seat protocol that does as little as one can: armies by
 * chance, and always the first of the moves. It searches the lines for a few words instead of
 * parsing them, so that a measurement with it measures the host. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    static const char setup[] = "{\"type\":\"setup\",\"setup\":null}\n";
    static const char refusal[] = "{\"type\":\"draw\",\"accept\":false}\n";
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (!strncmp(line, "{\"type\":\"move\"", 14)) {
            const char *first = strstr(line, "\"moves\":[\"") + 10;
            printf("{\"type\":\"move\",\"move\":\"%.*s\"}\n", (int)strcspn(first, "\""), first);
        } else if (!strncmp(line, "{\"type\":\"setup\"", 15)) {
            fputs(setup, stdout);
        } else if (!strncmp(line, "{\"type\":\"draw\"", 14)) {
            fputs(refusal, stdout);
        } else {
            continue;
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
