#include "check.h"
#include "faults.h"
#include "query/estimate.h"
#include "query/quantile_ends.h"

#include <string.h>

#define LINE                                                                             \
    "quantile p=1/4,1/2,3/4 epsilon=1 lower=0 upper=100 form=split "                     \
    "neighbours=add-remove"

static const sc_step ps[] = {{1, 4}, {1, 2}, {3, 4}};

typedef struct setting {
    scrim_measurement *planned, *rows;
    sc_statistic statistic;
    sc_ratio confidence;
    sc_quantile_ends ends;
} setting;

static bool setting_begin(setting *s, sc_statistic_kind kind)
{
    memset(s, 0, sizeof *s);
    sc_ratio_init(&s->confidence);
    s->statistic = (sc_statistic){.kind = kind, .p = ps, .count = COUNT(ps)};
    return CHECK_STATUS(sc_ratio_parse(sc_text_of("0.95"), &s->confidence, NULL),
                        SCRIM_OK) &&
           CHECK_STATUS(scrim_measurement_parse(LINE, &s->planned, NULL), SCRIM_OK) &&
           CHECK_STATUS(scrim_measurement_parse(
                            "laplace sensitivity=1 epsilon=1 neighbours=add-remove",
                            &s->rows, NULL),
                        SCRIM_OK) &&
           CHECK_STATUS(sc_quantile_ends_init(&s->ends, s->planned, &s->statistic,
                                              s->rows, &s->confidence, NULL),
                        SCRIM_OK);
}

static void setting_end(setting *s)
{
    sc_quantile_ends_clear(&s->ends);
    scrim_measurement_free(s->rows);
    scrim_measurement_free(s->planned);
    sc_ratio_clear(&s->confidence);
}

/* As many ranks, increasing, and those that are used as estimate.h has them. */
static void check_ranks(const setting *s, const scrim_measurement *made, sc_int128 rows)
{
    size_t count = 0;
    const sc_ratio *items = sc_parameters_items(&made->parameters, "p", &count);
    sc_ratio p, want;
    sc_ratio_init(&p);
    sc_ratio_init(&want);
    REQUIRE(count == COUNT(ps));
    for (size_t i = 0; i < count; i++) {
        CHECK(sc_ratio_sign(&items[i]) > 0 && sc_ratio_compare_int64(&items[i], 1) < 0);
        CHECK(i == 0 || sc_ratio_compare(&items[i - 1], &items[i]) < 0);
        sc_extent_value(ps[i], 1, &p);
        const bool is_rank = s->statistic.kind == SC_STATISTIC_BELOW
                                 ? sc_estimate_rank_below(s->rows, rows, s->planned, &p,
                                                          &s->confidence, &want)
                                 : sc_estimate_rank_above(s->rows, rows, s->planned, &p,
                                                          &s->confidence, &want);
        CHECK_INT(s->ends.is_used[i], is_rank);
        if (is_rank)
            CHECK(sc_ratio_compare(&items[i], &want) == 0);
    }
    sc_ratio_clear(&want);
    sc_ratio_clear(&p);
    /* The epsilon, the range and the form are as planned. */
    CHECK(sc_ratio_compare(&made->cost.epsilon, &s->planned->cost.epsilon) == 0);
    CHECK(sc_ratio_compare(&made->cost.rho, &s->planned->cost.rho) == 0);
    CHECK(strstr(scrim_measurement_text(made), "lower=0 upper=100") != NULL);
}

TEST(quantile_ends_have_ranks_in_order)
{
    CLAIM("quantile-ends.order");
    static const sc_statistic_kind kinds[] = {SC_STATISTIC_BELOW, SC_STATISTIC_ABOVE};
    static const int64_t rows[] = {-1000, 0, 1, 50, 150, 200, 300, 1000, 1000000};
    for (size_t k = 0; k < COUNT(kinds); k++) {
        setting s;
        size_t none = 0, some = 0, all = 0;
        if (setting_begin(&s, kinds[k]))
            for (size_t i = 0; i < COUNT(rows); i++) {
                const scrim_measurement *made = NULL, *again = NULL;
                size_t used = 0;
                REQUIRE_OK(sc_quantile_ends_of(&s.ends, rows[i], &made, NULL));
                for (size_t j = 0; j < COUNT(ps); j++)
                    used += s.ends.is_used[j];
                none += used == 0;
                some += used > 0 && used < COUNT(ps);
                all += used == COUNT(ps);
                CHECK((made == NULL) == (used == 0));
                if (made == NULL)
                    continue;
                check_ranks(&s, made, rows[i]);
                REQUIRE_OK(sc_quantile_ends_of(&s.ends, rows[i], &again, NULL));
                CHECK(again == made); /* not prepared again */
            }
        CHECK(none > 0 && some > 0 && all > 0);
        setting_end(&s);
    }
}

TEST(quantile_ends_survive_without_memory)
{
    setting s;
    if (!setting_begin(&s, SC_STATISTIC_BELOW))
        return;
    FAULT_LOOP(fault)
    {
        sc_quantile_ends ends;
        const scrim_measurement *made = NULL;
        scrim_error error;
        scrim_status status = sc_quantile_ends_init(&ends, s.planned, &s.statistic,
                                                    s.rows, &s.confidence, &error);
        if (status == SCRIM_OK)
            status = sc_quantile_ends_of(&ends, 1000, &made, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_quantile_ends_clear(&ends);
    }
    setting_end(&s);
}
