/* lane_kernel.h - the fast path: laying out a lane, and playing one random ply.
 *
 * Included by lanes.c once for each instruction set: KERNEL(name) names the functions, KERNEL_BMI2
 * tells whether `pdep` exists. Rare cases are left to lanes.c. A ply is split into look() and
 * choose_and_play(), so that the processor can overlap the work on several lanes. */

/* These squares in the four copies. */
KERNEL_INLINE void KERNEL(find_lines)(const struct lanes_table *table, squareset set,
                                      struct lane_lines *lines) {
    quad low = {0}, high = {0};
    for (int half = 0; half < 2; half++) {
        for (uint64_t left = squareset_half(set, half); left; left &= left - 1) {
            const struct lane_lines *place = &table->place[64 * half + __builtin_ctzll(left)];
            low |= QUAD(*place, 0);
            high |= QUAD(*place, 1);
        }
    }
    QUAD(*lines, 0) = low;
    QUAD(*lines, 1) = high;
}

/* Builds all lines of a lane from its game's cells. */
static void KERNEL(lay_lines)(const struct lanes_table *table, struct lane *lane) {
    const struct game *game = &lane->game;
    squareset runners = cells_of_kinds(game->at, table->kinds[LANE_RUNNERS]);
    squareset others = cells_of_kinds(game->at, table->kinds[LANE_OTHERS]);
    for (int side = RED; side <= BLUE; side++) {
        struct lane_lines *set = lane->set[side];
        squareset own = game->pieces[side];
        KERNEL(find_lines)(table, own & ~runners & ~others, &set[LANE_STEPPERS]);
        KERNEL(find_lines)(table, own & runners, &set[LANE_RUNNERS]);
        KERNEL(find_lines)(table, own & others, &set[LANE_OTHERS]);
        for (int i = 0; i < QUADS; i++)
            QUAD(set[LANE_ALL], i) = QUAD(set[LANE_STEPPERS], i) | QUAD(set[LANE_RUNNERS], i) |
                                     QUAD(set[LANE_OTHERS], i);
    }
}

struct KERNEL(aim) {
    struct lane_lines to;    /* every destination, in the copy of its direction */
    struct lane_lines taken; /* occupied, walls and lakes included */
    uint64_t upto;           /* byte w: destinations in words 0 … w */
};

KERNEL_INLINE void KERNEL(look)(const struct lanes_table *table, const struct lane *lane,
                                struct KERNEL(aim) * aim) {
    unsigned side = lane->memo >> SIDE_BIT & 1;
    const struct lane_lines *own = lane->set[side], *enemy = lane->set[!side];
    for (int i = 0; i < QUADS; i++) {
        quad solid = QUAD(own[LANE_ALL], i) | QUAD(table->solid, i);
        quad taken = solid | QUAD(enemy[LANE_ALL], i);
        quad runners = QUAD(own[LANE_RUNNERS], i), steppers = QUAD(own[LANE_STEPPERS], i);
        quad runs = (taken - (runners + runners)) ^ taken;
        QUAD(aim->to, i) = (runs | (steppers + steppers)) & ~solid;
        QUAD(aim->taken, i) = taken;
    }
    uint64_t counts = 0;
    for (int i = 0; i < LINE_WORDS; i++)
        counts |= (uint64_t)__builtin_popcountll(aim->to.word[i]) << (8 * i);
    aim->upto = counts * EACH_BYTE;
}

/* Plays a random move; `drawn` is 32 random bits. False if the game is over. A biased draw leaves
 * the lane unchanged, to be drawn again. */
KERNEL_INLINE bool KERNEL(choose_and_play)(const struct lanes_table *table, struct lane *lane,
                                           const struct KERNEL(aim) * aim, uint64_t drawn,
                                           bool special) {
    uint64_t plain = aim->upto >> 56, count = plain + (special ? special_count(table, lane) : 0);
    uint64_t product = drawn * count, index = product >> 32;
    if (__builtin_expect((uint32_t)product < count, 0) &&
        (uint32_t)product < -(uint32_t)count % (uint32_t)count)
        return true;
    if (__builtin_expect((count == 0) | (plain > BYTE_TESTABLE), 0))
        return lane_ply_slowly(table, lane, (uint32_t)index);

    square from, to;
    if (special && index >= plain) {
        struct move move = special_move(table, lane, (uint32_t)(index - plain));
        if (move.ability != ABILITY_NONE)
            return lane_play_special(table, lane, move, (uint32_t)index);
        from = move.from;
        to = move.to;
    } else {
        /* The first word whose count exceeds the index. */
        uint64_t short_of_it = ((index * EACH_BYTE | EACH_SIGN) - aim->upto) & EACH_SIGN;
        unsigned word = (unsigned)__builtin_popcountll(short_of_it);
        unsigned before = (unsigned)((aim->upto << 8) >> (8 * word)) & 255;
        uint64_t bit = KERNEL_BMI2 ? nth_bit_pdep(aim->to.word[word], (unsigned)index - before)
                                   : nth_bit_plain(aim->to.word[word], (unsigned)index - before);
        uint64_t behind = aim->taken.word[word] & (bit - 1);
        to = table->square_at[word * 64 + (unsigned)__builtin_ctzll(bit)];
        from = table->square_at[word * 64 + 63 - (unsigned)__builtin_clzll(behind)];
    }

    uint64_t memo = lane->memo;
    if (__builtin_expect(memo_suspects(table, memo, from), 0) && forbidden(table, lane, from, to))
        return lane_ply_slowly(table, lane, (uint32_t)index);

    unsigned side = memo >> SIDE_BIT & 1;
    struct lane_lines *own = lane->set[side];
    cell actor = lane->game.at[from], defender = lane->game.at[to];
    struct lane_lines *kin = &own[table->set_of[actor]];
    lane->plies[lane->ply++] = (struct lane_ply){from, to, SQUARE_NONE, false};
    lane->memo = memo_next(table, memo, from, to);
    lane->game.at[from] = CELL_EMPTY;
    if (special) special_step(table, lane, (enum side)side, from, to, actor);
    const struct lane_lines *leave = &table->place[from], *enter = &table->place[to];
    if (!defender) {
        lane->game.at[to] = actor;
        for (int i = 0; i < QUADS; i++) {
            quad both = QUAD(*leave, i) ^ QUAD(*enter, i);
            QUAD(own[LANE_ALL], i) ^= both;
            QUAD(*kin, i) ^= both;
        }
        return true;
    }
    enum outcome outcome = rules_outcome(table->rules, cell_kind(actor), cell_kind(defender));
    uint64_t stays = outcome == ATTACKER_WINS ? ~(uint64_t)0 : 0;
    uint64_t kept = outcome == DEFENDER_WINS ? ~(uint64_t)0 : 0;
    struct lane_lines *enemy = lane->set[!side];
    for (int i = 0; i < QUADS; i++) {
        quad change = QUAD(*leave, i) ^ (QUAD(*enter, i) & stays);
        QUAD(own[LANE_ALL], i) ^= change;
        QUAD(*kin, i) ^= change;
        quad left = ~QUAD(*enter, i) | kept;
        QUAD(enemy[LANE_ALL], i) &= left;
        QUAD(enemy[LANE_STEPPERS], i) &= left;
        QUAD(enemy[LANE_RUNNERS], i) &= left;
    }
    return after_battle(table, lane, (enum side)side, to, outcome, actor, defender);
}

KERNEL_INLINE bool KERNEL(ply)(const struct lanes_table *table, struct lane *lane,
                               const struct KERNEL(aim) * aim, uint64_t drawn, bool special) {
    return KERNEL(choose_and_play)(table, lane, aim, drawn, special) &&
           (lane->ply < lane->stop || lane_finish(table, lane));
}

KERNEL_INLINE void KERNEL(run_one)(const struct lanes_table *table, struct lane *lane,
                                   bool special) {
    struct KERNEL(aim) aim;
    struct random random = lane->random;
    do KERNEL(look)(table, lane, &aim);
    while (KERNEL(ply)(table, lane, &aim, random_next(&random) >> 32, special));
    lane->random = random;
}

static void KERNEL(run)(const struct lanes_table *table, struct lane *lane) {
    if (table->acting)
        KERNEL(run_one)(table, lane, true);
    else
        KERNEL(run_one)(table, lane, false);
}

/* random_next() for all lanes at once; 32 bits of each. */
KERNEL_INLINE void KERNEL(draw)(quad state[4], quad *drawn) {
    quad times5 = state[1] + (state[1] << 2), turned = times5 << 7 | times5 >> 57;
    quad shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = state[3] << 45 | state[3] >> 19;
    *drawn = (turned + (turned << 3)) >> 32;
}

KERNEL_INLINE unsigned KERNEL(run_some)(const struct lanes_table *table, struct lane *const *lanes,
                                        bool special) {
    struct KERNEL(aim) aim[LANES_TOGETHER];
    quad state[4], drawn;
    unsigned over = 0;
    for (int i = 0; i < LANES_TOGETHER; i++)
        for (int j = 0; j < 4; j++) state[j][i] = lanes[i]->random.state[j];
    while (!over) {
        KERNEL(draw)(state, &drawn);
        for (int i = 0; i < LANES_TOGETHER; i++) KERNEL(look)(table, lanes[i], &aim[i]);
        for (int i = 0; i < LANES_TOGETHER; i++)
            if (!KERNEL(ply)(table, lanes[i], &aim[i], drawn[i], special)) over |= 1u << i;
    }
    for (int i = 0; i < LANES_TOGETHER; i++)
        for (int j = 0; j < 4; j++) lanes[i]->random.state[j] = state[j][i];
    return over;
}

static unsigned KERNEL(run_together)(const struct lanes_table *table, struct lane *const *lanes) {
    return table->acting ? KERNEL(run_some)(table, lanes, true)
                         : KERNEL(run_some)(table, lanes, false);
}
