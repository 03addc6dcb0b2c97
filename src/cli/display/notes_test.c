#include "check.h"
#include "cli/display/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folded(const char *text, size_t columns)
{
    sc_output *output = malloc(sizeof *output);
    sc_output_init(output, -1);
    sc_output_text(output, "before, which is as it is, however wide it may be\n");
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output, text);
    sc_fold_end(output, begin, columns);
    output->bytes[output->used] = '\0';
    char *shown = strdup(output->bytes + begin);
    free(output);
    return shown;
}

static void check_folded(const char *text, size_t columns, const char *want)
{
    char *shown = folded(text, columns);
    CHECK_STR(shown, want);
    free(shown);
}

TEST(fold_breaks_what_is_too_wide_below_its_words)
{
    check_folded("cost        epsilon 1\nleft        two words\n", 24,
                 "cost        epsilon 1\nleft        two words\n");
    check_folded("left        one two three four five\nnext        x\n", 24,
                 "left        one two\n            three four\n            five\n"
                 "next        x\n");
    /* as wide as there is room, and one more */
    check_folded("left        123456 890 2", 24, "left        123456 890 2");
    check_folded("left        123456 890 23", 24,
                 "left        123456 890\n            23");
    check_folded("left        123456 890 2 4", 24,
                 "left        123456 890 2\n            4");
    /* a word that is too wide by itself; characters, not bytes */
    check_folded("left        12345678901234 6\n", 24,
                 "left        12345678901234\n            6\n");
    check_folded("left        \xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc 890 2\n",
                 24,
                 "left        \xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc 890 2\n");
    check_folded("", 24, "");
}

/* A text that a buffer does not hold is written whole, as it is. */
TEST(fold_of_a_line)
{
    static sc_output output;
    static char text[3 * SC_OUTPUT_BYTES], got[4 * SC_OUTPUT_BYTES];
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = i % 10 == 9 ? ' ' : 'x';
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    sc_output_init(&output, fileno(file));
    sc_fold_line(&output, "asked", "one two three four", 24);
    sc_fold_line(&output, "asked", text, 24);
    CHECK_STATUS(sc_output_finish(&output, NULL), SCRIM_OK);
    rewind(file);
    const size_t bytes = fread(got, 1, sizeof got - 1, file);
    got[bytes] = '\0';
    static const char first[] =
        "asked       one two\n            three four\nasked       ";
    CHECK(strncmp(got, first, sizeof first - 1) == 0);
    CHECK_INT(bytes, sizeof first - 1 + strlen(text) + 1);
    CHECK(strncmp(got + sizeof first - 1, text, strlen(text)) == 0);
    fclose(file);
}

static sc_output output;

static const char *written(void)
{
    output.bytes[output.used] = '\0';
    return output.bytes;
}

static const char *said(void (*say)(sc_output *, const scrim_cost *), const char *epsilon,
                        const char *delta)
{
    scrim_cost cost = {.neighbours = SCRIM_REPLACE};
    snprintf(cost.epsilon, sizeof cost.epsilon, "%s", epsilon);
    snprintf(cost.delta, sizeof cost.delta, "%s", delta);
    sc_output_init(&output, -1);
    say(&output, &cost);
    return written();
}

TEST(caution_is_about_what_is_large)
{
    static const struct {
        const char *epsilon, *run, *query;
    } cases[] = {
        {"1", "", ""},
        {"", "", ""},
        {"1.01", "is weak protection: ", "with high confidence\n"},
        {"499/100", "is weak protection: ", "with high confidence\n"},
        {"5", "epsilon 5 or more is hardly any protection: ", "near certainty\n"},
        {"11/2", "hardly any protection: ", "near certainty\n"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *run = said(sc_caution_cost, cases[i].epsilon, "0");
        CHECK(strstr(run, cases[i].run) != NULL &&
              (cases[i].run[0] != '\0') == (*run != '\0'));
        const char *query = said(sc_caution_query, cases[i].epsilon, "0");
        CHECK(strstr(query, cases[i].query) != NULL &&
              (cases[i].query[0] != '\0') == (*query != '\0'));
    }
    CHECK_STR(said(sc_caution_cost, "1", "0.000999"), "");
    CHECK(strstr(said(sc_caution_cost, "1", "0.001"), "delta 0.001 would") != NULL);
    CHECK(sc_caution_budget("4.99") == NULL && sc_caution_budget("5") != NULL);
}

TEST(caution_compares_delta_with_the_group)
{
    const scrim_cost cost = {.delta = "0.001"};
    CHECK(!sc_delta_is_large(&cost, "999"));
    CHECK(sc_delta_is_large(&cost, "1000"));
    sc_output_init(&output, -1);
    sc_caution_delta(&output, &cost, "999");
    CHECK_STR(written(), "");
    sc_caution_delta(&output, &cost, "1000");
    CHECK(strstr(written(), "not below 1 divided by the 1000 expected rows") != NULL);
}

TEST(kept_rows_are_said_where_there_is_something_to_say)
{
    sc_output_init(&output, -1);
    sc_kept_write(&output, "2 rows per person; further rows were left out");
    CHECK_STR(written(), "bounds      2 rows per person; further rows were left out\n");
    sc_output_init(&output, -1);
    sc_kept_write(&output, "");
    CHECK_STR(written(), "");
    sc_left_out_write(&output, "row", true);
    CHECK_STR(written(), "");
    sc_left_out_write(&output, "person", true);
    CHECK_STR(written(), "bounds      rows without person are ignored\n");
    sc_output_init(&output, -1);
    sc_left_out_write(&output, "person", false);
    CHECK_STR(written(), "            rows without person are ignored\n");
}

TEST(remainder_view_names_the_share_and_the_whole_budget)
{
    char text[SC_REMAINDER_BYTES];
    scrim_remainder left = {.whole = "2.1", .whole_delta = "0"};
    CHECK(!sc_remainder_format("epsilon", &left, text));
    CHECK_STR(text, "");
    strcpy(left.share, "1.7");
    CHECK(sc_remainder_format("epsilon", &left, text));
    CHECK_STR(text, "epsilon 1.7 of your share, 2.1 of the whole budget");
    strcpy(left.whole_delta, "0.000002");
    CHECK(sc_remainder_format("epsilon", &left, text));
    CHECK_STR(text, "epsilon 1.7 of your share; epsilon 2.1, delta 2e-6 of the whole "
                    "budget");
    strcpy(left.share_delta, "0.000001");
    CHECK(sc_remainder_format("rho", &left, text));
    CHECK_STR(text, "rho 1.7, delta 1e-6 of your share; rho 2.1, delta 2e-6 of the whole "
                    "budget");
    strcpy(left.share, "");
    strcpy(left.share_delta, "0.000001");
    CHECK(sc_remainder_format("epsilon", &left, text));
    CHECK_STR(text, "delta 1e-6 of your share; epsilon 2.1, delta 2e-6 of the whole "
                    "budget");
}

TEST(remainder_view_json_has_both_limits)
{
    sc_json json;
    scrim_remainder left = {.whole = "2.1", .whole_delta = "0"};
    sc_output_init(&output, -1);
    sc_json_init(&json, &output);
    sc_json_object(&json, NULL);
    sc_remainder_json(&json, &left);
    strcpy(left.share, "1/3");
    sc_remainder_json(&json, &left);
    sc_json_end(&json);
    output.bytes[output.used] = '\0';
    CHECK_STR(output.bytes, "{\"share_left\": \"1/3\", \"share_left_delta\": null, "
                            "\"whole_left\": \"2.1\", \"whole_left_delta\": \"0\"}\n");
}
