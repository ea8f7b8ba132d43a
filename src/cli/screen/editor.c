/* editor.c - a set-up being edited.
 *
 * The pieces left follow from the army and the zone, so a step is stored as the set-up before it
 * and undo is a copy. `steps` is a ring: the steps to undo end before `latest`, those to redo begin
 * there. */
#include "editor.h"

#include "host/setups/setup_pool.h"

#include <string.h>

enum { SHUFFLES_MAX = 1000 };

static const struct start *editor_army(const struct editor *editor) {
    return &editor->rules->start[editor->side];
}

bool editor_allows(const struct editor *editor, square at, kind_id kind) {
    const struct board *board = &editor->rules->board;
    if (at >= board->squares) return false;
    if (kind != KIND_NONE) return squareset_has(editor_army(editor)->on[kind], at);
    return squareset_has(board->zone[editor->side], board_own(board, editor->side, at));
}

static bool editor_has(const struct editor *editor, square at) {
    return editor_allows(editor, at, KIND_NONE);
}

/* Copies a set-up as far as army and zone allow. */
static void editor_take(struct editor *editor, const struct setup *setup) {
    const struct rules *rules = editor->rules;
    memset(&editor->setup, 0, sizeof editor->setup);
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        editor->left[kind] = editor_army(editor)->count[kind];
    for (square at = 0; setup && at < rules->board.squares; at++) {
        kind_id kind = setup->at[at];
        if (kind == KIND_NONE || kind > rules->kinds || !editor_allows(editor, at, kind)) continue;
        if (!editor->left[kind]) continue;
        editor->left[kind]--;
        editor->setup.at[at] = kind;
    }
}

static int ring_index(int step) {
    return (step + EDITOR_STEPS_MAX) % EDITOR_STEPS_MAX;
}

/* Saves the state that undo returns to. */
static void begin_step(struct editor *editor) {
    editor->steps[editor->latest] = editor->setup;
    editor->latest = ring_index(editor->latest + 1);
    if (editor->done < EDITOR_STEPS_MAX - 1) editor->done++;
    editor->undone = 0;
}

void editor_start(struct editor *editor, const struct rules *rules, enum side side,
                  const struct setup *setup) {
    memset(editor, 0, sizeof *editor);
    editor->rules = rules;
    editor->side = side;
    editor_take(editor, setup);
}

bool editor_place(struct editor *editor, square at, kind_id kind) {
    if (kind == KIND_NONE || kind > editor->rules->kinds || !editor->left[kind] ||
        !editor_allows(editor, at, kind))
        return false;
    begin_step(editor);
    kind_id stood = editor->setup.at[at];
    if (stood != KIND_NONE) editor->left[stood]++;
    editor->left[kind]--;
    editor->setup.at[at] = kind;
    return true;
}

bool editor_lift(struct editor *editor, square at) {
    if (!editor_has(editor, at) || editor->setup.at[at] == KIND_NONE) return false;
    begin_step(editor);
    editor->left[editor->setup.at[at]]++;
    editor->setup.at[at] = KIND_NONE;
    return true;
}

bool editor_swap(struct editor *editor, square a, square b) {
    kind_id *at = editor->setup.at;
    if (!editor_has(editor, a) || !editor_has(editor, b) || (!at[a] && !at[b]) ||
        !editor_allows(editor, a, at[b]) || !editor_allows(editor, b, at[a]))
        return false;
    if (a == b) return true;
    begin_step(editor);
    kind_id kept = at[a];
    at[a] = at[b];
    at[b] = kept;
    return true;
}

/* A zone with lakes may be asymmetric: pieces without a square are left again. */
void editor_mirror(struct editor *editor) {
    struct setup mirrored;
    setup_mirror(editor->rules, &editor->setup, &mirrored);
    editor_fill(editor, &mirrored);
}

/* Places the pieces left on empty squares where they may start, the most bound first. False if one
 * finds none. Without bound kinds each arrangement is equally likely. */
static bool editor_scatter(const struct editor *editor, struct random *random,
                           struct setup *setup) {
    const struct start *start = editor_army(editor);
    kind_id order[2 * KINDS_MAX];
    int kinds = start->bound;
    memcpy(order, start->order, sizeof start->order);
    for (kind_id kind = 1; kind <= editor->rules->kinds; kind++)
        if (squareset_count(start->on[kind]) == start->zone_size) order[kinds++] = kind;
    *setup = editor->setup;
    for (int k = 0; k < kinds; k++) {
        square places[BOARD_SQUARES_MAX];
        uint32_t count = 0;
        for (squareset rest = start->on[order[k]]; rest;) {
            square at = squareset_pop(&rest);
            if (setup->at[at] == KIND_NONE) places[count++] = at;
        }
        for (int i = 0; i < editor->left[order[k]]; i++) {
            if (!count) return false;
            uint32_t drawn = random_below(random, count);
            setup->at[places[drawn]] = order[k];
            places[drawn] = places[--count];
        }
    }
    return true;
}

bool editor_shuffle(struct editor *editor, struct random *random, struct fault *fault) {
    struct setup setup;
    if (!editor_left(editor)) {
        if (!setup_random(editor->rules, editor->side, random, &setup, fault)) return false;
        editor_fill(editor, &setup);
        return true;
    }
    for (int i = 0; i < SHUFFLES_MAX; i++) {
        if (!editor_scatter(editor, random, &setup) ||
            !setup_check(editor->rules, editor->side, &setup, fault))
            continue;
        editor_fill(editor, &setup);
        return true;
    }
    return false;
}

void editor_clear(struct editor *editor) {
    begin_step(editor);
    editor_take(editor, NULL);
}

void editor_fill(struct editor *editor, const struct setup *setup) {
    begin_step(editor);
    editor_take(editor, setup);
}

bool editor_undo(struct editor *editor) {
    if (!editor->done) return false;
    struct setup now = editor->setup;
    editor->latest = ring_index(editor->latest - 1);
    editor_take(editor, &editor->steps[editor->latest]);
    editor->steps[editor->latest] = now;
    editor->done--;
    editor->undone++;
    return true;
}

bool editor_redo(struct editor *editor) {
    if (!editor->undone) return false;
    struct setup now = editor->setup;
    editor_take(editor, &editor->steps[editor->latest]);
    editor->steps[editor->latest] = now;
    editor->latest = ring_index(editor->latest + 1);
    editor->done++;
    editor->undone--;
    return true;
}

int editor_left(const struct editor *editor) {
    int left = 0;
    for (kind_id kind = 1; kind <= editor->rules->kinds; kind++) left += editor->left[kind];
    return left;
}

square editor_free(const struct editor *editor, square from) {
    const struct board *board = &editor->rules->board;
    const int ranks = board->zone_ranks[editor->side], zone = ranks * board->files;
    /* Ranks from the front of the zone back, files from the left. */
    int start = 0;
    if (editor_has(editor, from)) {
        int back = ranks - 1 - board_rank(board, from);
        start = back * board->files + board_file(board, from);
    }
    for (int step = 0; step < zone; step++) {
        int place = (start + step) % zone;
        square at = board_square(board, place % board->files, ranks - 1 - place / board->files);
        if (editor_has(editor, at) && editor->setup.at[at] == KIND_NONE) return at;
    }
    return SQUARE_NONE;
}
