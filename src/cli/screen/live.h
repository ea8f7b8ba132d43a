/* live.h - a game that the referee runs in a thread of its own, while another looks on.
 *
 * A referee asks its players and waits; a screen has to answer keys, changes of size and clocks all
 * the time. So the referee gets a thread, and between the two stands this: it follows the game,
 * keeps what each side was told, hands a person's question over and carries the answer back. It
 * also sets the pace of bots.
 *
 * Whoever looks on must show a person nothing but what is of that person's side. */
#ifndef ENSIGN_CLI_SCREEN_LIVE_H
#define ENSIGN_CLI_SCREEN_LIVE_H

#include "host/referee.h"

enum live_stage {
    LIVE_THINKING, /* a bot, or the referee */
    LIVE_WAITING,  /* a bot's turn waits for its pause to pass, or for live_step() */
    LIVE_ASKED,    /* a person is to move: `moves`, until live_answer() */
    LIVE_OFFERED,  /* a person is offered a draw: live_accept() */
    LIVE_OVER
};

struct live_state {
    enum live_stage stage;
    enum side side;           /* whose turn it is or who is asked */
    const struct move *moves; /* of LIVE_ASKED; stay where they are until the question after it */
    size_t count;
    bool started;         /* the views are those of a game */
    uint32_t turns;       /* that both sides have been told of */
    uint32_t refusals;    /* how many answers of people were refused */
    struct fault refusal; /* why the last was */
    struct view view[2];  /* what each side knows */
};

struct live_options {
    const struct rules *rules;
    struct player *players[2];      /* bots and programs; NULL: a person, whose set-up is given */
    struct referee_options referee; /* `keep` is called in the thread of the game */
    struct record *record;          /* may be NULL; belongs to the game while it runs */
    int pause_ms;                   /* see live_pace() */
    void (*wake)(void *context);    /* called from the game's thread when anything has changed */
    void *context;
};

struct live;

/* Starts the game. NULL with a fault. */
struct live *live_start(const struct live_options *options, struct fault *fault);

/* How the game stands. */
void live_look(struct live *live, struct live_state *state);

/* What a side was told in a turn, 0 … turns - 1. */
void live_turn(struct live *live, enum side side, uint32_t turn, struct events *events);

/* Answers LIVE_ASKED. If the answer is refused the same question comes again. */
void live_answer(struct live *live, const struct answer *answer);

/* Answers LIVE_OFFERED. */
void live_accept(struct live *live, bool accept);

/* How long a bot's move waits after the turn before it, in ms; negative: for live_step(). */
void live_pace(struct live *live, int pause_ms);

/* Lets the waiting bot move now. */
void live_step(struct live *live);

/* Breaks the game off as soon as whoever is thinking has answered. */
void live_quit(struct live *live);

/* Waits until the game is over, and ends all that belongs to it. False with a fault if the host
 * failed; else the report is filled. */
bool live_end(struct live *live, struct referee_report *report, struct fault *fault);

#endif
