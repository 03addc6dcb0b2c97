#include "check.h"
#include "cli/terminal/option_voice.h"

#include <stdio.h>
#include <string.h>

#define LINES                                                                            \
    (SC_OPTION_BIT(SCRIM_OPTION_COLUMN) | SC_OPTION_BIT(SCRIM_OPTION_KEYS) |             \
     SC_OPTION_BIT(SCRIM_OPTION_UNIT) | SC_OPTION_BIT(SCRIM_OPTION_BUDGET) |             \
     SC_OPTION_BIT(SCRIM_OPTION_SQLITE) | SC_OPTION_BIT(SCRIM_OPTION_TABLE) |            \
     SC_OPTION_BIT(SCRIM_OPTION_POLICY) | SC_OPTION_BIT(SCRIM_OPTION_CAP))

static void check_voice(const char *const *words, const char *message, const char *want)
{
    char *argv[12] = {NULL};
    int argc = 0;
    sc_options options;
    scrim_error error = {.status = SCRIM_E_PARAM};
    argv[argc++] = strdup("scrim");
    for (; *words != NULL; words++)
        argv[argc++] = strdup(*words);
    CHECK_STATUS(sc_options_parse(argc, argv, &options, &error), SCRIM_OK);
    snprintf(error.message, sizeof error.message, "%s", message);
    sc_option_voice(&options, LINES, &error);
    CHECK_STR(error.message, want);
    while (argc > 0)
        free(argv[--argc]);
}

TEST(option_voice_speaks_of_what_was_typed)
{
    static const char *const typed[] = {
        "--column", "age=int[9,1]", "--column", "keys=text", "--budget",
        "3",        "--table",      "t",        NULL};
    check_voice(typed, "column=age=int[9,1]: lower: it must be below upper",
                "--column age=int[9,1]: lower: it must be below upper");
    check_voice(typed, "budget: '3' is not right; it is budget=epsilon=R[,delta=R]",
                "--budget: '3' is not right; it is --budget epsilon=R[,delta=R]");
    check_voice(typed, "table: it goes with sqlite=FILE only",
                "--table: it goes with --sqlite FILE only");
    check_voice(typed, "column age=: it is said twice; say it once",
                "--column age=: it is said twice; say it once");
    /* A column called like a line. */
    check_voice(typed, "column=keys=text x: no, unit=row",
                "--column keys=text x: no, --unit row");
    check_voice(typed, "this population counts epsilon: say cap=epsilon=R",
                "this population counts epsilon: say --cap epsilon=R");
    check_voice(typed, "unit: say whose data a row is, unit=COLUMN or unit=row",
                "--unit: say whose data a row is, --unit COLUMN or --unit row");
    /* What was not typed, and what is no line. */
    check_voice(typed, "unit=x: say unit=row", "unit=x: say unit=row");
    check_voice(typed, "columns are many; 'budget=3'", "columns are many; 'budget=3'");
    check_voice(typed, "", "");
    check_voice(typed, "budget", "budget");
}

TEST(option_voice_leaves_a_file_its_own)
{
    static const char *const typed[] = {"--policy", "f",      "--column", "age=int[9,1]",
                                        "--column", "b=text", NULL};
    check_voice(typed, "column=age=int[9,1]: lower: it must be below upper",
                "--column age=int[9,1]: lower: it must be below upper");
    check_voice(typed, "column=sex=txt: unit=row", "column=sex=txt: unit=row");
    check_voice(typed, "say cap=epsilon=R", "say cap=epsilon=R");
    check_voice(typed, "unit: say unit=row", "unit: say unit=row");
}

/* A message that is full stays within its room, and ends. */
TEST(option_voice_keeps_within_a_message)
{
    static const char *const typed[] = {"--unit", "row", NULL};
    char message[SCRIM_MESSAGE_BYTES], want[SCRIM_MESSAGE_BYTES + 8];
    memset(message, 'x', sizeof message - 1);
    message[sizeof message - 1] = '\0';
    memcpy(message, "unit=", 5);
    snprintf(want, sizeof want, "--unit %s", message + 5);
    want[SCRIM_MESSAGE_BYTES - 1] = '\0';
    check_voice(typed, message, want);
}
