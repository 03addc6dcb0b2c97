#include "noise_list.h"
#include "query/estimate/quantile_estimate.h"

#include <math.h>
#include <string.h>

/* The masses of sums, one noise after the other, as the definition has it. */
typedef struct sums {
    double **masses; /* by how many, from -count * reach on */
    int64_t reach;
    size_t most;
} sums;

static bool sums_init(sums *s, const noise_list *list, size_t most)
{
    *s = (sums){.reach = list->reach, .most = most};
    s->masses = calloc(most + 1, sizeof *s->masses);
    for (size_t n = 0; s->masses != NULL && n <= most; n++) {
        const int64_t reach = (int64_t)n * s->reach;
        s->masses[n] = calloc(2 * (size_t)reach + 1, sizeof(double));
        if (!CHECK(s->masses[n] != NULL))
            return false;
        if (n == 0)
            s->masses[0][0] = 1;
        for (int64_t x = -(reach - s->reach); n > 0 && x <= reach - s->reach; x++)
            for (int64_t z = -s->reach; z <= s->reach; z++)
                s->masses[n][reach + x + z] +=
                    s->masses[n - 1][reach - s->reach + x] * noise_list_mass(list, z);
    }
    return CHECK(s->masses != NULL);
}

static void sums_clear(sums *s)
{
    for (size_t n = 0; s->masses != NULL && n <= s->most; n++)
        free(s->masses[n]);
    free(s->masses);
}

static double sums_mass(const sums *s, size_t n, int64_t x)
{
    return s->masses[n][(int64_t)n * s->reach + x];
}

/* P((1-p) A + p B >= s); equal but for rounding counts as reached. */
static double exact_tail(const sums *t, double p, size_t left, size_t right, double s)
{
    const int64_t far = (int64_t)left * t->reach, side = (int64_t)right * t->reach;
    double *beyond = calloc(2 * (size_t)side + 2, sizeof *beyond);
    double tail = 0;
    CHECK(beyond != NULL);
    if (beyond == NULL)
        return 0;
    for (int64_t y = side; y >= -side; y--)
        beyond[side + y] = beyond[side + y + 1] + sums_mass(t, right, y);
    for (int64_t x = -far; x <= far; x++) {
        const double y = right == 0
                             ? ((1 - p) * (double)x >= s * (1 - 1e-12) ? -1 : 1)
                             : ceil((s - (1 - p) * (double)x) / p * (1 - 1e-12) - 1e-12);
        const double from = fmax(y, (double)-side);
        tail += sums_mass(t, left, x) *
                (from > (double)side ? 0 : beyond[(size_t)(from + (double)side)]);
    }
    free(beyond);
    return tail;
}

typedef struct noise_case {
    const char *line;
    size_t most; /* rings that are planned for */
    size_t used; /* and those that are summed here */
    bool is_exact;
} noise_case;

static void check_tail(const noise_case *k, const sums *t, const sc_rank_noise *noise,
                       const sc_noise *ring, double p, size_t left, double part)
{
    const size_t right = k->used - left;
    const double deviation = sc_rank_noise_deviation(ring, p, left, right);
    const double s = part * deviation;
    const double ours = sc_rank_noise_tail_upper(noise, p, left, right, s);
    const double truth = exact_tail(t, p, left, right, s);
    if (!CHECK(ours >= truth - 1e-9))
        CHECK_FAIL("%s, p %g, %zu and %zu: at %g the bound is %.12g, the tail %.12g",
                   k->line, p, left, right, s, ours, truth);
    const double nearer = s - deviation / 20 - 2;
    const double most = k->is_exact   ? truth + 1e-6
                        : nearer <= 0 ? 1
                                      : exact_tail(t, p, left, right, nearer) + 1e-6;
    if (!CHECK(ours <= most))
        CHECK_FAIL("%s, p %g, %zu and %zu: at %g the bound is %.12g, not %.12g", k->line,
                   p, left, right, s, ours, most);
}

static void check_case(const noise_case *k)
{
    static const double ps[] = {0.5, 0.25, 0.9, 0.999};
    static const double parts[] = {0.3, 1.4, 1.96, 3.1};
    noise_list list;
    sums t = {.masses = NULL};
    sc_rank_noise *noise = NULL;
    if (noise_list_init(&list, k->line) && sums_init(&t, &list, k->used) &&
        CHECK_STATUS(sc_rank_noise_new(&list.noise, k->most, &noise, NULL), SCRIM_OK))
        for (size_t i = 0; i < COUNT(ps); i += check_every(2))
            for (size_t left = 0; left <= k->used; left += 1 + k->used / 5)
                for (size_t j = 0; j < COUNT(parts); j++)
                    check_tail(k, &t, noise, &list.noise, ps[i], left, parts[j]);
    sc_rank_noise_free(noise);
    sums_clear(&t);
    noise_list_clear(&list);
}

SLOW_TEST(rank_noise_bounds_sums_of_laplace_noise)
{
    CLAIM("rank-noise.upper");
    static const noise_case cases[] = {
        {"laplace epsilon=1", 17, 17, true},    {"laplace epsilon=3", 64, 40, true},
        {"laplace epsilon=20", 33, 12, true},   {"laplace epsilon=1/20", 12, 3, true},
        {"laplace epsilon=2", 130, 129, false}, {"laplace epsilon=1/150", 30, 2, false},
        {"laplace epsilon=8", 200, 100, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        check_case(&cases[i]);
}

TEST(rank_noise_bounds_sums_of_gaussian_noise)
{
    CLAIM("rank-noise.tight");
    static const noise_case cases[] = {
        {"gaussian sigma=1", 40, 17, false},
        {"gaussian sigma=2.5", 40, 40, false},
        {"gaussian sigma=9", 40, 7, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        check_case(&cases[i]);
}

/* Below a step it is a bound, and no more. */
TEST(rank_noise_of_little_gaussian_noise_is_a_bound)
{
    noise_list list;
    sums t = {.masses = NULL};
    sc_rank_noise *noise = NULL;
    static const char *const lines[] = {"gaussian sigma=0.3", "gaussian sigma=0.75"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        if (noise_list_init(&list, lines[i]) && sums_init(&t, &list, 12) &&
            CHECK_STATUS(sc_rank_noise_new(&list.noise, 12, &noise, NULL), SCRIM_OK))
            for (size_t left = 0; left <= 12; left += 4)
                for (double s = 0.25; s < 9; s += 0.5)
                    CHECK(sc_rank_noise_tail_upper(noise, 0.5, left, 12 - left, s) >=
                          exact_tail(&t, 0.5, left, 12 - left, s) - 1e-9);
        sc_rank_noise_free(noise);
        sums_clear(&t);
        noise_list_clear(&list);
        noise = NULL;
    }
}

/* Few of many possible rings are there: their sums are kept for more than they are, and
 * still no bound is below the truth, wherever the steps of the two sides fall. */
TEST(rank_noise_of_few_among_many_is_a_bound)
{
    static const double ps[] = {0.01, 0.25, 0.5};
    noise_list list;
    sums t = {.masses = NULL};
    sc_rank_noise *noise = NULL;
    if (noise_list_init(&list, "laplace epsilon=1") && sums_init(&t, &list, 5) &&
        CHECK_STATUS(sc_rank_noise_new(&list.noise, 128, &noise, NULL), SCRIM_OK))
        for (size_t i = 0; i < COUNT(ps); i++)
            for (size_t left = 1; left <= 5; left++)
                for (int k = 1; k <= 400; k++) {
                    const double s = 0.03 * k;
                    CHECK(sc_rank_noise_tail_upper(noise, ps[i], left, 1, s) >=
                          exact_tail(&t, ps[i], left, 1, s) - 1e-9);
                }
    sc_rank_noise_free(noise);
    sums_clear(&t);
    noise_list_clear(&list);
}

TEST(rank_noise_has_the_deviation_of_its_law)
{
    static const char *const lines[] = {"laplace epsilon=1/2", "gaussian sigma=3"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        noise_list list;
        double variance = 0;
        if (noise_list_init(&list, lines[i]))
            for (int64_t z = -list.reach; z <= list.reach; z++)
                variance += noise_list_mass(&list, z) * (double)(z * z);
        CHECK_NEAR(sc_rank_noise_deviation(&list.noise, 0.2, 3, 5),
                   sqrt(variance * (0.64 * 3 + 0.04 * 5)), 1e-6);
        noise_list_clear(&list);
    }
}
