#include "check.h"
#include "cli/terminal/advice.h"

#include <stdio.h>
#include <string.h>

/* The command line with this option, or none. */
static sc_options options_with(sc_option option)
{
    sc_options options = {.word_count = 0};
    if (option != SCRIM_OPTION_KINDS)
        options.value[option] = "";
    return options;
}

static const char *advice_on(const char *verb, sc_option given, scrim_reason reason,
                             const char *parameter)
{
    const sc_options options = options_with(given);
    scrim_error error = {.status = SCRIM_E_PARAM, .reason = reason};
    snprintf(error.parameter, sizeof error.parameter, "%s", parameter);
    return sc_advice(verb, &options, &error);
}

TEST(advice_goes_by_reason_parameter_and_verb)
{
    static const struct {
        const char *verb;
        scrim_reason reason;
        const char *parameter, *text;
    } rows[] = {
        {"query", SCRIM_REASON_MISSING, "delta", "; add --delta D"},
        {"explain", SCRIM_REASON_MISSING, "delta", "; add --delta D"},
        {"query", SCRIM_REASON_MISSING, "epsilon",
         "; add --epsilon E, or --target-error X"},
        {"series", SCRIM_REASON_MISSING, "epsilon", "; add --epsilon E"},
        /* A parameter of a mechanism's line, which is no option. */
        {"run", SCRIM_REASON_MISSING, "delta", ""},
        {"quer", SCRIM_REASON_MISSING, "delta", ""},
        {NULL, SCRIM_REASON_MISSING, "delta", ""},
        {"query", SCRIM_REASON_RANGE, "delta", ""},
        {"query", SCRIM_REASON_MISSING, "deltas", ""},
        {"query", SCRIM_REASON_NONE, "", ""},
        {NULL, SCRIM_REASON_MISSING, "vault", "; 'scrim init' creates one"},
        {"budget", SCRIM_REASON_UNKNOWN, "dataset", "; 'scrim dataset list' lists them"},
        {"budget", SCRIM_REASON_MISSPELT, "dataset", ""},
        {"report", SCRIM_REASON_DAMAGED, "", "; run scrim ledger verify"},
        {"run", SCRIM_REASON_SHARE, "epsilon",
         "; use a smaller epsilon (larger error), ask for fewer values, or ask the "
         "vault's owner, who sets shares with 'scrim dataset set NAME --share USER=...'"},
        {"run", SCRIM_REASON_BUDGET, "epsilon",
         "; use a smaller epsilon (larger error), ask for fewer values, or ask the "
         "vault's owner"},
        {"run", SCRIM_REASON_SHARE, "rho",
         "; use a smaller epsilon or rho (larger error), ask for fewer values, or ask "
         "the vault's owner"},
        {"run", SCRIM_REASON_BUDGET, "delta",
         "; use a smaller delta or a mechanism without delta, or ask the vault's owner"},
        {"query", SCRIM_REASON_SHARE, "delta",
         "; use a smaller --delta, ask for columns that need none, or ask the vault's "
         "owner, who sets shares with 'scrim dataset set NAME --share USER=...'"},
        {"query", SCRIM_REASON_SHARE, "epsilon",
         "; accept a larger error (a smaller "
         "--epsilon), or ask the vault's owner, who sets shares with 'scrim dataset set "
         "NAME --share USER=...'"},
        {"query", SCRIM_REASON_BUDGET, "epsilon",
         "; accept a larger error (a smaller "
         "--epsilon), or ask the vault's owner"},
        {"series", SCRIM_REASON_BUDGET, "epsilon", ""},
        {"calibrate", SCRIM_REASON_UNSUPPORTED, "mechanism",
         "; 'scrim compose' computes the cost of given ones"},
        {"calibrate", SCRIM_REASON_UNSUPPORTED, "scale",
         "; 'scrim compose' computes the cost of a given one"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        CHECK_STR(advice_on(rows[i].verb, SCRIM_OPTION_KINDS, rows[i].reason,
                            rows[i].parameter),
                  rows[i].text);
    CHECK_STR(advice_on("query", SCRIM_OPTION_TARGET_ERROR, SCRIM_REASON_BUDGET, "rho"),
              "; ask for fewer columns or groups, accept a larger --target-error, or ask "
              "the vault's owner");
}

/* Whatever the library may say one day has no advice, and does no harm. */
TEST(advice_on_reasons_to_come)
{
    CHECK_STR(advice_on("query", SCRIM_OPTION_KINDS, (scrim_reason)31, "delta"), "");
    CHECK_STR(advice_on("query", SCRIM_OPTION_KINDS, (scrim_reason)1000, "delta"), "");
}

static void check_named(sc_option given, const char *parameter, const char *message,
                        const char *want)
{
    const sc_option_set lines =
        SC_OPTION_SET(SCRIM_OPTION_COLUMN, SCRIM_OPTION_BUDGET, SCRIM_OPTION_SQLITE);
    const sc_options options = options_with(given);
    scrim_error error = {.status = SCRIM_E_PARAM};
    snprintf(error.parameter, sizeof error.parameter, "%s", parameter);
    snprintf(error.message, sizeof error.message, "%s", message);
    sc_advice_name_option(&options, lines, &error);
    CHECK_STR(error.message, want);
}

TEST(advice_names_the_option_of_a_line)
{
    check_named(SCRIM_OPTION_KINDS, "column", "column age=int[9,1]: lower: no",
                "--column age=int[9,1]: lower: no");
    check_named(SCRIM_OPTION_COLUMN, "budget", "budget is given twice",
                "--budget is given twice");
    check_named(SCRIM_OPTION_KINDS, "budget", "a new population needs a budget",
                "a new population needs a budget");
    check_named(SCRIM_OPTION_POLICY, "column", "column age=int[9,1]: no",
                "column age=int[9,1]: no");
    check_named(SCRIM_OPTION_KINDS, "delta", "delta: no", "delta: no");
    check_named(SCRIM_OPTION_KINDS, "", "no memory", "no memory");
    /* A message that is full stays within its room, and ends. */
    char message[SCRIM_MESSAGE_BYTES], want[SCRIM_MESSAGE_BYTES + 2];
    memset(message, 'x', sizeof message - 1);
    message[sizeof message - 1] = '\0';
    memcpy(message, "column ", 7);
    snprintf(want, sizeof want, "--%s", message);
    want[SCRIM_MESSAGE_BYTES - 1] = '\0';
    check_named(SCRIM_OPTION_KINDS, "column", message, want);
}
