/* match_folder.h - the folders that `match -o` writes. */
#ifndef ENSIGN_TESTS_CLI_MATCH_FOLDER_H
#define ENSIGN_TESTS_CLI_MATCH_FOLDER_H

#include <stddef.h>

enum { MATCH_FOLDER_MAX = 64 };

/* A new, empty folder; removes one with its files. */
void match_folder_make(char folder[MATCH_FOLDER_MAX]);
void match_folder_remove(const char *folder);

/* The bytes of a file; the caller frees. */
char *match_folder_file(const char *folder, const char *name, size_t *length);

/* What a query of match.sqlite gives, a line a row, each value before a '|'; the caller frees. */
char *match_folder_query(const char *folder, const char *sql);

/* The matches in the two folders are equal: rows, and records byte for byte. */
void match_folder_assert_same(const char *one, const char *other);

/* Games in match.sqlite. */
int match_folder_games(const char *folder);

#endif
