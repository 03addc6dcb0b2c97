/* Planning a table of counts before there are data: both sides' errors, and what is impossible beside
 * them. */
#include "base/number/decimal.h"
#include "base/number/ratio.h"
#include "mechanism/microdata/point_first.h"
#include "mechanism/microdata/projection.h"
#include "mechanism/microdata/sum_first.h"
#include "mechanism/microdata/table_error.h"
#include "mechanism/noise/additive.h"
#include "model/at_once.h"
#include "model/domain.h"
#include "model/option_struct.h"
#include "scrim/microdata.h"

#include <stdio.h>
#include <string.h>

#define BITS 128L
#define DIGITS 15
#define PLACES 64u

/* Numbers as text. */

static bool put_upper(const sc_ball *x, char text[SCRIM_NUMBER_BYTES])
{
    char decimal[SC_DECIMAL_BYTES];
    SC_OWN(sc_ratio, bound);
    if (!sc_ball_round_up(x, PLACES, &bound))
        return false;
    sc_decimal_upper(&bound, DIGITS, decimal);
    (void)snprintf(text, SCRIM_NUMBER_BYTES, "%s", decimal);
    return true;
}

static bool put_lower(const sc_ball *x, char text[SCRIM_NUMBER_BYTES])
{
    char decimal[SC_DECIMAL_BYTES];
    SC_OWN(sc_ratio, bound, zero);
    if (!sc_ball_round_down(x, PLACES, &bound))
        return false;
    if (sc_ratio_sign(&bound) < 0)
        sc_ratio_set(&bound, &zero);
    sc_decimal_lower(&bound, DIGITS, decimal);
    (void)snprintf(text, SCRIM_NUMBER_BYTES, "%s", decimal);
    return true;
}

static scrim_status fail_number(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LIMIT,
                   "the errors of this table are too large to be written");
}

/* The question. */

typedef struct reading {
    scrim_microdata_question own;
    char max_rows[24], weight[24];
    sc_ratio beta; /* 1 - confidence */
} reading;

static scrim_status read_confidence(const char *text, sc_ratio *beta, scrim_error *error)
{
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    const scrim_status status =
        sc_ratio_parse(sc_text_of(text == NULL ? "0.95" : text), beta, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_sub(beta, &one, beta);
    if (sc_ratio_sign(beta) <= 0 || sc_ratio_compare(beta, &one) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                           "confidence must be above 0 and below 1");
    return SCRIM_OK;
}

static scrim_status read_question(const scrim_microdata_question *question, reading *r,
                                  scrim_error *error)
{
    scrim_status status =
        sc_option_struct_copy(question, offsetof(scrim_microdata_question, epsilon),
                              &r->own, sizeof r->own, error);
    if (status != SCRIM_OK)
        return status;
    if (r->own.neighbours != SCRIM_ADD_REMOVE && r->own.neighbours != SCRIM_REPLACE)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "neighbours",
            "neighbours is not set; use SCRIM_ADD_REMOVE or SCRIM_REPLACE");
    if (r->own.cells < 1 || r->own.cells > SC_PROJECTION_CELLS)
        return sc_fail_for(error, r->own.cells < 1 ? SCRIM_E_PARAM : SCRIM_E_LIMIT,
                           SCRIM_REASON_RANGE, "cells",
                           "cells must be a whole number from 1 to 134217728");
    r->own.max_rows = r->own.max_rows == 0 ? 1 : r->own.max_rows;
    r->own.weight = r->own.weight == 0 ? 1 : r->own.weight;
    (void)snprintf(r->max_rows, sizeof r->max_rows, "%llu",
                   (unsigned long long)r->own.max_rows);
    (void)snprintf(r->weight, sizeof r->weight, "%llu",
                   (unsigned long long)r->own.weight);
    return read_confidence(r->own.confidence, &r->beta, error);
}

/* point-first has no delta: it is pure with or without. */
static scrim_status make(const reading *r, const sc_mechanism *mechanism,
                         scrim_measurement **out, scrim_error *error)
{
    const scrim_parameter list[] = {
        {"neighbours", scrim_neighbours_name(r->own.neighbours)},
        {"epsilon", r->own.epsilon},
        {"rho", r->own.rho},
        {"max-rows", r->own.max_rows == 1 ? NULL : r->max_rows},
        {"weight", r->own.weight == 1 ? NULL : r->weight},
        {"delta", r->own.delta}};
    const size_t count = mechanism == &sc_sum_first ? 6 : 5;
    return sc_measurement_from_list(mechanism, list, count, out, error);
}

static void put_text(const scrim_measurement *m, char *text, size_t capacity)
{
    (void)snprintf(text, capacity, "%s", scrim_measurement_text(m));
}

/* Radii. */

static scrim_status put_radii(const scrim_measurement *m, const reading *r,
                              scrim_microdata_side *side, scrim_error *error)
{
    sc_certificate found;
    SC_OWN(sc_ratio, confidence);
    sc_ratio_set_int64(&confidence, 1);
    sc_ratio_sub(&confidence, &confidence, &r->beta);
    sc_certificate_init(&found);
    const scrim_status status =
        sc_measurement_certify(m, &confidence, (size_t)r->own.cells, &found, error);
    if (status == SCRIM_OK) {
        side->is_certain = found.form == SCRIM_CERTIFICATE_RANGE;
        sc_cost_put_upper(&found.radius, side->cell_radius);
        sc_cost_put_upper(found.has_radius_all ? &found.radius_all : &found.radius,
                          side->all_radius);
    }
    sc_certificate_clear(&found);
    return status;
}

/* The radius of the sum of point-first by Chebyshev: sqrt(mean square / beta). */
static bool put_sum_chebyshev(const sc_ball *square, const sc_ratio *beta,
                              char text[SCRIM_NUMBER_BYTES])
{
    SC_OWN(sc_ball, radius, part);
    sc_ball_set_ratio(&part, beta, BITS);
    sc_ball_div(&radius, square, &part, BITS);
    sc_ball_sqrt(&radius, &radius, BITS);
    return put_upper(&radius, text);
}

static scrim_status put_sum_radius(const sc_law *law, const sc_ratio *beta,
                                   char text[SCRIM_NUMBER_BYTES], scrim_error *error)
{
    sc_int128 radius = law->bound;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, x);
    if (law->bound == 0)
        status = sc_law_radius(law, beta, &radius, error);
    sc_ratio_set_int128(&x, radius);
    sc_cost_put_upper(&x, text);
    return status;
}

/* The roots of the errors, and the bound for what is not favoured: none under replace, which the theorem is not
 * about. */
static scrim_status put_errors(const reading *r, const scrim_measurement *m,
                               const sc_table_error *e, bool is_cell,
                               scrim_microdata_side *side, scrim_error *error)
{
    SC_OWN(sc_ball, cell, sum, lower);
    const sc_table_privacy privacy = {.epsilon = sc_measurement_get(m, "epsilon"),
                                      .delta = sc_measurement_get(m, "delta"),
                                      .rho = sc_measurement_get(m, "rho")};
    sc_ball_sqrt(&cell, &e->cell, BITS);
    sc_ball_sqrt(&sum, &e->sum, BITS);
    if (r->own.neighbours == SCRIM_ADD_REMOVE && is_cell)
        sc_cell_error_lower(&privacy, r->own.cells, &sum, BITS, &lower, NULL);
    else if (r->own.neighbours == SCRIM_ADD_REMOVE)
        sc_sum_error_lower(&privacy, r->own.cells, &cell, BITS, &lower, NULL);
    const bool is_put = put_upper(&cell, side->cell_error) &&
                        put_upper(&sum, side->sum_error) &&
                        put_lower(&lower, side->other_lower);
    return is_put ? SCRIM_OK : fail_number(error);
}

static scrim_status plan_points(const reading *r, scrim_microdata_side *side,
                                scrim_error *error)
{
    scrim_measurement *m = NULL;
    scrim_status status = make(r, &sc_point_first, &m, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_table_error, e);
    sc_point_first_error(&sc_additive_of(m)->law, r->own.cells, BITS, &e);
    put_text(m, side->text, sizeof side->text);
    status = put_radii(m, r, side, error);
    if (status == SCRIM_OK)
        status = put_errors(r, m, &e, false, side, error);
    if (status == SCRIM_OK && !put_sum_chebyshev(&e.sum, &r->beta, side->sum_radius))
        status = fail_number(error);
    scrim_measurement_free(m);
    return status;
}

static scrim_status plan_sums(const reading *r, scrim_microdata_plan *plan,
                              scrim_error *error)
{
    scrim_microdata_side *side = &plan->sums;
    scrim_measurement *m = NULL;
    scrim_status status = make(r, &sc_sum_first, &m, error);
    if (status != SCRIM_OK)
        return status;
    const sc_law *law = &sc_additive_of(m)->law;
    SC_OWN(sc_table_error, e);
    sc_sum_first_error(law, r->own.cells, BITS, &e);
    put_text(m, side->text, sizeof side->text);
    plan->bound = (uint64_t)law->bound;
    status = put_radii(m, r, side, error);
    if (status == SCRIM_OK)
        status = put_errors(r, m, &e, true, side, error);
    if (status == SCRIM_OK)
        status = put_sum_radius(law, &r->beta, side->sum_radius, error);
    scrim_measurement_free(m);
    return status;
}

scrim_status scrim_microdata_plan_find(const scrim_microdata_question *question,
                                       scrim_microdata_plan *plan, scrim_error *error)
{
    SC_REQUIRE(error, "plan", plan);
    reading r;
    scrim_microdata_plan found;
    SC_BALL_SCOPE(scope);
    memset(&found, 0, sizeof found);
    sc_ratio_init(&r.beta);
    scrim_status status = read_question(question, &r, error);
    if (status == SCRIM_OK)
        status = plan_sums(&r, &found, error);
    if (status == SCRIM_OK)
        status = plan_points(&r, &found.points, error);
    if (status == SCRIM_OK)
        *plan = found;
    sc_ratio_clear(&r.beta);
    return status;
}

/* The way back. */

typedef struct target {
    const sc_ratio *beta;
    uint64_t cells; /* that are all within the radius; 0: the sum is */
    sc_ratio radius;
    sc_ratio moved; /* 2R */
} target;

static bool is_enough(const void *context, const sc_ratio *epsilon)
{
    const target *w = context;
    sc_law law;
    sc_int128 steps = 0, one = 0;
    SC_OWN(sc_ratio, scale, found);
    sc_ratio_div(&scale, &w->moved, epsilon);
    sc_law_init(&law, &sc_discrete_laplace_law, &scale, 0);
    const scrim_status status =
        w->cells == 0 ? sc_law_radius(&law, w->beta, &steps, NULL)
                      : sc_sum_first_radii(&law, w->beta, w->cells, &one, &steps, NULL);
    sc_law_clear(&law);
    sc_ratio_set_int128(&found, steps);
    return status == SCRIM_OK && sc_ratio_compare(&found, &w->radius) <= 0;
}

static scrim_status read_target(const reading *r, const char *sum_radius,
                                const char *all_radius, target *w, scrim_error *error)
{
    if ((sum_radius == NULL) == (all_radius == NULL) || r->own.epsilon != NULL ||
        r->own.delta != NULL || r->own.rho != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "radius",
                           "give one radius, and no epsilon, delta or rho");
    const scrim_status status = sc_ratio_parse(
        sc_text_of(sum_radius != NULL ? sum_radius : all_radius), &w->radius, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_ratio_sign(&w->radius) < 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "radius",
                           "a radius must be at least 0");
    w->beta = &r->beta;
    w->cells = all_radius == NULL ? 0 : r->own.cells;
    sc_ratio_set_int128(&w->moved,
                        (sc_int128)2 * (int64_t)(r->own.max_rows * r->own.weight));
    return SCRIM_OK;
}

static scrim_status search(const target *w, char epsilon[SCRIM_NUMBER_BYTES],
                           scrim_error *error)
{
    char decimal[SC_DECIMAL_BYTES];
    SC_OWN(sc_ratio, low, high);
    if (!sc_ratio_bracket(is_enough, w, -40, 9, &low, &high))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "radius",
            "no epsilon from 1e-12 to 512 is the smallest for that radius");
    sc_ratio_bisect(is_enough, w, 40, &low, &high);
    sc_decimal_upper(&high, DIGITS, decimal);
    (void)snprintf(epsilon, SCRIM_NUMBER_BYTES, "%s", decimal);
    return SCRIM_OK;
}

scrim_status scrim_microdata_epsilon_for(const scrim_microdata_question *question,
                                         const char *sum_radius, const char *all_radius,
                                         char epsilon[SCRIM_NUMBER_BYTES],
                                         scrim_error *error)
{
    reading r;
    target w;
    SC_BALL_SCOPE(scope);
    sc_ratio_init(&r.beta);
    sc_ratio_init(&w.radius);
    sc_ratio_init(&w.moved);
    scrim_status status = read_question(question, &r, error);
    if (status == SCRIM_OK)
        status = read_target(&r, sum_radius, all_radius, &w, error);
    if (status == SCRIM_OK)
        status = search(&w, epsilon, error);
    sc_ratio_clear(&w.moved);
    sc_ratio_clear(&w.radius);
    sc_ratio_clear(&r.beta);
    return status;
}

static bool is_inside(const int64_t *noisy, size_t cells, int64_t total)
{
    bool is_in = noisy != NULL && cells >= 1 && cells <= SC_PROJECTION_CELLS &&
                 total >= 0 && total <= SC_PROJECTION_VALUE;
    for (size_t i = 0; is_in && i < cells; i++)
        is_in = noisy[i] >= -SC_PROJECTION_VALUE && noisy[i] <= SC_PROJECTION_VALUE;
    return is_in;
}

scrim_status scrim_microdata_project(const int64_t *noisy, size_t cells, int64_t total,
                                     uint64_t seed, int64_t *table, scrim_error *error)
{
    const sc_tie_order order = {.key = {.k0 = seed, .k1 = 0}, .first = 0};
    if (!is_inside(noisy, cells, total))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "noisy",
                           "a table has 1 to 134217728 cells of at most 2.3e18 in size, "
                           "and a total from 0 to 2.3e18");
    if (table != noisy)
        memcpy(table, noisy, cells * sizeof *table);
    sc_project_integer(table, cells, total, seed == 0 ? NULL : &order);
    return SCRIM_OK;
}
