/* foreign.h - one game as another program wrote it, on its way into a record or out of one.
 *
 * A reader (gsn.h, gravon_xml.h, ucc_log.h) puts into a struct foreign what its text says;
 * foreign_record() plays it by our rules and makes a record of what is legal. Such games are played
 * on the standard board with the usual twelve kinds; squares are ours. */
#ifndef ENSIGN_HOST_FOREIGN_FOREIGN_H
#define ENSIGN_HOST_FOREIGN_FOREIGN_H

#include "host/record.h"

enum { FOREIGN_BYTES_MAX = 4 << 20, FOREIGN_NAME_MAX = 256, FOREIGN_WORDS_MAX = 24 };

/* What a text says came of a move. */
enum foreign_battle { BATTLE_UNTOLD, BATTLE_NONE, BATTLE_WON, BATTLE_LOST, BATTLE_BOTH_FELL };

struct foreign_move {
    square from, to;               /* SQUARE_NONE if it could not be read */
    uint8_t battle;                /* enum foreign_battle */
    int line, column;              /* where it stands */
    char words[FOREIGN_WORDS_MAX]; /* as it stands there; a long one is cut */
};

struct foreign {
    const char *source;        /* "GSN"; NULL: none was read */
    const struct rules *rules; /* the variant that it is a game of; NULL if that is not known */
    bool stands;               /* `start` holds both armies; to_move is found out by the judge */
    struct position start;
    bool free;                       /* they need not be whole armies in their zones */
    char names[2][FOREIGN_NAME_MAX]; /* empty if not told */
    enum result result;              /* RESULT_NONE if the game was not finished */
    enum reason reason;              /* REASON_NONE: what the moves show */
    char ending[FOREIGN_NAME_MAX];   /* in the text's own words; may be empty */
    char forfeit[FOREIGN_NAME_MAX];  /* what a side forfeited with; may be empty */
    struct foreign_move *moves;
    size_t move_count;
};

/* What readers need of whoever calls them. */
struct foreign_help {
    /* The rules of a stock variant, which live as long as the record is made; NULL with a fault. */
    const struct rules *(*rules)(void *context, const char *variant, struct fault *fault);
    /* Hears of everything that is wrong, with line and column; what can be read is read on. */
    void (*complain)(void *context, const struct fault *fault);
    void *context;
};

void foreign_complain(const struct foreign_help *help, int line, int column, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

/* Sets the rules. False after a complaint at that line. */
bool foreign_variant(struct foreign *foreign, const struct foreign_help *help, const char *variant,
                     int line);

/* Adds a move whose `words` are `length` bytes of a text. False after a complaint that memory or
 * the ceiling of a record's moves is met. */
bool foreign_add(struct foreign *foreign, const struct foreign_help *help, struct foreign_move move,
                 const char *words, size_t length);

/* Copies a name or an ending of `length` bytes, without blanks around it; what is too long is cut.
 */
void foreign_copy(char out[FOREIGN_NAME_MAX], const char *text, size_t length);

void foreign_clear(struct foreign *foreign);

/* The record: all moves up to the first that is illegal or could not be read. Result and reason are
 * those that the rules find; where the game is not over by them, those of the text. NULL after a
 * complaint if there is nothing that could be played (no rules, no armies) or no memory. */
struct record *foreign_record(const struct foreign *foreign, const struct foreign_help *help);

/* The other way: a record that was replayed without a fault into `game`, whose history is whole.
 * Its rules must live as long as `foreign`. False with a fault for a board, a kind or a move that
 * such texts cannot say. Free with foreign_clear() in either case. */
bool foreign_take(struct foreign *foreign, const struct record *record, const struct game *game,
                  struct fault *fault);

/* The usual twelve kinds, from the bomb by rank to the flag. */
enum { FOREIGN_KINDS = 12 };
extern const char *const FOREIGN_KIND_NAMES[FOREIGN_KINDS];

#endif
