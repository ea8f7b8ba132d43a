/* The server as a program: games over real sockets, also behind nginx with TLS, and its end. */
#define _GNU_SOURCE
#include "hosted.h"

#include "base/files.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 128, CONFIG_BYTES = 4096 };

static void a_game_is_played_over_two_sockets(void **state) {
    (void)state;
    struct hosted house;
    HOSTED_OPEN(&house, NULL);
    struct web *red = web_socket(house.server.port), *blue = web_socket(house.server.port);
    json_t *hello = hosted_hear(red, "hello");
    assert_true(json_array_size(json_object_get(hello, "languages")) >= 6);
    json_decref(hello);
    char *game = hosted_game(red, blue, NULL);
    hosted_play(red, blue, game, 0, 12);
    json_decref(hosted_hear(red, "move")); /* blue's last move has been heard before red gives up */
    hosted_say(red, json_pack("{s:s, s:s}", "type", "resign", "game", game));
    json_t *end = hosted_hear(blue, "end"), *other = hosted_hear(red, "end");
    assert_string_equal(hosted_text(end, "result"), "blue");
    assert_string_equal(hosted_text(end, "reason"), "resigned");
    assert_string_equal(hosted_text(end, "position"), hosted_text(other, "position"));
    json_decref(end);
    json_decref(other);
    free(game);
    web_close(red);
    web_close(blue);
    hosted_close(&house, SIGINT);
}

static void a_server_ends_while_the_bots_of_many_games_are_built(void **state) {
    enum { GAMES = 30 };
    (void)state;
    struct hosted house;
    HOSTED_OPEN(&house, NULL);
    struct web *web = web_socket(house.server.port);
    for (int i = 0; i < GAMES; i++)
        hosted_say(web, json_pack("{s:s, s:s, s:s, s:s}", "type", "new", "variant", "duel", "red",
                                  "rookie", "blue", "raider"));
    json_decref(hosted_hear(web, "created"));
    hosted_close(&house, SIGTERM);
    web_close(web);
}

static void pages_tell_of_health_words_and_numbers(void **state) {
    (void)state;
    struct hosted house;
    HOSTED_OPEN(&house, NULL);
    struct web *web = web_open(house.server.port);
    assert_int_equal(web_ask(web, "GET", "/", ""), 200);
    assert_non_null(strstr(web->input, "<html"));
    assert_int_equal(web_ask(web, "GET", "/healthz", ""), 200);
    assert_non_null(strstr(web->input, "\r\n\r\nok\n"));
    assert_int_equal(web_ask(web, "GET", "/metrics", ""), 200);
    assert_non_null(strstr(web->input, "\nensign_sockets 1\n"));
    assert_non_null(strstr(web->input, "\nensign_games_playing 0\n"));
    static const char *const tags[] = {"en", "bg", "es", "hr", "ru", "uk"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "/words/%s.json", tags[i]);
        assert_int_equal(web_ask(web, "GET", path, ""), 200);
        json_t *words = json_loads(strstr(web->input, "\r\n\r\n"), 0, NULL);
        assert_string_equal(hosted_text(words, "tag"), tags[i]);
        assert_true(!i || json_object_size(json_object_get(words, "texts")) > 100);
        json_decref(words);
    }
    web_close(web);
    hosted_close(&house, SIGTERM);
}

static void a_signal_says_goodbye_to_everybody(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        struct hosted house;
        HOSTED_OPEN(&house, NULL);
        struct web *red = web_socket(house.server.port), *blue = web_socket(house.server.port);
        free(hosted_game(red, blue, NULL));
        kill(house.server.process, signals[i]);
        assert_int_equal(web_hear_end(red), 1001);
        assert_int_equal(web_hear_end(blue), 1001);
        hosted_close(&house, 0);
        web_close(red);
        web_close(blue);
    }
}

/* A set-up in the host's data folder; `folder` then holds everything. */
static void save_privately(char folder[PATH_BYTES]) {
    struct fault fault = {0};
    static const char army[] = "M........./BB......../22......../33S9F.....\n";
    char path[2 * PATH_BYTES];
    strcpy(folder, "/tmp/ensign_private_XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ensign/variants/setups/favourite.txt", folder);
    assert_true(files_folders(path, strlen(folder), &fault));
    assert_true(files_write_new(path, army, strlen(army), 0, &fault));
    setenv("XDG_DATA_HOME", folder, 1);
}

/* The answer to a request, as text. */
static char *answer_to(struct web *web, json_t *request, const char *type) {
    hosted_say(web, request);
    json_t *answer = hosted_hear_one(web, type, "error");
    char *text = json_dumps(answer, JSON_COMPACT);
    json_decref(answer);
    return text;
}

static void assert_told(char *text, const char *words, bool told) {
    if (!strstr(text, words) == told)
        fail_msg("\"%s\" is %s in: %s", words, told ? "missing" : "to be read", text);
    free(text);
}

static void the_hosts_own_set_ups_are_shown_to_nobody_and_known_to_its_bots(void **state) {
    (void)state;
    static const char own[] =
        "return { api = 1, title = 'Own', setup = function() return 'favourite' end, move = "
        "function(view) return view:moves()[1] end }\n";
    struct hosted house = {.folder = "/tmp/ensign_served_XXXXXX"};
    char private[PATH_BYTES], offered[2 * PATH_BYTES], command[2 * PATH_BYTES];
    save_privately(private);
    snprintf(offered, sizeof offered, "%s/ensign/variants/setups", private);
    for (int offers = 0; offers < 2; offers++) {
        HOSTED_OPEN(&house, offers ? "--setups" : NULL, offers ? offered : NULL);
        hosted_write(&house, "bots", "own.lua", own);
        struct web *web = web_socket(house.server.port);
        char *list =
            answer_to(web, json_pack("{s:s, s:s}", "type", "list", "what", "setups"), "list");
        assert_non_null(strstr(list, "duel-corner"));
        assert_told(list, "favourite", offers);
        assert_told(answer_to(web,
                              json_pack("{s:s, s:s, s:s, s:{s:s}}", "type", "new", "variant",
                                        "duel", "blue", "rookie", "setups", "red", "favourit"),
                              "created"),
                    "favourite", offers); /* did you mean */
        char *game = hosted_game_with(web, "own");
        json_decref(hosted_question(web, game));
        free(game);
        web_close(web);
        hosted_close(&house, SIGTERM);
    }
    unsetenv("XDG_DATA_HOME");
    snprintf(command, sizeof command, "rm -r '%s'", private);
    assert_int_equal(system(command), 0);
}

static pid_t start(const char *const *words, int in_and_out) {
    pid_t process = fork();
    if (process) return process;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (in_and_out >= 0) {
        dup2(in_and_out, STDIN_FILENO);
        dup2(in_and_out, STDOUT_FILENO);
    }
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
}

#define START(in_and_out, ...) start((const char *const[]){__VA_ARGS__, NULL}, in_and_out)

static void write_config(const char *folder, const char *path, int port) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "daemon off;\nmaster_process off;\npid pid;\nerror_log error.log;\nevents {}\n"
            "http {\n  access_log off;\n  client_body_temp_path body;\n  proxy_temp_path proxy;\n"
            "  fastcgi_temp_path fastcgi;\n  uwsgi_temp_path uwsgi;\n  scgi_temp_path scgi;\n"
            "  server {\n    listen unix:%s/tls ssl;\n    ssl_certificate certificate;\n"
            "    ssl_certificate_key key;\n    location / {\n"
            "      proxy_pass http://127.0.0.1:%d;\n      proxy_http_version 1.1;\n"
            "      proxy_set_header Host $host;\n"
            "      proxy_set_header Upgrade $http_upgrade;\n"
            "      proxy_set_header Connection \"upgrade\";\n"
            "      proxy_set_header X-Forwarded-For 192.0.2.1;\n    }\n  }\n}\n",
            folder, port);
    fclose(file);
}

/* A connection to nginx through TLS. */
static struct web *open_tls(const char *folder, pid_t *process) {
    char path[PATH_BYTES];
    int ends[2];
    snprintf(path, sizeof path, "%s/tls", folder);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    *process = START(ends[1], "openssl", "s_client", "-quiet", "-unix", path);
    close(ends[1]);
    return web_over(ends[0]);
}

static void behind_nginx_with_tls_a_game_is_played(void **state) {
    (void)state;
    static const char page[] = "Host: play.example.org\r\n",
                      own[] = "Host: play.example.org\r\nOrigin: https://play.example.org\r\n",
                      other[] = "Host: play.example.org\r\nOrigin: https://evil.example\r\n";
    struct hosted house;
    HOSTED_OPEN(&house, "--origin", "https://play.example.org", "--proxy");
    char config[PATH_BYTES], key[PATH_BYTES], certificate[PATH_BYTES], tls[PATH_BYTES];
    int status;
    snprintf(config, sizeof config, "%s/nginx.conf", house.folder);
    snprintf(key, sizeof key, "%s/key", house.folder);
    snprintf(certificate, sizeof certificate, "%s/certificate", house.folder);
    snprintf(tls, sizeof tls, "%s/tls", house.folder);
    write_config(house.folder, config, house.server.port);
    pid_t made =
        START(-1, "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
              "-nodes", "-subj", "/CN=play.example.org", "-keyout", key, "-out", certificate);
    assert_int_equal(waitpid(made, &status, 0), made);
    assert_int_equal(status, 0);
    pid_t nginx = START(-1, "/usr/sbin/nginx", "-p", house.folder, "-c", config);
    while (access(tls, F_OK)) assert_int_equal(waitpid(nginx, &status, WNOHANG), 0);

    pid_t through[4];
    struct web *web = open_tls(house.folder, &through[0]);
    assert_int_equal(web_ask(web, "GET", "/", page), 200);
    struct web *evil = open_tls(house.folder, &through[1]);
    assert_int_equal(web_upgrade(evil, "/ws", other), 403);
    struct web *red = open_tls(house.folder, &through[2]);
    struct web *blue = open_tls(house.folder, &through[3]);
    assert_int_equal(web_upgrade(red, "/ws", own), 101);
    assert_int_equal(web_upgrade(blue, "/ws", own), 101);
    char *game = hosted_game(red, blue, NULL);
    hosted_play(red, blue, game, 0, 6);
    free(game);
    web_close(web);
    web_close(evil);
    web_close(red);
    web_close(blue);
    for (int i = 0; i < 4; i++) kill(through[i], SIGTERM);
    for (int i = 0; i < 4; i++) waitpid(through[i], NULL, 0);
    kill(nginx, SIGTERM);
    waitpid(nginx, NULL, 0);
    hosted_close(&house, SIGINT);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_played_over_two_sockets),
        cmocka_unit_test(a_server_ends_while_the_bots_of_many_games_are_built),
        cmocka_unit_test(pages_tell_of_health_words_and_numbers),
        cmocka_unit_test(a_signal_says_goodbye_to_everybody),
        cmocka_unit_test(the_hosts_own_set_ups_are_shown_to_nobody_and_known_to_its_bots),
        cmocka_unit_test(behind_nginx_with_tls_a_game_is_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
