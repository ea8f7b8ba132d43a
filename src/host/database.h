/* database.h - an SQLite file that a stranger may have written.
 *
 * Only a file whose tables and indices are exactly the expected ones is read: no views, triggers,
 * generated columns or other names. Texts have a greatest length, and a statement that takes more
 * work than the file's size can explain ends as damage. Links, pipes and journals to be rolled back
 * are refused. For one thread at a time. */
#ifndef ENSIGN_HOST_DATABASE_H
#define ENSIGN_HOST_DATABASE_H

#include "base/fault.h"

#include <sqlite3.h>

enum {
    DATABASE_PATH_MAX = 1088,
    DATABASE_TEXT_MAX = 1 << 20 /* bytes of a value, a row, or a page's statement */
};

/* Why a call failed. */
enum database_trouble { DATABASE_DAMAGED, DATABASE_LOCKED, DATABASE_FULL /* the disk */ };

enum database_mode { DATABASE_READ, DATABASE_WRITE, DATABASE_MAKE /* if it is missing */ };

struct database {
    sqlite3 *handle; /* NULL: not open */
    char path[DATABASE_PATH_MAX];
    int patience; /* ms that a locked file is waited for, without `waits` */

    /* Called again and again while another process has locked the file; true: go on waiting. May be
     * NULL. */
    bool (*waits)(void *context, const char *path, int64_t waited_ms);
    void *context;

    enum database_trouble trouble; /* of the last call that failed */

    /* For database.c alone. */
    uint64_t work;        /* steps of the running statement */
    int64_t locked_since; /* clock_ms() */
};

/* Opens a file; the other members of `database` are set by the caller. Nothing in it has been
 * believed yet. Close it in either case. */
bool database_open(struct database *database, const char *path, enum database_mode mode,
                   struct fault *fault);

/* The same, of an empty one in memory. */
bool database_open_memory(struct database *database, struct fault *fault);
void database_close(struct database *database); /* statements must be finalized before */

/* Whether it has this PRAGMA application_id, and exactly the tables and indices that these CREATE
 * statements make. False with a fault: STATUS_TEXT if not. */
bool database_is(struct database *database, int application, struct fault *fault);
bool database_has_schema(struct database *database, const char *schema, struct fault *fault);

/* Write-ahead log, entered without a journal on disk; synchronous = NORMAL. */
bool database_enter_wal(struct database *database, struct fault *fault);

bool database_execute(struct database *database, const char *sql, struct fault *fault);

/* The number that a statement gives; -1 on failure. */
int database_number(struct database *database, const char *sql);

/* `*cached`, prepared when first needed, without values; NULL on failure. */
sqlite3_stmt *database_statement(struct database *database, sqlite3_stmt **cached, const char *sql);

/* Runs a statement of database_statement(), which may be NULL, to its end. */
bool database_run(struct database *database, sqlite3_stmt *statement, struct fault *fault);

/* Fills the fault with SQLite's last error and the path. Returns false. */
bool database_fail(struct database *database, struct fault *fault);

/* The same for what is wrong in the file: STATUS_TEXT. */
bool database_malformed(const struct database *database, struct fault *fault, const char *what);

#endif
