/* The workshop: which files it reads and writes, and which it refuses. */
#include "serve/workspace.h"

#include "base/clock.h"
#include "base/files.h"
#include "host/support.h"
#include "serve/lobby.h"

#include <dirent.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct folders folders;
static struct variant_cache *variants;
static struct workspace *workspace;
static char before[FOLDER_PATH_MAX];

/* The current folder is an empty one. */
static int open_workspace(void **state) {
    struct fault fault = {0};
    if (make_test_folder(state) || !getcwd(before, sizeof before) || chdir(test_folder)) return -1;
    if (!folders_find(&folders, &fault)) return -1;
    variants = variant_cache_open(&folders, false, true);
    workspace = variants ? workspace_open(variants, &folders) : NULL;
    return workspace ? 0 : -1;
}

static void remove_folder(const char *path) {
    struct stat found;
    if (!lstat(path, &found) && S_ISDIR(found.st_mode)) support_remove(path);
}

static int close_workspace(void **state) {
    workspace_close(workspace);
    variant_cache_close(variants);
    remove_folder("variants/many");
    remove_folder("variants/setups");
    remove_folder("variants/child");
    remove_folder("outside");
    remove_folder("variants");
    remove_folder("bots");
    files_remove_folder("bundles");
    if (chdir(before)) return -1;
    return remove_test_folder(state);
}

/* Requests are written with ' for ". */
static json_t *request_of(const char *text) {
    char line[1024];
    snprintf(line, sizeof line, "%s", text);
    for (char *at = line; *at; at++)
        if (*at == '\'') *at = '"';
    json_t *request = json_loads(line, 0, NULL);
    assert_non_null(request);
    return request;
}

static json_t *ask(const char *text) {
    struct fault fault = {0};
    json_t *request = request_of(text), *reply = workspace_answer(workspace, request, &fault);
    json_decref(request);
    if (!reply) fail_msg("%s: %s", text, fault.text);
    return reply;
}

static void expect_refusal(const char *text, const char *word) {
    struct fault fault = {0};
    json_t *request = request_of(text), *reply = workspace_answer(workspace, request, &fault);
    json_decref(request);
    if (reply) fail_msg("%s was obeyed", text);
    assert_int_not_equal(fault.status, STATUS_OK);
    if (!strstr(fault.text, word)) fail_msg("%s: %s", text, fault.text);
}

static const char *text_of(const json_t *reply, const char *key) {
    const char *text = json_string_value(json_object_get(reply, key));
    assert_non_null(text);
    return text;
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void a_new_variant_is_read_changed_and_played(void **state) {
    struct fault fault = {0};
    (void)state;
    json_decref(ask("{'type':'create','file':'variants/mine.lua','from':'quick'}"));
    json_t *read = ask("{'type':'read','file':'variants/mine.lua'}");
    assert_non_null(strstr(text_of(read, "text"), "extends = \"quick\""));
    json_t *write = json_pack("{s:s, s:s, s:s, s:s}", "type", "write", "file", "variants/mine.lua",
                              "text", "return { api = 1, extends = 'duel', title = 'Changed' }\n",
                              "version", text_of(read, "version"));
    json_t *written = workspace_answer(workspace, write, &fault);
    assert_non_null(written);
    assert_string_not_equal(text_of(written, "version"), text_of(read, "version"));
    const struct edition *edition = variant_cache_take(variants, "mine", &fault);
    assert_non_null(edition);
    assert_string_equal(edition->rules->title, "Changed");
    variant_cache_return(variants, edition);
    json_decref(read);
    json_decref(write);
    json_decref(written);
}

static void what_bundles_brought_can_be_copied(void **state) {
    (void)state;
    assert_true(snprintf(folders.bundles, sizeof folders.bundles, "%s/bundles", test_folder) > 0);
    folders.bundle_count = 1;
    strcpy(folders.bundle[0], "fun");
    assert_int_equal(mkdir("bundles", 0700), 0);
    assert_int_equal(mkdir("bundles/.fun-aaaaaa", 0700), 0);
    assert_int_equal(mkdir("bundles/.fun-aaaaaa/variants", 0700), 0);
    assert_int_equal(symlink(".fun-aaaaaa", "bundles/fun"), 0);
    put("bundles/fun/variants/theirs.lua", "return { api = 1, extends = 'duel' }\n");
    json_t *files = ask("{'type':'files'}");
    char *originals = json_dumps(json_object_get(files, "originals"), JSON_COMPACT);
    assert_non_null(strstr(originals, "\"theirs\""));
    json_decref(ask("{'type':'copy','file':'variants/mine.lua','from':'theirs'}"));
    json_t *read = ask("{'type':'read','file':'variants/mine.lua'}");
    assert_string_equal(text_of(read, "text"), "return { api = 1, extends = 'duel' }\n");
    expect_refusal("{'type':'create','file':'variants/theirs.lua'}", "already");
    json_decref(read);
    json_decref(files);
    free(originals);
}

static void copies_and_new_bots_are_listed_with_what_can_be_copied(void **state) {
    (void)state;
    json_decref(ask("{'type':'copy','file':'bots/mine.lua','from':'rookie'}"));
    json_decref(ask("{'type':'create','file':'bots/other.lua'}"));
    json_t *files = ask("{'type':'files'}");
    char *list = json_dumps(json_object_get(files, "files"), JSON_COMPACT);
    assert_string_equal(list, "[\"bots/mine.lua\",\"bots/other.lua\"]");
    free(list);
    char *originals = json_dumps(json_object_get(files, "originals"), JSON_COMPACT);
    assert_non_null(strstr(originals, "\"duel\""));
    assert_non_null(strstr(originals, "\"seer\""));
    free(originals);
    json_decref(files);
    char copied[4096] = "", path[FOLDER_PATH_MAX], original[4096] = "";
    struct fault fault = {0};
    assert_true(folders_resolve(&folders, FOLDER_BOTS, "rookie", path, &fault));
    FILE *one = fopen("bots/mine.lua", "r"), *other = fopen(path, "r");
    assert_true(one && other && fread(copied, 1, sizeof copied - 1, one) > 0);
    assert_true(fread(original, 1, sizeof original - 1, other) > 0);
    fclose(one);
    fclose(other);
    assert_string_equal(copied, original);
}

static void files_elsewhere_and_odd_names_are_refused(void **state) {
    (void)state;
    static const char *const paths[] = {"x.lua",
                                        "/etc/x.lua",
                                        "variants/../x.lua",
                                        "variants//x.lua",
                                        "./variants/x.lua",
                                        "variants/x/init.lua",
                                        "variants/examples/x.lua",
                                        "variants/.lua",
                                        "variants/X.lua",
                                        "variants/-x.lua",
                                        "variants/x.txt",
                                        "variants/x",
                                        "variants/",
                                        "variants/x.lua/",
                                        "scripts/x.lua",
                                        "variantsx/x.lua",
                                        "bots/abcdefghijklmnopqrstuvwxyzabcdefgh.lua",
                                        ""};
    static const char *const types[] = {"read", "write", "copy", "create"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        for (size_t type = 0; type < sizeof types / sizeof *types; type++) {
            char text[256];
            snprintf(text, sizeof text,
                     "{'type':'%s','file':'%s','from':'duel','text':'','version':''}", types[type],
                     paths[i]);
            expect_refusal(text, "expected variants/NAME.lua or bots/NAME.lua");
        }
    expect_refusal("{'type':'read'}", "got nothing");
    expect_refusal("{'type':'read','file':7}", "expected a text");
    assert_int_not_equal(access("variants", F_OK), 0);
    assert_int_not_equal(access("x.lua", F_OK), 0);
}

static void a_text_that_changed_on_the_disk_is_not_written_over(void **state) {
    (void)state;
    char line[256];
    json_t *made = ask("{'type':'create','file':'bots/mine.lua'}");
    snprintf(line, sizeof line, "{'type':'write','file':'bots/mine.lua','text':'y','version':'%s'}",
             text_of(made, "version"));
    json_decref(made);
    put("bots/mine.lua", "-- from an editor\n");
    expect_refusal(line, "has changed on the disk");
    assert_int_equal(unlink("bots/mine.lua"), 0);
    expect_refusal(line, "is no longer there");
    expect_refusal("{'type':'read','file':'bots/mine.lua'}", "no such file");
    expect_refusal("{'type':'write','file':'bots/mine.lua','text':'y'}", "\"version\": expected");
    expect_refusal("{'type':'write','file':'bots/mine.lua','version':''}", "\"text\": expected");
    assert_int_not_equal(access("bots/mine.lua", F_OK), 0);
}

static void a_name_that_is_taken_is_not_given_again(void **state) {
    (void)state;
    expect_refusal("{'type':'create','file':'variants/duel.lua'}", "already");
    expect_refusal("{'type':'copy','file':'bots/rookie.lua','from':'seer'}", "already");
    json_decref(ask("{'type':'create','file':'bots/mine.lua'}"));
    expect_refusal("{'type':'copy','file':'bots/mine.lua','from':'seer'}", "already");
}

static void only_what_has_a_name_can_be_copied(void **state) {
    (void)state;
    expect_refusal("{'type':'copy','file':'bots/mine.lua'}", "\"from\": expected a name");
    expect_refusal("{'type':'copy','file':'bots/mine.lua','from':'/etc/passwd'}",
                   "expected a name");
    expect_refusal("{'type':'copy','file':'bots/mine.lua','from':'../x'}", "expected a name");
    expect_refusal("{'type':'copy','file':'bots/mine.lua','from':'no-such'}", "no-such");
    expect_refusal("{'type':'create','file':'variants/mine.lua','from':'./x.lua'}",
                   "expected the name of a variant");
    assert_int_equal(mkdir("variants", 0777) | mkdir("variants/many", 0777), 0);
    put("variants/many/init.lua", "return {}\n");
    expect_refusal("{'type':'copy','file':'variants/mine.lua','from':'many'}", "is a folder");
}

static void links_are_not_followed(void **state) {
    (void)state;
    put("secret.lua", "return 'secret'\n");
    assert_int_equal(mkdir("bots", 0777), 0);
    assert_int_equal(symlink("../secret.lua", "bots/mine.lua"), 0);
    assert_int_equal(symlink("bots", "variants"), 0);
    expect_refusal("{'type':'read','file':'bots/mine.lua'}", "follows no links");
    expect_refusal("{'type':'write','file':'bots/mine.lua','text':'','version':''}",
                   "follows no links");
    expect_refusal("{'type':'create','file':'variants/mine.lua'}", "");
    expect_refusal("{'type':'create','file':'variants/other.lua'}", "follows no links");
    json_t *files = ask("{'type':'files'}");
    assert_int_equal(json_array_size(json_object_get(files, "files")), 0);
    json_decref(files);
    assert_int_not_equal(access("bots/other.lua", F_OK), 0);
}

static void a_file_that_is_written_hides_no_other(void **state) {
    (void)state;
    char line[256];
    expect_refusal("{'type':'write','file':'bots/rookie.lua','text':'x','version':''}",
                   "there is a bot \"rookie\" already");
    expect_refusal("{'type':'write','file':'variants/duel.lua','text':'x','version':''}",
                   "there is a variant \"duel\" already");
    assert_int_not_equal(access("bots/rookie.lua", F_OK), 0);
    json_decref(ask("{'type':'write','file':'bots/mine.lua','text':'back','version':''}"));
    put("bots/rookie.lua", "-- mine, by hand\n"); /* whoever has made it knows */
    json_t *read = ask("{'type':'read','file':'bots/rookie.lua'}");
    snprintf(line, sizeof line,
             "{'type':'write','file':'bots/rookie.lua','text':'y','version':'%s'}",
             text_of(read, "version"));
    json_decref(ask(line));
    json_decref(read);
}

static void what_a_write_replaces_keeps_its_rights_and_nothing_is_left_over(void **state) {
    (void)state;
    struct stat about;
    char line[256];
    json_t *made = ask("{'type':'create','file':'bots/mine.lua'}");
    assert_int_equal(chmod("bots/mine.lua", 0640), 0);
    snprintf(line, sizeof line, "{'type':'write','file':'bots/mine.lua','text':'y','version':'%s'}",
             text_of(made, "version"));
    json_decref(made);
    json_decref(ask(line));
    assert_int_equal(stat("bots/mine.lua", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(about.st_size, 1);
    DIR *folder = opendir("bots");
    int entries = 0;
    while (readdir(folder)) entries++;
    closedir(folder);
    assert_int_equal(entries, 3); /* with "." and ".." */
}

static void what_is_no_text_or_too_long_is_not_read(void **state) {
    (void)state;
    assert_int_equal(mkdir("bots", 0777), 0);
    put("bots/mine.lua", "-- \xff\n");
    expect_refusal("{'type':'read','file':'bots/mine.lua'}", "not a text in UTF-8");
    put("bots/mine.lua", "");
    assert_int_equal(truncate("bots/mine.lua", WORKSPACE_TEXT_MAX + 1), 0);
    expect_refusal("{'type':'read','file':'bots/mine.lua'}", "too long");
}

/* A lobby with one client, who is heard by this thread. */
struct visit {
    struct lobby *lobby;
    struct client *client;
    struct buffer heard;
    size_t at;
};

static void no_wake(void *context) {
    (void)context;
}

static void open_visit(struct visit *visit, bool workshop) {
    struct fault fault = {0};
    const struct lobby_options options = {.folders = &folders,
                                          .shown = &folders,
                                          .limits = SANDBOX_DEFAULTS,
                                          .deadline = 10000,
                                          .jobs = 4,
                                          .bots = {BOT_SLOTS, BOT_SLOTS_OF_VISITOR},
                                          .workshop = workshop,
                                          .wake = no_wake};
    *visit = (struct visit){.lobby = lobby_open(&options, &fault),
                            .client = client_open(1 << 20, no_wake, NULL),
                            .heard = buffer_of(1 << 20)};
    assert_non_null(visit->lobby);
}

static void close_visit(struct visit *visit) {
    lobby_miss(visit->lobby, visit->client);
    assert_true(lobby_close(visit->lobby));
    client_release(visit->client);
    buffer_clear(&visit->heard);
}

static void say(struct visit *visit, const char *text) {
    json_t *request = request_of(text);
    char *line = json_dumps(request, JSON_COMPACT);
    lobby_hear(visit->lobby, visit->client, line, strlen(line));
    free(line);
    json_decref(request);
}

/* The next message; the caller decrefs. */
static json_t *hear(struct visit *visit) {
    const int64_t until = clock_ms() + 60000;
    for (;;) {
        const char *text = visit->heard.text ? visit->heard.text + visit->at : "";
        const char *end = strchr(text, '\n');
        if (end) {
            visit->at = (size_t)(end + 1 - visit->heard.text);
            json_t *message = json_loadb(text, (size_t)(end - text), 0, NULL);
            assert_non_null(message);
            return message;
        }
        struct buffer more = buffer_of(1 << 20);
        if (client_take(visit->client, &more)) buffer_add(&visit->heard, more.text, more.length);
        buffer_clear(&more);
        if (clock_ms() > until) fail_msg("nothing is said");
        poll(NULL, 0, 1);
    }
}

static void without_a_workshop_its_requests_and_checks_are_refused(void **state) {
    static const char *const types[] = {"files", "read", "write", "copy", "create", "check"};
    struct visit visit;
    (void)state;
    open_visit(&visit, false);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{'type':'%s','file':'bots/mine.lua','text':'return {}','version':''}", types[i]);
        say(&visit, text);
        json_t *message = hear(&visit);
        assert_string_equal(text_of(message, "type"), "error");
        assert_non_null(strstr(text_of(message, "message"), "is for the workshop"));
        json_decref(message);
    }
    close_visit(&visit);
}

static const char SECRET[] = "return { api = 1, extends = 'duel', title = 'SECRET' }\n";
static const char SPY[] =
    "return { api = 1, title = 'SECRET', move = function(view) return view:moves()[1] end }\n";
static const char ASKS[] = "local mod = require 'mod'\n"
                           "return { api = 1, move = function(view) return mod end }\n";

/* Says it, and expects an answer that does not tell what lies elsewhere. */
static void expect_nothing_of_it(struct visit *visit, const char *text, const char *word) {
    say(visit, text);
    json_t *message = hear(visit);
    char *answer = json_dumps(message, 0);
    if (strstr(answer, "SECRET") || !strstr(answer, word)) fail_msg("%s: %s", text, answer);
    free(answer);
    json_decref(message);
}

static void what_leads_elsewhere_is_not_copied_extended_required_or_played(void **state) {
    struct visit visit;
    (void)state;
    assert_int_equal(mkdir("outside", 0777) | mkdir("variants", 0777) | mkdir("bots", 0777), 0);
    put("outside/init.lua", SECRET);
    put("outside/spy.lua", SPY);
    put("bots/asks.lua", ASKS);
    assert_int_equal(symlink("../outside/init.lua", "variants/leak.lua"), 0);
    assert_int_equal(symlink("../outside", "variants/linked"), 0);
    assert_int_equal(symlink("../outside/spy.lua", "bots/spy.lua"), 0);
    assert_int_equal(symlink("../outside/spy.lua", "bots/mod.lua"), 0);
    expect_refusal("{'type':'copy','file':'variants/mine.lua','from':'leak'}", "follows no links");
    expect_refusal("{'type':'copy','file':'bots/mine.lua','from':'spy'}", "follows no links");
    open_visit(&visit, true);
    expect_nothing_of_it(&visit,
                         "{'type':'check','file':'x.lua','text':'return { api = 1, extends = "
                         "\\'leak\\' }'}",
                         "cannot be read");
    expect_nothing_of_it(&visit,
                         "{'type':'check','file':'x.lua','text':'return { api = 1, extends = "
                         "\\'linked\\' }'}",
                         "cannot be read");
    static const char *const games[] = {"leak", "linked"};
    for (int i = 0; i < 2; i++) {
        char text[128];
        snprintf(text, sizeof text, "{'type':'new','variant':'%s','blue':'rookie'}", games[i]);
        expect_nothing_of_it(&visit, text, "cannot be read");
    }
    expect_nothing_of_it(&visit, "{'type':'new','variant':'duel','blue':'spy'}", "error");
    expect_nothing_of_it(&visit, "{'type':'new','variant':'duel','blue':'asks'}", "error");
    close_visit(&visit);
}

/* By whoever names them, and in whichever folder. */
static void set_ups_behind_links_are_not_read(void **state) {
    static const char elsewhere[] = "..2....2../..9....M../B....S...3/FB.....3..";
    static const char bot[] = "return { api = 1, setup = function() return 'leak' end,\n"
                              "move = function(view) return view:moves()[1] end }\n";
    static const char child[] = "return { api = 1, extends = 'duel' }\n";
    struct visit visit;
    (void)state;
    assert_int_equal(mkdir("outside", 0777) | mkdir("variants", 0777) | mkdir("bots", 0777) |
                         mkdir("variants/setups", 0777) | mkdir("variants/child", 0777),
                     0);
    put("outside/leak.txt", elsewhere);
    put("variants/child/init.lua", child);
    put("bots/lays.lua", bot);
    assert_int_equal(symlink("../../outside/leak.txt", "variants/setups/leak.txt"), 0);
    assert_int_equal(symlink("../../outside", "variants/child/setups"), 0);
    open_visit(&visit, true);
    expect_nothing_of_it(&visit,
                         "{'type':'new','variant':'duel','blue':'rookie','setups':{'red':'leak'}}",
                         "cannot be read");
    expect_nothing_of_it(&visit,
                         "{'type':'new','variant':'child','blue':'rookie','setups':{'red':'leak'}}",
                         "cannot be read");
    say(&visit, "{'type':'list','what':'setups'}");
    json_t *listed = hear(&visit);
    char *answer = json_dumps(listed, 0);
    if (strstr(answer, elsewhere) || !strstr(answer, "duel-corner")) fail_msg("%s", answer);
    free(answer);
    json_decref(listed);
    say(&visit,
        "{'type':'new','variant':'duel','red':'lays','blue':'me','setups':{'blue':'duel-corner'}}");
    do listed = hear(&visit), answer = json_dumps(listed, 0), json_decref(listed);
    while (!strstr(answer, "\"end\"") && !strstr(answer, "error") && (free(answer), true));
    if (!strstr(answer, "cannot be read") && !strstr(answer, "forfeit")) fail_msg("%s", answer);
    free(answer);
    close_visit(&visit);
}

static void of_texts_that_come_during_a_check_only_the_newest_is_checked(void **state) {
    static const char *const replies[] = {"checked", "error", "error", "checked"};
    struct visit visit;
    int seen[4] = {0};
    (void)state;
    open_visit(&visit, true);
    for (int i = 0; i < 4; i++) {
        char line[300];
        snprintf(line, sizeof line,
                 "{\"type\":\"check\",\"id\":%d,\"file\":\"x.lua\","
                 "\"text\":\"return { api = 1, extends = 'duel' } -- %d\"}",
                 i, i);
        lobby_hear(visit.lobby, visit.client, line, strlen(line));
    }
    for (int i = 0; i < 4; i++) {
        json_t *message = hear(&visit);
        const json_int_t id = json_integer_value(json_object_get(message, "id"));
        assert_in_range(id, 0, 3);
        assert_string_equal(text_of(message, "type"), replies[id]);
        seen[id]++;
        json_decref(message);
    }
    for (int i = 0; i < 4; i++) assert_int_equal(seen[i], 1);
    close_visit(&visit);
}

#define IN_WORKSPACE(test) cmocka_unit_test_setup_teardown(test, open_workspace, close_workspace)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_WORKSPACE(a_new_variant_is_read_changed_and_played),
        IN_WORKSPACE(what_bundles_brought_can_be_copied),
        IN_WORKSPACE(copies_and_new_bots_are_listed_with_what_can_be_copied),
        IN_WORKSPACE(files_elsewhere_and_odd_names_are_refused),
        IN_WORKSPACE(a_text_that_changed_on_the_disk_is_not_written_over),
        IN_WORKSPACE(a_name_that_is_taken_is_not_given_again),
        IN_WORKSPACE(only_what_has_a_name_can_be_copied),
        IN_WORKSPACE(links_are_not_followed),
        IN_WORKSPACE(a_file_that_is_written_hides_no_other),
        IN_WORKSPACE(what_a_write_replaces_keeps_its_rights_and_nothing_is_left_over),
        IN_WORKSPACE(what_leads_elsewhere_is_not_copied_extended_required_or_played),
        IN_WORKSPACE(what_is_no_text_or_too_long_is_not_read),
        IN_WORKSPACE(without_a_workshop_its_requests_and_checks_are_refused),
        IN_WORKSPACE(set_ups_behind_links_are_not_read),
        IN_WORKSPACE(of_texts_that_come_during_a_check_only_the_newest_is_checked),
    };
    return cmocka_run_group_tests_name("workspace", tests, NULL, NULL);
}
