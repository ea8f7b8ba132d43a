/* live.h - lets a game go on in its own thread, for a screen in another.
 *
 * Bots take their time; the screen must react to keys, resizes and clocks at any time. This module
 * connects the two: it keeps the events of each side, passes the game's questions to a person and
 * answers back, and sets the pace of bots.
 *
 * It holds the views of both sides: the screen must show a person that person's side only. */
#ifndef ENSIGN_CLI_SCREEN_LIVE_H
#define ENSIGN_CLI_SCREEN_LIVE_H

#include "host/table/table.h"

enum live_stage {
    LIVE_THINKING, /* a bot or the referee works */
    LIVE_WAITING,  /* a bot's turn waits for its pause or for live_step() */
    LIVE_ASKED,    /* a person chooses from `moves`: live_answer() */
    LIVE_OFFERED,  /* a person is offered a draw: live_accept() */
    LIVE_OVER
};

struct live_state {
    enum live_stage stage;
    enum side side;           /* to move, or asked */
    const struct move *moves; /* of LIVE_ASKED; valid until the next question is answered */
    size_t count;
    bool started;         /* the views are valid */
    uint32_t turns;       /* that both sides have events of */
    uint32_t refusals;    /* number of refused answers of people */
    struct fault refusal; /* the latest */
    uint32_t returns;     /* how often moves were taken back: `turns` began again, */
    uint32_t returned_to; /* and this is the ply that the game goes on after */
    struct view view[2];  /* what each side knows */
};

struct live_options {
    struct table *table;         /* the game's thread is its only user until live_end() */
    int pause_ms;                /* see live_pace() */
    void (*wake)(void *context); /* called in the game's thread after a change */
    void *context;
};

struct live;

/* Starts the game. NULL with a fault. */
struct live *live_start(const struct live_options *options, struct fault *fault);

/* A snapshot of the game's state. */
void live_look(struct live *live, struct live_state *state);

/* The events of a side in a turn, 0 … turns - 1. */
void live_turn(struct live *live, enum side side, uint32_t turn, struct events *events);

/* A copy of the game's record so far, which the caller frees; NULL before the game has begun, or
 * without memory. */
struct record *live_record(struct live *live);

/* Answers LIVE_ASKED. If the answer is refused the same question comes again. */
void live_answer(struct live *live, const struct answer *answer);

/* Answers LIVE_OFFERED. */
void live_accept(struct live *live, bool accept);

/* Sets the pause in ms between a turn and a bot's move; negative: until live_step(). */
void live_pace(struct live *live, int pause_ms);

/* Lets a waiting bot move now. */
void live_step(struct live *live);

/* Takes the game back to the position after `keep` plies, once the player that is thinking has
 * answered; its answer does not count. */
void live_take_back(struct live *live, uint32_t keep);

/* Stops the game once the player that is thinking has answered. */
void live_quit(struct live *live);

/* Waits for the end of the game and frees `live`. False with a fault if the host failed. */
bool live_end(struct live *live, struct fault *fault);

#endif
