#include "exact.h"
#include "mechanism/microdata/cell_counts.h"
#include "mechanism_lines.h"
#include "noise_checks.h"

/* Outcomes are joined only where no two counts tell them apart: every pair of counts has the same delta as with all
 * outcomes by themselves. */

static void whole_delta(const sc_law *law, int64_t x, int64_t y, const sc_ball *growth,
                        sc_ball *out)
{
    const int64_t far = 400;
    SC_OWN(sc_ball, p, q);
    sc_ball_set_int64(out, 0);
    for (int64_t k = -far; k <= far; k++) {
        sc_law_pmf(law, (sc_int128)k - x, EXACT_BITS, &p);
        sc_law_pmf(law, (sc_int128)k - y, EXACT_BITS, &q);
        sc_ball_mul(&q, &q, growth, EXACT_BITS);
        sc_ball_sub(&p, &p, &q, EXACT_BITS);
        if (sc_ball_is_positive(&p))
            sc_ball_add(out, out, &p, EXACT_BITS);
    }
}

static void mass_of(const sc_outcomes *o, int64_t key, sc_ball *out)
{
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < o->count; i++)
        if (o->keys[i] == key)
            sc_ball_set(out, &o->mass[i]);
}

static void listed_delta(const sc_outcomes *a, const sc_outcomes *b,
                         const sc_ball *growth, sc_ball *out)
{
    SC_OWN(sc_ball, q, term);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < a->count; i++) {
        mass_of(b, a->keys[i], &q);
        sc_ball_mul(&q, &q, growth, EXACT_BITS);
        sc_ball_sub(&term, &a->mass[i], &q, EXACT_BITS);
        if (sc_ball_is_positive(&term))
            sc_ball_add(out, out, &term, EXACT_BITS);
    }
}

static void check_fold(const sc_cell_listing *l, int64_t x, int64_t y,
                       const char *epsilon)
{
    sc_outcomes a, b;
    sc_ratio level;
    SC_OWN(sc_ball, growth, whole, listed, total);
    exact_ratio(epsilon, &level);
    sc_ball_set_ratio(&growth, &level, EXACT_BITS);
    sc_ball_exp(&growth, &growth, EXACT_BITS);
    sc_outcomes_init(&a, 1);
    sc_outcomes_init(&b, 1);
    CHECK_STATUS(sc_cell_list(l, x, EXACT_BITS, &a, NULL), SCRIM_OK);
    CHECK_STATUS(sc_cell_list(l, y, EXACT_BITS, &b, NULL), SCRIM_OK);
    CHECK(a.count <= sc_cell_list_length(l) && b.count <= sc_cell_list_length(l));
    sc_outcomes_total(&a, EXACT_BITS, &total);
    sc_ball_set_int64(&listed, 1);
    CHECK_SAME(&total, &listed, 100);
    whole_delta(l->law, x, y, &growth, &whole);
    listed_delta(&a, &b, &growth, &listed);
    sc_ball_sub(&total, &whole, &listed, EXACT_BITS);
    sc_ball_abs(&total, &total);
    CHECK(sc_ball_upper(&total) < 1e-35);
    sc_outcomes_clear(&b);
    sc_outcomes_clear(&a);
    sc_ratio_clear(&level);
}

SLOW_TEST(cell_counts_fold_what_looks_alike)
{
    static const char *const epsilons[] = {"0", "1/3", "1/2", "1", "3"};
    static const struct {
        const sc_law_functions *law;
        const char *shape;
        int64_t bound;
    } laws[] = {{&sc_discrete_laplace_law, "2", 0},
                {&sc_clamped_laplace_law, "2", 30},
                {&sc_clamped_laplace_law, "5", 4},
                {&sc_discrete_gaussian_law, "4", 0}};
    for (size_t i = 0; i < COUNT(laws); i++) {
        sc_law law;
        exact_law(laws[i].law, laws[i].shape, laws[i].bound, &law);
        const sc_cell_listing listing = {.law = &law, .high = 4};
        for (int64_t x = 0; x <= 4; x += 2)
            for (int64_t y = 0; y <= 4; y++)
                check_fold(&listing, x, y, epsilons[(size_t)(x + y) % COUNT(epsilons)]);
        sc_outcomes none;
        sc_outcomes_init(&none, 1);
        CHECK_STATUS(sc_cell_list(&listing, 5, 64, &none, NULL), SCRIM_E_LIMIT);
        sc_outcomes_clear(&none);
        sc_law_clear(&law);
    }
}

/* Every pair is of neighbours: they differ by at most `rows` rows of `weight` each, and under
 * replace by two units. */
static void check_pairs(const char *line, int64_t rows, int64_t weight, bool is_replace)
{
    scrim_measurement *m = noise_modelled(line);
    REQUIRE(m != NULL);
    const size_t pairs = m->mechanism->pair_count(m);
    CHECK(pairs >= 2);
    for (size_t i = 0; i < pairs; i++) {
        sc_pair p;
        int64_t up = 0, down = 0, up_rows = 0, down_rows = 0, sum = 0;
        m->mechanism->pair(m, i, &p);
        REQUIRE(p.x_count == p.y_count);
        for (size_t k = 0; k < p.x_count; k++) {
            const int64_t by = p.y[k] - p.x[k], size = by < 0 ? -by : by;
            up += by > 0 ? size : 0;
            down += by < 0 ? size : 0;
            up_rows += by > 0 ? (size + weight - 1) / weight : 0;
            down_rows += by < 0 ? (size + weight - 1) / weight : 0;
            sum += p.x[k] > p.y[k] ? p.x[k] : p.y[k];
        }
        CHECK(up_rows <= rows && down_rows <= (is_replace ? rows : 0));
        CHECK(up > 0 && (i > 1 || up == rows * weight) && down <= rows * weight);
        CHECK(sc_cell_pair_high(m) >= sum - (down > 0 ? down : 0));
    }
    scrim_measurement_free(m);
}

TEST(cell_counts_pairs_are_neighbours)
{
    check_pairs("point-first epsilon=1", 1, 1, false);
    check_pairs("point-first epsilon=1 max-rows=3 weight=2", 3, 2, false);
    check_pairs("point-first epsilon=1 neighbours=replace", 1, 1, true);
    check_pairs("point-first epsilon=1 max-rows=2 neighbours=replace", 2, 1, true);
    check_pairs("sum-first epsilon=1 max-rows=2", 2, 1, false);
    check_pairs("sum-first epsilon=1 delta=1e-6 max-rows=3", 3, 1, false);
    check_pairs("sum-first rho=1 neighbours=replace", 1, 1, true);
}
