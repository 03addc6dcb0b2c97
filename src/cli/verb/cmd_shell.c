/* scrim shell [NAME] */
#include "cli/answer/query_request.h"
#include "cli/dataset/query_words.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/process.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/shell.h"
#include "cli/verb/verbs.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lines. */

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n;")] == '\0';
}

/* A script stops where something failed, so that no later question is charged on a wrong assumption. */
static void end_script(sc_shell *s)
{
    if (!s->is_asked && s->status != 0)
        s->is_over = true;
}

static void finish_question(sc_shell *s, const char *question)
{
    if (is_blank(question))
        return;
    question += strspn(question, " \t\r\n");
    sc_line_editor_remember(s->editor, question);
    sc_shell_ask(s, question);
    end_script(s);
}

static bool append_line(sc_shell *s, const char *line)
{
    const size_t before = s->lines == NULL ? 0 : strlen(s->lines), bytes = strlen(line);
    if (before + bytes + 2 > SC_SHELL_QUESTION_BYTES) {
        sc_shell_refuse(s, "a question may have at most 1 MiB");
        return false;
    }
    char *lines = realloc(s->lines, before + bytes + 2);
    if (lines == NULL)
        return false;
    s->lines = lines;
    memcpy(lines + before, line, bytes);
    memcpy(lines + before + bytes, "\n", 2);
    return true;
}

static void forget_lines(sc_shell *s)
{
    free(s->lines);
    s->lines = NULL;
}

/* Asks all questions that are whole, and keeps what follows the last ';'. */
static void take_questions(sc_shell *s)
{
    while (s->lines != NULL && !s->is_over) {
        char *end = s->lines + (sc_query_end(s->lines) - s->lines);
        if (*end != ';')
            return;
        char *rest = is_blank(end + 1) ? NULL : strdup(end + 1);
        *end = '\0';
        SC_FREED char *question = s->lines;
        s->lines = rest;
        finish_question(s, question);
    }
}

/* A command of the shell, without its backslash. */
static void take_command(sc_shell *s, const char *text)
{
    SC_FREED char *command = strdup(text);
    for (size_t n = command == NULL ? 0 : strlen(command);
         n > 0 && strchr(" \t\r;", command[n - 1]) != NULL;)
        command[--n] = '\0';
    s->status = 0;
    if (command != NULL)
        sc_shell_command(s, command);
    end_script(s);
}

/* A hint that was copied from the notes of an answer, "scrim replay 3" or "scrim report 3". */
static bool take_hint(sc_shell *s, const char *text)
{
    char verb[8], number[32], command[64];
    int end = 0;
    if (sscanf(text, "scrim %7[a-z] %31[0-9]%n", verb, number, &end) != 2 ||
        !is_blank(text + end) ||
        (strcmp(verb, "replay") != 0 && strcmp(verb, "report") != 0))
        return false;
    snprintf(command, sizeof command, "%s %s",
             strcmp(verb, "replay") == 0 ? "release" : "label", number);
    take_command(s, command);
    return true;
}

void sc_shell_take_line(sc_shell *s, const char *line)
{
    const char *text = line + strspn(line, " \t");
    if (text[0] == '\\') {
        sc_line_editor_remember(s->editor, text);
        take_command(s, text + 1);
        return;
    }
    if (s->lines == NULL && take_hint(s, text))
        return;
    if (s->lines == NULL && is_blank(text))
        return;
    if (s->lines == NULL && (strcmp(text, "quit") == 0 || strcmp(text, "exit") == 0)) {
        s->is_over = true;
        return;
    }
    if (s->lines == NULL && strcmp(text, "help") == 0) {
        sc_shell_command(s, "?");
        return;
    }
    if (is_blank(text) && text[0] == '\0') { /* an empty line ends a question too */
        SC_FREED char *question = s->lines;
        s->lines = NULL;
        finish_question(s, question);
        return;
    }
    if (append_line(s, line))
        take_questions(s);
}

/* Prompts. */

/* "adult, epsilon 2.5 left> ". A vault that cannot be read now is no reason not to go on. */
static void make_prompt(const sc_shell *s, char prompt[SC_SHELL_PROMPT_BYTES])
{
    SC_OWNED(scrim_vault_close_at) scrim_vault *vault = NULL;
    scrim_dataset dataset;
    scrim_budget budget;
    char left[SC_BOUND_BYTES];
    snprintf(prompt, SC_SHELL_PROMPT_BYTES, "%s> ",
             s->dataset[0] == '\0' ? "scrim" : s->dataset);
    if (s->lines != NULL)
        snprintf(prompt, SC_SHELL_PROMPT_BYTES, "   ...> ");
    else if (s->dataset[0] != '\0' &&
             sc_vault_place_open(s->options, &vault, NULL) == SCRIM_OK &&
             sc_dataset_find(vault, s->dataset, &dataset, NULL) == SCRIM_OK &&
             scrim_vault_budget_of(vault, dataset.population, NULL, &budget, NULL) ==
                 SCRIM_OK) {
        sc_number_format_lower(budget.left, left);
        snprintf(prompt, SC_SHELL_PROMPT_BYTES, "%s, %s %s left> ", s->dataset,
                 budget.unit, left);
    }
}

/* Completion. */

static void offer(void *context, const char *word)
{
    sc_line_words_offer(context, word);
}

static void offer_datasets(const sc_shell *s, sc_line_words *words)
{
    SC_OWNED(scrim_vault_close_at) scrim_vault *vault = NULL;
    scrim_dataset dataset;
    if (sc_vault_place_open(s->options, &vault, NULL) != SCRIM_OK)
        return;
    for (size_t i = 0; scrim_vault_dataset(vault, i, &dataset, NULL) == SCRIM_OK; i++)
        sc_line_words_offer(words, dataset.name);
}

static void offer_columns(const sc_shell *s, sc_line_words *words)
{
    SC_OWNED(scrim_vault_close_at) scrim_vault *vault = NULL;
    char *policy = NULL;
    if (s->dataset[0] == '\0' ||
        sc_vault_place_open(s->options, &vault, NULL) != SCRIM_OK ||
        scrim_vault_policy(vault, s->dataset, &policy, NULL) != SCRIM_OK)
        return;
    sc_policy_words(policy, offer, words);
    scrim_vault_text_free(policy);
}

static bool begins(const char *line, const char *command)
{
    return strncmp(line, command, strlen(command)) == 0;
}

static void complete(void *context, const char *line, size_t start, sc_line_words *words)
{
    const sc_shell *s = context;
    char name[SC_SHELL_SETTING_BYTES];
    if (line[0] == '\\' && start == 0) {
        for (size_t i = 0; sc_shell_command_name(i) != NULL; i++) {
            snprintf(name, sizeof name, "\\%s", sc_shell_command_name(i));
            sc_line_words_offer(words, name);
        }
    } else if (begins(line, "\\use ") || begins(line, "\\d ")) {
        offer_datasets(s, words);
    } else if (begins(line, "\\i ") || begins(line, "\\csv ")) {
        sc_line_words_offer_files(words);
    } else if (begins(line, "\\bounds ")) {
        for (size_t i = SC_SHELL_FIRST_BOUND; i < SC_SHELL_SETTINGS; i++) {
            snprintf(name, sizeof name,
                     "%s=", sc_shell_setting_name((sc_shell_setting)i));
            sc_line_words_offer(words, name);
        }
        sc_line_words_offer(words, "auto");
        sc_line_words_offer(words, "off");
    } else if (line[0] != '\\' || begins(line, "\\explain ")) {
        offer_columns(s, words);
        sc_query_words(offer, words);
    }
}

/* The session. */

/* The file of the history, beside the witnesses; its folders are made. */
static void keep_history(sc_shell *s)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    const bool is_state = state != NULL && state[0] == '/';
    static const char *const parts[] = {"/.local", "/state", "/scrim"};
    char path[4096];
    if (sc_rights_are_borrowed() || sc_rights_are_lent(NULL) ||
        (!is_state && (home == NULL || home[0] != '/')))
        return;
    int used = snprintf(path, sizeof path, "%s", is_state ? state : home);
    for (size_t i = is_state ? 2 : 0; i < sizeof parts / sizeof *parts; i++) {
        if (used < 0 || (size_t)used + 64 > sizeof path)
            return;
        used += snprintf(path + used, sizeof path - (size_t)used, "%s", parts[i]);
        (void)mkdir(path, 0700);
    }
    snprintf(path + used, sizeof path - (size_t)used, "/history");
    sc_line_editor_keep(s->editor, path);
}

/* The dataset that is named, or the only one. */
static scrim_status choose_dataset(sc_shell *s, scrim_error *error)
{
    SC_OWNED(scrim_vault_close_at) scrim_vault *vault = NULL;
    scrim_dataset dataset;
    if (s->options->word_count > 2)
        return sc_refuse(error, "name one dataset; questions are typed in the shell, or "
                                "read from standard input");
    if (s->options->word_count == 2)
        return sc_shell_find_dataset(s, s->options->words[1], error);
    SC_TRY(sc_vault_place_open(s->options, &vault, error));
    if (scrim_vault_dataset(vault, 0, &dataset, NULL) == SCRIM_OK) {
        snprintf(s->dataset, sizeof s->dataset, "%s", dataset.name);
        if (scrim_vault_dataset(vault, 1, &dataset, NULL) == SCRIM_OK)
            s->dataset[0] = '\0';
    }
    return SCRIM_OK;
}

static void read_all(sc_shell *s)
{
    char prompt[SC_SHELL_PROMPT_BYTES] = "";
    while (!s->is_over) {
        const char *line = "";
        if (s->is_asked)
            make_prompt(s, prompt);
        switch (sc_line_editor_read(s->editor, prompt, &line)) {
        case SC_LINE_READ: {
            SC_FREED char *kept = strdup(line); /* the next line takes its place */
            if (kept != NULL)
                sc_shell_take_line(s, kept);
            break;
        }
        case SC_LINE_DROPPED:
            forget_lines(s);
            break;
        case SC_LINE_LAST:
            if (s->lines != NULL && !s->is_asked)
                sc_shell_take_line(s, "");
            s->is_over = true;
            break;
        case SC_LINE_WRONG:
            sc_shell_refuse(s, "the line is too long or holds a NUL byte");
            end_script(s);
            break;
        }
    }
}

static scrim_status run_shell(const sc_options *options, scrim_error *error)
{
    sc_shell s = {.status = 0};
    const bool is_edited = sc_line_editor_is_possible();
    scrim_status status = sc_shell_open(options, &s, error);
    s.is_asked = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
    if (status == SCRIM_OK)
        status = choose_dataset(&s, error);
    if (status == SCRIM_OK && is_edited)
        (void)setlocale(LC_CTYPE, ""); /* the editor counts characters */
    if (status == SCRIM_OK)
        status = sc_line_editor_open(is_edited, complete, &s, &s.editor, error);
    if (status == SCRIM_OK) {
        keep_history(&s);
        if (s.is_asked && !sc_options_has(options, SCRIM_OPTION_QUIET))
            sc_talk("A question ends with ';'. \\? lists commands, Tab completes, \\q "
                    "leaves.\n");
        read_all(&s);
    }
    const int ended = s.is_asked ? 0 : s.status;
    sc_shell_close(&s);
    /* The command that failed has said why. */
    if (status == SCRIM_OK && ended != 0)
        exit(ended);
    return status;
}

const sc_verb sc_verb_shell = {
    .name = "shell",
    .synopsis = "[NAME] [OPTION...]",
    .summary = "Ask questions one after another, with the cost before each",
    .usage =
        "Reads questions about a dataset from a terminal, with history and completion\n"
        "(Tab), or from standard input. A question may have several lines and ends with\n"
        "';' or an empty line. On a terminal scrim shows the cost and the expected "
        "error\n"
        "first; Enter asks. Standard input is asked without that, and the first failure\n"
        "ends it. Ctrl-C drops a line, or ends the question that runs.\n"
        "\n"
        "Commands begin with a backslash; \\? lists them: \\d shows columns, \\budget "
        "what\n"
        "is left, \\epsilon E sets what each question may cost, \\bounds how many rows "
        "of\n"
        "a person are used, \\explain the plan in full; \\plot draws the last answer, "
        "\\csv\n"
        "FILE writes it, \\release N shows a recorded one; \\i FILE reads a file.\n"
        "\n"
        "Options set what all questions have in common:\n"
        "  --epsilon E, --delta D, --confidence C, --expect N, --mechanism NAME,\n"
        "  --max-total-rows N, --max-groups N, --max-rows N, --bounds auto,\n"
        "  --cut-share R, --with [NAME=]FILE  as in 'scrim query'\n" SC_USAGE_VAULT
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json         short for --format json\n"
        "  --all          show all rows of a long table; page by page on a terminal\n"
        "  --quiet        show neither progress nor the note on cost and "
        "accuracy\n" SC_USAGE_SEED "\n"
        "The history of questions is in ~/.local/state/scrim/history, readable by you\n"
        "only; answers are not in it.\n"
        "\n"
        "example: scrim shell adult --epsilon 0.5\n",
    .kind = SC_COMMAND_RELEASE,
    .options = SC_OPTION_SET(
        SCRIM_OPTION_ALL, SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA,
        SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_EXPECT, SCRIM_OPTION_MECHANISM,
        SCRIM_OPTION_MAX_TOTAL_ROWS, SCRIM_OPTION_MAX_GROUPS, SCRIM_OPTION_MAX_ROWS,
        SCRIM_OPTION_BOUNDS, SCRIM_OPTION_CUT_SHARE, SCRIM_OPTION_WITH),
    .run = run_shell,
};
