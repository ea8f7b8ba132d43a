/* moves.c - the command "moves": what a position allows, and why it does not allow a move.
 *
 * The position is one of a record, or the start of a variant with both set-ups drawn at random. */
#include "cli.h"
#include "cli/lines/listing.h"
#include "cli/lines/terminal.h"
#include "core/play/calls.h"
#include "core/search/perft.h"
#include "core/text/layout.h"
#include "core/text/notation.h"
#include "host/safe_json.h"
#include "options.h"
#include "reasons.h"
#include "records.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
    "usage: ensign moves VARIANT|RECORD [MOVE] [OPTIONS]\n\n"
    "Shows a position and its legal moves; with a MOVE, whether it is legal, and if not, which rule\n"
    "forbids it (exit code 1), for a rule of repetition with the earlier plies that matter. A MOVE is\n"
    "written a4-a5, a4xa5, a4a5 or e7@e9=bomb. A record's name ends in .rec; \"-\" is standard\n"
    "input.\n\n"
    "  -v, --variant VARIANT   name or path of the rules, instead of a record's own\n"
    "  --ply N    the position after N plies of the record (all)\n"
    "  --seed N   what the set-ups of a VARIANT are drawn from (1)\n"
    "  --perft N  count the leaves of the tree of moves, 1 to N plies deep\n"
    "  --json     one JSON document\n" LANG_USAGE;

enum { PERFT_MAX = 12 };

struct asked {
    const char *source, *move;
    const char *variant; /* of a record; NULL: its own */
    const char *lang;
    struct language *language;
    uint64_t seed, ply, perft;
    bool json;
};

static int read_options(struct asked *asked, int argc, char **argv) {
    static const struct option options[] = {
        {"variant", required_argument, NULL, 'v'},
        {"ply", required_argument, NULL, 'p'},
        {"seed", required_argument, NULL, 's'},
        {"perft", required_argument, NULL, 'f'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        LANG_OPTION,
        {NULL, 0, NULL, 0},
    };
    int letter;
    while ((letter = options_next(argc, argv, ":hv:", options)) != -1) {
        bool read = true;
        switch (letter) {
        case 'v':
            asked->variant = optarg;
            break;
        case 'p':
            read = options_number("moves", "--ply", optarg, 0, UINT32_MAX - 1, &asked->ply);
            break;
        case 's':
            read = options_number("moves", "--seed", optarg, 0, UINT64_MAX, &asked->seed);
            break;
        case 'f':
            read = options_number("moves", "--perft", optarg, 1, PERFT_MAX, &asked->perft);
            break;
        case 'j':
            asked->json = true;
            break;
        case OPTION_LANG:
            asked->lang = optarg;
            break;
        case 'h':
            fputs(USAGE, stdout);
            return -1;
        default:
            return EXIT_USAGE;
        }
        if (!read) return EXIT_USAGE;
    }
    if (optind >= argc) return cli_misuse("moves", "which variant or record?");
    asked->source = argv[optind++];
    if (optind < argc) asked->move = argv[optind++];
    if (optind < argc) return cli_misuse("moves", "one move is enough, \"%s\"?", argv[optind]);
    if (asked->move && asked->perft) return cli_misuse("moves", "a move or --perft, not both");
    return EXIT_DONE;
}

static bool is_record(const char *source) {
    size_t length = strlen(source);
    return !strcmp(source, "-") || (length > 4 && !strcmp(source + length - 4, ".rec"));
}

/* The start of a variant, with set-ups from the seed. NULL with a fault. */
static struct session *start_session(const struct rules *rules, uint64_t seed,
                                     struct fault *fault) {
    const struct session_options options = {
        .rules = rules, .first = rules->first == FIRST_BLUE ? BLUE : RED, .plies = PERFT_MAX};
    struct session *session = session_open(&options, fault);
    for (int side = RED; session && side <= BLUE; side++) {
        struct setup setup;
        struct random random =
            random_stream(seed, side == RED ? STREAM_RED_SETUP : STREAM_BLUE_SETUP, 0);
        if (setup_random(rules, &random, &setup, fault) &&
            session_take_setup(session, (enum side)side, &setup, fault)) {
            continue;
        }
        session_close(session);
        session = NULL;
    }
    return session;
}

/* The earlier moves that matter to a repetition rule, as far as there are any. */
static void add_evidence(json_t *document, const struct game *game, struct move move) {
    struct evidence evidence;
    repetition_explain(game, move, &evidence);
    json_t *earlier = json_array();
    for (int i = 0; i < evidence.count; i++) {
        json_array_append_new(earlier, json_integer(evidence.ply[i]));
    }
    json_object_set_new(document, "earlier", earlier);
    if (evidence.verdict != ILLEGAL_CHASE) return;
    json_object_set_new(document, "chase_since", json_integer(evidence.since));
    if (!evidence.count) {
        json_object_set_new(document, "position_after", json_integer(evidence.position));
    }
}

static int judge(const struct game *game, const struct asked *asked) {
    struct move move;
    struct fault fault = {0};
    struct move_pattern pattern;
    enum verdict verdict =
        move_parse(game->rules, asked->move, strlen(asked->move), AS_TYPED, &pattern, &fault);
    bool understood = verdict == LEGAL;
    if (understood) verdict = move_resolve(game, &pattern, &move);
    char text[VERDICT_TEXT_MAX];
    const char *sentence = understood ? verdict_text(game, move, verdict, text) : fault.text;
    if (calls_take(&fault)) return cli_fail(&fault);
    if (asked->json) {
        json_t *document =
            json_pack("{s:o, s:b, s:s, s:s}", "move", safe_json(asked->move), "legal",
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
        language_line(stdout, asked->language, "Not legal ({1}): {2}.", verdict_name(verdict),
                      language_text(asked->language, sentence));
    }
    return verdict == LEGAL ? EXIT_DONE : EXIT_SHORT;
}

static int count_nodes(struct game *game, const struct asked *asked) {
    size_t capacity = game->ply_count + asked->perft + 1;
    struct ply *plies = malloc(capacity * sizeof *plies);
    struct move *moves = malloc(asked->perft * game->rules->moves_max * sizeof *moves);
    if (!plies || !moves) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "no memory for %" PRIu64 " plies", asked->perft);
        free(plies);
        free(moves);
        return cli_fail(&fault);
    }
    if (game->ply_count) memcpy(plies, game->plies, game->ply_count * sizeof *plies);
    game->plies = plies;
    game->ply_capacity = (uint32_t)capacity;
    int code = EXIT_DONE;
    json_t *counts = json_array();
    for (int depth = 1; depth <= (int)asked->perft; depth++) {
        uint64_t nodes = perft_count(game, depth, moves);
        json_array_append_new(counts, json_integer((json_int_t)nodes));
        if (!asked->json) printf("%2d %" PRIu64 "\n", depth, nodes);
    }
    free(plies);
    free(moves);
    struct fault fault;
    if (calls_take(&fault)) {
        json_decref(counts);
        return cli_fail(&fault);
    }
    if (asked->json) {
        code = cli_json(json_pack("{s:s, s:O}", "variant", game->rules->name, "perft", counts),
                        JSON_INDENT(1));
    }
    json_decref(counts);
    return code;
}

static json_t *moves_json(const struct game *game, const struct move *moves, size_t count) {
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
    return json_pack("{s:s, s:I, s:s, s:s, s:o}", "variant", game->rules->name, "ply",
                     (json_int_t)game->ply_count, "to_move", side_name((enum side)game->to_move),
                     "position", text, "moves", list);
}

static int list_moves(const struct game *game, const struct asked *asked) {
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
    if (asked->json) {
        code = cli_json(moves_json(game, moves, count), JSON_INDENT(1));
    } else {
        struct terminal terminal = terminal_of(stdout);
        struct picture picture;
        picture_game(&picture, game);
        terminal_draw(&terminal, &picture, NULL, 0);
        if (game_over(game)) {
            char end[512];
            language_end(asked->language, (enum result)game->result, (enum reason)game->reason, end,
                         sizeof end);
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

static int answer(struct game *game, const struct asked *asked) {
    if (asked->move) return judge(game, asked);
    if (asked->perft) return count_nodes(game, asked);
    return list_moves(game, asked);
}

static int answer_for_record(const struct folders *folders, const struct asked *asked) {
    struct records records = {.folders = folders, .variant = asked->variant};
    struct fault fault = {0};
    int code = EXIT_DONE;
    bool played = records_play(&records, asked->source, (uint32_t)asked->ply, &fault);
    if (!played) {
        code = cli_fail(&fault);
        if (fault.status == STATUS_NOT_FOUND && !records.record) code = EXIT_USAGE;
    } else if (asked->ply != UINT32_MAX && asked->ply > records.record->move_count) {
        code = cli_misuse("moves", "--ply %" PRIu64 ": %s ends with ply %zu", asked->ply,
                          asked->source, records.record->move_count);
    } else {
        code = answer(&records.replay.session->game, asked);
    }
    records_clear(&records);
    return code;
}

static int answer_for_variant(const struct folders *folders, const struct asked *asked) {
    if (asked->ply != UINT32_MAX) return cli_misuse("moves", "--ply goes with a record");
    if (asked->variant) return cli_misuse("moves", "-v goes with a record");
    int code;
    struct rules *rules = cli_variant(folders, asked->source, &code);
    if (!rules) return code;
    struct fault fault = {0};
    struct session *session = start_session(rules, asked->seed, &fault);
    code = session ? answer(&session->game, asked) : cli_fail(&fault);
    session_close(session);
    rules_free(rules);
    return code;
}

int command_moves(int argc, char **argv) {
    struct asked asked = {.seed = 1, .ply = UINT32_MAX};
    int code = read_options(&asked, argc, argv);
    if (code) return code < 0 ? EXIT_DONE : code;
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    if (!cli_language(&folders, asked.lang, &asked.language, &code)) return code;
    code = is_record(asked.source) ? answer_for_record(&folders, &asked)
                                   : answer_for_variant(&folders, &asked);
    language_free(asked.language);
    return code;
}
