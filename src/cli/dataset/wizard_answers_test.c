#include "check.h"
#include "cli/dataset/wizard_answers.h"
#include "cli/dataset/wizard_fields.h"

#include <stdlib.h>
#include <string.h>

static void begin(sc_wizard *w, const char *policy)
{
    sc_policy_draft given = {.lines = NULL};
    *w = (sc_wizard){.fields = sc_wizard_fields};
    REQUIRE_OK(sc_policy_draft_read(&given, policy, strlen(policy), NULL));
    CHECK_STATUS(sc_wizard_init(w, "adult", &given, NULL), SCRIM_OK);
    sc_policy_draft_clear(&given);
}

static void check_lines(const sc_wizard *w, const char *want)
{
    sc_policy_draft draft = {.lines = NULL};
    CHECK_STATUS(sc_wizard_compose(w, &draft, NULL), SCRIM_OK);
    char *text = sc_policy_draft_text(&draft);
    REQUIRE(text != NULL);
    CHECK_STR(text, want);
    free(text);
    sc_policy_draft_clear(&draft);
}

static void say(sc_wizard *w, size_t slot, sc_ask field, const char *text)
{
    CHECK_STATUS(sc_wizard_answer(w, (sc_wizard_step){slot, field}, text, NULL),
                 SCRIM_OK);
}

/* Lines that are taken apart are made again, also where they are written in an unusual way. */
TEST(wizard_answers_make_the_lines_that_were_given)
{
    static const char *const policies[] = {
        "csv=/a.csv\nunit=id\ncolumn=age=int[0,120]\ncolumn=sex=text\nkeys=sex=F,M\n"
        "max-groups=1\nmax-rows=2\nmax-total=age=9\nneighbours=replace\npopulation=p\n"
        "budget=epsilon=3,delta=1e-6\ncap=epsilon=1\nshare=*=epsilon=1\nshare=a=epsilon="
        "1\n",
        "sqlite=/a.db\ntable=t\nzone=UTC\nunit=row\n"
        "column=at=timestamp[2024-01-01,2025-01-01]/3600\n"
        "column=x=decimal[-1/3,1]/2^-4\ncolumn=b=bool\nmissing=x=0\nbudget=epsilon=1\n",
        "unit=row\ncolumn=odd=int [0, 9]\nkeys=else=a\nbudget=delta=0,epsilon=1\n", ""};
    for (size_t i = 0; i < COUNT(policies); i++) {
        sc_wizard w;
        begin(&w, policies[i]);
        check_lines(&w, policies[i]);
        sc_wizard_clear(&w);
    }
}

TEST(wizard_answers_split_types)
{
    static const struct {
        const char *type, *low, *high, *step;
        bool is_split;
    } cases[] = {
        {"int[0,120]", "0", "120", "", true},
        {"decimal[-1,1]/0.1", "-1", "1", "0.1", true},
        {"date[2020-01-01,2020-12-31]", "2020-01-01", "2020-12-31", "", true},
        {"bool", "", "", "", true},
        {"text", "", "", "", true},
        {"int", "", "", "", false},
        {"int[0,120", "", "", "", false},
        {"int[0,1,2]", "", "", "", false},
        {"int [0,1]", "", "", "", false},
        {"int[0,1]x", "", "", "", false},
        {"int[0,1]/", "", "", "", false},
        {"text[0,1]", "", "", "", false},
        {"", "", "", "", false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_wizard_slot slot = {.scope = SC_SCOPE_COLUMN};
        bool is_split = !cases[i].is_split;
        CHECK_STATUS(sc_wizard_split_type(&slot, cases[i].type, &is_split, NULL),
                     SCRIM_OK);
        if (!CHECK_INT(is_split, cases[i].is_split))
            CHECK_FAIL("%s", cases[i].type);
        CHECK_STR(sc_slot_text(&slot, SC_ASK_LOW), cases[i].low);
        CHECK_STR(sc_slot_text(&slot, SC_ASK_HIGH), cases[i].high);
        CHECK_STR(sc_slot_text(&slot, SC_ASK_STEP), cases[i].step);
        for (size_t field = 0; field < SC_ASK_COUNT; field++)
            free(slot.text[field]);
    }
}

/* A total of rows is asked for first, and 1 may be a fact; groups and rows are for those who want no total. */
TEST(wizard_answers_ask_for_a_total_of_rows)
{
    sc_wizard w;
    sc_wizard_step step;
    static const struct {
        const char *total, *fact;
        sc_ask next;
        const char *lines;
    } cases[] = {
        {"60", NULL, SC_ASK_POPULATION, "csv=-\nunit=id\nmax-total-rows=60\n"},
        {"1", "n", SC_ASK_POPULATION, "csv=-\nunit=id\nmax-total-rows=1\n"},
        {"1", "y", SC_ASK_POPULATION, "csv=-\nunit=id\nrows-per-unit=1\n"},
        {"", NULL, SC_ASK_MAX_GROUPS, "csv=-\nunit=id\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        begin(&w, "csv=-\nunit=id\n");
        REQUIRE(sc_wizard_open_step(&w, &step));
        CHECK_INT(step.field, SC_ASK_ALL_ROWS);
        say(&w, 0, SC_ASK_ALL_ROWS, cases[i].total);
        REQUIRE(sc_wizard_open_step(&w, &step));
        CHECK_INT(step.field, cases[i].fact == NULL ? cases[i].next : SC_ASK_ONE_ROW);
        if (cases[i].fact != NULL)
            say(&w, 0, SC_ASK_ONE_ROW, cases[i].fact);
        REQUIRE(sc_wizard_open_step(&w, &step));
        CHECK_INT(step.field, cases[i].next);
        check_lines(&w, cases[i].lines);
        sc_wizard_clear(&w);
    }
    /* A fact that turns out to be none; an answer that is not 1 any more. */
    begin(&w, "csv=-\nunit=id\nrows-per-unit=1\n");
    REQUIRE(sc_wizard_open_step(&w, &step));
    CHECK_INT(step.field, SC_ASK_POPULATION);
    check_lines(&w, "csv=-\nunit=id\nrows-per-unit=1\n");
    say(&w, 0, SC_ASK_ONE_ROW, "n");
    check_lines(&w, "csv=-\nunit=id\nmax-total-rows=1\n");
    say(&w, 0, SC_ASK_ONE_ROW, "y");
    say(&w, 0, SC_ASK_ALL_ROWS, "9");
    check_lines(&w, "csv=-\nunit=id\nmax-total-rows=9\n");
    sc_wizard_clear(&w);
}

/* Columns are asked one after the other, all about one before the next. */
TEST(wizard_answers_walk_in_order)
{
    static const struct {
        const char *column;
        sc_ask field;
        const char *answer;
    } walk[] = {{NULL, SC_ASK_CSV, "-"},
                {NULL, SC_ASK_UNIT, "id"},
                {"a", SC_ASK_TYPE, "int"},
                {"a", SC_ASK_LOW, "0"},
                {"a", SC_ASK_HIGH, "9"},
                {"b", SC_ASK_TYPE, "text"},
                {"b", SC_ASK_KEYS, ""},
                {NULL, SC_ASK_ALL_ROWS, ""},
                {NULL, SC_ASK_MAX_GROUPS, "1"},
                {NULL, SC_ASK_MAX_ROWS, "2"},
                {"a", SC_ASK_TOTAL, ""},
                {NULL, SC_ASK_POPULATION, ""},
                {NULL, SC_ASK_NEIGHBOURS, "replace"},
                {NULL, SC_ASK_EPSILON, "1"},
                {NULL, SC_ASK_DELTA, ""}};
    sc_wizard w;
    sc_wizard_step step, before;
    begin(&w, "");
    CHECK_STATUS(sc_wizard_add_slot(&w, SC_SCOPE_COLUMN, "a", NULL), SCRIM_OK);
    CHECK_STATUS(sc_wizard_add_slot(&w, SC_SCOPE_COLUMN, "b", NULL), SCRIM_OK);
    for (size_t i = 0; i < COUNT(walk); i++) {
        REQUIRE(sc_wizard_open_step(&w, &step));
        CHECK_INT(step.field, walk[i].field);
        CHECK_STR(step.slot == 0 ? "" : w.slots[step.slot].name,
                  walk[i].column == NULL ? "" : walk[i].column);
        CHECK_INT(sc_wizard_asked_before(&w, &step, &before), i > 0);
        if (i > 0)
            CHECK_INT(before.field, walk[i - 1].field);
        say(&w, step.slot, step.field, walk[i].answer);
    }
    CHECK(!sc_wizard_open_step(&w, &step));
    CHECK(sc_wizard_asked_before(&w, NULL, &before) && before.field == SC_ASK_DELTA);
    check_lines(&w, "csv=-\nunit=id\ncolumn=a=int[0,9]\ncolumn=b=text\nmax-groups=1\n"
                    "max-rows=2\nneighbours=replace\nbudget=epsilon=1\n");
    /* Once more, and then no longer. */
    w.slots[0].again |= (uint32_t)1 << SC_ASK_UNIT;
    REQUIRE(sc_wizard_open_step(&w, &step));
    CHECK_INT(step.field, SC_ASK_UNIT);
    say(&w, 0, SC_ASK_UNIT, "id");
    CHECK(!sc_wizard_open_step(&w, &step));
    sc_wizard_clear(&w);
}

/* Another type needs another range; the same one keeps it. */
TEST(wizard_answers_forget_what_a_type_had)
{
    sc_wizard w;
    sc_wizard_step step;
    begin(&w, "unit=row\ncsv=-\ncolumn=a=int[0,9]\nmax-total=a=3\n");
    const size_t slot = (size_t)(sc_wizard_column(&w, "a") - w.slots);
    say(&w, slot, SC_ASK_TYPE, "int");
    check_lines(&w, "csv=-\nunit=row\ncolumn=a=int[0,9]\nmax-total=a=3\n");
    say(&w, slot, SC_ASK_TYPE, "date");
    check_lines(&w, "csv=-\nunit=row\n");
    REQUIRE(sc_wizard_open_step(&w, &step));
    CHECK_INT(step.field, SC_ASK_LOW);
    say(&w, slot, SC_ASK_TYPE, "text");
    check_lines(&w, "csv=-\nunit=row\ncolumn=a=text\n");
    sc_wizard_clear(&w);
}

/* A column that the owner refused makes no line, and neither do its keys or totals. */
TEST(wizard_answers_leave_columns_out)
{
    sc_wizard w;
    begin(&w, "unit=row\ncsv=-\ncolumn=a_id=int[0,9]\nmax-total=a_id=3\ncolumn=b=text\n"
              "keys=b=x\n");
    const size_t a = (size_t)(sc_wizard_column(&w, "a_id") - w.slots),
                 b = (size_t)(sc_wizard_column(&w, "b") - w.slots);
    CHECK(sc_wizard_column(&w, "c") == NULL);
    say(&w, a, SC_ASK_SECRET, "n");
    say(&w, b, SC_ASK_TYPE, "");
    CHECK(!sc_slot_is_declared(&w.slots[a]) && !sc_slot_is_declared(&w.slots[b]));
    check_lines(&w, "csv=-\nunit=row\n");
    sc_wizard_clear(&w);
}

/* Sight of the data is told whatever was given. */
TEST(wizard_answers_say_that_bounds_were_looked_at)
{
    sc_wizard w;
    begin(&w, "csv=/a.csv\nunit=id\nmax-groups=1\nbounds-from=declared\n");
    say(&w, 0, SC_ASK_LOOK, "y");
    say(&w, 0, SC_ASK_MAX_ROWS, "1");
    check_lines(&w, "csv=/a.csv\nunit=id\nmax-groups=1\nmax-rows=1\n"
                    "bounds-from=declared\n");
    w.has_looked = true;
    check_lines(&w, "csv=/a.csv\nunit=id\nmax-groups=1\nmax-rows=1\nbounds-from=check\n");
    sc_wizard_clear(&w);
}

/* From a draft: a column that was left out and keys that are private are not asked for again. */
TEST(wizard_answers_take_none_from_a_draft)
{
    sc_wizard w;
    sc_wizard_step step;
    begin(&w, "unit=row\ncolumn=a=none\ncolumn=b=text\nkeys=b=\ncolumn=c=text\n"
              "population=p\nneighbours=replace\nbudget=epsilon=1\ncsv=/a.csv\n");
    CHECK(sc_wizard_open_step(&w, &step) && step.field == SC_ASK_KEYS);
    CHECK_STR(w.slots == NULL ? "" : w.slots[step.slot].name, "c");
    say(&w, step.slot, SC_ASK_KEYS, "");
    CHECK(!sc_wizard_open_step(&w, &step));
    check_lines(&w, "csv=/a.csv\nunit=row\ncolumn=b=text\ncolumn=c=text\n"
                    "neighbours=replace\npopulation=p\nbudget=epsilon=1\n");
    sc_wizard_clear(&w);
}
