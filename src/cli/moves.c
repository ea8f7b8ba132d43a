/* moves.c - `ensign moves`: the legal moves of a position, and why a move is legal or not.
 *
 * The position is taken from a record, or is the start of a variant with random set-ups. */
#include "cli/lines/listing.h"
#include "cli/lines/terminal.h"
#include "command.h"
#include "core/play/calls.h"
#include "core/search/search.h"
#include "core/text/layout.h"
#include "core/text/notation.h"
#include "host/records.h"
#include "host/safe_json.h"
#include "host/seat/message.h"
#include "reasons.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERFT_MAX = 12 };

struct moves_values {
    const char *source, *move;
    const char *variant; /* of a record; NULL: its own */
    const char *lang;
    uint64_t seed;
    uint32_t ply, perft;
    bool json;
};

static int run_moves(const void *values);
const struct command command_moves = {
    COMMAND(moves, .seed = 1, .ply = UINT32_MAX),
    .summary = "list legal moves, or say why a move is not one",
    .synopsis = {"VARIANT|RECORD [MOVE] [OPTIONS]"},
    .prose =
        "Prints a position and its legal moves. With MOVE, says whether it is legal, and if not "
        "(exit code 1), which rule forbids it; for a repetition rule, also the earlier plies that "
        "count. MOVE is written a4-a5, a4xa5, a4a5 or e7@e9=bomb. RECORD is a name that ends in "
        ".rec, or \"-\" for standard input.",
    .arguments = {{NULL, 0, "VARIANT|RECORD", VALUE_GAME, INTO(moves, source), .needed = true},
                  {NULL, 0, "MOVE", VALUE_MOVE, INTO(moves, move)}},
    .options =
        {
            {OPTION_VARIANT, INTO(moves, variant),
             "variant to use instead of the record's own: a name or a path"},
            {"ply", 0, "N", VALUE_NUMBER, INTO(moves, ply),
             "position after N plies of the record (default: all)", .most = UINT32_MAX - 1},
            {OPTION_SEED, INTO(moves, seed), "seed of the random set-ups of VARIANT"},
            {"perft", 0, "N", VALUE_NUMBER, INTO(moves, perft),
             "count the leaves of the tree of moves, to every depth up to N", .least = 1,
             .most = PERFT_MAX},
            {OPTION_JSON, INTO(moves, json)},
            {OPTION_LANG, INTO(moves, lang)},
        },
};

/* The values, and the language loaded for them. */
struct asked {
    const struct moves_values *values;
    const struct language *language;
};

static bool is_record(const char *source) {
    size_t length = strlen(source);
    return !strcmp(source, "-") || (length > 4 && !strcmp(source + length - 4, ".rec"));
}

/* The start of a variant, with set-ups from the seed. NULL with a fault. */
static struct session *start_session(const struct rules *rules, uint64_t seed,
                                     struct fault *fault) {
    const struct session_options options = {
        .rules = rules, .first = rules_first(rules), .plies = PERFT_MAX};
    struct session *session = session_open(&options, fault);
    for (int side = RED; session && side <= BLUE; side++) {
        struct setup setup;
        struct random random =
            random_stream(seed, side == RED ? STREAM_RED_SETUP : STREAM_BLUE_SETUP, 0);
        if (setup_random(rules, (enum side)side, &random, &setup, fault) &&
            session_take_setup(session, (enum side)side, &setup, fault))
            continue;
        session_close(session);
        session = NULL;
    }
    return session;
}

/* Adds the earlier plies that count for a repetition rule. */
static void add_evidence(json_t *document, const struct game *game, struct move move) {
    struct evidence evidence;
    repetition_explain(game, move, &evidence);
    json_t *earlier = json_array();
    for (int i = 0; i < evidence.count; i++)
        json_array_append_new(earlier, json_integer(evidence.ply[i]));
    json_object_set_new(document, "earlier", earlier);
    if (evidence.verdict != ILLEGAL_CHASE) return;
    json_object_set_new(document, "chase_since", json_integer(evidence.since));
    if (!evidence.count)
        json_object_set_new(document, "position_after", json_integer(evidence.position));
}

static int moves_judge(const struct game *game, const struct asked *asked) {
    struct move move;
    struct fault fault = {0};
    struct move_pattern pattern;
    enum verdict verdict = move_parse(game->rules, asked->values->move, strlen(asked->values->move),
                                      AS_TYPED, &pattern, &fault);
    bool understood = verdict == LEGAL;
    if (understood) verdict = move_resolve(game, &pattern, &move);
    char text[VERDICT_TEXT_MAX];
    const char *sentence = understood ? verdict_text(game, move, verdict, text) : fault.text;
    if (calls_take(&fault)) return cli_fail(&fault);
    if (asked->values->json) {
        json_t *document =
            json_pack("{s:o, s:b, s:s, s:s}", "move", safe_json(asked->values->move), "legal",
                      verdict == LEGAL, "rule", verdict_name(verdict), "text", sentence);
        bool repeats = verdict == ILLEGAL_TWO_SQUARES || verdict == ILLEGAL_CHASE;
        if (verdict == LEGAL || repeats) add_evidence(document, game, move);
        int printed = cli_json(document, JSON_INDENT(1));
        if (printed != EXIT_DONE) return printed;
    } else if (understood) {
        char reasons[REASONS_MAX];
        reasons_write(asked->language, game, move, verdict, 0, reasons);
        fputs(reasons, stdout);
    } else {
        char why[LANGUAGE_TEXT_MAX];
        language_fault(asked->language, &fault, why, sizeof why);
        language_line(stdout, asked->language, "Not legal ({1}): {2}.", verdict_name(verdict), why);
    }
    return verdict == LEGAL ? EXIT_DONE : EXIT_SHORT;
}

static int count_nodes(struct game *game, const struct asked *asked) {
    size_t capacity = game->ply_count + asked->values->perft + 1;
    struct ply *plies = malloc(capacity * sizeof *plies);
    struct move *moves = malloc(asked->values->perft * game->rules->moves_max * sizeof *moves);
    if (!plies || !moves) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "no memory for %" PRIu32 " plies",
                  asked->values->perft);
        free(plies);
        free(moves);
        return cli_fail(&fault);
    }
    if (game->ply_count) memcpy(plies, game->plies, game->ply_count * sizeof *plies);
    game->plies = plies;
    game->ply_capacity = (uint32_t)capacity;
    int code = EXIT_DONE;
    json_t *counts = json_array();
    for (int depth = 1; depth <= (int)asked->values->perft; depth++) {
        uint64_t nodes = perft_count(game, depth, moves);
        json_array_append_new(counts, json_integer((json_int_t)nodes));
        if (!asked->values->json) printf("%2d %" PRIu64 "\n", depth, nodes);
    }
    free(plies);
    free(moves);
    struct fault fault;
    if (calls_take(&fault)) {
        json_decref(counts);
        return cli_fail(&fault);
    }
    if (asked->values->json) {
        code = cli_json(json_pack("{s:s, s:O}", "variant", game->rules->name, "perft", counts),
                        JSON_INDENT(1));
    }
    json_decref(counts);
    return code;
}

/* "last" is what the last turn made known to the side to move. */
static json_t *moves_json(const struct session *session, const struct move *moves, size_t count) {
    const struct game *game = &session->game;
    const struct outlook outlook = outlook_of((enum onlooker)game->to_move, &session->eyes);
    struct position position = {.to_move = (enum side)game->to_move};
    char text[POSITION_TEXT_MAX];
    memcpy(position.at, game->at, sizeof position.at);
    position_write(game->rules, &position, text);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        char move[MOVE_TEXT_MAX];
        move_write(game, moves[i], move);
        json_array_append_new(list, json_string(move));
    }
    return json_pack("{s:s, s:I, s:s, s:s, s:s, s:s, s:o, s:o}", "variant", game->rules->name,
                     "ply", (json_int_t)game->ply_count, "to_move",
                     side_name((enum side)game->to_move), "position", text, "result",
                     result_name(session->result), "reason", reason_name(session->reason), "last",
                     message_last(&outlook), "moves", list);
}

static int moves_list(const struct session *session, const struct asked *asked) {
    const struct game *game = &session->game;
    struct move *moves = malloc(game->rules->moves_max * sizeof *moves);
    if (!moves) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "no memory for a list of moves");
        return cli_fail(&fault);
    }
    struct fault fault;
    size_t count = game_moves(game, moves, game->rules->moves_max);
    int code = EXIT_DONE;
    if (calls_take(&fault)) {
        free(moves);
        return cli_fail(&fault);
    }
    if (asked->values->json) {
        code = cli_json(moves_json(session, moves, count), JSON_INDENT(1));
    } else {
        struct terminal terminal = terminal_of(stdout);
        struct picture picture;
        picture_game(&picture, game);
        terminal_draw(&terminal, &picture, NULL, 0);
        if (game_over(game)) {
            char end[512];
            language_end(asked->language, (enum result)game->result, (enum reason)game->reason,
                         &session->ending, end, sizeof end);
            puts(end);
        } else {
            language_line(stdout, asked->language, "{1}, legal moves: {2}",
                          language_text(asked->language, game->to_move == RED
                                                             ? TEXT("red to move")
                                                             : TEXT("blue to move")),
                          NUMBER_TEXT(count));
            listing_print(stdout, asked->language, game, moves, count, SQUARE_NONE, true);
        }
    }
    free(moves);
    return code;
}

static int moves_answer(struct session *session, const struct asked *asked) {
    if (asked->values->move) return moves_judge(&session->game, asked);
    if (asked->values->perft) return count_nodes(&session->game, asked);
    return moves_list(session, asked);
}

static int answer_for_record(const struct folders *folders, const struct asked *asked) {
    struct records records = {.folders = folders, .variant = asked->values->variant};
    struct fault fault = {0};
    int code = EXIT_DONE;
    bool played =
        records_play(&records, asked->values->source, (uint32_t)asked->values->ply, &fault);
    if (!played) {
        code = cli_fail(&fault);
        if (fault.status == STATUS_NOT_FOUND && !records.record) code = EXIT_USAGE;
    } else if (asked->values->ply != UINT32_MAX &&
               asked->values->ply > records.record->move_count) {
        code = cli_misuse("moves", "--ply %" PRIu32 ": %s ends with ply %zu", asked->values->ply,
                          asked->values->source, records.record->move_count);
    } else {
        code = moves_answer(records.replay.session, asked);
    }
    records_clear(&records);
    return code;
}

static int answer_for_variant(const struct folders *folders, const struct asked *asked) {
    if (asked->values->ply != UINT32_MAX) return cli_misuse("moves", "--ply goes with a record");
    if (asked->values->variant) return cli_misuse("moves", "-v goes with a record");
    int code;
    struct rules *rules = cli_variant(folders, asked->values->source, &code);
    if (!rules) return code;
    struct fault fault = {0};
    struct session *session = start_session(rules, asked->values->seed, &fault);
    code = session ? moves_answer(session, asked) : cli_fail(&fault);
    session_close(session);
    rules_free(rules);
    return code;
}

static int run_moves(const void *values) {
    struct asked asked = {.values = values, .language = cli_tongue()};
    struct folders folders;
    int code;
    if (asked.values->move && asked.values->perft)
        return cli_misuse("moves", "a MOVE and --perft do not go together");
    if (!cli_folders(&folders)) return EXIT_HOST;
    code = is_record(asked.values->source) ? answer_for_record(&folders, &asked)
                                           : answer_for_variant(&folders, &asked);
    return code;
}
