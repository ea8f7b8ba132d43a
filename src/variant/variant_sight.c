/* variant_sight.c - tabulates sight by kind and square.
 *
 * A number means all squares within that many steps along ranks and files, across lakes and pieces;
 * a function lists squares. A piece without `sight` uses the variant's. */
#include "variant_sight.h"

#include <lauxlib.h>
#include <stdlib.h>

static squareset within(const struct board *board, square from, int steps) {
    squareset set = 0;
    for (square at = 0; at < board->squares; at++) {
        int across = abs(board_file(board, at) - board_file(board, from));
        int along = abs(board_rank(board, at) - board_rank(board, from));
        if (across + along <= steps) set |= squareset_of(at);
    }
    return set & board->land;
}

static bool read_sight(const struct variant_build *build, const char *key, int type, enum side side,
                       square from, squareset *seen) {
    if (type == LUA_TFUNCTION) return variant_squares(build, key, side, from, seen);
    *seen = within(&build->rules->board, from, variant_number(build, key, 0));
    return true;
}

bool variant_sight_build(struct variant_build *build) {
    struct rules *rules = build->rules;
    const struct board *board = &rules->board;
    int common = variant_get(build->lua, build->table, "sight");
    bool limited = common == LUA_TNUMBER || common == LUA_TFUNCTION;
    lua_pop(build->lua, 1);
    if (limited && !(rules->sight = calloc(1, sizeof *rules->sight)))
        luaL_error(build->lua, "no memory for sight");
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        char own[VARIANT_KEY_MAX];
        variant_key(own, "pieces.%s.sight", rules->kind[kind].name);
        int type = variant_get(build->lua, build->table, own);
        lua_pop(build->lua, 1);
        bool has_own = type != LUA_TNIL;
        if (has_own && !limited && faults_about(build->source->faults, "sight")) return false;
        if (has_own && !limited)
            return variant_refuse(build->source, own,
                                  "%s has no effect unless the variant sets `sight` too", own);
        for (int side = RED; limited && side <= BLUE; side++)
            for (square from = 0; from < board->squares; from++)
                if (squareset_has(board->land, from) &&
                    !read_sight(build, has_own ? own : "sight", has_own ? type : common,
                                (enum side)side, from, &rules->sight->from[side][kind][from]))
                    return false;
    }
    return true;
}
