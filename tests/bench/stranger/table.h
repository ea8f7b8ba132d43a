/* table.h - the game as bench_stranger sees it: two armies of 40 on the standard board.
 *
 * Nothing of Ensign is used here, so that this opponent shares neither its rules nor its faults.
 * Squares have a margin of lakes all around: 12 to a row, a row above and below. */
#ifndef BENCH_STRANGER_TABLE_H
#define BENCH_STRANGER_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { ROW = 12, SQUARES = ROW * ROW, FIRST = ROW + 1, LAST = SQUARES - ROW - 2 };
enum { ARMY = 40, PIECES = 2 * ARMY + 1, EMPTY = 0, LAKE = 255 };

/* By strength, of those that move; the numbers on the pieces go the other way. */
enum rank {
    RANK_HIDDEN,
    SPY,
    SCOUT,
    MINER,
    SERGEANT,
    LIEUTENANT,
    CAPTAIN,
    MAJOR,
    COLONEL,
    GENERAL,
    MARSHAL,
    BOMB,
    FLAG,
    RANKS
};

enum side { OURS, THEIRS };

struct piece {
    bool alive, moved;
    bool known; /* the other side knows the rank */
    uint8_t side;
    uint8_t rank;         /* RANK_HIDDEN: one of theirs that is not known */
    int at;               /* its square, the last one if it has fallen */
    int start;            /* place in its set-up: 0 to 9 in front, from its owner's left */
    double manner[RANKS]; /* of theirs: how well each rank fits what it has done; 1: as any other */
};

struct table {
    struct piece piece[PIECES]; /* from 1: ours, then theirs */
    uint8_t at[SQUARES];        /* number of a piece, EMPTY or LAKE */
    int plies;
};

extern const int RANK_COUNT[RANKS]; /* in an army */
extern const int STEP[4];

/* 1 if the attacker wins, -1 if the defender does, 0 if both fall. */
int battle(int attacker, int defender);

/* The rank of a label of the contest's protocol ('1' marshal … '9' scout, s, B, F) and back. */
enum rank rank_of_label(char label);
char label_of_rank(int rank);

/* Both armies stand: ours by rank, front row first, from our left. */
void table_start(struct table *table, const uint8_t ours[ARMY], bool red);

/* Follows a move as it was reported: OK, KILLS, DIES or BOTHDIE, with the ranks of attacker and
 * defender after a battle. An unknown start square changes nothing. */
void table_follow(struct table *table, int from, int to, const char *outcome, enum rank attacker,
                  enum rank defender);

#endif
