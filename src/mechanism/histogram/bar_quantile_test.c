#include "check.h"
#include "dropped.h"
#include "exact.h"
#include "mechanism/histogram/bar_statistics.h"

#include <string.h>

typedef struct share {
    uint64_t above, under;
} share;

/* ceil(phi n), from integers. */
static uint64_t rank_of(const share *phi, uint64_t n)
{
    return (phi->above * n + phi->under - 1) / phi->under;
}

static uint64_t lower_quantile(const uint64_t *raw, size_t count, const void *context)
{
    return raw[rank_of(context, count) - 1];
}

/* Ranks of a place in x: below + 1 to upto. */
static bool is_quantile_right(const dropped_case *c, const share *phi,
                              const sc_exact_finding *f)
{
    uint64_t below = 0, shown = 0, shown_below = 0;
    if (f->is_empty)
        return c->bars.count == 0 && sc_ratio_compare_int64(&f->flexible.alpha, 1) == 0;
    for (size_t i = 0; i < c->cells; i++) {
        shown += c->y[i];
        shown_below += i < f->place ? c->y[i] : 0;
        below += i < f->place ? c->x[i] : 0;
    }
    const uint64_t rank = rank_of(phi, shown), upto = below + c->x[f->place];
    bool is_right = f->rank_low == rank && shown_below < rank &&
                    rank <= shown_below + c->y[f->place]; /* it is the quantile of y */
    is_right = is_right && below + 1 <= f->rank_high && upto >= f->rank_low &&
               f->here_least >= 1 && c->x[f->place] >= f->here_least &&
               f->rank_high <= rank + (sc_uint128)c->q * c->cells;
    if (c->count <= DROPPED_SMALL && c->count > 0)
        is_right = is_right && dropped_nearest(c, f->dropped_most,
                                               dropped_centre(c, (size_t)f->place),
                                               lower_quantile, phi) <= dropped_error(c);
    return is_right && sc_ratio_compare(&f->flexible.beta, &c->buckets.error) == 0 &&
           sc_flexible_check(&f->flexible, NULL) == SCRIM_OK;
}

TEST(bar_quantiles_say_what_is_true)
{
    CLAIM("bar-quantile.run");
    CLAIM("bar-quantile.flexible");
    const uint64_t count = check_count(10000, 1000000);
    sc_ratio p, under;
    sc_ratio_init(&p);
    sc_ratio_init(&under);
    for (uint64_t i = 0; i < count; i++) {
        dropped_case c;
        sc_exact_finding f;
        share phi;
        dropped_init(&c, check_seed() * count + i);
        phi.under = 1 + dropped_below(&c, 12);
        phi.above = 1 + dropped_below(&c, phi.under);
        sc_ratio_set_int64(&p, (int64_t)phi.above);
        sc_ratio_set_int64(&under, (int64_t)phi.under);
        sc_ratio_div(&p, &p, &under);
        REQUIRE_OK(sc_bars_quantile(&c.bars, &p, &f, NULL));
        const bool is_right = is_quantile_right(&c, &phi, &f);
        sc_finding_clear(&f);
        dropped_clear(&c);
        if (!CHECK(is_right)) {
            CHECK_FAIL("case %llu", (unsigned long long)i);
            break;
        }
    }
    sc_ratio_clear(&under);
    sc_ratio_clear(&p);
}

TEST(bar_quantiles_by_the_lower_convention)
{
    static const uint64_t x[] = {2, 0, 2, 4}, nothing[] = {0, 0, 0, 0};
    static const struct {
        const char *phi;
        uint64_t place, rank_low, rank_high;
    } cases[] = {
        {"1e-300", 0, 1, 1},           {"1/4", 0, 2, 2},
        {"0.2500000001", 2, 3, 13},    {"1/2", 2, 4, 14},
        {"0.5000000000001", 3, 5, 20}, {"1", 3, 8, 23},
    };
    dropped_case c;
    sc_exact_finding f;
    sc_ratio phi;
    char text[SC_FINDING_TEXT_BYTES];
    dropped_set(&c, x, x, 4, 5, "0");
    for (size_t i = 0; i < COUNT(cases); i++) {
        exact_ratio(cases[i].phi, &phi);
        REQUIRE_OK(sc_bars_quantile(&c.bars, &phi, &f, NULL));
        CHECK_INT(f.place, cases[i].place);
        CHECK_INT(f.rank_low, cases[i].rank_low);
        CHECK(f.rank_high == cases[i].rank_high);
        sc_finding_clear(&f);
        sc_ratio_clear(&phi);
    }
    REQUIRE_OK(sc_bars_median(&c.bars, &f, NULL));
    CHECK_INT(f.place, 2);
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK_STR(text, "it has a rank from 4 to 14 in the data, 1 being the smallest; at "
                    "least 2 elements lie at it");
    sc_finding_clear(&f);
    static const char *const wrong[] = {"0", "-1/2", "1.0000001"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        exact_ratio(wrong[i], &phi);
        CHECK_STATUS(sc_bars_quantile(&c.bars, &phi, &f, NULL), SCRIM_E_PARAM);
        sc_ratio_clear(&phi);
    }
    dropped_clear(&c);
    dropped_set(&c, x, nothing, 4, 5, "0");
    REQUIRE_OK(sc_bars_median(&c.bars, &f, NULL));
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK_STR(text, "no number holds more than 5 elements, and there are at most 20");
    sc_finding_clear(&f);
    dropped_clear(&c);
}

/* No more places below the value count than can hold anything: a public bound on those that do,
 * without the ones that are shown at it and above it. */
TEST(bar_quantiles_count_places_that_can_be_full)
{
    static const uint64_t y[] = {0, 3, 0, 2, 0, 0, 4, 1, 0, 0};
    static const struct {
        const char *phi;
        uint64_t bars_max, place, rank_low, rank_high;
    } cases[] = {
        {"3/10", 0, 1, 3, 3 + 5},  {"3/10", 4, 1, 3, 3 + 0}, {"3/10", 5, 1, 3, 3 + 5},
        {"1/2", 4, 3, 5, 5 + 5},   {"1/2", 5, 3, 5, 5 + 10}, {"1/2", 0, 3, 5, 5 + 15},
        {"0.51", 4, 6, 6, 6 + 10}, {"1", 4, 7, 10, 10 + 15}, {"1", 6, 7, 10, 10 + 25},
        {"1", 9, 7, 10, 10 + 35},
    };
    dropped_case c;
    dropped_set(&c, y, y, COUNT(y), 5, "0");
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_exact_finding f;
        sc_ratio phi;
        c.bars.bars_max = cases[i].bars_max == 0 ? COUNT(y) : cases[i].bars_max;
        exact_ratio(cases[i].phi, &phi);
        REQUIRE_OK(sc_bars_quantile(&c.bars, &phi, &f, NULL));
        CHECK_INT(f.place, cases[i].place);
        CHECK_INT(f.rank_low, cases[i].rank_low);
        CHECK_INT((uint64_t)f.rank_high, cases[i].rank_high);
        sc_finding_clear(&f);
        sc_ratio_clear(&phi);
    }
    dropped_clear(&c);
}

/* A rank is of an element in the bucket, which need not be the number that is shown. */
TEST(bar_quantiles_speak_of_a_bucket)
{
    static const uint64_t x[] = {3, 4, 2}, y[] = {2, 3, 1};
    dropped_case c;
    sc_exact_finding f;
    char text[SC_FINDING_TEXT_BYTES];
    dropped_set(&c, x, y, 3, 2, "1/5");
    REQUIRE_OK(sc_bars_median(&c.bars, &f, NULL));
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK_STR(text, "its bucket holds a rank from 3 to 5 in the data, 1 being the "
                    "smallest; at least 3 elements lie within 0.1 of it");
    sc_finding_clear(&f);
    dropped_clear(&c);
}

/* Ranks of what saturates: no overflow, and an answer. */
TEST(bar_quantiles_of_enormous_counts)
{
    static const uint64_t x[] = {UINT64_MAX, UINT64_MAX, 1};
    dropped_case c;
    sc_exact_finding f;
    dropped_set(&c, x, x, 3, 1, "0");
    REQUIRE_OK(sc_bars_median(&c.bars, &f, NULL));
    CHECK_INT(f.place, 0);
    CHECK_INT(f.rank_low, (uint64_t)1 << 61);
    sc_finding_clear(&f);
    dropped_clear(&c);
}
