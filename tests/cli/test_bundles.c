/* test_bundles.c - "ensign pack", "get", "remove" and "list --mine": what one user has made is
 * another's, in all commands and on a server. */
#include "base/files.h"
#include "console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define RUN(exit_code, ...) run(exit_code, "", ARGUMENTS(__VA_ARGS__))

static char home[64]; /* author/ and elsewhere/ lie in it, and the keys */

/* Its output is valid until the next call. */
static const char *run(int exit_code, const char *input, const char *const *arguments) {
    static struct console console;
    console_clear(&console);
    const int code = console_run(&console, input, arguments);
    if (code != exit_code)
        fail_msg("%s %s: %d, %s", arguments[0], arguments[1], code, console.text);
    return console.text;
}

static void assert_has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("no \"%s\" in: %s", part, text);
}

static void enter(const char *folder) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", home, folder);
    assert_int_equal(chdir(path), 0);
}

static void shell(const char *command) {
    if (system(command)) fail_msg("%s", command);
}

/* A game of two variants and a module, and a bot, in the author's folder. */
static int lay_out(void **state) {
    (void)state;
    snprintf(home, sizeof home, "%s", console_folder());
    unsetenv("XDG_DATA_HOME");
    console_file(0, "elsewhere/empty.txt", "");
    console_file(0, "author/variants/base.lua",
                 "return {api = 1, extends = \"duel\", title = require(\"base.title\")}\n");
    console_file(0, "author/variants/base/title.lua", "return \"Base Game\"\n");
    console_file(0, "author/variants/game.lua",
                 "return {api = 1, extends = \"base\", title = \"Further Game\"}\n");
    console_file(0, "author/bots/walker.lua",
                 "return {api = 1, title = \"Walker\",\n"
                 "  move = function(view) return view:moves()[1] end}\n");
    enter(".");
    shell("minisign -G -W -p author.pub -s author.key >/dev/null </dev/null");
    enter("author");
    return 0;
}

/* Removes the bundle, in the folder of somebody else. */
static int forget(void **state) {
    (void)state;
    struct console console;
    enter("elsewhere");
    console_run(&console, "", ARGUMENTS("remove", "fun"));
    console_clear(&console);
    return 0;
}

static int into_author(void **state) {
    (void)state;
    enter("author");
    return 0;
}

static void what_one_packs_another_plays(void **state) {
    (void)state;
    RUN(0, "pack", "game", "bots/walker.lua", "--name", "fun", "--release", "2.1");
    enter("elsewhere");
    assert_has(RUN(0, "get", "../author/fun.ensign"), "variants/base/title.lua");
    assert_has(RUN(0, "list", "variants"), "Further Game");
    assert_has(RUN(0, "list", "bots"), "Walker");
    RUN(0, "match", "walker", "rookie", "-v", "game", "-n", "2");
    const char *mine = RUN(0, "list", "--mine");
    assert_has(mine, "2.1");
    assert_has(mine, "variants: base game");
    assert_has(mine, "bots: walker");
    assert_has(RUN(0, "list", "--mine", "--json"), "\"holds\"");
    assert_has(RUN(0, "help", "--complete", "--", "remove"), "fun\n");
    RUN(0, "remove", "fun");
    RUN(2, "show", "game");
    assert_null(strstr(RUN(0, "list", "--mine"), "2.1"));
}

static void the_same_files_give_the_same_bytes_which_other_programs_read(void **state) {
    (void)state;
    RUN(0, "pack", "game", "walker", "--name", "fun");
    shell("mv fun.ensign once.ensign && touch variants/*.lua");
    RUN(0, "pack", "walker", "game", "--name", "fun");
    shell("cmp fun.ensign once.ensign");
    shell("python3 -c 'import zipfile, json, hashlib\n"
          "bundle = zipfile.ZipFile(\"fun.ensign\")\n"
          "assert bundle.testzip() is None\n"
          "manifest = json.loads(bundle.read(\"manifest.json\"))\n"
          "assert bundle.namelist() == [\"manifest.json\"] + sorted(manifest[\"files\"])\n"
          "for name, digest in manifest[\"files\"].items():\n"
          "    text = bundle.read(name)\n"
          "    assert text == open(name, \"rb\").read()\n"
          "    assert hashlib.blake2b(text, digest_size=32).hexdigest() == digest\n'");
}

static void what_other_programs_pack_is_refused(void **state) {
    (void)state;
    RUN(0, "pack", "game", "--name", "fun");
    shell("python3 -c 'import zipfile\n"
          "whole = zipfile.ZipFile(\"fun.ensign\")\n"
          "def copy(name, method, extra):\n"
          "    with zipfile.ZipFile(name, \"w\", method) as out:\n"
          "        for info in whole.infolist(): out.writestr(info.filename, whole.read(info))\n"
          "        for info in extra: out.writestr(info, \"/etc/passwd\")\n"
          "link = zipfile.ZipInfo(\"variants/link.lua\"); link.external_attr = 0o120777 << 16\n"
          "copy(\"plain.ensign\", zipfile.ZIP_STORED, [])\n"
          "copy(\"deflated.ensign\", zipfile.ZIP_DEFLATED, [])\n"
          "copy(\"link.ensign\", zipfile.ZIP_STORED, [link])\n"
          "copy(\"above.ensign\", zipfile.ZIP_STORED, [\"../../above.lua\"])\n'");
    assert_has(RUN(1, "get", "plain.ensign"), "damaged or changed");
    assert_has(RUN(1, "get", "deflated.ensign"), "is compressed");
    assert_has(RUN(1, "get", "link.ensign"), "");
    assert_has(RUN(1, "get", "above.ensign"), "../../above.lua");
    assert_has(RUN(1, "get", "variants/game.lua"), "not a bundle");
    assert_null(strstr(RUN(0, "list", "--mine"), "fun"));
}

static void set_ups_and_languages_can_be_passed_on(void **state) {
    (void)state;
    console_file(0, "author/variants/setups/wall.txt",
                 "...2..2.../...M..9.../....SB..../....F3....\n");
    console_file(
        0, "author/scripts/languages/de.lua",
        "return {api = 1, name = \"Deutsch\", kinds = {flag = \"Fahne\"}, texts = {bundles = \"Pakete\"}}\n");
    RUN(0, "pack", "wall", "scripts/languages/de.lua", "--name", "fun");
    enter("elsewhere");
    RUN(0, "get", "../author/fun.ensign");
    const char *mine = RUN(0, "list", "--mine", "--lang", "de");
    assert_has(mine, "Pakete");
    assert_has(mine, "setups: wall");
    assert_has(mine, "languages: de");
    RUN(0, "setups", "wall");
    assert_has(RUN(2, "list", "setups", "--mine"), "unexpected argument \"setups\"");
}

static void a_signed_bundle_is_installed_with_the_key_of_its_author(void **state) {
    (void)state;
    RUN(0, "pack", "game", "--name", "fun", "--sign", "../author.key");
    shell("minisign -V -q -p ../author.pub -m fun.ensign");
    enter("elsewhere");
    assert_has(RUN(0, "get", "../author/fun.ensign", "--pubkey", "../author.pub"),
               "the signature is by RW");
    assert_has(RUN(0, "list", "--mine"), "signed by RW");
    shell("cp ../author/fun.ensign unsigned.ensign");
    assert_has(RUN(2, "get", "unsigned.ensign", "--replace"), "it is not signed");
    RUN(0, "get", "unsigned.ensign", "--replace", "--signature", "../author/fun.ensign.minisig");
}

static void a_look_at_a_bundle_installs_nothing(void **state) {
    (void)state;
    RUN(0, "pack", "game", "--name", "fun", "--about", "A game", "--author", "Ann");
    const char *told = RUN(0, "get", "fun.ensign", "--dry-run");
    assert_has(told, "fun 1: A game");
    assert_has(told, "author: Ann");
    assert_null(strstr(RUN(0, "list", "--mine"), "fun"));
}

static void a_bundle_can_come_through_a_pipe(void **state) {
    struct console console;
    (void)state;
    RUN(0, "pack", "game", "--name", "fun");
    shell("\"" ENSIGN_PROGRAM "\" get - < fun.ensign > told.txt");
    assert_int_equal(console_run(&console, "", ARGUMENTS("list", "--mine")), 0);
    assert_has(console.text, "fun");
    console_clear(&console);
}

static void a_server_offers_what_is_installed(void **state) {
    (void)state;
    RUN(0, "pack", "game", "walker", "--name", "fun");
    enter("elsewhere");
    RUN(0, "get", "../author/fun.ensign");
    const char *told = run(0,
                           "{\"type\":\"list\",\"what\":\"variants\"}\n"
                           "{\"type\":\"list\",\"what\":\"bots\"}\n"
                           "{\"type\":\"new\",\"variant\":\"game\",\"red\":\"walker\",\"blue\":"
                           "\"walker\",\"id\":2}\n",
                           ARGUMENTS("serve", "--stdio"));
    assert_has(told, "Further Game");
    assert_has(told, "Walker");
    assert_has(told, "\"created\"");
}

static void what_cannot_be_packed_is_told_in_a_line(void **state) {
    (void)state;
    assert_has(RUN(2, "pack", "duel"), "\"duel\" came with the program");
    assert_has(RUN(2, "pack"), "a variant, a bot, a set-up or a language is expected");
    assert_has(RUN(2, "pack", "nothing"), "no variant, bot, set-up or language \"nothing\"");
    console_file(0, "author/variants/Large.lua", "return {api = 1, extends = \"duel\"}\n");
    assert_has(RUN(2, "pack", "Large"), "variants/Large.lua: a bundle cannot hold it");
    shell("ln -s ../../variants/game.lua variants/base/link.lua");
    assert_null(strstr(RUN(0, "pack", "base", "--name", "fun"), "link"));
    shell("rm variants/base/link.lua");
    console_file(0, "author/variants/odd.lua", "return {api = 1, extends = \"duel\", titel = 1}\n");
    assert_has(RUN(1, "pack", "odd"), "variants/odd.lua");
    assert_has(RUN(1, "pack", "game", "--name", "Fun"), "the bundle's name is \"Fun\"");
    assert_has(RUN(2, "remove"), "the name of a bundle is expected");
    assert_has(RUN(2, "remove", "../fun"), "no bundle \"../fun\"");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, into_author, forget)
    const struct CMUnitTest tests[] = {
        TEST(what_one_packs_another_plays),
        TEST(the_same_files_give_the_same_bytes_which_other_programs_read),
        TEST(what_other_programs_pack_is_refused),
        TEST(set_ups_and_languages_can_be_passed_on),
        TEST(a_signed_bundle_is_installed_with_the_key_of_its_author),
        TEST(a_look_at_a_bundle_installs_nothing),
        TEST(a_bundle_can_come_through_a_pipe),
        TEST(a_server_offers_what_is_installed),
        TEST(what_cannot_be_packed_is_told_in_a_line),
    };
    return cmocka_run_group_tests(tests, lay_out, NULL);
}
