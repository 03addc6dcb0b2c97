#include "check.h"
#include "cli/terminal/options.h"
#include "random/bits_tape.h"

#include <string.h>

/* Takes a line of words apart; argv lives in the caller's arrays. */
static scrim_status parse(char *line, char *argv[16], sc_options *out, scrim_error *error)
{
    int argc = 0;
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    return sc_options_parse(argc, argv, out, error);
}

#define PARSE(text)                                                                      \
    char line[] = text;                                                                  \
    char *argv[16];                                                                      \
    sc_options options;                                                                  \
    scrim_error error = {.status = SCRIM_OK};                                            \
    scrim_status status = parse(line, argv, &options, &error)

TEST(options_stand_anywhere)
{
    PARSE("scrim --format csv sample uniform -n 5 n=6 --plot");
    REQUIRE(status == SCRIM_OK);
    REQUIRE(options.word_count == 3);
    CHECK_STR(options.words[0], "sample");
    CHECK_STR(options.words[1], "uniform");
    CHECK_STR(options.words[2], "n=6");
    CHECK_STR(options.value[SCRIM_OPTION_FORMAT], "csv");
    CHECK_STR(options.value[SCRIM_OPTION_COUNT], "5");
    CHECK(sc_options_has(&options, SCRIM_OPTION_PLOT));
    CHECK(!sc_options_has(&options, SCRIM_OPTION_QUIET));
}

TEST(options_end_at_two_dashes)
{
    PARSE("scrim sample --format=json -- --plot -");
    REQUIRE(status == SCRIM_OK);
    REQUIRE(options.word_count == 3);
    CHECK_STR(options.words[1], "--plot");
    CHECK_STR(options.words[2], "-");
    CHECK_STR(options.value[SCRIM_OPTION_FORMAT], "json");
    CHECK(!sc_options_has(&options, SCRIM_OPTION_PLOT));
}

TEST(options_take_the_next_word_as_value)
{
    PARSE("scrim sample -n --plots");
    REQUIRE(status == SCRIM_OK);
    CHECK_STR(options.value[SCRIM_OPTION_COUNT], "--plots");
    uint64_t count;
    CHECK_STATUS(sc_options_number(&options, SCRIM_OPTION_COUNT, 99, 1, &count, &error),
                 SCRIM_E_PARAM);
}

/* The value was forgotten: what follows would be said to be unexpected. */
TEST(options_do_not_take_an_option_as_value)
{
    PARSE("scrim sample -n --format=json");
    CHECK_STATUS(status, SCRIM_E_PARAM);
    CHECK_STR(error.message, "-n needs a value, and the option --format follows it");
}

TEST(options_take_any_value_behind_an_equals_sign)
{
    PARSE("scrim dataset --null=--plot");
    REQUIRE(status == SCRIM_OK);
    CHECK_STR(options.value[SCRIM_OPTION_NULL], "--plot");
}

TEST(options_repeat_where_they_may)
{
    PARSE("scrim --column a=int[0,1] dataset --keys=a=0,1 --column=b=text");
    REQUIRE(status == SCRIM_OK);
    REQUIRE(options.repeated_count == 3 && options.word_count == 1);
    CHECK_INT(options.repeated[0].option, SCRIM_OPTION_COLUMN);
    CHECK_STR(options.repeated[0].value, "a=int[0,1]");
    CHECK_INT(options.repeated[1].option, SCRIM_OPTION_KEYS);
    CHECK_STR(options.repeated[1].value, "a=0,1");
    CHECK_STR(options.repeated[2].value, "b=text");
    CHECK_STR(options.value[SCRIM_OPTION_COLUMN], "b=text");
    CHECK_STR(sc_option_name(SCRIM_OPTION_MAX_GROUPS), "--max-groups");
}

TEST(options_repeat_up_to_a_limit)
{
    char words[2][16] = {"scrim", "--column=a=text"}, *argv[SC_OPTIONS_REPEATED + 2];
    sc_options options;
    scrim_error error;
    argv[0] = words[0];
    for (int i = 1; i < SC_OPTIONS_REPEATED + 2; i++)
        argv[i] = words[1];
    CHECK_STATUS(sc_options_parse(SC_OPTIONS_REPEATED + 1, argv, &options, &error),
                 SCRIM_OK);
    CHECK_STATUS(sc_options_parse(SC_OPTIONS_REPEATED + 2, argv, &options, &error),
                 SCRIM_E_LIMIT);
}

TEST(options_are_given_once)
{
    PARSE("scrim --quiet --quiet");
    CHECK_STATUS(status, SCRIM_E_PARAM);
    CHECK_STR(error.message, "--quiet is given twice; give it once");
}

TEST(options_without_value_take_none)
{
    PARSE("scrim --quiet=yes");
    CHECK_STATUS(status, SCRIM_E_PARAM);
}

TEST(options_are_not_abbreviated)
{
    PARSE("scrim sample --quie");
    REQUIRE(status == SCRIM_OK);
    CHECK_STR(options.unknown, "--quie");
    CHECK_STATUS(
        sc_options_check(&options, SC_OPTION_SET(SCRIM_OPTION_QUIET), NULL, &error),
        SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown option --quie; did you mean --quiet?");
    /* what the verb does not take is not suggested */
    CHECK_STATUS(sc_options_check(&options, NULL, NULL, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown option --quie; --help shows the options");
}

TEST(options_are_not_taken_for_functions)
{
    PARSE("scrim body minimise b.json -(x) -3*x -\"x\" -x^2 --quiet");
    REQUIRE(status == SCRIM_OK);
    CHECK(options.unknown == NULL);
    CHECK_INT(options.word_count, 7);
    CHECK_STR(options.words[3], "-(x)");
    CHECK(sc_options_has(&options, SCRIM_OPTION_QUIET));
}

TEST(options_say_how_a_word_begins_with_a_dash)
{
    PARSE("scrim body minimise b.json -x");
    REQUIRE(status == SCRIM_OK);
    CHECK_STR(options.unknown, "-x");
    CHECK_STATUS(sc_options_check(&options, NULL, NULL, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown option -x; --help shows the options, and -- goes "
                             "before a word that begins with -");
}

TEST(options_with_brackets_stay_options)
{
    PARSE("scrim run --(x) -n=(3)");
    REQUIRE(status == SCRIM_OK);
    CHECK_STR(options.unknown, "--(x)");
    CHECK_STR(options.value[SCRIM_OPTION_COUNT], "(3)");
}

TEST(options_not_taken_by_the_verb_are_refused)
{
    PARSE("scrim list --binary");
    REQUIRE(status == SCRIM_OK);
    CHECK_STATUS(
        sc_options_check(&options, SC_OPTION_SET(SC_OPTIONS_FORMAT), NULL, &error),
        SCRIM_E_PARAM);
    CHECK_STATUS(
        sc_options_check(&options, SC_OPTION_SET(SCRIM_OPTION_BINARY), NULL, &error),
        SCRIM_OK);
}

TEST(options_read_whole_numbers)
{
    static const struct {
        const char *text;
        bool valid;
        uint64_t value;
    } cases[] = {
        {"0", true, 0},      {"1", true, 1},
        {"007", true, 7},    {"1000", true, 1000},
        {"1e3", true, 1000}, {"0e99", true, 0},
        {"1001", false, 0},  {"1e4", false, 0},
        {"11e2", false, 0},  {"99999999999999999999", false, 0},
        {"", false, 0},      {"-1", false, 0},
        {"+1", false, 0},    {"1.5", false, 0},
        {"1e", false, 0},    {"e3", false, 0},
        {"1e100", false, 0}, {" 1", false, 0},
        {"1 ", false, 0},    {"0x10", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sc_options options;
        scrim_error error;
        uint64_t value = 12345;
        memset(&options, 0, sizeof options);
        options.value[SCRIM_OPTION_COUNT] = cases[i].text;
        scrim_status status =
            sc_options_number(&options, SCRIM_OPTION_COUNT, 1000, 1, &value, &error);
        CHECK(status == SCRIM_OK || status == SCRIM_E_PARAM);
        if (status != (cases[i].valid ? SCRIM_OK : SCRIM_E_PARAM) ||
            value != (cases[i].valid ? cases[i].value : 12345))
            CHECK_FAIL("\"%s\" gives %d and %llu", cases[i].text, (int)status,
                       (unsigned long long)value);
        value = 12345;
        const bool is_positive = cases[i].valid && cases[i].value > 0;
        CHECK_STATUS(
            sc_options_positive(&options, SCRIM_OPTION_COUNT, 1000, 1, &value, &error),
            is_positive ? SCRIM_OK : SCRIM_E_PARAM);
        CHECK_INT(value, is_positive ? cases[i].value : 12345);
        if (!is_positive)
            CHECK(strstr(error.message, "from 1 to 1000, not") != NULL);
    }
}

static uint64_t first_word(const char *seed)
{
    sc_options options;
    sc_tape *tape = NULL;
    uint64_t word = 0;
    memset(&options, 0, sizeof options);
    options.value[SCRIM_OPTION_SEED] = seed;
    if (CHECK_STATUS(sc_options_tape(&options, &tape, NULL), SCRIM_OK))
        CHECK_STATUS(sc_bits_take(sc_tape_bits_of(tape), 64, &word, NULL), SCRIM_OK);
    sc_tape_free(tape);
    return word;
}

TEST(options_choose_the_bits_of_a_test)
{
    sc_options options;
    sc_tape *tape = NULL;
    scrim_error error;
    CHECK(first_word(NULL) == first_word("1"));
    CHECK(first_word("2") != first_word("1"));
    memset(&options, 0, sizeof options);
    options.value[SCRIM_OPTION_SEED] = "x";
    CHECK_STATUS(sc_options_tape(&options, &tape, &error), SCRIM_E_PARAM);
    CHECK(tape == NULL);
}
