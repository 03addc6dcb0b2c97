#include "check.h"
#include "dropped.h"
#include "exact.h"
#include "mechanism/histogram/bar_statistics.h"

#include <string.h>

static int64_t last_with(const dropped_case *c, uint64_t k)
{
    int64_t place = (int64_t)c->cells - 1;
    while (place >= 0 && c->x[place] < k)
        place--;
    return place;
}

static uint64_t highest(const dropped_case *c)
{
    uint64_t most = 0;
    for (size_t i = 0; i < c->cells; i++)
        most = c->x[i] > most ? c->x[i] : most;
    return most;
}

/* How many of the elements are at the position of the i-th. */
static size_t height(const uint64_t *raw, size_t count, size_t i)
{
    size_t same = 0;
    for (size_t j = 0; j < count; j++)
        same += raw[j] == raw[i];
    return same;
}

static uint64_t mode_of(const uint64_t *raw, size_t count, const void *context)
{
    size_t best = 0;
    (void)context;
    for (size_t i = 1; i < count; i++)
        if (height(raw, count, i) > height(raw, count, best))
            best = i;
    return raw[best];
}

/* Where no position has k, a distance that nothing has. */
static uint64_t max_k_of(const uint64_t *raw, size_t count, const void *context)
{
    const uint64_t k = *(const uint64_t *)context;
    for (size_t i = count; i > 0; i--)
        if (height(raw, count, i - 1) >= k)
            return raw[i - 1];
    return UINT64_MAX / 2;
}

/* In buckets, the drop-move form: the same statistic of elements that moved to their centres. The
 * case with every element at its centre is such data. */
static bool is_near(const dropped_case *c, const sc_exact_finding *f,
                    dropped_statistic *statistic, const void *context)
{
    dropped_case moved = *c;
    if (c->count == 0 || c->count > DROPPED_SMALL)
        return true;
    for (size_t i = 0; i < c->count && c->cell_steps > 0; i++) {
        const uint64_t place = c->raw[i] / (2 * c->cell_steps);
        moved.raw[i] = dropped_centre(c, (size_t)place);
        const uint64_t far = moved.raw[i] > c->raw[i] ? moved.raw[i] - c->raw[i]
                                                      : c->raw[i] - moved.raw[i];
        if (far > dropped_error(c))
            return false;
    }
    return dropped_nearest(&moved, f->dropped_most, dropped_centre(c, (size_t)f->place),
                           statistic, context) == 0;
}

/* Unbounded in buckets, and exact at points. */
static bool is_triple_right(const dropped_case *c, const sc_exact_finding *f)
{
    return f->flexible.is_beta_unbounded == (c->cell_steps > 0) &&
           sc_ratio_sign(&f->flexible.beta) == 0 &&
           sc_flexible_check(&f->flexible, NULL) == SCRIM_OK;
}

static bool is_mode_right(const dropped_case *c, const sc_exact_finding *f)
{
    if (f->is_empty)
        return c->bars.count == 0 && highest(c) <= f->bar_most && f->bar_most <= c->q;
    for (size_t i = 0; i < c->cells; i++) /* the first of the highest that are shown */
        if (c->y[i] > c->y[f->place] || (i < f->place && c->y[i] == c->y[f->place]))
            return false;
    return c->x[f->place] + c->q >= highest(c) && c->x[f->place] >= f->here_least &&
           f->here_least >= 1 && highest(c) <= f->bar_most &&
           f->bar_most <= c->x[f->place] + c->q && is_triple_right(c, f) &&
           is_near(c, f, mode_of, NULL);
}

static bool is_max_k_right(const dropped_case *c, uint64_t k, const sc_exact_finding *f)
{
    uint64_t most = 0;
    const int64_t at = f->is_empty ? -1 : (int64_t)f->place;
    for (size_t i = (size_t)(at + 1); i < c->cells; i++) {
        most = c->x[i] > most ? c->x[i] : most;
        if (c->y[i] >= k)
            return false; /* not the last */
    }
    if (last_with(c, k + c->q) > at || at > last_with(c, k) || most > f->bar_most ||
        f->bar_most > k - 1 + c->q)
        return false;
    return f->is_empty ||
           (c->x[at] >= f->here_least && f->here_least >= k &&
            (k == 1 || is_triple_right(c, f)) && is_near(c, f, max_k_of, &k));
}

TEST(mode_says_what_is_true)
{
    CLAIM("mode.run");
    CLAIM("mode.max-k");
    CLAIM("mode.flexible");
    const uint64_t count = check_count(10000, 1000000);
    size_t none = 0;
    for (uint64_t i = 0; i < count; i++) {
        dropped_case c;
        sc_exact_finding f;
        dropped_init(&c, check_seed() * count + i);
        const uint64_t k = 1 + dropped_below(&c, 6);
        sc_bars_mode(&c.bars, &f);
        bool is_right = is_mode_right(&c, &f);
        sc_finding_clear(&f);
        REQUIRE_OK(sc_bars_max_k(&c.bars, k, &f, NULL));
        is_right = is_right && is_max_k_right(&c, k, &f);
        none += f.is_empty && c.bars.count > 0;
        sc_finding_clear(&f);
        dropped_clear(&c);
        if (!CHECK(is_right)) {
            CHECK_FAIL("case %llu", (unsigned long long)i);
            break;
        }
    }
    CHECK(none > count / 40);
}

/* Section 10: {0:3, 10:2, 10.1:2} and {0:3, 10:4} are at distance 0.1, and their modes at 10; the
 * same with max_2 of {0:2, 10:1, 10.1:1} and {0:2, 10:2}. So in buckets no beta is promised, at
 * points an exact value. */
TEST(mode_promises_no_distance_in_buckets)
{
    CLAIM("mode.flexible");
    static const uint64_t apart[] = {3, 2, 2}, together[] = {3, 4, 0};
    static const uint64_t few_apart[] = {2, 1, 1}, few_together[] = {2, 2, 0};
    dropped_case c;
    sc_exact_finding f;
    char text[SC_FLEXIBLE_TEXT_BYTES];
    dropped_set(&c, apart, apart, 3, 1, "0");
    sc_bars_mode(&c.bars, &f);
    CHECK_INT(f.place, 0);
    CHECK(!f.flexible.is_beta_unbounded);
    sc_finding_clear(&f);
    dropped_clear(&c);
    dropped_set(&c, together, together, 3, 1, "0.1");
    sc_bars_mode(&c.bars, &f);
    CHECK_INT(f.place, 1);
    sc_flexible_format(&f.flexible, text, sizeof text);
    CHECK_STR(text, "dropped=3 beta=unbounded gamma=0 distortion=drop metric=absolute "
                    "case=worst");
    sc_finding_clear(&f);
    dropped_clear(&c);
    dropped_set(&c, few_apart, few_apart, 3, 0, "0");
    REQUIRE_OK(sc_bars_max_k(&c.bars, 2, &f, NULL));
    CHECK_INT(f.place, 0);
    sc_finding_clear(&f);
    dropped_clear(&c);
    dropped_set(&c, few_together, few_together, 3, 0, "0.1");
    REQUIRE_OK(sc_bars_max_k(&c.bars, 2, &f, NULL));
    CHECK_INT(f.place, 1);
    CHECK(f.flexible.is_beta_unbounded);
    sc_finding_clear(&f);
    REQUIRE_OK(sc_bars_max_k(&c.bars, 1, &f, NULL)); /* the maximum */
    CHECK(!f.flexible.is_beta_unbounded);
    CHECK_INT(sc_ratio_compare(&f.flexible.beta, &c.buckets.error), 0);
    sc_finding_clear(&f);
    CHECK_STATUS(sc_bars_max_k(&c.bars, 0, &f, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_bars_max_k(&c.bars, ((uint64_t)1 << 62) + 1, &f, NULL),
                 SCRIM_E_LIMIT);
    dropped_clear(&c);
}

TEST(mode_says_it_in_words)
{
    static const uint64_t x[] = {4, 9, 2}, y[] = {3, 7, 0};
    dropped_case c;
    sc_exact_finding f;
    char text[SC_FINDING_TEXT_BYTES];
    dropped_set(&c, x, y, 3, 2, "1/3");
    sc_bars_mode(&c.bars, &f);
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK(strstr(text, "at least 7 elements lie within 1/6 of it;") == text);
    CHECK(strstr(text, "; no bucket holds more than 9, nor more than 2 beyond what "
                       "its own holds") != NULL);
    sc_finding_clear(&f);
    REQUIRE_OK(sc_bars_max_k(&c.bars, 5, &f, NULL));
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK(strstr(text, "; no bucket above its own holds more than 6") != NULL);
    sc_finding_clear(&f);
    REQUIRE_OK(sc_bars_max_k(&c.bars, 8, &f, NULL));
    CHECK(f.is_empty);
    sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK_STR(text, "no bucket holds more than 9 elements");
    sc_finding_clear(&f);
    dropped_clear(&c);
}
