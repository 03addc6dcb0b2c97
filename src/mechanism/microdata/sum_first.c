#include "mechanism/microdata/sum_first.h"

#include "base/memory.h"
#include "mechanism/microdata/cell_counts.h"
#include "mechanism/microdata/table_tail.h"
#include "mechanism/noise/laplace.h"
#include "model/at_once.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "sampling/bounded_laplace.h"

static const sc_parameter_rule parameters[] = {
    SC_LINEAR_PARAMETERS,
    SC_CELL_PARAMETERS,
    SC_PARAMETER_NEIGHBOURS,
};

static bool is_clamped(const scrim_measurement *m)
{
    return sc_measurement_get(m, "delta") != NULL;
}

/* Making one. */

/* scale = 2R/epsilon; steps is 2R. */
static scrim_status set_scale(scrim_measurement *m, sc_additive *s, sc_ratio *scale,
                              scrim_error *error)
{
    sc_ratio_set(&s->epsilon, sc_measurement_get(m, "epsilon"));
    sc_ratio_div(scale, &s->steps, &s->epsilon);
    return sc_laplace_scale_check(m, scale, error);
}

static scrim_status set_bound(const scrim_measurement *m, sc_additive *s,
                              scrim_error *error)
{
    const sc_truncation_rule rule = {
        .rows = (uint64_t)sc_measurement_integer(m, "max-rows", 1),
        .weight = (uint64_t)sc_measurement_integer(m, "weight", 1),
        .is_replace = sc_cell_is_replace(m),
        .has_sum = true};
    int64_t bound = 0;
    SC_OWN(sc_ratio, rate);
    sc_ratio_div(&rate, &s->epsilon, &s->steps);
    if (!sc_truncation_bound(&rule, &rate, sc_measurement_get(m, "delta"), &bound))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "sum-first: with a delta the noise must be narrower than 1.1e12, "
                       "and max-rows times weight at most %llu",
                       (unsigned long long)SC_TRUNCATION_REACH);
    s->law.bound = bound;
    return SCRIM_OK;
}

static scrim_status check_clamped(scrim_measurement *m, const sc_ratio *steps,
                                  scrim_error *error)
{
    static const sc_noise_kind kind = {.law = &sc_clamped_laplace_law,
                                       .blocks = {.sides = SC_SIDES_BOTH},
                                       .scale = set_scale,
                                       .bound = set_bound};
    static const char *const one[] = {"epsilon", NULL};
    scrim_status status = sc_measurement_one_of(m, one, error);
    if (status == SCRIM_OK && sc_measurement_get(m, "rho") != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "rho",
                           "sum-first: give epsilon and delta, or rho");
    return status == SCRIM_OK ? sc_additive_check_move(m, &kind, steps, error) : status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_linear_move move;
    sc_ratio_init(&move.sum);
    sc_ratio_init(&move.square);
    sc_ratio_set_int64(&move.sum, 2 * sc_cell_reach(m));
    sc_ratio_set_int128(&move.square, (sc_int128)2 * sc_cell_reach(m) * sc_cell_reach(m));
    scrim_status status = is_clamped(m)
                              ? check_clamped(m, &move.sum, error)
                              : sc_linear_check(m, &move, 1, SC_PROJECTION_CELLS, error);
    sc_ratio_clear(&move.square);
    sc_ratio_clear(&move.sum);
    if (status == SCRIM_OK)
        status = sc_cell_domain(m, error);
    return status == SCRIM_OK
               ? sc_cell_width_check(m, &sc_additive_of(m)->law.shape,
                                     sc_measurement_get(m, "rho") != NULL, error)
               : status;
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    if (!is_clamped(m))
        return sc_linear_cost(m, out, error);
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    return SCRIM_OK;
}

/* Accuracy. */

/* The radius within which `count` draws of noise lie all at once, with probability 1 - beta. */
static scrim_status radius_of(const sc_law *law, const sc_ratio *beta, uint64_t count,
                              sc_int128 *out, scrim_error *error)
{
    SC_OWN(sc_ratio, each);
    sc_at_once_each(beta, count, &each);
    return sc_law_radius(law, &each, out, error);
}

/* The radius of one cell, |z_i| + |z_*| + max |z_j|: the first two may each exceed their part with probability beta/4, the last with
 * beta/2. Or three times the radius of all draws at once, if that is less. */
static scrim_status cell_radius(const sc_law *law, const sc_ratio *beta, size_t count,
                                sc_int128 all, sc_int128 *out, scrim_error *error)
{
    sc_int128 one = 0, most = 0;
    SC_OWN(sc_ratio, part, half);
    sc_ratio_set_quotient(&half, 1, 2);
    sc_ratio_mul(&part, beta, &half);
    scrim_status status = radius_of(law, &part, count, &most, error);
    sc_ratio_mul(&part, &part, &half);
    if (status == SCRIM_OK)
        status = sc_law_radius(law, &part, &one, error);
    if (status == SCRIM_OK)
        *out = 2 * one + most < 3 * all ? 2 * one + most : 3 * all;
    return status;
}

/* Lowers the radii of a cell and of all of them to those of table_tail.h, where these are less. */
static scrim_status lower_radii(const sc_law *law, const sc_ratio *beta, size_t count,
                                sc_int128 *one, sc_int128 *all, scrim_error *error)
{
    SC_OWN(sc_ratio, each, cells);
    sc_int128 width = 0;
    sc_ratio_set_int64(&cells, (int64_t)count);
    sc_ratio_div(&each, beta, &cells);
    SC_TRY(sc_table_tail_width(law, count, &each, &width, error));
    sc_table_tail *tail = sc_table_tail_new(law, width);
    scrim_status status = SCRIM_OK;
    if (tail == NULL || !sc_table_tail_descend(tail, law, count))
        status = sc_no_memory(error, "a table");
    if (status == SCRIM_OK) {
        sc_table_tail_lower(tail, beta, one);
        sc_table_tail_lower(tail, &each, all);
    }
    sc_table_tail_free(tail);
    return status;
}

scrim_status sc_sum_first_radii(const sc_law *law, const sc_ratio *beta, size_t count,
                                sc_int128 *one, sc_int128 *all, scrim_error *error)
{
    SC_TRY(radius_of(law, beta, (uint64_t)count + 1, all, error));
    SC_TRY(cell_radius(law, beta, count, *all, one, error));
    *all *= 3;
    return count == 0 ? SCRIM_OK : lower_radii(law, beta, count, one, all, error);
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const sc_law *law = &sc_additive_of(m)->law;
    static const char excludes[] = "values that are not whole numbers";
    sc_int128 all = 0, one = 0;
    SC_OWN(sc_ratio, radius);
    if (is_clamped(m)) {
        SC_OWN(sc_ratio, never);
        sc_ratio_set_int128(&radius, 3 * law->bound);
        sc_certificate_interval(out, &radius, &never, excludes);
        return SCRIM_OK;
    }
    SC_TRY(sc_sum_first_radii(law, beta, count, &one, &all, error));
    sc_ratio_set_int128(&radius, one);
    sc_certificate_interval(out, &radius, beta, excludes);
    sc_ratio_set_int128(&radius, all);
    if (count > 1)
        sc_certificate_add_radius_all(out, &radius);
    return SCRIM_OK;
}

/* Drawing. */

/* Draws the noise of the cells, then that of the sum, then the order of ties. All of it before a count is read, so the time does not
 * depend on counts. */
static scrim_status draw_noise(const scrim_measurement *m, sc_bits *bits, size_t count,
                               int64_t *noise, sc_tie_order *order, scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    scrim_status status = sc_blocks_fill(bits, &s->blocks, count + 1, noise, error);
    if (status == SCRIM_OK)
        status = sc_bits_word(bits, &order->key.k0, error);
    if (status == SCRIM_OK)
        status = sc_bits_word(bits, &order->key.k1, error);
    for (size_t i = 0; status == SCRIM_OK && is_clamped(m) && i <= count; i++)
        noise[i] = (int64_t)sc_clamp(noise[i], s->law.bound);
    return status;
}

/* Turns the noise into the noisy table, and returns its total, at least 0. */
static int64_t add_counts(const sc_private_input *input, int64_t *noise)
{
    sc_int128 sum = noise[input->count];
    for (size_t i = 0; i < input->count; i++) {
        sum += input->values[i];
        noise[i] = sc_projection_clamp((sc_int128)input->values[i] + noise[i]);
    }
    const int64_t total = sc_projection_clamp(sum);
    return total & ~(total >> 63);
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    sc_tie_order order = {.first = 0};
    int64_t *table = sc_allocate(input->count + 1, sizeof *table);
    if (table == NULL)
        return sc_no_memory(error, "a table");
    out->count = 0;
    const scrim_status status = draw_noise(m, bits, input->count, table, &order, error);
    if (status == SCRIM_OK) {
        const int64_t total = add_counts(input, table);
        sc_project_integer(table, input->count, total, &order);
        out->count = input->count;
    }
    for (size_t i = 0; i < out->count; i++) {
        out->values[i] = table[i];
        out->marks[i] = SC_MARK_VALUE;
    }
    sc_free_wiped(table, (input->count + 1) * sizeof *table);
    return status;
}

/* The audit: the distribution of the noisy counts and sum, which the table is made of. */

static sc_cell_listing listing_of(const scrim_measurement *m)
{
    return (sc_cell_listing){.law = &sc_additive_of(m)->law,
                             .high = sc_cell_pair_high(m)};
}

static size_t width(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count + 1;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_cell_listing listing = listing_of(m);
    int64_t values[SC_PAIR_VALUES + 1] = {0};
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %d values", SC_PAIR_VALUES);
    for (size_t i = 0; i < input->count; i++) {
        values[i] = input->values[i];
        values[input->count] +=
            input->values[i] < listing.high + 1 ? input->values[i] : listing.high + 1;
    }
    return sc_outcomes_of_each(&(sc_outcomes_each){.values = values,
                                                   .count = input->count + 1,
                                                   .list = sc_cell_list,
                                                   .context = &listing},
                               bits + 64, out, error);
}

static size_t pair_count(const scrim_measurement *m)
{
    const sc_cell_listing listing = listing_of(m);
    return sc_cell_pair_count(m, &listing, 1);
}

const sc_mechanism sc_sum_first = {
    .entry = {.name = "sum-first",
              .parameters = SC_LINEAR_TEXT_COST " [max-rows=N weight=N]",
              .input = "counts",
              .claim =
                  "epsilon-DP, pure; with rho: concentrated; with a delta: (epsilon, "
                  "delta)-DP, within a bound always; a table of whole numbers "
                  "from 0 on whose sum is accurate",
              .does = "Releases a table of whole numbers from 0 on whose total is "
                      "accurate. Its cells are less accurate; no table has both (an "
                      "uncertainty principle).",
              .example = "epsilon=1 delta=1e-6 neighbours=add-remove",
              .example_input = "120\n0\n3\n",
              .reference = "Abowd, Ashmead, Cumings-Menon, Garfinkel, Kifer, Leclerc, "
                           "Sexton, Simpson, Task, Zhuravlev: An Uncertainty Principle "
                           "is a Price of Privacy-Preserving Microdata, 2021; errata "
                           "114 to 117"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .law_is_folded = true,
    .check = check,
    .discard = sc_additive_discard,
    .cost = cost,
    .certify = certify,
    .answer_count = sc_cell_answers,
    .draw = draw,
    .width = width,
    .law = law,
    .pair_count = pair_count,
    .pair = sc_cell_pair,
};
