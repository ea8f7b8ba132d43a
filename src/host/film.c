/* film.c - films a replay: plays it and writes how squares change.
 *
 * All squares are read from the game and both views after each ply and compared with the ply
 * before, so no kind of move or ability needs code of its own. */
#include "film.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "host/match/tournament.h"

enum {
    HELD_MOVED = 1 << 6,
    HELD_KNOWN = 1 << 7,
    HELD_SEEN_MOVED = 1 << 8,
    HELD_UNSEEN = 1 << 9,
    HELD_DARK = 1 << 10, /* red's; blue's is the next bit */
    TOLD_FROM = 1,
    TOLD_TO = 2,
    PLAIN_STEP = 255, /* in place of the number of changes */
    NUMBER_DIGITS = 4,
    FILM_NOTES_MAX = 1 << 20,
    FILM_BYTES_MAX = 256 << 20
};

struct studio {
    struct playback *replay;
    const struct session *session; /* the replay's */
    struct film *film;
    uint32_t *battles;                /* the caller's */
    uint16_t held[BOARD_SQUARES_MAX]; /* as last written to the text */
    struct buffer text;
};

void film_add_number(struct buffer *text, unsigned number) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (int shift = 6 * (NUMBER_DIGITS - 1); shift >= 0; shift -= 6)
        buffer_add(text, &digits[number >> shift & 63], 1);
}

/* A side's view of the piece on a square; NULL if it sees none. */
static const struct view_piece *seen_by(const struct studio *studio, enum side side, square at) {
    const struct view *view = &studio->session->eyes.view[side];
    return view->number[at] == VIEW_EMPTY ? NULL : &view->piece[view->number[at]];
}

static uint16_t held_on(const struct studio *studio, square at, const squareset sees[2]) {
    unsigned held = 0;
    for (int side = RED; side <= BLUE; side++)
        if (!squareset_has(sees[side], at)) held |= (unsigned)HELD_DARK << side;
    cell piece = studio->session->game.at[at];
    if (piece == CELL_EMPTY) return (uint16_t)held;
    enum side side = cell_side(piece);
    const struct view_piece *own = seen_by(studio, side, at);
    const struct view_piece *enemy = seen_by(studio, side_other(side), at);
    held |= cell_of(side, cell_kind(piece));
    if (own && own->moved) held |= HELD_MOVED;
    if (!enemy) return (uint16_t)(held | HELD_UNSEEN);
    if (enemy->kind != KIND_NONE) held |= HELD_KNOWN;
    if (enemy->moved) held |= HELD_SEEN_MOVED;
    return (uint16_t)held;
}

static void film_look(const struct studio *studio, uint16_t held[BOARD_SQUARES_MAX]) {
    squareset sees[2];
    for (int side = RED; side <= BLUE; side++)
        sees[side] = view_sees(&studio->session->eyes.view[side]);
    for (square at = 0; at < studio->session->game.rules->board.squares; at++)
        held[at] = held_on(studio, at, sees);
}

/* Is the move a plain step (film.h), and all that has changed? */
static bool is_plain(const struct studio *studio, const uint16_t *now, struct move move,
                     unsigned told, unsigned changes) {
    return changes == 2 && told == (TOLD_FROM | TOLD_TO) && move.ability == ABILITY_NONE &&
           studio->held[move.to] == 0 && now[move.from] == 0 &&
           now[move.to] == (studio->held[move.from] | HELD_MOVED | HELD_SEEN_MOVED);
}

/* Appends a ply; `move` is NULL for the start. False if memory is short. */
static bool write_changes(struct studio *studio, const struct move *move, unsigned told) {
    uint16_t now[BOARD_SQUARES_MAX];
    unsigned changes = 0;
    film_look(studio, now);
    for (square at = 0; at < studio->session->game.rules->board.squares; at++)
        changes += now[at] != studio->held[at];
    bool plain = move && is_plain(studio, now, *move, told, changes);
    unsigned from = move ? move->from : 0, to = move ? move->to : 0;
    film_add_number(&studio->text,
                    from << 17 | to << 10 | told << 8 | (plain ? PLAIN_STEP : changes));
    for (square at = 0; !plain && at < studio->session->game.rules->board.squares; at++)
        if (now[at] != studio->held[at])
            film_add_number(&studio->text, (unsigned)at << 12 | now[at]);
    memcpy(studio->held, now, sizeof now);
    return !studio->text.broken;
}

/* The bits of `told` (film.h), from the events of the side that did not move. */
static unsigned told_of(const struct events *told) {
    unsigned learned = TOLD_FROM | TOLD_TO;
    for (int e = told->count - 1; e >= 0; e--) {
        const struct event *event = &told->list[e];
        if (event->type == EVENT_BATTLE)
            return (event->kind ? TOLD_FROM : 0) | (event->other ? TOLD_TO : 0);
        if (event->type != EVENT_MOVE) continue;
        if (event->from == SQUARE_NONE) learned &= ~(unsigned)TOLD_FROM;
        if (event->to == SQUARE_NONE) learned &= ~(unsigned)TOLD_TO;
    }
    return learned;
}

static bool keep_note(struct film *film, const char *move) {
    struct film_note *notes =
        array_grown(film->notes, film->note_count, sizeof *notes, FILM_NOTES_MAX);
    if (!notes) return false;
    film->notes = notes;
    struct film_note *note = &notes[film->note_count++];
    note->ply = film->plies;
    memcpy(note->move, move, sizeof note->move);
    return true;
}

static void count_battle(struct studio *studio, const struct events *told) {
    for (int e = 0; e < told->count; e++)
        if (told->list[e].type == EVENT_BATTLE) studio->battles[told->list[e].to]++;
}

/* Films all legal moves. False if memory is short or a call of the variant fails. */
static bool film_shoot(struct studio *studio, struct fault *fault) {
    struct film *film = studio->film;
    struct playback *replay = studio->replay;
    const struct session *session = studio->session;
    while (playback_step(replay, fault)) {
        const struct move *move = &session->game.plies[film->plies].move;
        const char *text = replay->record->moves[film->plies++].text;
        enum side mover = session->teller;
        count_battle(studio, &session->eyes.told[mover]);
        bool kept = write_changes(studio, move, told_of(&session->eyes.told[side_other(mover)])) &&
                    (move->ability == ABILITY_NONE || keep_note(film, text));
        if (!kept) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    }
    return film->plies == replay->record->move_count || replay->illegal_ply;
}

/* Writes the start, as changes from two armies in full sight. */
static bool film_begin(struct studio *studio) {
    const struct position *position = &studio->session->start;
    for (square at = 0; at < studio->session->game.rules->board.squares; at++) {
        cell piece = position->at[at];
        studio->held[at] = piece ? cell_of(cell_side(piece), cell_kind(piece)) : 0;
    }
    return write_changes(studio, NULL, 0);
}

bool film_make(struct playback *replay, struct film *film, uint32_t battles[BOARD_SQUARES_MAX],
               struct fault *fault) {
    const struct session *session = replay->session;
    struct studio studio = {.replay = replay,
                            .session = session,
                            .film = film,
                            .battles = battles,
                            .text = buffer_of(FILM_BYTES_MAX)};
    *film = (struct film){.first = session->start.to_move};
    position_write(session->game.rules, &session->start, film->start);
    bool made = film_begin(&studio) ? film_shoot(&studio, fault)
                                    : fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    memcpy(film->ending, session->ending.text, sizeof film->ending);
    film->length = studio.text.length;
    film->text = buffer_take(&studio.text);
    return made;
}

void film_clear(struct film *film) {
    free(film->text);
    free(film->notes);
    free(film->chances);
    *film = (struct film){0};
}

/* Keeps as many films as fit.
 *
 * Pair 0 has the hash 0 and so is always kept. */

static size_t bytes_of(const struct film *film) {
    return film->length + film->note_count * sizeof *film->notes + sizeof *film;
}

/* Fibonacci hashing: multiples of the golden ratio spread evenly, however many there are. */
static uint32_t hash_of(uint32_t game) {
    return game / 2 * UINT32_C(2654435769);
}

/* The lowest limit that keeps `chosen` pairs. */
static uint64_t limit_for(uint32_t pairs, uint32_t chosen) {
    uint64_t low = 0, high = UINT64_C(1) << 32; /* keeps too few; enough */
    while (chosen < pairs && high - low > 1) {
        uint64_t middle = (low + high) / 2;
        uint32_t below = 0;
        for (uint32_t pair = 0; pair < pairs; pair++) below += hash_of(2 * pair) < middle;
        if (below >= chosen)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static bool is_chosen(struct reel *reel, uint32_t game) {
    if (!reel->limit) {
        uint32_t pairs = reel->games / 2 + reel->games % 2;
        reel->limit = limit_for(pairs, reel->games_max / 2 + reel->games_max % 2);
    }
    return hash_of(game) < reel->limit;
}

static bool stays_pinned(const struct reel *reel, bool pinned) {
    return pinned && reel->pinned_bytes < reel->bytes_max / 4;
}

bool reel_wants(struct reel *reel, uint32_t game, bool pinned) {
    return stays_pinned(reel, pinned) || is_chosen(reel, game);
}

static void reel_thin(struct reel *reel) {
    size_t kept = 0;
    reel->limit /= 2;
    for (size_t i = 0; i < reel->count; i++) {
        struct reel_game *entry = &reel->list[i];
        if (entry->pinned || is_chosen(reel, entry->game)) {
            reel->list[kept++] = *entry;
        } else {
            reel->bytes -= bytes_of(&entry->film);
            film_clear(&entry->film);
        }
    }
    reel->count = kept;
}

bool reel_add(struct reel *reel, uint32_t game, bool pinned, struct film *film) {
    struct reel_game *list =
        array_grown(reel->list, reel->count, sizeof *list, TOURNAMENT_GAMES_MAX);
    if (!list) return false;
    reel->list = list;
    pinned = stays_pinned(reel, pinned);
    reel->bytes += bytes_of(film);
    if (pinned) reel->pinned_bytes += bytes_of(film);
    reel->list[reel->count++] = (struct reel_game){game, pinned, *film};
    *film = (struct film){0};
    while (reel->bytes > reel->bytes_max && reel->limit > 1) reel_thin(reel);
    return true;
}

void reel_clear(struct reel *reel) {
    for (size_t i = 0; i < reel->count; i++) film_clear(&reel->list[i].film);
    free(reel->list);
    *reel = (struct reel){0};
}
