/* Every command and subcommand of the program takes and describes the options of its kind, and reports the same mistake
 * with the same line and status. */
#include "check.h"
#include "cli/verb/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE "/nonexistent/scrim"

typedef struct visited {
    const sc_verb *verb;
    const sc_command *command; /* NULL: the verb has no subcommands */
    char name[64];             /* "body show" */
    sc_command_kind kind;
    sc_option_set own;
} visited;

typedef void visitor(const visited *v);

/* Calls visit for each verb that runs without a subcommand, and for each subcommand. Returns their number. */
static size_t walk(visitor *visit)
{
    const sc_verb *verb;
    size_t count = 0;
    for (size_t i = 0; (verb = sc_verb_at(i)) != NULL; i++) {
        const sc_command *command = NULL;
        for (size_t k = 0; verb->command != NULL && (command = verb->command(k)) != NULL;
             k++, count++) {
            visited v = {verb, command, "", command->kind, command->options};
            snprintf(v.name, sizeof v.name, "%s %s", verb->name, command->name);
            visit(&v);
        }
        if (verb->run == NULL)
            continue;
        visited v = {verb, NULL, "", verb->kind, verb->options};
        snprintf(v.name, sizeof v.name, "%s", verb->name);
        visit(&v);
        count++;
    }
    return count;
}

/* Runs a command with more words and options, up to NULL. */
static scrim_status run(const visited *v, const char *const *more, scrim_error *error)
{
    char text[16][96], *argv[16];
    int argc = 0;
    sc_options options;
    *error = (scrim_error){.status = SCRIM_OK};
    snprintf(text[argc++], sizeof text[0], "scrim");
    snprintf(text[argc++], sizeof text[0], "%s", v->verb->name);
    if (v->command != NULL)
        snprintf(text[argc++], sizeof text[0], "%s", v->command->name);
    for (; *more != NULL; more++)
        snprintf(text[argc++], sizeof text[0], "%s", *more);
    for (int i = 0; i < argc; i++)
        argv[i] = text[i];
    const scrim_status status = sc_options_parse(argc, argv, &options, error);
    return status == SCRIM_OK ? sc_verb_perform(v->verb, &options, error) : status;
}
#define RUN(...) run(v, (const char *const[]){__VA_ARGS__, NULL}, &error)

static void must_say(const visited *v, const scrim_error *error, scrim_status got,
                     scrim_status want, const char *message)
{
    if (!CHECK(got == want && strcmp(error->message, message) == 0))
        CHECK_FAIL("%s: status %d, \"%s\"", v->name, (int)got, error->message);
}

static bool has_word(const char *text, const char *word)
{
    const size_t bytes = text == NULL ? 0 : strlen(word);
    for (const char *at = text; bytes > 0 && (at = strstr(at, word)) != NULL; at += bytes)
        if (strchr(" ,\n|]", at[bytes]) != NULL)
            return true;
    return false;
}

static bool is_described(const visited *v, const char *option)
{
    if (v->command != NULL && v->command->usage != NULL)
        return has_word(v->command->usage, option);
    return has_word(v->verb->usage, option) || has_word(v->verb->more, option);
}

static void check_options(const visited *v)
{
    sc_option_set all = sc_command_kind_options(v->kind);
    scrim_error error = {.status = SCRIM_OK};
    for (; *all != SCRIM_OPTION_KINDS; all++) {
        sc_options given = {.value = {[SCRIM_OPTION_HELP] = ""}};
        given.value[*all] = "";
        CHECK_STATUS(
            sc_options_check(&given, sc_command_kind_options(v->kind), v->own, &error),
            SCRIM_OK);
        if (sc_option_set_has(v->own, *all))
            CHECK_FAIL("%s repeats %s of its kind", v->name, sc_option_name(*all));
        if (!is_described(v, sc_option_name(*all)))
            CHECK_FAIL("the help of %s lacks %s", v->name, sc_option_name(*all));
    }
    if (v->command == NULL ? v->verb->run == NULL : v->command->run == NULL)
        CHECK_FAIL("%s has no function", v->name);
}

TEST(verbs_take_and_describe_the_options_of_their_kind)
{
    CHECK(walk(check_options) > 50);
}

TEST(kinds_with_a_listing_have_its_options)
{
    for (int kind = 0; kind < SC_COMMAND_KINDS; kind++) {
        sc_option_set set = sc_command_kind_options((sc_command_kind)kind);
        const bool lists = sc_option_set_has(set, SCRIM_OPTION_FORMAT);
        CHECK(lists == sc_option_set_has(set, SCRIM_OPTION_JSON));
        CHECK(sc_option_set_has(set, SCRIM_OPTION_QUIET) == (kind != SC_COMMAND_TEXT));
        CHECK(sc_option_set_has(set, SCRIM_OPTION_VAULT) ==
              sc_option_set_has(set, SCRIM_OPTION_WAIT));
    }
}

static void check_mistakes(const visited *v)
{
    scrim_error error;
    scrim_status status = RUN("--no-such-option");
    must_say(v, &error, status, SCRIM_E_PARAM,
             "unknown option --no-such-option; --help shows the options");
    status = RUN("--version");
    must_say(v, &error, status, SCRIM_E_PARAM,
             "unexpected argument --version; --help shows the options");
    const bool lists =
        sc_option_set_has(sc_command_kind_options(v->kind), SCRIM_OPTION_FORMAT);
    status = RUN("--format", "xml");
    must_say(v, &error, status, SCRIM_E_PARAM,
             lists ? "--format must be table, csv, json or jsonl, not 'xml'"
                   : "unexpected argument --format; --help shows the options");
}

TEST(verbs_report_a_wrong_option_alike)
{
    (void)walk(check_mistakes);
}

/* Commands that need a word or an option say so before they open a vault. */
static void check_missing(const visited *v)
{
    scrim_error error;
    if (strcmp(v->name, "shell") == 0) /* the words come later */
        return;
    if (v->kind != SC_COMMAND_PLAN && v->kind != SC_COMMAND_RELEASE &&
        v->kind != SC_COMMAND_READ && v->kind != SC_COMMAND_CHECK)
        return;
    const scrim_status status =
        sc_option_set_has(sc_command_kind_options(v->kind), SCRIM_OPTION_VAULT)
            ? RUN("--vault", NOWHERE)
            : RUN("--quiet");
    if (!CHECK(status == SCRIM_E_PARAM && error.message[0] != '\0' &&
               strchr(error.message, '\n') == NULL))
        CHECK_FAIL("%s: status %d, \"%s\"", v->name, (int)status, error.message);
}

TEST(verbs_report_a_missing_argument_alike)
{
    (void)walk(check_missing);
}

/* Some of these commands need a second word. */
static void check_unreadable(const visited *v)
{
    scrim_error error;
    if (v->kind != SC_COMMAND_READ && v->kind != SC_COMMAND_CHECK)
        return;
    scrim_status status = RUN(NOWHERE ".json");
    if (status == SCRIM_E_PARAM)
        status = RUN(NOWHERE ".json", "x");
    must_say(v, &error, status, SCRIM_E_INPUT,
             "'" NOWHERE
             ".json' cannot be read: No such file or directory; check its name");
}

TEST(verbs_report_an_unreadable_file_alike)
{
    (void)walk(check_unreadable);
}

static scrim_status run_line(const char *verb, const char *word, scrim_error *error)
{
    const visited v = {.verb = sc_verb_find(verb)};
    return run(&v, (const char *const[]){word, NULL}, error);
}

TEST(verbs_report_a_wrong_subcommand_alike)
{
    const sc_verb *verb;
    scrim_error error;
    for (size_t i = 0; (verb = sc_verb_at(i)) != NULL; i++) {
        char missing[96], unknown[96];
        if (verb->command == NULL || verb->run != NULL)
            continue;
        const visited v = {.verb = verb, .name = "without a subcommand"};
        snprintf(missing, sizeof missing,
                 "missing subcommand; 'scrim help %s' lists them", verb->name);
        snprintf(unknown, sizeof unknown,
                 "unknown subcommand 'xyzzy'; 'scrim help %s' lists them", verb->name);
        scrim_status status = run_line(verb->name, NULL, &error);
        must_say(&v, &error, status, SCRIM_E_PARAM, missing);
        status = run_line(verb->name, "xyzzy", &error);
        must_say(&v, &error, status, SCRIM_E_PARAM, unknown);
    }
}
