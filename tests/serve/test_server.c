/* The server as a program: games over real sockets, also behind nginx with TLS, and its end. */
#define _GNU_SOURCE
#include "host/served.h"
#include "websocket.h"

#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
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

/* The server with a folder for its games and whatever a test needs. */
struct house {
    struct served server;
    char folder[32];
};

static struct house open_house(const char *const *options) {
    struct house house = {.folder = "/tmp/ensign_served_XXXXXX"};
    char data[PATH_BYTES];
    assert_non_null(mkdtemp(house.folder));
    snprintf(data, sizeof data, "%s/data", house.folder);
    served_open(&house.server, NULL, data, options);
    return house;
}

static int remove_file(const char *path, const struct stat *info, int type, struct FTW *place) {
    (void)info, (void)type, (void)place;
    return remove(path);
}

static void close_house(struct house *house, int signal_number) {
    assert_int_equal(served_end(&house->server, signal_number), 0);
    nftw(house->folder, remove_file, 8, FTW_DEPTH | FTW_PHYS);
}

/* The next message of this type; others before it are dropped. The caller frees. */
static json_t *hear(struct web *web, const char *type) {
    const char *text;
    int why;
    while ((text = web_hear(web, &why))) {
        json_t *message = json_loads(text, 0, NULL);
        const char *got = json_string_value(json_object_get(message, "type"));
        assert_non_null(got);
        if (!strcmp(got, type)) return message;
        if (!strcmp(got, "error")) fail_msg("%s", text);
        json_decref(message);
    }
    fail_msg("no %s came; the server closed with %d", type, why);
    return NULL;
}

static void say(struct web *web, json_t *message) {
    char *text = json_dumps(message, JSON_COMPACT);
    web_say(web, text);
    free(text);
    json_decref(message);
}

static const char *text_of(const json_t *message, const char *key) {
    return json_string_value(json_object_get(message, key));
}

/* Red makes a game with a free seat, blue takes it by its secret. The game's id is the caller's. */
static char *open_game(struct web *red, struct web *blue) {
    say(red, json_pack("{s:s, s:s, s:s, s:s, s:b}", "type", "new", "variant", "duel", "red", "me",
                       "blue", "open", "public", 0));
    json_t *created = hear(red, "created");
    char *game = strdup(text_of(created, "game"));
    const char *secret = text_of(json_object_get(created, "seats"), "blue");
    assert_non_null(secret);
    say(blue, json_pack("{s:s, s:s}", "type", "sit", "seat", secret));
    struct web *both[] = {red, blue};
    for (int i = 0; i < 2; i++) {
        json_decref(hear(both[i], "setup"));
        say(both[i],
            json_pack("{s:s, s:s, s:s}", "type", "setup", "game", game, "setup", "duel-corner"));
    }
    json_decref(created);
    return game;
}

/* Plays this many plies, each move picked from the list by its ply: always the same game, which is
 * not over by then. */
static void play(struct web *red, struct web *blue, const char *game, int plies) {
    struct web *both[] = {red, blue};
    for (int ply = 0; ply < plies; ply++) {
        json_t *asked = hear(both[ply % 2], "move");
        const json_t *moves = json_object_get(asked, "moves");
        size_t count = json_array_size(moves), pick = (size_t)(ply * 7 + ply / 5) % count;
        assert_int_equal(json_integer_value(json_object_get(asked, "ply")), ply);
        say(both[ply % 2], json_pack("{s:s, s:s, s:s, s:i}", "type", "move", "game", game, "move",
                                     json_string_value(json_array_get(moves, pick)), "ply", ply));
        json_decref(asked);
    }
}

static void a_game_is_played_over_two_sockets(void **state) {
    (void)state;
    struct house house = open_house((const char *const[]){NULL});
    struct web *red = web_socket(house.server.port), *blue = web_socket(house.server.port);
    json_t *hello = hear(red, "hello");
    assert_true(json_array_size(json_object_get(hello, "languages")) >= 6);
    json_decref(hello);
    char *game = open_game(red, blue);
    play(red, blue, game, 12);
    json_decref(hear(red, "move")); /* blue's last move has been heard before red gives up */
    say(red, json_pack("{s:s, s:s}", "type", "resign", "game", game));
    json_t *end = hear(blue, "end"), *other = hear(red, "end");
    assert_string_equal(text_of(end, "result"), "blue");
    assert_string_equal(text_of(end, "reason"), "resigned");
    assert_string_equal(text_of(end, "position"), text_of(other, "position"));
    json_decref(end);
    json_decref(other);
    free(game);
    web_close(red);
    web_close(blue);
    close_house(&house, SIGINT);
}

static void pages_tell_of_health_words_and_numbers(void **state) {
    (void)state;
    struct house house = open_house((const char *const[]){NULL});
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
        assert_string_equal(text_of(words, "tag"), tags[i]);
        assert_true(!i || json_object_size(json_object_get(words, "texts")) > 100);
        json_decref(words);
    }
    web_close(web);
    close_house(&house, SIGTERM);
}

static void a_signal_says_goodbye_to_everybody(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        struct house house = open_house((const char *const[]){NULL});
        struct web *red = web_socket(house.server.port), *blue = web_socket(house.server.port);
        free(open_game(red, blue));
        kill(house.server.process, signals[i]);
        assert_int_equal(web_hear_end(red), 1001);
        assert_int_equal(web_hear_end(blue), 1001);
        close_house(&house, 0);
        web_close(red);
        web_close(blue);
    }
}

static pid_t start(const char *const *words, int in_and_out) {
    pid_t process = fork();
    if (process) return process;
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
    struct house house =
        open_house((const char *const[]){"--origin", "https://play.example.org", "--proxy", NULL});
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
    char *game = open_game(red, blue);
    play(red, blue, game, 6);
    free(game);
    web_close(web);
    web_close(evil);
    web_close(red);
    web_close(blue);
    for (int i = 0; i < 4; i++) kill(through[i], SIGTERM);
    for (int i = 0; i < 4; i++) waitpid(through[i], NULL, 0);
    kill(nginx, SIGTERM);
    waitpid(nginx, NULL, 0);
    close_house(&house, SIGINT);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_played_over_two_sockets),
        cmocka_unit_test(pages_tell_of_health_words_and_numbers),
        cmocka_unit_test(a_signal_says_goodbye_to_everybody),
        cmocka_unit_test(behind_nginx_with_tls_a_game_is_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
