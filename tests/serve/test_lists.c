/* Lists of what there is to play, made again when their time is over. */
#include "serve/lists.h"

#include "host/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG = 1 << 30 /* ms */ };

/* The bots of the list, as "mine,yours,". */
static void names_of(struct lists *lists, char names[128]) {
    struct fault fault = {0};
    json_t *list = lists_get(lists, STOCK_BOTS, &fault), *bot;
    size_t at, length = 0;
    if (!list) fail_msg("%s", fault.text);
    *names = '\0';
    json_array_foreach(list, at, bot) {
        length += (size_t)snprintf(names + length, 128 - length, "%s,",
                                   json_string_value(json_object_get(bot, "name")));
        assert_true(length < 128);
    }
    json_decref(list);
}

static void write_bot(const char *folder, const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "return { api = 1, title = 'Mine', move = function(view) return view:moves()[1] "
                  "end }\n");
    assert_int_equal(fclose(file), 0);
}

static void a_list_serves_for_its_lifetime(void **state) {
    (void)state;
    struct folders folders = *support_folders();
    char bots[80], before[128], after[128], names[128];
    snprintf(bots, sizeof bots, "%s/bots", test_folder);
    assert_int_equal(mkdir(bots, 0700), 0);
    folders.count = 1;
    snprintf(folders.base[0], sizeof folders.base[0], "%s", test_folder);
    struct lists *kept = lists_open(&folders, LONG), *anew = lists_open(&folders, 0);
    write_bot(bots, "mine.lua");
    names_of(kept, before);
    names_of(anew, names);
    assert_string_equal(names, before);
    assert_non_null(strstr(before, "mine,"));
    write_bot(bots, "yours.lua");
    names_of(kept, names);
    assert_string_equal(names, before);
    names_of(anew, after);
    assert_non_null(strstr(after, "mine,yours,"));
    lists_close(kept);
    lists_close(anew);
    support_remove(bots);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_list_serves_for_its_lifetime, make_test_folder,
                                        remove_test_folder),
    };
    return cmocka_run_group_tests_name("lists", tests, NULL, NULL);
}
