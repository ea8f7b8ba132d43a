/* remove.c - `ensign remove`: removes bundles that `ensign get` has installed. */
#include "command.h"
#include "host/bundle/installed.h"

struct remove_values {
    struct arguments names;
};

static int run_remove(const void *values);
const struct command command_remove = {
    COMMAND(remove, .names = {0}),
    .summary = "remove an installed bundle",
    .synopsis = {"NAME…"},
    .prose = "Removes bundles that \"ensign get\" has installed, with all that they brought. "
             "\"ensign list --mine\" names them.",
    .arguments = {{NULL, 0, "NAME", VALUE_BUNDLE, INTO(remove, names), .many = true}},
};

static int run_remove(const void *values) {
    const struct remove_values *asked = values;
    struct folders folders;
    int code = EXIT_DONE;
    if (!asked->names.count) return cli_misuse("remove", "the name of a bundle is expected");
    if (!cli_folders(&folders)) return EXIT_HOST;
    for (int i = 0; i < asked->names.count; i++) {
        struct fault fault = {0};
        const char *name = asked->names.list[i];
        if (installed_remove(&folders, name, &fault)) {
            language_line(stdout, cli_tongue(), "removed {1}", name);
            continue;
        }
        const int one = cli_fail(&fault);
        if (one > code) code = one;
    }
    return code;
}
