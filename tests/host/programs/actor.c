/* actor.c - an external program of the seat protocol that follows a script, well or badly.
 *
 * actor LOG STEP…: writes all that it reads to the file LOG ("-": nowhere). Each question takes the
 * next step; after the last one, and for the step "ok", it answers soundly: an army by chance, the
 * first of the moves, no draw. Other steps are sent as they are, as a line, except the names in
 * `deeds`. "+STEP" takes the next step too; "!STEP", before all others, is taken before anything is
 * read, and "@end" is the step for the end of the game. After "!picky" it leaves at a type that it
 * does not know, after "!rigid" at a line that is no message. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char *question; /* the line */
static size_t room;
static FILE *log_file;
static int picky, rigid;

static _Noreturn void wait_forever(void) {
    fflush(stdout);
    for (;;) pause();
}

static void answer_soundly(void) {
    const char *ply = strstr(question, "\"ply\":"), *moves = strstr(question, "\"moves\":[\"");
    if (moves)
        printf("{\"type\":\"move\",\"ply\":%d,\"move\":\"%.*s\"}\n", atoi(ply + 6),
               (int)strcspn(moves + 10, "\""), moves + 10);
    else if (strstr(question, "\"type\":\"setup\""))
        puts("{\"type\":\"setup\",\"setup\":null}");
    else
        puts("{\"type\":\"draw\",\"accept\":false}");
}

static void repeat(const char *text, long times) {
    while (times--) fputs(text, stdout);
}

static void leave(void) {
    fputs("I have seen enough\n", stderr);
    exit(3);
}

static void crash(void) {
    fputs("assertion failed:\033[31m board is NULL\r\nno more\n", stderr);
    fflush(stderr);
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

static void stop(void) {
    fflush(stdout);
    raise(SIGSTOP);
}

static void write_half(void) {
    fputs("{\"type\":\"move\",\"mo", stdout);
    wait_forever();
}

static void write_half_and_leave(void) {
    fputs("{\"type\":\"move\",\"mo", stdout);
    leave();
}

static void flood_line(void) {
    for (;;) fputs("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", stdout);
}

static void flood_lines(void) {
    for (;;) puts("{\"type\":\"thinking\"}");
}

static void flood_blanks(void) {
    for (;;) puts("");
}

static void flood_errors(void) {
    for (int i = 0; i < 5000; i++) fputs("thinking about it, at some length\n", stderr);
    answer_soundly();
}

/* Lines that can be read and answer nothing: as many as are skipped before an answer. */
static void write_asides(void) {
    repeat("{\"type\":\"thinking\"}\n", 64);
}

/* A whole line of 65,536 bytes, and one byte less. */
static void write_long(void) {
    fputs("{\"type\":\"resign\",\"a\":\"", stdout);
    repeat("x", 65536 - 24);
    puts("\"}");
}

static void write_longest(void) {
    fputs("{\"type\":\"resign\",\"a\":\"", stdout);
    repeat("x", 65535 - 24);
    puts("\"}");
}

/* 100,000 arrays in each other, in two lines that can be read and in one that cannot. */
static void write_deep(void) {
    fputs("{\"type\":\"move\",\"move\":", stdout);
    repeat("[", 60000);
    puts("");
    repeat("[", 40000);
    puts("");
}

static void write_deepest(void) {
    repeat("[", 100000);
    puts("");
}

static void write_rubbish(void) {
    static const unsigned char bytes[] = {0, 1, 255, 254, '{', '"', 0, 128, 200, '"', '}', '\n'};
    fwrite(bytes, 1, sizeof bytes, stdout);
    answer_soundly();
}

static void close_output(void) {
    fflush(stdout);
    close(STDOUT_FILENO);
    wait_forever();
}

static void leave_child(void) {
    fflush(stdout);
    if (!fork()) wait_forever();
    answer_soundly();
}

static void be_picky(void) {
    picky = 1;
}

static void be_rigid(void) {
    rigid = 1;
}

/* Another set-up or move each time. */
static void answer_by_whim(void) {
    struct timespec now;
    const char *moves = strstr(question, "\"moves\":[\"");
    if (!moves) {
        answer_soundly();
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    const char *end = strchr(moves, ']');
    for (long skip = now.tv_nsec / 1000 % 13; skip; skip--) {
        const char *next = strstr(moves + 10, ",\"");
        moves = next && next < end ? next - 8 : moves;
    }
    printf("{\"type\":\"move\",\"move\":\"%.*s\"}\n", (int)strcspn(moves + 10, "\""), moves + 10);
}

static const struct {
    const char *name;
    void (*run)(void);
} deeds[] = {{"ok", answer_soundly},
             {"silence", wait_forever},
             {"stop", stop},
             {"leave", leave},
             {"crash", crash},
             {"half", write_half},
             {"half-leave", write_half_and_leave},
             {"flood-line", flood_line},
             {"flood-lines", flood_lines},
             {"flood-blanks", flood_blanks},
             {"flood-errors", flood_errors},
             {"asides", write_asides},
             {"long", write_long},
             {"longest", write_longest},
             {"deep", write_deep},
             {"deepest", write_deepest},
             {"rubbish", write_rubbish},
             {"close", close_output},
             {"child", leave_child},
             {"whim", answer_by_whim},
             {"picky", be_picky},
             {"rigid", be_rigid}};

static void take_step(const char *step) {
    size_t i = 0;
    while (i < sizeof deeds / sizeof *deeds && strcmp(deeds[i].name, step) != 0) i++;
    if (i < sizeof deeds / sizeof *deeds)
        deeds[i].run();
    else
        puts(step);
    fflush(stdout);
}

static char **take_steps(char **steps) {
    do {
        if (!*steps || !strncmp(*steps, "@", 1)) {
            take_step("ok");
            return steps;
        }
        take_step(**steps == '+' ? *steps + 1 : *steps);
    } while (**steps++ == '+');
    return steps;
}

static int is_known(void) {
    static const char *const types[] = {"game", "setup",   "start", "move", "events",
                                        "draw", "refused", "error", "end"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strncmp(question + 9, types[i], strlen(types[i]))) return 1;
    return 0;
}

static int is_question(void) {
    return !strncmp(question, "{\"type\":\"setup\"", 15) ||
           !strncmp(question, "{\"type\":\"move\"", 14) ||
           !strncmp(question, "{\"type\":\"draw\"", 14);
}

int main(int argc, char **argv) {
    char **steps = argv + 2;
    if (argc < 2) return 2;
    if (strcmp(argv[1], "-") != 0) log_file = fopen(argv[1], "w");
    for (; *steps && **steps == '!'; steps++) take_step(*steps + 1);
    while (getline(&question, &room, stdin) > 0) {
        if (log_file) fputs(question, log_file);
        if (log_file) fflush(log_file);
        if (rigid && (strncmp(question, "{\"type\":\"", 9) || !strchr(question, '}'))) leave();
        if (picky && !is_known()) leave();
        if (is_question()) steps = take_steps(steps);
        if (*steps && **steps == '@' && !strncmp(question, "{\"type\":\"end\"", 13))
            take_step(*steps + 1);
    }
    if (log_file) fclose(log_file);
    free(question);
    return 0;
}
