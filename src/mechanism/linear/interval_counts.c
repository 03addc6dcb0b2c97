#include "mechanism/linear/interval_counts.h"

#include "base/memory.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "sampling/blocks.h"

#define BITS 128L
#define NUMBER_MAX "1e300"

static const char *const yes[] = {"yes", NULL};

static const sc_parameter_rule parameters[] = {
    SC_RULE_POSITIVE("epsilon", "2^-31", "1000",
                     "a rational above 0, from 4.7e-10 to 1000"),
    {.name = "cells",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "65536",
     .domain = "how many cells, an integer from 1 to 65536"},
    {.name = "lower",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .limit_low = "-" NUMBER_MAX,
     .limit_high = NUMBER_MAX,
     .domain = "a number below upper; 0 unless given"},
    {.name = "upper",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .limit_low = "-" NUMBER_MAX,
     .limit_high = NUMBER_MAX,
     .domain = "a number above lower"},
    SC_RULE_WORD("circle", yes, "yes"),
    SC_RULE_COUNT("dimensions", "6",
                  "how many numbers a row has, an integer from 1 to 6"),
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct state {
    size_t axis, dimensions; /* cells along each axis */
    size_t cells;            /* of all axes: axis^dimensions */
    bool is_circle;
    sc_ratio lower, cell; /* the beginning, and the width of a cell */
    sc_law noise;
    sc_blocks blocks;
    bool is_ready;
} state;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* How far one unit moves the counts. */
static int64_t moved(const scrim_measurement *m)
{
    return sc_measurement_neighbours(m) == SCRIM_REPLACE ? 2 : 1;
}

/* Making one. */

static scrim_status count_cells(const scrim_measurement *m, state *s, scrim_error *error)
{
    s->axis = (size_t)sc_measurement_integer(m, "cells", 1);
    s->dimensions = (size_t)sc_measurement_integer(m, "dimensions", 1);
    s->cells = 1;
    for (size_t i = 0; i < s->dimensions; i++) {
        s->cells *= s->axis;
        if (s->cells > SC_INTERVAL_CELLS)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "cells",
                               "cells to the power of dimensions must be at most %d",
                               SC_INTERVAL_CELLS);
    }
    return SCRIM_OK;
}

static scrim_status set_cells(const scrim_measurement *m, state *s, scrim_error *error)
{
    const sc_ratio *lower = sc_measurement_get(m, "lower"),
                   *upper = sc_measurement_get(m, "upper");
    SC_OWN(sc_ratio, cells);
    SC_TRY(count_cells(m, s, error));
    s->is_circle = sc_measurement_get(m, "circle") != NULL;
    if (s->is_circle && s->dimensions > 1)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "dimensions",
                           "interval-counts: a circle has angles, one number a row; "
                           "leave dimensions out");
    if (s->is_circle == (upper != NULL) || (s->is_circle && lower != NULL))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "upper",
                           "interval-counts: give upper, and lower if it is not 0, or "
                           "circle=yes");
    if (s->is_circle)
        sc_ratio_set_int64(&s->cell, 360);
    else if (lower != NULL)
        sc_ratio_set(&s->lower, lower);
    if (!s->is_circle)
        sc_ratio_sub(&s->cell, upper, &s->lower);
    if (sc_ratio_sign(&s->cell) <= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "upper",
                           "upper must be above lower");
    sc_ratio_set_int64(&cells, (int64_t)s->axis);
    sc_ratio_div(&s->cell, &s->cell, &cells);
    return SCRIM_OK;
}

static scrim_status set_noise(const scrim_measurement *m, state *s, scrim_error *error)
{
    SC_OWN(sc_ratio, scale);
    sc_ratio_set_int64(&scale, moved(m));
    sc_ratio_div(&scale, &scale, sc_measurement_get(m, "epsilon"));
    sc_law_init(&s->noise, &sc_discrete_laplace_law, &scale, 0);
    scrim_status status = sc_blocks_init_shape(
        &s->blocks, &(sc_blocks_law){.sides = SC_SIDES_BOTH}, &scale, error);
    s->is_ready = status == SCRIM_OK;
    return status;
}

/* Numbers of cells along an axis; -1 is a number of a row that is left out. */
static scrim_status set_domain(scrim_measurement *m, const state *s, scrim_error *error)
{
    SC_OWN(sc_ratio, low, high);
    sc_ratio_set_int64(&low, -1);
    sc_ratio_set_int64(&high, s->axis > 1 ? (int64_t)s->axis - 1 : 1);
    scrim_status status = sc_domain_set_grid(&m->domain, NULL, &low, &high, error);
    m->domain.grid.missing = -1;
    m->domain.count_min = 0;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    sc_ratio_init(&s->lower);
    sc_ratio_init(&s->cell);
    SC_TRY(set_cells(m, s, error));
    SC_TRY(set_noise(m, s, error));
    return set_domain(m, s, error);
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    if (s->is_ready)
        sc_blocks_clear(&s->blocks);
    if (s->noise.functions != NULL)
        sc_law_clear(&s->noise);
    sc_ratio_clear(&s->cell);
    sc_ratio_clear(&s->lower);
    sc_free(s);
}

/* Under add-remove one count moves by 1, which attains the curve. */
static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_pure(out, sc_measurement_get(m, "epsilon"));
    sc_curve_set_laplace(&out->curve, &state_of(m)->noise.shape, (uint64_t)moved(m));
    out->curve.is_attained = moved(m) == 1;
    return SCRIM_OK;
}

/* Accuracy. */

#define SLOPES 64 /* values of u, parts of the rate */

/* gamma divided among the sums that are bounded: 4 for all intervals, by Levy; in more dimensions 2 for each set of
 * centres that a half-space cuts out, of which there are at most 2 (C(n-1,0) + ... + C(n-1,d)). */
static void divide(const state *s, const sc_ratio *gamma, sc_ratio *out)
{
    SC_OWN(sc_ratio, sets, term, factor);
    sc_ratio_set_int64(&sets, 4);
    if (s->dimensions > 1) {
        sc_ratio_set_int64(&term, 4);
        for (size_t k = 1; k <= s->dimensions && k < s->cells; k++) {
            sc_ratio_set_quotient(&factor, (int64_t)(s->cells - k), (int64_t)k);
            sc_ratio_mul(&term, &term, &factor);
            sc_ratio_add(&sets, &sets, &term);
        }
    }
    sc_ratio_div(out, gamma, &sets);
}

/* (n ln M(u) + ln(1 / share)) / u. */
static void walk_at(const state *s, const sc_ratio *share, int64_t part, sc_ball *out)
{
    SC_OWN(sc_ratio, u, rate);
    SC_OWN(sc_ball, term, sum, one);
    sc_ratio_set_int64(&rate, 1);
    sc_ratio_div(&rate, &rate, &s->noise.shape);
    sc_ratio_set_quotient(&u, part, SLOPES);
    sc_ratio_mul(&u, &u, &rate);
    /* ln M = 2 ln(1 - x) - ln(1 - x e^u) - ln(1 - x e^-u) */
    for (int side = -1; side <= 1; side++) {
        sc_ball_set_ratio(&term, &u, BITS);
        sc_ball_mul_int64(&term, &term, side, BITS);
        sc_ball_set_ratio(&one, &rate, BITS);
        sc_ball_sub(&term, &term, &one, BITS);
        sc_ball_expm1(&term, &term, BITS);
        sc_ball_neg(&term, &term);
        sc_ball_log(&term, &term, BITS);
        sc_ball_mul_int64(&term, &term, side == 0 ? 2 : -1, BITS);
        sc_ball_add(&sum, &sum, &term, BITS);
    }
    sc_ball_mul_int64(&sum, &sum, (int64_t)s->cells, BITS);
    sc_ball_set_ratio(&term, share, BITS);
    sc_ball_log(&term, &term, BITS);
    sc_ball_sub(&sum, &sum, &term, BITS);
    sc_ball_set_ratio(&term, &u, BITS);
    sc_ball_div(out, &sum, &term, BITS);
}

uint64_t sc_interval_walk(const scrim_measurement *m, const sc_ratio *gamma)
{
    SC_OWN(sc_ball, best, one);
    SC_OWN(sc_ratio, bound, share);
    SC_OWN(sc_integer, whole);
    sc_int128 t = 0;
    divide(state_of(m), gamma, &share);
    for (int64_t part = 1; part < SLOPES; part++) {
        walk_at(state_of(m), &share, part, &one);
        if (part == 1 || sc_ball_is_less(&one, &best))
            sc_ball_set(&best, &one);
    }
    /* the least whole t with t + 1 at least that */
    if (!sc_ball_round_up(&best, 20, &bound))
        return UINT64_MAX >> 2;
    sc_ratio_ceil(&bound, &whole);
    if (!sc_integer_get_int128(&whole, &t) || t > (sc_int128)(UINT64_MAX >> 2))
        return UINT64_MAX >> 2;
    return t > 1 ? (uint64_t)t - 1 : 0;
}

#define DECIMALS 1000000000

/* sqrt(dimensions), rounded up. */
static void diagonal(const state *s, sc_ratio *out)
{
    SC_OWN(sc_ball, root);
    SC_OWN(sc_ratio, parts);
    sc_ratio_set_int64(out, (int64_t)s->dimensions);
    sc_ball_set_ratio(&root, out, BITS);
    sc_ball_sqrt(&root, &root, BITS);
    sc_ball_mul_int64(&root, &root, DECIMALS, BITS);
    if (sc_ball_round_up(&root, 0, out)) {
        sc_ratio_set_int64(&parts, DECIMALS);
        sc_ratio_div(out, out, &parts);
    }
}

/* Half a cell, or half of its diagonal; on the circle half of its arc, in units of the radius. */
static void set_alpha(const state *s, sc_ratio *out)
{
    SC_OWN(sc_ball, pi);
    SC_OWN(sc_ratio, two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(out, &s->cell, &two);
    if (s->dimensions > 1) {
        diagonal(s, &two);
        sc_ratio_mul(out, out, &two);
    }
    if (!s->is_circle)
        return;
    sc_ball_set_pi(&pi, BITS);
    sc_ball_mul_int64(&pi, &pi, DECIMALS, BITS);
    sc_ball_div_int64(&pi, &pi, (int64_t)s->cells, BITS);
    if (sc_ball_round_up(&pi, 0, out)) {
        sc_ratio_set_int64(&two, DECIMALS);
        sc_ratio_div(out, out, &two);
    }
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const state *s = state_of(m);
    SC_OWN(sc_ratio, alpha, error_bound);
    (void)count, (void)error;
    set_alpha(s, &alpha);
    sc_ratio_set_int128(&error_bound,
                        (sc_int128)sc_interval_walk(m, beta) * (s->is_circle        ? 3
                                                                : s->dimensions > 1 ? 1
                                                                                    : 2));
    sc_certificate_flexible(out, &alpha, &error_bound, beta,
                            s->is_circle
                                ? "half-planes of other points than those of the circle"
                                : "clamping to the range");
    return SCRIM_OK;
}

/* Counting. */

int64_t sc_interval_cell(const scrim_measurement *m, const sc_ratio *value)
{
    const state *s = state_of(m);
    sc_int128 cell = 0;
    SC_OWN(sc_ratio, from);
    SC_OWN(sc_integer, whole);
    if (value == NULL)
        return -1;
    sc_ratio_sub(&from, value, &s->lower);
    sc_ratio_div(&from, &from, &s->cell);
    if (s->is_circle) { /* without whole turns */
        SC_OWN(sc_ratio, turn);
        SC_OWN(sc_ratio, cells);
        sc_ratio_set_int64(&cells, (int64_t)s->axis);
        sc_ratio_div(&turn, &from, &cells);
        sc_ratio_floor(&turn, &whole);
        sc_ratio_set_integer(&turn, &whole);
        sc_ratio_mul(&turn, &turn, &cells);
        sc_ratio_sub(&from, &from, &turn);
    }
    sc_ratio_floor(&from, &whole);
    if (!sc_integer_get_int128(&whole, &cell))
        cell = sc_ratio_sign(&from) < 0 ? 0 : (sc_int128)s->axis;
    if (cell < 0)
        return 0;
    return cell < (sc_int128)s->axis ? (int64_t)cell : (int64_t)s->axis - 1;
}

static int64_t place(const scrim_measurement *m, size_t index, const sc_ratio *value)
{
    (void)index;
    return sc_interval_cell(m, value);
}

static size_t row_width(const scrim_measurement *m)
{
    return state_of(m)->dimensions;
}

/* The cell of a row, whose first number counts most; -1 if one of its numbers is missing. */
static int64_t cell_of_row(const state *s, const int64_t *row)
{
    const int64_t last = (int64_t)s->axis - 1;
    int64_t cell = 0;
    for (size_t j = 0; j < s->dimensions; j++) {
        if (row[j] < 0)
            return -1;
        cell = cell * (int64_t)s->axis + (row[j] < last ? row[j] : last);
    }
    return cell;
}

static void count_rows(const state *s, const sc_private_input *input, int64_t *counts)
{
    for (size_t i = 0; i < s->cells; i++)
        counts[i] = 0;
    for (size_t i = 0; i + s->dimensions <= input->count; i += s->dimensions) {
        const int64_t cell = cell_of_row(s, input->values + i);
        if (cell >= 0)
            counts[cell]++;
    }
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)count;
    return state_of(m)->cells;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const state *s = state_of(m);
    int64_t *counts = sc_allocate(s->cells, sizeof *counts);
    if (counts == NULL)
        return sc_no_memory(error, "counts");
    scrim_status status =
        sc_blocks_fill_wide(bits, &s->blocks, s->cells, out->values, error);
    count_rows(s, input, counts);
    for (size_t i = 0; i < s->cells; i++) {
        out->values[i] = status == SCRIM_OK ? out->values[i] + counts[i] : 0;
        out->marks[i] = SC_MARK_VALUE;
    }
    out->count = status == SCRIM_OK ? s->cells : 0;
    sc_free_wiped(counts, s->cells * sizeof *counts);
    return status;
}

static const sc_law *noise(const scrim_measurement *m)
{
    return &state_of(m)->noise;
}

/* The law, of noisy counts that are brought into [0, LAW_MOST]: of true counts between them nothing is
 * lost, as beyond them the ratio of two probabilities is constant. */

#define LAW_MOST 4

static scrim_status list_cell(const void *context, int64_t n, long bits, sc_outcomes *out,
                              scrim_error *error)
{
    const sc_law *law = context;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, mass);
    for (int64_t k = 0; k <= LAW_MOST && status == SCRIM_OK; k++) {
        if (k == 0)
            sc_law_at_most(law, (sc_int128)-n, bits, &mass);
        else if (k == LAW_MOST)
            sc_law_at_least(law, (sc_int128)k - n, bits, &mass);
        else
            sc_law_pmf(law, (sc_int128)k - n, bits, &mass);
        status = sc_outcomes_add(out, &k, &mass, error);
    }
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const state *s = state_of(m);
    int64_t counts[SC_PAIR_VALUES];
    if (s->cells > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many cells to give the probability of each answer");
    count_rows(s, input, counts);
    for (size_t i = 0; i < s->cells; i++)
        if (counts[i] > LAW_MOST)
            return sc_fail(error, SCRIM_E_LIMIT,
                           "there are too many rows to give the probability of each "
                           "answer");
    const sc_outcomes_each each = {
        .values = counts, .count = s->cells, .list = list_cell, .context = &s->noise};
    return sc_outcomes_of_each(&each, bits + 64, out, error);
}

/* Neighbours: one row more in the first cell or, under replace, from the last one into it, beside up to
 * LAW_MOST - 1 rows in each of the two. */

static size_t pair_count(const scrim_measurement *m)
{
    (void)m;
    return (size_t)LAW_MOST * LAW_MOST;
}

/* Rows all of whose numbers are the same. */
static void add_rows(const state *s, int64_t number, size_t rows, int64_t *values,
                     size_t *count)
{
    for (size_t i = 0; i < rows * s->dimensions; i++)
        values[(*count)++] = number;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const state *s = state_of(m);
    const int64_t last = (int64_t)s->axis - 1;
    const size_t first = index % LAW_MOST, others = last > 0 ? index / LAW_MOST : 0;
    out->x_count = out->y_count = 0;
    add_rows(s, 0, first, out->x, &out->x_count);
    add_rows(s, last, others, out->x, &out->x_count);
    add_rows(s, 0, first + 1, out->y, &out->y_count);
    add_rows(s, last, others, out->y, &out->y_count);
    if (sc_measurement_neighbours(m) == SCRIM_REPLACE)
        add_rows(s, last > 0 ? last : -1, 1, out->x, &out->x_count);
}

const sc_mechanism sc_interval_counts = {
    .entry = {.name = "interval-counts",
              .parameters = "epsilon=R cells=N upper=R|circle=yes [lower=R dimensions=N]",
              .input = "points",
              .claim = "epsilon-DP, pure; counts of all intervals, or of all half-spaces",
              .does = "Releases noisy counts of equal cells of a range, so that the "
                      "count of any interval is a sum of cells. With circle=yes rows "
                      "are angles, and sums are the counts of all half-planes. With "
                      "dimensions=2 and more, rows are points of a cube, and the count "
                      "of a half-space is the sum of the cells whose centres it has.",
              .example = "epsilon=1 cells=4 circle=yes neighbours=add-remove",
              .example_input = "10\n-10\n80\n100\n",
              .reference =
                  "Blum, Ligett, Roth: A Learning Theory Approach to Noninteractive "
                  "Database Privacy, 2013; accuracy as in Bansal, Chunduru, Data, "
                  "Prabhakaran: Flexible Accuracy for Differential Privacy, 2022, "
                  "Appendix B"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .law_is_folded = true,
    .clamps_itself = true,
    .input_is_rows = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .row_width = row_width,
    .draw = draw,
    .place = place,
    .noise = noise,
    .width = answer_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
