#include "mechanism/threshold/noisy_threshold.h"

#include "base/memory.h"
#include "base/work_limit.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/certificate.h"
#include "model/outcomes.h"

/* The noise. */

static scrim_status prepare(sc_noisy_threshold *out, const sc_blocks_law *law,
                            const sc_ratio *shape, scrim_error *error)
{
    scrim_status status = sc_blocks_init_shape(&out->blocks, law, shape, error);
    out->is_ready = status == SCRIM_OK;
    return status;
}

scrim_status sc_noisy_threshold_init(sc_noisy_threshold *out,
                                     const sc_law_functions *noise, const sc_ratio *shape,
                                     scrim_error *error)
{
    sc_law_init(&out->noise, noise, shape, 0);
    return prepare(out,
                   &(sc_blocks_law){.sides = SC_SIDES_BOTH,
                                    .is_square = noise == &sc_discrete_gaussian_law},
                   shape, error);
}

scrim_status sc_noisy_threshold_init_bounded(sc_noisy_threshold *out,
                                             const sc_ratio *scale, int64_t bound,
                                             scrim_error *error)
{
    sc_law_init(&out->noise, &sc_truncated_laplace_law, scale, bound);
    return prepare(out,
                   &(sc_blocks_law){.sides = SC_SIDES_BOTH,
                                    .is_bounded = true,
                                    .bound = (uint64_t)bound},
                   scale, error);
}

bool sc_noisy_threshold_is_bounded(const sc_noisy_threshold *x)
{
    return x->noise.functions == &sc_truncated_laplace_law;
}

void sc_noisy_threshold_clear(sc_noisy_threshold *x)
{
    if (x->is_ready)
        sc_blocks_clear(&x->blocks);
    if (x->noise.functions != NULL)
        sc_law_clear(&x->noise);
    *x = (sc_noisy_threshold){0};
}

/* The threshold. */

/* 1 + Z < T is Z < T - 1; from the tail at T - 1, so that nothing cancels. */
void sc_noisy_threshold_loss(const sc_law *noise, int64_t threshold, long bits,
                             sc_ball *out)
{
    sc_law_at_least(noise, (sc_int128)threshold - 1, bits, out);
    sc_ball_neg(out, out);
    sc_ball_log1p(out, out, bits);
    sc_ball_neg(out, out);
}

void sc_noisy_threshold_mass(const sc_law *noise, int64_t threshold, uint64_t groups,
                             long bits, sc_ball *out)
{
    sc_noisy_threshold_loss(noise, threshold, bits, out);
    sc_ball_mul_int64(out, out, -(int64_t)groups, bits);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
}

void sc_noisy_threshold_delta(const sc_curve *noise, const sc_ball *mass,
                              const sc_ratio *epsilon, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_curve_delta_upper(noise, epsilon, bits, out);
    sc_ball_neg(&part, out);
    sc_ball_add_int64(&part, &part, 1, bits);
    sc_ball_mul(&part, &part, mass, bits);
    sc_ball_add(out, out, &part, bits);
}

void sc_noisy_threshold_cost(const scrim_measurement *m, const sc_ball *mass,
                             const sc_curve_functions *functions, sc_exact_cost *out)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    SC_OWN(sc_ratio, two);
    out->has_aside = sc_cost_round_up_ball(mass, &out->aside);
    sc_cost_set_approximate(out, epsilon, delta != NULL ? delta : &out->aside);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_mul(&out->aside_rho, epsilon, epsilon);
    sc_ratio_div(&out->aside_rho, &out->aside_rho, &two);
    sc_cost_round_up(&out->aside_rho, &out->aside_rho);
    out->curve.functions = functions;
    out->curve.context = m->state;
}

int64_t sc_noisy_threshold_search(bool (*is_enough)(const void *context,
                                                    int64_t threshold),
                                  const void *context, int64_t from)
{
    int64_t low = from - 1, high = from, step = 1;
    while (high < SC_THRESHOLD_MAX && !is_enough(context, high)) {
        if (sc_work_limit_is_over())
            return SC_THRESHOLD_MAX;
        low = high;
        high = step < SC_THRESHOLD_MAX - high ? high + step : SC_THRESHOLD_MAX;
        step *= 2;
    }
    while (high - low > 1 && !sc_work_limit_is_over()) {
        const int64_t middle = low + (high - low) / 2;
        if (is_enough(context, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

void sc_noisy_threshold_discard(scrim_measurement *m)
{
    if (m->state != NULL)
        sc_noisy_threshold_clear(m->state);
    sc_free(m->state);
}

const sc_noisy_threshold *sc_noisy_threshold_of(const scrim_measurement *m)
{
    return m->state;
}

int64_t sc_threshold_of(const scrim_measurement *m)
{
    return sc_noisy_threshold_of(m)->threshold;
}

/* P(n + Z >= T) = P(Z <= n - T), the noise being symmetric, which reaches p where n - T is the
 * quantile. */
scrim_status sc_noisy_threshold_units(const scrim_measurement *m, const sc_ratio *p,
                                      sc_int128 *out, scrim_error *error)
{
    const sc_noisy_threshold *s = sc_noisy_threshold_of(m);
    sc_int128 above = s->noise.bound; /* for certain, where there is a bound */
    scrim_status status = SCRIM_OK;
    if (sc_ratio_compare_int64(p, 1) < 0)
        status = sc_law_quantile(&s->noise, p, &above, error);
    if (status == SCRIM_OK)
        *out = s->threshold + above > 1 ? s->threshold + above : 1;
    return status;
}

scrim_status sc_noisy_threshold_certify(const scrim_measurement *m, const sc_ratio *beta,
                                        size_t count, sc_certificate *out,
                                        scrim_error *error)
{
    const sc_noisy_threshold *s = sc_noisy_threshold_of(m);
    sc_int128 units = 0, radius = s->noise.bound;
    (void)count;
    SC_OWN(sc_ratio, number);
    sc_ratio_set_int64(&number, 1);
    sc_ratio_sub(&number, &number, beta);
    scrim_status status = sc_noisy_threshold_units(m, &number, &units, error);
    if (status == SCRIM_OK && !sc_noisy_threshold_is_bounded(s))
        status = sc_law_radius(&s->noise, beta, &radius, error);
    if (status == SCRIM_OK) {
        sc_ratio_set_int128(&number, units);
        sc_certificate_pac(out, &number, beta,
                           "smaller groups, which may be left out; that a value is shown "
                           "only where it is large");
        sc_ratio_set_int128(&number, radius);
        sc_certificate_add_value_radius(out, &number);
    }
    return status;
}

/* Drawing. */

static bool is_public(const sc_private_input *input, size_t group)
{
    return input->is_public != NULL && input->is_public[group];
}

scrim_status sc_noisy_threshold_draw(const scrim_measurement *m, sc_bits *bits,
                                     const sc_private_input *input, sc_draw *out,
                                     scrim_error *error)
{
    const sc_noisy_threshold *s = sc_noisy_threshold_of(m);
    scrim_status status =
        sc_blocks_fill_wide(bits, &s->blocks, input->count, out->values, error);
    if (status != SCRIM_OK) {
        sc_wipe(out->values, input->count * sizeof *out->values);
        return status;
    }
    for (size_t i = 0; i < input->count; i++) {
        const sc_int128 value = out->values[i] + input->values[i];
        const bool is_shown =
            is_public(input, i) || (input->values[i] > 0 && value >= s->threshold);
        out->values[i] = is_shown ? value : 0;
        out->marks[i] = is_shown ? SC_MARK_ABOVE_VALUE : SC_MARK_BELOW;
    }
    out->count = input->count;
    return SCRIM_OK;
}

/* The law. */

/* How far the noise is listed: all of it where it has a bound, else beyond there are 2^-(bits/2) of
 * it. */
static scrim_status window_of(const sc_law *noise, long bits, sc_int128 *out,
                              scrim_error *error)
{
    if (noise->functions == &sc_truncated_laplace_law) {
        *out = noise->bound;
        return SCRIM_OK;
    }
    SC_OWN(sc_integer, one);
    SC_OWN(sc_ratio, beta);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_dyadic(&beta, &one, (unsigned)bits / 2);
    return sc_law_radius(noise, &beta, out, error);
}

static scrim_status fail_many(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LIMIT,
                   "there are too many values to give the probability of each");
}

/* The outcomes of a count n: not shown, and the values from T up to the reach of the noise. */
static scrim_status list_group(const sc_law *noise, int64_t first, int64_t n,
                               int64_t radius, long bits, sc_outcomes *out,
                               scrim_error *error)
{
    const int64_t unseen = SC_THRESHOLD_UNSEEN;
    const int64_t last = n + radius > first ? n + radius : first;
    if (last - first >= (int64_t)SC_OUTCOMES_MAX)
        return fail_many(error);
    SC_OWN(sc_ball, mass);
    sc_law_at_most(noise, (sc_int128)first - 1 - n, bits, &mass);
    scrim_status status = sc_outcomes_add(out, &unseen, &mass, error);
    for (int64_t k = first; status == SCRIM_OK && k <= last; k++) {
        sc_law_pmf(noise, (sc_int128)k - n, bits, &mass);
        status = sc_outcomes_add(out, &k, &mass, error);
    }
    sc_law_at_least(noise, (sc_int128)last + 1 - n, bits, &out->rest);
    return status;
}

scrim_status sc_noisy_threshold_list(const sc_law *noise, int64_t threshold, int64_t n,
                                     long bits, sc_outcomes *out, scrim_error *error)
{
    sc_int128 radius = 0;
    scrim_status status = window_of(noise, bits, &radius, error);
    if (status == SCRIM_OK &&
        (n > SC_THRESHOLD_MAX || radius >= (sc_int128)SC_OUTCOMES_MAX))
        status = fail_many(error);
    return status == SCRIM_OK
               ? list_group(noise, threshold, n, (int64_t)radius, bits, out, error)
               : status;
}

static scrim_status list_nobody(sc_outcomes *out, scrim_error *error)
{
    const int64_t unseen = SC_THRESHOLD_UNSEEN;
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    return sc_outcomes_add(out, &unseen, &one, error);
}

typedef struct group_window {
    const sc_noisy_threshold *s;
    int64_t radius;
} group_window;

static scrim_status list_size(const void *context, int64_t n, long bits, sc_outcomes *out,
                              scrim_error *error)
{
    const group_window *w = context;
    if (n > SC_THRESHOLD_MAX)
        return fail_many(error);
    return n > 0
               ? list_group(&w->s->noise, w->s->threshold, n, w->radius, bits, out, error)
               : list_nobody(out, error);
}

/* The outcomes of a group whose key is public: every value of the noise. */
static scrim_status list_public(const group_window *w, int64_t n, long bits,
                                sc_outcomes *out, scrim_error *error)
{
    if (n > SC_THRESHOLD_MAX || w->radius >= (int64_t)SC_OUTCOMES_MAX / 2)
        return fail_many(error);
    SC_OWN(sc_ball, mass);
    scrim_status status = SCRIM_OK;
    for (int64_t z = -w->radius; status == SCRIM_OK && z <= w->radius; z++) {
        const int64_t value = n + z;
        sc_law_pmf(&w->s->noise, z, bits, &mass);
        status = sc_outcomes_add(out, &value, &mass, error);
    }
    /* Both tails, which are alike. */
    sc_law_at_least(&w->s->noise, (sc_int128)w->radius + 1, bits, &mass);
    sc_ball_add(&out->rest, &mass, &mass, bits);
    return status;
}

/* The law where some groups have public keys. */
static scrim_status list_groups(const group_window *w, const sc_private_input *input,
                                long bits, sc_outcomes *out, scrim_error *error)
{
    sc_outcomes parts[SC_PAIR_VALUES];
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < input->count; i++)
        sc_outcomes_init(&parts[i], 1);
    for (size_t i = 0; status == SCRIM_OK && i < input->count; i++)
        status = is_public(input, i)
                     ? list_public(w, input->values[i], bits, &parts[i], error)
                     : list_size(w, input->values[i], bits, &parts[i], error);
    if (status == SCRIM_OK)
        status = sc_outcomes_product(parts, input->count, NULL, bits, out, error);
    for (size_t i = 0; i < input->count; i++)
        sc_outcomes_clear(&parts[i]);
    return status;
}

scrim_status sc_noisy_threshold_law(const scrim_measurement *m,
                                    const sc_private_input *input, long bits,
                                    sc_outcomes *out, scrim_error *error)
{
    const sc_noisy_threshold *s = sc_noisy_threshold_of(m);
    sc_int128 radius = 0;
    if (input->count > SC_PAIR_VALUES)
        return fail_many(error);
    scrim_status status = window_of(&s->noise, bits, &radius, error);
    if (status == SCRIM_OK && radius >= (sc_int128)SC_OUTCOMES_MAX)
        status = fail_many(error);
    if (status != SCRIM_OK)
        return status;
    const group_window window = {s, (int64_t)radius};
    if (input->is_public != NULL)
        return list_groups(&window, input, bits + 64, out, error);
    const sc_outcomes_each each = {.values = input->values,
                                   .count = input->count,
                                   .list = list_size,
                                   .context = &window};
    return sc_outcomes_of_each(&each, bits + 64, out, error);
}

/* Neighbours. */

#define PAIRS 512
#define BEYOND 5 /* sizes above the threshold that are looked at */
/* Two groups have laws of a thousand answers at least, so that there are few such pairs. */
#define TWO_SIZES 6
#define TWO_RADIUS 64
#define TWO_BITS 128

/* The largest that is looked at: T + 5, and as much more as noise can take away for certain. */
static sc_int128 last_size(const scrim_measurement *m)
{
    const sc_noisy_threshold *s = sc_noisy_threshold_of(m);
    return (sc_int128)s->threshold + BEYOND + s->noise.bound;
}

static size_t one_count(const scrim_measurement *m)
{
    const sc_int128 sizes = last_size(m) + 1;
    const size_t set = sc_noisy_threshold_of(m)->pairs, most = set > 0 ? set : PAIRS;
    return (size_t)(sizes < (sc_int128)most ? sizes : (sc_int128)most);
}

/* From 0 to the last, evenly. */
static int64_t size_at(const scrim_measurement *m, size_t index, size_t sizes)
{
    const sc_int128 last = last_size(m);
    return (int64_t)((sc_int128)index * last / (sc_int128)(sizes - 1));
}

static sc_threshold_moves moves_of(const scrim_measurement *m)
{
    const sc_threshold_moves once = {1, {0, 0}}, twice = {1, {1, 1}};
    const sc_threshold_moves *set = &sc_noisy_threshold_of(m)->moves;
    return set->one > 0 ? *set : sc_unit_counts_changed(m) > 1 ? twice : once;
}

static bool has_two(const scrim_measurement *m)
{
    sc_int128 radius = 0;
    return moves_of(m).two[0] > 0 &&
           window_of(&sc_noisy_threshold_of(m)->noise, TWO_BITS, &radius, NULL) ==
               SCRIM_OK &&
           radius <= TWO_RADIUS;
}

size_t sc_noisy_threshold_pair_count(const scrim_measurement *m)
{
    return one_count(m) + (has_two(m) ? 2 * TWO_SIZES : 0);
}

void sc_noisy_threshold_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const bool is_replace = sc_measurement_neighbours(m) == SCRIM_REPLACE;
    const sc_threshold_moves moves = moves_of(m);
    const size_t one = one_count(m);
    if (index < one) {
        out->x_count = out->y_count = 1;
        out->x[0] = size_at(m, index, one);
        out->y[0] = out->x[0] + moves.one;
        return;
    }
    const size_t two = index - one;
    const int64_t n = size_at(m, two / 2, TWO_SIZES);
    out->x_count = out->y_count = 2;
    out->x[0] = two % 2 == 0 ? 0 : n;
    out->y[0] = out->x[0] + moves.two[0];
    out->x[1] = is_replace ? n + moves.two[1] : n;
    out->y[1] = is_replace ? n : n + moves.two[1];
}

#define BITS 256

uint64_t sc_new_groups_moved(const sc_new_groups *own)
{
    return own->groups > 0 ? own->groups * own->each : own->total;
}

/* a + Z >= T is 1 + Z >= T - a + 1. */
static void mass_of(const sc_law *noise, int64_t threshold, uint64_t groups,
                    uint64_t each, long bits, sc_ball *out)
{
    sc_noisy_threshold_mass(noise, threshold - (int64_t)each + 1, groups, bits, out);
}

void sc_new_groups_mass(const sc_new_groups *own, const sc_law *noise, int64_t threshold,
                        long bits, sc_ball *out)
{
    if (own->groups > 0) {
        mass_of(noise, threshold, own->groups, own->each, bits, out);
        return;
    }
    SC_OWN(sc_ball, many);
    mass_of(noise, threshold, 1, own->total, bits, out);
    mass_of(noise, threshold, own->total, 1, bits, &many);
    if (sc_ball_is_less(out, &many))
        sc_ball_set(out, &many);
    else if (!sc_ball_is_less_equal(&many, out))
        sc_ball_set_union(out, out, &many, bits);
}

typedef struct target {
    const sc_new_groups *own;
    const sc_law *noise;
    sc_ball delta;
} target;

static bool is_enough(const void *context, int64_t threshold)
{
    const target *w = context;
    SC_OWN(sc_ball, mass);
    sc_new_groups_mass(w->own, w->noise, threshold, BITS, &mass);
    return sc_ball_is_less_equal(&mass, &w->delta);
}

int64_t sc_new_groups_threshold(const sc_new_groups *own, const sc_law *noise,
                                const sc_ratio *delta)
{
    target w = {.own = own, .noise = noise};
    sc_ball_init(&w.delta);
    sc_ball_set_ratio(&w.delta, delta, BITS);
    const int64_t threshold = sc_noisy_threshold_search(is_enough, &w, 1);
    sc_ball_clear(&w.delta);
    return threshold;
}
