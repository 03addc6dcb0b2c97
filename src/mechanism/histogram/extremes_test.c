#include "check.h"
#include "dropped.h"
#include "exact.h"
#include "mechanism/histogram/bar_statistics.h"
#include "vectors.h"

#include <string.h>

/* max_k of the data: the last place with at least k, or -1; and the first one, or the number of
 * places. */
static int64_t last_with(const dropped_case *c, uint64_t k)
{
    int64_t place = (int64_t)c->cells - 1;
    while (place >= 0 && c->x[place] < k)
        place--;
    return place;
}

static int64_t first_with(const dropped_case *c, uint64_t k)
{
    int64_t place = 0;
    while (place < (int64_t)c->cells && c->x[place] < k)
        place++;
    return place;
}

/* The elements of x in places from first on, before end, and the most of one of them. */
static void count_between(const dropped_case *c, size_t first, size_t end, uint64_t *all,
                          uint64_t *most)
{
    for (size_t i = first; i < end; i++) {
        *all += c->x[i];
        *most = c->x[i] > *most ? c->x[i] : *most;
    }
}

/* Nothing was shown: then no place holds more than q, and all together what is said. */
static bool is_empty_right(const dropped_case *c, const sc_exact_finding *f)
{
    uint64_t all = 0, most = 0;
    count_between(c, 0, c->cells, &all, &most);
    return most <= f->bar_most && f->bar_most <= c->q && all <= f->beyond_most &&
           sc_ratio_compare_int64(&f->flexible.alpha, 1) == 0 && !f->flexible.is_count;
}

static uint64_t largest(const uint64_t *raw, size_t count, const void *context)
{
    (void)context;
    return raw[count - 1];
}

static uint64_t smallest(const uint64_t *raw, size_t count, const void *context)
{
    (void)context, (void)count;
    return raw[0];
}

static uint64_t spread(const uint64_t *raw, size_t count, const void *context)
{
    (void)context;
    return raw[count - 1] - raw[0];
}

/* alpha as a number of elements; beta in half steps, which must be whole. */
static bool is_triple_right(const dropped_case *c, const sc_exact_finding *f,
                            uint64_t value, uint64_t beta, dropped_statistic *statistic)
{
    sc_ratio steps;
    sc_integer whole;
    sc_uint128 alpha = 0;
    uint64_t said = 0;
    sc_ratio_init(&steps);
    sc_integer_init(&whole);
    sc_ratio_numerator(&f->flexible.alpha, &whole);
    bool is_right = f->flexible.is_count && sc_integer_get_uint128(&whole, &alpha) &&
                    sc_flexible_check(&f->flexible, NULL) == SCRIM_OK &&
                    sc_ratio_sign(&f->flexible.gamma) == 0;
    sc_ratio_add(&steps, &f->flexible.beta, &f->flexible.beta);
    sc_ratio_numerator(&steps, &whole);
    is_right = is_right && sc_ratio_is_integer(&steps) &&
               sc_integer_get_uint64(&whole, &said) && said == beta;
    if (c->count <= DROPPED_SMALL && c->count > 0)
        is_right = is_right && dropped_nearest(c, alpha, value, statistic, NULL) <= said;
    sc_integer_clear(&whole);
    sc_ratio_clear(&steps);
    return is_right;
}

/* The number of a finding is what its place is. */
static bool is_centre(const dropped_case *c, const sc_exact_finding *f,
                      const sc_ratio *value)
{
    sc_ratio centre;
    sc_ratio_init(&centre);
    sc_buckets_centre(&c->buckets, f->place, &centre);
    const bool is_right = sc_ratio_compare(&centre, value) == 0;
    sc_ratio_clear(&centre);
    return is_right;
}

static bool is_max_right(const dropped_case *c, const sc_exact_finding *f)
{
    uint64_t all = 0, most = 0;
    if (f->is_empty)
        return is_empty_right(c, f);
    const int64_t at = (int64_t)f->place;
    count_between(c, (size_t)at + 1, c->cells, &all, &most);
    return last_with(c, 1 + c->q) <= at && at <= last_with(c, 1) && f->here_least >= 1 &&
           c->x[at] >= f->here_least && most <= f->bar_most && f->bar_most <= c->q &&
           all <= f->beyond_most &&
           f->beyond_most <= (sc_uint128)c->q * (c->cells - 1 - (size_t)at) &&
           is_centre(c, f, &f->value) &&
           is_triple_right(c, f, dropped_centre(c, (size_t)at), dropped_error(c),
                           largest);
}

static bool is_min_right(const dropped_case *c, const sc_exact_finding *f)
{
    uint64_t all = 0, most = 0;
    if (f->is_empty)
        return is_empty_right(c, f);
    const int64_t at = (int64_t)f->place;
    count_between(c, 0, (size_t)at, &all, &most);
    return first_with(c, 1 + c->q) >= at && at >= first_with(c, 1) &&
           f->here_least >= 1 && c->x[at] >= f->here_least && most <= f->bar_most &&
           f->bar_most <= c->q && all <= f->beyond_most &&
           f->beyond_most <= (sc_uint128)c->q * (size_t)at &&
           is_centre(c, f, &f->value) &&
           is_triple_right(c, f, dropped_centre(c, (size_t)at), dropped_error(c),
                           smallest);
}

/* The range, a number, and the interval, both ends at once. */
static bool is_range_right(const dropped_case *c, const sc_exact_finding *f)
{
    uint64_t all = 0, most = 0;
    sc_ratio ends;
    if (f->is_empty)
        return is_empty_right(c, f);
    size_t first = 0, last = c->cells - 1;
    while (c->y[first] == 0)
        first++;
    while (c->y[last] == 0)
        last--;
    count_between(c, 0, first, &all, &most);
    count_between(c, last + 1, c->cells, &all, &most);
    sc_ratio_init(&ends);
    sc_ratio_sub(&ends, &f->high, &f->low);
    bool is_right = f->place == first && is_centre(c, f, &f->low) &&
                    sc_ratio_compare(&ends, &f->value) == 0 && c->x[first] > 0 &&
                    c->x[first] >= f->here_least && c->x[last] >= f->here_least &&
                    f->here_least >= 1 && most <= f->bar_most && f->bar_most <= c->q &&
                    all <= f->beyond_most;
    const uint64_t value = dropped_centre(c, last) - dropped_centre(c, first);
    sc_ratio_set_int64(&ends, 2);
    sc_ratio_mul(&ends, &ends, &f->value);
    is_right = is_right && sc_ratio_compare_int64(&ends, (int64_t)value) == 0;
    if (f->kind == SC_FINDING_RANGE)
        is_right = is_right && is_triple_right(c, f, value, 2 * dropped_error(c), spread);
    sc_ratio_clear(&ends);
    return is_right;
}

/* Some data of which at most the stated number was left out have both ends within beta. */
static bool is_interval_near(const dropped_case *c, const sc_exact_finding *f)
{
    size_t first = 0, last = c->cells - 1;
    if (f->is_empty || c->count > DROPPED_SMALL)
        return true;
    while (c->y[first] == 0)
        first++;
    while (c->y[last] == 0)
        last--;
    for (unsigned kept = 1; kept < 1u << c->count; kept++) {
        size_t low = 0, high = c->count - 1, out = 0;
        while (!(kept >> low & 1))
            low++;
        while (!(kept >> high & 1))
            high--;
        for (size_t i = 0; i < c->count; i++)
            out += !(kept >> i & 1);
        const int64_t a = (int64_t)c->raw[low] - (int64_t)dropped_centre(c, first);
        const int64_t b = (int64_t)c->raw[high] - (int64_t)dropped_centre(c, last);
        const int64_t beta = (int64_t)dropped_error(c);
        if (out <= f->dropped_most && a >= -beta && a <= beta && b >= -beta && b <= beta)
            return true;
    }
    return false;
}

/* Each of the one is within beta of one of the other. */
static bool is_covered(const uint64_t *a, size_t a_count, const uint64_t *b,
                       size_t b_count, uint64_t beta)
{
    for (size_t i = 0; i < a_count; i++) {
        size_t j = 0;
        while (j < b_count && (a[i] > b[j] ? a[i] - b[j] : b[j] - a[i]) > beta)
            j++;
        if (j == b_count)
            return false;
    }
    return true;
}

/* Some data of which at most the stated number was left out have a support within beta, by
 * Hausdorff. */
static bool is_support_near(const dropped_case *c, const sc_exact_finding *f)
{
    uint64_t centres[DROPPED_CELLS];
    size_t shown = 0;
    if (c->count > DROPPED_SMALL)
        return true;
    for (size_t i = 0; i < c->cells; i++)
        if (c->y[i] > 0)
            centres[shown++] = dropped_centre(c, i);
    for (unsigned kept = 1; kept < 1u << c->count; kept++) {
        uint64_t raw[DROPPED_SMALL];
        size_t count = 0;
        for (size_t i = 0; i < c->count; i++)
            if (kept >> i & 1)
                raw[count++] = c->raw[i];
        if (c->count - count <= f->dropped_most &&
            is_covered(raw, count, centres, shown, dropped_error(c)) &&
            is_covered(centres, shown, raw, count, dropped_error(c)))
            return true;
    }
    return false;
}

static bool is_support_right(const dropped_case *c, const sc_exact_finding *f)
{
    uint64_t all = 0, shown = 0;
    if (f->is_empty)
        return is_empty_right(c, f);
    for (size_t i = 0; i < c->cells; i++) {
        const bool is_shown = sc_bars_at(&c->bars, i) > 0;
        shown += is_shown;
        if ((c->x[i] > c->q && !is_shown) || (is_shown && c->x[i] < f->here_least) ||
            (!is_shown && c->x[i] > f->bar_most))
            return false;
        all += is_shown ? 0 : c->x[i];
    }
    return f->here_least >= 1 && f->bar_most <= c->q && all <= f->beyond_most &&
           sc_ratio_compare_int64(&f->value, (int64_t)shown) == 0 &&
           strcmp(f->flexible.metric, SC_METRIC_HAUSDORFF) == 0 &&
           sc_ratio_compare(&f->flexible.beta, &c->buckets.error) == 0 &&
           is_support_near(c, f);
}

static bool is_total_right(const dropped_case *c, const sc_exact_finding *f)
{
    uint64_t all = 0, most = 0;
    count_between(c, 0, c->cells, &all, &most);
    return f->rank_low <= all && all <= f->rank_high && f->rank_low == c->bars.total &&
           f->rank_high <= c->bars.total + (sc_uint128)c->q * c->cells &&
           most <= f->bar_most && !f->has_flexible && !f->is_empty &&
           all - c->bars.total <= f->beyond_most;
}

static uint64_t count_wrong(const dropped_case *c)
{
    sc_exact_finding f;
    uint64_t wrong = 0;
    wrong += sc_bars_max(&c->bars, &f, NULL) != SCRIM_OK || !is_max_right(c, &f);
    sc_finding_clear(&f);
    wrong += sc_bars_min(&c->bars, &f, NULL) != SCRIM_OK || !is_min_right(c, &f);
    sc_finding_clear(&f);
    wrong += sc_bars_range(&c->bars, &f, NULL) != SCRIM_OK || !is_range_right(c, &f);
    sc_finding_clear(&f);
    wrong += sc_bars_interval(&c->bars, &f, NULL) != SCRIM_OK || !is_range_right(c, &f) ||
             !is_interval_near(c, &f);
    sc_finding_clear(&f);
    sc_bars_support(&c->bars, &f);
    wrong += !is_support_right(c, &f);
    sc_finding_clear(&f);
    sc_bars_total(&c->bars, &f);
    wrong += !is_total_right(c, &f);
    sc_finding_clear(&f);
    return wrong;
}

/* Every statement and every triple, on data of which any that may be left out is. */
TEST(extremes_say_what_is_true)
{
    CLAIM("extremes.run");
    CLAIM("extremes.flexible");
    const uint64_t count = check_count(10000, 1000000);
    size_t empty = 0, small = 0, points = 0;
    for (uint64_t i = 0; i < count; i++) {
        dropped_case c;
        dropped_init(&c, check_seed() * count + i);
        empty += c.bars.count == 0;
        small += c.count <= DROPPED_SMALL && c.bars.count > 0;
        points += c.cell_steps == 0;
        const uint64_t wrong = count_wrong(&c);
        dropped_clear(&c);
        if (!CHECK_INT(wrong, 0)) {
            CHECK_FAIL("case %llu", (unsigned long long)i);
            break;
        }
    }
    CHECK(empty > count / 40 && small > count / 10 && points > count / 10);
}

/* The numbers and the words of one histogram: places 0 to 9 of width 1/5. */
TEST(extremes_say_it_in_words)
{
    static const uint64_t x[] = {2, 0, 9, 4, 0, 7, 1, 0, 2, 0};
    static const uint64_t y[] = {0, 0, 7, 1, 0, 5, 0, 0, 0, 0};
    dropped_case c;
    sc_exact_finding f;
    char text[SC_FINDING_TEXT_BYTES];
    dropped_set(&c, x, y, COUNT(x), 3, "1/5");
    REQUIRE_OK(sc_bars_max(&c.bars, &f, NULL));
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK_STR(text, "at least 5 elements lie within 0.1 of it; no bucket above its own "
                    "holds more than 3, and at most 12 elements lie above its bucket");
    sc_finding_clear(&f);
    REQUIRE_OK(sc_bars_min(&c.bars, &f, NULL));
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK_STR(text, "at least 7 elements lie within 0.1 of it; no bucket below its own "
                    "holds more than 3, and at most 6 elements lie below its bucket");
    sc_finding_clear(&f);
    REQUIRE_OK(sc_bars_range(&c.bars, &f, NULL));
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK_STR(text, "at least 5 elements lie within 0.1 of each end; no bucket outside "
                    "of theirs holds more than 3, and at most 18 elements lie outside of "
                    "their buckets");
    sc_flexible_format(&f.flexible, text, sizeof text);
    CHECK_STR(text,
              "dropped=30 beta=0.2 gamma=0 distortion=drop metric=absolute case=worst");
    sc_finding_clear(&f);
    REQUIRE_OK(sc_bars_interval(&c.bars, &f, NULL));
    sc_flexible_format(&f.flexible, text, sizeof text);
    CHECK_STR(text, "dropped=30 beta=0.1 gamma=0 distortion=drop metric=sup case=worst");
    sc_finding_clear(&f);
    sc_bars_support(&c.bars, &f);
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK_STR(text, "each bucket shown holds at least 1 element; no bucket beside them "
                    "holds more than 3, and at most 21 elements lie beside them");
    sc_finding_clear(&f);
    sc_bars_total(&c.bars, &f);
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK_STR(text, "there are from 13 to 43 elements");
    sc_finding_clear(&f);
    dropped_clear(&c);
}

/* Range as a number needs 2 beta: {0, 4} and {1, 3} are at distance 1, their ranges 2 apart. In
 * buckets [0, 2), [2, 4), elements 0 and 3.999 have range near 4, and y says 2. */
TEST(extremes_range_may_be_off_by_two_beta)
{
    CLAIM("extremes.flexible");
    static const uint64_t x[] = {1, 1};
    dropped_case c;
    sc_exact_finding f;
    dropped_set(&c, x, x, 2, 0, "2");
    REQUIRE_OK(sc_bars_range(&c.bars, &f, NULL));
    CHECK_INT(sc_ratio_compare_int64(&f.value, 2), 0);
    CHECK_INT(sc_ratio_compare_int64(&f.flexible.beta, 2), 0);
    sc_finding_clear(&f);
    dropped_clear(&c);
}

/* Beyond an end there are no more full places than a public bound leaves beside those that are
 * shown. */
TEST(extremes_count_places_that_can_be_full)
{
    static const uint64_t y[] = {0, 0, 0, 2, 0, 4, 0, 0, 0, 0};
    static const struct {
        uint64_t bars_max, below, above, both;
    } cases[] = {
        {2, 0, 0, 0}, {3, 5, 5, 5}, {5, 15, 15, 15}, {9, 15, 20, 35}, {10, 15, 20, 35}};
    static scrim_status (*const find[])(const sc_bars *, sc_exact_finding *,
                                        scrim_error *) = {
        sc_bars_min, sc_bars_max, sc_bars_range, sc_bars_interval};
    dropped_case c;
    dropped_set(&c, y, y, COUNT(y), 5, "0");
    for (size_t i = 0; i < COUNT(cases); i++) {
        const uint64_t want[] = {cases[i].below, cases[i].above, cases[i].both,
                                 cases[i].both};
        c.bars.bars_max = cases[i].bars_max;
        for (size_t k = 0; k < COUNT(find); k++) {
            sc_exact_finding f;
            REQUIRE_OK(find[k](&c.bars, &f, NULL));
            CHECK_INT((uint64_t)f.beyond_most, want[k]);
            sc_finding_clear(&f);
        }
    }
    dropped_clear(&c);
}

/* Places of several axes have no order, but a support and a total. */
TEST(extremes_of_several_axes)
{
    sc_ratio upper, beta;
    sc_buckets b;
    sc_bars y;
    sc_exact_finding f;
    scrim_error error;
    exact_ratio("1", &upper);
    exact_ratio("1/4", &beta);
    const sc_buckets_question question = {
        .upper = &upper, .beta = &beta, .dimensions = 2, .norm = SC_BUCKET_NORM_MAX};
    REQUIRE_OK(sc_buckets_init(&b, &question, NULL));
    REQUIRE_OK(sc_bars_init(&y, &(sc_bars_facts){.buckets = &b, .q = 2},
                            (sc_bar[]){{3, 5}, {1, 2}}, 2, NULL));
    CHECK_STATUS(sc_bars_max(&y, &f, &error), SCRIM_E_PARAM);
    CHECK(strstr(error.message, "max") != NULL);
    CHECK_STATUS(sc_bars_min(&y, &f, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_bars_range(&y, &f, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_bars_interval(&y, &f, &error), SCRIM_E_PARAM);
    sc_bars_support(&y, &f);
    CHECK_INT(sc_ratio_compare_int64(&f.value, 2), 0);
    CHECK(f.beyond_most == 4);
    sc_finding_clear(&f);
    sc_bars_clear(&y);
    sc_buckets_clear(&b);
    sc_ratio_clear(&beta);
    sc_ratio_clear(&upper);
}
