#include "check.h"
#include "exact.h"
#include "faults.h"
#include "mechanism/histogram/buckets.h"

#include <string.h>

#define MOST SC_BARS_COUNT_MAX

/* Ten buckets of width 1/5 from 0 to 2. */
static void open_ten(sc_buckets *b)
{
    sc_ratio upper, beta;
    exact_ratio("2", &upper);
    exact_ratio("0.1", &beta);
    const sc_buckets_question question = {
        .upper = &upper, .beta = &beta, .dimensions = 1};
    if (!CHECK_STATUS(sc_buckets_init(b, &question, NULL), SCRIM_OK))
        abort();
    sc_ratio_clear(&beta);
    sc_ratio_clear(&upper);
}

TEST(bars_are_in_the_order_of_places)
{
    CLAIM("bars.order");
    sc_buckets b;
    open_ten(&b);
    /* Every order of four bars, of which one is empty. */
    static const sc_bar four[] = {{7, 3}, {2, 1}, {5, 0}, {0, 9}};
    for (size_t order = 0; order < 256; order++) {
        const size_t at[] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6};
        if ((1u << at[0] | 1u << at[1] | 1u << at[2] | 1u << at[3]) != 15)
            continue;
        const sc_bar given[] = {four[at[0]], four[at[1]], four[at[2]], four[at[3]]};
        sc_bars y;
        REQUIRE_OK(
            sc_bars_init(&y, &(sc_bars_facts){.buckets = &b, .q = 4}, given, 4, NULL));
        CHECK_INT(y.count, 3);
        CHECK_INT(y.total, 13);
        CHECK(y.bars[0].place == 0 && y.bars[1].place == 2 && y.bars[2].place == 7);
        CHECK(y.bars[0].count == 9 && y.bars[1].count == 1 && y.bars[2].count == 3);
        CHECK_INT(sc_bars_at(&y, 7), 3);
        CHECK_INT(sc_bars_at(&y, 5), 0);
        CHECK_INT(y.bars_max, 10);
        sc_bars_clear(&y);
    }
    sc_buckets_clear(&b);
}

TEST(bars_end_at_2_to_the_62)
{
    sc_buckets b;
    sc_bars y;
    open_ten(&b);
    const sc_bars_facts facts = {.buckets = &b, .q = 1};
    REQUIRE_OK(sc_bars_init(&y, &facts, (sc_bar[]){{0, UINT64_MAX}}, 1, NULL));
    CHECK(y.bars[0].count == MOST && y.total == MOST);
    sc_bars_clear(&y);
    REQUIRE_OK(sc_bars_init(&y, &facts, (sc_bar[]){{0, MOST - 1}, {1, 1}}, 2, NULL));
    CHECK_INT(y.total, MOST);
    sc_bars_clear(&y);
    REQUIRE_OK(sc_bars_init(&y, &facts, (sc_bar[]){{0, MOST - 2}, {1, 1}}, 2, NULL));
    CHECK_INT(y.total, MOST - 1);
    sc_bars_clear(&y);
    REQUIRE_OK(
        sc_bars_init(&y, &facts, (sc_bar[]){{0, MOST}, {1, MOST}, {2, MOST}}, 3, NULL));
    CHECK_INT(y.total, MOST);
    sc_bars_clear(&y);
    CHECK_INT(sc_bars_add(UINT64_MAX, UINT64_MAX), MOST);
    sc_buckets_clear(&b);
}

TEST(bars_refuse_places_that_are_none)
{
    sc_buckets b;
    sc_bars y;
    open_ten(&b);
    const sc_bars_facts facts = {.buckets = &b, .q = 1};
    CHECK_STATUS(sc_bars_init(&y, &facts, (sc_bar[]){{10, 1}}, 1, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_bars_init(&y, &facts, (sc_bar[]){{3, 1}, {2, 1}, {3, 1}}, 3, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_bars_init(&y, &(sc_bars_facts){.buckets = &b, .q = SC_BARS_Q_MAX + 1},
                              NULL, 0, NULL),
                 SCRIM_E_LIMIT);
    REQUIRE_OK(sc_bars_init(&y, &facts, NULL, 0, NULL));
    CHECK(y.count == 0 && y.total == 0 && sc_bars_at(&y, 0) == 0);
    sc_bars_clear(&y);
    FAULT_LOOP(fault)
    {
        scrim_status status =
            sc_bars_init(&y, &facts, (sc_bar[]){{2, 1}, {1, 1}}, 2, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        if (status == SCRIM_OK)
            sc_bars_clear(&y);
    }
    sc_buckets_clear(&b);
}

static void check_triple(const sc_flexible_claim *x, const char *text)
{
    char line[SC_FLEXIBLE_TEXT_BYTES];
    CHECK_STATUS(sc_flexible_check(x, NULL), SCRIM_OK);
    sc_flexible_format(x, line, sizeof line);
    CHECK_STR(line, text);
}

/* t is the number of places, a public bound on those that hold anything, or a public size,
 * whichever is least; alpha is a share only where the size is public. */
TEST(bars_say_how_much_was_left_out)
{
    sc_buckets b;
    sc_bars y;
    sc_flexible_claim triple;
    static const struct {
        uint64_t q, bars_max, size;
        bool has_size;
        uint64_t dropped;
        const char *line;
    } cases[] = {
        {7, 0, 0, false, 70,
         "dropped=70 beta=0.1 gamma=0 distortion=drop metric=move case=worst"},
        {7, 4, 0, false, 28,
         "dropped=28 beta=0.1 gamma=0 distortion=drop metric=move case=worst"},
        {7, 99, 0, false, 70,
         "dropped=70 beta=0.1 gamma=0 distortion=drop metric=move case=worst"},
        {7, 0, 1000, true, 70,
         "alpha=0.07 beta=0.1 gamma=0 distortion=drop metric=move case=worst"},
        {7, 0, 3, true, 3,
         "alpha=1 beta=0.1 gamma=0 distortion=drop metric=move case=worst"},
        {7, 0, 0, true, 0,
         "alpha=0 beta=0.1 gamma=0 distortion=drop metric=move case=worst"},
        {0, 0, 0, false, 0,
         "dropped=0 beta=0.1 gamma=0 distortion=drop metric=move case=worst"},
    };
    open_ten(&b);
    sc_flexible_init(&triple);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const sc_bars_facts facts = {.buckets = &b,
                                     .q = cases[i].q,
                                     .bars_max = cases[i].bars_max,
                                     .has_size = cases[i].has_size,
                                     .size = cases[i].size};
        REQUIRE_OK(sc_bars_init(&y, &facts, NULL, 0, NULL));
        CHECK(sc_bars_dropped_upper(&y) == cases[i].dropped);
        sc_bars_flexible(&y, &triple);
        check_triple(&triple, cases[i].line);
        sc_bars_clear(&y);
    }
    sc_flexible_clear(&triple);
    sc_buckets_clear(&b);
}

/* A public number that is below what is shown was not true: what is shown counts. */
TEST(bars_shown_are_there_whatever_the_bound_says)
{
    static const struct {
        uint64_t bars_max, size;
        bool has_size;
        uint64_t most, dropped;
    } cases[] = {{1, 0, false, 3, 21}, {3, 0, false, 3, 21}, {4, 0, false, 4, 28},
                 {0, 2, true, 3, 2},   {2, 9, true, 3, 9},   {0, 99, true, 10, 70}};
    static const sc_bar shown[] = {{1, 1}, {4, 1}, {9, 1}};
    sc_buckets b;
    sc_bars y;
    open_ten(&b);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const sc_bars_facts facts = {.buckets = &b,
                                     .q = 7,
                                     .bars_max = cases[i].bars_max,
                                     .has_size = cases[i].has_size,
                                     .size = cases[i].size};
        REQUIRE_OK(sc_bars_init(&y, &facts, shown, COUNT(shown), NULL));
        CHECK_INT(y.bars_max, cases[i].most);
        CHECK(sc_bars_dropped_upper(&y) == cases[i].dropped);
        sc_bars_clear(&y);
    }
    sc_buckets_clear(&b);
}

/* q = 2^31 - 1 of 2^62 places: 93 bits. */
TEST(bars_count_what_does_not_fit_64_bits)
{
    sc_buckets b;
    sc_bars y;
    sc_ratio lower, step;
    exact_ratio("0", &lower);
    exact_ratio("1", &step);
    REQUIRE_OK(sc_buckets_init_points(&b, &lower, &step, MOST, NULL));
    REQUIRE_OK(sc_bars_init(&y, &(sc_bars_facts){.buckets = &b, .q = SC_BARS_Q_MAX}, NULL,
                            0, NULL));
    CHECK(sc_bars_dropped_upper(&y) == (sc_uint128)SC_BARS_Q_MAX << 62);
    CHECK(sc_bars_left_out_upper(&y, 3, 0) == 3 * (sc_uint128)SC_BARS_Q_MAX);
    CHECK(sc_bars_left_out_upper(&y, MOST, MOST - 2) == 2 * (sc_uint128)SC_BARS_Q_MAX);
    sc_bars_clear(&y);
    sc_buckets_clear(&b);
    sc_ratio_clear(&step);
    sc_ratio_clear(&lower);
}
