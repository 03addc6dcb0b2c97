#include "check.h"
#include "cli/dataset/typed_dates.h"
#include "cli/dataset/wizard_check.h"
#include "cli/dataset/wizard_fields.h"

#include <stdio.h>
#include <string.h>

static scrim_status check_name(void *context, const char *name, scrim_error *error)
{
    (void)context;
    (void)error;
    return strcmp(name, "taken") == 0 ? SCRIM_E_PARAM : SCRIM_OK;
}

static const sc_wizard_host host = {.check_name = check_name};

/* Columns i, d, t, m and s of each type, without ranges yet. */
static void begin(sc_wizard *w)
{
    static const struct {
        const char *name, *type;
    } columns[] = {
        {"i", "int"}, {"d", "decimal"}, {"t", "date"}, {"m", "timestamp"}, {"s", "text"}};
    static const char policy[] = "csv=-\nunit=id\nbudget=epsilon=1\n";
    sc_policy_draft given = {.lines = NULL};
    *w = (sc_wizard){.fields = sc_wizard_fields, .host = &host};
    REQUIRE_OK(sc_policy_draft_read(&given, policy, sizeof policy - 1, NULL));
    CHECK_STATUS(sc_wizard_init(w, "a", &given, NULL), SCRIM_OK);
    sc_policy_draft_clear(&given);
    for (size_t i = 0; i < COUNT(columns); i++) {
        CHECK_STATUS(sc_wizard_add_slot(w, SC_SCOPE_COLUMN, columns[i].name, NULL),
                     SCRIM_OK);
        CHECK_STATUS(sc_wizard_answer(w, (sc_wizard_step){w->count - 1, SC_ASK_TYPE},
                                      columns[i].type, NULL),
                     SCRIM_OK);
    }
}

/* Answers that are right, and wrong ones with the words for them; "" is the table. */
TEST(wizard_check_is_about_one_field)
{
    static const struct {
        const char *column;
        sc_ask field;
        const char *text, *kept, *legal; /* kept: NULL where it is wrong */
    } cases[] = {
        {"", SC_ASK_NAME, "new", "new", NULL},
        {"", SC_ASK_NAME, "taken", NULL, NULL},
        {"", SC_ASK_UNIT, "row", "row", NULL},
        {"i", SC_ASK_TYPE, "bool", "bool", NULL},
        {"i", SC_ASK_TYPE, "int[0,9]", "int[0,9]", NULL},
        {"i", SC_ASK_TYPE, "int[9,0]", NULL, NULL},
        {"i", SC_ASK_TYPE, "number", NULL, "int, decimal, date, timestamp, bool or text"},
        {"d", SC_ASK_STEP, "0.001", "0.001", NULL},
        {"d", SC_ASK_STEP, "1000", "1000", NULL},
        {"d", SC_ASK_STEP, "2^-10", "2^-10", NULL},
        {"d", SC_ASK_STEP, "3", NULL, "a power of 10 or of 2"},
        {"d", SC_ASK_STEP, "-1", NULL, "a power of 10 or of 2"},
        {"i", SC_ASK_LOW, "-5", "-5", NULL},
        {"i", SC_ASK_LOW, "4000000000000", "4000000000000", NULL},
        {"i", SC_ASK_LOW, "1.5", NULL, "a whole number, such as 0"},
        {"i", SC_ASK_LOW, "1,2", NULL, "a whole number, such as 0"},
        {"i", SC_ASK_LOW, "1]", NULL, "a whole number, such as 0"},
        {"d", SC_ASK_LOW, "-0.25", "-0.25", NULL},
        {"d", SC_ASK_LOW, "-1.000", NULL, NULL}, /* of thousands? */
        {"d", SC_ASK_LOW, "1.5000", "1.5000", NULL},
        {"d", SC_ASK_LOW, "1000.125", "1000.125", NULL},
        {"d", SC_ASK_TYPE, "decimal[0,20.000]", NULL, NULL},
        {"d", SC_ASK_LOW, "0.001", "0.001", NULL}, /* its step is asked for later */
        {"d", SC_ASK_LOW, "x", NULL, "a number, such as 0.5"},
        {"t", SC_ASK_LOW, "1999-02-28", "1999-02-28", NULL},
        {"t", SC_ASK_LOW, "1999-02-29", NULL, "a date that exists"},
        {"m", SC_ASK_LOW, "1999-02-28 23:00", "1999-02-28 23:00", NULL},
        {"m", SC_ASK_LOW, "noon", NULL, "a date, or a date and a time"},
        {"i", SC_ASK_SECRET, "yes", "y", NULL},
        {"i", SC_ASK_SECRET, "n", "n", NULL},
        {"i", SC_ASK_SECRET, "perhaps", NULL, "y or n"},
        {"s", SC_ASK_KEYS, "a,\"b,c\"", "a,\"b,c\"", NULL},
        {"s", SC_ASK_KEYS, "a,a", NULL, NULL},
        {"s", SC_ASK_KEYS, "M;F", NULL, NULL},
        {"s", SC_ASK_KEYS, "\"M;F\"", "\"M;F\"", NULL},
        {"s", SC_ASK_KEYS, "\"yes\"", "\"yes\"", NULL},
        {"s", SC_ASK_KEYS, "y,n", "y,n", NULL},
        {"s", SC_ASK_KEYS, "Yes", NULL, NULL},
        {"s", SC_ASK_KEYS, "@tests/missing/keys", NULL, NULL},
        {"", SC_ASK_ZONE, "+01:00", "+01:00", NULL},
        {"", SC_ASK_BY, " s ", "s", NULL},
        {"", SC_ASK_BY, " s ,s", NULL, NULL},
        {"", SC_ASK_BY, "i", NULL, NULL}, /* it has no range yet */
        {"", SC_ASK_BY, "x", NULL, NULL},
        {"", SC_ASK_BY, "s,MONTH(t)", "s,MONTH(t)", NULL},
        {"", SC_ASK_AT, "1/3", "1/3", NULL},
        {"", SC_ASK_AT, "0.0", NULL, "a number above 0"},
        {"", SC_ASK_AT, "1,delta=1", NULL, "a number above 0"},
        {"", SC_ASK_ALL_ROWS, "60", "60", NULL},
        {"", SC_ASK_ALL_ROWS, "0", NULL, "a whole number from 1"},
        {"", SC_ASK_ONE_ROW, "yes", "y", NULL},
        {"", SC_ASK_MAX_GROUPS, "3", "3", NULL},
        {"", SC_ASK_MAX_GROUPS, "0", NULL, "a whole number from 1"},
        {"", SC_ASK_MAX_ROWS, "1.5", NULL, "a whole number from 1"},
        {"", SC_ASK_POPULATION, "town", "town", NULL},
        {"", SC_ASK_POPULATION, "a b", NULL, "a name of letters"},
        {"", SC_ASK_NEIGHBOURS, "no", "replace", NULL},
        {"", SC_ASK_NEIGHBOURS, "y", "add-remove", NULL},
        {"", SC_ASK_NEIGHBOURS, "local", NULL, "yes (add-remove) or no"},
        {"", SC_ASK_EPSILON, "1e-3", "1e-3", NULL},
        {"", SC_ASK_EPSILON, "0", NULL, "a number above 0"},
        {"", SC_ASK_EPSILON, "-1", NULL, "a number above 0"},
        {"", SC_ASK_EPSILON, "inf", NULL, "a number above 0"},
        {"", SC_ASK_DELTA, "0", "0", NULL},
        {"", SC_ASK_DELTA, "2^-20", "2^-20", NULL},
        {"", SC_ASK_DELTA, "1/3", "1/3", NULL},
        {"", SC_ASK_DELTA, "3/3", NULL, "a number of at least 0 and less than 1"},
        {"", SC_ASK_DELTA, "2^4", NULL, "a number of at least 0 and less than 1"},
        {"", SC_ASK_DELTA, "1", NULL, "a number of at least 0 and less than 1"},
        {"", SC_ASK_DELTA, "-0.5", NULL, "a number of at least 0 and less than 1"},
    };
    sc_wizard w;
    begin(&w);
    /* Groups and rows are for those who want no total. */
    CHECK_STATUS(sc_wizard_answer(&w, (sc_wizard_step){0, SC_ASK_ALL_ROWS}, "", NULL),
                 SCRIM_OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const sc_wizard_slot *slot =
            cases[i].column[0] == '\0' ? w.slots : sc_wizard_column(&w, cases[i].column);
        const sc_wizard_step step = {(size_t)(slot - w.slots), cases[i].field};
        char text[SC_ANSWER_BYTES], want[256];
        scrim_error error = {.message = ""};
        snprintf(text, sizeof text, "%s", cases[i].text);
        const scrim_status status = w.fields[step.field].check(&w, step, text, &error);
        if ((status == SCRIM_OK) != (cases[i].kept != NULL))
            CHECK_FAIL("%s %s: %s", w.fields[step.field].name, cases[i].text,
                       error.message);
        if (status == SCRIM_OK && cases[i].kept != NULL)
            CHECK_STR(text, cases[i].kept);
        snprintf(want, sizeof want, "\"%s\" is not valid here; type %s", cases[i].text,
                 cases[i].legal == NULL ? "" : cases[i].legal);
        if (cases[i].legal != NULL && strncmp(error.message, want, strlen(want)) != 0)
            CHECK_FAIL("'%s' is not '%s'", error.message, want);
    }
    sc_wizard_clear(&w);
}

/* The largest value is held against the smallest, and a total against the step. */
TEST(wizard_check_holds_a_range_together)
{
    sc_wizard w;
    scrim_error error;
    char text[SC_ANSWER_BYTES];
    begin(&w);
    const size_t d = (size_t)(sc_wizard_column(&w, "d") - w.slots);
    const sc_wizard_step low = {d, SC_ASK_LOW}, high = {d, SC_ASK_HIGH},
                         total = {d, SC_ASK_TOTAL}, rows = {0, SC_ASK_MAX_ROWS};
    CHECK_STATUS(sc_wizard_answer(&w, low, "0.5", NULL), SCRIM_OK);
    CHECK_STATUS(sc_wizard_answer(&w, rows, "2", NULL), SCRIM_OK);
    snprintf(text, sizeof text, "0.5");
    CHECK_STATUS(sc_check_high(&w, high, text, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "\"0.5\" is not valid here; type a number above the "
                             "smallest value, 0.5");
    snprintf(text, sizeof text, "0.51");
    CHECK_STATUS(sc_check_high(&w, high, text, &error), SCRIM_OK);
    CHECK(w.slots[d].text[SC_ASK_HIGH] == NULL); /* checked, and not kept */
    CHECK_STATUS(sc_wizard_answer(&w, high, "0.515", NULL), SCRIM_OK);
    const sc_wizard_step size = {d, SC_ASK_STEP};
    snprintf(text, sizeof text, "0.001");
    CHECK_STATUS(sc_check_step(&w, size, text, &error), SCRIM_OK);
    text[0] = '\0'; /* the default, of which 0.515 is no multiple */
    CHECK_STATUS(sc_check_step(&w, size, text, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message,
              "\"0.01\" is not valid here; type a power of 10 or of 2 that "
              "divides both ends, such as 0.001 or 0.125");
    CHECK_STATUS(sc_wizard_answer(&w, high, "0.51", NULL), SCRIM_OK);
    snprintf(text, sizeof text, "7.5");
    CHECK_STATUS(sc_check_line(&w, total, text, &error), SCRIM_OK);
    snprintf(text, sizeof text, "7.555");
    CHECK_STATUS(sc_check_line(&w, total, text, &error), SCRIM_E_PARAM);
    sc_wizard_clear(&w);
}

/* A given line is wrong before anything is asked. */
TEST(wizard_check_of_all_lines)
{
    static const struct {
        const char *policy;
        scrim_status status;
    } cases[] = {{"", SCRIM_OK},
                 {"csv=-\ncolumn=a=timestamp[2020-01-01,2021-01-01]\n", SCRIM_OK},
                 {"sqlite=tests/missing.db\n", SCRIM_OK}, /* its table is asked for */
                 {"sqlite=tests/missing.db\ntable=t\n", SCRIM_E_INPUT},
                 {"csv=tests/missing.csv\n", SCRIM_E_INPUT},
                 {"column=a=itn[0,9]\n", SCRIM_E_PARAM},
                 {"column=a\n", SCRIM_E_PARAM},
                 {"cap=1\n", SCRIM_E_PARAM}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_policy_draft given = {.lines = NULL};
        sc_wizard w = {.fields = sc_wizard_fields, .host = &host};
        scrim_error error;
        REQUIRE_OK(
            sc_policy_draft_read(&given, cases[i].policy, strlen(cases[i].policy), NULL));
        CHECK_STATUS(sc_wizard_init(&w, "a", &given, NULL), SCRIM_OK);
        sc_policy_draft_clear(&given);
        CHECK_STATUS(sc_wizard_check_all(&w, &error), cases[i].status);
        sc_wizard_clear(&w);
    }
}

/* Both ends of a range, where the smallest value or a type that is known is asked for. */
TEST(wizard_check_takes_both_ends)
{
    static const struct {
        const char *column;
        sc_ask field;
        const char *text, *whole; /* NULL: it is no range */
    } cases[] = {
        {"i", SC_ASK_LOW, "0,9", "int[0,9]"},
        {"i", SC_ASK_TYPE, "0,9", "int[0,9]"},
        {"i", SC_ASK_TYPE, "[-9, 9]", "int[-9, 9]"},
        {"d", SC_ASK_TYPE, "0,60", "decimal[0,60]"},
        {"d", SC_ASK_LOW, "[0,60]", "decimal[0,60]"},
        {"d", SC_ASK_LOW, "0, 60", "decimal[0, 60]"},
        {"d", SC_ASK_LOW, "0,60", "decimal[0,60]"},
        {"t", SC_ASK_LOW, "31.1.2025, 28.02.2025", "date[2025-01-31, 2025-02-28]"},
        {"i", SC_ASK_TYPE, "decimal[0,60]", NULL},
        {"s", SC_ASK_TYPE, "0,60", NULL},
        {"i", SC_ASK_LOW, "0", NULL}};
    sc_wizard w;
    begin(&w);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[SC_ANSWER_BYTES];
        snprintf(text, sizeof text, "%s", cases[i].text);
        const size_t slot = (size_t)(sc_wizard_column(&w, cases[i].column) - w.slots);
        sc_typed_dates_turn(text);
        const bool is_range =
            sc_check_is_range(&w, (sc_wizard_step){slot, cases[i].field}, text);
        CHECK(is_range == (cases[i].whole != NULL));
        CHECK_STR(text, is_range ? cases[i].whole : cases[i].text);
    }
    sc_wizard_clear(&w);
}

/* Where the file has decimal commas, "0,60" may be 0.60. */
TEST(wizard_check_takes_a_decimal_comma_for_no_range)
{
    char text[SC_ANSWER_BYTES] = "0,60";
    sc_wizard w;
    begin(&w);
    const sc_wizard_step step = {(size_t)(sc_wizard_column(&w, "d") - w.slots),
                                 SC_ASK_LOW};
    CHECK_STATUS(sc_wizard_answer(&w, (sc_wizard_step){0, SC_ASK_DECIMAL}, ",", NULL),
                 SCRIM_OK);
    CHECK(!sc_check_is_range(&w, step, text));
    CHECK_STR(text, "0,60");
    sc_wizard_clear(&w);
}

TEST(wizard_check_turns_days_alone)
{
    static const char *const cases[][2] = {
        {"31.01.2025", "2025-01-31"},
        {"1.2.2025 12:00", "2025-02-01 12:00"},
        {"date[1.1.2020,31.12.2029]", "date[2020-01-01,2029-12-31]"},
        {"2025-01-31", "2025-01-31"},
        {"1.5", "1.5"},
        {"1.2.3", "1.2.3"},
        {"11.12.20255", "11.12.20255"},
        {"0.31.01.2025", "0.31.01.2025"},
        {"99.99.2025", "2025-99-99"}}; /* refused as it stands */
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[SC_ANSWER_BYTES];
        snprintf(text, sizeof text, "%s", cases[i][0]);
        sc_typed_dates_turn(text);
        CHECK_STR(text, cases[i][1]);
    }
}
