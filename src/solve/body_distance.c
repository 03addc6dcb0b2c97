#include "solve/body_distance.h"

#include "base/memory.h"
#include "solve/public_frame.h"
#include "solve/shadow.h"

#include <math.h>
#include <string.h>

#define CLIMB 64 /* steps at most */
#define FRAMES 16

typedef struct search {
    sc_solid *from, *to;
    size_t d;
    double *corner, *nearest, *way, *frame;
    sc_body_distance *out;
} search;

/* The distance of a corner of one body to the other, kept where it is the largest so far. */
static scrim_status look(search *s, double *distance, scrim_error *error)
{
    const scrim_status status = sc_solid_nearest(s->to, s->corner, s->nearest, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t j = 0; j < s->d; j++)
        s->way[j] = s->corner[j] - s->nearest[j];
    *distance = sc_norm(s->way, s->d);
    for (size_t j = 0; *distance > 0 && j < s->d; j++)
        s->way[j] /= *distance;
    if (*distance > s->out->lower) {
        s->out->lower = *distance;
        memcpy(s->out->direction, s->way, s->d * sizeof *s->way);
    }
    return SCRIM_OK;
}

/* From a direction to the corner there, from it along the way to the other body, until it is no farther. */
static scrim_status climb(search *s, const double *direction, scrim_error *error)
{
    double before = 0, value;
    memcpy(s->way, direction, s->d * sizeof *direction);
    for (unsigned i = 0; i < CLIMB; i++) {
        double distance = 0;
        scrim_status status = sc_solid_support(s->from, s->way, &value, s->corner, error);
        if (status == SCRIM_OK)
            status = look(s, &distance, error);
        if (status != SCRIM_OK || distance <= before * (1 + 1e-12) + 1e-15)
            return status;
        before = distance;
    }
    return SCRIM_OK;
}

/* Rows of the other body are the directions in which this one can reach beyond it. */
static scrim_status climb_all(search *s, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    const sc_half_spaces *rows = &s->to->spaces;
    for (size_t i = 0; status == SCRIM_OK && i < rows->count; i++)
        status = climb(s, rows->a + i * s->d, error);
    for (uint64_t f = 0; status == SCRIM_OK && f < FRAMES; f++) {
        sc_public_frame(s->d, f, s->frame);
        for (size_t k = 0; status == SCRIM_OK && k < s->d; k++)
            status = climb(s, s->frame + k * s->d, error);
    }
    return status;
}

static scrim_status look_at_corners(search *s, scrim_error *error)
{
    sc_shadow shadow;
    double distance;
    scrim_status status = sc_shadow_find(s->from, 0, 1, &shadow, error);
    for (size_t i = 0; status == SCRIM_OK && i < shadow.count; i++) {
        memcpy(s->corner, shadow.corners + 2 * i, s->d * sizeof *s->corner);
        status = look(s, &distance, error);
    }
    if (status == SCRIM_OK)
        sc_shadow_clear(&shadow);
    return status;
}

/* No point of to is farther from c: its extent along each axis. */
static scrim_status radius_about(search *s, const double *c, double *out,
                                 scrim_error *error)
{
    double sum = 0;
    scrim_status status = SCRIM_OK;
    memset(s->way, 0, s->d * sizeof *s->way);
    for (size_t j = 0; status == SCRIM_OK && j < s->d; j++) {
        double front = 0, back = 0;
        s->way[j] = 1;
        status = sc_solid_support(s->to, s->way, &front, NULL, error);
        s->way[j] = -1;
        if (status == SCRIM_OK)
            status = sc_solid_support(s->to, s->way, &back, NULL, error);
        s->way[j] = 0;
        const double reach = fmax(front - c[j], back + c[j]);
        sum += reach * reach;
    }
    *out = sqrt(sum);
    return status;
}

static scrim_status bound(search *s, double *out, scrim_error *error)
{
    const double *c = s->to->centre;
    const sc_half_spaces *rows = &s->to->spaces;
    double beyond = 0, least = (double)INFINITY, radius = 0;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < rows->count; i++) {
        double value = 0;
        status = sc_solid_support(s->from, rows->a + i * s->d, &value, NULL, error);
        beyond = fmax(beyond, value - rows->b[i]);
        least = fmin(least, rows->b[i] - sc_dot(rows->a + i * s->d, c, s->d));
    }
    if (status == SCRIM_OK)
        status = radius_about(s, c, &radius, error);
    *out = fmax(*out, beyond / least * radius);
    return status;
}

static scrim_status both_ways(search *s, sc_solid *first, sc_solid *second,
                              scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (unsigned way = 0; status == SCRIM_OK && way < 2; way++) {
        s->from = way == 0 ? first : second;
        s->to = way == 0 ? second : first;
        if (s->d <= 2) {
            status = look_at_corners(s, error);
        } else {
            status = climb_all(s, error);
            if (status == SCRIM_OK)
                status = bound(s, &s->out->upper, error);
        }
    }
    s->out->upper = s->d <= 2 ? s->out->lower : fmax(s->out->upper, s->out->lower);
    return status;
}

scrim_status sc_body_distance_find(sc_solid *first, sc_solid *second,
                                   sc_body_distance *out, scrim_error *error)
{
    const size_t d = first->dimension;
    double *work = sc_allocate(d * d + 3 * d, sizeof *work);
    if (work == NULL)
        return sc_no_memory(error, "a distance");
    search s = {.d = d, .corner = work, .nearest = work + d, .out = out};
    s.way = work + 2 * d;
    s.frame = work + 3 * d;
    out->lower = out->upper = 0;
    memset(out->direction, 0, d * sizeof *out->direction);
    const scrim_status status = both_ways(&s, first, second, error);
    sc_free(work);
    return status;
}
