/* AVG, and the variances and deviations of a sample and of the population. */
#include "query/aggregate/aggregates.h"
#include "query/estimate/estimate.h"
#include "query/language/select_list.h"
#include "query/plan/division.h"

/* c = floor((lo + hi) / 2), R = max(hi - c, c - lo), K = floor(R^2 / 2). */
static scrim_status read_moment(sc_typing *typing, const sc_node *node,
                                const sc_call_form *form, sc_query_aggregate *out,
                                size_t *count)
{
    const scrim_status status = sc_aggregate_read_number(typing, node, form, out, count);
    if (status != SCRIM_OK)
        return status;
    const bool is_squared = out->kind->reads & SC_READS_SQUARES;
    const sc_int128 low = out->value->extent.low, high = out->value->extent.high;
    const sc_int128 sum = low + high;
    const sc_int128 centre = sum / 2 - (sum % 2 < 0);
    const sc_int128 radius = high - centre > centre - low ? high - centre : centre - low;
    if (is_squared && radius > (sc_int128)1 << SC_QUERY_RADIUS_BITS)
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_LIMIT,
            "a variance needs a range of at most 4294967296 steps; coarsen it "
            "with ROUND(x, digits) or limit it with CLAMP(x, low, high)");
    out->centre = (int64_t)centre;
    out->radius = (int64_t)radius;
    out->offset = is_squared ? (int64_t)(radius * radius / 2) : 0;
    return SCRIM_OK;
}

/* |x|, and at least a whole one, so that no number is left without a share. */
static sc_uint128 whole_of(const sc_ratio *x)
{
    sc_uint128 size = 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_ceil(x, &whole);
    sc_int128 value = 0;
    if (sc_integer_get_int128(&whole, &value))
        size = value < 0 ? -(sc_uint128)value : (sc_uint128)value;
    return size > 0 ? size : 1;
}

/* The error of a mean m of x - centre is (dS + m dN) / N. That of a variance V is (dQ + 2 m dS +
 * (m^2 - V + K) dN) / N (moment_interval.h). In sixteenths: without a guess m is R/2 and V is
 * R^2/16, and all of them are whole. */
static void weigh_moment(const sc_weighing *w)
{
    const sc_statistic_use *use = w->use;
    const sc_uint128 sum = sc_weigh_reach(w, use->sum),
                     rows = sc_weigh_reach(w, use->rows);
    SC_OWN(sc_ratio, mean, variance, sixteen);
    sc_ratio_set_int64(&sixteen, 16);
    sc_column_guess_moments(sc_column_guess_of(&w->plan->options.guesses,
                                               w->statement->query->schema,
                                               w->aggregate->value),
                            w->aggregate, &mean, &variance);
    if (use->squares == SC_STATISTIC_NONE) {
        w->out->sum = SC_SPLIT_INDEPENDENT;
        sc_ratio_mul(&mean, &mean, &sixteen);
        sc_weigh(w, use->sum, 16 * sum);
        sc_weigh(w, use->rows, whole_of(&mean) * rows);
    } else {
        sc_weigh(w, use->squares, 16 * sc_weigh_reach(w, use->squares));
        sc_ratio_mul(&sixteen, &sixteen, &mean);
        sc_weigh(w, use->sum, 2 * whole_of(&sixteen) * sum);
        sc_ratio_mul(&mean, &mean, &mean);
        sc_ratio_sub(&mean, &mean, &variance);
        sc_ratio_set_int64(&variance, w->aggregate->offset);
        sc_ratio_add(&mean, &mean, &variance);
        sc_ratio_set_int64(&sixteen, 16);
        sc_ratio_mul(&mean, &mean, &sixteen);
        sc_weigh(w, use->rows, whole_of(&mean) * rows);
    }
}

const sc_aggregate sc_aggregate_avg = {
    .name = "AVG",
    .forms = {{"AVG", 1, 1, "AVG(x)", NULL}},
    .reads = SC_READS_ROWS | SC_READS_CENTRED,
    .span = SC_SPAN_VALUE,
    .read = read_moment,
    .weigh = weigh_moment,
    .numbers = &sc_mean_rule,
};

#define VARIANCE                                                                         \
    .reads = SC_READS_ROWS | SC_READS_CENTRED | SC_READS_SQUARES, .read = read_moment,   \
    .weigh = weigh_moment, .numbers = &sc_variance_rule,                                 \
    .note = "intervals of variances and deviations are conservative"

const sc_aggregate sc_aggregate_var = {
    .name = "VAR",
    .forms = {{"VAR", 1, 1, "VAR(x)", NULL}, {"VAR_SAMP", 1, 1, "VAR_SAMP(x)", NULL}},
    .span = SC_SPAN_HALF_SQUARED,
    .is_sample = true,
    VARIANCE,
};

const sc_aggregate sc_aggregate_var_pop = {
    .name = "VAR_POP",
    .forms = {{"VAR_POP", 1, 1, "VAR_POP(x)", NULL}},
    .span = SC_SPAN_HALF_SQUARED,
    VARIANCE,
};

const sc_aggregate sc_aggregate_stddev = {
    .name = "STDDEV",
    .forms = {{"STDDEV", 1, 1, "STDDEV(x)", NULL},
              {"STDDEV_SAMP", 1, 1, "STDDEV_SAMP(x)", NULL}},
    .span = SC_SPAN_HALF,
    .is_sample = true,
    .is_root = true,
    VARIANCE,
};

const sc_aggregate sc_aggregate_stddev_pop = {
    .name = "STDDEV_POP",
    .forms = {{"STDDEV_POP", 1, 1, "STDDEV_POP(x)", NULL}},
    .span = SC_SPAN_HALF,
    .is_root = true,
    VARIANCE,
};
