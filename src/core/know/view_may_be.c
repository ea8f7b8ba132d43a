/* view_may_be.c - which kinds the pieces of a view may be, with the fallen and shown ones counted.
 *
 * Unknown pieces form groups of equal `may_be`, and the remaining kinds must be dealt to them. One
 * deal is found as a flow from groups to kinds. Any other follows from it by exchanges in a circle:
 * a group takes a kind, the group that loses it takes another, and so on. So a kind is possible for
 * a group if the deal gives it to the group, or if a chain of exchanges leads from the kind to one
 * that the group has.
 *
 * Where the rules hide the fallen they are dealt kinds too, in groups of their own: while the game
 * goes on, some piece that still stands can move. */
#include "view.h"

#include <string.h>

enum { GROUPS_MAX = 2 * BOARD_SQUARES_MAX };

struct view_deal {
    int left[KINDS_MAX]; /* of each kind, not dealt */
    int groups;
    kindset kinds[GROUPS_MAX];
    bool fallen[GROUPS_MAX];
    int pieces[GROUPS_MAX]; /* without a kind */
    uint8_t dealt[GROUPS_MAX][KINDS_MAX];
    kindset has[GROUPS_MAX];  /* kinds that the group is dealt */
    kindset chain[KINDS_MAX]; /* kinds that can be had in exchange for this one, itself too */
};

static int group_of(const struct view_deal *deal, const struct view_piece *piece) {
    const bool fallen = view_piece_fallen(piece);
    int group = 0;
    while (group < deal->groups &&
           (deal->kinds[group] != piece->may_be || deal->fallen[group] != fallen))
        group++;
    return group;
}

static void deal_count(const struct view *view, unsigned side, struct view_deal *deal) {
    deal->groups = 0;
    memset(deal->left, 0, sizeof deal->left);
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
        deal->left[kind] = view->start[side][kind] - view->captured[side][kind];
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side != side || view_piece_counted(piece)) continue;
        if (piece->kind != KIND_NONE) {
            deal->left[piece->kind]--;
            continue;
        }
        int group = group_of(deal, piece);
        if (group == deal->groups) {
            deal->kinds[group] = piece->may_be;
            deal->fallen[group] = view_piece_fallen(piece);
            deal->pieces[group] = 0;
            deal->has[group] = 0;
            memset(deal->dealt[group], 0, sizeof deal->dealt[group]);
            deal->groups++;
        }
        deal->pieces[group]++;
    }
}

static void deal_move(struct view_deal *deal, int group, kind_id kind, int pieces) {
    deal->dealt[group][kind] = (uint8_t)(deal->dealt[group][kind] + pieces);
    if (deal->dealt[group][kind])
        deal->has[group] |= kindset_of(kind);
    else
        deal->has[group] &= ~kindset_of(kind);
}

/* Deals a piece of the group a kind of which the group that has it takes another, and so on until a
 * kind is left over. Breadth first over the kinds. */
static bool deal_exchange(struct view_deal *deal, int group) {
    kind_id queue[KINDS_MAX],
        before[KINDS_MAX]; /* the kind that the giver takes, towards the end */
    int giver[KINDS_MAX], first = 0, last = 0;
    kindset seen = 0;
    for (kindset open = deal->kinds[group]; open; open &= open - 1) {
        const kind_id kind = (kind_id)__builtin_ctz(open);
        seen |= kindset_of(kind);
        before[kind] = KIND_NONE;
        giver[kind] = group;
        queue[last++] = kind;
    }
    for (; first < last; first++) {
        kind_id kind = queue[first];
        if (deal->left[kind] > 0) {
            deal->left[kind]--;
            for (;; kind = before[kind]) {
                deal_move(deal, giver[kind], kind, 1);
                if (before[kind] == KIND_NONE) return true;
                deal_move(deal, giver[kind], before[kind], -1);
            }
        }
        for (int other = 0; other < deal->groups; other++) {
            if (!(deal->has[other] & kindset_of(kind))) continue;
            for (kindset open = deal->kinds[other] & ~seen; open; open &= open - 1) {
                const kind_id next = (kind_id)__builtin_ctz(open);
                seen |= kindset_of(next);
                before[next] = kind;
                giver[next] = other;
                queue[last++] = next;
            }
        }
    }
    return false;
}

/* False if the kinds cannot be dealt. */
static bool deal_out(const struct view *view, struct view_deal *deal) {
    for (int group = 0; group < deal->groups; group++) {
        for (kind_id kind = 1; kind <= view->rules->kinds; kind++) {
            if (!(deal->kinds[group] & kindset_of(kind)) || deal->left[kind] <= 0) continue;
            const int left = deal->left[kind], needed = deal->pieces[group];
            const int pieces = left < needed ? left : needed;
            if (!pieces) break;
            deal_move(deal, group, kind, pieces);
            deal->left[kind] -= pieces;
            deal->pieces[group] -= pieces;
        }
        for (; deal->pieces[group]; deal->pieces[group]--)
            if (!deal_exchange(deal, group)) return false;
    }
    return true;
}

/* Finds the chains of exchanges. Pieces that stay undealt take part as a group that may have any
 * kind; there are none unless the view knows less than the army. */
static void deal_chain(const struct view *view, struct view_deal *deal) {
    const int kinds = view->rules->kinds;
    kindset dealt = 0;
    for (int group = 0; group < deal->groups; group++) dealt |= deal->has[group];
    for (kind_id kind = 1; kind <= kinds; kind++) {
        deal->chain[kind] = kindset_of(kind) | (deal->left[kind] > 0 ? dealt : 0);
        for (int group = 0; group < deal->groups; group++)
            if (deal->has[group] & kindset_of(kind)) deal->chain[kind] |= deal->kinds[group];
    }
    for (kind_id via = 1; via <= kinds; via++)
        for (kind_id kind = 1; kind <= kinds; kind++)
            if (deal->chain[kind] & kindset_of(via)) deal->chain[kind] |= deal->chain[via];
}

/* Might a deal leave no piece that stands and can move, which would have ended the game? `deal` has
 * not been dealt. */
static bool deal_may_end(const struct view *view, unsigned side, const struct view_deal *deal) {
    const kindset mobile = view->rules->mobile;
    int fallen = 0, movers = 0;
    if (!view->rules->fallen_hidden || view->result) return false;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        const bool stands = piece->side == side && !view_piece_fallen(piece);
        const kindset kinds = piece->kind ? kindset_of(piece->kind) : piece->may_be;
        if (stands && !(kinds & ~mobile)) return false;
    }
    for (int group = 0; group < deal->groups; group++)
        if (deal->fallen[group]) fallen += deal->pieces[group];
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
        if (mobile & kindset_of(kind)) movers += deal->left[kind];
    return movers <= fallen;
}

/* Can these two pieces have these kinds, with all others dealt too? */
static bool deal_fits(const struct view *view, const struct view_deal *deal, const int group[2],
                      const kind_id kind[2]) {
    struct view_deal trial = *deal;
    for (int i = 0; i < 2; i++)
        if (--trial.pieces[group[i]] < 0 || --trial.left[kind[i]] < 0) return false;
    return deal_out(view, &trial);
}

/* Can a piece of a group have this kind, and one that stands be able to move? */
static bool goes_on_with(const struct view *view, const struct view_deal *deal, int group,
                         kind_id kind) {
    if (!deal->fallen[group] && (view->rules->mobile & kindset_of(kind))) return true;
    for (int other = 0; other < deal->groups; other++) {
        kindset movers = deal->fallen[other] ? 0 : deal->kinds[other] & view->rules->mobile;
        for (; movers; movers &= movers - 1)
            if (deal_fits(view, deal, (int[]){group, other},
                          (kind_id[]){kind, (kind_id)__builtin_ctz(movers)}))
                return true;
    }
    return false;
}

/* Takes away the kinds with which the game would have ended. */
static void keep_going_on(const struct view *view, unsigned side, kindset possible[GROUPS_MAX]) {
    struct view_deal deal;
    deal_count(view, side, &deal);
    for (int group = 0; group < deal.groups; group++)
        for (kindset open = possible[group]; open; open &= open - 1) {
            const kind_id kind = (kind_id)__builtin_ctz(open);
            if (!goes_on_with(view, &deal, group, kind)) possible[group] &= ~kindset_of(kind);
        }
}

/* Possible kinds of the pieces in each group, none if the kinds cannot be dealt. */
static void deal_kinds(const struct view *view, unsigned side, struct view_deal *deal,
                       kindset possible[GROUPS_MAX]) {
    deal_count(view, side, deal);
    const bool may_end = deal_may_end(view, side, deal), dealt = deal_out(view, deal);
    if (dealt) deal_chain(view, deal);
    for (int group = 0; group < deal->groups; group++) {
        possible[group] = 0;
        for (kindset open = dealt ? deal->kinds[group] : 0; open; open &= open - 1) {
            const kind_id kind = (kind_id)__builtin_ctz(open);
            if (deal->chain[kind] & deal->has[group]) possible[group] |= kindset_of(kind);
        }
    }
    if (dealt && may_end) keep_going_on(view, side, possible);
}

kindset view_may_be(const struct view *view, int number) {
    const struct view_piece *piece = &view->piece[number];
    if (piece->kind != KIND_NONE) return kindset_of(piece->kind);
    struct view_deal deal;
    kindset possible[GROUPS_MAX];
    deal_kinds(view, piece->side, &deal, possible);
    return possible[group_of(&deal, piece)] & ~piece->refuted;
}

/* All unknown pieces are the enemy's. A group shares one answer, except for the refuted kinds,
 * which differ by piece. */
void view_all_may_be(const struct view *view, kindset *out) {
    struct view_deal deal;
    kindset possible[GROUPS_MAX];
    deal_kinds(view, side_other((enum side)view->side), &deal, possible);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->kind != KIND_NONE)
            out[i] = kindset_of(piece->kind);
        else
            out[i] = possible[group_of(&deal, piece)] & ~piece->refuted;
    }
}
