/* view_may_be.c - which kinds the pieces of a view may be, with the fallen and shown ones counted.
 *
 * Unknown pieces form groups of equal `may_be`, and the remaining kinds must be dealt to them. A
 * kind is possible for a piece if the rest can still be dealt: by Hall's theorem, if no set of
 * groups has more pieces than kinds open to it. */
#include "view.h"

enum { GROUPS_MAX = 8 };

struct view_deal {
    int left[KINDS_MAX];
    int groups;
    kindset kinds[GROUPS_MAX];
    int pieces[GROUPS_MAX];
    bool complete; /* every unknown piece found a group */
};

static void deal_count(const struct view *view, unsigned side, struct view_deal *deal) {
    *deal = (struct view_deal){.complete = true};
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
        deal->left[kind] = view->start[side][kind] - view->captured[side][kind];
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side != side || (piece->at == SQUARE_NONE && !piece->unseen)) continue;
        if (piece->kind != KIND_NONE) {
            deal->left[piece->kind]--;
            continue;
        }
        int group = 0;
        while (group < deal->groups && deal->kinds[group] != piece->may_be) group++;
        if (group == GROUPS_MAX) {
            deal->complete = false;
            continue;
        }
        if (group == deal->groups) deal->kinds[deal->groups++] = piece->may_be;
        deal->pieces[group]++;
    }
}

static bool deal_possible(const struct view *view, const struct view_deal *deal) {
    for (unsigned set = 1; set < 1u << deal->groups; set++) {
        kindset open = 0;
        int pieces = 0, left = 0;
        for (int group = 0; group < deal->groups; group++) {
            if (!(set & (1u << group))) continue;
            open |= deal->kinds[group];
            pieces += deal->pieces[group];
        }
        for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
            if (open & kindset_of(kind)) left += deal->left[kind];
        if (pieces > left) return false;
    }
    return true;
}

/* Possible kinds of a piece in the group with this `may_be`. Leaves the deal unchanged. */
static kindset deal_kinds(const struct view *view, struct view_deal *deal, kindset may_be) {
    int group = 0;
    while (group < deal->groups && deal->kinds[group] != may_be) group++;
    kindset possible = 0;
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++) {
        if (!(may_be & kindset_of(kind)) || deal->left[kind] <= 0) continue;
        deal->left[kind]--;
        if (group < deal->groups) deal->pieces[group]--;
        if (!deal->complete || deal_possible(view, deal)) possible |= kindset_of(kind);
        deal->left[kind]++;
        if (group < deal->groups) deal->pieces[group]++;
    }
    return possible;
}

kindset view_may_be(const struct view *view, int number) {
    const struct view_piece *piece = &view->piece[number];
    if (piece->kind != KIND_NONE) return kindset_of(piece->kind);
    struct view_deal deal;
    deal_count(view, piece->side, &deal);
    return deal_kinds(view, &deal, piece->may_be) & ~piece->refuted;
}

/* All unknown pieces are the enemy's. A group shares one answer, except for the refuted kinds,
 * which differ by piece. */
void view_all_may_be(const struct view *view, kindset *out) {
    struct view_deal deal;
    struct {
        kindset may_be, possible;
    } known[GROUPS_MAX];
    int count = 0;
    deal_count(view, side_other((enum side)view->side), &deal);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->kind != KIND_NONE) {
            out[i] = kindset_of(piece->kind);
            continue;
        }
        int group = 0;
        while (group < count && known[group].may_be != piece->may_be) group++;
        kindset possible =
            group < count ? known[group].possible : deal_kinds(view, &deal, piece->may_be);
        out[i] = possible & ~piece->refuted;
        if (group < count || count == GROUPS_MAX) continue;
        known[count].may_be = piece->may_be;
        known[count++].possible = possible;
    }
}
