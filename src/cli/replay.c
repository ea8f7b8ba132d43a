/* replay.c - `ensign replay`: steps through records, prints a position, or judges every move. */
#include "cli/lines/terminal.h"
#include "cli/screen/review.h"
#include "cli/screen/screen_curses.h"
#include "command.h"
#include "core/text/layout.h"
#include "host/hint.h"
#include "host/records.h"
#include "host/safe_json.h"
#include "host/seat/message.h"

#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { MOVES_AROUND = 8 };

struct replay_values {
    struct arguments records;
    const char *variant, *lang;
    uint32_t ply; /* UINT32_MAX: the last */
    int eyes;     /* enum onlooker; ONLOOKERS: not asked for */
    bool verify, json, plain;
};

static const char *const ONLOOKER_WORDS[] = {"red", "blue", "public", "all", NULL};

static int run_replay(const void *values);
const struct command command_replay = {
    COMMAND(replay, .ply = UINT32_MAX, .eyes = ONLOOKERS),
    .summary = "step through a record, or judge every move of it",
    .synopsis = {"RECORD… [OPTIONS]"},
    .prose = "Steps through a record on a full screen. In a pipe, for several records, or with "
             "--plain or --ply, prints one position and the moves around it. With --verify, judges "
             "every move and the ending. RECORD \"-\" is standard input.",
    .arguments = {{NULL, 0, "RECORD", VALUE_RECORD, INTO(replay, records), .needed = true,
                   .many = true}},
    .options =
        {
            {"plain", INTO(replay, plain), "print the last position as text"},
            {"ply", 0, "N", VALUE_NUMBER, INTO(replay, ply),
             "print the position after N plies as text", .most = UINT32_MAX - 1,
             .excludes = "verify"},
            {"verify", INTO(replay, verify),
             "judge every move and the ending; exit code 1 if anything breaks the rules"},
            {OPTION_VARIANT, INTO(replay, variant),
             "variant to use instead of the record's own: a name or a path"},
            {"json", INTO(replay, json), "print one JSON document, an array for several records"},
            {"eyes", 0, NULL, VALUE_WORD, INTO(replay, eyes),
             "with --json: what that side, a spectator or everybody together knew, and what the "
             "last turn told",
             .words = ONLOOKER_WORDS, .excludes = "verify"},
            {OPTION_LANG, INTO(replay, lang)},
        },
};

/* `{"legal","plies","result","reason","illegal"}`, "illegal" null if no move is; "fault" only if
 * something is wrong. */
static json_t *verdict_json(const struct records *records, const struct fault *fault) {
    const struct playback *replay = &records->replay;
    json_t *illegal = json_null();
    if (replay->illegal_ply) {
        illegal = json_pack("{s:I, s:s, s:s}", "ply", (json_int_t)replay->illegal_ply, "move",
                            replay->illegal_move, "rule", verdict_name(replay->rule));
    }
    json_t *document = json_pack("{s:b, s:I, s:s, s:s, s:o}", "legal", (int)replay->legal, "plies",
                                 (json_int_t)replay->plies, "result", result_name(replay->result),
                                 "reason", reason_name(replay->reason), "illegal", illegal);
    if (!replay->legal) {
        char line[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
        fault_format(fault, line, sizeof line);
        json_object_set_new(document, "fault", json_string(line));
    }
    return document;
}

static void print_verdict(const struct language *language, const char *path,
                          const struct playback *replay) {
    char end[2 * LANGUAGE_NAME_MAX];
    snprintf(end, sizeof end, replay->reason ? "%s (%s)" : "%s",
             language_text(language, result_name(replay->result)),
             language_reason(language, replay->reason));
    if (replay->illegal_ply) {
        language_line(stdout, language, "{1}: not legal: ply {2}, {3} ({4})", path,
                      NUMBER_TEXT(replay->illegal_ply), replay->illegal_move,
                      verdict_name(replay->rule));
    } else {
        bool one = replay->plies == 1;
        language_line(stdout, language,
                      replay->legal ? one ? TEXT("{1}: legal, {2} ply, {3}")
                                          : TEXT("{1}: legal, {2} plies, {3}")
                      : one ? TEXT("{1}: not legal, {2} ply, {3}")
                                    : TEXT("{1}: not legal, {2} plies, {3}"),
                      path, NUMBER_TEXT(replay->plies), end);
    }
}

/* Null if the record starts from a position. */
static json_t *setup_json(const struct records *records, const char *tag) {
    const char *setup = record_tag(records->record, tag);
    return setup ? safe_json(setup) : json_null();
}

static json_t *position_json(const struct records *records) {
    const struct game *game = &records->replay.session->game;
    struct position position;
    memcpy(position.at, game->at, sizeof position.at);
    position.to_move = (enum side)game->to_move;
    char text[POSITION_TEXT_MAX];
    position_write(records->rules, &position, text);
    return json_pack("{s:s, s:I, s:I, s:s, s:s, s:s, s:{s:o, s:o}}", "variant",
                     records->rules->name, "ply", (json_int_t)game->ply_count, "plies",
                     (json_int_t)records->record->move_count, "position", text, "result",
                     result_name(records->replay.result), "reason",
                     reason_name(records->replay.reason), "setups", "red",
                     setup_json(records, "RedSetup"), "blue", setup_json(records, "BlueSetup"));
}

/* What an onlooker knew, and what the last turn made known ("last", null before the first). */
static json_t *knowledge_json(const struct records *records, enum onlooker onlooker) {
    const struct session *session = records->replay.session;
    const struct outlook outlook = outlook_of(onlooker, &session->eyes);
    char text[POSITION_TEXT_MAX];
    outlook_position(&outlook, text);
    return json_pack("{s:s, s:s, s:I, s:I, s:s, s:s, s:s, s:s, s:o}", "variant",
                     records->rules->name, "eyes", onlooker_name(onlooker), "ply",
                     (json_int_t)session->game.ply_count, "plies",
                     (json_int_t)records->record->move_count, "to_move",
                     side_name((enum side)session->game.to_move), "position", text, "result",
                     result_name(records->replay.result), "reason",
                     reason_name(records->replay.reason), "last", message_last(&outlook));
}

/* The moves around the ply shown, the last one played in brackets. */
static void print_moves(const struct record *record, uint32_t ply) {
    size_t first = ply > MOVES_AROUND ? ply - MOVES_AROUND : 0;
    size_t last = ply + MOVES_AROUND < record->move_count ? ply + MOVES_AROUND : record->move_count;
    if (first) printf("… ");
    for (size_t i = first; i < last; i++) {
        bool shown = i + 1 == ply;
        if (i % 2 == 0) printf("%zu. ", i / 2 + 1);
        printf("%s%s%s ", shown ? "[" : "", record->moves[i].text, shown ? "]" : "");
    }
    printf("%s\n", last < record->move_count ? "…" : "");
}

/* Prints the record's ending if the whole record was played and is legal; always ends the line. */
static void print_tagged_end(const struct language *language, const struct records *records) {
    const struct record *record = records->record;
    if (!records->replay.legal || records->replay.plies < record->move_count) {
        putchar('\n');
        return;
    }
    const char *result = record_tag(record, "Result"), *reason = record_tag(record, "Reason");
    char end[512];
    enum reason why = reason ? reason_named(reason) : REASON_NONE;
    struct ending_words words = records->replay.session->ending;
    if (!words.text[0] && why == REASON_VARIANT) /* not at the end */
        snprintf(words.text, sizeof words.text, "%s", record_tag_or(record, "Ending", ""));
    language_end(language, result ? result_named(result) : RESULT_NONE, why, &words, end,
                 sizeof end);
    printf("%s\n\n", end);
}

static void print_hints(const struct language *language, const struct record *record) {
    const char *red = hint_notes(record, RED), *blue = hint_notes(record, BLUE);
    if (red) language_line(stdout, language, "Hints for red: {1}", red);
    if (blue) language_line(stdout, language, "Hints for blue: {1}", blue);
}

static void print_position(const struct language *language, const struct records *records) {
    const struct record *record = records->record;
    language_line(stdout, language, "{1}, red: {2}, blue: {3}",
                  language_title(language, records->rules), record_tag_or(record, "Red", "?"),
                  record_tag_or(record, "Blue", "?"));
    print_tagged_end(language, records);
    print_hints(language, record);
    struct terminal terminal = terminal_of(stdout);
    struct picture picture;
    picture_game(&picture, &records->replay.session->game);
    terminal_draw(&terminal, &picture, NULL, 0);
    const struct game *game = &records->replay.session->game;
    char end[512];
    if (game_over(game)) {
        language_end(language, (enum result)game->result, (enum reason)game->reason,
                     &records->replay.session->ending, end, sizeof end);
    } else {
        language_write(end, sizeof end, language,
                       game->to_move == RED ? TEXT("red to move") : TEXT("blue to move"));
    }
    putchar('\n');
    language_line(stdout, language, "after ply {1} of {2}; {3}", NUMBER_TEXT(game->ply_count),
                  NUMBER_TEXT(record->move_count), end);
    print_moves(record, records->replay.plies);
}

/* The values, and what follows from them. */
struct wishes {
    const struct replay_values *asked;
    bool screen; /* the record is stepped through on the screen */
    const struct language *language;
};

/* Steps through the record on the screen. */
#if ENSIGN_SCREEN
static int show_record(const struct records *records, const struct wishes *wishes) {
    const struct review_options wanted = {
        .language = wishes->language, .rules = records->rules, .record = records->record};
    struct screen screen;
    struct fault fault = {0};
    if (!screen_curses_open(&screen, &fault)) return cli_fail(&fault);
    screen.keyboard = keyboard_of(language_tag(wishes->language));
    bool shown = review_show(&screen, &wanted, &fault);
    int signal = screen.signal;
    screen_close(&screen);
    if (signal) raise(signal); /* tells our parent */
    return shown ? EXIT_DONE : cli_fail(&fault);
}
#else /* screen_curses_usable() is false */
#define show_record(records, wishes) EXIT_HOST
#endif

/* Replays one record; `*document` receives its JSON. Returns the exit code. */
static int replay_record(struct records *records, const char *path, const struct wishes *wishes,
                         struct complaints *complaints, json_t **document) {
    struct fault fault = {0};
    int code = EXIT_DONE;
    if (!records_play(records, path, wishes->asked->verify ? UINT32_MAX : wishes->asked->ply,
                      &fault)) {
        code = cli_complain(complaints, &fault);
    } else if (wishes->asked->ply != UINT32_MAX &&
               wishes->asked->ply > records->record->move_count) {
        fault_set(&fault, STATUS_USAGE, "ply %" PRIu32 ": the record ends with ply %zu",
                  wishes->asked->ply, records->record->move_count);
        fault_within(&fault, "%s", path);
        code = cli_fail(&fault);
    }
    if (!records->record) return code;
    bool reached = wishes->asked->ply == UINT32_MAX || records->replay.plies == wishes->asked->ply;
    if (wishes->asked->verify && wishes->asked->json) {
        *document = verdict_json(records, &fault);
    } else if (wishes->asked->verify) {
        print_verdict(wishes->language, path, &records->replay);
    } else if (!records->replay.session || !reached) {
        /* There is no position to show. */
    } else if (wishes->asked->json) {
        const enum onlooker onlooker = (enum onlooker)wishes->asked->eyes;
        *document =
            onlooker == ONLOOKERS ? position_json(records) : knowledge_json(records, onlooker);
    } else if (wishes->screen) {
        int shown = show_record(records, wishes);
        if (shown > code) code = shown;
    } else {
        print_position(wishes->language, records);
    }
    return code;
}

static int run_replay(const void *values) {
    const struct replay_values *asked = values;
    struct wishes wishes = {.asked = asked, .language = cli_tongue()};
    struct complaints complaints = {0};
    struct folders folders;
    int code = EXIT_DONE;
    if (asked->eyes != ONLOOKERS && !asked->json)
        return cli_misuse("replay", "--eyes goes with --json");
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct records records = {.folders = &folders, .variant = asked->variant};
    bool several = asked->records.count > 1;
    wishes.screen = !asked->verify && !asked->json && !asked->plain && !several &&
                    asked->ply == UINT32_MAX && screen_curses_usable(cli_tongue());
    json_t *all = json_array();
    for (int i = 0; i < asked->records.count; i++) {
        const char *path = asked->records.list[i];
        json_t *document = NULL;
        if (several && !asked->verify && !asked->json) cli_line(stdout, "%s", path);
        int one = replay_record(&records, path, &wishes, &complaints, &document);
        if (one > code) code = one;
        if (!document) continue;
        if (several) json_object_set_new(document, "record", safe_json(path));
        cli_json_add(&all, document);
    }
    cli_complained(&complaints);
    if (asked->json && (several || !all || json_array_size(all))) {
        int printed = cli_json(json_incref(several ? all : json_array_get(all, 0)), JSON_INDENT(1));
        if (printed > code) code = printed;
    }
    json_decref(all);
    records_clear(&records);
    return code;
}
