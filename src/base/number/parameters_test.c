#include "base/number/parameters.h"
#include "check.h"
#include "faults.h"

#include <string.h>

static const sc_parameter_rule list[] = {
    {.name = "scale",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .limit_low = "2^-32",
     .limit_high = "2^60",
     .domain = "a rational above 0, from 2^-32 to 2^60"},
    {.name = "bound",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "2^62",
     .domain = "an integer from 1 to 2^62"},
    {.name = "rate",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .at_least = "0",
     .below = "1",
     .domain = "a rational from 0 to below 1"},
    {.name = "shift",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .at_most = "10",
     .domain = "an integer of at most 10"},
};

/* The line. */

TEST(parameters_split_a_line)
{
    sc_text name = sc_text_of("before"), rest = sc_text_of("before");
    CHECK(!sc_parameters_line(sc_text_of(""), &name, &rest));
    CHECK(!sc_parameters_line(sc_text_of(" \t"), &name, &rest));
    CHECK(!sc_parameters_line((sc_text){NULL, 0}, &name, &rest));
    CHECK(sc_text_is(name, "before") && sc_text_is(rest, "before"));
    REQUIRE(sc_parameters_line(sc_text_of("  laplace \t a=1  b=2 "), &name, &rest));
    CHECK(sc_text_is(name, "laplace"));
    CHECK(sc_text_is(rest, "a=1  b=2"));
    REQUIRE(sc_parameters_line(sc_text_of("laplace"), &name, &rest));
    CHECK(sc_text_is(name, "laplace"));
    CHECK_INT(rest.bytes, 0);
}

static void accepts(const char *text, const char *canonical)
{
    char line[200];
    sc_parameters parameters, again;
    scrim_error error = {.message = ""};
    sc_parameters_init(&parameters, list, COUNT(list));
    sc_parameters_init(&again, list, COUNT(list));
    if (!CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of(text), &error),
                      SCRIM_OK))
        CHECK_STR(error.message, "");
    CHECK_INT(sc_parameters_format(&parameters, "test", line, sizeof line),
              strlen(canonical));
    CHECK_STR(line, canonical);
    /* The canonical line is read again as itself. */
    sc_text name, rest;
    CHECK(sc_parameters_line(sc_text_of(canonical), &name, &rest));
    CHECK_STATUS(sc_parameters_parse(&again, rest, &error), SCRIM_OK);
    for (size_t i = 0; i < COUNT(list); i++) {
        CHECK(again.given[i] == parameters.given[i]);
        CHECK(sc_ratio_compare(&again.value[i], &parameters.value[i]) == 0);
    }
    sc_parameters_clear(&again);
    sc_parameters_clear(&parameters);
}

TEST(parameters_read_and_print)
{
    accepts("scale=10 bound=5", "test scale=10 bound=5");
    accepts("bound=5 scale=10", "test scale=10 bound=5");
    accepts("\tbound=2^62   scale=2^60\t", "test scale=1152921504606846976 "
                                           "bound=4611686018427387904");
    accepts("scale=2^-32 bound=1.0", "test scale=1/4294967296 bound=1");
    accepts("scale=4/6 bound=1e3 rate=0", "test scale=2/3 bound=1000 rate=0");
    accepts("shift=-1e6 rate=.999 scale=1/10 bound=10/2",
            "test scale=0.1 bound=5 rate=0.999 shift=-1000000");
    accepts("scale=1 bound=1 shift=10", "test scale=1 bound=1 shift=10");
}

TEST(parameters_format_cuts_as_snprintf_does)
{
    static const char whole[] = "test scale=10 bound=5";
    sc_parameters parameters;
    sc_parameters_init(&parameters, list, COUNT(list));
    REQUIRE_OK(sc_parameters_parse(&parameters, sc_text_of("scale=10 bound=5"), NULL));
    for (size_t capacity = 1; capacity <= sizeof whole; capacity++) {
        char text[40];
        memset(text, '#', sizeof text);
        CHECK_INT(sc_parameters_format(&parameters, "test", text, capacity),
                  strlen(whole));
        CHECK_BYTES(text, whole, capacity - 1);
        CHECK_INT(text[capacity - 1], '\0');
        CHECK_INT(text[capacity], '#');
    }
    CHECK_INT(sc_parameters_format(&parameters, "test", NULL, 0), strlen(whole));
    sc_parameters_clear(&parameters);
}

TEST(parameters_get_what_was_given)
{
    sc_parameters parameters;
    sc_parameters_init(&parameters, list, COUNT(list));
    CHECK(sc_parameters_get(&parameters, "scale") == NULL);
    REQUIRE_OK(
        sc_parameters_parse(&parameters, sc_text_of("scale=1/3 bound=5 rate=0.5"), NULL));
    const sc_ratio *bound = sc_parameters_get(&parameters, "bound");
    REQUIRE(bound != NULL);
    CHECK(sc_ratio_compare_int64(bound, 5) == 0);
    CHECK(sc_parameters_get(&parameters, "rate") == &parameters.value[2]);
    CHECK(sc_parameters_get(&parameters, "shift") == NULL);
    CHECK(sc_parameters_get(&parameters, "nothing") == NULL);
    /* A second line leaves nothing of the first. */
    REQUIRE_OK(sc_parameters_parse(&parameters, sc_text_of("scale=1 bound=6"), NULL));
    CHECK(sc_parameters_get(&parameters, "rate") == NULL);
    sc_parameters_clear(&parameters);
}

/* Refusals. */

static void refuses(const char *text, scrim_status status, const char *message)
{
    char line[200];
    scrim_error error = {.message = ""};
    sc_parameters parameters;
    sc_parameters_init(&parameters, list, COUNT(list));
    CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of("scale=7 bound=8"), NULL),
                 SCRIM_OK);
    CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of(text), &error), status);
    CHECK_STATUS(error.status, status);
    CHECK_STR(error.message, message);
    CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of(text), NULL), status);
    sc_parameters_format(&parameters, "kept", line, sizeof line);
    CHECK_STR(line, "kept scale=7 bound=8");
    sc_parameters_clear(&parameters);
}

/* A number has the same domain whether it comes as text or as a value. */
TEST(parameters_take_values_as_texts)
{
    static const char *const texts[] = {
        "1",    "0",  "-1",   "1/3",  "2^60", "2^61", "2^-40",   "10.5",
        "2^62", "11", "0.99", "2^63", "1e-9", "-5/7", "2^-4000", "1e300"};
    sc_ratio value;
    sc_ratio_init(&value);
    for (size_t i = 0; i < COUNT(texts); i++)
        for (size_t j = 0; j < COUNT(list); j++) {
            char number[SC_RATIO_TEXT_BYTES];
            scrim_error as_text = {.message = ""}, as_value = {.message = ""};
            sc_parameters a, b;
            sc_parameters_init(&a, list, COUNT(list));
            sc_parameters_init(&b, list, COUNT(list));
            REQUIRE_OK(sc_ratio_parse(sc_text_of(texts[i]), &value, NULL));
            (void)sc_ratio_format(&value, number, sizeof number);
            const scrim_status status = sc_parameters_give(&a, sc_text_of(list[j].name),
                                                           sc_text_of(number), &as_text);
            CHECK_STATUS(
                sc_parameters_give_values(&b, list[j].name, &value, 1, &as_value),
                status);
            CHECK_STR(as_value.message, as_text.message);
            CHECK(a.given[j] == b.given[j] && b.given[j] == (status == SCRIM_OK));
            if (status == SCRIM_OK) {
                CHECK(sc_ratio_compare(&a.value[j], &b.value[j]) == 0);
                CHECK_STATUS(sc_parameters_give_values(&b, list[j].name, &value, 1, NULL),
                             SCRIM_E_PARAM);
            }
            sc_parameters_clear(&b);
            sc_parameters_clear(&a);
        }
    sc_ratio_clear(&value);
}

TEST(parameters_refuse_values_that_are_no_such_number)
{
    static const char *const words[] = {"yes", NULL};
    static const sc_parameter_rule all[] = {
        {.name = "whole", .kind = SC_PARAMETER_WORD, .words = words, .domain = "yes"},
        {.name = "p",
         .kind = SC_PARAMETER_RATIONALS,
         .below = "1",
         .domain = "rationals below 1"},
        {.name = "n", .kind = SC_PARAMETER_RATIONAL, .domain = "a rational"}};
    sc_ratio values[SC_PARAMETER_ITEMS + 1];
    sc_parameters parameters;
    for (size_t i = 0; i < COUNT(values); i++)
        sc_ratio_init(&values[i]);
    sc_parameters_init(&parameters, all, COUNT(all));
    CHECK_STATUS(sc_parameters_give_values(&parameters, "whole", values, 1, NULL),
                 SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_parameters_give_values(&parameters, "n", values, 2, NULL),
                 SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_parameters_give_values(&parameters, "none", values, 1, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_parameters_give_values(&parameters, "p", values, COUNT(values), NULL),
                 SCRIM_E_LIMIT);
    CHECK(!parameters.given[0] && !parameters.given[1] && !parameters.given[2]);
    sc_parameters_clear(&parameters);
    /* Beyond the bits that a text may have. */
    sc_integer one;
    sc_integer_init(&one);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_dyadic(&values[0], &one, SC_RATIO_BITS + 1);
    sc_integer_clear(&one);
    sc_parameters_init(&parameters, all, COUNT(all));
    CHECK_STATUS(sc_parameters_give_values(&parameters, "n", values, 1, NULL),
                 SCRIM_E_LIMIT);
    sc_parameters_clear(&parameters);
    for (size_t i = 0; i < COUNT(values); i++)
        sc_ratio_clear(&values[i]);
}

TEST(parameters_refuse_keys)
{
    refuses("scael=1 bound=1", SCRIM_E_PARAM,
            "unknown parameter 'scael'; did you mean 'scale'?");
    refuses("scale=1 bond=1", SCRIM_E_PARAM,
            "unknown parameter 'bond'; did you mean 'bound'?");
    refuses("epsilon=1", SCRIM_E_PARAM,
            "unknown parameter 'epsilon'; there are: scale, bound, rate, shift");
    refuses("Scale\x1b=1", SCRIM_E_PARAM,
            "unknown parameter 'Scale?'; did you mean 'scale'?");
    refuses("scale=1 bound=2 scale=1", SCRIM_E_PARAM,
            "scale is given twice; give it once");
    refuses("scale=1", SCRIM_E_PARAM,
            "bound is missing; give bound=..., an integer from 1 to 2^62");
    refuses("", SCRIM_E_PARAM,
            "scale is missing; give scale=..., a rational above 0, from 2^-32 to 2^60");
    refuses("scale bound=1", SCRIM_E_SYNTAX,
            "'scale' is not a parameter; write key=value");
    refuses("scale = 1", SCRIM_E_SYNTAX, "'scale' is not a parameter; write key=value");
    refuses("=1", SCRIM_E_SYNTAX, "'=1' is not a parameter; write key=value");
    refuses("0123456789012345678901234567890123456789more", SCRIM_E_SYNTAX,
            "'0123456789012345678901234567890123456789...' is not a parameter; write "
            "key=value");
}

TEST(parameters_refuse_values)
{
    refuses(
        "scale=-1 bound=1", SCRIM_E_PARAM,
        "scale: -1 is not allowed; scale must be a rational above 0, from 2^-32 to 2^60");
    refuses(
        "scale=0 bound=1", SCRIM_E_PARAM,
        "scale: 0 is not allowed; scale must be a rational above 0, from 2^-32 to 2^60");
    refuses("scale=abc bound=1", SCRIM_E_PARAM,
            "scale: 'abc' is not a number; scale must be a rational above 0, from 2^-32 "
            "to 2^60");
    refuses("scale= bound=1", SCRIM_E_PARAM,
            "scale: '' is not a number; scale must be a rational above 0, from 2^-32 to "
            "2^60");
    refuses("scale=nan bound=1", SCRIM_E_PARAM,
            "scale: 'nan' is not a number; scale must be a rational above 0, from 2^-32 "
            "to 2^60");
    refuses("scale=1=2 bound=1", SCRIM_E_PARAM,
            "scale: '1=2' is not a number; scale must be a rational above 0, from 2^-32 "
            "to 2^60");
    refuses("scale=1 bound=1/2", SCRIM_E_PARAM,
            "bound: 1/2 is not an integer; bound must be an integer from 1 to 2^62");
    refuses("scale=1 bound=0", SCRIM_E_PARAM,
            "bound: 0 is not allowed; bound must be an integer from 1 to 2^62");
    refuses("scale=1 bound=1 rate=1", SCRIM_E_PARAM,
            "rate: 1 is not allowed; rate must be a rational from 0 to below 1");
    refuses("scale=1 bound=1 rate=-1e-30", SCRIM_E_PARAM,
            "rate: -1e-30 is not allowed; rate must be a rational from 0 to below 1");
    refuses("scale=1 bound=1 shift=11", SCRIM_E_PARAM,
            "shift: 11 is not allowed; shift must be an integer of at most 10");
    refuses("scale=1.00000000000000000000000000000000000000000000x bound=1",
            SCRIM_E_PARAM,
            "scale: '1.00000000000000000000000000000000000000...' is not a number; scale "
            "must be a "
            "rational above 0, from 2^-32 to 2^60");
}

TEST(parameters_tell_a_limit_from_a_domain)
{
    refuses(
        "scale=2^61 bound=1", SCRIM_E_LIMIT,
        "scale: 2^61 is above the limit 1.1e18; scale must be a rational above 0, from "
        "2^-32 to 2^60");
    refuses(
        "scale=1152921504606846977 bound=1", SCRIM_E_LIMIT,
        "scale: 1152921504606846977 is above the limit 1.1e18; scale must be a rational "
        "above 0, "
        "from 2^-32 to 2^60");
    refuses(
        "scale=2^-33 bound=1", SCRIM_E_LIMIT,
        "scale: 2^-33 is below the limit 2.4e-10; scale must be a rational above 0, from "
        "2^-32 to "
        "2^60");
    refuses(
        "scale=1e999999999 bound=1", SCRIM_E_LIMIT,
        "scale: 1e999999999 has more than 4096 bits; scale must be a rational above 0, "
        "from 2^-32 "
        "to 2^60");
    /* Illegal and too large at once is illegal. */
    refuses("scale=-2^61 bound=1", SCRIM_E_PARAM,
            "scale: -2^61 is not allowed; scale must be a rational above 0, from 2^-32 "
            "to 2^60");
}

/* Odd lists. */

TEST(parameters_may_be_none)
{
    char line[20];
    scrim_error error;
    sc_parameters parameters;
    sc_parameters_init(&parameters, NULL, 0);
    CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of(" "), &error), SCRIM_OK);
    CHECK_INT(sc_parameters_format(&parameters, "coin", line, sizeof line), 4);
    CHECK_STR(line, "coin");
    CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of("p=1"), &error),
                 SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown parameter 'p'; there are none here");
    sc_parameters_clear(&parameters);
}

TEST(parameters_broken_lists_fail_closed)
{
    static const sc_parameter_rule many[SC_PARAMETERS_MAX + 1] = {
        {.name = "a", .optional = true}};
    static const sc_parameter_rule bad[] = {
        {.name = "a", .above = "zero", .domain = "a"}};
    scrim_error error;
    sc_parameters parameters;
    sc_parameters_init(&parameters, many, COUNT(many));
    CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of(""), &error),
                 SCRIM_E_INTERNAL);
    sc_parameters_clear(&parameters);
    sc_parameters_init(&parameters, bad, COUNT(bad));
    CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of("a=1"), &error),
                 SCRIM_E_INTERNAL);
    sc_parameters_clear(&parameters);
}

TEST(parameters_fill_the_longest_list)
{
    static const char *const names[SC_PARAMETERS_MAX] = {
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"};
    sc_parameter_rule longest[SC_PARAMETERS_MAX];
    sc_parameters parameters;
    char text[SC_PARAMETERS_MAX * 5 + 8], line[sizeof text];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, sizeof text);
    sc_text_put(&sink, sc_text_of("all"));
    for (size_t i = 0; i < SC_PARAMETERS_MAX; i++) {
        longest[i] = (sc_parameter_rule){.name = names[i], .domain = "a rational"};
        sc_text_put(&sink, sc_text_of(" "));
        sc_text_put(&sink, sc_text_of(names[i]));
        sc_text_put(&sink, sc_text_of("=7"));
    }
    sc_parameters_init(&parameters, longest, COUNT(longest));
    CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of(text + 3), NULL), SCRIM_OK);
    CHECK_INT(sc_parameters_format(&parameters, "all", line, sizeof line), sink.length);
    CHECK_STR(line, text);
    sc_parameters_clear(&parameters);
}

/* Words and lists. */

static const char *const colours[] = {"red", "dark-blue", NULL};

static const sc_parameter_rule kinds[] = {
    {.name = "colour",
     .kind = SC_PARAMETER_WORD,
     .optional = true,
     .words = colours,
     .domain = "red or dark-blue"},
    {.name = "p",
     .kind = SC_PARAMETER_RATIONALS,
     .optional = true,
     .above = "0",
     .below = "1",
     .limit_low = "2^-20",
     .domain = "rationals above 0 and below 1, with commas"},
};

static void kinds_accept(const char *text, const char *canonical)
{
    char line[200];
    sc_parameters parameters;
    scrim_error error = {.message = ""};
    sc_parameters_init(&parameters, kinds, COUNT(kinds));
    if (!CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of(text), &error),
                      SCRIM_OK))
        CHECK_STR(error.message, "");
    CHECK_INT(sc_parameters_format(&parameters, "x", line, sizeof line),
              strlen(canonical));
    CHECK_STR(line, canonical);
    sc_parameters_clear(&parameters);
}

TEST(parameters_read_words_and_lists)
{
    kinds_accept("", "x");
    kinds_accept("colour=red", "x colour=red");
    kinds_accept("p=1/4,0.50,3/4 colour=dark-blue", "x colour=dark-blue p=0.25,0.5,0.75");
    kinds_accept("p=2/4", "x p=0.5");
    sc_parameters parameters;
    size_t count = 0;
    sc_parameters_init(&parameters, kinds, COUNT(kinds));
    CHECK_INT(sc_parameters_word(&parameters, "colour", 9), 9);
    CHECK(sc_parameters_items(&parameters, "p", &count) == NULL);
    REQUIRE_OK(
        sc_parameters_parse(&parameters, sc_text_of("colour=dark-blue p=1/2,1/3"), NULL));
    CHECK_INT(sc_parameters_word(&parameters, "colour", 9), 1);
    CHECK_INT(sc_parameters_word(&parameters, "nothing", 9), 9);
    const sc_ratio *items = sc_parameters_items(&parameters, "p", &count);
    REQUIRE(items != NULL);
    CHECK_INT(count, 2);
    CHECK(sc_ratio_compare(&items[0], &items[1]) > 0);
    /* Its value is the first; a second line forgets the list. */
    CHECK(sc_ratio_compare(sc_parameters_get(&parameters, "p"), &items[0]) == 0);
    REQUIRE_OK(sc_parameters_parse(&parameters, sc_text_of(""), NULL));
    CHECK(sc_parameters_items(&parameters, "p", &count) == NULL);
    sc_parameters_clear(&parameters);
}

/* Earlier values stay there, list and all. */
static void kinds_refuse(const char *text, scrim_status status, const char *message)
{
    char line[200];
    scrim_error error = {.message = ""};
    sc_parameters parameters;
    sc_parameters_init(&parameters, kinds, COUNT(kinds));
    CHECK_STATUS(
        sc_parameters_parse(&parameters, sc_text_of("colour=red p=1/2,1/4"), NULL),
        SCRIM_OK);
    CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of(text), &error), status);
    CHECK_STR(error.message, message);
    sc_parameters_format(&parameters, "kept", line, sizeof line);
    CHECK_STR(line, "kept colour=red p=0.5,0.25");
    sc_parameters_clear(&parameters);
}

TEST(parameters_refuse_words_and_lists)
{
    kinds_refuse("colour=Red", SCRIM_E_PARAM,
                 "colour: 'Red' is not allowed; colour must be red or dark-blue");
    kinds_refuse("colour=", SCRIM_E_PARAM,
                 "colour: '' is not allowed; colour must be red or dark-blue");
    kinds_refuse("colour=red colour=red", SCRIM_E_PARAM,
                 "colour is given twice; give it once");
    kinds_refuse(
        "p=", SCRIM_E_PARAM,
        "p: '' is not a number; p is rationals above 0 and below 1, with commas");
    kinds_refuse(
        "p=1/2,", SCRIM_E_PARAM,
        "p: '' is not a number; p is rationals above 0 and below 1, with commas");
    kinds_refuse(
        "p=,1/2", SCRIM_E_PARAM,
        "p: '' is not a number; p is rationals above 0 and below 1, with commas");
    kinds_refuse("p=1/2,1", SCRIM_E_PARAM,
                 "p: 1 is not allowed; p is rationals above 0 and below 1, with commas");
    kinds_refuse(
        "p=1/2,2^-21", SCRIM_E_LIMIT,
        "p: 2^-21 is below the limit 9.6e-7; p is rationals above 0 and below 1, "
        "with commas");
}

/* As many values as there may be, and one more. */
TEST(parameters_lists_are_limited)
{
    char text[8 * (SC_PARAMETER_ITEMS + 1)];
    sc_text_sink sink;
    sc_parameters parameters;
    scrim_error error = {.message = ""};
    size_t count = 0;
    sc_text_sink_init(&sink, text, sizeof text);
    sc_text_put(&sink, sc_text_of("p=1/2"));
    for (int i = 1; i < SC_PARAMETER_ITEMS; i++)
        sc_text_put(&sink, sc_text_of(",1/2"));
    sc_parameters_init(&parameters, kinds, COUNT(kinds));
    REQUIRE_OK(sc_parameters_parse(&parameters, sc_text_of(text), NULL));
    CHECK(sc_parameters_items(&parameters, "p", &count) != NULL);
    CHECK_INT(count, SC_PARAMETER_ITEMS);
    sc_text_put(&sink, sc_text_of(",1/2"));
    CHECK_STATUS(sc_parameters_parse(&parameters, sc_text_of(text), &error),
                 SCRIM_E_LIMIT);
    CHECK(strstr(error.message, "more than 64 values") != NULL);
    sc_parameters_clear(&parameters);
}

TEST(parameters_lists_survive_a_lack_of_memory)
{
    FAULT_LOOP(fault)
    {
        sc_parameters parameters;
        sc_parameters_init(&parameters, kinds, COUNT(kinds));
        scrim_status status =
            sc_parameters_parse(&parameters, sc_text_of("p=1/2,1/3"), NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        CHECK((sc_parameters_get(&parameters, "p") != NULL) == (status == SCRIM_OK));
        sc_parameters_clear(&parameters);
    }
}

/* A default is taken where nothing was given, and only there. */
TEST(parameters_defaults_fill_what_was_left_out)
{
    char line[80];
    sc_parameters parameters;
    sc_parameters_init(&parameters, kinds, COUNT(kinds));
    REQUIRE_OK(sc_parameters_parse(&parameters, sc_text_of("p=1/2"), NULL));
    REQUIRE_OK(sc_parameters_default(&parameters, "p", "1/4", NULL));
    REQUIRE_OK(sc_parameters_default(&parameters, "colour", "dark-blue", NULL));
    REQUIRE_OK(sc_parameters_default(&parameters, "nothing", "1", NULL));
    sc_parameters_format(&parameters, "x", line, sizeof line);
    CHECK_STR(line, "x colour=dark-blue p=0.5");
    /* One that is outside the domain is not given. */
    REQUIRE_OK(sc_parameters_parse(&parameters, sc_text_of(""), NULL));
    CHECK_STATUS(sc_parameters_default(&parameters, "colour", "green", NULL),
                 SCRIM_E_PARAM);
    CHECK(sc_parameters_get(&parameters, "colour") == NULL);
    sc_parameters_clear(&parameters);
}
