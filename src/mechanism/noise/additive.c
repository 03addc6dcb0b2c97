#include "mechanism/noise/additive.h"

#include "base/memory.h"
#include "model/at_once.h"
#include "model/certificate.h"

/* To a grid, by scrim: several values lie further apart by it. */
static bool is_rounded(const scrim_measurement *m)
{
    return sc_measurement_get(m, "grid") != NULL && !m->domain.is_whole;
}

static scrim_status set_domain(scrim_measurement *m, scrim_error *error)
{
    const sc_ratio *lower = sc_measurement_get(m, "lower");
    const sc_ratio *upper = sc_measurement_get(m, "upper");
    if ((lower == NULL) != (upper == NULL))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, lower == NULL ? "lower" : "upper",
            "%s: give both lower and upper, or neither", m->mechanism->entry.name);
    m->domain.is_whole = sc_parameters_word(&m->parameters, "whole", 0) == 1;
    m->domain.rounding =
        sc_measurement_get(m, "grid") == NULL ? SC_ROUNDING_OF_ONE : SC_ROUNDING_COUNTED;
    int64_t size = sc_measurement_integer(m, "size", 0);
    if (size > 0)
        m->domain.count_min = m->domain.count_max = (size_t)size;
    else if (is_rounded(m))
        m->domain.count_max = 1; /* what rounding costs is computed for one value */
    return sc_domain_set_grid(&m->domain, sc_measurement_get(m, "grid"), lower, upper,
                              error);
}

void sc_additive_sensitivity_upper(const scrim_measurement *m, sc_norm norm,
                                   sc_ratio *out)
{
    const sc_ratio *declared = sc_measurement_get(m, "sensitivity");
    const sc_grid *grid = &m->domain.grid;
    uint64_t size = (uint64_t)sc_measurement_integer(m, "size", 1);
    SC_OWN(sc_integer, steps);
    if (size > 1 && norm == SC_NORM_L2) {
        sc_grid_sensitivity_l2_upper(grid, declared, is_rounded(m) ? size : 0, out);
    } else {
        if (size > 1 && is_rounded(m))
            sc_grid_sensitivity_l1_upper(grid, declared, size, &steps);
        else
            sc_grid_sensitivity_upper(grid, declared, &steps);
        sc_ratio_set_integer(out, &steps);
    }
}

static uint64_t shift_of(const sc_ratio *steps)
{
    const uint64_t far = ((uint64_t)1 << SC_GRID_BITS) - 1;
    uint64_t shift = 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_floor(steps, &whole);
    if (!sc_integer_get_uint64(&whole, &shift) || shift > far)
        shift = far;
    return shift;
}

bool sc_additive_is_whole(const sc_additive *s)
{
    return sc_ratio_compare_int64(&s->steps, (int64_t)s->shift) == 0;
}

/* Rounding to a grid attains what it can cost with one value; with several that is not known. */
bool sc_additive_is_attained(const scrim_measurement *m)
{
    const bool is_clamped = sc_measurement_get(m, "lower") != NULL;
    if (is_rounded(m))
        return !is_clamped && sc_measurement_integer(m, "size", 1) == 1;
    SC_OWN(sc_ratio, steps);
    sc_grid_step(&m->domain.grid, &steps);
    sc_ratio_div(&steps, sc_measurement_get(m, "sensitivity"), &steps);
    const bool is_even = sc_ratio_is_integer(&steps);
    return !is_clamped && is_even;
}

bool sc_additive_fits(const sc_ratio *shape, unsigned bits)
{
    SC_OWN(sc_ratio, near, far);
    SC_OWN(sc_integer, one);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_integer(&far, &one);
    sc_ratio_set_dyadic(&near, &one, bits);
    sc_ratio_div(&far, &far, &near);
    return sc_ratio_compare(shape, &near) >= 0 && sc_ratio_compare(shape, &far) <= 0;
}

const sc_additive *sc_additive_of(const scrim_measurement *m)
{
    return m->state;
}

/* Tables are made before there is a charge. A measurement that is read for its law needs none. */
static scrim_status prepare(const scrim_measurement *m, const sc_noise_kind *kind,
                            sc_additive *s, scrim_error *error)
{
    sc_blocks_law drawn = kind->blocks;
    drawn.bound = drawn.is_bounded ? (uint64_t)s->law.bound : 0;
    if (m->is_for_law)
        return sc_blocks_check_shape(&drawn, &s->law.shape, error);
    const scrim_status status =
        sc_blocks_init_shape(&s->blocks, &drawn, &s->law.shape, error);
    s->is_ready = status == SCRIM_OK;
    return status;
}

scrim_status sc_additive_fill(const sc_additive *s, sc_bits *bits, size_t count,
                              sc_int128 *out, scrim_error *error)
{
    return s->is_ready ? sc_blocks_fill_wide(bits, &s->blocks, count, out, error)
                       : sc_fail(error, SCRIM_E_INTERNAL,
                                 "a law that was read from a record cannot be drawn");
}

scrim_status sc_additive_check_move(scrim_measurement *m, const sc_noise_kind *kind,
                                    const sc_ratio *steps, scrim_error *error)
{
    scrim_status status = set_domain(m, error);
    if (status != SCRIM_OK)
        return status;
    sc_additive *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    SC_OWN(sc_ratio, shape);
    sc_ratio_init(&s->steps);
    sc_ratio_init(&s->epsilon);
    if (steps != NULL)
        sc_ratio_set(&s->steps, steps);
    status = kind->scale(m, s, &shape, error);
    sc_law_init(&s->law, kind->law, &shape, 0);
    s->shift = shift_of(&s->steps);
    if (status == SCRIM_OK && kind->bound != NULL)
        status = kind->bound(m, s, error);
    if (status == SCRIM_OK)
        status = prepare(m, kind, s, error);
    return status;
}

scrim_status sc_additive_check(scrim_measurement *m, const sc_noise_kind *kind,
                               scrim_error *error)
{
    return sc_additive_check_move(m, kind, NULL, error);
}

void sc_additive_discard(scrim_measurement *m)
{
    sc_additive *s = m->state;
    if (s == NULL)
        return;
    if (s->is_ready)
        sc_blocks_clear(&s->blocks);
    sc_vector_loss_free(s->vector);
    sc_gaussian_sum_free(s->sum);
    sc_law_clear(&s->law);
    sc_ratio_clear(&s->epsilon);
    sc_ratio_clear(&s->steps);
    sc_free(s);
}

scrim_status sc_additive_cost_bounded(const scrim_measurement *m, const sc_ball *mass,
                                      const sc_curve_functions *curve, sc_exact_cost *out,
                                      scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    const sc_ratio *given = sc_measurement_get(m, "delta");
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, delta);
    if (given != NULL)
        sc_ratio_set(&delta, given);
    else if (!sc_cost_round_up_ball(mass, &delta))
        status = sc_fail(error, SCRIM_E_INTERNAL, "a mass is not finite");
    sc_cost_set_approximate(out, &s->epsilon, &delta);
    if (m->domain.count_max == 1) {
        out->curve.functions = curve;
        out->curve.context = s;
    }
    return status;
}

size_t sc_additive_count(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

const sc_law *sc_additive_noise(const scrim_measurement *m)
{
    return &sc_additive_of(m)->law;
}

scrim_status sc_additive_draw(const scrim_measurement *m, sc_bits *bits,
                              const sc_private_input *input, sc_draw *out,
                              scrim_error *error)
{
    const bool clamp = sc_measurement_get(m, "lower") != NULL;
    const sc_int128 low = m->domain.grid.low, high = m->domain.grid.high;
    scrim_status status =
        sc_additive_fill(sc_additive_of(m), bits, input->count, out->values, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < input->count; i++) {
        /* Noise is at most 2^73 in size, and a value below 2^126: no sum leaves 128
         * bits. That no value is larger is a fact of what is summed, not of what is found: a sum
         * has fewer than 2^63 rows, each of which is a difference of two places of a grid, at most
         * 2^63, or the square of one of at most 2^31 (group.h). */
        sc_int128 sum =
            out->values[i] + (input->wide != NULL ? input->wide[i] : input->values[i]);
        if (clamp)
            sum = sum < low ? low : sum > high ? high : sum;
        out->values[i] = sum;
        out->marks[i] = SC_MARK_VALUE;
    }
    out->count = input->count;
    return SCRIM_OK;
}

static scrim_status refuse_many(scrim_error *error)
{
    return sc_fail(
        error, SCRIM_E_LIMIT,
        "the noise is too wide: its distribution has too many outcomes to list; choose a "
        "larger epsilon or rho, or a smaller scale");
}

/* Half the width of the range: the tails beyond it together are at most 2^-(bits/2). */
static scrim_status window_of(const sc_law *noise, long bits, int64_t *out,
                              scrim_error *error)
{
    sc_int128 radius = 0;
    SC_OWN(sc_ratio, beta);
    SC_OWN(sc_integer, one);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_dyadic(&beta, &one, (unsigned)bits / 2);
    scrim_status status = sc_law_radius(noise, &beta, &radius, error);
    if (status == SCRIM_OK && radius > (sc_int128)SC_OUTCOMES_MAX / 2)
        status = refuse_many(error);
    if (status == SCRIM_OK)
        *out = (int64_t)radius;
    return status;
}

/* One coordinate of a law that is being listed. */
typedef struct listing {
    const scrim_measurement *m;
    const sc_law *noise;
    const sc_private_input *input;
    bool clamp;
    long bits;
    int64_t radius;
    int64_t key[SC_PAIR_VALUES];
    sc_outcomes *out;
} listing;

/* The mass of an outcome k of the coordinate x: at a clamped end, of all that lies beyond. */
static void coordinate_mass(const listing *l, int64_t x, int64_t k, sc_ball *out)
{
    const sc_grid *grid = &l->m->domain.grid;
    if (l->clamp && k == grid->low)
        sc_law_at_most(l->noise, (sc_int128)k - x, l->bits, out);
    else if (l->clamp && k == grid->high)
        sc_law_at_least(l->noise, (sc_int128)k - x, l->bits, out);
    else
        sc_law_pmf(l->noise, (sc_int128)k - x, l->bits, out);
}

static void coordinate_range(const listing *l, size_t coordinate, int64_t *low,
                             int64_t *high)
{
    const sc_grid *grid = &l->m->domain.grid;
    const int64_t x = l->input->values[coordinate];
    *low = x - l->radius;
    *high = x + l->radius;
    if (l->clamp) {
        *low = *low < grid->low ? grid->low : *low;
        *high = *high > grid->high ? grid->high : *high;
    }
}

/* Before the first is listed: that takes its time. */
static scrim_status refuse_long_list(const listing *l, scrim_error *error)
{
    uint64_t product = 1;
    for (size_t i = 0; i < l->input->count; i++) {
        int64_t low, high;
        coordinate_range(l, i, &low, &high);
        const uint64_t width = high < low ? 0 : (uint64_t)(high - low) + 1;
        if (width > 0 && product > SC_OUTCOMES_MAX / width)
            return refuse_many(error);
        product *= width;
    }
    return SCRIM_OK;
}

static scrim_status list_from(listing *l, size_t coordinate, const sc_ball *so_far,
                              scrim_error *error)
{
    if (coordinate == l->input->count)
        return sc_outcomes_add(l->out, l->key, so_far, error);
    const int64_t x = l->input->values[coordinate];
    int64_t low, high;
    coordinate_range(l, coordinate, &low, &high);
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, mass);
    for (int64_t k = low; status == SCRIM_OK && k <= high; k++) {
        coordinate_mass(l, x, k, &mass);
        sc_ball_mul(&mass, &mass, so_far, l->bits);
        l->key[coordinate] = k;
        status = list_from(l, coordinate + 1, &mass, error);
    }
    return status;
}

scrim_status sc_additive_law(const scrim_measurement *m, const sc_private_input *input,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_law *noise = sc_additive_noise(m);
    listing l = {.m = m,
                 .noise = noise,
                 .input = input,
                 .clamp = sc_measurement_get(m, "lower") != NULL,
                 .bits = bits,
                 .out = out};
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %d values", SC_PAIR_VALUES);
    scrim_status status = window_of(noise, bits, &l.radius, error);
    SC_OWN(sc_ball, one, tail);
    sc_ball_set_int64(&one, 1);
    if (status == SCRIM_OK)
        status = refuse_long_list(&l, error);
    if (status == SCRIM_OK)
        status = list_from(&l, 0, &one, error);
    if (status == SCRIM_OK) {
        /* The mass outside in any coordinate is at most the sum of the tails. */
        sc_law_at_least(noise, (sc_int128)l.radius + 1, bits, &tail);
        sc_ball_mul_int64(&tail, &tail, 2 * (int64_t)input->count, bits);
        sc_ball_set(&out->rest, &tail);
        sc_ball_cut_unit(&out->rest);
        status = sc_outcomes_sort(out, bits, error);
    }
    return status;
}

/* Where the one value stands: in the middle and, where there are ends, near each of them. */
#define PLACES 3

size_t sc_additive_pair_count(const scrim_measurement *m)
{
    const uint64_t shift = sc_additive_of(m)->shift;
    if (shift == 0)
        return PLACES;
    return PLACES * (size_t)(shift < SC_ADDITIVE_SHIFTS ? shift : SC_ADDITIVE_SHIFTS);
}

void sc_additive_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    size_t shifts = sc_additive_pair_count(m) / PLACES;
    uint64_t by = sc_additive_of(m)->shift - index % shifts; /* the largest first */
    const sc_grid *grid = &m->domain.grid;
    const bool has_ends = sc_measurement_get(m, "lower") != NULL;
    int64_t x = 0;
    if (has_ends && index / shifts == 0)
        x = grid->low;
    else if (has_ends && index / shifts == 1)
        x = grid->low / 2 + grid->high / 2;
    else if (has_ends)
        x = grid->high - (int64_t)by;
    else
        x = (int64_t)(index / shifts) * 1000;
    out->x_count = out->y_count = 1;
    out->x[0] = sc_domain_clamp(&m->domain, x);
    out->y[0] = sc_domain_clamp(&m->domain, x + (int64_t)by);
}

/* A number of steps in the unit of the input. */
static void radius_of(const scrim_measurement *m, sc_int128 steps, sc_ratio *out)
{
    SC_OWN(sc_ratio, step);
    SC_OWN(sc_integer, whole);
    sc_integer_set_int128(&whole, steps);
    sc_ratio_set_integer(out, &whole);
    sc_grid_step(&m->domain.grid, &step);
    sc_ratio_mul(out, out, &step);
}

/* Values that are shown are clamped like those of the input: none is further off than the ends are apart. */
static sc_int128 within_ends(const scrim_measurement *m, sc_int128 steps)
{
    const sc_grid *grid = &m->domain.grid;
    if (sc_measurement_get(m, "lower") == NULL)
        return steps;
    const sc_int128 apart = (sc_int128)grid->high - grid->low;
    return steps < apart ? steps : apart;
}

scrim_status sc_additive_certify(const scrim_measurement *m, const sc_ratio *beta,
                                 size_t count, sc_certificate *out, scrim_error *error)
{
    sc_int128 steps = 0, steps_all = 0;
    SC_OWN(sc_ratio, radius, each);
    sc_at_once_each(beta, count, &each);
    scrim_status status = sc_law_radius(sc_additive_noise(m), beta, &steps, error);
    if (status == SCRIM_OK)
        status = sc_law_radius(sc_additive_noise(m), &each, &steps_all, error);
    if (status == SCRIM_OK) {
        radius_of(m, within_ends(m, steps), &radius);
        sc_certificate_interval(out, &radius, beta,
                                "rounding to the grid and clamping of the input");
    }
    if (status == SCRIM_OK && count > 1) {
        radius_of(m, within_ends(m, steps_all), &radius);
        sc_certificate_add_radius_all(out, &radius);
    }
    return status;
}

void sc_additive_certify_bound(const scrim_measurement *m, const char *excludes,
                               sc_certificate *out)
{
    SC_OWN(sc_ratio, radius, never);
    radius_of(m, sc_additive_noise(m)->bound, &radius);
    sc_certificate_interval(out, &radius, &never, excludes);
}

void sc_additive_change_sum(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_SUM;
    sc_ratio_set(&out->amount, sc_measurement_get(m, "sensitivity"));
}

void sc_additive_change_length(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_LENGTH;
    sc_ratio_set(&out->amount, sc_measurement_get(m, "sensitivity"));
}
