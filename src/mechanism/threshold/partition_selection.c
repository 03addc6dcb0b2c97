#include "mechanism/threshold/partition_selection.h"

#include "base/memory.h"
#include "mechanism/threshold/keep_table.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "scrim/threshold.h"

/* Longer tables have the curve of their parts. */
#define CURVE_UNITS ((size_t)4096)

static const sc_parameter_rule parameters[] = {
    SC_RULE_POSITIVE("epsilon", "2^-60", "1000",
                     "a rational above 0, from 8.7e-19 to 1000"),
    {.name = "delta",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .below = "1",
     .limit_low = "2^-126",
     .domain = "a rational above 0 and below 1, from 1.2e-38 on"},
    SC_PARAMETER_MAX_GROUPS,
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct partition {
    sc_keep_table table;
    uint64_t parts;
    sc_curve noise; /* parts of epsilon / parts, delta aside */
} partition;

static const partition *state_of(const scrim_measurement *m)
{
    return m->state;
}

const sc_keep_table *sc_partition_table(const scrim_measurement *m)
{
    return &state_of(m)->table;
}

uint64_t sc_partition_parts(const scrim_measurement *m)
{
    return state_of(m)->parts;
}

/* Making one. */

static void set_noise(const scrim_measurement *m, partition *s)
{
    SC_OWN(sc_ratio, part, parts);
    sc_ratio_set_int64(&parts, (int64_t)s->parts);
    sc_ratio_div(&part, sc_measurement_get(m, "epsilon"), &parts);
    sc_curve_set_composed(&s->noise, &part, s->parts);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    partition *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    s->parts = sc_unit_counts_changed(m);
    sc_curve_init(&s->noise);
    set_noise(m, s);
    SC_TRY(sc_unit_counts_domain(m, error));
    return sc_keep_table_init(&s->table, sc_measurement_get(m, "epsilon"),
                              sc_measurement_get(m, "delta"), s->parts, error);
}

static void discard(scrim_measurement *m)
{
    partition *s = m->state;
    if (s == NULL)
        return;
    sc_curve_clear(&s->noise);
    sc_keep_table_clear(&s->table);
    sc_free(s);
}

/* Cost. */

/* The larger of two upper bounds, or both where that is not certain. */
static void take_larger(sc_ball *out, const sc_ball *other, long bits)
{
    if (sc_ball_is_less_equal(other, out))
        return;
    if (sc_ball_is_less(out, other))
        sc_ball_set(out, other);
    else
        sc_ball_set_union(out, out, other, bits);
}

/* more - odds less, of 2^126. */
static void excess(sc_uint128 more, sc_uint128 less, const sc_ball *odds, long bits,
                   sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_ball_set_int128(&part, (sc_int128)less);
    sc_ball_mul(&part, &part, odds, bits);
    sc_ball_set_int128(out, (sc_int128)more);
    sc_ball_sub(out, out, &part, bits);
    sc_ball_mul_power2(out, out, -SC_KEEP_BITS);
}

/* One unit more makes "kept" likelier, one less "left out": the other way round there is no
 * excess, since p grows with n. */
static void table_delta(const sc_keep_table *t, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const long inner = bits + 2L * SC_KEEP_BITS;
    SC_OWN(sc_ball, odds, value);
    sc_ball_set_ratio(&odds, epsilon, inner);
    sc_ball_exp(&odds, &odds, inner);
    sc_ball_set_int64(out, 0);
    for (size_t n = 0; n < t->certain; n++) {
        const sc_uint128 p = t->keep[n], q = t->keep[n + 1];
        excess(q, p, &odds, inner, &value);
        take_larger(out, &value, inner);
        excess(SC_KEEP_WHOLE - p, SC_KEEP_WHOLE - q, &odds, inner, &value);
        take_larger(out, &value, inner);
    }
}

/* 1 - (1 - d)^k (1 - D(e)). */
static void parts_delta(const partition *s, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const long inner = bits + 2L * SC_KEEP_BITS;
    SC_OWN(sc_ball, hidden);
    sc_ball_set_int128(&hidden, (sc_int128)s->table.new_mass);
    sc_ball_mul_power2(&hidden, &hidden, -SC_KEEP_BITS);
    sc_ball_neg(&hidden, &hidden);
    sc_ball_add_int64(&hidden, &hidden, 1, inner);
    sc_ball_power(&hidden, &hidden, s->parts, inner);
    sc_curve_delta_upper(&s->noise, epsilon, inner, out);
    sc_ball_neg(out, out);
    sc_ball_add_int64(out, out, 1, inner);
    sc_ball_mul(out, out, &hidden, inner);
    sc_ball_neg(out, out);
    sc_ball_add_int64(out, out, 1, inner);
}

static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const partition *s = curve->context;
    if (s->parts == 1 && s->table.certain <= CURVE_UNITS)
        table_delta(&s->table, epsilon, bits, out);
    else
        parts_delta(s, epsilon, bits, out);
}

static const sc_curve_functions curve_functions = {.name = "partition-selection",
                                                   .delta = curve_delta};

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    out->curve.functions = &curve_functions;
    out->curve.context = state_of(m);
    return SCRIM_OK;
}

uint64_t sc_partition_units(const scrim_measurement *m, const sc_ratio *p)
{
    sc_uint128 wanted = SC_KEEP_WHOLE;
    SC_OWN(sc_ratio, x, whole);
    SC_OWN(sc_integer, up);
    sc_ratio_set_int128(&whole, (sc_int128)SC_KEEP_WHOLE);
    sc_ratio_mul(&x, p, &whole);
    sc_ratio_ceil(&x, &up);
    (void)sc_integer_get_uint128(&up, &wanted); /* from 1 to 2^126 */
    return sc_keep_table_units(sc_partition_table(m), wanted);
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)count;
    (void)error;
    SC_OWN(sc_ratio, x);
    sc_ratio_set_int64(&x, 1);
    sc_ratio_sub(&x, &x, beta);
    sc_ratio_set_int64(&x, (int64_t)sc_partition_units(m, &x));
    sc_certificate_pac(out, &x, beta, "smaller groups, which may be left out");
    return SCRIM_OK;
}

/* Drawing. */

/* Block by block, where there is a whole one. */
static scrim_status draw_many(const sc_keep_table *table, sc_bits *bits,
                              const sc_private_input *input, sc_int128 *out,
                              scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    uint64_t kept[SC_KEEP_BLOCK / SC_KEEP_LANES];
    for (size_t i = 0; status == SCRIM_OK && i < input->count; i += SC_KEEP_BLOCK) {
        const size_t left = input->count - i;
        const size_t run = left < SC_KEEP_BLOCK ? left : SC_KEEP_BLOCK;
        status = sc_keep_many(bits, table, input->values + i, run, kept, error);
        for (size_t k = 0; k < run; k++)
            out[i + k] = kept[k / SC_KEEP_LANES] >> k % SC_KEEP_LANES & 1;
    }
    sc_wipe(kept, sizeof kept);
    return status;
}

static scrim_status draw_few(const sc_keep_table *table, sc_bits *bits,
                             const sc_private_input *input, sc_int128 *out,
                             scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < input->count; i++) {
        bool kept = false;
        status =
            sc_keep_table_draw(bits, table, (uint64_t)input->values[i], &kept, error);
        out[i] = kept;
    }
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const bool is_many = input->count >= SC_KEEP_BLOCK;
    scrim_status status = (is_many ? draw_many : draw_few)(sc_partition_table(m), bits,
                                                           input, out->values, error);
    if (status != SCRIM_OK) {
        sc_wipe(out->values, input->count * sizeof *out->values);
        return status;
    }
    for (size_t i = 0; i < input->count; i++)
        out->marks[i] = SC_MARK_VALUE;
    out->count = input->count;
    return SCRIM_OK;
}

/* The law. */

/* The answer whose digits, base 2 and the first group first, are number; what cannot happen is not
 * listed. */
static scrim_status list(const sc_keep_table *table, const sc_private_input *input,
                         size_t number, long bits, sc_outcomes *out, scrim_error *error)
{
    int64_t key[SC_PAIR_VALUES];
    bool is_possible = true;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, mass, factor);
    sc_ball_set_int64(&mass, 1);
    for (size_t i = 0; i < input->count; i++) {
        const sc_uint128 keep = sc_keep_table_at(table, (uint64_t)input->values[i]);
        const bool kept = number >> (input->count - 1 - i) & 1;
        const sc_uint128 share = kept ? keep : SC_KEEP_WHOLE - keep;
        key[i] = kept;
        is_possible = is_possible && share > 0;
        sc_ball_set_int128(&factor, (sc_int128)share);
        sc_ball_mul_power2(&factor, &factor, -SC_KEEP_BITS);
        sc_ball_mul(&mass, &mass, &factor, bits);
    }
    if (is_possible)
        status = sc_outcomes_add(out, key, &mass, error);
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const size_t answers = sc_size_power(2, input->count);
    if (answers > SC_OUTCOMES_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many answers to give the probability of each");
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < answers; i++)
        status = list(sc_partition_table(m), input, i, bits + 64, out, error);
    return status;
}

/* The neighbouring counts on which the audit looks at partition selection.
 *
 * Under add-remove one unit joins up to max-groups groups: some of them new (0 to 1), the others
 * of the same size n (n to n + 1), for each n up to where a group is kept for certain and each
 * number of new ones. For one group these are all neighbours. Under replace the
 * unit leaves groups of a + 1 units and enters as many of b: for each a, b is 0, a, the mirror of
 * a, and the last size that is not certain.
 *
 * Laws have 2^counts outcomes, so that of more than four counts four are looked at: a unit in
 * fewer groups than it might be in. Where there are more than SC_PARTITION_PAIRS pairs, sizes
 * are skipped evenly; the first and the last are always there.
 */
#define COUNTS_MAX ((size_t)4)

/* How the pairs are counted: `forms` pairs for each of `sizes` sizes. */
typedef struct plan {
    bool is_replace;
    size_t groups; /* that the unit enters */
    size_t forms;
    size_t certain; /* a group of this size is always kept; smaller ones can grow */
    size_t sizes;   /* how many of them are looked at */
} plan;

static plan plan_of(const scrim_measurement *m)
{
    plan p = {.is_replace = sc_measurement_neighbours(m) == SCRIM_REPLACE,
              .certain = sc_partition_table(m)->certain};
    const size_t parts = (size_t)sc_partition_parts(m);
    const size_t counts = parts < COUNTS_MAX ? parts : COUNTS_MAX;
    p.groups = p.is_replace ? counts / 2 : counts;
    p.forms =
        p.is_replace ? 4 : p.groups; /* new groups: 0 .. groups - 1; and see below */
    const size_t most = SC_PARTITION_PAIRS / p.forms;
    p.sizes = p.certain < most ? p.certain : most;
    return p;
}

/* Evenly, from 0 to certain - 1. */
static size_t size_at(const plan *p, size_t index)
{
    return p->sizes == 1 ? 0 : index * (p->certain - 1) / (p->sizes - 1);
}

static size_t pair_count(const scrim_measurement *m)
{
    const plan p = plan_of(m);
    return p.forms * p.sizes;
}

static void replace_pair(const plan *p, size_t a, size_t form, sc_pair *out)
{
    const size_t last = p->certain - 1;
    const size_t b = form == 0 ? 0 : form == 1 ? a : form == 2 ? last - a : last;
    out->x_count = out->y_count = 2 * p->groups;
    for (size_t i = 0; i < p->groups; i++) {
        out->x[2 * i] = (int64_t)a + 1;
        out->y[2 * i] = (int64_t)a;
        out->x[2 * i + 1] = (int64_t)b;
        out->y[2 * i + 1] = (int64_t)b + 1;
    }
}

/* With n = 0 all groups are new, so that no form is needed for that. */
static void add_pair(const plan *p, size_t n, size_t new_groups, sc_pair *out)
{
    out->x_count = out->y_count = p->groups;
    for (size_t i = 0; i < p->groups; i++) {
        out->x[i] = i < new_groups ? 0 : (int64_t)n;
        out->y[i] = out->x[i] + 1;
    }
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const plan p = plan_of(m);
    const size_t n = size_at(&p, index / p.forms), form = index % p.forms;
    if (p.is_replace)
        replace_pair(&p, n, form, out);
    else
        add_pair(&p, n, form, out);
}

const sc_mechanism sc_partition_selection = {
    .entry = {.name = "partition-selection",
              .parameters = "epsilon=R delta=R [max-groups=N]",
              .input = "counts",
              .claim = "(epsilon, delta)-DP; groups kept as often as that allows",
              .does = "Decides which groups are shown, by the number of people in "
                      "each. No mechanism of the same cost shows a group more often.",
              .example = "epsilon=1 delta=1e-6 neighbours=add-remove",
              .example_input = "40\n3\n900\n",
              .reference = "Desfontaines, Voss, Gipson, Mandayam: Differentially Private "
                           "Partition Selection, 2022"},
    SC_MECHANISM_PARAMETERS,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .is_kept = sc_unit_counts_is_one,
    .answer_count = sc_unit_counts_answers,
    .draw = draw,
    .width = sc_unit_counts_answers,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
    .change = sc_unit_counts_change,
};
