/* Bundles: their bytes, read behind the wall; their signatures, by minisign; and what is installed.
 */
#include "base/files.h"
#include "base/utf8.h"
#include "host/bundle/installed.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char GAME[] = "return {api = 1, extends = \"duel\", title = \"Game\"}\n";
static const char BROKEN[] = "return {api = 1, extends = \"duel\", titel = \"Game\"}\n";
static const char BOT[] =
    "return {api = 1, title = \"Walker\", move = function(view) return view:moves()[1] end}\n";

static char root[64]; /* data/ensign is the user's data folder; files of the tests lie in it */
static struct bundle bundle;

static int lay_out(void **state) {
    char path[128];
    (void)state;
    setenv("ENSIGN_DATA", ENSIGN_ROOT, 1);
    snprintf(root, sizeof root, "/tmp/ensign-bundle-XXXXXX");
    if (!mkdtemp(root)) return -1;
    snprintf(path, sizeof path, "%s/data", root);
    setenv("XDG_DATA_HOME", path, 1);
    return 0;
}

static int clear(void **state) {
    (void)state;
    files_remove_folder(root);
    return 0;
}

static struct folders found(void) {
    struct folders folders;
    struct fault fault = {0};
    if (!folders_find(&folders, &fault)) fail_msg("%s", fault.text);
    return folders;
}

/* A bundle "fun" of these files: paths and texts, up to a NULL. */
static void bundle_of(const char *const *files) {
    memset(&bundle, 0, sizeof bundle);
    strcpy(bundle.name, "fun");
    strcpy(bundle.release, "1.0");
    strcpy(bundle.about, "a game");
    for (; *files; files += 2) {
        struct bundle_file *file = &bundle.file[bundle.count++];
        snprintf(file->path, sizeof file->path, "%s", files[0]);
        file->bytes = files[1];
        file->size = (uint32_t)strlen(files[1]);
    }
    bundle.needs[FOLDER_VARIANTS] = 1;
}
#define FILES(...) bundle_of((const char *const[]){__VA_ARGS__, NULL})

/* Its bytes, whatever it holds; the caller clears. */
static struct buffer written(void) {
    struct buffer bytes;
    assert_true(bundle_write(&bundle, &bytes));
    return bytes;
}

static void expect_refused(const char *bytes, size_t length, const char *message) {
    static struct bundle read;
    struct fault fault = {0};
    if (bundle_parse(&read, bytes, length, &fault)) fail_msg("read: %s", message);
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_true(utf8_is_safe(fault.text, strlen(fault.text)));
    if (!strstr(fault.text, message)) fail_msg("no \"%s\" in \"%s\"", message, fault.text);
}

/* The bundle at hand is refused with this message. */
static void expect_refusal(const char *message) {
    struct buffer bytes = written();
    expect_refused(bytes.text, bytes.length, message);
    buffer_clear(&bytes);
}

static void what_was_written_is_read_again_behind_the_wall(void **state) {
    static struct bundle read;
    struct fault fault = {0};
    (void)state;
    FILES("bots/walker.lua", BOT, "variants/game.lua", GAME, "variants/game/pieces.lua",
          "return {}");
    bundle.needs[FOLDER_BOTS] = 1;
    struct buffer bytes = written();
    if (!bundle_read(&read, bytes.text, bytes.length, &fault)) fail_msg("%s", fault.text);
    assert_string_equal(read.name, "fun");
    assert_string_equal(read.release, "1.0");
    assert_string_equal(read.about, "a game");
    assert_memory_equal(read.needs, bundle.needs, sizeof read.needs);
    assert_int_equal(read.count, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(read.file[i].path, bundle.file[i].path);
        assert_int_equal(read.file[i].size, bundle.file[i].size);
        assert_memory_equal(read.file[i].bytes, bundle.file[i].bytes, read.file[i].size);
    }
    assert_false(bundle_read(&read, bytes.text, bytes.length - 1, &fault));
    assert_int_equal(fault.status, STATUS_TEXT);
    buffer_clear(&bytes);
}

static void no_cut_bundle_is_read(void **state) {
    (void)state;
    FILES("variants/game.lua", GAME);
    struct buffer bytes = written();
    for (size_t length = 0; length < bytes.length; length++) {
        char *cut = malloc(length ? length : 1); /* sanitizers see its end */
        memcpy(cut, bytes.text, length);
        expect_refused(cut, length, "");
        free(cut);
    }
    buffer_add(&bytes, "\n", 1);
    expect_refused(bytes.text, bytes.length, "damaged or changed");
    buffer_clear(&bytes);
}

static void no_changed_byte_goes_unseen(void **state) {
    (void)state;
    FILES("variants/game.lua", GAME);
    struct buffer bytes = written();
    for (size_t at = 0; at < bytes.length; at++)
        for (int bit = 0; bit < 8; bit++) {
            bytes.text[at] ^= (char)(1 << bit);
            expect_refused(bytes.text, bytes.length, "");
            bytes.text[at] ^= (char)(1 << bit);
        }
    buffer_clear(&bytes);
}

static void paths_that_lead_elsewhere_are_refused(void **state) {
    static const char *const paths[] = {"../x.lua",
                                        "/etc/x.lua",
                                        "variants/../x.lua",
                                        "variants//x.lua",
                                        "variants/./x.lua",
                                        "variants/..lua",
                                        "variants/x/../../y.lua",
                                        "variants\\x.lua",
                                        "c:/x.lua",
                                        "bots/x.py",
                                        "programs/x.toml",
                                        "variants/-x.lua",
                                        "variants/.x.lua",
                                        "about.json",
                                        "manifest.json",
                                        "scripts/pieces/x.lua",
                                        "variants/x\n.lua",
                                        "variants/\xc3\xa9.lua",
                                        "variants/x",
                                        "variants/x/.lua",
                                        "variants/setups/x.lua",
                                        "variants/setups/x/y.txt",
                                        "variants/x.lua/",
                                        "bots/x/-y.lua",
                                        "scripts/languages/../../variants/x.lua",
                                        "variants/con.txt",
                                        "x.lua",
                                        ".lua"};
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        FILES(paths[i], GAME);
        expect_refusal("cannot hold");
    }
}

static void names_that_a_file_system_may_take_for_one_are_refused(void **state) {
    (void)state;
    FILES("variants/GAME.lua", GAME, "variants/game.lua", GAME);
    expect_refusal("cannot hold \"variants/GAME.lua\"");
    FILES("variants/game.lua", GAME, "variants/game.lua", BOT);
    expect_refusal("2 files are the variant, bot or language \"game\"");
    FILES("variants/game.lua", GAME, "bots/walker.lua", BOT);
    expect_refusal("in the order of their names");
    FILES("variants/game.lua", GAME, "variants/game/init.lua", GAME);
    expect_refusal("2 files are the variant, bot or language \"game\"");
    FILES("variants/game.lua", GAME, "variants/other/pieces.lua", GAME);
    expect_refusal("0 files are the variant, bot or language \"other\"");
}

/* Where the record of the first file begins in the directory at the end. */
static char *directory_of(const struct buffer *bytes) {
    for (size_t at = 0; at + 4 < bytes->length; at++)
        if (!memcmp(bytes->text + at, "PK\1\2", 4)) return bytes->text + at;
    fail_msg("no directory");
    return NULL;
}

static void entries_that_are_no_plain_files_are_refused(void **state) {
    static const unsigned modes[] = {0120777, 0020666, 0060666, 0010666, 0040755, 0140777, 0104755};
    (void)state;
    FILES("variants/game.lua", GAME);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct buffer bytes = written();
        char *mode = directory_of(&bytes) + 40;
        mode[0] = (char)(modes[i] & 255);
        mode[1] = (char)(modes[i] >> 8);
        expect_refused(bytes.text, bytes.length, "damaged or changed");
        buffer_clear(&bytes);
    }
}

static void what_would_swell_is_refused(void **state) {
    (void)state;
    FILES("variants/game.lua", GAME);
    struct buffer bytes = written();
    bytes.text[8] = 8; /* the manifest is said to be deflated */
    expect_refused(bytes.text, bytes.length, "manifest.json is compressed");
    bytes.text[8] = 0;
    memset(bytes.text + 18, 0xff, 4); /* of four gigabytes */
    expect_refused(bytes.text, bytes.length, "manifest.json is cut short");
    buffer_clear(&bytes);
    char *large = calloc(1, READER_FILE_MAX + 2);
    memset(large, ' ', READER_FILE_MAX + 1);
    FILES("variants/game.lua", large);
    expect_refusal("1048577 bytes, at most 1048576");
    free(large);
}

static void a_bundle_of_too_many_files_is_refused(void **state) {
    static const char entry[] = "PK\3\4\12\0\0\0\0\0\0\0\41\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0x.lua";
    (void)state;
    FILES("variants/game.lua", GAME);
    struct buffer bytes = written(), many = buffer_of(BUNDLE_BYTES_MAX);
    buffer_add(&many, bytes.text, (size_t)(directory_of(&bytes) - bytes.text));
    for (int i = 1; i < BUNDLE_FILES_MAX; i++) buffer_add(&many, entry, sizeof entry - 1);
    expect_refused(many.text, many.length, "cannot hold");
    buffer_add(&many, entry, sizeof entry - 1);
    expect_refused(many.text, many.length, "more than 500 files");
    buffer_clear(&many);
    buffer_clear(&bytes);
}

static void a_bundle_for_a_newer_program_is_refused(void **state) {
    (void)state;
    FILES("variants/game.lua", GAME);
    bundle.needs[FOLDER_VARIANTS] = 2;
    expect_refusal("\"variants\" need version 2 of their format, this program reads 1");
    bundle.needs[FOLDER_VARIANTS] = 1;
    struct buffer bytes = written();
    char *format = strstr(bytes.text + 43, "\"bundle\": 1");
    assert_non_null(format);
    format[10] = '2';
    expect_refused(bytes.text, bytes.length, "written for a newer program: format 2");
    buffer_clear(&bytes);
}

static void texts_that_a_terminal_would_obey_are_refused(void **state) {
    (void)state;
    FILES("variants/game.lua", GAME);
    strcpy(bundle.about, "\033[2J");
    expect_refusal("\"about\" holds what cannot be printed");
    FILES("variants/game.lua", GAME);
    strcpy(bundle.name, "../fun");
    expect_refusal("name");
    FILES("variants/game.lua", GAME);
    strcpy(bundle.release, "1/2");
    expect_refusal("the release is \"1/2\"");
}

/* What is installed. */

/* Installs the bundle at hand; an empty message: that must do. */
static void install(const struct install_terms *terms, const char *message) {
    const struct folders folders = found();
    char key[MINISIGN_KEY_MAX];
    struct fault fault = {0};
    struct buffer bytes = written();
    const bool done =
        installed_add(&folders, &bundle, bytes.text, bytes.length, terms, key, &fault);
    buffer_clear(&bytes);
    if (done != !*message || !strstr(fault.text, message))
        fail_msg("expected \"%s\", got \"%s\"", message, fault.text);
}

static const struct install_terms plain = {0}, replacing = {.replace = true};

static void expect_removed(const char *name) {
    const struct folders folders = found();
    struct fault fault = {0};
    if (!installed_remove(&folders, name, &fault)) fail_msg("%s", fault.text);
}

/* How many entries the folder of bundles has, the lock among them. */
static int entries(void) {
    char command[160];
    int count = -1;
    snprintf(command, sizeof command, "ls -A %s/data/ensign/bundles | wc -l", root);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static bool is_found(enum folder_sort sort, const char *name) {
    const struct folders folders = found();
    char path[FOLDER_PATH_MAX];
    return folders_resolve(&folders, sort, name, path, NULL);
}

static void count_bundle(void *context, const json_t *about) {
    assert_string_equal(json_string_value(json_object_get(about, "name")), "fun");
    assert_int_equal(strlen(json_string_value(json_object_get(about, "hash"))), 64);
    ++*(int *)context;
}

static void what_is_installed_is_found_by_name_until_it_is_removed(void **state) {
    const struct folders folders = found();
    int count = 0;
    (void)state;
    FILES("bots/walker.lua", BOT, "variants/game.lua", GAME);
    install(&plain, "");
    assert_true(is_found(FOLDER_VARIANTS, "game"));
    assert_true(is_found(FOLDER_BOTS, "walker"));
    installed_list(&folders, count_bundle, &count);
    assert_int_equal(count, 1);
    install(&plain, "fun is installed already, release 1.0");
    expect_removed("fun");
    assert_false(is_found(FOLDER_VARIANTS, "game"));
    assert_int_equal(entries(), 1);
    struct fault fault = {0};
    assert_false(installed_remove(&folders, "fun", &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
}

static void what_cannot_be_loaded_is_not_installed_and_replaces_nothing(void **state) {
    (void)state;
    FILES("variants/game.lua", GAME);
    install(&plain, "");
    FILES("variants/game.lua", BROKEN, "variants/second.lua", GAME);
    install(&replacing, "the bundle cannot be used");
    assert_true(is_found(FOLDER_VARIANTS, "game"));
    assert_false(is_found(FOLDER_VARIANTS, "second"));
    assert_int_equal(entries(), 3);
    FILES("variants/second.lua", GAME);
    install(&replacing, "");
    assert_false(is_found(FOLDER_VARIANTS, "game"));
    assert_true(is_found(FOLDER_VARIANTS, "second"));
    assert_int_equal(entries(), 3);
    expect_removed("fun");
}

static void no_bundle_takes_the_place_of_what_is_there(void **state) {
    (void)state;
    FILES("variants/original.lua", GAME);
    install(&plain, "variants/original.lua of the bundle is there already");
    FILES("variants/game.lua", GAME);
    install(&plain, "");
    strcpy(bundle.name, "other");
    install(&plain, "variants/game.lua of the bundle is there already");
    expect_removed("fun");
}

/* Two of them that began at the same time. */
static void nor_that_of_what_another_program_has_installed_meanwhile(void **state) {
    const struct folders before = found();
    char key[MINISIGN_KEY_MAX];
    struct fault fault = {0};
    (void)state;
    FILES("variants/game.lua", GAME);
    install(&plain, "");
    strcpy(bundle.name, "other");
    struct buffer bytes = written();
    assert_false(installed_add(&before, &bundle, bytes.text, bytes.length, &plain, key, &fault));
    buffer_clear(&bytes);
    assert_non_null(strstr(fault.text, "variants/game.lua of the bundle is there already"));
    expect_removed("fun");
}

static void more_bundles_than_are_searched_are_not_installed(void **state) {
    char path[160];
    (void)state;
    for (int i = 0; i < BUNDLES_MAX; i++) {
        snprintf(path, sizeof path, "%s/data/ensign/bundles/b%d", root, i);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    FILES("variants/game.lua", GAME);
    install(&plain, "256 bundles are installed already: remove one first");
    for (int i = 0; i < BUNDLES_MAX; i++) {
        snprintf(path, sizeof path, "%s/data/ensign/bundles/b%d", root, i);
        assert_int_equal(rmdir(path), 0);
    }
}

/* Where a link leads is removed with it. */
static void a_link_to_another_place_is_no_bundle_wherever_it_leads(void **state) {
    static const char *const targets[] = {"..",   ".",       ".lock",        ".other-k3Jx9a",
                                          ".fun", ".fun/..", "./.fun-k3Jx9a"};
    char path[160], kept[160];
    struct stat there;
    (void)state;
    const struct folders folders = found();
    snprintf(path, sizeof path, "%s/data/ensign/bundles/fun", root);
    snprintf(kept, sizeof kept, "%s/data/ensign/variants", root);
    assert_int_equal(mkdir(kept, 0700), 0);
    FILES("variants/game.lua", GAME);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct fault fault = {0};
        assert_int_equal(symlink(targets[i], path), 0);
        install(&replacing, "is there and no installed bundle");
        assert_false(installed_remove(&folders, "fun", &fault));
        assert_int_equal(fault.status, STATUS_NOT_FOUND);
        assert_int_equal(lstat(kept, &there), 0);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(kept), 0);
}

static void a_folder_with_the_name_of_a_bundle_is_left_alone(void **state) {
    char path[128];
    struct fault fault = {0};
    (void)state;
    const struct folders folders = found();
    FILES("variants/game.lua", GAME);
    snprintf(path, sizeof path, "%s/data/ensign/bundles/fun", root);
    assert_int_equal(mkdir(path, 0700), 0);
    install(&replacing, "is there and no installed bundle");
    assert_false(installed_remove(&folders, "fun", &fault));
    assert_int_equal(rmdir(path), 0);
}

static void a_link_out_of_the_folder_is_no_bundle_and_is_not_followed(void **state) {
    char path[128], kept[128];
    struct fault fault = {0};
    (void)state;
    const struct folders folders = found();
    snprintf(path, sizeof path, "%s/data/ensign/bundles/fun", root);
    snprintf(kept, sizeof kept, "%s/kept", root);
    assert_int_equal(mkdir(kept, 0700), 0);
    assert_int_equal(symlink(kept, path), 0);
    FILES("variants/game.lua", GAME);
    install(&replacing, "is there and no installed bundle");
    assert_false(installed_remove(&folders, "fun", &fault));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(kept), 0);
}

static void what_a_killed_program_left_goes_with_the_next_change(void **state) {
    char path[160];
    (void)state;
    FILES("variants/game.lua", GAME);
    install(&plain, "");
    snprintf(path, sizeof path, "%s/data/ensign/bundles/.fun-aaaaaa", root);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(entries(), 4);
    install(&replacing, "");
    assert_int_equal(entries(), 3);
    expect_removed("fun");
}

/* Signatures. */

static void run(const char *format, const char *name) {
    char command[512], line[256];
    snprintf(line, sizeof line, format, name);
    snprintf(command, sizeof command, "cd %s && %s >/dev/null </dev/null", root, line);
    if (system(command)) fail_msg("%s", command);
}

static char *text_of(const char *name) {
    char path[128];
    size_t length;
    struct fault fault = {0};
    snprintf(path, sizeof path, "%s/%s", root, name);
    char *text = files_read(path, MINISIGN_BYTES_MAX, &length, &fault);
    if (!text) fail_msg("%s", fault.text);
    return text;
}

static void write_bytes(const char *name, const char *bytes, size_t length) {
    char path[128];
    struct fault fault = {0};
    snprintf(path, sizeof path, "%s/%s", root, name);
    if (!files_replace(path, bytes, length, &fault)) fail_msg("%s", fault.text);
}

/* A key pair NAME.pub and NAME.key by minisign; its public key. */
static void make_key(const char *name, char key[MINISIGN_KEY_MAX]) {
    char line[64];
    struct fault fault = {0};
    snprintf(line, sizeof line, "minisign -G -f -W -p %s.pub -s %s.key", name, name);
    run("%s", line);
    snprintf(line, sizeof line, "%s.pub", name);
    char *text = text_of(line);
    if (!minisign_key(text, key, &fault)) fail_msg("%s", fault.text);
    free(text);
}

static void expect_unverified(const char *key, const char *bytes, const char *signature,
                              const char *message) {
    struct fault fault = {0};
    assert_false(minisign_verify(key, bytes, strlen(bytes), signature, &fault));
    if (!strstr(fault.text, message)) fail_msg("\"%s\", not \"%s\"", fault.text, message);
}

static void a_signature_of_minisign_holds_for_its_key_and_bytes_alone(void **state) {
    char one[MINISIGN_KEY_MAX], other[MINISIGN_KEY_MAX];
    struct fault fault = {0};
    (void)state;
    make_key("one", one);
    make_key("other", other);
    write_bytes("file", "bytes", 5);
    run("minisign -S -s one.key -m file -t '%s'", "a comment");
    char *signature = text_of("file.minisig");
    if (!minisign_verify(one, "bytes", 5, signature, &fault)) fail_msg("%s", fault.text);
    expect_unverified(one, "Bytes", signature, "of something else");
    expect_unverified(other, "bytes", signature, "by another key");
    char *comment = strstr(signature, "a comment");
    assert_non_null(comment);
    *comment = 'A';
    expect_unverified(one, "bytes", signature, "of something else");
    *comment = 'a';
    for (size_t length = strlen(signature) - 1; length--;) {
        signature[length] = 0;
        expect_unverified(one, "bytes", signature, "");
    }
    free(signature);
    run("minisign -S -l -s one.key -m %s", "file");
    signature = text_of("file.minisig");
    expect_unverified(one, "bytes", signature, "without prehashing");
    free(signature);
}

static void minisign_accepts_our_signatures(void **state) {
    char key[MINISIGN_KEY_MAX];
    struct buffer signature;
    struct fault fault = {0};
    (void)state;
    make_key("one", key);
    char *secret = text_of("one.key");
    if (!minisign_sign(secret, "bytes", 5, "fun 1.0", &signature, &fault))
        fail_msg("%s", fault.text);
    write_bytes("file", "bytes", 5);
    write_bytes("file.minisig", signature.text, signature.length);
    run("minisign -V -p one.pub -m %s", "file");
    assert_true(minisign_verify(key, "bytes", 5, signature.text, &fault));
    buffer_clear(&signature);
    char *damaged = strchr(secret, '\n') + 120;
    *damaged = *damaged == 'A' ? 'B' : 'A';
    assert_false(minisign_sign(secret, "bytes", 5, "", &signature, &fault));
    buffer_clear(&signature);
    free(secret);
}

static void a_bundle_that_was_signed_is_replaced_only_by_its_author(void **state) {
    char one[MINISIGN_KEY_MAX], other[MINISIGN_KEY_MAX];
    struct fault fault = {0};
    struct buffer mine, theirs;
    (void)state;
    make_key("one", one);
    make_key("other", other);
    FILES("variants/game.lua", GAME);
    struct buffer bytes = written();
    char *secret = text_of("one.key"), *strange = text_of("other.key");
    assert_true(minisign_sign(secret, bytes.text, bytes.length, "", &mine, &fault));
    assert_true(minisign_sign(strange, bytes.text, bytes.length, "", &theirs, &fault));
    install(&(struct install_terms){.key = one}, "it is not signed");
    install(&(struct install_terms){.key = one, .signature = theirs.text}, "by another key");
    install(&(struct install_terms){.key = one, .signature = mine.text}, "");
    install(&replacing, "it is not signed");
    install(&(struct install_terms){.replace = true, .signature = theirs.text}, "by another key");
    install(&(struct install_terms){.replace = true, .key = other, .signature = theirs.text},
            "was signed by another key");
    install(&(struct install_terms){.replace = true, .signature = mine.text}, "");
    expect_removed("fun");
    buffer_clear(&mine);
    buffer_clear(&theirs);
    buffer_clear(&bytes);
    free(secret);
    free(strange);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read_again_behind_the_wall),
        cmocka_unit_test(no_cut_bundle_is_read),
        cmocka_unit_test(no_changed_byte_goes_unseen),
        cmocka_unit_test(paths_that_lead_elsewhere_are_refused),
        cmocka_unit_test(names_that_a_file_system_may_take_for_one_are_refused),
        cmocka_unit_test(entries_that_are_no_plain_files_are_refused),
        cmocka_unit_test(what_would_swell_is_refused),
        cmocka_unit_test(a_bundle_of_too_many_files_is_refused),
        cmocka_unit_test(a_bundle_for_a_newer_program_is_refused),
        cmocka_unit_test(texts_that_a_terminal_would_obey_are_refused),
        cmocka_unit_test(what_is_installed_is_found_by_name_until_it_is_removed),
        cmocka_unit_test(what_cannot_be_loaded_is_not_installed_and_replaces_nothing),
        cmocka_unit_test(no_bundle_takes_the_place_of_what_is_there),
        cmocka_unit_test(nor_that_of_what_another_program_has_installed_meanwhile),
        cmocka_unit_test(more_bundles_than_are_searched_are_not_installed),
        cmocka_unit_test(a_link_to_another_place_is_no_bundle_wherever_it_leads),
        cmocka_unit_test(a_folder_with_the_name_of_a_bundle_is_left_alone),
        cmocka_unit_test(a_link_out_of_the_folder_is_no_bundle_and_is_not_followed),
        cmocka_unit_test(what_a_killed_program_left_goes_with_the_next_change),
        cmocka_unit_test(a_signature_of_minisign_holds_for_its_key_and_bytes_alone),
        cmocka_unit_test(minisign_accepts_our_signatures),
        cmocka_unit_test(a_bundle_that_was_signed_is_replaced_only_by_its_author),
    };
    return cmocka_run_group_tests(tests, lay_out, clear);
}
