#include "check.h"
#include "query/rows/sensitivity.h"
#include "vectors.h"

#include <string.h>

static void read_ratio(const char *text, sc_ratio *out)
{
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), out, NULL), SCRIM_OK);
}

/* The same by brute force: all that a unit can be before and after, group by group, keeping count
 * of the groups that it is in. */

#define GROUPS_MAX 5
#define SUMS_MAX 256

/* A statistic is one number, or as many as there are rings. */
#define RINGS 3
typedef struct contribution {
    int64_t numbers[RINGS];
} contribution;

typedef struct brute {
    contribution sums[SUMS_MAX]; /* what a unit that is in a group may contribute to it */
    size_t count;
} brute;

static int64_t row_of(const sc_group_statistic *s, int64_t x)
{
    switch (s->kind) {
    case SC_STATISTIC_SUM:
        return x - s->centre;
    case SC_STATISTIC_TOTAL:
        return x;
    case SC_STATISTIC_SQUARES:
        return (x - s->centre) * (x - s->centre) - s->offset;
    case SC_STATISTIC_UNITS:
    case SC_STATISTIC_ROWS:
    case SC_STATISTIC_QUANTILES:
    case SC_STATISTIC_AROUND:
    case SC_STATISTIC_BARS:
    case SC_STATISTIC_PRESENT:
    case SC_STATISTIC_MISSING:
    case SC_STATISTIC_VALUES:
    case SC_STATISTIC_DISJOINT:
        break;
    }
    return 1;
}

static void add_sum(brute *b, const contribution *sum)
{
    for (size_t i = 0; i < b->count; i++)
        if (memcmp(&b->sums[i], sum, sizeof *sum) == 0)
            return;
    if (CHECK(b->count < SUMS_MAX))
        b->sums[b->count++] = *sum;
}

/* Among rings and cells, x is the one that the row is in. */
static void gather(brute *b, const sc_group_statistic *s, const sc_group_value *v,
                   uint64_t left, const contribution *sum)
{
    if (left == 0)
        return;
    for (int64_t x = v->low; x <= v->high; x++) {
        contribution next = *sum;
        const bool is_cell = s->kind == SC_STATISTIC_AROUND || sc_statistic_is_cell(s);
        next.numbers[is_cell ? x : 0] += row_of(s, x);
        add_sum(b, &next);
        gather(b, s, v, left - 1, &next);
    }
}

/* The sum of |a - b|^p, where a missing contribution counts as 0. */
static int64_t distance(const contribution *a, const contribution *b, int p)
{
    int64_t sum = 0;
    for (size_t i = 0; i < RINGS; i++) {
        const int64_t step =
            (a == NULL ? 0 : a->numbers[i]) - (b == NULL ? 0 : b->numbers[i]);
        sum += p == 2 ? step * step : step < 0 ? -step : step;
    }
    return sum;
}

/* The largest sum of distance(a, b), with p = 1 or 2, by what one group adds. */
static int64_t furthest(const brute *b, const sc_reach *reach, int p)
{
    int64_t best[GROUPS_MAX + 1][GROUPS_MAX + 1], next[GROUPS_MAX + 1][GROUPS_MAX + 1];
    const uint64_t kappa = reach->bounds.groups;
    int64_t result = 0;
    for (uint64_t i = 0; i <= kappa; i++)
        for (uint64_t j = 0; j <= kappa; j++)
            best[i][j] = i + j == 0 ? 0 : -1;
    for (uint64_t group = 0; group < reach->groups; group++) {
        for (uint64_t i = 0; i <= kappa; i++)
            for (uint64_t j = 0; j <= kappa; j++)
                next[i][j] = best[i][j];
        for (size_t a = 0; a <= b->count; a++)
            for (size_t c = 0; c <= b->count; c++) {
                /* The last place is: not in this group. */
                const uint64_t in = a < b->count, out = c < b->count;
                const int64_t far =
                    distance(in ? &b->sums[a] : NULL, out ? &b->sums[c] : NULL, p);
                for (uint64_t i = in; i <= kappa; i++)
                    for (uint64_t j = out; j <= kappa; j++)
                        if (best[i - in][j - out] >= 0 &&
                            next[i][j] < best[i - in][j - out] + far)
                            next[i][j] = best[i - in][j - out] + far;
            }
        for (uint64_t i = 0; i <= kappa; i++)
            for (uint64_t j = 0; j <= kappa; j++)
                best[i][j] = next[i][j];
    }
    const uint64_t after = reach->neighbours == SCRIM_REPLACE ? kappa : 0;
    for (uint64_t i = 0; i <= kappa; i++)
        for (uint64_t j = 0; j <= after; j++)
            result = best[i][j] > result ? best[i][j] : result;
    return result;
}

/* l2 less one step of its grid is below the root, which is not above l2. */
static void check_l2(const sc_ratio *l2, int64_t square)
{
    sc_ratio x, step;
    sc_ratio_init(&x);
    sc_ratio_init(&step);
    sc_ratio_mul(&x, l2, l2);
    CHECK(sc_ratio_compare_int64(&x, square) >= 0);
    read_ratio("2^-20", &step);
    sc_ratio_sub(&x, l2, &step);
    sc_ratio_mul(&x, &x, &x);
    CHECK(sc_ratio_compare_int64(&x, square) < 0 || square == 0);
    sc_ratio_clear(&step);
    sc_ratio_clear(&x);
}

static void check_one(const sc_group_statistic *s, const sc_group_value *v,
                      const sc_reach *reach)
{
    static const sc_group_value one = {.low = 0, .high = 0};
    static const contribution nothing = {.numbers = {0}};
    brute b = {.count = 0};
    SC_OWN(sc_norms, norms);
    sc_sensitivity_of(s, v, reach, &norms);
    gather(&b, s, v == NULL ? &one : v,
           s->kind == SC_STATISTIC_UNITS ? 1 : reach->bounds.rows, &nothing);
    const int64_t want = furthest(&b, reach, 1);
    CHECK(sc_ratio_compare_int64(&norms.l1, want) == 0);
    check_l2(&norms.l2, furthest(&b, reach, 2));
    if (reach->groups >= 2 * reach->bounds.groups) {
        /* More groups change nothing. */
        SC_OWN(sc_norms, same);
        sc_reach unknown = *reach;
        unknown.groups = 0;
        sc_sensitivity_of(s, v, &unknown, &same);
        CHECK(sc_ratio_compare(&norms.l1, &same.l1) == 0 &&
              sc_ratio_compare(&norms.l2, &same.l2) == 0);
    }
}

static void check_reaches(const sc_group_statistic *s, const sc_group_value *v)
{
    for (uint64_t groups = 1; groups <= GROUPS_MAX; groups++)
        for (uint64_t kappa = 1; kappa <= groups && kappa <= 3; kappa++)
            for (uint64_t rows = 1; rows <= 2; rows++)
                for (int relation = SCRIM_ADD_REMOVE; relation <= SCRIM_REPLACE;
                     relation++)
                    check_one(s, v,
                              &(sc_reach){.neighbours = (scrim_neighbours)relation,
                                          .bounds = {kappa, rows, 0},
                                          .groups = groups});
}

TEST(sensitivity_of_counts_is_that_of_brute_force)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
    check_reaches(&(sc_group_statistic){.kind = SC_STATISTIC_UNITS, .most = 1}, NULL);
    check_reaches(&(sc_group_statistic){.kind = SC_STATISTIC_ROWS, .most = 1}, NULL);
    check_reaches(&(sc_group_statistic){.kind = SC_STATISTIC_VALUES, .most = 1}, NULL);
}

/* A unit that stays in a group may leave one ring and enter another. */
TEST(sensitivity_of_rings_is_that_of_brute_force)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
    check_reaches(&(sc_group_statistic){.kind = SC_STATISTIC_AROUND, .most = 1},
                  &(sc_group_value){.low = 0, .high = RINGS - 1});
}

/* A unit that stays in a group may have the value in one version and lack it in the other. */
TEST(sensitivity_of_present_and_missing_values_is_that_of_brute_force)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
    check_reaches(&(sc_group_statistic){.kind = SC_STATISTIC_PRESENT, .most = 1},
                  &(sc_group_value){.low = 0, .high = 1});
}

/* A unit that stays in a group may be in one count in one version and in another in the other. */
TEST(sensitivity_of_counts_without_common_rows_is_that_of_brute_force)
{
    CLAIM("statistic.disjoint");
    CLAIM("sensitivity.tight");
    check_reaches(&(sc_group_statistic){.kind = SC_STATISTIC_DISJOINT, .most = 1},
                  &(sc_group_value){.low = 0, .high = RINGS - 1});
}

TEST(sensitivity_of_sums_is_that_of_brute_force)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
    for (int64_t low = -2; low <= 2; low++)
        for (int64_t high = low + 1; high <= 3; high++) {
            const sc_group_value v = {.low = low, .high = high};
            for (int64_t centre = low; centre <= high; centre++)
                check_reaches(
                    &(sc_group_statistic){.kind = SC_STATISTIC_SUM, .centre = centre},
                    &v);
            check_reaches(&(sc_group_statistic){.kind = SC_STATISTIC_SUM}, &v);
        }
}

/* All that up to four rows of a unit may add up to, NULL among them, clamped. */
static void gather_totals(brute *b, const sc_group_value *v, int64_t total, unsigned left)
{
    const int64_t low = total < v->total_low ? v->total_low : total;
    add_sum(b, &(contribution){.numbers = {low > v->total_high ? v->total_high : low}});
    for (int64_t x = v->low; left > 0 && x <= v->high; x++)
        gather_totals(b, v, total + x, left - 1);
}

/* Never exceeded, and attained where rows reach both ends of the bound. Rows play no part in it. */
static void check_total(const sc_group_value *v, const sc_reach *reach)
{
    const sc_group_statistic s = {.kind = SC_STATISTIC_TOTAL};
    brute b = {.count = 0};
    bool reaches_low = false, reaches_high = false;
    SC_OWN(sc_ratio, square);
    SC_OWN(sc_norms, norms);
    gather_totals(&b, v, 0, 4);
    for (size_t i = 0; i < b.count; i++) {
        reaches_low |= b.sums[i].numbers[0] == v->total_low;
        reaches_high |= b.sums[i].numbers[0] == v->total_high;
    }
    sc_sensitivity_of(&s, v, reach, &norms);
    const int64_t far = furthest(&b, reach, 1);
    CHECK(sc_ratio_compare_int64(&norms.l1, far) >= 0);
    sc_ratio_mul(&square, &norms.l2, &norms.l2);
    CHECK(sc_ratio_compare_int64(&square, furthest(&b, reach, 2)) >= 0);
    if (reaches_low && reaches_high) {
        CHECK(sc_ratio_compare_int64(&norms.l1, far) == 0);
        check_l2(&norms.l2, furthest(&b, reach, 2));
    }
}

TEST(sensitivity_of_totals_is_that_of_brute_force)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
    static const int64_t bounds[][2] = {{0, 3}, {-2, 5}, {-4, 0}, {-1, 1}, {0, 1}};
    for (int64_t low = -2; low <= 1; low++)
        for (int64_t high = low + 1; high <= 2; high++)
            for (size_t i = 0; i < COUNT(bounds); i++)
                for (uint64_t groups = 1; groups <= 4; groups++)
                    for (uint64_t kappa = 1; kappa <= groups && kappa <= 3; kappa++)
                        for (int relation = SCRIM_ADD_REMOVE; relation <= SCRIM_REPLACE;
                             relation++)
                            check_total(
                                &(sc_group_value){.low = low,
                                                  .high = high,
                                                  .is_nullable = true,
                                                  .has_total = true,
                                                  .total_low = bounds[i][0],
                                                  .total_high = bounds[i][1]},
                                &(sc_reach){.neighbours = (scrim_neighbours)relation,
                                            .bounds = {kappa, 1000000, 0},
                                            .groups = groups});
}

TEST(sensitivity_of_squares_is_that_of_brute_force)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
    for (int64_t low = -3; low <= 3; low++)
        for (int64_t high = low + 1; high <= 4; high++) {
            /* Those of spec 4.4. */
            const int64_t centre = sc_floor_divide(low + high, 2);
            const int64_t radius =
                high - centre > centre - low ? high - centre : centre - low;
            /* A grouping is of whole numbers: where radius^2 - offset is below what the middle
             * leaves, 0 is the smallest square, and is tight. */
            check_reaches(&(sc_group_statistic){.kind = SC_STATISTIC_SQUARES,
                                                .centre = centre,
                                                .offset = radius * radius / 2},
                          &(sc_group_value){.low = low, .high = high});
        }
}

TEST(sensitivity_at_the_limits_does_not_overflow)
{
    CLAIM("sensitivity.bound");
    const sc_reach reach = {.neighbours = SCRIM_REPLACE,
                            .bounds = {1000000000, 1000000000, 0}};
    const sc_group_value v = {.low = -((int64_t)1 << 62), .high = (int64_t)1 << 62};
    const sc_group_statistic s = {.kind = SC_STATISTIC_SUM, .centre = v.low};
    SC_OWN(sc_ratio, l2, want);
    SC_OWN(sc_norms, norms);
    sc_sensitivity_of(&s, &v, &reach, &norms);
    /* 2 10^18 2^63 */
    read_ratio("18446744073709551616e18", &want);
    CHECK(sc_ratio_compare(&norms.l1, &want) == 0);
    sc_ratio_mul(&l2, &norms.l2, &norms.l2);
    /* 2 10^9 (10^9 2^63)^2, rounded up by little */
    read_ratio("170141183460469231731687303715884105728e27", &want);
    CHECK(sc_ratio_compare(&l2, &want) >= 0);
    sc_ratio_div(&l2, &l2, &want);
    read_ratio("1.0000000000001", &want);
    CHECK(sc_ratio_compare(&l2, &want) < 0);
    CHECK_INT(sc_sensitivity_rows(&reach).copies, 2000000000);
    CHECK_INT(sc_sensitivity_rows(&reach).rows, 1000000000);
}

/* The specification's table, enumerated there over small databases with NULL in values and keys. */
TEST(sensitivities_with_null_are_those_of_the_specification)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
    static const char *const names[] = {"COUNT(x)", "SUM(x)", "S", "Q"};
    const json_t *rows = vectors_load("query-semantics", "sensitivity");
    const json_t *row;
    size_t i;
    CHECK(json_array_size(rows) > 50);
    json_array_foreach(rows, i, row)
    {
        const int64_t low = json_integer_value(json_object_get(row, "low")),
                      high = json_integer_value(json_object_get(row, "high")),
                      centre = json_integer_value(json_object_get(row, "centre"));
        const sc_group_value value = {.low = low, .high = high, .is_nullable = true};
        const int64_t radius =
            high - centre > centre - low ? high - centre : centre - low;
        size_t kind = 0;
        while (kind < COUNT(names) &&
               strcmp(names[kind], vectors_text(row, "statistic")) != 0)
            kind++;
        REQUIRE(kind < COUNT(names));
        const sc_group_statistic statistics[] = {
            {.kind = SC_STATISTIC_ROWS},
            {.kind = SC_STATISTIC_SUM},
            {.kind = SC_STATISTIC_SUM, .centre = centre},
            {.kind = SC_STATISTIC_SQUARES,
             .centre = centre,
             .offset = radius * radius / 2}};
        for (int relation = 0; relation < 2; relation++) {
            const json_t *want =
                json_object_get(row, relation == 0 ? "add_remove" : "replace");
            const sc_reach reach = {
                .neighbours = relation == 0 ? SCRIM_ADD_REMOVE : SCRIM_REPLACE,
                .bounds = {vectors_number(row, "G"), vectors_number(row, "R"), 0},
                .groups = vectors_number(row, "K")};
            SC_OWN(sc_ratio, l1, l2);
            SC_OWN(sc_norms, norms);
            sc_sensitivity_of(&statistics[kind], &value, &reach, &norms);
            CHECK(sc_ratio_compare_int64(
                      &norms.l1, json_integer_value(json_object_get(want, "l1"))) == 0);
            sc_ratio_mul(&l2, &norms.l2, &norms.l2);
            const int64_t squared =
                json_integer_value(json_object_get(want, "l2_squared"));
            CHECK(sc_ratio_compare_int64(&l2, squared) >= 0);
            sc_ratio_set_int64(&l1, 1);
            sc_ratio_sub(&l2, &l2, &l1);
            CHECK(sc_ratio_compare_int64(&l2, squared) < 0);
        }
    }
}

/* With a total: what all pairs of allocations of rows to groups reach. */

#define MOST 4

typedef enum moving { MOVES_SUM, MOVES_UNIT, MOVES_CELL, MOVES_LOSS } moving;

/* How far a group moves that has x rows before and y after, which contribute between low and high, or nothing;
 * to the power p. Of two cells, rows leave the one and enter the other. The loss of a draw has the range of all rows that
 * leave and enter. */
static int64_t group_moves(moving kind, int64_t low, int64_t high, int64_t x, int64_t y,
                           int p)
{
    const int64_t up = high > 0 ? high : 0, down = low < 0 ? low : 0;
    if (kind == MOVES_UNIT)
        return (x > 0) != (y > 0);
    if (kind == MOVES_CELL)
        return p == 2 ? x * x + y * y : x + y;
    if (kind == MOVES_LOSS)
        return p == 2 ? (x + y) * (x + y) : x + y;
    const int64_t a = up * x - down * y, b = up * y - down * x, far = a > b ? a : b;
    return p == 2 ? far * far : far;
}

/* By how many groups and rows a unit has so far, before and after. */
typedef struct reached {
    int64_t far[MOST + 1][MOST + 1][MOST + 1][MOST + 1];
} reached;

/* Adds one group, with up to reach->bounds.rows rows before and after. */
static void add_group(reached *r, moving kind, int64_t low, int64_t high,
                      const sc_reach *reach, int p)
{
    static reached next;
    const uint64_t groups = reach->bounds.groups, total = reach->bounds.total,
                   after = reach->neighbours == SCRIM_REPLACE ? reach->bounds.rows : 0;
    next = *r;
    for (uint64_t x = 0; x <= reach->bounds.rows; x++)
        for (uint64_t y = 0; y <= after; y++)
            for (uint64_t g = x > 0; g <= groups; g++)
                for (uint64_t h = y > 0; h <= groups; h++)
                    for (uint64_t t = x; t <= total; t++)
                        for (uint64_t u = y; u <= total; u++) {
                            const int64_t before =
                                r->far[g - (x > 0)][t - x][h - (y > 0)][u - y];
                            const int64_t far =
                                before +
                                group_moves(kind, low, high, (int64_t)x, (int64_t)y, p);
                            if (before >= 0 && far > next.far[g][t][h][u])
                                next.far[g][t][h][u] = far;
                        }
    *r = next;
}

static int64_t enumerated(moving kind, int64_t low, int64_t high, const sc_reach *reach,
                          int p)
{
    static reached r;
    int64_t best = 0;
    memset(&r, 0xff, sizeof r);
    r.far[0][0][0][0] = 0;
    for (uint64_t k = 0; k < reach->groups; k++)
        add_group(&r, kind, low, high, reach, p);
    for (size_t i = 0; i < sizeof r.far / sizeof(int64_t); i++) {
        const int64_t far = ((const int64_t *)r.far)[i];
        best = far > best ? far : best;
    }
    return best;
}

/* The farthest that one group moves. */
static int64_t enumerated_group(int64_t low, int64_t high, const sc_reach *reach)
{
    const sc_bounds *b = &reach->bounds;
    const int64_t rows = (int64_t)(b->rows < b->total ? b->rows : b->total),
                  after = reach->neighbours == SCRIM_REPLACE ? rows : 0;
    int64_t best = 0;
    for (int64_t x = 0; x <= rows; x++)
        for (int64_t y = 0; y <= after; y++) {
            const int64_t far = group_moves(MOVES_SUM, low, high, x, y, 1);
            best = far > best ? far : best;
        }
    return best;
}

static void check_enumerated(const sc_group_statistic *s, const sc_group_value *v,
                             moving kind, const sc_reach *reach)
{
    const int64_t low = v == NULL ? 0 : v->low, high = v == NULL ? 1 : v->high,
                  l1 = enumerated(kind, low, high, reach, 1);
    SC_OWN(sc_norms, norms);
    sc_sensitivity_of(s, v, reach, &norms);
    if (!CHECK(sc_ratio_compare_int64(&norms.l1, l1) == 0))
        CHECK_FAIL("%d: K %d G %d R %d T %d, l1 %lld", (int)kind, (int)reach->groups,
                   (int)reach->bounds.groups, (int)reach->bounds.rows,
                   (int)reach->bounds.total, (long long)l1);
    check_l2(&norms.l2, enumerated(kind, low, high, reach, 2));
    if (kind == MOVES_SUM)
        CHECK(sc_ratio_compare_int64(&norms.largest,
                                     enumerated_group(low, high, reach)) == 0);
    /* Elements are charged one by one, or by full groups of them. */
    const sc_charged_rows charged = sc_sensitivity_rows(reach);
    CHECK_INT((sc_int128)charged.rows * charged.copies,
              enumerated(MOVES_CELL, 0, 1, reach, 1));
    /* Their rho is that of the squares, where a unit that is replaced counts as two steps of one draw. */
    const int64_t rows = (int64_t)charged.rows, copies = (int64_t)charged.copies,
                  charge =
                      rows * rows * copies * (reach->neighbours == SCRIM_REPLACE ? 2 : 1);
    CHECK(charge >= enumerated(MOVES_LOSS, 0, 1, reach, 2));
}

SLOW_TEST(sensitivity_with_a_total_is_that_of_all_allocations)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
    static const int64_t ranges[][2] = {{0, 1}, {-1, 1}, {-1, 2}, {-3, 1}, {2, 3}};
    const sc_group_statistic sum = {.kind = SC_STATISTIC_SUM},
                             rows = {.kind = SC_STATISTIC_ROWS},
                             units = {.kind = SC_STATISTIC_UNITS},
                             rings = {.kind = SC_STATISTIC_AROUND},
                             bars = {.kind = SC_STATISTIC_BARS},
                             values = {.kind = SC_STATISTIC_VALUES};
    for (uint64_t i = 0; i < (uint64_t)MOST * MOST * MOST * MOST * 2; i++) {
        const sc_reach reach = {
            .neighbours = i % 2 == 0 ? SCRIM_ADD_REMOVE : SCRIM_REPLACE,
            .groups = 1 + i / 2 % MOST,
            .bounds = {1 + i / 8 % MOST, 1 + i / 32 % MOST, 1 + i / 128 % MOST}};
        check_enumerated(&rows, NULL, MOVES_SUM, &reach);
        check_enumerated(&values, NULL, MOVES_SUM, &reach);
        check_enumerated(&units, NULL, MOVES_UNIT, &reach);
        check_enumerated(&rings, NULL, MOVES_CELL, &reach);
        check_enumerated(&bars, NULL, MOVES_CELL, &reach);
        for (size_t k = i % 3; k < COUNT(ranges); k += check_count(3, 1))
            check_enumerated(&sum,
                             &(sc_group_value){.low = ranges[k][0], .high = ranges[k][1]},
                             MOVES_SUM, &reach);
    }
}

static void read_reach(const json_t *row, bool is_replace, sc_reach *reach)
{
    *reach = (sc_reach){.neighbours = is_replace ? SCRIM_REPLACE : SCRIM_ADD_REMOVE,
                        .groups = vectors_number(row, "K"),
                        .bounds = {vectors_number(row, "G"), vectors_number(row, "R"),
                                   vectors_number(row, "T")}};
}

static int64_t wanted(const json_t *row, const char *norm, bool is_replace)
{
    return json_integer_value(json_object_get(json_object_get(row, norm),
                                              is_replace ? "replace" : "add-remove"));
}

TEST(sensitivities_of_three_bounds_are_those_of_the_specification)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
    const json_t *row;
    size_t i;
    json_array_foreach(vectors_load("bounds", "sensitivities"), i, row)
    {
        const sc_group_statistic sum = {.kind = SC_STATISTIC_SUM};
        const sc_group_value value = {
            .low = json_integer_value(json_object_get(row, "a")),
            .high = json_integer_value(json_object_get(row, "b"))};
        sc_reach reach;
        SC_OWN(sc_norms, norms);
        read_reach(row, strcmp(vectors_text(row, "relation"), "replace") == 0, &reach);
        sc_sensitivity_of(&sum, &value, &reach, &norms);
        CHECK(sc_ratio_compare_int64(
                  &norms.l1, json_integer_value(json_object_get(row, "l1"))) == 0);
        check_l2(&norms.l2, json_integer_value(json_object_get(row, "l2squared")));
        CHECK(sc_ratio_compare_int64(
                  &norms.largest, json_integer_value(json_object_get(row, "linf"))) == 0);
    }
    CHECK(i >= 60);
}

TEST(sensitivities_of_units_and_cells_are_those_of_the_specification)
{
    CLAIM("sensitivity.bound");
    const sc_group_statistic units = {.kind = SC_STATISTIC_UNITS},
                             cells[] = {{.kind = SC_STATISTIC_AROUND},
                                        {.kind = SC_STATISTIC_PRESENT},
                                        {.kind = SC_STATISTIC_MISSING},
                                        {.kind = SC_STATISTIC_DISJOINT},
                                        {.kind = SC_STATISTIC_BARS}};
    const json_t *row;
    size_t i;
    json_array_foreach(vectors_load("bounds", "count_distinct_unit"), i,
                       row) for (int is_replace = 0; is_replace < 2; is_replace++)
    {
        sc_reach reach;
        SC_OWN(sc_norms, norms);
        read_reach(row, is_replace != 0, &reach);
        if (strcmp(vectors_text(row, "kept"), "declared") != 0)
            reach.bounds = (sc_bounds){.total = reach.bounds.total};
        sc_sensitivity_of(&units, NULL, &reach, &norms);
        CHECK(sc_ratio_compare_int64(&norms.l1, wanted(row, "l1", is_replace != 0)) == 0);
    }
    CHECK(i > 0);
    json_array_foreach(vectors_load("bounds", "cells"), i,
                       row) for (int is_replace = 0; is_replace < 2; is_replace++)
    {
        sc_reach reach;
        SC_OWN(sc_norms, norms);
        read_reach(row, is_replace != 0, &reach);
        for (size_t k = 0; k < COUNT(cells); k++) {
            sc_sensitivity_of(&cells[k], NULL, &reach, &norms);
            CHECK(sc_ratio_compare_int64(&norms.l1, wanted(row, "l1", is_replace != 0)) ==
                  0);
            check_l2(&norms.l2, wanted(row, "l2squared", is_replace != 0));
        }
    }
    CHECK(i > 0);
}
