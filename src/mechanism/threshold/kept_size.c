#include "mechanism/threshold/kept_size.h"

#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/partition_selection.h"
#include "mechanism/threshold/stabilise.h"
#include "mechanism/threshold/threshold_weighted.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/domain.h"
#include "scrim/threshold.h"

#include <stdio.h>
#include <string.h>

static bool by_noise(const scrim_measurement *m, const sc_ratio *p, uint64_t *units)
{
    sc_int128 found = 0;
    if ((sc_ratio_compare_int64(p, 1) == 0 &&
         !sc_noisy_threshold_is_bounded(sc_noisy_threshold_of(m))) ||
        sc_noisy_threshold_units(m, p, &found, NULL) != SCRIM_OK ||
        found > (sc_int128)UINT64_MAX)
        return false;
    *units = (uint64_t)found;
    return true;
}

bool sc_threshold_kept_size(const scrim_measurement *m, const sc_ratio *p,
                            uint64_t *units)
{
    if (sc_ratio_sign(p) <= 0 || sc_ratio_compare_int64(p, 1) > 0)
        return false;
    if (m->mechanism == &sc_partition_selection) {
        *units = sc_partition_units(m, p);
        return true;
    }
    /* All mechanisms with this distribution have a state that begins with its noise. Weights are not counted in units. */
    return ((m->mechanism->law == sc_noisy_threshold_law &&
             m->mechanism != &sc_threshold_weighted) ||
            m->mechanism == &sc_stabilise) &&
           by_noise(m, p, units);
}

scrim_status scrim_group_size(const scrim_measurement *m, const char *p, uint64_t *units,
                              scrim_error *error)
{
    SC_REQUIRE(error, "measurement p units", m, p, units);
    uint64_t found = 0;
    SC_OWN(sc_ratio, probability);
    scrim_status status = sc_ratio_parse(sc_text_of(p), &probability, error);
    SC_BALL_SCOPE(scope);
    if (status == SCRIM_OK && !sc_threshold_kept_size(m, &probability, &found))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "p",
                             "%s keeps no group with that probability; p must be above 0 "
                             "and below 1, or 1 where a group can be certain",
                             m->mechanism->entry.name);
    if (status == SCRIM_OK)
        *units = found;
    return status;
}

void sc_least_steps(const sc_ratio *epsilon, const sc_ratio *delta, const sc_ratio *p,
                    long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, times);
    SC_OWN(sc_ball, part);
    sc_ratio_div(&times, p, delta);
    sc_ball_set_ratio(&part, epsilon, bits);
    sc_ball_expm1(out, &part, bits);
    sc_ball_set_ratio(&part, &times, bits);
    sc_ball_mul(out, out, &part, bits);
    sc_ball_log1p(out, out, bits);
    sc_ball_set_ratio(&part, epsilon, bits);
    sc_ball_div(out, out, &part, bits);
}

/* The next integer above a number of steps. The number is never an integer itself, since e to a
 * rational solves no equation with rational coefficients. False if the ball is too wide to tell. */
static bool next_whole(const sc_ball *x, uint64_t *out)
{
    SC_OWN(sc_integer, whole);
    const bool is_known = sc_ball_floor(x, &whole) && sc_integer_get_uint64(&whole, out);
    *out += is_known;
    return is_known;
}

/* The turn, where the other direction begins to bind (t in the header): its number of steps, and the probability after them. */
static bool find_turn(const sc_ratio *epsilon, const sc_ratio *delta, long bits,
                      uint64_t *steps, sc_ball *p)
{
    SC_OWN(sc_ball, grown, top, below, e);
    sc_ball_set_ratio(&e, epsilon, bits);
    sc_ball_expm1(&grown, &e, bits);
    sc_ball_set_ratio(&below, delta, bits);
    sc_ball_add(&top, &below, &below, bits);
    sc_ball_add(&top, &top, &grown, bits); /* e^epsilon - 1 + 2 delta */
    sc_ball_add_int64(p, &grown, 2, bits);
    sc_ball_mul(&below, &below, p, bits); /* (e^epsilon + 1) delta */
    sc_ball_div(&top, &top, &below, bits);
    sc_ball_log(&top, &top, bits);
    sc_ball_div(&top, &top, &e, bits);
    if (!next_whole(&top, steps))
        return false;
    sc_ball_set_int128(p, (sc_int128)*steps);
    sc_ball_mul(p, p, &e, bits);
    sc_ball_expm1(p, p, bits);
    sc_ball_div(p, p, &grown, bits);
    sc_ball_set_ratio(&top, delta, bits);
    sc_ball_mul(p, p, &top, bits);
    return true;
}

/* Steps from the turn on: ln((1 + c - turn) / (1 + c - p)) / epsilon, c = delta / (e^epsilon - 1). */
static void steps_beyond(const sc_ratio *epsilon, const sc_ratio *delta,
                         const sc_ball *turn, const sc_ball *p, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, whole, part);
    sc_ball_set_ratio(&part, epsilon, bits);
    sc_ball_expm1(&part, &part, bits);
    sc_ball_set_ratio(&whole, delta, bits);
    sc_ball_div(&whole, &whole, &part, bits);
    sc_ball_add_int64(&whole, &whole, 1, bits);
    sc_ball_sub(out, &whole, turn, bits);
    sc_ball_sub(&part, &whole, p, bits);
    sc_ball_div(out, out, &part, bits);
    sc_ball_log(out, out, bits);
    sc_ball_set_ratio(&part, epsilon, bits);
    sc_ball_div(out, out, &part, bits);
}

/* The least number of steps, by the constraint that binds. */
static bool find_steps(const sc_ratio *epsilon, const sc_ratio *delta, const sc_ratio *p,
                       long bits, uint64_t *out)
{
    uint64_t first = 0, more = 0;
    SC_OWN(sc_ball, turn, wanted, x);
    sc_ball_set_ratio(&wanted, p, bits);
    if (!find_turn(epsilon, delta, bits, &first, &turn))
        return false;
    if (sc_ball_is_less(&wanted, &turn)) {
        sc_least_steps(epsilon, delta, p, bits, &x);
        return next_whole(&x, out);
    }
    steps_beyond(epsilon, delta, &turn, &wanted, bits, &x);
    const bool is_known = sc_ball_is_less(&turn, &wanted) && next_whole(&x, &more) &&
                          more <= UINT64_MAX - first;
    if (is_known)
        *out = first + more;
    return is_known;
}

static bool steps_of(const sc_ratio *epsilon, const sc_ratio *delta, const sc_ratio *p,
                     uint64_t *out)
{
    bool is_known = false;
    for (long bits = 256; !is_known && bits <= 16384; bits *= 4)
        is_known = find_steps(epsilon, delta, p, bits, out);
    return is_known;
}

bool sc_least_size(const sc_ratio *epsilon, const sc_ratio *delta, uint64_t sensitivity,
                   const sc_ratio *p, uint64_t *units)
{
    uint64_t steps = 1;
    if (sc_ratio_compare(p, delta) > 0 && !steps_of(epsilon, delta, p, &steps))
        return false;
    const sc_uint128 size = (sc_uint128)(steps - 1) * sensitivity + 1;
    if (size >> 63 != 0)
        return false;
    *units = (uint64_t)size;
    return true;
}

static scrim_status fail_domain(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "",
                       "epsilon must be above 0 and at most 1000; delta above 0 and less "
                       "than 1; p above 0 "
                       "and at most 1; sensitivity an integer from 1 to 1099511627776");
}

static bool is_inside(const sc_ratio values[4])
{
    const sc_ratio *epsilon = &values[0], *delta = &values[1], *p = &values[3];
    return sc_ratio_sign(epsilon) > 0 && sc_ratio_compare_int64(epsilon, 1000) <= 0 &&
           sc_ratio_sign(delta) > 0 && sc_ratio_compare_int64(delta, 1) < 0 &&
           sc_ratio_sign(p) > 0 && sc_ratio_compare_int64(p, 1) <= 0 &&
           sc_ratio_is_integer(&values[2]) && sc_ratio_sign(&values[2]) > 0 &&
           sc_ratio_compare_int64(&values[2], (int64_t)1 << 40) <= 0;
}

scrim_status scrim_group_size_lower(const char *epsilon, const char *delta,
                                    const char *sensitivity, const char *p,
                                    uint64_t *units, scrim_error *error)
{
    SC_REQUIRE(error, "epsilon delta sensitivity p units", epsilon, delta, sensitivity, p,
               units);
    const char *const texts[4] = {epsilon, delta, sensitivity, p};
    sc_ratio values[4];
    uint64_t step = 1, found = 0;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_integer, whole);
    SC_BALL_SCOPE(scope);
    for (size_t i = 0; i < 4; i++)
        sc_ratio_init(&values[i]);
    for (size_t i = 0; status == SCRIM_OK && i < 4; i++)
        status = texts[i] == NULL
                     ? fail_domain(error)
                     : sc_ratio_parse(sc_text_of(texts[i]), &values[i], error);
    if (status == SCRIM_OK && !is_inside(values))
        status = fail_domain(error);
    if (status == SCRIM_OK) {
        sc_ratio_numerator(&values[2], &whole);
        if (!sc_integer_get_uint64(&whole, &step) ||
            !sc_least_size(&values[0], &values[1], step, &values[3], &found))
            status = sc_fail(error, SCRIM_E_LIMIT,
                             "such a group would have 9.2e18 units or more");
    }
    if (status == SCRIM_OK)
        *units = found;
    for (size_t i = 0; i < 4; i++)
        sc_ratio_clear(&values[i]);
    return status;
}

#define BITS 256

static const char *const family[] = {"partition-selection", "threshold-laplace",
                                     "threshold-truncated", "threshold-gaussian"};
#define FAMILY (sizeof family / sizeof *family)
_Static_assert(FAMILY <= SCRIM_SIZES_ROWS, "there is a row for each");

/* The probabilities that are asked for, as numbers. */
typedef struct question {
    sc_ratio half, likely, one;
} question;

static void question_init(question *q)
{
    sc_ratio_init(&q->half);
    sc_ratio_init(&q->likely);
    sc_ratio_init(&q->one);
    sc_ratio_set_int64(&q->one, 1);
    sc_ratio_set_int64(&q->half, 2);
    sc_ratio_div(&q->half, &q->one, &q->half);
}

static void question_clear(question *q)
{
    sc_ratio_clear(&q->one);
    sc_ratio_clear(&q->likely);
    sc_ratio_clear(&q->half);
}

static scrim_status read_confidence(question *q, const char *text, char *shown,
                                    scrim_error *error)
{
    scrim_status status =
        sc_ratio_parse(sc_text_of(text == NULL ? "0.95" : text), &q->likely, error);
    if (status == SCRIM_OK &&
        (sc_ratio_sign(&q->likely) <= 0 || sc_ratio_compare_int64(&q->likely, 1) >= 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                             "confidence must be above 0 and below 1");
    if (status == SCRIM_OK &&
        sc_ratio_format(&q->likely, shown, SCRIM_NUMBER_BYTES) >= SCRIM_NUMBER_BYTES)
        status = sc_fail(error, SCRIM_E_LIMIT, "confidence has too many digits");
    return status;
}

/* Rows. */

static uint64_t size_of(const scrim_measurement *m, const sc_ratio *p)
{
    uint64_t units = 0;
    return sc_threshold_kept_size(m, p, &units) ? units : 0;
}

static void fill_row(const scrim_measurement *m, const question *q, scrim_sizes_row *out)
{
    SC_OWN(sc_ball, delta);
    out->is_possible = true;
    out->kept = (scrim_group_sizes){.half = size_of(m, &q->half),
                                    .likely = size_of(m, &q->likely),
                                    .certain = size_of(m, &q->one)};
    sc_curve_delta_upper(&m->cost.curve, &m->cost.epsilon, BITS, &delta);
    out->delta_upper = sc_ball_upper(&delta);
    out->has_threshold = scrim_threshold_describe(m, &out->facts, NULL) == SCRIM_OK;
}

static bool is_on_groups(const scrim_measurement *m)
{
    bool found = m->mechanism == &sc_stabilise;
    for (size_t i = 0; i < FAMILY; i++)
        found = found || strcmp(m->mechanism->entry.name, family[i]) == 0;
    return found;
}

/* Adds the other mechanisms that take the same parameters. One whose limits they exceed still gets a row. */
static scrim_status add_others(const char *name, const char *rest, const question *q,
                               scrim_sizes_report *out, scrim_error *error)
{
    for (size_t i = 0; i < FAMILY; i++) {
        char line[SCRIM_SIZES_TEXT_BYTES + 64];
        scrim_measurement *m = NULL;
        if (strcmp(family[i], name) == 0)
            continue;
        (void)snprintf(line, sizeof line, "%s%s", family[i], rest);
        const scrim_status status = scrim_measurement_parse_model(line, &m, NULL);
        if (status == SCRIM_E_MEMORY || status == SCRIM_E_INTERNAL)
            return sc_fail(error, status, "out of memory for a measurement");
        if (status != SCRIM_OK && status != SCRIM_E_LIMIT)
            continue;
        if (out->count == SCRIM_SIZES_ROWS)
            break;
        out->rows[out->count] = (scrim_sizes_row){.name = family[i]};
        if (m != NULL)
            fill_row(m, q, &out->rows[out->count]);
        out->count++;
        scrim_measurement_free(m);
    }
    return SCRIM_OK;
}

/* Any mechanism. */

/* How much one unit changes one group, at most. */
static uint64_t reach_of(const scrim_measurement *m)
{
    static const char *const names[] = {"sensitivity", "max-total", "max-rows"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sc_measurement_get(m, names[i]) != NULL)
            return (uint64_t)sc_measurement_integer(m, names[i], 1);
    return 1;
}

/* How much one unit changes all groups together, at most. */
static uint64_t total_of(const scrim_measurement *m)
{
    const uint64_t sides = sc_measurement_neighbours(m) == SCRIM_REPLACE ? 2 : 1;
    if (m->mechanism == &sc_stabilise)
        return reach_of(m);
    if (sc_measurement_get(m, "max-total") != NULL)
        return sides * reach_of(m);
    return sc_unit_counts_changed(m) * reach_of(m);
}

static void set_least(const scrim_measurement *m, const question *q,
                      scrim_group_sizes *out)
{
    const sc_ratio *epsilon = &m->cost.epsilon, *delta = &m->cost.delta;
    const uint64_t reach = reach_of(m);
    *out = (scrim_group_sizes){0};
    (void)sc_least_size(epsilon, delta, reach, &q->half, &out->half);
    (void)sc_least_size(epsilon, delta, reach, &q->likely, &out->likely);
    (void)sc_least_size(epsilon, delta, reach, &q->one, &out->certain);
}

static scrim_status set_universe(const scrim_measurement *m, const question *q,
                                 const char *keys, scrim_sparsity *out,
                                 scrim_error *error)
{
    char texts[2][SCRIM_SIZES_TEXT_BYTES];
    SC_OWN(sc_ratio, x, total);
    sc_ratio_set_int128(&total, (sc_int128)total_of(m));
    sc_ratio_div(&x, &m->cost.epsilon, &total);
    size_t longest = sc_ratio_format(&x, texts[0], sizeof texts[0]);
    sc_ratio_sub(&x, &q->one, &q->likely);
    const size_t bytes = sc_ratio_format(&x, texts[1], sizeof texts[1]);
    longest = bytes > longest ? bytes : longest;
    if (longest >= sizeof texts[0])
        return sc_fail(error, SCRIM_E_LIMIT, "epsilon has too many digits");
    return scrim_sparsity_of(texts[0], keys, texts[1], out, error);
}

/* Both together. */

static scrim_status report(const scrim_measurement *m, const question *q,
                           const char *keys, scrim_sizes_report *out, scrim_error *error)
{
    const char *text = scrim_measurement_text(m);
    const char *rest = strchr(text, ' ');
    if (!is_on_groups(m))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "mechanism",
                           "%s is not on groups; partition-selection, threshold-laplace, "
                           "threshold-truncated, threshold-gaussian and stabilise are",
                           m->mechanism->entry.name);
    if (strlen(text) >= sizeof out->text)
        return sc_fail(error, SCRIM_E_LIMIT, "the line has too many digits");
    memcpy(out->text, text, strlen(text) + 1);
    out->count = 1;
    out->rows[0] = (scrim_sizes_row){.name = m->mechanism->entry.name};
    fill_row(m, q, &out->rows[0]);
    set_least(m, q, &out->least);
    scrim_status status = scrim_measurement_cost(m, &out->cost, error);
    if (status == SCRIM_OK)
        status =
            add_others(m->mechanism->entry.name, rest == NULL ? "" : rest, q, out, error);
    if (status == SCRIM_OK && keys != NULL) {
        status = set_universe(m, q, keys, &out->universe, error);
        out->has_universe = status == SCRIM_OK;
    }
    return status;
}

scrim_status scrim_group_sizes_of(const char *line, const char *confidence,
                                  const char *keys, scrim_sizes_report *out,
                                  scrim_error *error)
{
    SC_REQUIRE(error, "line out", line, out);
    scrim_measurement *m = NULL;
    question q;
    scrim_sizes_report found = {.count = 0};
    question_init(&q);
    scrim_status status = read_confidence(&q, confidence, found.confidence, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_parse_model(line, &m, error);
    SC_BALL_SCOPE(scope);
    if (status == SCRIM_OK)
        status = report(m, &q, keys, &found, error);
    if (status == SCRIM_OK)
        *out = found;
    scrim_measurement_free(m);
    question_clear(&q);
    return status;
}
