#include "check.h"
#include "mechanism/sparse/sparse_measurement.h"

#include <stdlib.h>

/* Every pair is of neighbours, in the domain, and not longer than a law takes. */
static void check_family(const sc_sparse_family *family, size_t least)
{
    const size_t count = sc_sparse_pair_count(family);
    CHECK(count >= least && count <= 5000);
    for (size_t i = 0; i < count; i++) {
        sc_pair pair;
        sc_sparse_pair(family, i, &pair);
        bool up = false, down = false,
             good =
                 pair.x_count == pair.y_count && pair.x_count >= 1 && pair.x_count <= 60;
        for (size_t j = 0; j < pair.x_count; j++) {
            int64_t move = pair.y[j] - pair.x[j];
            good = good && llabs(move) <= family->shift &&
                   sc_domain_clamp(family->domain, pair.x[j]) == pair.x[j] &&
                   sc_domain_clamp(family->domain, pair.y[j]) == pair.y[j];
            up = up || move > 0;
            down = down || move < 0;
        }
        if (!good || (family->is_monotone && up && down))
            CHECK_FAIL("pair %zu of %zu is not one of neighbours", i, count);
    }
}

TEST(sparse_pairs_are_neighbours)
{
    sc_domain domain;
    sc_domain_init(&domain);
    for (size_t queries = 1; queries <= SC_SPARSE_PAIR_QUERIES; queries++)
        for (int kind = 0; kind < 8; kind++) {
            const sc_sparse_family family = {.domain = &domain,
                                             .level = kind & 4 ? -7 : 0,
                                             .shift = 1 + (kind & 2),
                                             .height = kind & 2 ? 9 : 0,
                                             .queries = queries,
                                             .count = 1 + queries % 3,
                                             .values = 1,
                                             .length = kind & 4 ? 9 : 0,
                                             .is_monotone = kind & 1};
            check_family(&family, 6);
        }
    domain.grid.low = 0;
    const sc_sparse_family high = {.domain = &domain,
                                   .shift = 5,
                                   .height = 3,
                                   .queries = 3,
                                   .count = 1,
                                   .values = 1};
    check_family(&high, 200);
    const sc_sparse_family many = {
        .domain = &domain, .shift = 1, .queries = 3, .count = 1 << 20, .values = 1};
    CHECK_INT((int)sc_sparse_pair_count(&many), 0);
}

/* Eight answers with values: 1 + 1 queries within D, and all of them listed; nine are too many. */
TEST(sparse_pairs_of_many_values_are_full_runs)
{
    sc_domain domain;
    sc_domain_init(&domain);
    for (uint64_t count = 1; count <= 9; count++) {
        sc_sparse_family family = {.domain = &domain,
                                   .level = 5,
                                   .shift = 1,
                                   .queries = 3,
                                   .count = count,
                                   .values = 5};
        CHECK(sc_sparse_needs_full(&family) == (count >= 4 && count <= 8));
        family.is_full = sc_sparse_needs_full(&family);
        if (!family.is_full)
            continue;
        check_family(&family, 4);
        for (size_t i = 0; i < sc_sparse_pair_count(&family); i++) {
            sc_pair pair;
            sc_sparse_pair(&family, i, &pair);
            CHECK(pair.x_count == count || pair.x_count == count + 1);
            for (size_t k = 0; k < pair.x_count; k++)
                CHECK(pair.x[k] == 5 && llabs(pair.y[k] - 5) <= 1);
        }
    }
    const sc_sparse_family plain = {
        .domain = &domain, .shift = 1, .queries = 3, .count = 8, .values = 1};
    CHECK(!sc_sparse_needs_full(&plain));
}

/* An audit of runs that never halt would hold whatever is claimed for those that do. */
TEST(sparse_pairs_are_none_where_no_run_that_halts_is_listed)
{
    sc_domain domain;
    sc_domain_init(&domain);
    for (uint64_t count = 1; count <= 30; count++) {
        const sc_sparse_family family = {
            .domain = &domain, .shift = 1, .queries = 3, .count = count, .values = 1};
        const size_t pairs = sc_sparse_pair_count(&family);
        size_t longest = 0;
        for (size_t i = 0; i < pairs; i++) {
            sc_pair pair;
            sc_sparse_pair(&family, i, &pair);
            longest = pair.x_count > longest ? pair.x_count : longest;
        }
        CHECK(pairs == 0 || longest >= count);
        CHECK((pairs == 0) == (count > 10));
    }
}

TEST(sparse_pairs_hold_the_long_runs)
{
    sc_domain domain;
    sc_pair pair;
    sc_domain_init(&domain);
    const sc_sparse_family family = {
        .domain = &domain, .shift = 1, .queries = 3, .count = 1, .values = 1};
    sc_sparse_pair(&family, sc_sparse_pair_count(&family) - 1, &pair);
    CHECK_INT((int)pair.x_count, 33);
    CHECK(pair.x[0] == 0 && pair.y[0] == 1 && pair.x[31] == 0 && pair.y[31] == 1);
    CHECK(pair.x[32] == 0 && pair.y[32] == -1);
    /* with values, as many as have few outcomes: 1 + 33 5 for one answer, and for two
     * 1 + 10 5 + 45 25, while 18 queries would have 3916 */
    sc_sparse_family numeric = family;
    numeric.values = 5;
    sc_sparse_pair(&numeric, sc_sparse_pair_count(&numeric) - 1, &pair);
    CHECK_INT((int)pair.x_count, 33);
    numeric.count = 2;
    sc_sparse_pair(&numeric, sc_sparse_pair_count(&numeric) - 1, &pair);
    CHECK_INT((int)pair.x_count, 10);
}
