#include "check.h"
#include "cli/sheet/caution.h"

#include <stdio.h>
#include <string.h>

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
    sc_kept_write(&output, "at most 2 rows per person were used");
    CHECK_STR(written(), "bounds      at most 2 rows per person were used\n");
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
