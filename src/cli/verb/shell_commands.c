/* The commands of `scrim shell`, which begin with a backslash. */
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/shell.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_DEEP 8

static void complain(sc_shell *s, const scrim_error *error)
{
    sc_complaint_print("shell", error, "");
    s->status = (int)error->status / 10;
}

void sc_shell_refuse(sc_shell *s, const char *format, ...)
{
    scrim_error error = {.status = SCRIM_E_PARAM};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    complain(s, &error);
}

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

scrim_status sc_shell_find_dataset(sc_shell *s, const char *name, scrim_error *error)
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
        sc_shell_refuse(s, "name a dataset, as in \\use adult; \\datasets lists them");
    else if (sc_shell_find_dataset(s, name, &error) != SCRIM_OK)
        complain(s, &error);
}

static void explain(sc_shell *s, const char *question)
{
    if (question[0] == '\0' && s->last == NULL)
        sc_shell_refuse(s, "name a question, as in \\explain SELECT COUNT(*)");
    else if (s->settings[SC_SHELL_EPSILON][0] == '\0' &&
             strcasestr(question[0] == '\0' ? s->last : question,
                        "DIFFERENTIAL_PRIVACY") == NULL)
        sc_shell_refuse(s, "set what a question may cost first, as in \\epsilon 0.5");
    else
        sc_shell_explain(s, question[0] == '\0' ? s->last : question);
}

/* The number of a release as text: the one that is named, or that of the last answer. */
static bool get_release(sc_shell *s, const char *argument, char text[32])
{
    const bool is_named = argument[0] != '\0';
    if (!is_named && *s->release == 0) {
        sc_shell_refuse(
            s, "there is no answer yet; \\release N shows release N of the ledger");
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
        sc_shell_replay(s, release, NULL);
}

static void show_all(sc_shell *s, const char *argument)
{
    char release[32];
    if (get_release(s, argument, release))
        sc_shell_replay(s, release, "--all");
}

static void plot(sc_shell *s, const char *argument)
{
    char release[32];
    if (get_release(s, argument, release))
        sc_shell_replay(s, release, "--plot");
}

static void show_label(sc_shell *s, const char *argument)
{
    char release[32];
    if (get_release(s, argument, release))
        sc_shell_run(s, (const char *[]){"report", release}, 2);
}

/* "FILE", or "FILE N": a last word of digits is a release. */
static void write_csv(sc_shell *s, const char *argument)
{
    char release[32];
    SC_FREED char *path = strdup(argument);
    const char *named = "";
    char *last = path == NULL ? NULL : strrchr(path, ' ');
    if (last != NULL && last[1] != '\0' &&
        strspn(last + 1, "0123456789") == strlen(last + 1)) {
        named = last + 1;
        while (last > path && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        *last = '\0';
    }
    if (path == NULL || path[0] == '\0')
        sc_shell_refuse(s, "name a file, as in \\csv answer.csv");
    else if (get_release(s, named, release))
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

static bool put(sc_shell *s, size_t setting, const char *value)
{
    if (strlen(value) < SC_SHELL_SETTING_BYTES) {
        snprintf(s->settings[setting], SC_SHELL_SETTING_BYTES, "%s", value);
        return true;
    }
    sc_shell_refuse(s, "\\%s is too long",
                    sc_shell_setting_name((sc_shell_setting)setting));
    return false;
}

/* A value that a question would be refused for is not kept. */
static void set(sc_shell *s, size_t setting, const char *value)
{
    char before[SC_SHELL_SETTING_BYTES];
    memcpy(before, s->settings[setting], sizeof before);
    if (!put(s, setting, value) || sc_shell_is_refused(s, setting, setting + 1))
        memcpy(s->settings[setting], before, sizeof before);
}

/* NAME=VALUE; false: no bound has that name. */
static bool set_bound(sc_shell *s, const char *word)
{
    const size_t name = strcspn(word, "=");
    for (size_t i = SC_SHELL_FIRST_BOUND; word[name] == '=' && i < SC_SHELL_SETTINGS;
         i++) {
        const char *known = sc_shell_setting_name((sc_shell_setting)i);
        if (strlen(known) == name && strncmp(known, word, name) == 0) {
            if (i != SC_SHELL_CUT_SHARE)
                s->settings[SC_SHELL_BOUNDS][0] = '\0'; /* the bounds are given now */
            (void)put(s, i, word + name + 1);
            return true;
        }
    }
    return false;
}

/* Bounds are found in place of those that were given. */
static void find_bounds(sc_shell *s, const char *word)
{
    for (size_t i = SC_SHELL_FIRST_BOUND; i < SC_SHELL_BOUNDS; i++)
        s->settings[i][0] = '\0';
    (void)put(s, SC_SHELL_BOUNDS, word);
}

static void put_bounds(sc_shell *s, char *words)
{
    char *rest = NULL;
    for (char *word = strtok_r(words, " \t,", &rest); word != NULL;
         word = strtok_r(NULL, " \t,", &rest)) {
        if (strncmp(word, "auto", 4) == 0)
            find_bounds(s, word);
        else if (!set_bound(s, word))
            sc_shell_refuse(s,
                            "'%.40s' is no bound; use max-total-rows=N, max-groups=N, "
                            "max-rows=N, cut-share=R, auto or off",
                            word);
    }
}

static void set_bounds(sc_shell *s, const char *argument)
{
    SC_FREED char *words = strdup(argument);
    char before[SC_SHELL_SETTINGS][SC_SHELL_SETTING_BYTES];
    if (argument[0] == '\0')
        show_settings(s, SC_SHELL_FIRST_BOUND);
    if (strcmp(argument, "off") == 0)
        memset(s->settings[SC_SHELL_FIRST_BOUND], 0,
               (SC_SHELL_SETTINGS - SC_SHELL_FIRST_BOUND) * SC_SHELL_SETTING_BYTES);
    if (words == NULL || argument[0] == '\0' || strcmp(argument, "off") == 0)
        return;
    memcpy(before, s->settings, sizeof before);
    put_bounds(s, words);
    if (s->status != 0 || sc_shell_is_refused(s, SC_SHELL_FIRST_BOUND, SC_SHELL_SETTINGS))
        memcpy(s->settings, before, sizeof before);
}

static void read_lines(sc_shell *s, const char *path)
{
    sc_whole_file file = {0};
    scrim_error error = {.status = SCRIM_OK};
    char *rest = NULL;
    if (path[0] == '\0') {
        sc_shell_refuse(s,
                        "name a file of questions and commands, as in \\i questions.sql");
        return;
    }
    if (s->depth == FILES_DEEP) {
        sc_shell_refuse(s, "files may read files %d deep only", FILES_DEEP);
        return;
    }
    if (sc_whole_file_read(path, SC_SHELL_QUESTION_BYTES, &file, &error) != SCRIM_OK) {
        complain(s, &error);
        return;
    }
    s->depth++;
    for (char *line = file.bytes; line != NULL && !s->is_over; line = rest) {
        rest = strchr(line, '\n');
        if (rest != NULL)
            *rest++ = '\0';
        sc_shell_take_line(s, line);
    }
    sc_shell_take_line(s, ""); /* the last question may lack its ';' */
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
    {"csv", "FILE [N]", "write the last answer, or release N, to a file", write_csv},
    {"release", "N", "show release N again: it is the last answer then", show_release},
    {"label", "[N]", "the label of the last answer, or of release N", show_label},
    {"i", "FILE", "read questions and commands from a file", read_lines},
    {"?", "", "this list; also \\help", show_help},
    {"q", "", "leave", quit},
};

static const shell_command *command_at(size_t index)
{
    return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

const char *sc_shell_command_name(size_t index)
{
    return command_at(index) == NULL ? NULL : command_at(index)->name;
}

/* "\name argument". */
void sc_shell_command(sc_shell *s, const char *text)
{
    const size_t bytes = strcspn(text, " \t");
    const char *argument = text + bytes + strspn(text + bytes, " \t");
    SC_FREED char *name = strndup(text, bytes);
    if (name != NULL && strcmp(name, "help") == 0) {
        show_help(s, argument);
        return;
    }
    for (size_t i = 0; name != NULL && command_at(i) != NULL; i++)
        if (strcmp(command_at(i)->name, name) == 0) {
            command_at(i)->run(s, argument);
            return;
        }
    const char *nearest =
        name == NULL ? NULL : sc_nearest_name(name, sc_shell_command_name);
    if (nearest != NULL)
        sc_shell_refuse(s, "unknown command '\\%.40s'; did you mean '\\%s'?", name,
                        nearest);
    else
        sc_shell_refuse(s, "unknown command '\\%.40s'; '\\?' lists them",
                        name == NULL ? "" : name);
}
