#include "exact.h"
#include "mechanism/microdata/table_tail.h"
#include "tape_release.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Discrete Laplace noise in doubles, of three cells and the total. */
#define FAR 14

static double mass_of(double scale, int k)
{
    const double p = exp(-1 / scale);
    return (1 - p) / (1 + p) * pow(p, abs(k));
}

static int above(int x)
{
    return x > 0 ? x : 0;
}

/* P(E(t)) by enumeration; noise beyond FAR is left out. */
static double event(double scale, int cells, int t)
{
    double sum = 0, mass[2 * FAR + 1];
    for (int k = -FAR; k <= FAR; k++)
        mass[k + FAR] = mass_of(scale, k);
    for (int e = -FAR; e <= FAR; e++)
        for (int x = -FAR; x <= FAR; x++)
            for (int y = -FAR; y <= FAR; y++) {
                const double both = mass[e + FAR] * mass[x + FAR];
                if (cells == 2) {
                    sum += above(y - x - t) > t + e ? both * mass[y + FAR] : 0;
                    continue;
                }
                for (int z = -FAR; z <= FAR; z++)
                    if (above(y - x - t) + above(z - x - t) > t + e)
                        sum += both * mass[y + FAR] * mass[z + FAR];
            }
    return sum;
}

static int64_t radius_for(const sc_law *law, uint64_t d, const char *beta)
{
    sc_ratio limit;
    sc_int128 width = 0, radius = INT64_MAX;
    exact_ratio(beta, &limit);
    CHECK_STATUS(sc_table_tail_width(law, d, &limit, &width, NULL), SCRIM_OK);
    sc_table_tail *tail = sc_table_tail_new(law, width);
    if (CHECK(tail != NULL) && CHECK(sc_table_tail_descend(tail, law, d)))
        sc_table_tail_lower(tail, &limit, &radius);
    sc_table_tail_free(tail);
    sc_ratio_clear(&limit);
    return (int64_t)radius;
}

/* Cells are single steps for such noise: the radius is the least one with twice the probability below beta. */
SLOW_TEST(table_tail_is_that_of_the_event)
{
    CLAIM("table-tail.bound");
    static const char *const betas[] = {"1/2", "1/10", "1/20", "1/200"};
    static const char *const scales[] = {"1", "3/2"};
    for (size_t s = 0; s < COUNT(scales); s++)
        for (int cells = 2; cells <= 3; cells++) {
            sc_law law;
            exact_law(&sc_discrete_laplace_law, scales[s], 0, &law);
            double at[FAR];
            for (int t = 0; t < FAR; t++)
                at[t] = event(s == 0 ? 1 : 1.5, cells, t);
            for (size_t b = 0; b < COUNT(betas); b++) {
                static const double limits[] = {0.5, 0.1, 0.05, 0.005};
                const int64_t found = radius_for(&law, (uint64_t)cells, betas[b]);
                int least = 0;
                while (least < FAR - 1 && 2 * at[least] > limits[b])
                    least++;
                CHECK(found >= least && found <= least + 1);
            }
            sc_law_clear(&law);
        }
}

/* Releases of tables and trees, on data where errors are large: the share of a cell that is beyond its radius. */
typedef struct table {
    const char *line;
    size_t count;
    int64_t counts[27];
} table;

static void check_table(const table *t, uint64_t runs)
{
    scrim_measurement *m = tape_measurement(t->line);
    scrim_certificate c;
    uint64_t beyond[27] = {0}, any = 0;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.9", t->count, &c, NULL));
    const int64_t radius = atoll(c.radius), all = atoll(c.radius_all);
    for (uint64_t r = 0; r < runs; r++) {
        scrim_answer *answer = NULL;
        sc_tape *tape = NULL;
        bool is_any = false;
        REQUIRE_OK(sc_tape_seeded(check_seed() + r, &tape, NULL));
        REQUIRE_OK(tape_release(m,
                                &(scrim_input){.integers = t->counts, .count = t->count},
                                tape, &answer, NULL, NULL));
        for (size_t i = 0; i < t->count; i++) {
            int64_t got = 0;
            CHECK(scrim_answer_integer(answer, i, &got));
            beyond[i] += llabs(got - t->counts[i]) > radius;
            is_any = is_any || llabs(got - t->counts[i]) > all;
        }
        any += is_any;
        scrim_answer_free(answer);
        sc_tape_free(tape);
    }
    const double most = (double)runs * 0.1 + 5 * sqrt((double)runs * 0.09);
    for (size_t i = 0; i < t->count; i++)
        CHECK((double)beyond[i] <= most);
    CHECK(t->count == 1 || (double)any <= most);
    scrim_measurement_free(m);
}

SLOW_TEST(table_tail_holds_in_tables_and_trees)
{
    CLAIM("table-tail.bound");
    static const table tables[] = {
        {"sum-first epsilon=1/2 neighbours=add-remove", 9, {0, 0, 0, 0, 0, 0, 0, 0, 900}},
        {"sum-first epsilon=2 neighbours=add-remove", 27, {9, 0, 0, 4, 0, 0, 0, 1}},
        {"sum-first epsilon=1/20 neighbours=replace", 2, {0, 3000}},
        {"sum-first rho=1/50 neighbours=replace", 16, {0, 3000}},
        {"sum-first epsilon=1 neighbours=replace", 1, {5}},
        {"hierarchy fan-outs=3,3,3 epsilon=1 neighbours=add-remove", 27, {900}},
        {"hierarchy fan-outs=2,2,2,2 epsilon=1 neighbours=replace", 16, {900, 0, 0, 800}},
        {"hierarchy fan-outs=2,5 epsilon=2 neighbours=replace", 10, {0, 0, 70}},
        {"hierarchy fan-outs=4,4 shares=1/6,1/6,2/3 rho=1/10 neighbours=replace",
         16,
         {0, 0, 0, 70, 80, 80, 80, 80}},
    };
    for (size_t i = 0; i < COUNT(tables); i++)
        check_table(&tables[i], check_count(400, 10000));
}
