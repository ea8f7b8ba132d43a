/* Games that a program drives over `ensign serve --stdio`, as bots/programs/README.md shows: its
 * transcript is typed in and compared, its notebook is run, and the module ensign does what it
 * promises. */
#include "host/schema.h"
#include "host/support.h"
#include "program.h"
#include "programs_page.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE = 120 /* s, for a host that says nothing more */ };

static const char CUT[] = "…";

static int prepare(void **state) {
    (void)state;
    programs_environment();
    signal(SIGPIPE, SIG_IGN);
    return 0;
}

/* Is the text what the pattern shows, in which CUT stands for anything? */
static bool shows(const char *pattern, const char *text) {
    const char *cut = strstr(pattern, CUT);
    if (!cut) return !strcmp(pattern, text);
    if (strncmp(pattern, text, (size_t)(cut - pattern)) != 0) return false;
    text += cut - pattern;
    do {
        if (shows(cut + strlen(CUT), text)) return true;
    } while (*text++);
    return false;
}

/* Fails unless a line is one that the schema describes. */
static void assert_in_schema(const char *definition, const char *line) {
    char why[SCHEMA_WHY_MAX];
    if (!schema_fits_line(definition, line, strlen(line), why)) fail_msg("%s: %s", line, why);
}

struct served {
    pid_t process;
    FILE *to, *from;
};

static struct served serve(void) {
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    struct served served = {.process = fork()};
    if (served.process == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execl(ENSIGN_PROGRAM, "ensign", "serve", "--stdio", (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    served.to = fdopen(in[1], "w");
    served.from = fdopen(out[0], "r");
    return served;
}

static void the_transcript_of_the_page_can_be_typed(void **state) {
    (void)state;
    char *transcript = programs_block("> {\"type\":\"new\"", 0), *rest = transcript, *line,
         *told = NULL;
    struct served served = serve();
    size_t room = 0;
    int status, typed = 0;
    alarm(PATIENCE);
    while ((line = strsep(&rest, "\n")) && *line) {
        if (!strncmp(line, "> ", 2)) {
            assert_in_schema("from_client", line + 2);
            fprintf(served.to, "%s\n", line + 2);
            fflush(served.to);
            typed++;
            continue;
        }
        if (getline(&told, &room, served.from) < 0) fail_msg("the host ended before %s", line);
        told[strcspn(told, "\n")] = 0;
        assert_in_schema("from_host", told);
        if (!shows(line, told)) fail_msg("the page shows %s\nthe host says %s", line, told);
    }
    assert_true(typed >= 5);
    fclose(served.to);
    assert_int_equal(getline(&told, &room, served.from), -1); /* nothing more is said */
    fclose(served.from);
    assert_int_equal(waitpid(served.process, &status, 0), served.process);
    assert_int_equal(status, 0);
    alarm(0);
    free(told);
    free(transcript);
}

/* What a command of the shell prints; it must succeed. The caller frees. */
static char *output_of(const char *command) {
    FILE *pipe = popen(command, "r");
    char *text = NULL;
    size_t size = 0;
    assert_non_null(pipe);
    bool printed = getdelim(&text, &size, 0, pipe) >= 0;
    if (pclose(pipe) != 0) fail_msg("%s failed: %s", command, printed ? text : "");
    return text;
}

static void the_notebook_of_the_page_runs(void **state) {
    (void)state;
    char *code = programs_block("# notebook\n", 0), path[64];
    program_file(path, ".py", code, strlen(code));
    char command[256];
    snprintf(command, sizeof command, "PYTHONPATH=" PROGRAMS " python3 %s", path);
    char *out = output_of(command);
    assert_non_null(strstr(out, "red to move, ply 2, red eyes"));
    assert_non_null(strstr(out, "move \"a1-a9\" is not legal"));
    assert_non_null(strstr(out, "[Variant \"duel\"]"));
    unlink(path);
    free(out);
    free(code);
}

static void the_python_driver_does_what_it_promises(void **state) {
    (void)state;
    char told[80], command[160], *line = NULL;
    size_t room = 0;
    snprintf(told, sizeof told, "%s/told", test_folder);
    snprintf(command, sizeof command, "python3 tests/cli/programs/drive.py %s 2>&1", told);
    free(output_of(command));
    FILE *file = fopen(told, "rb");
    assert_non_null(file);
    while (getline(&line, &room, file) > 0) assert_in_schema("from_host", line);
    free(line);
    fclose(file);
}

static void the_python_driver_shows_a_game(void **state) {
    (void)state;
    char *out = output_of("python3 " PROGRAMS "ensign/game.py");
    assert_non_null(strstr(out, "all eyes"));
    assert_non_null(strstr(out, "<game 1 of duel, ply "));
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_transcript_of_the_page_can_be_typed),
        cmocka_unit_test(the_notebook_of_the_page_runs),
        cmocka_unit_test_setup_teardown(the_python_driver_does_what_it_promises, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test(the_python_driver_shows_a_game),
    };
    return cmocka_run_group_tests_name("cli/drive", tests, prepare, NULL);
}
