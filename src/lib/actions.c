/* actions.c - derives the table of actions, and reads and writes actions. */
#include "actions.h"

#include <stdio.h>
#include <string.h>

/* Adds the displacements of one movement that lie on no line; blue's are turned. */
static void note_movement(bool noted[31][31], const struct rules *rules,
                          const struct movement *movement) {
    const struct board *board = &rules->board;
    for (int side = RED; side <= BLUE; side++)
        for (square from = 0; from < board->squares; from++)
            for (squareset left = movement_ever(movement, (enum side)side, from, BAR_STOP); left;) {
                const square to = squareset_pop(&left);
                int files = board_file(board, to) - board_file(board, from);
                int ranks = board_rank(board, to) - board_rank(board, from);
                int turn = side == RED ? 1 : -1;
                noted[turn * files + 15][turn * ranks + 15] = files && ranks;
                if (files && ranks) /* agents may see the board unturned */
                    noted[15 - turn * files][15 - turn * ranks] = true;
            }
}

static bool derive_ways(struct actions *actions, struct fault *fault) {
    const struct rules *rules = actions->rules;
    bool noted[31][31] = {{false}};
    for (int i = 0; i < rules->movements; i++) note_movement(noted, rules, &rules->movement[i]);
    actions->ways = (uint32_t)(rules->board.ranks + rules->board.files - 2);
    memset(actions->way, -1, sizeof actions->way);
    for (int ranks = 0; ranks < 31; ranks++)
        for (int files = 0; files < 31; files++) {
            if (!noted[files][ranks]) continue;
            if (actions->ways == WAYS_MAX)
                return fault_set(fault, STATUS_RULES, "more than %d ways to move", WAYS_MAX);
            actions->by[actions->ways][0] = (int8_t)(files - 15);
            actions->by[actions->ways][1] = (int8_t)(ranks - 15);
            actions->way[files][ranks] = (int16_t)actions->ways++;
        }
    return true;
}

static int slot_find(const struct actions *actions, const char *name, uint32_t choice) {
    for (int i = 0; i < actions->slots; i++)
        if (actions->slot[i].choice == choice && !strcmp(actions->slot[i].name, name)) return i;
    return -1;
}

static bool derive_slots(struct actions *actions, struct fault *fault) {
    const struct rules *rules = actions->rules;
    actions->slots = 0;
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        const kindset choices =
            ability->asks == ASKS_NOTHING ? kindset_of(KIND_NONE) : ability->choices;
        for (kindset left = choices; left; left &= left - 1) {
            kind_id choice = (kind_id)__builtin_ctz(left);
            if (slot_find(actions, ability->name, choice) >= 0) continue;
            if (actions->slots == SLOTS_MAX)
                return fault_set(fault, STATUS_RULES, "more than %d uses of abilities", SLOTS_MAX);
            actions->slot[actions->slots].choice = choice;
            memcpy(actions->slot[actions->slots++].name, ability->name, WORD_MAX);
        }
    }
    return true;
}

bool actions_derive(struct actions *actions, const struct rules *rules, struct fault *fault) {
    const struct board *board = &rules->board;
    memset(actions, 0, sizeof *actions);
    actions->rules = rules;
    actions->bytes = bytes_writer();
    actions->squares = board->squares;
    for (int rank = 0; rank < board->ranks; rank++)
        actions->first_file |= squareset_of((square)(rank * board->files));
    for (square at = 0; at < board->squares; at++) {
        actions->file[at] = (uint8_t)board_file(board, at);
        actions->rank[at] = (uint8_t)board_rank(board, at);
    }
    if (!derive_ways(actions, fault) || !derive_slots(actions, fault)) return false;
    actions->stay = actions->ways * actions->squares;
    actions->uses = actions->stay + (actions->slots ? actions->squares : 0);
    actions->none = actions->uses + (uint32_t)actions->slots * actions->squares;
    actions->count = actions->none + (actions->slots ? 1 : 0);
    actions->setups = actions->count;
    actions->count_all = actions->setups + rules->kinds + 1;
    return true;
}

uint32_t actions_of_use(const struct actions *actions, struct move move) {
    const struct ability *ability = &actions->rules->ability[move.ability];
    int slot = slot_find(actions, ability->name, move.choice);
    return actions->uses + (uint32_t)slot * actions->squares + move.target;
}

/* The square that a way leads to from another one; SQUARE_NONE off the board. */
static square way_leads(const struct actions *actions, uint32_t way, square from) {
    const struct board *board = &actions->rules->board;
    const uint32_t vertical = board->ranks - 1u, straight = vertical + board->files - 1u;
    int file = actions->file[from], rank = actions->rank[from];
    if (way < vertical) {
        rank = (int)way + ((int)way >= rank);
    } else if (way < straight) {
        const int other = (int)(way - vertical);
        file = other + (other >= file);
    } else if (way < actions->ways) {
        file += actions->by[way][0];
        rank += actions->by[way][1];
    }
    if (file < 0 || file >= board->files || rank < 0 || rank >= board->ranks) return SQUARE_NONE;
    return (square)(rank * board->files + file);
}

struct decision actions_read(const struct actions *actions, int64_t action) {
    struct decision decision = {.type = DECIDES_NOTHING};
    if (action < 0 || action >= (int64_t)actions->count_all) return decision;
    const uint32_t number = (uint32_t)action, squares = actions->squares;
    if (number < actions->uses) {
        decision.from = (square)(number % squares);
        decision.to = way_leads(actions, number / squares, decision.from);
        if (decision.to != SQUARE_NONE) decision.type = DECIDES_MOVE;
    } else if (number < actions->none) {
        decision.type = DECIDES_USE;
        decision.slot = (int)((number - actions->uses) / squares);
        decision.target = (square)((number - actions->uses) % squares);
    } else if (number < actions->setups) {
        decision.type = DECIDES_NONE;
    } else {
        decision.type = DECIDES_SETUP;
        decision.kind = (kind_id)(number - actions->setups);
    }
    return decision;
}

struct move actions_use(const struct actions *actions, square from, square to, kind_id kind,
                        int slot, square target) {
    const struct rules *rules = actions->rules;
    struct move move = {from, to, target, ABILITY_NONE, actions->slot[slot].choice};
    for (unsigned left = rules->kind[kind].abilities; left; left &= left - 1) {
        const int index = __builtin_ctz(left);
        if (!strcmp(rules->ability[index].name, actions->slot[slot].name))
            move.ability = (uint8_t)index;
    }
    return move;
}

size_t actions_write(const struct actions *actions, uint32_t action, enum side side,
                     char out[ACTION_TEXT_MAX]) {
    const struct rules *rules = actions->rules;
    const struct decision decision = actions_read(actions, action);
    char from[SQUARE_TEXT_MAX], to[SQUARE_TEXT_MAX];
    int length = 0;
    switch (decision.type) {
    case DECIDES_MOVE:
        square_text(&rules->board, actions_square(actions, side, false, decision.from), from);
        square_text(&rules->board, actions_square(actions, side, false, decision.to), to);
        length = decision.from == decision.to ? snprintf(out, ACTION_TEXT_MAX, "%s@", from)
                                              : snprintf(out, ACTION_TEXT_MAX, "%s-%s", from, to);
        break;
    case DECIDES_USE: {
        const kind_id choice = actions->slot[decision.slot].choice;
        square_text(&rules->board, actions_square(actions, side, false, decision.target), to);
        length = snprintf(out, ACTION_TEXT_MAX, "@%s:%s%s%s", actions->slot[decision.slot].name, to,
                          choice ? "=" : "", choice ? rules->kind[choice].name : "");
        break;
    }
    case DECIDES_NONE:
        length = snprintf(out, ACTION_TEXT_MAX, "@-");
        break;
    case DECIDES_SETUP:
        length = snprintf(out, ACTION_TEXT_MAX, "=%s",
                          decision.kind ? rules->kind[decision.kind].name : "-");
        break;
    case DECIDES_NOTHING:
        out[0] = '\0';
        break;
    }
    return (size_t)length;
}

/* Reads a square at the front of *text, which goes on behind it. */
static bool take_square(const struct actions *actions, enum side side, const char **text,
                        square *at) {
    const size_t used = square_read(&actions->rules->board, *text, strlen(*text), at);
    if (!used || *at == SQUARE_NONE) return false;
    *text += used;
    *at = actions_square(actions, side, false, *at);
    return true;
}

static int64_t parse_use(const struct actions *actions, enum side side, const char *text) {
    const size_t length = strcspn(text, ":");
    char name[WORD_MAX];
    square target;
    if (length >= sizeof name || text[length] != ':') return -1;
    memcpy(name, text, length);
    name[length] = '\0';
    text += length + 1;
    if (!take_square(actions, side, &text, &target)) return -1;
    kind_id choice = KIND_NONE;
    if (*text == '=' && !(choice = rules_kind_named(actions->rules, text + 1))) return -1;
    const int slot = slot_find(actions, name, choice);
    if (slot < 0 || (*text && *text != '=')) return -1;
    return (int64_t)actions->uses + (int64_t)slot * actions->squares + target;
}

int64_t actions_parse(const struct actions *actions, enum side side, const char *text) {
    if (!strcmp(text, "@-")) return actions->slots ? (int64_t)actions->none : -1;
    if (*text == '@') return parse_use(actions, side, text + 1);
    if (*text == '=') {
        const kind_id kind = rules_kind_named(actions->rules, text + 1);
        if (!kind && strcmp(text, "=-") != 0) return -1;
        return (int64_t)actions->setups + kind;
    }
    square from, to;
    if (!take_square(actions, side, &text, &from)) return -1;
    if (!strcmp(text, "@")) return actions->slots ? (int64_t)(actions->stay + from) : -1;
    if (*text++ != '-' || !take_square(actions, side, &text, &to) || *text || to == from) return -1;
    const bool line =
        actions->file[from] == actions->file[to] || actions->rank[from] == actions->rank[to];
    if (!line && actions->way[actions->file[to] - actions->file[from] + 15]
                             [actions->rank[to] - actions->rank[from] + 15] < 0)
        return -1;
    return actions_of(actions, from, to);
}
