#include "base/memory.h"
#include "base/number/ball_double.h"
#include "random/bits_system.h"
#include "solve/body.h"
#include "solve/body_distance.h"
#include "solve/body_volume.h"
#include "solve/objective.h"
#include "solve/solid_handle.h"

#include <math.h>
#include <string.h>

/* By how many ranks a unit can move a quantile: a row by max(q, 1 - q) if it comes or goes, by 1 if it is exchanged. */
static double ranks_of_unit(const scrim_body *body)
{
    const double q = sc_ball_near(&body->q), rows = (double)body->max_rows;
    const bool comes = strcmp(body->texts[SC_BODY_NEIGHBOURS], "add-remove") == 0;
    return (rows > 1 ? rows : 1) * (comes ? fmax(q, 1 - q) : 1);
}

double scrim_body_rank_error(const scrim_body *body, double beta)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < body->row_count; i++)
        cells = body->rows[i].cells > cells ? body->rows[i].cells : cells;
    if (sc_ratio_sign(&body->epsilon_each) <= 0 || !(beta > 0 && beta < 1))
        return (double)INFINITY;
    return ranks_of_unit(body) * sc_body_rank_error(sc_ball_near(&body->epsilon_each),
                                                    (double)cells, body->row_count, beta);
}

scrim_status scrim_solid_new(const scrim_body *body, scrim_solid **out,
                             scrim_error *error)
{
    SC_REQUIRE(error, "body out", body, out);
    scrim_solid *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a body");
    s->body = body;
    const scrim_status status = sc_solid_new(body, &s->solid, error);
    if (status == SCRIM_OK)
        *out = s;
    else
        scrim_solid_free(s);
    return status;
}

void scrim_solid_free(scrim_solid *s)
{
    if (s == NULL)
        return;
    sc_solid_free(s->solid);
    sc_shadow_clear(&s->shadow);
    sc_free(s);
}

void scrim_solid_describe(const scrim_solid *s, scrim_solid_facts *out)
{
    *out = (scrim_solid_facts){s->solid->side, s->solid->radius, s->solid->inflation};
}

scrim_status scrim_solid_redundant(scrim_solid *s, unsigned char *is_redundant,
                                   scrim_error *error)
{
    SC_REQUIRE(error, "solid is-redundant", s, is_redundant);
    return sc_solid_redundant(s->solid, is_redundant, error);
}

scrim_status scrim_solid_center(scrim_solid *s, const char *method, double *x,
                                scrim_center *out, scrim_error *error)
{
    SC_REQUIRE(error, "solid method x out", s, method, x, out);
    double v[SCRIM_BODY_DIMENSIONS];
    sc_body_centre centre = {.v = v};
    const bool is_steiner = strcmp(method, "steiner") == 0;
    scrim_status status = SCRIM_OK;
    if (strcmp(method, "frame") == 0)
        status = sc_centre_frame(s->solid, v, error);
    else if (is_steiner)
        status = sc_centre_steiner(s->solid, 1e-4, &centre, error);
    else if (strcmp(method, "chebyshev") == 0)
        memcpy(v, s->solid->centre, s->solid->dimension * sizeof *v);
    else
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "method",
                             "unknown centre; use frame, steiner or chebyshev");
    if (status != SCRIM_OK)
        return status;
    sc_solid_columns(s->solid, v, x);
    *out = (scrim_center){centre.standard_error, centre.frames,
                          is_steiner ? sc_steiner_lipschitz(s->solid->dimension) : 0};
    return SCRIM_OK;
}

scrim_status scrim_solid_project(scrim_solid *s, const double *x, double *y,
                                 scrim_projection *out, scrim_error *error)
{
    SC_REQUIRE(error, "solid x y out", s, x, y, out);
    double v[SCRIM_BODY_DIMENSIONS], w[SCRIM_BODY_DIMENSIONS], sum = 0;
    const sc_nearest_point *nearest = s->solid->nearest;
    sc_solid_place(s->solid, x, v);
    const scrim_status status = sc_solid_nearest(s->solid, v, w, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t j = 0; j < s->solid->dimension; j++)
        sum += (v[j] - w[j]) * (v[j] - w[j]);
    sc_solid_columns(s->solid, w, y);
    *out = (scrim_projection){sqrt(sum), sc_nearest_point_active_count(nearest),
                              sc_nearest_point_active(nearest),
                              sc_nearest_point_multipliers(nearest)};
    return SCRIM_OK;
}

double scrim_solid_excess(const scrim_solid *s, const double *x, size_t *direction)
{
    double v[SCRIM_BODY_DIMENSIONS];
    sc_solid_place(s->solid, x, v);
    return sc_solid_excess(s->solid, v, direction);
}

scrim_status scrim_solid_support(scrim_solid *s, const double *normal, double *value,
                                 double *x, scrim_error *error)
{
    SC_REQUIRE(error, "solid normal", s, normal);
    const size_t d = s->solid->dimension;
    double direction[SCRIM_BODY_DIMENSIONS], v[SCRIM_BODY_DIMENSIONS];
    for (size_t j = 0; j < d; j++)
        direction[j] = normal[j] * s->solid->scale[j];
    const scrim_status status = sc_solid_support(s->solid, direction, value, v, error);
    if (status != SCRIM_OK)
        return status;
    sc_solid_columns(s->solid, v, x);
    *value = sc_dot(normal, x, d);
    return SCRIM_OK;
}

scrim_status scrim_solid_minimise(scrim_solid *s, const char *text, double tolerance,
                                  double *x, scrim_minimum *out, scrim_error *error)
{
    SC_REQUIRE(error, "solid objective out", s, text, out);
    double v[SCRIM_BODY_DIMENSIONS];
    sc_objective *objective = NULL;
    sc_convex_minimum minimum = {0};
    scrim_status status = sc_objective_parse(s->body, text, &objective, error);
    if (status != SCRIM_OK)
        return status;
    const sc_convex_function f = sc_objective_function(objective, s->solid);
    status = sc_convex_minimise(&s->solid->spaces, s->solid->centre, &f,
                                tolerance > 0 ? tolerance : 1e-6, v, &minimum, error);
    if (status == SCRIM_OK) {
        sc_solid_columns(s->solid, v, x);
        *out = (scrim_minimum){minimum.value, minimum.gap, minimum.steps};
    }
    sc_objective_free(objective);
    return status;
}

scrim_status scrim_solid_volume(scrim_solid *s, scrim_volume *out, scrim_error *error)
{
    SC_REQUIRE(error, "solid out", s, out);
    sc_body_volume volume = {0};
    sc_bits *own = NULL;
    scrim_status status = s->tape == NULL ? sc_bits_system_open(&own, error) : SCRIM_OK;
    if (status == SCRIM_OK)
        status = sc_body_volume_find(s->solid, s->tape == NULL ? own : s->tape, 0,
                                     &volume, error);
    if (own != NULL)
        sc_bits_system_close(own);
    if (status == SCRIM_OK)
        *out = (scrim_volume){volume.share, volume.volume, volume.standard_error};
    return status;
}

/* The same columns, bounds and scales? */
static bool are_alike(const sc_body *a, const sc_body *b)
{
    if (a->dimension != b->dimension)
        return false;
    for (size_t j = 0; j < a->dimension; j++)
        if (strcmp(a->columns[j].name, b->columns[j].name) != 0 ||
            sc_ratio_compare(&a->columns[j].low, &b->columns[j].low) != 0 ||
            sc_ratio_compare(&a->columns[j].high, &b->columns[j].high) != 0 ||
            sc_ratio_compare(&a->columns[j].scale, &b->columns[j].scale) != 0)
            return false;
    return true;
}

scrim_status scrim_solid_compare(scrim_solid *first, scrim_solid *second,
                                 double *direction, scrim_solid_gap *out,
                                 scrim_error *error)
{
    SC_REQUIRE(error, "first second out", first, second, out);
    double way[SCRIM_BODY_DIMENSIONS];
    sc_body_distance distance = {.direction = way};
    if (!are_alike(first->body, second->body))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "body",
                           "the bodies have different columns, bounds or scales");
    const scrim_status status =
        sc_body_distance_find(first->solid, second->solid, &distance, error);
    if (status != SCRIM_OK)
        return status;
    memcpy(direction, way, first->solid->dimension * sizeof *way);
    *out = (scrim_solid_gap){distance.lower, distance.upper};
    return SCRIM_OK;
}

scrim_status scrim_solid_shadow(scrim_solid *s, size_t first, size_t second,
                                const double **corners, size_t *count, scrim_error *error)
{
    SC_REQUIRE(error, "solid", s);
    const size_t d = s->solid->dimension, beside = d == 1 ? 2 : d;
    sc_shadow shadow;
    if (first >= d || second >= beside || first == second)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                           "a shadow has two columns of the body");
    const scrim_status status = sc_shadow_find(s->solid, first, second, &shadow, error);
    if (status != SCRIM_OK)
        return status;
    sc_shadow_clear(&s->shadow);
    s->shadow = shadow;
    for (size_t i = 0; i < shadow.count; i++) {
        double v[SCRIM_BODY_DIMENSIONS] = {0}, x[SCRIM_BODY_DIMENSIONS];
        double *corner = shadow.corners + 2 * i;
        v[first] = corner[0];
        if (second < d)
            v[second] = corner[1];
        sc_solid_columns(s->solid, v, x);
        corner[0] = x[first];
        corner[1] = second < d ? x[second] : 0;
    }
    *corners = shadow.corners;
    *count = shadow.count;
    return SCRIM_OK;
}

scrim_status scrim_admissible_find(const scrim_admissible_options *options,
                                   scrim_admissible *out, scrim_error *error)
{
    SC_REQUIRE(error, "options out", options, out);
    sc_admissible law;
    if (options->size < sizeof *options)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "size",
                           "the options have no size");
    const sc_admissible_plan plan = {.epsilon_each = options->epsilon_each,
                                     .cells =
                                         options->cells > 0 ? options->cells : 0x1p20,
                                     .beta = options->beta > 0 ? options->beta : 0.05,
                                     .directions = options->directions};
    if (!(plan.epsilon_each > 0) || plan.directions < 1 || !(plan.beta < 1) ||
        !(options->error >= 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                           "epsilon and the number of directions must be above 0");
    const scrim_status status =
        options->stable > 0
            ? sc_admissible_stable(options->stable, options->q, &law, error)
            : sc_admissible_find(options->q, &law, error);
    if (status != SCRIM_OK)
        return status;
    *out = (scrim_admissible){.inner = law.inner,
                              .outer = law.outer,
                              .reach = law.reach,
                              .density = law.density,
                              .units = sc_admissible_units(&law, &plan, 0),
                              .units_error =
                                  sc_admissible_units(&law, &plan, options->error)};
    return SCRIM_OK;
}
