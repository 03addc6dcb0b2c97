#include "check.h"
#include "exact.h"
#include "queries.h"
#include "query/estimate/column_guess.h"

#include <string.h>

static const char policy[] =
    "unit=row\ncolumn=age=int[0,120]\n"
    "column=pay=decimal[0,100000]/0.01\ncolumn=day=date[2020-01-01,"
    "2020-12-31]\ncolumn=word=text\n";

/* The text that is written again, or the message. */
static void check_text(const char *text, const char *want)
{
    const sc_schema *schema = NULL;
    sc_column_guesses guesses;
    scrim_error error = {.status = SCRIM_OK};
    char got[200];
    sc_text_sink sink;
    sc_text_sink_init(&sink, got, sizeof got);
    sc_column_guesses_init(&guesses);
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, NULL));
    scrim_status status = sc_column_guesses_parse(sc_text_of(text), &guesses, &error);
    if (status == SCRIM_OK)
        status = sc_column_guesses_check(&guesses, schema, &error);
    sc_column_guesses_put(&guesses, &sink);
    CHECK_STR(status == SCRIM_OK ? got : error.message, want);
    sc_column_guesses_clear(&guesses);
    sc_schema_free(schema);
}

TEST(column_guess_is_written_as_it_was_read)
{
    check_text("", "");
    check_text("age=38.6:13.6", "age=38.6:13.6");
    check_text(" age = 77/2 ", "age=38.5");
    check_text("age=38.60:13,pay=4e3:1e3", "age=38.6:13,pay=4000:1000");
    check_text("pay=0.5,age=120", "pay=0.5,age=120");
}

TEST(column_guess_that_is_none)
{
    CLAIM("column-guess.possible");
    static const char none[] =
        "expect: 'age' is neither a number of rows nor a column with its mean and "
        "deviation, as in 1000,age=38.6:13.6";
    check_text("age", none);
    check_text("age=x",
               "expect: 'x' is not an exact number; a guess of a column is its mean and "
               "deviation, as in 1000,age=38.6:13.6");
    check_text("age=1,age=2", "expect: 'age' is guessed twice");
    check_text("ag=1", "expect: unknown column 'ag'; did you mean 'age'?");
    check_text("word=1", "expect: 'word' is not a column of numbers");
    check_text("day=1", "expect: 'day' is not a column of numbers");
    check_text("age=121", "expect: the mean of 'age' must be within its declared range");
    check_text("age=-1", "expect: the mean of 'age' must be within its declared range");
    check_text("age=60:0", "expect: the deviation of 'age' must be above 0");
    /* Half of them at 0 and half at 120 have 60, and no rows have more. */
    check_text("age=60:60", "age=60:60");
    check_text("age=60:60.01", "expect: within the range of 'age' no rows of that mean "
                               "have that deviation");
    check_text("age=0:0.1", "expect: within the range of 'age' no rows of that mean have "
                            "that deviation");
}

/* The moments of ages 0 to 120, centre and radius 60. */
static void check_moments(const char *text, const char *mean, const char *variance)
{
    const sc_typed value = {.extent = {0, 120, {1, 1}}};
    const sc_query_aggregate a = {.value = &value, .centre = 60, .radius = 60};
    sc_column_guesses guesses;
    char got[SC_RATIO_TEXT_BYTES];
    sc_ratio m, v;
    sc_ratio_init(&m);
    sc_ratio_init(&v);
    sc_column_guesses_init(&guesses);
    CHECK_STATUS(sc_column_guesses_parse(sc_text_of(text), &guesses, NULL), SCRIM_OK);
    sc_column_guess_moments(guesses.count > 0 ? &guesses.columns[0] : NULL, &a, &m, &v);
    sc_ratio_format(&m, got, sizeof got);
    CHECK_STR(got, mean);
    sc_ratio_format(&v, got, sizeof got);
    CHECK_STR(got, variance);
    sc_column_guesses_clear(&guesses);
    sc_ratio_clear(&v);
    sc_ratio_clear(&m);
}

TEST(column_guess_moments_are_in_steps_from_the_centre)
{
    CLAIM("column-guess.possible");
    check_moments("", "30", "225");
    check_moments("age=38.5:12", "-21.5", "144");
    check_moments("age=38.5", "-21.5", "225");
    /* A mean of 1 leaves room for 119 and no more. */
    check_moments("age=1", "-59", "119");
}
