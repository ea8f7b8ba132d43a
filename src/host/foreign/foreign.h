/* foreign.h - games in other programs' formats, converted to and from records.
 *
 * A reader (gsn.h, gravon_xml.h, ucc_log.h) parses a text into struct foreign; foreign_record()
 * then plays the moves by our rules and makes a record of the legal ones. Such games use the
 * standard board and the twelve standard kinds. */
#ifndef ENSIGN_HOST_FOREIGN_FOREIGN_H
#define ENSIGN_HOST_FOREIGN_FOREIGN_H

#include "host/record.h"

enum { FOREIGN_BYTES_MAX = 4 << 20, FOREIGN_NAME_MAX = 256, FOREIGN_WORDS_MAX = 24 };

/* Outcome of a move according to the text. */
enum foreign_battle { BATTLE_UNTOLD, BATTLE_NONE, BATTLE_WON, BATTLE_LOST, BATTLE_BOTH_FELL };

struct foreign_move {
    square from, to;               /* SQUARE_NONE if unreadable */
    uint8_t battle;                /* enum foreign_battle */
    int line, column;              /* in the text */
    char words[FOREIGN_WORDS_MAX]; /* as written there, cut if long */
};

struct foreign {
    const char *source;        /* the format: "GSN" */
    const struct rules *rules; /* NULL if the variant is unknown */
    bool stands;               /* `start` has both armies; foreign_record() finds its to_move */
    struct position start;
    bool free;                       /* the armies need not be complete and in their zones */
    char names[2][FOREIGN_NAME_MAX]; /* may be empty */
    enum result result;              /* RESULT_NONE: unfinished */
    enum reason reason;              /* REASON_NONE: the moves decide */
    char ending[FOREIGN_NAME_MAX];   /* in the words of the text; may be empty */
    char forfeit[FOREIGN_NAME_MAX];  /* the answer that was forfeited with; may be empty */
    struct foreign_move *moves;
    size_t move_count;
};

/* Callbacks of the readers. */
struct foreign_help {
    /* The rules of a stock variant, which must outlive struct foreign; NULL with a fault. */
    const struct rules *(*rules)(void *context, const char *variant, struct fault *fault);
    /* Gets every fault, with line and column; reading goes on after it. */
    void (*complain)(void *context, const struct fault *fault);
    void *context;
    /* Gets what was read although it is unusual: nothing is lost. NULL: nobody wants to know. */
    void (*note)(void *context, const struct fault *fault);
};

void foreign_complain(const struct foreign_help *help, int line, int column, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

/* The same for a note. */
void foreign_note(const struct foreign_help *help, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Sets the rules. False after a complaint at that line. */
bool foreign_variant(struct foreign *foreign, const struct foreign_help *help, const char *variant,
                     int line);

/* Adds a move with `length` bytes of `words`. False after a complaint if memory is short or there
 * are too many moves. */
bool foreign_add(struct foreign *foreign, const struct foreign_help *help, struct foreign_move move,
                 const char *words, size_t length);

/* Copies a name or an ending of `length` bytes, trimmed, and cut if long. What is not UTF-8 is read
 * as windows-1252, with a note. */
void foreign_copy(char out[FOREIGN_NAME_MAX], const struct foreign_help *help, int line,
                  const char *text, size_t length);

void foreign_clear(struct foreign *foreign);

/* The record, with all moves before the first illegal or unreadable one. Result and reason are
 * those of the text only if the game is not over by the rules. NULL after a complaint if rules or
 * armies are missing or memory is short. */
struct record *foreign_record(const struct foreign *foreign, const struct foreign_help *help);

/* The other way: a record that was replayed without a fault into `game`. Its rules must outlive
 * `foreign`. False with a fault for a board, a kind or a move that the formats cannot express. Free
 * with foreign_clear() in either case. */
bool foreign_take(struct foreign *foreign, const struct record *record, const struct game *game,
                  struct fault *fault);

/* The standard kinds: bomb, then by rank, then flag. */
enum { FOREIGN_KINDS = 12 };
extern const char *const FOREIGN_KIND_NAMES[FOREIGN_KINDS];

#endif
