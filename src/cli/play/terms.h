/* terms.h - what is to be played: as options say it, a game that was left, or the start screen. */
#ifndef ENSIGN_CLI_PLAY_TERMS_H
#define ENSIGN_CLI_PLAY_TERMS_H

#include "lua/folders.h"

struct terms {
    char variant[FOLDER_PATH_MAX];   /* as variant_load() takes it */
    char player[2][FOLDER_PATH_MAX]; /* "human", or as player_open() takes them */
    char setup[FOLDER_PATH_MAX]; /* of people, as setup_library_load() takes it; empty: they lay it
                                    out */
    int first;                   /* enum side, -1: as the rules say */
};

#endif
