#include "mechanism/histogram/stlap_sampler.h"

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

/* What the table costs. */

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
