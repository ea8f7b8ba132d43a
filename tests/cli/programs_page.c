#include "programs_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { PAGE_MAX = 1 << 17 };

void programs_environment(void) {
    char path[4096];
    const char *rest = getenv("PATH");
    snprintf(path, sizeof path, "/usr/bin:%s", rest ? rest : "/bin");
    setenv("PATH", path, 1);
    setenv("ENSIGN", ENSIGN_PROGRAM, 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
}

char *programs_page(void) {
    char *page = calloc(1, PAGE_MAX);
    FILE *file = fopen(PROGRAMS "README.md", "rb");
    assert_true(page && file);
    assert_true(fread(page, 1, PAGE_MAX - 1, file) < PAGE_MAX - 1);
    fclose(file);
    return page;
}

char *programs_block(const char *beginning, int n) {
    char *page = programs_page(), *copy = NULL;
    const char *block = strstr(page, beginning);
    while (block && n-- > 0) block = strstr(block + 1, beginning);
    if (block) {
        const char *end = strstr(block, "\n```");
        assert_non_null(end);
        copy = strndup(block, (size_t)(end + 1 - block));
    }
    free(page);
    return copy;
}

void programs_write(const char *path, const char *block) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(block, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
}
