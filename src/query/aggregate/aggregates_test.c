#include "check.h"
#include "queries.h"
#include "query/aggregate/aggregates.h"
#include "query/estimate/bar_answer.h"

#include <stdio.h>
#include <string.h>

static bool is_power_of_two(unsigned x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* A histogram, quantiles and numbers are released by other mechanisms, and no aggregate mixes them. */
static void check_numbers(const sc_aggregate *a)
{
    const bool is_bars = a->reads & SC_READS_BARS;
    CHECK((a->numbers == NULL) == is_bars);
    CHECK((a->bars == NULL) == !is_bars);
    CHECK(a->reads != 0);
    if (a->reads & (SC_READS_BARS | SC_READS_RANKS))
        CHECK(is_power_of_two(a->reads));
    /* Centred sums and squares are divided by the rows. */
    if (a->reads & (SC_READS_CENTRED | SC_READS_SQUARES))
        CHECK(a->reads & SC_READS_ROWS);
    if (a->numbers != NULL)
        CHECK(a->numbers->prepare != NULL && a->numbers->estimate != NULL &&
              a->numbers->half_width != NULL && a->numbers->digits != NULL);
}

static void check_bars(const sc_aggregate *a)
{
    const bool is_list = a->shape != SC_SHAPE_VALUE;
    CHECK(a->bars->promise != NULL);
    CHECK(a->bars->metric != NULL);
    CHECK(a->text_order != NULL);
    CHECK((a->bars->find == NULL) == is_list);
    CHECK((a->bars->side == SC_BAR_EACH) == is_list);
    CHECK((a->bars->side == SC_BAR_BOTH) == (a->span == SC_SPAN_WIDTH));
}

TEST(aggregates_have_whole_descriptors)
{
    const sc_aggregate *a;
    for (size_t i = 0; (a = sc_aggregate_at(i)) != NULL; i++) {
        if (!CHECK(a->name != NULL && a->read != NULL && a->weigh != NULL))
            return;
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(sc_aggregate_at(j)->name, a->name) != 0);
        check_numbers(a);
        CHECK(a->shape == SC_SHAPE_VALUE || a->bars != NULL);
        if (a->bars != NULL)
            check_bars(a);
    }
}

/* Each is reached by a question. */
TEST(aggregates_are_read_by_their_names)
{
    static const struct {
        const char *text;
        const sc_aggregate *kind;
        const char *name;
    } cases[] = {
        {"COUNT(*)", &sc_aggregate_count, "COUNT"},
        {"COUNT(DISTINCT person_id)", &sc_aggregate_count_units, "COUNT DISTINCT"},
        {"COUNT(DISTINCT city)", &sc_aggregate_count_values, "COUNT DISTINCT x"},
        {"SUM(age)", &sc_aggregate_sum, "SUM"},
        {"AVG(age)", &sc_aggregate_avg, "AVG"},
        {"VAR(age)", &sc_aggregate_var, "VAR"},
        {"VAR_SAMP(age)", &sc_aggregate_var, "VAR"},
        {"VAR_POP(age)", &sc_aggregate_var_pop, "VAR_POP"},
        {"STDDEV(age)", &sc_aggregate_stddev, "STDDEV"},
        {"STDDEV_SAMP(age)", &sc_aggregate_stddev, "STDDEV"},
        {"STDDEV_POP(age)", &sc_aggregate_stddev_pop, "STDDEV_POP"},
        {"MEDIAN(age)", &sc_aggregate_median, "MEDIAN"},
        {"QUANTILE(age, 0.5)", &sc_aggregate_median, "MEDIAN"},
        {"QUANTILE(age, 0.9)", &sc_aggregate_quantile, "QUANTILE"},
        {"MIN(age)", &sc_aggregate_min, "MIN"},
        {"MAX(age, 10)", &sc_aggregate_max, "MAX"},
        {"RANGE(age)", &sc_aggregate_range, "RANGE"},
        {"MODE(age)", &sc_aggregate_mode, "MODE"},
        {"MAX_K(age, 3)", &sc_aggregate_max_k, "MAX_K"},
        {"SUPPORT(age)", &sc_aggregate_support, "SUPPORT"},
        {"HISTOGRAM(age)", &sc_aggregate_histogram, "HISTOGRAM"},
    };
    size_t reached = 0, count = 0;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];
        query_asked asked;
        snprintf(text, sizeof text, "SELECT %s", cases[i].text);
        query_ask(&asked, text);
        if (CHECK_STATUS(asked.status, SCRIM_OK)) {
            CHECK(asked.query->aggregates[0].kind == cases[i].kind);
            CHECK_STR(cases[i].kind->name, cases[i].name);
        }
        query_forget_asked(&asked);
        reached += i == 0 || cases[i].kind != cases[i - 1].kind;
    }
    while (sc_aggregate_at(count) != NULL)
        count++;
    CHECK_INT(reached, count);
}
