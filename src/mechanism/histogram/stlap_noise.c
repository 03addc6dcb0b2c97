#include "mechanism/histogram/stlap_noise.h"

#include "base/number/ratio.h"
#include "sampling/law.h"

/* As a polynomial, which is exact where d is. */
void sc_stlap_sides(const sc_ball *d, unsigned sides, long bits, sc_ball *out)
{
    if (sides == 1) {
        sc_ball_set(out, d);
        return;
    }
    SC_OWN(sc_ball, both);
    sc_ball_neg(&both, d);
    sc_ball_add_int64(&both, &both, 2, bits);
    sc_ball_mul(out, d, &both, bits);
}

void sc_stlap_delta(const sc_ratio *epsilon, uint64_t q, uint64_t group, unsigned sides,
                    long bits, sc_ball *out)
{
    if (group > q) {
        sc_ball_set_int64(out, 1);
        return;
    }
    if (2 * group == q + 1) { /* one half of the law, exactly */
        sc_ball_set_int64(out, 1);
        sc_ball_mul_power2(out, out, -1);
    } else {
        sc_law law;
        sc_law_init(&law, &sc_shifted_laplace_law, epsilon, (sc_int128)q);
        sc_law_at_least(&law, 1 - (sc_int128)group, bits, out);
        sc_law_clear(&law);
    }
    sc_stlap_sides(out, sides, bits, out);
}

static bool has_delta(const sc_ratio *epsilon, uint64_t q, uint64_t group, unsigned sides,
                      const sc_ball *delta)
{
    SC_OWN(sc_ball, mass);
    sc_stlap_delta(epsilon, q, group, sides, SC_STLAP_BITS, &mass);
    return sc_ball_is_less_equal(&mass, delta);
}

/* The mass at the end falls as q grows. */
scrim_status sc_stlap_q_of(const sc_ratio *epsilon, const sc_ratio *delta, uint64_t group,
                           unsigned sides, uint64_t *q, scrim_error *error)
{
    uint64_t low = group - 1, high = group; /* below group it is 1 */
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, target);
    sc_ball_set_ratio(&target, delta, SC_STLAP_BITS);
    while (high < SC_STLAP_Q_MAX && !has_delta(epsilon, high, group, sides, &target)) {
        low = high;
        high = 2 * high < SC_STLAP_Q_MAX ? 2 * high : SC_STLAP_Q_MAX;
    }
    if (high > SC_STLAP_Q_MAX || !has_delta(epsilon, high, group, sides, &target))
        status =
            sc_fail(error, SCRIM_E_LIMIT,
                    "that epsilon and delta need a q above 2147483647, so that a bar "
                    "may lose as many elements; choose a larger one of them");
    while (status == SCRIM_OK && high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (has_delta(epsilon, middle, group, sides, &target))
            high = middle;
        else
            low = middle;
    }
    if (status == SCRIM_OK)
        *q = high;
    return status;
}

typedef struct epsilon_search {
    uint64_t q;
    const sc_ball *delta;
} epsilon_search;

static bool is_enough(const void *context, const sc_ratio *epsilon)
{
    const epsilon_search *w = context;
    return has_delta(epsilon, w->q, 1, 1, w->delta);
}

#define EPSILON_NEAR (-60)
#define EPSILON_FAR 20
#define EPSILON_STEPS 44

/* 1/(q+1), which no epsilon exceeds. */
static bool is_always(uint64_t q, const sc_ratio *delta)
{
    SC_OWN(sc_ratio, even, one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int128(&even, (sc_int128)q + 1);
    sc_ratio_div(&even, &one, &even);
    return sc_ratio_compare(delta, &even) >= 0;
}

scrim_status sc_stlap_epsilon_of(uint64_t q, const sc_ratio *delta, sc_ratio *epsilon,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (q >= 1 && is_always(q, delta)) {
        sc_ratio_set_int64(epsilon, 0);
        return SCRIM_OK;
    }
    if (q <= 1)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "q",
                           "with q=1 delta is 1/2 at every epsilon; choose a larger q");
    SC_OWN(sc_ratio, low, high);
    SC_OWN(sc_ball, target);
    sc_ball_set_ratio(&target, delta, SC_STLAP_BITS);
    const epsilon_search w = {q, &target};
    const bool is_between =
        sc_ratio_bracket(is_enough, &w, EPSILON_NEAR, EPSILON_FAR, &low, &high);
    if (is_between)
        sc_ratio_bisect(is_enough, &w, EPSILON_STEPS, &low, &high);
    if (is_between || is_enough(&w, &high)) {
        sc_ratio_set(epsilon,
                     &high); /* at most 2^EPSILON_NEAR where there is no bracket */
    } else {
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "that q and delta need an epsilon above 1048576");
    }
    return status;
}

scrim_status sc_stlap_sampler_init(sc_stlap_sampler *s, const sc_ratio *epsilon,
                                   uint64_t q, bool is_table, scrim_error *error)
{
    sc_stlap_sampler_init_law(s, epsilon, q);
    s->is_table = is_table;
    scrim_status status;
    if (is_table)
        status = sc_constant_table_init_shifted(
            &s->table, epsilon, q, SC_STLAP_TABLE_FRACTION, SC_STLAP_TABLE_EDGE, error);
    else
        status = sc_blocks_init(
            &s->blocks,
            &(sc_blocks_law){.sides = q % 2 == 0 ? SC_SIDES_BOTH : SC_SIDES_TWICE,
                             .is_bounded = true,
                             .bound = q / 2},
            epsilon, error);
    s->is_ready = status == SCRIM_OK;
    return status;
}

void sc_stlap_sampler_init_law(sc_stlap_sampler *s, const sc_ratio *epsilon, uint64_t q)
{
    *s = (sc_stlap_sampler){.is_table = false};
    sc_law_init(&s->law, &sc_shifted_laplace_law, epsilon, (sc_int128)q);
}

void sc_stlap_sampler_clear(sc_stlap_sampler *s)
{
    if (s->is_ready && s->is_table)
        sc_constant_table_clear(&s->table);
    else if (s->is_ready)
        sc_blocks_clear(&s->blocks);
    if (s->law.functions != NULL)
        sc_law_clear(&s->law);
    *s = (sc_stlap_sampler){.is_ready = false};
}

scrim_status sc_stlap_sampler_fill(sc_bits *bits, const sc_stlap_sampler *s, size_t count,
                                   int64_t *out, scrim_error *error)
{
    if (s->is_table)
        return sc_constant_table_fill(bits, &s->table, count, out, error);
    const int64_t centre = (int64_t)(s->law.bound / 2);
    scrim_status status = sc_blocks_fill(bits, &s->blocks, count, out, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        out[i] -= centre;
    return status;
}

/* The law. */

/* An integer over the table's total. */
static void share(const sc_constant_table *table, const sc_integer *weight, sc_ratio *out)
{
    SC_OWN(sc_integer, total);
    sc_constant_table_total(table, &total);
    sc_ratio_set_fraction(out, weight, &total);
}

/* The weights from the lower end up to k, together. */
static void sum_weights(const sc_constant_table *table, int64_t k, sc_integer *out)
{
    SC_OWN(sc_integer, weight);
    sc_integer_set_int128(out, 0);
    for (int64_t i = table->low; i <= k && i <= 0; i++) {
        sc_constant_table_weight(table, i, &weight);
        sc_integer_add(out, out, &weight);
    }
}

void sc_stlap_sampler_mass(const sc_stlap_sampler *s, int64_t k, long bits, sc_ball *out)
{
    if (!s->is_table) {
        sc_law_pmf(&s->law, k, bits, out);
        return;
    }
    SC_OWN(sc_integer, weight);
    SC_OWN(sc_ratio, mass);
    sc_constant_table_weight(&s->table, k, &weight);
    share(&s->table, &weight, &mass);
    sc_ball_set_ratio(out, &mass, bits);
}

void sc_stlap_sampler_at_most(const sc_stlap_sampler *s, int64_t k, long bits,
                              sc_ball *out)
{
    if (!s->is_table) {
        sc_law_at_most(&s->law, k, bits, out);
        return;
    }
    SC_OWN(sc_integer, sum);
    SC_OWN(sc_ratio, mass);
    sum_weights(&s->table, k, &sum);
    share(&s->table, &sum, &mass);
    sc_ball_set_ratio(out, &mass, bits);
}

/* The cost of a table. */

/* Up to the middle the weights grow, so that of all divisions of a unit among bars the one that
 * puts all of it in one has the most. Beyond it that is not known of integers. */
void sc_stlap_table_delta(const sc_constant_table *table, uint64_t group, sc_ratio *out)
{
    if (2 * group > (uint64_t)table->cells) {
        sc_ratio_set_int64(out, 1);
        return;
    }
    SC_OWN(sc_integer, sum);
    sum_weights(table, table->low + (int64_t)group - 1, &sum);
    share(table, &sum, out);
}

void sc_stlap_add_excess(sc_ball *out, const sc_ball *more, const sc_ball *less,
                         long bits)
{
    SC_OWN(sc_ball, gap, zero);
    sc_ball_sub(&gap, more, less, bits);
    if (!sc_ball_is_positive(&gap)) /* 0, or what cannot be told from it */
        sc_ball_set_union(&gap, &gap, &zero, bits);
    if (!sc_ball_is_less_equal(more, less))
        sc_ball_add(out, out, &gap, bits);
}

/* On a count that is one larger, k - 1 gives the answer that k gives: so the weight of the end, and
 * the sum of max(0, W(k-1) - e^epsilon W(k)), which is 0 below the middle. The other direction is
 * the mirror image. */
void sc_stlap_table_delta_at(const sc_constant_table *table, const sc_ratio *epsilon,
                             long bits, sc_ball *out)
{
    const long inner = bits + 2L * SC_CONSTANT_TABLE_BITS;
    SC_OWN(sc_integer, weight);
    SC_OWN(sc_ball, odds, more, less);
    sc_ball_set_ratio(&odds, epsilon, inner);
    sc_ball_exp(&odds, &odds, inner);
    sc_constant_table_weight(table, 0, &weight);
    sc_ball_set_integer(out, &weight);
    sc_ball_set(&less, out);
    for (int64_t k = 0; k > table->low / 2; k--) {
        sc_constant_table_weight(table, k - 1, &weight);
        sc_ball_set_integer(&more, &weight);
        sc_ball_mul(&less, &less, &odds, inner);
        sc_stlap_add_excess(out, &more, &less, inner);
        sc_ball_set(&less, &more);
    }
    sc_constant_table_total(table, &weight);
    sc_ball_set_integer(&more, &weight);
    sc_ball_div(out, out, &more, inner);
}

/* About how many outcomes all laws of one bar have together, and the fewest sizes that are looked at. */
#define OUTCOMES 32768
#define SIZES_MIN 12
#define SIZES_MAX 512
#define SIZE_MAX_ONE 16384
/* The same for two bars. */
#define SIZE_MAX_TWO 40
#define SIZES_TWO 6
/* Outcomes of the pair that attains both ends, at most. */
#define OUTCOMES_BOTH 65536

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* How the pairs are counted. */
typedef struct plan {
    uint64_t group;
    uint64_t far;       /* sizes of one bar are from 0 to this */
    uint64_t sizes;     /* how many of them are looked at */
    uint64_t far_two;   /* of two bars */
    uint64_t sizes_two; /* of each: all combinations */
    bool is_replace;
    bool has_both; /* and the pair below */
    uint64_t low;  /* of it */
} plan;

static plan plan_of(sc_stlap_sizes s)
{
    plan p = {.group = s.group, .is_replace = s.is_replace};
    const uint64_t all = 2 * s.q + 2;
    p.far = least(all, SIZE_MAX_ONE);
    const uint64_t most = OUTCOMES / (least(s.q, p.far) + 1);
    p.sizes = most < SIZES_MIN ? SIZES_MIN : least(most, SIZES_MAX);
    p.sizes = least(p.sizes, p.far + 1);
    p.far_two = least(all, SIZE_MAX_TWO);
    p.sizes_two = least(SIZES_TWO, p.far_two + 1);
    p.low = s.q + 1 - p.group;
    p.has_both =
        p.is_replace && (s.q + 2) * (p.group + 1) <= OUTCOMES_BOTH && p.group <= s.q;
    if (p.is_replace)
        p.sizes = 0;
    else if (p.group == 1)
        p.sizes_two = 0;
    return p;
}

/* Evenly, from 0 to far. */
static int64_t size_at(uint64_t index, uint64_t sizes, uint64_t far)
{
    return (int64_t)(sizes == 1 ? 0 : index * far / (sizes - 1));
}

size_t sc_stlap_pair_count(sc_stlap_sizes sizes)
{
    const plan p = plan_of(sizes);
    return (size_t)(p.sizes + p.sizes_two * p.sizes_two) + (p.has_both ? 1 : 0);
}

/* A bar that gets a unit has its lowest answers, of the mass P(Z > -group) by symmetry, without it
 * alone; one that had nothing but the unit is shown with it alone. Together they are both ends. */
static void put_both(const plan *p, sc_pair *out)
{
    out->x_count = out->y_count = 2;
    out->x[0] = (int64_t)p->low;
    out->y[0] = (int64_t)(p->low + p->group);
    out->x[1] = (int64_t)p->group;
    out->y[1] = 0;
}

void sc_stlap_pair(sc_stlap_sizes sizes, size_t index, sc_pair *out)
{
    const plan p = plan_of(sizes);
    if (index < p.sizes) {
        out->x_count = out->y_count = 1;
        out->x[0] = size_at(index, p.sizes, p.far);
        out->y[0] = out->x[0] + (int64_t)p.group;
        return;
    }
    const uint64_t two = index - p.sizes;
    if (two >= p.sizes_two * p.sizes_two) {
        put_both(&p, out);
        return;
    }
    const int64_t a = size_at(two % p.sizes_two, p.sizes_two, p.far_two),
                  b = size_at(two / p.sizes_two, p.sizes_two, p.far_two),
                  group = (int64_t)p.group, part = group / 2;
    out->x_count = out->y_count = 2;
    out->x[0] = a;
    out->y[0] = a + (p.is_replace ? group : part);
    out->x[1] = p.is_replace ? b + group : b;
    out->y[1] = p.is_replace ? b : b + group - part;
}
