#include "check.h"
#include "random/bits_tape.h"
#include "sampling/distribution_tape.h"

#include <stdio.h>
#include <string.h>

/* The catalogue. */

/* One line of each kind, with values that are not in their shortest form. */
static const struct {
    const char *line, *canonical;
} lines[] = {
    {"uniform n=0010", "uniform n=10"},
    {"bernoulli p=6/14", "bernoulli p=3/7"},
    {"bernoulli-exp x=0.50", "bernoulli-exp x=0.5"},
    {"geometric scale=2^3", "geometric scale=8"},
    {"  discrete-laplace \t scale=1e1  ", "discrete-laplace scale=10"},
    {"discrete-gaussian variance=2/6", "discrete-gaussian variance=1/3"},
    {"truncated-laplace bound=5 scale=10/4", "truncated-laplace scale=2.5 bound=5"},
    {"clamped-laplace bound=2^4 scale=1.250", "clamped-laplace scale=1.25 bound=16"},
    {"shifted-laplace q=7 epsilon=2/20", "shifted-laplace epsilon=0.1 q=7"},
};
enum { LINES = sizeof lines / sizeof *lines };

TEST(catalogue_lists_each_distribution_once)
{
    size_t count = 0;
    const scrim_distribution_entry *entry;
    for (; (entry = scrim_distribution_at(count)) != NULL; count++) {
        const size_t name = strlen(entry->name);
        CHECK(strncmp(lines[count % LINES].canonical, entry->name, name) == 0);
        CHECK(entry->parameters[0] != '\0' && entry->law[0] != '\0' &&
              entry->domain[0] != '\0');
        for (size_t i = 0; i < count; i++)
            CHECK(strcmp(scrim_distribution_at(i)->name, entry->name) != 0);
        /* Every parameter of the descriptor is in the texts that are shown. */
        const sc_distribution_kind *kind = sc_distribution_kind_at(count);
        for (size_t i = 0; i < kind->parameter_count; i++) {
            CHECK(strstr(entry->parameters, kind->parameters[i].name) != NULL);
            CHECK(strstr(entry->domain, kind->parameters[i].name) != NULL);
        }
    }
    CHECK_INT(count, LINES);
    CHECK(scrim_distribution_at(SIZE_MAX) == NULL);
}

TEST(canonical_text_parses_back_to_itself)
{
    for (size_t i = 0; i < LINES; i++) {
        scrim_distribution *d = NULL, *again = NULL;
        scrim_error error = {.status = SCRIM_OK};
        REQUIRE_OK(scrim_distribution_parse(lines[i].line, &d, &error));
        CHECK_STR(scrim_distribution_text(d), lines[i].canonical);
        REQUIRE_OK(scrim_distribution_parse(scrim_distribution_text(d), &again, NULL));
        CHECK_STR(scrim_distribution_text(again), lines[i].canonical);
        CHECK_INT(error.status, SCRIM_OK); /* left alone by success */
        scrim_distribution_free(d);
        scrim_distribution_free(again);
    }
    scrim_distribution_free(NULL);
}

/* Lines that are refused. */

typedef struct refusal {
    const char *line;
    scrim_status status;
    const char *says[2]; /* what the message contains */
} refusal;

static void check_refused(const refusal *r)
{
    scrim_distribution *d = NULL;
    scrim_error error = {.status = SCRIM_OK};
    const scrim_status status = scrim_distribution_parse(r->line, &d, &error);
    bool ok = CHECK_STATUS(status, r->status) && CHECK_INT(error.status, r->status);
    ok = CHECK(d == NULL) && ok;
    for (size_t i = 0; i < 2; i++)
        ok = CHECK(r->says[i] == NULL || strstr(error.message, r->says[i]) != NULL) && ok;
    ok = CHECK(strchr(error.message, '\n') == NULL) && ok;
    if (!ok)
        CHECK_FAIL("'%.60s' says '%s'", r->line == NULL ? "(null)" : r->line,
                   error.message);
    CHECK_STATUS(scrim_distribution_parse(r->line, &d, NULL), r->status);
    if (status == SCRIM_OK)
        scrim_distribution_free(d);
}

TEST(lines_that_are_no_distribution_are_refused)
{
    static const refusal list[] = {
        {NULL, SCRIM_E_PARAM, {"text is missing", NULL}},
        {"", SCRIM_E_SYNTAX, {"discrete-laplace scale=10", NULL}},
        {" \t ", SCRIM_E_SYNTAX, {"discrete-laplace scale=10", NULL}},
        {"laplas", SCRIM_E_PARAM, {"unknown distribution 'laplas'", NULL}},
        {"laplace scale=1", SCRIM_E_PARAM, {"did you mean 'discrete-laplace'", NULL}},
        {"gaussian variance=1",
         SCRIM_E_PARAM,
         {"did you mean 'discrete-gaussian'", NULL}},
        {"discrete-laplase scale=1",
         SCRIM_E_PARAM,
         {"did you mean 'discrete-laplace'", NULL}},
        {"discrete-gausian variance=1", SCRIM_E_PARAM, {"'discrete-gaussian'", NULL}},
        {"Uniform n=2", SCRIM_E_PARAM, {"did you mean 'uniform'", NULL}},
        {"uniform\nn=2", SCRIM_E_PARAM, {"unknown distribution 'uniform?n=2'", NULL}},
        {"uniform", SCRIM_E_PARAM, {"n is missing", "an integer from 1 to 1.3e36"}},
        {"uniform n", SCRIM_E_SYNTAX, {"'n'", "key=value"}},
        {"uniform =3", SCRIM_E_SYNTAX, {"'=3'", "key=value"}},
        {"uniform n=3 n=3", SCRIM_E_PARAM, {"n is given twice", NULL}},
        {"uniform m=3", SCRIM_E_PARAM, {"unknown parameter 'm'", "n"}},
        {"uniform n=3 seed=1", SCRIM_E_PARAM, {"unknown parameter 'seed'", "n"}},
        {"discrete-laplace scal=3", SCRIM_E_PARAM, {"did you mean 'scale'", NULL}},
        {"discrete-laplace", SCRIM_E_PARAM, {"scale is missing", "a rational above 0"}},
        {"truncated-laplace scale=1", SCRIM_E_PARAM, {"bound is missing", "an integer"}},
        {"truncated-laplace bound=1", SCRIM_E_PARAM, {"scale is missing", "a rational"}},
        {"truncated-laplace scale=1 bound=1.5",
         SCRIM_E_PARAM,
         {"bound", "an integer from 1"}},
        {"uniform n=2.5", SCRIM_E_PARAM, {"n: 2.5 is not an integer", "1.3e36"}},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        check_refused(&list[i]);
}

TEST(values_that_are_no_number_are_refused)
{
    static const char *const values[] = {
        "nan",          "NaN",   "-nan",  "inf",   "-inf", "Infinity", "",
        "0x10",         "1e",    "1/0",   "0/0",   "1,5",  "1.5.2",    "--1",
        "ten",          "+",     ".",     "1e1e1", "0^0",  "1/3/5",    "\xff",
        "\xe2\x88\x9e", "1_000", "$(id)", "'1'"};
    for (size_t i = 0; i < LINES; i++)
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            /* The line with its last value replaced. */
            char line[128];
            const char *whole = lines[i].canonical, *equals = strrchr(whole, '=');
            snprintf(line, sizeof line, "%.*s%s", (int)(equals + 1 - whole), whole,
                     values[j]);
            scrim_distribution *d = NULL;
            scrim_error error = {.status = SCRIM_OK};
            const scrim_status status = scrim_distribution_parse(line, &d, &error);
            CHECK_STATUS(status, SCRIM_E_PARAM);
            CHECK(d == NULL);
            CHECK(strstr(error.message, "is not a number") != NULL);
        }
}

/* At each bound, and a hair inside and outside of it. */
TEST(values_at_their_bounds)
{
    static const struct {
        const char *line;
        scrim_status status;
        const char *domain; /* what a refusal names */
    } list[] = {
        {"uniform n=1", SCRIM_OK, NULL},
        {"uniform n=0", SCRIM_E_PARAM, "n must be an integer from 1 to 1.3e36"},
        {"uniform n=-1", SCRIM_E_PARAM, "n must be an integer from 1 to 1.3e36"},
        {"uniform n=2^120", SCRIM_OK, NULL},
        {"uniform n=1329227995784915872903807060280344577", SCRIM_E_LIMIT,
         "n must be an integer from 1 to 1.3e36"},
        {"bernoulli p=0", SCRIM_OK, NULL},
        {"bernoulli p=1", SCRIM_OK, NULL},
        {"bernoulli p=1e-300", SCRIM_OK, NULL},
        {"bernoulli p=-1e-300", SCRIM_E_PARAM, "p must be a rational from 0 to 1"},
        {"bernoulli p=1000000000001/1000000000000", SCRIM_E_PARAM,
         "p must be a rational from 0 to 1"},
        {"bernoulli-exp x=0", SCRIM_OK, NULL},
        {"bernoulli-exp x=-1e-300", SCRIM_E_PARAM,
         "x must be a rational from 0 to 1.1e18"},
        {"bernoulli-exp x=2^60", SCRIM_OK, NULL},
        {"bernoulli-exp x=1152921504606846976.001", SCRIM_E_LIMIT,
         "x must be a rational from 0 to 1.1e18"},
        {"discrete-laplace scale=0", SCRIM_E_PARAM, "scale must be a rational above 0"},
        {"discrete-laplace scale=-1", SCRIM_E_PARAM, "scale must be a rational above 0"},
        {"discrete-laplace scale=2^-60", SCRIM_OK, NULL},
        {"discrete-laplace scale=1/1152921504606846977", SCRIM_E_LIMIT,
         "from 8.7e-19 to 1.1e18"},
        {"discrete-laplace scale=1/1152921504606846975", SCRIM_OK, NULL},
        {"discrete-laplace scale=2^60", SCRIM_OK, NULL},
        {"discrete-laplace scale=1152921504606846976.5", SCRIM_E_LIMIT,
         "from 8.7e-19 to 1.1e18"},
        {"discrete-laplace scale=1152921504606846975.5", SCRIM_OK, NULL},
        {"geometric scale=0", SCRIM_E_PARAM, "scale must be a rational above 0"},
        {"geometric scale=2^-61", SCRIM_E_LIMIT, "from 8.7e-19 to 1.1e18"},
        {"geometric scale=2^61", SCRIM_E_LIMIT, "from 8.7e-19 to 1.1e18"},
        {"discrete-gaussian variance=0", SCRIM_E_PARAM,
         "variance must be a rational above 0"},
        {"discrete-gaussian variance=-1", SCRIM_E_PARAM,
         "variance must be a rational above 0"},
        {"discrete-gaussian variance=2^-120", SCRIM_OK, NULL},
        {"discrete-gaussian variance=2^-121", SCRIM_E_LIMIT, "from 7.6e-37 to 1.3e36"},
        {"discrete-gaussian variance=2^120", SCRIM_OK, NULL},
        {"discrete-gaussian variance=1329227995784915872903807060280344576.5",
         SCRIM_E_LIMIT, "from 7.6e-37 to 1.3e36"},
        {"truncated-laplace scale=1 bound=0", SCRIM_E_PARAM,
         "bound must be an integer from 1 to 1.1e18"},
        {"truncated-laplace scale=1 bound=1", SCRIM_OK, NULL},
        {"truncated-laplace scale=1 bound=2^60", SCRIM_OK, NULL},
        {"truncated-laplace scale=1 bound=1152921504606846977", SCRIM_E_LIMIT,
         "bound must be an integer from 1 to 1.1e18"},
        {"clamped-laplace scale=1 bound=0", SCRIM_E_PARAM,
         "bound must be an integer from 1 to 1.1e18"},
        {"clamped-laplace scale=2^60 bound=2^60", SCRIM_OK, NULL},
        {"clamped-laplace scale=1 bound=2^61", SCRIM_E_LIMIT,
         "bound must be an integer from 1 to 1.1e18"},
        {"shifted-laplace epsilon=0 q=1", SCRIM_E_PARAM,
         "epsilon must be a rational above 0"},
        {"shifted-laplace epsilon=2^-60 q=1", SCRIM_OK, NULL},
        {"shifted-laplace epsilon=2^60 q=2^60", SCRIM_OK, NULL},
        {"shifted-laplace epsilon=2^-61 q=1", SCRIM_E_LIMIT, "from 8.7e-19 to 1.1e18"},
        {"shifted-laplace epsilon=2^61 q=1", SCRIM_E_LIMIT, "from 8.7e-19 to 1.1e18"},
        {"shifted-laplace epsilon=1 q=0", SCRIM_E_PARAM,
         "q must be an integer from 1 to 1.1e18"},
        {"shifted-laplace epsilon=1 q=2^61", SCRIM_E_LIMIT,
         "q must be an integer from 1 to 1.1e18"},
        {"discrete-laplace scale=1e999999999", SCRIM_E_LIMIT, "scale must be a rational"},
        {"discrete-laplace scale=1e-999999999", SCRIM_E_LIMIT,
         "scale must be a rational"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (list[i].status != SCRIM_OK) {
            const refusal r = {list[i].line, list[i].status, {list[i].domain, NULL}};
            check_refused(&r);
            continue;
        }
        scrim_distribution *d = NULL;
        scrim_wide value;
        if (!CHECK_STATUS(scrim_distribution_parse(list[i].line, &d, NULL), SCRIM_OK))
            CHECK_FAIL("%s", list[i].line);
        else
            CHECK_STATUS(scrim_distribution_draw_wide(d, 1, &value, NULL), SCRIM_OK);
        scrim_distribution_free(d);
    }
}

/* A megabyte of anything is refused, quickly, in one line. */
TEST(megabytes_of_text_are_refused)
{
    enum { MEGABYTE = 1 << 20 };
    static const struct {
        const char *start;
        char fill;
        scrim_status status;
    } list[] = {{"", 'a', SCRIM_E_PARAM},
                {"", ' ', SCRIM_E_SYNTAX},
                {"", '\xc3', SCRIM_E_PARAM},
                {"discrete-laplace scale=", '9', SCRIM_E_LIMIT},
                {"discrete-laplace scale=0.", '3', SCRIM_E_LIMIT},
                {"discrete-laplace scale=1e", '9', SCRIM_E_LIMIT},
                {"discrete-laplace scale=2^", '9', SCRIM_E_LIMIT},
                {"discrete-laplace scale=1/", '7', SCRIM_E_LIMIT},
                {"discrete-laplace scale=", '-', SCRIM_E_PARAM},
                {"discrete-laplace scale=1 ", 'x', SCRIM_E_SYNTAX},
                {"discrete-laplace scale=1 ", '=', SCRIM_E_SYNTAX}};
    char *text = calloc(1, MEGABYTE + 1);
    REQUIRE(text != NULL);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        memset(text, list[i].fill, MEGABYTE);
        memcpy(text, list[i].start, strlen(list[i].start));
        const refusal r = {text, list[i].status, {NULL, NULL}};
        check_refused(&r);
    }
    /* Spaces are nothing. */
    snprintf(text, MEGABYTE + 1, "uniform%*s", MEGABYTE - 7, "n=10");
    scrim_distribution *d = NULL;
    CHECK_STATUS(scrim_distribution_parse(text, &d, NULL), SCRIM_OK);
    CHECK_STR(scrim_distribution_text(d), "uniform n=10");
    scrim_distribution_free(d);
    free(text);
}

/* A message is UTF-8 whatever the line was, and cuts no character in two. */
TEST(messages_are_whole_characters)
{
    for (size_t length = 30; length < 50; length++) {
        char line[128];
        scrim_distribution *d = NULL;
        scrim_error error = {.status = SCRIM_OK};
        memset(line, 'a', length);
        memcpy(line + length, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xb2 n=1", 14);
        CHECK_STATUS(scrim_distribution_parse(line, &d, &error), SCRIM_E_PARAM);
        CHECK(strchr(error.message, '?') == NULL);
        CHECK((strstr(error.message, "...") != NULL) == (length + 9 > 40));
        sc_text rest = sc_text_of(error.message);
        while (rest.bytes > 0) {
            const size_t bytes = sc_text_character(rest);
            REQUIRE(bytes > 0);
            rest.start += bytes;
            rest.bytes -= bytes;
        }
    }
}

/* Drawing. */

TEST(two_handles_draw_different_numbers)
{
    enum { COUNT = 64 };
    scrim_distribution *a = NULL, *b = NULL;
    int64_t x[COUNT], y[COUNT], z[COUNT];
    unsigned same = 0;
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=2^40", &a, NULL));
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=2^40", &b, NULL));
    REQUIRE_OK(scrim_distribution_draw(a, COUNT, x, NULL));
    REQUIRE_OK(scrim_distribution_draw(b, COUNT, y, NULL));
    REQUIRE_OK(scrim_distribution_draw(a, COUNT, z, NULL));
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++)
            same +=
                x[i] == y[j] || x[i] == z[j] || y[i] == z[j] || (i < j && x[i] == x[j]);
    CHECK_INT(same, 0); /* 10^4 pairs of numbers of 40 bits: one run in 10^8 has a pair */
    scrim_distribution_free(a);
    scrim_distribution_free(b);
}

/* Public calls draw what the roads draw from the same bits: narrow and wide
 * forms agree, and so do one call and many. */
TEST(narrow_and_wide_draws_agree)
{
    enum { COUNT = 1000 };
    static int64_t narrow[COUNT];
    static scrim_wide wide[COUNT];
    static sc_int128 plain[COUNT];
    for (size_t i = 0; i < LINES; i++) {
        scrim_distribution *d = NULL;
        sc_tape *tape[3] = {NULL, NULL, NULL};
        REQUIRE_OK(scrim_distribution_parse(lines[i].line, &d, NULL));
        CHECK_INT(scrim_distribution_is_narrow(d), 1);
        for (int j = 0; j < 3; j++)
            REQUIRE_OK(sc_tape_seeded(check_seed() + i, &tape[j], NULL));
        sc_distribution_use_bits(d, sc_tape_bits_of(tape[0]));
        REQUIRE_OK(scrim_distribution_draw(d, 1, narrow, NULL));
        REQUIRE_OK(scrim_distribution_draw(d, COUNT - 1, narrow + 1, NULL));
        sc_distribution_use_bits(d, sc_tape_bits_of(tape[1]));
        REQUIRE_OK(scrim_distribution_draw_wide(d, COUNT, wide, NULL));
        REQUIRE_OK(
            sc_distribution_fill_wide(d, sc_tape_bits_of(tape[2]), COUNT, plain, NULL));
        for (size_t j = 0; j < COUNT; j++) {
            CHECK_INT(plain[j], narrow[j]);
            CHECK_INT((int64_t)wide[j].low, narrow[j]);
            CHECK_INT(wide[j].high, narrow[j] < 0 ? -1 : 0);
        }
        CHECK_INT(sc_tape_used(tape[0]), sc_tape_used(tape[1]));
        scrim_distribution_free(d);
        for (int j = 0; j < 3; j++)
            sc_tape_free(tape[j]);
    }
}

TEST(draws_that_fail_leave_zeros)
{
    enum { COUNT = 500 };
    static int64_t narrow[COUNT], zeros[COUNT];
    static scrim_wide wide[COUNT];
    static const scrim_wide wide_zeros[COUNT];
    uint64_t words[100];
    sc_tape *source = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &source, NULL));
    for (size_t i = 0; i < 100; i++)
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(source), &words[i], NULL));
    sc_tape_free(source);
    for (size_t i = 0; i < LINES; i++) {
        scrim_distribution *d = NULL;
        sc_tape *tape = NULL;
        scrim_error error = {.status = SCRIM_OK};
        REQUIRE_OK(scrim_distribution_parse(lines[i].line, &d, NULL));
        memset(narrow, 0x5a, sizeof narrow);
        memset(wide, 0x5a, sizeof wide);
        REQUIRE_OK(sc_tape_words(words, 100, &tape, NULL)); /* ends in the middle */
        sc_distribution_use_bits(d, sc_tape_bits_of(tape));
        CHECK_STATUS(scrim_distribution_draw(d, COUNT, narrow, &error), SCRIM_E_ENTROPY);
        CHECK_BYTES(narrow, zeros, sizeof narrow);
        CHECK_STATUS(scrim_distribution_draw_wide(d, COUNT, wide, &error),
                     SCRIM_E_ENTROPY);
        CHECK_BYTES(wide, wide_zeros, sizeof wide);
        CHECK_INT(error.status, SCRIM_E_ENTROPY);
        scrim_distribution_free(d);
        sc_tape_free(tape);
    }
}

TEST(drawing_nothing_is_allowed)
{
    scrim_distribution *d = NULL;
    int64_t untouched = 5;
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=10", &d, NULL));
    CHECK_STATUS(scrim_distribution_draw(d, 0, &untouched, NULL), SCRIM_OK);
    CHECK_STATUS(scrim_distribution_draw_wide(d, 0, NULL, NULL), SCRIM_OK);
    CHECK_INT(untouched, 5);
    scrim_distribution_free(d);
}

/* The law, as shown. */

static scrim_wide wide_of(sc_int128 value)
{
    return (scrim_wide){(uint64_t)value, (int64_t)(value >> 64)};
}

static sc_int128 of_wide(scrim_wide value)
{
    return (sc_int128)((sc_uint128)(uint64_t)value.high << 64 | value.low);
}

TEST(probability_bounds_enclose_the_law)
{
    scrim_distribution *d = NULL;
    double lower = 0, upper = 0;
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=1", &d, NULL));
    REQUIRE_OK(
        scrim_distribution_probability(d, wide_of(0), wide_of(0), &lower, &upper, NULL));
    CHECK(lower < upper);
    CHECK_NEAR(lower, 0.46211715726000975850, 1e-15);
    CHECK_NEAR(upper, 0.46211715726000975850, 1e-15);
    CHECK(lower <= 0.46211715726000975850 && upper >= 0.46211715726000975850);
    /* Everything; nothing; a far tail, in full precision. */
    REQUIRE_OK(scrim_distribution_probability(
        d, wide_of(SC_INT128_MIN), wide_of(SC_INT128_MAX), &lower, &upper, NULL));
    CHECK(lower > 1 - 1e-15 && upper == 1);
    REQUIRE_OK(
        scrim_distribution_probability(d, wide_of(3), wide_of(2), &lower, &upper, NULL));
    CHECK(lower == 0 && upper == 0);
    REQUIRE_OK(scrim_distribution_probability(d, wide_of(700), wide_of(SC_INT128_MAX),
                                              &lower, &upper, NULL));
    CHECK(lower > 0 && upper < lower * (1 + 1e-14));
    scrim_distribution_free(d);
    /* One number of a law of 2^60, and two neighbours: no cancellation. */
    REQUIRE_OK(scrim_distribution_parse("discrete-laplace scale=2^60", &d, NULL));
    REQUIRE_OK(
        scrim_distribution_probability(d, wide_of(5), wide_of(6), &lower, &upper, NULL));
    CHECK_NEAR(lower, 0x1p-60, 1e-12);
    CHECK_NEAR(upper, 0x1p-60, 1e-12);
    scrim_distribution_free(d);
}

TEST(quantiles_and_moments_are_shown)
{
    scrim_distribution *d = NULL;
    scrim_wide value = {9, 9};
    scrim_moments moments;
    scrim_error error = {.status = SCRIM_OK};
    char text[SCRIM_WIDE_BYTES];
    REQUIRE_OK(scrim_distribution_parse("uniform n=2^100", &d, NULL));
    REQUIRE_OK(scrim_distribution_quantile(d, "0.5", &value, NULL));
    CHECK(of_wide(value) == ((sc_int128)1 << 99) - 1);
    CHECK_INT(scrim_wide_format(value, text), 30);
    CHECK_STR(text, "633825300114114700748351602687");
    CHECK_STATUS(scrim_distribution_quantile(d, "1", &value, &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_distribution_quantile(d, "0", &value, &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_distribution_quantile(d, "half", &value, &error), SCRIM_E_SYNTAX);
    CHECK_STATUS(scrim_distribution_quantile(d, NULL, &value, &error), SCRIM_E_SYNTAX);
    CHECK(of_wide(value) == ((sc_int128)1 << 99) - 1);
    scrim_distribution_free(d);
    REQUIRE_OK(scrim_distribution_parse("shifted-laplace epsilon=1 q=7", &d, NULL));
    REQUIRE_OK(scrim_distribution_moments(d, &moments, NULL));
    CHECK(moments.mean_lower <= -3.5 && moments.mean_upper >= -3.5);
    CHECK_NEAR(moments.mean_upper, -3.5, 1e-15);
    CHECK(moments.variance_lower <= moments.variance_upper);
    CHECK_NEAR(moments.variance_lower, moments.variance_upper, 1e-14);
    REQUIRE_OK(scrim_distribution_quantile(d, "1/2", &value, NULL));
    CHECK(of_wide(value) == -4);
    CHECK_INT(scrim_wide_format(value, text), 2);
    CHECK_STR(text, "-4");
    scrim_distribution_free(d);
}

TEST(wide_numbers_are_formatted_to_their_ends)
{
    char text[SCRIM_WIDE_BYTES];
    scrim_wide_format((scrim_wide){0, INT64_MIN}, text);
    CHECK_STR(text, "-170141183460469231731687303715884105728");
    scrim_wide_format((scrim_wide){UINT64_MAX, INT64_MAX}, text);
    CHECK_STR(text, "170141183460469231731687303715884105727");
    scrim_wide_format((scrim_wide){UINT64_MAX, -1}, text);
    CHECK_STR(text, "-1");
    scrim_wide_format((scrim_wide){0, 1}, text);
    CHECK_STR(text, "18446744073709551616");
}
