#include "check.h"
#include "data/value/contribution.h"

static void check_bounds(sc_bounds got, uint64_t groups, uint64_t rows, uint64_t total)
{
    CHECK_INT(got.groups, groups);
    CHECK_INT(got.rows, rows);
    CHECK_INT(got.total, total);
}

/* Can a unit have rows[i] rows in group i, of three groups? Bounds that are left out allow any. */
static bool allows(const sc_bounds *b, const uint64_t rows[3])
{
    uint64_t groups = 0, most = 0, total = 0;
    for (size_t i = 0; i < 3; i++) {
        groups += rows[i] > 0;
        most = rows[i] > most ? rows[i] : most;
        total += rows[i];
    }
    return (b->groups == 0 || groups <= b->groups) && (b->rows == 0 || most <= b->rows) &&
           (b->total == 0 || total <= b->total);
}

TEST(contribution_normal_bounds_allow_the_same_rows)
{
    CLAIM("contribution.normal");
    for (uint64_t i = 0; i < (uint64_t)6 * 6 * 8; i++) {
        const sc_bounds said = {i % 6, i / 6 % 6, i / 36};
        if (!sc_bounds_are_whole(&said)) {
            CHECK(said.total == 0 && (said.groups == 0 || said.rows == 0));
            continue;
        }
        const sc_bounds n = sc_bounds_normal(&said, 3), again = sc_bounds_normal(&n, 3);
        check_bounds(again, n.groups, n.rows, n.total);
        CHECK(n.groups >= 1 && n.rows >= 1 && n.groups <= 3 && n.groups <= n.total &&
              n.rows <= n.total && n.total <= n.groups * n.rows);
        for (uint64_t k = 0; k < (uint64_t)8 * 8 * 8; k++) {
            const uint64_t rows[3] = {k % 8, k / 8 % 8, k / 64};
            CHECK(allows(&said, rows) == allows(&n, rows));
        }
    }
}

TEST(contribution_bounds_that_are_left_out_follow_from_the_others)
{
    CLAIM("contribution.normal");
    check_bounds(sc_bounds_normal(&(sc_bounds){.total = 60}, 3), 3, 60, 60);
    check_bounds(sc_bounds_normal(&(sc_bounds){.total = 60}, 100), 60, 60, 60);
    check_bounds(sc_bounds_normal(&(sc_bounds){20, 3, 0}, 0), 20, 3, 60);
    check_bounds(sc_bounds_normal(&(sc_bounds){20, 3, 0}, 3), 3, 3, 9);
    check_bounds(sc_bounds_normal(&(sc_bounds){20, 3, 7}, 0), 7, 3, 7);
    check_bounds(sc_bounds_normal(&(sc_bounds){.rows = 9, .total = 7}, 1), 1, 7, 7);
    /* Products of the largest bounds do not wrap. */
    check_bounds(sc_bounds_normal(
                     &(sc_bounds){SC_SCHEMA_CONTRIBUTION, SC_SCHEMA_CONTRIBUTION, 0}, 0),
                 SC_SCHEMA_CONTRIBUTION, SC_SCHEMA_CONTRIBUTION,
                 (uint64_t)SC_SCHEMA_CONTRIBUTION * SC_SCHEMA_CONTRIBUTION);
    check_bounds(
        sc_bounds_normal(&(sc_bounds){(uint64_t)1 << 40, (uint64_t)1 << 40, 0}, 0),
        (uint64_t)1 << 40, (uint64_t)1 << 40, UINT64_MAX);
}

TEST(contribution_bounds_of_a_question_are_those_that_it_says)
{
    const sc_bounds pair = {20, 3, 0}, total = {0, 0, 60};
    check_bounds(sc_bounds_over(&(sc_bounds){0, 0, 0}, &pair), 20, 3, 0);
    check_bounds(sc_bounds_over(&(sc_bounds){0, 5, 0}, &pair), 20, 5, 0);
    check_bounds(sc_bounds_over(&(sc_bounds){0, 0, 30}, &pair), 0, 0, 30);
    check_bounds(sc_bounds_over(&(sc_bounds){4, 5, 0}, &total), 4, 5, 0);
    check_bounds(sc_bounds_over(&(sc_bounds){4, 0, 0}, &total), 4, 0, 60);
}
