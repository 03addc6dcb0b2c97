#include "check.h"
#include "cli/dataset/policy_draft.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void check_text(const sc_policy_draft *draft, const char *want)
{
    char *text = sc_policy_draft_text(draft);
    REQUIRE(text != NULL);
    CHECK_STR(text, want);
    free(text);
}

static scrim_status read_text(sc_policy_draft *draft, const char *text)
{
    scrim_error error;
    return sc_policy_draft_read(draft, text, strlen(text), &error);
}

TEST(policy_draft_keeps_the_order_of_the_options)
{
    sc_policy_draft draft = {.lines = NULL};
    CHECK_STATUS(read_text(&draft, "# a comment\n\n  budget = epsilon=1 \r\nunit row\n"
                                   "column=b=text\ncolumn=a=int[0,1]\ncontents=bytes=1\n"
                                   "unheard-of=1\ncsv=/a b.csv"),
                 SCRIM_OK);
    check_text(&draft, "csv=/a b.csv\nunit=row\ncolumn=b=text\ncolumn=a=int[0,1]\n"
                       "budget=epsilon=1\nunheard-of=1\n");
    CHECK_STR(sc_policy_draft_get(&draft, "unit"), "row");
    CHECK_STR(sc_policy_draft_get(&draft, "column"), "b=text");
    CHECK(sc_policy_draft_get(&draft, "cap") == NULL);
    sc_policy_draft_remove(&draft, "column");
    check_text(&draft, "csv=/a b.csv\nunit=row\nbudget=epsilon=1\nunheard-of=1\n");
    sc_policy_draft_clear(&draft);
    check_text(&draft, "");
}

TEST(policy_draft_replaces_by_subject)
{
    sc_policy_draft draft = {.lines = NULL};
    scrim_error error;
    CHECK_STATUS(read_text(&draft, "unit=row\ncolumn=a=text\ncolumn=ab=text\nkeys=a=x,y"),
                 SCRIM_OK);
    sc_policy_draft_breathe(&draft);
    CHECK_STATUS(read_text(&draft, "column=a=bool\nunit=id\nkeys=ab=z"), SCRIM_OK);
    check_text(&draft, "unit=id\ncolumn=a=bool\ncolumn=ab=text\nkeys=a=x,y\nkeys=ab=z\n");
    /* Twice in one breath. */
    CHECK_STATUS(sc_policy_draft_put(&draft, "unit", "row", &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_policy_draft_put(&draft, "column", "a=text", &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "column a=: duplicate; give it once");
    CHECK_STATUS(sc_policy_draft_put(&draft, "column", "ab=bool", &error), SCRIM_OK);
    CHECK_STATUS(sc_policy_draft_put(&draft, "column", "c=bool", &error), SCRIM_OK);
    check_text(&draft, "unit=id\ncolumn=a=bool\ncolumn=ab=bool\ncolumn=c=bool\n"
                       "keys=a=x,y\nkeys=ab=z\n");
    sc_policy_draft_clear(&draft);
}

/* THREATS A63: no value becomes a line, no line another one. */
TEST(A63_policy_draft_values_stay_values)
{
    static const char *const wrong[] = {
        "row\nbudget=epsilon=9", "row\r", "\nrow", " row", "row\t", "\trow"};
    static const char *const right[] = {
        "\"; DROP TABLE x; --", "a=b=c", "#", "caf\xc3\xa9", "it's",
        "budget=epsilon=9",     ""};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        sc_policy_draft draft = {.lines = NULL};
        scrim_error error;
        CHECK_STATUS(sc_policy_draft_put(&draft, "unit", wrong[i], &error),
                     SCRIM_E_PARAM);
        check_text(&draft, "");
        sc_policy_draft_clear(&draft);
    }
    for (size_t i = 0; i < COUNT(right); i++) {
        sc_policy_draft draft = {.lines = NULL}, again = {.lines = NULL};
        scrim_error error;
        CHECK_STATUS(sc_policy_draft_put(&draft, "unit", right[i], &error), SCRIM_OK);
        char *text = sc_policy_draft_text(&draft);
        REQUIRE(text != NULL);
        CHECK_STATUS(read_text(&again, text), SCRIM_OK);
        CHECK_INT(again.count, 1);
        CHECK_STR(sc_policy_draft_get(&again, "unit"), right[i]);
        free(text);
        sc_policy_draft_clear(&draft);
        sc_policy_draft_clear(&again);
    }
}

TEST(policy_draft_refuses_lines_that_are_none)
{
    static const char *const wrong[] = {"1=2", "=x", "Unit=row", "unit:row", "\x01"};
    scrim_error error;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        sc_policy_draft draft = {.lines = NULL};
        CHECK_STATUS(read_text(&draft, wrong[i]), SCRIM_E_SYNTAX);
        sc_policy_draft_clear(&draft);
    }
    sc_policy_draft draft = {.lines = NULL};
    CHECK_STATUS(sc_policy_draft_read(&draft, "unit=row\0x", 10, &error), SCRIM_E_SYNTAX);
    sc_policy_draft_clear(&draft);
}

/* The options of a command line; argv is room for it. */
static scrim_status parse_words(char (*words)[32], char **argv, size_t count,
                                sc_options *options)
{
    scrim_error error;
    for (size_t i = 0; i < count; i++)
        argv[i] = words[i];
    return sc_options_parse((int)count, argv, options, &error);
}

TEST(policy_draft_takes_options)
{
    char words[][32] = {"scrim", "--column", "a=int[0,1]", "--keys",
                        "a=0,1", "--unit",   "row",        "--column=b=text",
                        "--cap", "none",     "--budget",   "epsilon=1"},
         *argv[COUNT(words)];
    sc_options options;
    scrim_error error;
    sc_policy_draft draft = {.lines = NULL};
    REQUIRE_OK(parse_words(words, argv, COUNT(words), &options));
    CHECK_STATUS(read_text(&draft, "cap=epsilon=1\ncolumn=b=bool\nunit=id"), SCRIM_OK);
    sc_policy_draft_breathe(&draft);
    CHECK_STATUS(sc_policy_draft_take(&draft, &options, &error), SCRIM_OK);
    check_text(&draft, "unit=row\ncolumn=b=text\ncolumn=a=int[0,1]\nkeys=a=0,1\n"
                       "budget=epsilon=1\n");
    sc_policy_draft_clear(&draft);
}

/* An empty list of texts makes no line; lines for CSV alone are removed when the source is
 * another. */
TEST(policy_draft_takes_forms_of_cells)
{
    char words[][32] = {"scrim", "--null", "", "--decimal", ",", "--sqlite", "/a.db"},
         *argv[COUNT(words)];
    sc_options options;
    scrim_error error;
    sc_policy_draft draft = {.lines = NULL};
    REQUIRE_OK(parse_words(words, argv, COUNT(words), &options));
    CHECK_STATUS(read_text(&draft, "csv=/a.csv\nseparator=;\nnull=NA\ndecimal=.\n"
                                   "date-format=YYYYMMDD"),
                 SCRIM_OK);
    sc_policy_draft_forget(&draft, &options);
    sc_policy_draft_breathe(&draft);
    CHECK_STATUS(sc_policy_draft_take(&draft, &options, &error), SCRIM_OK);
    check_text(&draft, "sqlite=/a.db\ndecimal=,\ndate-format=YYYYMMDD\n");
    sc_policy_draft_clear(&draft);
}

/* Every line of the commented form is read back. */
TEST(policy_draft_with_comments_is_the_same)
{
    static const char policy[] =
        "csv=/a.csv\nrecords=crlf\nseparator=;\ndecimal=,\ndate-format=DD.MM.YYYY\n"
        "null=NA,-\nunit=id\ncolumn=a=int[0,1]\ncolumn=b=text\nkeys=b=x\n"
        "missing=a=0\nmax-groups=2\nmax-rows=3\nneighbours=replace\npopulation=p\n"
        "budget=epsilon=1\naccounting=sum\ncap=epsilon=1\nshare=*=epsilon=1\n";
    sc_policy_draft draft = {.lines = NULL}, again = {.lines = NULL};
    int ends[2];
    char text[8192];
    static sc_output room;
    sc_output *output = &room;
    REQUIRE(pipe(ends) == 0);
    CHECK_STATUS(read_text(&draft, policy), SCRIM_OK);
    sc_output_init(output, ends[1]);
    sc_policy_draft_write(&draft, output);
    CHECK(sc_output_flush(output));
    close(ends[1]);
    const ssize_t got = read(ends[0], text, sizeof text);
    REQUIRE(got > 0);
    close(ends[0]);
    CHECK(memchr(text, '#', (size_t)got) != NULL);
    scrim_error error;
    CHECK_STATUS(sc_policy_draft_read(&again, text, (size_t)got, &error), SCRIM_OK);
    check_text(&again, policy);
    sc_policy_draft_clear(&draft);
    sc_policy_draft_clear(&again);
}

/* Settling. */

static scrim_status settle(const char *given, char want[4096], scrim_error *error)
{
    sc_policy_draft draft = {.lines = NULL};
    scrim_status status = read_text(&draft, given);
    if (status == SCRIM_OK)
        status = sc_policy_draft_settle(&draft, error);
    char *text = sc_policy_draft_text(&draft);
    snprintf(want, 4096, "%s", text);
    free(text);
    sc_policy_draft_clear(&draft);
    return status;
}

TEST(policy_draft_settles_paths)
{
    char text[4096], want[8192], folder[4096];
    scrim_error error;
    REQUIRE(getcwd(folder, sizeof folder) != NULL);
    CHECK_STATUS(settle("csv=a/b.csv", text, &error), SCRIM_OK);
    snprintf(want, sizeof want, "csv=%s/a/b.csv\n", folder);
    CHECK_STR(text, want);
    CHECK_STATUS(settle("sqlite=x.db\ntable=x", text, &error), SCRIM_OK);
    snprintf(want, sizeof want, "sqlite=%s/x.db\ntable=x\n", folder);
    CHECK_STR(text, want);
    CHECK_STATUS(settle("csv=-", text, &error), SCRIM_OK);
    CHECK_STR(text, "csv=-\n");
    CHECK_STATUS(settle("csv=/a.csv\ntable=x\nunit=csv", text, &error), SCRIM_OK);
    CHECK_STR(text, "csv=/a.csv\ntable=x\nunit=csv\n");
}

TEST(policy_draft_settles_keys)
{
    static const char words[] = "one\r\ntwo words\n\nwith \"quote\"\na,b\n@x\nlast";
    char path[] = "/tmp/scrim-keys-XXXXXX", given[128], text[4096];
    scrim_error error = {.message = ""};
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    CHECK(write(file, words, sizeof words - 1) == (ssize_t)sizeof words - 1);
    snprintf(given, sizeof given, "column=w=text\nkeys=w=@%s", path);
    CHECK_STATUS(settle(given, text, &error), SCRIM_OK);
    CHECK_STR(text, "column=w=text\nkeys=w=one,\"two words\",\"with \"\"quote\"\"\","
                    "\"a,b\",\"@x\",last\n");
    /* The library reads the same keys. */
    char policy[8192];
    snprintf(policy, sizeof policy, "unit=row\n%s", text);
    CHECK_STATUS(scrim_policy_check(policy, &error), SCRIM_OK);
    CHECK(write(file, "\0", 1) == 1);
    CHECK_STATUS(settle(given, text, &error), SCRIM_E_INPUT);
    CHECK(ftruncate(file, 0) == 0);
    CHECK_STATUS(settle(given, text, &error), SCRIM_E_INPUT);
    CHECK(strstr(error.message, "has no keys; write one per line") != NULL);
    CHECK(ftruncate(file, (12 << 20) + 1) == 0);
    CHECK_STATUS(settle(given, text, &error), SCRIM_E_LIMIT);
    close(file);
    unlink(path);
    CHECK_STATUS(settle(given, text, &error), SCRIM_E_INPUT);
    CHECK(strstr(error.message, "No such file") != NULL);
}

/* --rows-per-unit 1 is a fact about the data. Bounds that are said later take its place, and it takes theirs; said at once
 * they stay for the library to refuse. */
TEST(policy_draft_one_row_is_not_a_bound)
{
    scrim_error error;
    sc_policy_draft draft = {.lines = NULL};
    CHECK_STATUS(read_text(&draft, "unit=id\nrows-per-unit=1"), SCRIM_OK);
    check_text(&draft, "unit=id\nrows-per-unit=1\n");
    CHECK(sc_policy_draft_is_bounded(&draft));
    CHECK_STATUS(sc_policy_draft_put(&draft, "max-rows", "2", &error), SCRIM_OK);
    check_text(&draft, "unit=id\nmax-rows=2\nrows-per-unit=1\n");
    sc_policy_draft_remove(&draft, "max-rows");
    sc_policy_draft_breathe(&draft);
    CHECK_STATUS(sc_policy_draft_put(&draft, "max-rows", "2", &error), SCRIM_OK);
    check_text(&draft, "unit=id\nmax-groups=1\nmax-rows=2\n");
    CHECK_STATUS(sc_policy_draft_put(&draft, "max-groups", "3", &error), SCRIM_OK);
    check_text(&draft, "unit=id\nmax-groups=3\nmax-rows=2\n");
    sc_policy_draft_breathe(&draft);
    CHECK_STATUS(sc_policy_draft_put(&draft, "rows-per-unit", "1", &error), SCRIM_OK);
    check_text(&draft, "unit=id\nrows-per-unit=1\n");
    sc_policy_draft_breathe(&draft);
    CHECK_STATUS(sc_policy_draft_put(&draft, "max-total-rows", "9", &error), SCRIM_OK);
    check_text(&draft, "unit=id\nmax-total-rows=9\n");
    sc_policy_draft_clear(&draft);
}

/* One line a column, changed by itself; none takes it away. */
TEST(policy_draft_bounds_totals_by_column)
{
    scrim_error error;
    sc_policy_draft draft = {.lines = NULL};
    static sc_options options;
    options.repeated[0] = (sc_repeated){SCRIM_OPTION_MAX_TOTAL, "pay=-5,9"};
    options.repeated[1] = (sc_repeated){SCRIM_OPTION_MAX_TOTAL, "age=none"};
    options.repeated_count = 2;
    CHECK_STATUS(read_text(&draft, "unit=id\nmax-total=age=500\nmax-total=pay=3"),
                 SCRIM_OK);
    CHECK_STATUS(sc_policy_draft_put(&draft, "max-total", "age=2", &error),
                 SCRIM_E_PARAM);
    sc_policy_draft_breathe(&draft);
    CHECK_STATUS(sc_policy_draft_take(&draft, &options, &error), SCRIM_OK);
    check_text(&draft, "unit=id\nmax-total=pay=-5,9\n");
    sc_policy_draft_clear(&draft);
}

/* Answers that mean "not applicable" are kept in a draft, and make no line of a policy. */
TEST(policy_draft_keeps_answers_that_are_none)
{
    scrim_error error;
    sc_policy_draft draft = {.lines = NULL};
    static sc_options options;
    CHECK_STATUS(read_text(&draft, "null=\nunit=row\ncolumn=a=none\ncolumn=none=text\n"
                                   "column=b=text\nkeys=b=\nkeys=none=none"),
                 SCRIM_OK);
    CHECK_INT(draft.count, 7);
    check_text(&draft, "unit=row\ncolumn=none=text\ncolumn=b=text\nkeys=none=none\n");
    sc_policy_draft_breathe(&draft);
    options.repeated[0] = (sc_repeated){SCRIM_OPTION_COLUMN, "b=none"};
    options.repeated_count = 1;
    CHECK_STATUS(sc_policy_draft_take(&draft, &options, &error), SCRIM_OK);
    check_text(&draft, "unit=row\ncolumn=none=text\nkeys=none=none\n");
    /* As an option it is a slip. */
    options.repeated[0] = (sc_repeated){SCRIM_OPTION_KEYS, "b="};
    CHECK_STATUS(sc_policy_draft_take(&draft, &options, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "keys b=: write a list of keys as KEY,KEY,... or @FILE");
    CHECK_STR(error.parameter, "keys");
    sc_policy_draft_clear(&draft);
}
