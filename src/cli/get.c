/* get.c - `ensign get`: installs a bundle that somebody else has made. */
#include "base/files.h"
#include "base/paths.h"
#include "command.h"
#include "host/bundle/installed.h"

#include <stdio.h>
#include <stdlib.h>

struct get_values {
    const char *file, *key, *signature;
    bool replace, dry;
};

static int run_get(const void *values);
const struct command command_get = {
    COMMAND(get, .replace = false),
    .summary = "install a bundle of variants, bots, set-ups and languages",
    .synopsis = {"FILE [OPTIONS]"},
    .prose =
        "Installs the bundle that \"ensign pack\" has written, for this user. It is read, and what "
        "it holds is loaded, in locked processes; what cannot be used is not installed, and "
        "nothing that is there already is replaced. From then on its items are found by name, "
        "after those of the current folder, your own and the program's. \"-\" is standard input.",
    .arguments = {{NULL, 0, "FILE", VALUE_FILE, INTO(get, file), "a bundle (NAME.ensign)",
                   .needed = true}},
    .options =
        {
            {"replace", INTO(get, replace), "put it in the place of another release of the bundle"},
            {"pubkey", 0, "KEY", VALUE_TEXT, INTO(get, key),
             "public key of minisign that must have signed it, or its file; further releases need "
             "a signature of the same key"},
            {"signature", 0, "FILE", VALUE_FILE, INTO(get, signature),
             "the signature (default: FILE.minisig, if it is there)"},
            {"dry-run", INTO(get, dry), "print what the bundle holds, and install nothing"},
        },
};

/* The public key of --pubkey. */
static bool read_key(const char *word, char key[MINISIGN_KEY_MAX], struct fault *fault) {
    size_t length;
    char *text = path_is_file(word) ? files_read(word, MINISIGN_BYTES_MAX, &length, fault) : NULL;
    const bool read = minisign_key(text ? text : word, key, fault);
    if (!read && text) fault_place(fault, word, 0, 0);
    free(text);
    return read;
}

/* The text of the signature; NULL if there is none, or with a fault. */
static char *read_signature(const struct get_values *asked, struct fault *fault) {
    char path[PATH_MAX + 16];
    size_t length;
    snprintf(path, sizeof path, "%s.minisig", asked->file);
    if (asked->signature) return files_read(asked->signature, MINISIGN_BYTES_MAX, &length, fault);
    return path_is_file(path) ? files_read(path, MINISIGN_BYTES_MAX, &length, fault) : NULL;
}

static void print_bundle(const struct bundle *bundle, const char *hash) {
    cli_line(stdout, "%s %s%s%s", bundle->name, bundle->release, *bundle->about ? ": " : "",
             bundle->about);
    if (*bundle->author) language_line(stdout, cli_tongue(), "  author: {1}", bundle->author);
    if (*bundle->licence) language_line(stdout, cli_tongue(), "  licence: {1}", bundle->licence);
    language_line(stdout, cli_tongue(), "  hash: {1}", hash);
    for (int i = 0; i < bundle->count; i++) cli_line(stdout, "  %s", bundle->file[i].path);
}

static bool get(const struct get_values *asked, const struct folders *folders,
                const struct bundle *bundle, const char *bytes, size_t length,
                struct fault *fault) {
    char key[MINISIGN_KEY_MAX], signer[MINISIGN_KEY_MAX], hash[BUNDLE_HASH_MAX];
    struct install_terms terms = {.replace = asked->replace};
    if (asked->key && !read_key(asked->key, key, fault)) return false;
    if (asked->key) terms.key = key;
    bundle_hash(bytes, length, hash);
    if (asked->dry) {
        print_bundle(bundle, hash);
        return true;
    }
    char *signature = read_signature(asked, fault);
    terms.signature = signature;
    const bool done = fault->status == STATUS_OK &&
                      installed_add(folders, bundle, bytes, length, &terms, signer, fault);
    free(signature);
    if (!done) return false;
    print_bundle(bundle, hash);
    language_line(stdout, cli_tongue(),
                  *signer ? TEXT("installed; the signature is by {1}")
                          : TEXT("installed; no signature was checked (--pubkey)"),
                  signer);
    return true;
}

static int run_get(const void *values) {
    const struct get_values *asked = values;
    struct folders folders;
    struct fault fault = {0};
    size_t length;
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct bundle *bundle = calloc(1, sizeof *bundle);
    if (!bundle) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    char *bytes = bundle ? files_read(asked->file, BUNDLE_BYTES_MAX, &length, &fault) : NULL;
    const bool done = bytes && bundle_read(bundle, bytes, length, &fault) &&
                      get(asked, &folders, bundle, bytes, length, &fault);
    if (bytes && !done && !fault.file[0]) fault_place(&fault, asked->file, 0, 0);
    free(bundle);
    free(bytes);
    return done ? EXIT_DONE : cli_fail(&fault);
}
