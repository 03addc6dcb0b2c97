/* scrim shell [NAME] */
#include "cli/answer/query_request.h"
#include "cli/dataset/query_words.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/process.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/shell.h"
#include "cli/verb/verbs.h"

#include <inttypes.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define QUESTION_BYTES ((size_t)1 << 20)
#define FILES_DEEP 8

static void complain(sc_shell *s, const scrim_error *error)
{
    sc_complaint_print("shell", error, "");
    s->status = (int)error->status / 10;
}

__attribute__((format(printf, 2, 3))) static void refuse(sc_shell *s, const char *format,
                                                         ...)
{
    scrim_error error = {.status = SCRIM_E_PARAM};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    complain(s, &error);
}

/* Commands. */

typedef struct shell_command {
    const char *name, *argument, *summary;
    void (*run)(sc_shell *s, const char *argument);
} shell_command;

static const shell_command *command_at(size_t index);

static void show_columns(sc_shell *s, const char *name)
{
    if (name[0] == '\0' && s->dataset[0] == '\0')
        sc_shell_run(s, (const char *[]){"dataset", "list"}, 2);
    else
        sc_shell_run(
            s, (const char *[]){"dataset", "show", name[0] == '\0' ? s->dataset : name},
            3);
}

static void show_datasets(sc_shell *s, const char *argument)
{
    (void)argument;
    sc_shell_run(s, (const char *[]){"dataset", "list"}, 2);
}

static void show_budget(sc_shell *s, const char *argument)
{
    const char *name = argument[0] == '\0' ? s->dataset : argument;
    sc_shell_run(s, (const char *[]){"budget", name}, name[0] == '\0' ? 1 : 2);
}

static scrim_status find_dataset(sc_shell *s, const char *name, scrim_error *error)
{
    SC_OWNED(scrim_vault_close_at) scrim_vault *vault = NULL;
    scrim_dataset dataset;
    SC_TRY(sc_vault_place_open(s->options, &vault, error));
    SC_TRY(sc_dataset_find(vault, name, &dataset, error));
    snprintf(s->dataset, sizeof s->dataset, "%s", dataset.name);
    *s->release = 0;
    return SCRIM_OK;
}

static void use_dataset(sc_shell *s, const char *name)
{
    scrim_error error = {.status = SCRIM_OK};
    if (name[0] == '\0')
        refuse(s, "name a dataset, as in \\use adult; \\datasets lists them");
    else if (find_dataset(s, name, &error) != SCRIM_OK)
        complain(s, &error);
}

static void explain(sc_shell *s, const char *question)
{
    if (question[0] == '\0' && s->last == NULL)
        refuse(s, "name a question, as in \\explain SELECT COUNT(*)");
    else if (s->settings[SC_SHELL_EPSILON][0] == '\0' &&
             strcasestr(question[0] == '\0' ? s->last : question,
                        "DIFFERENTIAL_PRIVACY") == NULL)
        refuse(s, "set what a question may cost first, as in \\epsilon 0.5");
    else
        sc_shell_explain(s, question[0] == '\0' ? s->last : question);
}

/* The number of a release as text: the one that is named, or that of the last answer. */
static bool get_release(sc_shell *s, const char *argument, char text[32])
{
    const bool is_named = argument[0] != '\0';
    if (!is_named && *s->release == 0) {
        refuse(s, "there is no answer yet; \\release N shows release N of the ledger");
        return false;
    }
    if (is_named)
        snprintf(text, 32, "%.31s", argument);
    else
        snprintf(text, 32, "%" PRIu64, *s->release);
    return true;
}

static void show_release(sc_shell *s, const char *argument)
{
    char release[32];
    if (get_release(s, argument, release))
        sc_shell_run(s, (const char *[]){"replay", release}, 2);
}

static void show_all(sc_shell *s, const char *argument)
{
    char release[32];
    if (get_release(s, argument, release))
        sc_shell_run(s, (const char *[]){"replay", release, "--all"}, 3);
}

static void plot(sc_shell *s, const char *argument)
{
    char release[32];
    if (get_release(s, argument, release))
        sc_shell_run(s, (const char *[]){"replay", release, "--plot"}, 3);
}

static void show_label(sc_shell *s, const char *argument)
{
    char release[32];
    if (get_release(s, argument, release))
        sc_shell_run(s, (const char *[]){"report", release}, 2);
}

static void write_csv(sc_shell *s, const char *path)
{
    char release[32];
    if (path[0] == '\0')
        refuse(s, "name a file, as in \\csv answer.csv");
    else if (get_release(s, "", release))
        sc_shell_run_to_file(s, release, path);
}

/* "max-total-rows 20", from the settings that are set. */
static void show_settings(const sc_shell *s, size_t from)
{
    size_t shown = 0;
    for (size_t i = from; i < SC_SHELL_SETTINGS; i++)
        if (s->settings[i][0] != '\0' && ++shown > 0)
            sc_talk("%-15s %s\n", sc_shell_setting_name((sc_shell_setting)i),
                    s->settings[i]);
    if (shown == 0)
        sc_talk("%s\n", from == 0 ? "nothing is set" : "the owner's bounds are used");
}

static void set(sc_shell *s, size_t setting, const char *value)
{
    if (strlen(value) >= SC_SHELL_SETTING_BYTES)
        refuse(s, "\\%s is too long", sc_shell_setting_name((sc_shell_setting)setting));
    else
        snprintf(s->settings[setting], SC_SHELL_SETTING_BYTES, "%s", value);
}

/* NAME=VALUE; false: no bound has that name. */
static bool set_bound(sc_shell *s, const char *word)
{
    const size_t name = strcspn(word, "=");
    for (size_t i = SC_SHELL_FIRST_BOUND; word[name] == '=' && i < SC_SHELL_SETTINGS;
         i++) {
        const char *known = sc_shell_setting_name((sc_shell_setting)i);
        if (strlen(known) == name && strncmp(known, word, name) == 0) {
            set(s, i, word + name + 1);
            return true;
        }
    }
    return false;
}

static void set_bounds(sc_shell *s, const char *argument)
{
    SC_FREED char *words = strdup(argument);
    char *rest = NULL;
    if (argument[0] == '\0')
        show_settings(s, SC_SHELL_FIRST_BOUND);
    if (strcmp(argument, "off") == 0)
        memset(s->settings[SC_SHELL_FIRST_BOUND], 0,
               (SC_SHELL_SETTINGS - SC_SHELL_FIRST_BOUND) * SC_SHELL_SETTING_BYTES);
    if (words == NULL || argument[0] == '\0' || strcmp(argument, "off") == 0)
        return;
    for (char *word = strtok_r(words, " \t,", &rest); word != NULL;
         word = strtok_r(NULL, " \t,", &rest)) {
        if (strncmp(word, "auto", 4) == 0)
            set(s, SC_SHELL_BOUNDS, word);
        else if (!set_bound(s, word))
            refuse(s,
                   "'%.40s' is no bound; use max-total-rows=N, max-groups=N, "
                   "max-rows=N, cut-share=R, auto or off",
                   word);
    }
}

static void take_line(sc_shell *s, const char *line);

static void read_lines(sc_shell *s, const char *path)
{
    sc_whole_file file = {0};
    scrim_error error = {.status = SCRIM_OK};
    char *rest = NULL;
    if (path[0] == '\0') {
        refuse(s, "name a file of questions and commands, as in \\i questions.sql");
        return;
    }
    if (s->depth == FILES_DEEP) {
        refuse(s, "files may read files %d deep only", FILES_DEEP);
        return;
    }
    if (sc_whole_file_read(path, QUESTION_BYTES, &file, &error) != SCRIM_OK) {
        complain(s, &error);
        return;
    }
    s->depth++;
    for (char *line = file.bytes; line != NULL && !s->is_over; line = rest) {
        rest = strchr(line, '\n');
        if (rest != NULL)
            *rest++ = '\0';
        take_line(s, line);
    }
    take_line(s, ""); /* the last question may lack its ';' */
    s->depth--;
    sc_whole_file_clear(&file);
}

static void quit(sc_shell *s, const char *argument)
{
    (void)argument;
    s->is_over = true;
}

static void show_help(sc_shell *s, const char *argument)
{
    char left[64];
    (void)s, (void)argument;
    sc_talk("A question ends with ';' or an empty line, and is explained before it is "
            "charged.\n");
    for (size_t i = 0; command_at(i) != NULL; i++) {
        const shell_command *c = command_at(i);
        snprintf(left, sizeof left, "\\%s %s", c->name, c->argument);
        sc_talk("  %-20s %s\n", left, c->summary);
    }
}

static void set_epsilon(sc_shell *s, const char *value)
{
    set(s, SC_SHELL_EPSILON, value);
}

static void set_delta(sc_shell *s, const char *value)
{
    set(s, SC_SHELL_DELTA, value);
}

static void set_confidence(sc_shell *s, const char *value)
{
    set(s, SC_SHELL_CONFIDENCE, value);
}

static void set_expect(sc_shell *s, const char *value)
{
    set(s, SC_SHELL_EXPECT, value);
}

static void set_mechanism(sc_shell *s, const char *value)
{
    set(s, SC_SHELL_MECHANISM, value);
}

static void show_all_settings(sc_shell *s, const char *argument)
{
    (void)argument;
    show_settings(s, 0);
}

static const shell_command commands[] = {
    {"d", "[NAME]", "columns, keys and bounds of the dataset", show_columns},
    {"datasets", "", "all datasets of the vault", show_datasets},
    {"use", "NAME", "ask about another dataset", use_dataset},
    {"budget", "", "what is left", show_budget},
    {"epsilon", "E", "what each question may cost", set_epsilon},
    {"delta", "D", "for private keys and Gaussian noise", set_delta},
    {"bounds", "[NAME=N...|auto|off]", "how many rows of a person are used", set_bounds},
    {"confidence", "C", "of the intervals", set_confidence},
    {"expect", "N", "a guess of the rows in each group", set_expect},
    {"mechanism", "NAME", "laplace, gaussian or stlap", set_mechanism},
    {"set", "", "show what is set", show_all_settings},
    {"explain", "[QUESTION]", "cost and error in full, free of charge", explain},
    {"plot", "[N]", "draw the last answer, or release N", plot},
    {"all", "[N]", "all rows of the last answer, or of release N", show_all},
    {"csv", "FILE", "write the last answer to a file", write_csv},
    {"release", "N", "show release N again", show_release},
    {"label", "[N]", "the label of the last answer, or of release N", show_label},
    {"i", "FILE", "read questions and commands from a file", read_lines},
    {"?", "", "this list", show_help},
    {"q", "", "leave", quit},
};

static const shell_command *command_at(size_t index)
{
    return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

static const char *command_name_at(size_t index)
{
    return command_at(index) == NULL ? NULL : command_at(index)->name;
}

/* "\name argument". */
static void run_command(sc_shell *s, const char *text)
{
    const size_t bytes = strcspn(text, " \t");
    const char *argument = text + bytes + strspn(text + bytes, " \t");
    SC_FREED char *name = strndup(text, bytes);
    for (size_t i = 0; name != NULL && command_at(i) != NULL; i++)
        if (strcmp(command_at(i)->name, name) == 0) {
            command_at(i)->run(s, argument);
            return;
        }
    const char *nearest = name == NULL ? NULL : sc_nearest_name(name, command_name_at);
    if (nearest != NULL)
        refuse(s, "unknown command '\\%.40s'; did you mean '\\%s'?", name, nearest);
    else
        refuse(s, "unknown command '\\%.40s'; '\\?' lists them",
               name == NULL ? "" : name);
}

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
    if (before + bytes + 2 > QUESTION_BYTES) {
        refuse(s, "a question may have at most 1 MiB");
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

static void take_line(sc_shell *s, const char *line)
{
    const char *text = line + strspn(line, " \t");
    if (text[0] == '\\') {
        SC_FREED char *command = strdup(text + 1);
        for (size_t n = command == NULL ? 0 : strlen(command);
             n > 0 && strchr(" \t\r;", command[n - 1]) != NULL;)
            command[--n] = '\0';
        sc_line_editor_remember(s->editor, text);
        s->status = 0;
        if (command != NULL)
            run_command(s, command);
        end_script(s);
        return;
    }
    if (s->lines == NULL && is_blank(text))
        return;
    if (s->lines == NULL && (strcmp(text, "quit") == 0 || strcmp(text, "exit") == 0)) {
        s->is_over = true;
        return;
    }
    if (s->lines == NULL && strcmp(text, "help") == 0) {
        show_help(s, "");
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
        for (size_t i = 0; command_at(i) != NULL; i++) {
            snprintf(name, sizeof name, "\\%s", command_at(i)->name);
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
        return find_dataset(s, s->options->words[1], error);
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
                take_line(s, kept);
            break;
        }
        case SC_LINE_DROPPED:
            forget_lines(s);
            break;
        case SC_LINE_LAST:
            if (s->lines != NULL && !s->is_asked)
                take_line(s, "");
            s->is_over = true;
            break;
        case SC_LINE_WRONG:
            refuse(s, "the line is too long or holds a NUL byte");
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
        "  --max-total-rows N, --max-groups N, --max-rows N, --bounds auto, --cut-share "
        "R,\n"
        "  --with [NAME=]FILE  as in 'scrim query'\n" SC_USAGE_VAULT
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
