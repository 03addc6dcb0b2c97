#include "synth/rounds/rounds.h"

#include "base/memory.h"
#include "base/number/ball.h"
#include "base/status.h"
#include "mechanism/linear/marginals.h"
#include "mechanism/noise/gaussian.h"
#include "mechanism/noise/laplace.h"
#include "mechanism/selection/exponential.h"
#include "mechanism/selection/permute_and_flip.h"

#include <string.h>

scrim_status sc_round_unit_check(const sc_round_unit *unit, scrim_error *error)
{
    if (unit->neighbours != SCRIM_ADD_REMOVE && unit->neighbours != SCRIM_REPLACE)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "neighbours",
            "neighbours is not set; use SCRIM_ADD_REMOVE or SCRIM_REPLACE");
    if (unit->rows < 1 || unit->rows > SC_ROUND_ROWS_MAX)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "max-rows",
                           "a unit must have at least 1 and at most %llu rows",
                           (unsigned long long)SC_ROUND_ROWS_MAX);
    return SCRIM_OK;
}

static uint64_t sides(const sc_round_unit *unit)
{
    return unit->neighbours == SCRIM_REPLACE ? 2 : 1;
}

uint64_t sc_round_move(const sc_round_unit *unit)
{
    return sides(unit) * unit->rows;
}

uint64_t sc_round_square(const sc_round_unit *unit)
{
    return sides(unit) * unit->rows * unit->rows;
}

static scrim_status refuse_small(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "rho",
                       "the budget of a round is too small or too large; change the "
                       "budget, or plan another number of rounds");
}

/* ceil(64 x), from 1 to 2^62. */
static scrim_status in_64ths(const sc_ratio *x, uint64_t *out, scrim_error *error)
{
    uint64_t found = 0;
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&scaled, 64);
    sc_ratio_mul(&scaled, &scaled, x);
    sc_ratio_ceil(&scaled, &whole);
    if (!sc_integer_get_uint64(&whole, &found) || found > (uint64_t)1 << 62)
        return refuse_small(error);
    *out = found;
    return SCRIM_OK;
}

scrim_status sc_round_variance(const sc_ratio *share, sc_uint128 square, uint64_t *out,
                               scrim_error *error)
{
    SC_OWN(sc_ratio, variance, twice);
    if (sc_ratio_sign(share) <= 0)
        return refuse_small(error);
    sc_ratio_add(&twice, share, share);
    sc_ratio_set_int128(&variance, (sc_int128)square);
    sc_ratio_div(&variance, &variance, &twice);
    return in_64ths(&variance, out, error);
}

scrim_status sc_round_scale(const sc_ratio *share, uint64_t sum, uint64_t *out,
                            scrim_error *error)
{
    SC_OWN(sc_ratio, scale);
    if (sc_ratio_sign(share) <= 0)
        return refuse_small(error);
    sc_ratio_set_int128(&scale, (sc_int128)sum);
    sc_ratio_div(&scale, &scale, share);
    return in_64ths(&scale, out, error);
}

/* The whole part, from least to 2^62. */
static scrim_status whole_rate(const sc_ratio *x, uint64_t least, uint64_t *out,
                               scrim_error *error)
{
    uint64_t found = 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_floor(x, &whole);
    if (!sc_integer_get_uint64(&whole, &found) || found > (uint64_t)1 << 62 ||
        found < least)
        return refuse_small(error);
    *out = found;
    return SCRIM_OK;
}

scrim_status sc_round_pure_rate(const sc_ratio *share, uint64_t move, uint64_t *out,
                                scrim_error *error)
{
    SC_OWN(sc_ratio, rate, divisor);
    if (sc_ratio_sign(share) <= 0)
        return refuse_small(error);
    sc_ratio_set_int64(&rate, (int64_t)1 << (SC_ROUND_RATE_BITS - 1));
    sc_ratio_mul(&rate, &rate, share);
    sc_ratio_set_int128(&divisor, (sc_int128)move);
    sc_ratio_div(&rate, &rate, &divisor);
    return whole_rate(&rate, 1, out, error);
}

scrim_status sc_round_rate(const sc_ratio *share, uint64_t rounds, uint64_t most_move,
                           uint64_t *out, scrim_error *error)
{
    SC_OWN(sc_ratio, square, divisor);
    SC_OWN(sc_integer, whole, scale);
    if (sc_ratio_sign(share) <= 0)
        return refuse_small(error);
    sc_integer_set_uint128(&scale, (sc_uint128)1 << (2 * SC_ROUND_RATE_BITS + 1));
    sc_ratio_set_integer(&square, &scale);
    sc_ratio_mul(&square, &square, share);
    sc_ratio_set_int128(&divisor, (sc_int128)rounds);
    sc_ratio_div(&square, &square, &divisor);
    sc_ratio_floor(&square, &whole);
    sc_integer_sqrt(&whole, &whole); /* floor(sqrt(floor x)) = floor(sqrt x) */
    sc_ratio_set_integer(&square, &whole);
    return whole_rate(&square, most_move, out, error);
}

void sc_round_measure_cost(sc_uint128 square, uint64_t variance_64ths, sc_ratio *out)
{
    SC_OWN(sc_ratio, divisor);
    sc_ratio_set_int128(out, (sc_int128)square * 32);
    sc_ratio_set_int128(&divisor, (sc_int128)variance_64ths);
    sc_ratio_div(out, out, &divisor);
}

void sc_round_select_cost(uint64_t move, uint64_t rate, sc_ratio *out)
{
    SC_OWN(sc_integer, top);
    sc_integer_set_uint128(&top, (sc_uint128)move * rate);
    sc_integer_mul(&top, &top, &top);
    sc_ratio_set_dyadic(out, &top, 2 * SC_ROUND_RATE_BITS + 1);
}

/* cells sqrt(variance_64ths/(32 pi)) + 1/2. */
static void set_noise(uint64_t cells, uint64_t variance_64ths, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, pi, half);
    SC_OWN(sc_ratio, exact);
    sc_ratio_set_int128(&exact, (sc_int128)variance_64ths);
    sc_ball_set_ratio(out, &exact, bits);
    sc_ball_set_pi(&pi, bits);
    sc_ball_mul_int64(&pi, &pi, 32, bits);
    sc_ball_div(out, out, &pi, bits);
    sc_ball_sqrt(out, out, bits);
    sc_ratio_set_int128(&exact, (sc_int128)cells);
    sc_ball_set_ratio(&half, &exact, bits);
    sc_ball_mul(out, out, &half, bits);
    sc_ratio_set_quotient(&exact, 1, 2);
    sc_ball_set_ratio(&half, &exact, bits);
    sc_ball_add(out, out, &half, bits);
}

/* The number is irrational, so some precision tells its floor. */
int64_t sc_round_noise(uint64_t cells, uint64_t variance_64ths)
{
    sc_int128 found = 0;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, noise);
    SC_OWN(sc_integer, whole);
    bool is_known = false;
    for (long bits = 128; bits <= 4096 && !is_known; bits *= 2) {
        set_noise(cells, variance_64ths, bits, &noise);
        is_known = sc_ball_floor(&noise, &whole);
    }
    return is_known && sc_integer_get_int128(&whole, &found) && found < INT64_MAX
               ? (int64_t)found
               : INT64_MAX;
}

scrim_status sc_rounds_begin(sc_rounds *r, sc_synth_method method, scrim_error *error)
{
    scrim_status status = sc_round_unit_check(&r->unit, error);
    if (status == SCRIM_OK &&
        sc_allowance_cost(r->allowance)->neighbours != r->unit.neighbours)
        status = sc_fail(error, SCRIM_E_INTERNAL,
                         "a synthetic release was charged for other neighbours");
    sc_records_watch(r->records, r->cancel);
    r->released->method = method;
    r->released->neighbours = r->unit.neighbours;
    r->released->rows = r->unit.rows;
    r->released->columns = *sc_records_columns(r->records);
    return status;
}

void sc_rounds_tell(const sc_rounds *r, uint64_t done, uint64_t total)
{
    if (r->progress != NULL)
        r->progress(r->context, done, total);
}

static bool is_pure(const sc_rounds *r)
{
    return sc_allowance_is_pure(r->allowance);
}

/* One draw by a mechanism, of numbers of this run. */

typedef struct numbers {
    sc_ratio cost, move, rows;
    sc_ratio tables[SC_ROUNDS_TABLES];
} numbers;

static void numbers_init(numbers *n)
{
    sc_ratio_init(&n->cost);
    sc_ratio_init(&n->move);
    sc_ratio_init(&n->rows);
    for (size_t i = 0; i < SC_ROUNDS_TABLES; i++)
        sc_ratio_init(&n->tables[i]);
}

static void numbers_clear(numbers *n)
{
    for (size_t i = 0; i < SC_ROUNDS_TABLES; i++)
        sc_ratio_clear(&n->tables[i]);
    sc_ratio_clear(&n->rows);
    sc_ratio_clear(&n->move);
    sc_ratio_clear(&n->cost);
}

scrim_status sc_rounds_draw(sc_rounds *r, const sc_mechanism *mechanism,
                            const sc_argument *arguments, size_t count,
                            const sc_private_input *input, sc_draw out,
                            scrim_error *error)
{
    scrim_measurement *m = NULL;
    scrim_status status = sc_cancel_check(r->cancel, error);
    if (status == SCRIM_OK)
        status = sc_measurement_of(mechanism, arguments, count, &m, error);
    out.marks = sc_allocate(out.capacity, sizeof *out.marks);
    if (status == SCRIM_OK && out.marks == NULL)
        status = sc_no_memory(error, "a synthetic release");
    if (status == SCRIM_OK)
        status = sc_passage_draw_within(r->passage, m, input, &out, error);
    if (status == SCRIM_OK && out.count != out.capacity)
        status = sc_fail(error, SCRIM_E_INTERNAL, "a draw has another number of answers");
    sc_free(out.marks);
    scrim_measurement_free(m);
    return status;
}

/* Selecting. */

scrim_status sc_rounds_select(sc_rounds *r, const int64_t *scores, size_t count,
                              uint64_t move, uint64_t rate, size_t *out,
                              scrim_error *error)
{
    sc_int128 chosen = 0;
    SC_OWN(numbers, n);
    SC_OWN(sc_integer, top);
    sc_ratio_set_int128(&n.move, (sc_int128)move);
    sc_integer_set_uint128(&top, (sc_uint128)move * rate);
    sc_ratio_set_dyadic(&n.cost, &top, SC_ROUND_RATE_BITS - 1); /* 2 D h */
    const sc_argument arguments[] = {
        {.name = "epsilon", .values = &n.cost},
        {.name = "sensitivity", .values = &n.move},
        {.name = "neighbours", .word = scrim_neighbours_name(r->unit.neighbours)}};
    const scrim_status status =
        sc_rounds_draw(r, is_pure(r) ? &sc_permute_and_flip : &sc_exponential, arguments,
                       sizeof arguments / sizeof *arguments,
                       &(sc_private_input){.values = scores, .count = count},
                       (sc_draw){.values = &chosen, .capacity = 1}, error);
    if (status == SCRIM_OK)
        *out = (size_t)chosen;
    return status;
}

/* Measuring. */

/* rho of Gaussian noise of that variance, epsilon of Laplace noise of that scale. */
static void set_cost(const sc_synth_step *step, uint64_t sum, sc_uint128 square,
                     sc_ratio *out)
{
    SC_OWN(sc_ratio, scale);
    if (step->noise == SC_SYNTH_GAUSSIAN) {
        sc_round_measure_cost(square, step->scale_64ths, out);
        return;
    }
    sc_ratio_set_int128(out, (sc_int128)sum * 64);
    sc_ratio_set_int128(&scale, (sc_int128)step->scale_64ths);
    sc_ratio_div(out, out, &scale);
}

static const char *cost_name(const sc_synth_step *step)
{
    return step->noise == SC_SYNTH_GAUSSIAN ? "rho" : "epsilon";
}

static scrim_status draw_marginals(sc_rounds *r, const size_t *cells, size_t count,
                                   const sc_synth_step *step,
                                   const sc_private_input *counts, sc_int128 *values,
                                   scrim_error *error)
{
    SC_OWN(numbers, n);
    for (size_t i = 0; i < count; i++)
        sc_ratio_set_int64(&n.tables[i], (int64_t)cells[i]);
    sc_ratio_set_int64(&n.rows, (int64_t)r->unit.rows);
    set_cost(step, count * sc_round_move(&r->unit),
             (sc_uint128)count * sc_round_square(&r->unit), &n.cost);
    const sc_argument arguments[] = {
        {.name = "tables", .values = n.tables, .count = count},
        {.name = "max-rows", .values = &n.rows},
        {.name = cost_name(step), .values = &n.cost},
        {.name = "neighbours", .word = scrim_neighbours_name(r->unit.neighbours)}};
    return sc_rounds_draw(r, &sc_marginals, arguments,
                          sizeof arguments / sizeof *arguments, counts,
                          (sc_draw){.values = values, .capacity = counts->count}, error);
}

/* A noisy count beyond the largest is set to it: post-processing. */
static int64_t clamp(sc_int128 value)
{
    const int64_t most = SC_SYNTH_NOISY_MAX;
    return value > most ? most : value < -most ? -most : (int64_t)value;
}

/* Adds a step for each clique; values stand one marginal behind the other. */
static scrim_status keep_steps(sc_rounds *r, const sc_clique *cliques,
                               const size_t *cells, size_t count,
                               const sc_synth_step *like, const sc_int128 *values,
                               scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        sc_synth_step step = *like;
        step.clique = cliques[i];
        step.query = 0;
        step.cells = cells[i];
        step.counts = NULL;
        status = sc_synth_released_add(r->released, &step, error);
        for (size_t k = 0; status == SCRIM_OK && k < cells[i]; k++)
            r->released->steps[r->released->count - 1].counts[k] = clamp(*values++);
    }
    return status;
}

scrim_status sc_rounds_measure(sc_rounds *r, const sc_clique *cliques, size_t count,
                               const sc_synth_step *step, scrim_error *error)
{
    size_t cells[SC_ROUNDS_TABLES], all = 0;
    int64_t *starts[SC_ROUNDS_TABLES];
    if (count < 1 || count > SC_ROUNDS_TABLES)
        return sc_fail(error, SCRIM_E_INTERNAL, "too many marginals for one draw");
    for (size_t i = 0; i < count; i++) {
        cells[i] = (size_t)sc_clique_cells(sc_records_columns(r->records), cliques[i]);
        all += cells[i];
    }
    int64_t *counts = sc_allocate(all, sizeof *counts);
    sc_int128 *values = sc_allocate(all, sizeof *values);
    scrim_status status = counts == NULL || values == NULL
                              ? sc_no_memory(error, "a synthetic release")
                              : SCRIM_OK;
    if (status == SCRIM_OK) {
        starts[0] = counts;
        for (size_t i = 1; i < count; i++)
            starts[i] = starts[i - 1] + cells[i - 1];
        sc_records_count(r->records, cliques, count, starts);
        status = draw_marginals(r, cells, count, step,
                                &(sc_private_input){.values = counts, .count = all},
                                values, error);
    }
    if (status == SCRIM_OK)
        status = keep_steps(r, cliques, cells, count, step, values, error);
    sc_free(values);
    sc_free_wiped(counts, all * sizeof *counts);
    return status;
}

scrim_status sc_rounds_measure_query(sc_rounds *r, const sc_linear_query *query,
                                     uint64_t move, const sc_synth_step *step,
                                     scrim_error *error)
{
    SC_OWN(numbers, n);
    sc_int128 value = 0;
    /* below 2^40 rows of 2^20: within 64 bits */
    int64_t sum = (int64_t)sc_records_query(r->records, query);
    sc_ratio_set_int128(&n.move, (sc_int128)move);
    set_cost(step, move, (sc_uint128)move * move, &n.cost);
    const sc_argument arguments[] = {
        {.name = "sensitivity", .values = &n.move},
        {.name = cost_name(step), .values = &n.cost},
        {.name = "neighbours", .word = scrim_neighbours_name(r->unit.neighbours)}};
    scrim_status status = sc_rounds_draw(
        r, step->noise == SC_SYNTH_GAUSSIAN ? &sc_gaussian_noise : &sc_laplace, arguments,
        sizeof arguments / sizeof *arguments,
        &(sc_private_input){.values = &sum, .count = 1},
        (sc_draw){.values = &value, .capacity = 1}, error);
    sc_wipe(&sum, sizeof sum);
    sc_synth_step kept = *step;
    int64_t count = clamp(value);
    kept.is_query = true;
    kept.cells = 1;
    kept.counts = &count;
    return status == SCRIM_OK ? sc_synth_released_add(r->released, &kept, error) : status;
}

int64_t sc_rounds_distance(const int64_t *x, const int64_t *m, size_t cells)
{
    int64_t sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += x[i] > m[i] ? x[i] - m[i] : m[i] - x[i];
    return sum;
}
