/* room_card.c - what is shown of a game that is over where its link is shared. */
#include "room_inside.h"

#include "lua/language.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *player_of(const struct room *room, enum side side) {
    const char *name = room->names[side];
    return !strcmp(name, "human") || !strcmp(name, "guest") ? "Guest" : name;
}

static void fill_card(const struct room *room, struct room_card *card) {
    const struct session *session = room->table.referee.session;
    const struct rules *rules = room->edition->rules;
    char end[CARD_TEXT_MAX - 32];
    snprintf(card->title, sizeof card->title, "%s – %s: %s", player_of(room, RED),
             player_of(room, BLUE), rules->title);
    language_end(NULL, session->result, session->reason, &session->ending, end, sizeof end);
    snprintf(card->about, sizeof card->about, "%s Plies: %u.", end,
             (unsigned)session->game.ply_count);
    card->files = rules->board.files;
    card->ranks = rules->board.ranks;
    for (square at = 0; at < rules->board.squares; at++) {
        struct card_square *shown = &card->at[at];
        const cell piece = session->started ? session->game.at[at] : CELL_EMPTY;
        shown->type = squareset_has(rules->board.lakes, at) ? CARD_LAKE
                      : piece == CELL_EMPTY                 ? CARD_FREE
                      : cell_side(piece) == RED             ? CARD_RED
                                                            : CARD_BLUE;
        if (piece == CELL_EMPTY) continue;
        const struct kind *kind = &rules->kind[cell_kind(piece)];
        snprintf(shown->label, sizeof shown->label, "%s", kind->label);
        for (const char *byte = kind->label; *byte;
             byte++) /* letters are drawn that all kinds have */
            if ((unsigned char)*byte >= 128)
                snprintf(shown->label, sizeof shown->label, "%c", kind->letter);
    }
}

void room_make_card(struct room *room) {
    const bool over = room->table.referee.session->over;
    struct room_card *card = over && !room->card ? calloc(1, sizeof *card) : NULL;
    if (card) fill_card(room, card);
    pthread_mutex_lock(&room->lock);
    if (!over) free(room->card), room->card = NULL;
    if (card) room->card = card;
    room->published = true;
    pthread_mutex_unlock(&room->lock);
}

enum card_state room_card(struct room *room, struct room_card *card) {
    pthread_mutex_lock(&room->lock);
    const enum card_state state = room->card        ? CARD_READY
                                  : room->published ? CARD_NONE
                                                    : CARD_LATER;
    if (room->card) *card = *room->card;
    pthread_mutex_unlock(&room->lock);
    return state;
}
