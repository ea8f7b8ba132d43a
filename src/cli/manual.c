/* manual.c - the manual pages of the commands, in roff.
 *
 * What a page says of a command is what its help page says. The pages of formats are made from the
 * documentation, by src/package/manual.awk. */
#include "manual.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

/* Text of a page: a backslash, a hyphen that could become another dash, and a line's first dot or
 * quote would be instructions. */
static void print_text(FILE *out, const char *text) {
    for (const char *at = text; *at; at++) {
        if (at == text && strchr(".'", *at)) fputs("\\&", out);
        if (*at == '\\')
            fputs("\\e", out);
        else if (*at == '-')
            fputs("\\-", out);
        else
            fputc(*at, out);
    }
}

static void print_between(FILE *out, const char *before, const char *text, const char *after) {
    fputs(before, out);
    print_text(out, text);
    fputs(after, out);
}

static void print_heading(FILE *out, const char *name, const char *summary) {
    fprintf(out, ".TH ENSIGN%s", *name ? "\\-" : "");
    for (const char *at = name; *at; at++) fputc(*at >= 'a' ? *at - 'a' + 'A' : *at, out);
    fprintf(out, " 6 \"\" \"ensign %s\" \"Games Manual\"\n.SH NAME\nensign%s", ENSIGN_VERSION,
            *name ? "\\-" : "");
    print_between(out, "", name, " \\- ");
    print_between(out, "", summary, "\n");
}

static void print_command(FILE *out, const struct command *command) {
    const struct parameter *option;
    print_heading(out, command->name, command->summary);
    fputs(".SH SYNOPSIS\n", out);
    for (int i = 0; i < SYNOPSIS_MAX && command->synopsis[i]; i++) {
        fprintf(out, "%s\\fBensign %s\\fR ", i ? ".br\n" : "", command->name);
        print_between(out, "", command->synopsis[i], "\n");
    }
    print_between(out, ".SH DESCRIPTION\n", command->prose, "\n.SH OPTIONS\n");
    for (int i = 0; (option = command_option(command, i)); i++) {
        char head[COMMAND_HEAD_MAX], text[COMMAND_OPTION_MAX];
        command_option_head(option, head);
        command_option_text(command, option, text);
        print_between(out, ".TP\n\\fB", head + strspn(head, " "), "\\fR\n");
        print_between(out, "", text, "\n");
    }
    for (int i = 0; i < NOTES_MAX && command->notes[i]; i++)
        print_between(out, i ? ".PP\n" : ".SH NOTES\n", command->notes[i], "\n");
    fputs(".SH SEE ALSO\n.BR ensign (6)\n", out);
}

static const char ABOUT[] =
    ".SH SYNOPSIS\n\\fBensign\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH DESCRIPTION\n"
    "Ensign is a host for games of two hidden armies on a board with lakes, which capture a flag. "
    "People play them in the terminal and in the browser; bots play matches against each other. "
    "Variants and bots are Lua files that can be read and changed.\n.SH COMMANDS\n";

static const char MORE[] =
    ".SH EXIT STATUS\n0: done. 1: what was checked or played fell short. 2: wrong use. 3: the "
    "program itself failed, or was built without a part that is needed.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBENSIGN_DATA\\fR\nThe folder that holds the installed scripts, variants and bots.\n"
    ".TP\n\\fBXDG_DATA_HOME\\fR\nIts folder ensign holds your own scripts, variants and bots; "
    "~/.local/share unless it is set.\n"
    ".TP\n\\fBXDG_STATE_HOME\\fR\nIts folder ensign holds the games that you have played; "
    "~/.local/state unless it is set.\n"
    ".TP\n\\fBLC_ALL\\fR, \\fBLC_MESSAGES\\fR, \\fBLANG\\fR\nThe language of messages and help.\n"
    ".SH SEE ALSO\n.BR ensign\\-variant (5),\n.BR ensign\\-bot (5),\n.BR ensign\\-record (5),\n"
    ".BR ensign\\-protocol (7)\n";

static void print_overview(FILE *out) {
    print_heading(out, "", "play, change, script and compare games of two hidden armies");
    fputs(ABOUT, out);
    for (int i = 0; COMMANDS[i]; i++) {
        fprintf(out, ".TP\n.BR ensign\\-%s (6)\n", COMMANDS[i]->name);
        print_between(out, "", COMMANDS[i]->summary, "\n");
    }
    fputs(MORE, out);
}

/* NULL: the overview. */
static bool write_page(const char *folder, const struct command *command, struct fault *fault) {
    char *page = NULL, path[FOLDER_PATH_MAX];
    size_t length;
    FILE *out = open_memstream(&page, &length);
    if (!out) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (command)
        print_command(out, command);
    else
        print_overview(out);
    bool written = !fclose(out);
    if (!written) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (snprintf(path, sizeof path, "%s/ensign%s%s.6", folder, command ? "-" : "",
                 command ? command->name : "") >= (int)sizeof path)
        written = fault_set(fault, STATUS_USAGE, "the path is too long");
    written = written && files_replace(path, page, length, fault);
    free(page);
    return written;
}

bool manual_write(const char *folder, struct fault *fault) {
    bool written = files_folder(folder, fault) && write_page(folder, NULL, fault);
    for (int i = 0; written && COMMANDS[i]; i++) written = write_page(folder, COMMANDS[i], fault);
    return written;
}
