#include "check.h"
#include "mechanism/microdata/projection.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

#define CELLS_MAX 400

/* Instances: splitmix64. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int64_t below(uint64_t *state, uint64_t n)
{
    return (int64_t)(next(state) % n);
}

/* The plain twin: sort, then the longest prefix that meets the condition. */

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

static void project_by_sorting(const int64_t *a, size_t count, int64_t r,
                               sc_projection *out)
{
    static int64_t b[CELLS_MAX];
    sc_int128 sum = 0;
    memcpy(b, a, count * sizeof *b);
    qsort(b, count, sizeof *b, by_size);
    *out = (sc_projection){.total = r};
    for (size_t j = 1; r > 0 && j <= count; j++) {
        sum += b[j - 1];
        if ((sc_int128)j * b[j - 1] > sum - r) {
            out->support = j;
            out->sum = sum;
        }
    }
}

static bool is_same(const sc_projection *a, const sc_projection *b)
{
    return a->support == b->support && a->sum == b->sum && a->total == b->total;
}

/* Against the twin, and the conditions of Karush, Kuhn and Tucker: the weights, times m, add up to m r, and
 * where the total is above 0 there is a support. */
static bool check_exact(const int64_t *a, size_t count, int64_t r)
{
    sc_projection p, twin;
    sc_int128 sum = 0;
    sc_project(a, count, r, &p);
    project_by_sorting(a, count, r, &twin);
    for (size_t i = 0; i < count; i++)
        sum += sc_projection_weight(&p, a[i]);
    return CHECK(is_same(&p, &twin)) && CHECK(sum == (sc_int128)p.support * r) &&
           CHECK((r > 0) == (p.support > 0));
}

/* Whole weights: not negative, of that sum, each less than 1 from the exact one. */
static bool check_whole(const int64_t *a, const int64_t *t, size_t count, int64_t r)
{
    sc_projection p;
    sc_int128 sum = 0;
    bool is_near = true;
    sc_project(a, count, r, &p);
    for (size_t i = 0; i < count; i++) {
        const sc_int128 m = (sc_int128)p.support,
                        off = m * t[i] - sc_projection_weight(&p, a[i]);
        is_near = is_near && t[i] >= 0 && (r == 0 ? t[i] == 0 : off < m && off > -m);
        sum += t[i];
    }
    return CHECK(is_near) && CHECK(sum == r);
}

static void check_row(const json_t *row)
{
    const json_t *list = json_object_get(row, "a"),
                 *whole = json_object_get(row, "integer");
    const int64_t r = (int64_t)vectors_number(row, "r");
    const size_t count = json_array_size(list);
    int64_t a[CELLS_MAX], t[CELLS_MAX];
    sc_projection p;
    for (size_t i = 0; i < count; i++)
        t[i] = a[i] = json_integer_value(json_array_get(list, i));
    sc_project(a, count, r, &p);
    CHECK_INT(p.support, vectors_number(row, "support"));
    for (size_t i = 0; i < count; i++) {
        const char *text =
            json_string_value(json_array_get(json_object_get(row, "weights"), i));
        long long above = 0, under = 1;
        (void)sscanf(text, "%lld/%lld", &above, &under);
        CHECK(sc_projection_weight(&p, a[i]) * under ==
              (sc_int128)above * (p.support == 0 ? 1 : (sc_int128)p.support));
    }
    sc_project_integer(t, count, r, NULL);
    for (size_t i = 0; i < count; i++)
        CHECK_INT(t[i], json_integer_value(json_array_get(whole, i)));
}

TEST(projection_agrees_with_the_vectors)
{
    CLAIM("projection.exact");
    CLAIM("projection.integer");
    const json_t *rows = vectors_load("microdata", "projection"), *row;
    size_t i;
    REQUIRE(rows != NULL);
    CHECK(json_array_size(rows) == 10);
    json_array_foreach(rows, i, row) check_row(row);
}

static int64_t cost_of(const int64_t *a, const int64_t *t, size_t count)
{
    int64_t cost = 0;
    for (size_t i = 0; i < count; i++)
        cost += (t[i] - a[i]) * (t[i] - a[i]);
    return cost;
}

/* The least cost over all tables: every division of r among the cells from here on. */
static int64_t least_cost(const int64_t *a, size_t count, int64_t r)
{
    int64_t least = INT64_MAX;
    if (count == 1)
        return (r - a[0]) * (r - a[0]);
    for (int64_t t = 0; t <= r; t++) {
        const int64_t cost =
            (t - a[0]) * (t - a[0]) + least_cost(a + 1, count - 1, r - t);
        least = cost < least ? cost : least;
    }
    return least;
}

/* Every table of up to 3 cells of -4..6, and random ones of 4. */
TEST(projection_is_the_best_table_of_all)
{
    CLAIM("projection.integer");
    uint64_t state = check_seed();
    for (uint64_t n = 0; n < check_count(3000, 60000); n++) {
        int64_t a[4], t[4];
        const size_t count = (size_t)below(&state, 4) + 1;
        const int64_t r = below(&state, 10);
        for (size_t i = 0; i < count; i++)
            t[i] = a[i] = below(&state, 11) - 4;
        sc_project_integer(t, count, r, NULL);
        if (!CHECK_INT(cost_of(a, t, count), least_cost(a, count, r)) ||
            !check_whole(a, t, count, r))
            return;
    }
}

/* A quadratic programme solver of another kind: unit after unit to the cell where it costs least, the
 * first of equal ones. It is exact, since the cost is a sum of convex functions. */
static void solve_by_units(const int64_t *a, size_t count, int64_t r, int64_t *t)
{
    memset(t, 0, count * sizeof *t);
    for (; r > 0; r--) {
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            if (t[i] - a[i] < t[best] - a[best])
                best = i;
        t[best]++;
    }
}

static void make_instance(uint64_t *state, int64_t *a, size_t *count, int64_t *r)
{
    const uint64_t spread = (uint64_t)1 << below(state, 12);
    *count = (size_t)below(state, 40) + 1;
    for (size_t i = 0; i < *count; i++)
        a[i] = below(state, 2 * spread) - (int64_t)(spread / 2);
    *r = below(state, 300);
}

SLOW_TEST(projection_agrees_with_a_solver_to_the_last_integer)
{
    CLAIM("projection.exact");
    CLAIM("projection.integer");
    uint64_t state = check_seed() + 1;
    int64_t a[CELLS_MAX], t[CELLS_MAX], want[CELLS_MAX], r = 0;
    for (uint64_t n = 0; n < check_count(2000, 10000); n++) {
        size_t count = 0;
        make_instance(&state, a, &count, &r);
        memcpy(t, a, sizeof t);
        sc_project_integer(t, count, r, NULL);
        solve_by_units(a, count, r, want);
        if (!CHECK_BYTES(t, want, count * sizeof *t) || !check_exact(a, count, r))
            return;
    }
}

/* Every size up to the limits of values and totals. */
TEST(projection_is_exact_at_every_size)
{
    CLAIM("projection.exact");
    uint64_t state = check_seed() + 2;
    int64_t a[CELLS_MAX], t[CELLS_MAX];
    for (uint64_t n = 0; n < check_count(2000, 20000); n++) {
        const size_t count = (size_t)below(&state, CELLS_MAX) + 1;
        const unsigned bits = (unsigned)below(&state, 62);
        const uint64_t span = (uint64_t)1 << bits;
        const int64_t r = below(&state, (uint64_t)1 << below(&state, 62));
        for (size_t i = 0; i < count; i++)
            t[i] = a[i] = below(&state, 2 * span) - (int64_t)span;
        sc_project_integer(t, count, r, NULL);
        if (!check_exact(a, count, r) || !check_whole(a, t, count, r))
            return;
    }
}

TEST(projection_takes_the_ends)
{
    CLAIM("projection.exact");
    const int64_t far = SC_PROJECTION_VALUE;
    int64_t one[] = {-5}, ends[] = {far, -far, far, -far}, low[] = {-far, -far, -far},
            huge[] = {0, (int64_t)1 << 40, 0}, zero[] = {0, 0, 0, 0};
    CHECK(check_exact(one, 1, far) && check_exact(ends, 4, far) &&
          check_exact(ends, 4, 1) && check_exact(low, 3, far) && check_exact(low, 3, 2) &&
          check_exact(huge, 3, 7) && check_exact(zero, 4, 0) && check_exact(zero, 4, 3));
    sc_project_integer(ends, 4, far, NULL);
    CHECK(ends[0] == far / 2 && ends[1] == 0 && ends[2] == far / 2 && ends[3] == 0);
    sc_project_integer(low, 3, 0, NULL);
    CHECK(low[0] == 0 && low[1] == 0 && low[2] == 0);
    sc_project_integer(one, 1, 3, NULL);
    CHECK_INT(one[0], 3);
    CHECK_INT(sc_projection_clamp((sc_int128)far * 8), far);
    CHECK_INT(sc_projection_clamp((sc_int128)far * -8), -far);
    CHECK_INT(sc_projection_clamp(-7), -7);
}

/* Another order of the cells, another order of the same weights; a constant on all adds itself. */
TEST(projection_follows_its_cells)
{
    CLAIM("projection.exact");
    uint64_t state = check_seed() + 3;
    int64_t a[CELLS_MAX], b[CELLS_MAX], r = 0;
    for (unsigned n = 0; n < 200; n++) {
        size_t count = 0;
        sc_projection p, q;
        make_instance(&state, a, &count, &r);
        for (size_t i = 0; i < count; i++)
            b[i] = a[count - 1 - i];
        sc_project(a, count, r, &p);
        sc_project(b, count, r, &q);
        CHECK(is_same(&p, &q));
        for (size_t i = 0; i < count; i++)
            b[i] = a[i] + 1000;
        sc_project(b, count, r + 1000 * (int64_t)count, &q);
        for (size_t i = 0; p.support == count && i < count; i++)
            CHECK(sc_projection_weight(&q, b[i]) ==
                  sc_projection_weight(&p, a[i]) + (sc_int128)count * 1000);
    }
}

/* The units that are left go by the order of hashes: as in a list that is sorted. */

typedef struct place {
    uint64_t hash;
    size_t at;
} place;

static int by_hash(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

TEST(projection_breaks_ties_by_a_public_order)
{
    CLAIM("projection.integer");
    uint64_t state = check_seed() + 4;
    for (unsigned n = 0; n < 300; n++) {
        const sc_tie_order order = {{n, 17}, (uint64_t)n * 1000};
        const size_t count = (size_t)below(&state, 300) + 1;
        const int64_t r = below(&state, count);
        const sc_hash_half half = sc_hash_first(&order.key, 0);
        int64_t t[CELLS_MAX];
        place places[CELLS_MAX];
        for (size_t i = 0; i < count; i++) {
            t[i] = 5;
            places[i] = (place){sc_hash_second(&half, order.first + i), i};
        }
        qsort(places, count, sizeof *places, by_hash);
        sc_project_integer(t, count, r, &order);
        bool is_right = true;
        for (size_t i = 0; i < count; i++)
            is_right = is_right && t[places[i].at] == ((int64_t)i < r);
        if (!CHECK(is_right))
            return;
    }
}

/* Only cells from g on are tied, whatever their hashes. */
TEST(projection_gives_nothing_to_clipped_cells)
{
    CLAIM("projection.integer");
    uint64_t state = check_seed() + 5;
    int64_t a[CELLS_MAX], t[CELLS_MAX], r = 0;
    for (unsigned n = 0; n < 500; n++) {
        const sc_tie_order order = {{n, 3}, 0};
        size_t count = 0;
        make_instance(&state, a, &count, &r);
        memcpy(t, a, sizeof t);
        sc_project_integer(t, count, r, &order);
        if (!check_whole(a, t, count, r))
            return;
    }
}
