/* The report of a match from set-ups that people played, killed twice on its way, has the numbers
 * pinned in tests/data. These are output that was reviewed once: if they change, either the bots
 * play differently (then the hash has changed too) or the report counts differently. */
#include "program.h"
#include "real_match.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/ensign-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));)
        unlinkat(dirfd(files), entry->d_name, 0);
    if (files) closedir(files);
    return rmdir(folder);
}

/* Fails at the first place where they differ; the last digits of real numbers may. */
static void expect_same(json_t *found, json_t *kept, const char *place) {
    char deeper[256];
    const char *key;
    size_t index;
    json_t *value;
    if (json_is_real(kept) && json_is_number(found)) {
        double one = json_number_value(found), other = json_number_value(kept);
        if (fabs(one - other) > (fabs(other) > 1 ? 0.011 : 2e-6))
            fail_msg("%s: %f, expected %f", place, one, other);
    } else if (json_is_object(kept)) {
        json_object_foreach(kept, key, value) {
            snprintf(deeper, sizeof deeper, "%.180s.%.60s", place, key);
            expect_same(json_object_get(found, key), value, deeper);
        }
    } else if (json_is_array(kept)) {
        if (json_array_size(found) != json_array_size(kept)) fail_msg("%s: its length", place);
        json_array_foreach(kept, index, value) {
            snprintf(deeper, sizeof deeper, "%.180s[%zu]", place, index);
            expect_same(json_array_get(found, index), value, deeper);
        }
    } else if (!json_equal(found, kept)) {
        char *text = json_dumps(found, JSON_ENCODE_ANY);
        fail_msg("%s: %s", place, text ? text : "missing");
    }
}

static void the_report_of_a_real_match_has_these_numbers(void **state) {
    (void)state;
    char path[64], name[16];
    int pairs = real_match_pairs();
    free(real_match_play(folder, pairs));
    struct program_run run = PROGRAM("report", folder, "--json");
    json_t *found = json_loads(run.out, 0, NULL);
    assert_non_null(found);
    assert_int_equal(json_array_size(json_object_get(found, "games")), 2 * pairs);
    snprintf(path, sizeof path, "tests/data/real_match.json");
    snprintf(name, sizeof name, "%d", pairs);
    json_t *golden = json_load_file(path, 0, NULL), *kept = json_object_get(golden, name);
    assert_non_null(kept);
    expect_same(found, kept, "report");
    json_decref(golden);
    json_decref(found);
    program_expect(run, 0, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_report_of_a_real_match_has_these_numbers, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
