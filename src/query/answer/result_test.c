#include "check.h"
#include "faults.h"
#include "query/answer/result.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                             \
    "query 1\ndataset adult\nversion 3\nepsilon 0.5\ndelta 0\nexpect 1000\n"             \
    "confidence 0.95\ncost 0.5 0 0.125\nschema unit=person_id\n"                         \
    "schema neighbours=add-remove\n"                                                     \
    "schema column=age=int[0,120]\nschema column=sex=text\nschema column=ok=bool\n"      \
    "schema column=day=date[2020-01-01,2020-12-31]\n"
#define COUNT_PART "part 0 1 laplace sensitivity=1 epsilon=0.5 neighbours=add-remove\n"

static const sc_result_origin origin = {.release = 7, .time = 99, .is_repeated = true};

static scrim_result *result_of(const char *record, const char *confidence)
{
    scrim_result *result = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(
            sc_result_new(sc_text_of(record), confidence, &origin, &result, &error),
            SCRIM_OK))
        CHECK_STR(error.message, "");
    return result;
}

/* Values of a statement, "value,value;" a row. */
static const char *shown(const scrim_result *result, size_t statement, char *text,
                         size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    for (size_t r = 0; r < scrim_result_rows(result, statement); r++)
        for (size_t c = 0; c < scrim_result_columns(result, statement); c++) {
            const scrim_result_cell *cell = scrim_result_cell_at(result, statement, r, c);
            CHECK_INT(strlen(cell->value), cell->bytes);
            sc_text_put(&sink, sc_text_of(c == 0 ? "" : ","));
            sc_text_put(&sink, sc_text_of(cell->value));
            if (c + 1 == scrim_result_columns(result, statement))
                sc_text_put(&sink, sc_text_of(";"));
        }
    return text;
}

static void check_rows(const char *query, const char *rest, const char *want)
{
    char record[4000], text[1000];
    snprintf(record, sizeof record,
             HEAD "statement %s\nkeys public\n" COUNT_PART "numbers 1\n%s", query, rest);
    scrim_result *result = result_of(record, NULL);
    if (result != NULL)
        CHECK_STR(shown(result, 0, text, sizeof text), want);
    scrim_result_free(result);
}

TEST(result_tells_its_facts)
{
    CLAIM("result.released");
    scrim_result_facts facts;
    scrim_result *result =
        result_of(HEAD "statement SELECT COUNT ( * ) AS n\nkeys none\n" COUNT_PART
                       "numbers 1\nrow - 1234\n",
                  NULL);
    REQUIRE(result != NULL);
    scrim_result_describe(result, &facts);
    CHECK_INT(facts.release, 7);
    CHECK_INT(facts.time, 99);
    CHECK_INT(facts.is_repeated, 1);
    CHECK_STR(facts.dataset, "adult");
    CHECK_INT(facts.version, 3);
    CHECK_STR(facts.confidence, "0.95");
    CHECK_STR(facts.cost.epsilon, "0.5");
    CHECK_STR(facts.cost.delta, "0");
    CHECK_STR(facts.cost.rho, "0.125");
    CHECK_INT(facts.cost.neighbours, SCRIM_ADD_REMOVE);
    CHECK_INT(facts.statements, 1);
    CHECK_STR(scrim_result_text(result, 0), "SELECT COUNT ( * ) AS n");
    CHECK_STR(scrim_result_column_at(result, 0, 0)->name, "n");
    CHECK_INT(scrim_result_column_at(result, 0, 0)->kind, SCRIM_OUTPUT_VALUE);
    CHECK(scrim_result_column_at(result, 0, 0)->note == NULL);
    const scrim_result_cell *cell = scrim_result_cell_at(result, 0, 0, 0);
    CHECK_STR(cell->value, "1234");
    /* exp(-t/2) below 0.05 from t = 6 on: P(|Z| > 6) = 2 q^7 / (1 + q), q = exp(-1/2) */
    CHECK_STR(cell->low, "1228");
    CHECK_STR(cell->high, "1240");
    scrim_result_free(result);
}

/* How many groups of one unit count, as the plan has it: of none that are listed one, of listed ones
 * no more than there are. */
TEST(result_tells_the_groups_of_a_unit)
{
    static const struct {
        const char *rest;
        uint64_t groups;
    } cases[] = {
        {"statement SELECT COUNT ( * ) AS n\nkeys none\n" COUNT_PART
         "numbers 1\nrow - 1\n",
         1},
        {"statement SELECT sex , COUNT ( * ) AS n GROUP BY sex\nkeys public\n" COUNT_PART
         "numbers 1\nrow Male%00 1\nrow Female%00 2\n",
         2},
        {"statement SELECT sex , COUNT ( * ) AS n GROUP BY sex\nkeys discovered\n"
         "part - 1 partition-selection epsilon=0.5 delta=1e-6 max-groups=20 "
         "neighbours=add-remove\n" COUNT_PART "numbers 1\nrow Male%00 1\n",
         20},
        {"statement SELECT COUNT ( * ) AS n\nkeys none\n" COUNT_PART
         "numbers 1\nrow - 1\n"
         "statement SELECT sex , COUNT ( * ) AS n GROUP BY sex\nkeys public\n" COUNT_PART
         "numbers 1\nrow Male%00 1\nrow Female%00 2\n",
         2}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char record[2048];
        scrim_result_facts facts;
        snprintf(record, sizeof record, HEAD "schema max-groups=20\n%s", cases[i].rest);
        scrim_result *result = result_of(record, NULL);
        REQUIRE(result != NULL);
        scrim_result_describe(result, &facts);
        CHECK_INT(facts.max_groups, cases[i].groups);
        scrim_result_free(result);
    }
}

/* The confidence is the reader's: nothing is drawn again. */
TEST(result_has_nothing_past_the_last)
{
    scrim_result *result =
        result_of(HEAD "statement SELECT COUNT ( * ) AS n\nkeys none\n" COUNT_PART
                       "numbers 1\nrow - 1234\n",
                  NULL);
    REQUIRE(result != NULL && scrim_result_cell_at(result, 0, 0, 0) != NULL);
    static const size_t past[] = {1, 7, SIZE_MAX};
    for (size_t i = 0; i < COUNT(past); i++) {
        CHECK_INT(scrim_result_columns(result, past[i]), 0);
        CHECK_INT(scrim_result_rows(result, past[i]), 0);
        CHECK(scrim_result_text(result, past[i]) == NULL);
        CHECK(scrim_result_kept(result, past[i]) == NULL);
        CHECK(scrim_result_missing(result, past[i]) == NULL);
        CHECK(scrim_result_cut_at(result, past[i]) == NULL);
        CHECK(scrim_result_column_at(result, past[i], 0) == NULL);
        CHECK(scrim_result_column_at(result, 0, past[i]) == NULL);
        CHECK(scrim_result_cell_at(result, past[i], 0, 0) == NULL);
        CHECK(scrim_result_cell_at(result, 0, past[i], 0) == NULL);
        CHECK(scrim_result_cell_at(result, 0, 0, past[i]) == NULL);
    }
    CHECK_STR(scrim_result_cell_text(scrim_result_cell_at(result, 7, 0, 0)), "");
    scrim_result_free(result);
}

TEST(result_cells_have_the_words_of_the_program)
{
    static const struct {
        scrim_result_cell cell;
        scrim_result_words want;
    } cases[] = {
        {{.value = "30.5", .low = "28", .high = "33"}, {"30.5", "28", "33"}},
        {{.value = "30.000", .low = "0", .high = "60", .is_open = 1},
         {"no usable value", "", ""}},
        {{.value = "", .low = "", .high = "", .is_open = 1}, {"", "", ""}},
        {{.value = "-138", .low = "-150", .high = "12", .is_beyond = 1},
         {"about 0", "0", "12"}},
        {{.value = "9", .low = "-4", .high = "15", .is_beyond = 1},
         {"about 0", "-4", "0"}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const scrim_result_words got = scrim_result_cell_words(&cases[i].cell);
        CHECK_STR(got.value, cases[i].want.value);
        CHECK_STR(got.low, cases[i].want.low);
        CHECK_STR(got.high, cases[i].want.high);
        CHECK_STR(scrim_result_cell_text(&cases[i].cell), cases[i].want.value);
    }
}

TEST(result_has_any_confidence)
{
    CLAIM("result.released");
    static const char record[] =
        HEAD "statement SELECT COUNT ( * ) AS n\nkeys none\n" COUNT_PART
             "numbers 1\nrow - 1234\n";
    scrim_result *wide = result_of(record, "0.999"), *narrow = result_of(record, "1/2");
    REQUIRE(wide != NULL && narrow != NULL);
    CHECK_STR(scrim_result_cell_at(wide, 0, 0, 0)->value, "1234");
    CHECK_STR(scrim_result_cell_at(narrow, 0, 0, 0)->value, "1234");
    CHECK(atoi(scrim_result_cell_at(wide, 0, 0, 0)->low) < 1228);
    CHECK(atoi(scrim_result_cell_at(narrow, 0, 0, 0)->low) > 1228);
    scrim_result_free(narrow);
    scrim_result_free(wide);
    static const char *const wrong[] = {"0", "1", "-1", "2", "x", ""};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        scrim_result *none = NULL;
        const scrim_status status =
            sc_result_new(sc_text_of(record), wrong[i], &origin, &none, NULL);
        CHECK(status == SCRIM_E_PARAM || status == SCRIM_E_SYNTAX);
        CHECK(none == NULL);
    }
}

TEST(result_orders_rows_by_their_keys)
{
    CLAIM("result.order");
    static const char four[] = "row b%00 2\nrow a%00 30\nrow B%00 -4\nrow %C3%A4%00 2\n";
    check_rows("SELECT sex , COUNT ( * ) AS n GROUP BY sex", four,
               "B,-4;a,30;b,2;\xc3\xa4,2;");
    check_rows("SELECT COUNT ( * ) AS n , sex GROUP BY sex", four,
               "-4,B;30,a;2,b;2,\xc3\xa4;");
    check_rows("SELECT sex , COUNT ( * ) AS n GROUP BY sex ORDER BY n", four,
               "B,-4;b,2;\xc3\xa4,2;a,30;");
    check_rows("SELECT sex , COUNT ( * ) AS n GROUP BY sex ORDER BY n DESC", four,
               "a,30;b,2;\xc3\xa4,2;B,-4;");
    check_rows("SELECT sex , COUNT ( * ) AS n GROUP BY sex ORDER BY n DESC , sex DESC",
               four, "a,30;\xc3\xa4,2;b,2;B,-4;");
    check_rows("SELECT sex , COUNT ( * ) AS n GROUP BY sex ORDER BY n LIMIT 2", four,
               "B,-4;b,2;");
    check_rows("SELECT sex , COUNT ( * ) AS n GROUP BY sex HAVING n > 1", four,
               "a,30;b,2;\xc3\xa4,2;");
    check_rows("SELECT sex , COUNT ( * ) AS n GROUP BY sex HAVING n > 1 LIMIT 1", four,
               "a,30;");
    check_rows("SELECT sex , COUNT ( * ) AS n GROUP BY sex HAVING sex = 'B'", four,
               "B,-4;");
    check_rows("SELECT sex , COUNT ( * ) AS n GROUP BY sex", "", "");
}

TEST(result_shows_keys_of_every_type)
{
    CLAIM("result.order");
    /* By their size: 9 before 10, false before true. 18262 is 2020-01-01. */
    check_rows("SELECT age , COUNT ( * ) AS n GROUP BY age",
               "row %80%00%00%00%00%00%00%0A 2\nrow %80%00%00%00%00%00%00%09 1\n",
               "9,1;10,2;");
    check_rows("SELECT ok , COUNT ( * ) AS n GROUP BY ok",
               "row %80%00%00%00%00%00%00%01 1\nrow %80%00%00%00%00%00%00%00 2\n",
               "false,2;true,1;");
    check_rows("SELECT day , COUNT ( * ) AS n GROUP BY day ORDER BY day DESC",
               "row %80%00%00%00%00%00GV 1\nrow %80%00%00%00%00%00GW 2\n",
               "2020-01-02,2;2020-01-01,1;");
    check_rows("SELECT sex , age , COUNT ( * ) AS n GROUP BY age , sex",
               "row %80%00%00%00%00%00%00%09b%00 1\nrow %80%00%00%00%00%00%00%09a%00 2\n"
               "row %80%00%00%00%00%00%00%08c%00 3\n",
               "c,8,3;a,9,2;b,9,1;");
}

TEST(A54_values_of_a_column_have_as_many_digits)
{
    CLAIM("result.digits");
    scrim_result *result = result_of(
        HEAD "statement SELECT sex , AVG ( age ) AS a GROUP BY sex\nkeys public\n"
             "part 0 1 laplace sensitivity=1 epsilon=1/4 neighbours=add-remove\n"
             "part 1 1 laplace sensitivity=60 epsilon=1/4 neighbours=add-remove\n"
             "numbers 2\nrow a%00 1000 0\nrow b%00 3 1\nrow c%00 777 12345\n"
             "row d%00 -5 8\nrow e%00 0 0\nrow f%00 123456 -654321\n",
        NULL);
    REQUIRE(result != NULL);
    CHECK_INT(scrim_result_rows(result, 0), 6);
    size_t digits = SIZE_MAX;
    for (size_t r = 0; r < scrim_result_rows(result, 0); r++) {
        const scrim_result_cell *cell = scrim_result_cell_at(result, 0, r, 1);
        const char *texts[] = {cell->value, cell->low, cell->high};
        for (size_t i = 0; i < COUNT(texts); i++) {
            const char *point = strchr(texts[i], '.');
            const size_t own = point == NULL ? 0 : strlen(point + 1);
            if (digits == SIZE_MAX)
                digits = own;
            CHECK_INT(own, digits);
        }
        CHECK(atof(cell->low) <= atof(cell->value) &&
              atof(cell->value) <= atof(cell->high));
    }
    scrim_result_free(result);
}

/* Arithmetic is of what was recorded: the same numbers, whatever is computed of them. */
TEST(result_computes_with_recorded_numbers)
{
    CLAIM("result.released");
    static const char rows[] = "row Female%00 1000\nrow Male%00 -3\nrow Other%00 0\n";
    check_rows("SELECT sex , COUNT ( * ) / 4 AS q GROUP BY sex", rows,
               "Female,250.00;Male,-0.75;Other,0.00;");
    check_rows("SELECT sex , 100 / COUNT ( * ) AS q GROUP BY sex ORDER BY q DESC", rows,
               "Female,0.1000000000;Male,-33.3333333333;Other,;");
    /* Noise alone comes behind values, in either direction. */
    check_rows("SELECT sex , 100 / COUNT ( * ) AS q GROUP BY sex ORDER BY q", rows,
               "Female,0.1000000000;Male,-33.3333333333;Other,;");
    check_rows("SELECT sex , COUNT ( * ) - COUNT ( * ) AS q GROUP BY sex", rows,
               "Female,0;Male,0;Other,0;");
    check_rows("SELECT sex , LEAST ( COUNT ( * ) , 7 ) AS q GROUP BY sex HAVING q > -1 "
               "ORDER BY sex DESC LIMIT 2",
               rows, "Other,0;Female,7;");
    check_rows("SELECT COUNT ( * ) * COUNT ( * ) / COUNT ( * ) AS q",
               "row - 170141183460469231731687303715884105727\n",
               "170141183460469231731687303715884105727;");
}

/* The first row that LIMIT leaves out belongs to the same release; one that HAVING leaves out is not next. */
TEST(result_has_the_next_row_of_a_limit)
{
    static const struct {
        const char *having, *limit, *next;
    } rows[] = {{"", "LIMIT 2", "1"},
                {"", "LIMIT 3", ""},
                {"", "", ""},
                {"HAVING n > 5 ", "LIMIT 1", "7"},
                {"HAVING n > 5 ", "LIMIT 2", ""}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char record[2000];
        snprintf(
            record, sizeof record,
            HEAD
            "statement SELECT sex , COUNT ( * ) AS n GROUP BY sex %sORDER BY n DESC %s\n"
            "keys public\n" COUNT_PART "numbers 1\nrow Female%%00 9\n"
            "row Male%%00 7\nrow Other%%00 1\n",
            rows[i].having, rows[i].limit);
        scrim_result *result = result_of(record, NULL);
        if (result != NULL) {
            const scrim_result_cell *next = scrim_result_next_cell_at(result, 0, 1);
            CHECK_STR(next == NULL ? "" : next->value, rows[i].next);
            CHECK(scrim_result_next_cell_at(result, 0, 2) == NULL);
            CHECK(scrim_result_next_cell_at(result, 1, 0) == NULL);
        }
        scrim_result_free(result);
    }
}

TEST(result_refuses_other_records)
{
    static const char *const wrong[] = {
        "",
        "1234",
        HEAD "statement SELECT nothing\nkeys none\n" COUNT_PART "numbers 1\nrow - 1\n",
        HEAD "statement SELECT COUNT ( * )\nkeys none\n" COUNT_PART
             "numbers 2\nrow - 1 2\n",
        HEAD "statement SELECT COUNT ( * )\nkeys none\n" COUNT_PART
             "numbers 1\nrow x 1\n",
        HEAD "statement SELECT COUNT ( * )\nkeys none\npart 0 1 laplace\n"
             "numbers 1\nrow - 1\n",
        HEAD "statement SELECT COUNT ( * )\nkeys none\npart 9 1 laplace sensitivity=1 "
             "epsilon=1 neighbours=add-remove\nnumbers 1\nrow - 1\n",
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        scrim_result *none = NULL;
        scrim_error error;
        CHECK_STATUS(sc_result_new(sc_text_of(wrong[i]), NULL, &origin, &none, &error),
                     SCRIM_E_LEDGER);
        CHECK(none == NULL);
    }
}

/* A record of these lines has these values, and of the first one this upper end; want is NULL for none, high where it does not
 * matter. */
static void check_record(const char *head, const char *rest, const char *want,
                         const char *high)
{
    char record[2000], text[100];
    scrim_result *result = NULL;
    snprintf(record, sizeof record, "%s%s", head, rest);
    const scrim_status status =
        sc_result_new(sc_text_of(record), NULL, &origin, &result, NULL);
    if (!CHECK_INT(status == SCRIM_OK, want != NULL))
        CHECK_FAIL("%s", rest);
    if (status == SCRIM_OK && want != NULL) {
        CHECK_STR(shown(result, 0, text, sizeof text), want);
        if (high != NULL)
            CHECK_STR(scrim_result_cell_at(result, 0, 0, 0)->high, high);
    }
    scrim_result_free(result);
}

/* A record without the line is from before there were cells, and its numbers are all rows and those with a value. */
TEST(result_reads_rows_that_were_counted_either_way)
{
    CLAIM("result.released");
    static const char head[] =
        "query 2\ndataset adult\nversion 3\nepsilon 0.5\ndelta 0\nexpect 1000\n"
        "confidence 0.95\ncost 0.5 0 -\nschema unit=row\n"
        "schema neighbours=add-remove\nschema column=age=int[0,120]\n"
        "statement SELECT COUNT ( * ) , COUNT ( age )\nkeys none\n";
    static const struct {
        const char *rest, *want, *high; /* NULL: no record of this statement */
    } cases[] = {
        {COUNT_PART "part 1 1 laplace sensitivity=1 epsilon=0.5 neighbours=add-remove\n"
                    "numbers 2\nrow - 100 80\n",
         "100,80;", "106"},
        {"cells 2\n" COUNT_PART "numbers 2\nrow - 80 20\n", "100,80;", "108"},
        {"cells 2\n" COUNT_PART "numbers 2\nrow - 80 -5\n", "75,80;", "83"},
        {"cells 1\n" COUNT_PART "numbers 2\nrow - 80 20\n", NULL, NULL},
        {"cells 3\n" COUNT_PART "numbers 2\nrow - 80 20\n", NULL, NULL},
        {"cells 0\n" COUNT_PART "numbers 2\nrow - 80 20\n", NULL, NULL},
        {COUNT_PART "numbers 2\nrow - 80 20\n", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        check_record(head, cases[i].rest, cases[i].want, cases[i].high);
}

/* A record without the line is from before counts were drawn together, and has a part for each. */
TEST(result_reads_counts_that_were_drawn_apart_or_together)
{
    CLAIM("result.released");
    static const char head[] =
        "query 2\ndataset adult\nversion 3\nepsilon 0.5\ndelta 0\nexpect 1000\n"
        "confidence 0.95\ncost 0.5 0 -\nschema unit=row\n"
        "schema neighbours=add-remove\nschema column=age=int[0,120]\n"
        "statement SELECT COUNT ( * ) AS n , COUNT ( * ) FILTER ( WHERE age > 9 ) AS a , "
        "COUNT ( * ) FILTER ( WHERE age < 4 ) AS b\nkeys none\n";
#define PARTS                                                                            \
    COUNT_PART "part 1 1 laplace sensitivity=1 epsilon=0.5 neighbours=add-remove\n"
    static const struct {
        const char *rest, *want; /* NULL: no record of this statement */
    } cases[] = {
        {PARTS "part 2 1 laplace sensitivity=1 epsilon=0.5 neighbours=add-remove\n"
               "numbers 3\nrow - 100 80 7\n",
         "100,80,7;"},
        {"disjoint 2 3\n" PARTS "numbers 3\nrow - 100 80 7\n", "100,80,7;"},
        {"disjoint 2 3\n" PARTS "numbers 2\nrow - 100 80\n", NULL},
        {"disjoint 1 2\n" PARTS "numbers 3\nrow - 100 80 7\n", NULL},
        {"disjoint 2 4\n" PARTS "numbers 3\nrow - 100 80 7\n", NULL},
        {"cells 2\ndisjoint 2 3\n" PARTS "numbers 3\nrow - 100 80 7\n", NULL},
        {"disjoint 3 2\n" PARTS "numbers 3\nrow - 100 80 7\n", NULL},
        {"disjoint 2 3 \n" PARTS "numbers 3\nrow - 100 80 7\n", NULL},
        {"disjoint 2 65\n" PARTS "numbers 3\nrow - 100 80 7\n", NULL},
        {"disjoint 0 2\n" PARTS "numbers 3\nrow - 100 80 7\n", NULL},
        {"disjoint \n" PARTS "numbers 3\nrow - 100 80 7\n", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        check_record(head, cases[i].rest, cases[i].want, NULL);
}

/* A record without the line has the sum of bounded rows, one with it that of clamped totals; both are read. */
TEST(result_reads_sums_that_were_bounded_either_way)
{
    static const char head[] =
        "query 2\ndataset adult\nversion 3\nepsilon 0.5\ndelta 0\nexpect 1000\n"
        "confidence 0.95\ncost 0.5 0 -\nschema unit=person_id\n"
        "schema neighbours=add-remove\nschema max-groups=1\nschema max-rows=3\n"
        "schema column=age=int[0,120]\n";
#define SUM_PART "part 0 1 laplace sensitivity=360 epsilon=0.5 neighbours=add-remove\n"
    static const struct {
        const char *query, *line, *kept; /* NULL: no record of this statement */
    } cases[] = {
        {"SELECT SUM ( age )", "", "3 rows per person_id; further rows were left out"},
        {"SELECT SUM ( age )", "sums clamped\n",
         "for sum_age, all rows per person_id, their total clamped to 0 to 360"},
        {"SELECT SUM ( age )", "sums bounded\n", NULL},
        {"SELECT COUNT ( age )", "sums clamped\n", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char record[2000];
        scrim_result *result = NULL;
        snprintf(record, sizeof record,
                 "%sstatement %s\nkeys none\n%s" SUM_PART "numbers 1\nrow - 4000\n", head,
                 cases[i].query, cases[i].line);
        const scrim_status status =
            sc_result_new(sc_text_of(record), NULL, &origin, &result, NULL);
        CHECK_INT(status == SCRIM_OK, cases[i].kept != NULL);
        if (status == SCRIM_OK && cases[i].kept != NULL) {
            CHECK_STR(scrim_result_cell_at(result, 0, 0, 0)->value, "4000");
            CHECK_STR(scrim_result_kept(result, 0), cases[i].kept);
        }
        scrim_result_free(result);
    }
}

/* A quantile belongs to its measurement, to its range and to rows that there can be. */
TEST(result_refuses_quantiles_that_nobody_has_drawn)
{
    static const char ok[] = "quantile p=0.5 epsilon=0.25 lower=0 upper=120 max-rows=1 "
                             "neighbours=add-remove";
    static const char none[] = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0";
    static const struct {
        const char *line, *quantile, *around;
        scrim_status status;
    } cases[] = {
        {ok, "60", none, SCRIM_OK},
        {"quantile p=0.25,0.5 epsilon=0.25 lower=0 upper=120 max-rows=1 "
         "neighbours=add-remove",
         "60", none, SCRIM_E_LEDGER},
        {"quantile p=0.25 epsilon=0.25 lower=0 upper=120 max-rows=1 "
         "neighbours=add-remove",
         "60", none, SCRIM_E_LEDGER},
        {"laplace sensitivity=1 epsilon=0.25 neighbours=add-remove", "60", none,
         SCRIM_E_LEDGER},
        {ok, "121", none, SCRIM_E_LEDGER},
        {ok, "-1", none, SCRIM_E_LEDGER},
        {ok, "60", "0 0 0 0 none 0 0 0 0 0 0 0 0 0 0 0 0", SCRIM_E_LEDGER},
        {ok, "60",
         "0 0 0 0 170141183460469231731687303715884105727 0 0 0 0 0 0 0 0 0 0 0 0",
         SCRIM_E_LEDGER},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char record[4000];
        scrim_result *result = NULL;
        snprintf(record, sizeof record,
                 HEAD "statement SELECT MEDIAN ( age ) AS m\nkeys none\npart 0 1 %s\n"
                      "part 1 1 laplace sensitivity=1 epsilon=0.25 "
                      "neighbours=add-remove\nnumbers 18\nrow - %s %s\n",
                 cases[i].line, cases[i].quantile, cases[i].around);
        if (!CHECK_STATUS(sc_result_new(sc_text_of(record), NULL, &origin, &result, NULL),
                          cases[i].status))
            CHECK_FAIL("%s, %s, %s", cases[i].line, cases[i].quantile, cases[i].around);
        scrim_result_free(result);
    }
}

TEST(result_survives_without_memory)
{
    static const char record[] =
        HEAD "statement SELECT sex , COUNT ( * ) AS n GROUP BY sex ORDER BY n\n"
             "keys public\n" COUNT_PART "numbers 1\nrow a%00 1\nrow b%00 2\n";
    FAULT_LOOP(fault)
    {
        scrim_result *result = NULL;
        scrim_error error;
        const scrim_status status =
            sc_result_new(sc_text_of(record), "0.9", &origin, &result, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        scrim_result_free(result);
    }
}

/* A value that is shown because it is large is too large: the reader is told. */
TEST(result_says_what_an_interval_does_not_cover)
{
    scrim_result *result = result_of(
        HEAD "statement SELECT sex, COUNT(DISTINCT person_id) AS n GROUP BY sex\n"
             "keys discovered\npart - 1 threshold-laplace epsilon=1 delta=1e-6 "
             "max-groups=2 neighbours=add-remove\nnumbers 1\nrow a%00 40\n",
        NULL);
    REQUIRE(result != NULL);
    CHECK_STR(scrim_result_cell_at(result, 0, 0, 1)->value, "40");
    CHECK(scrim_result_column_at(result, 0, 0)->note == NULL);
    const char *note = scrim_result_column_at(result, 0, 1)->note;
    CHECK(note != NULL && strstr(note, "tend to be too large") != NULL);
    scrim_result_free(result);
}
