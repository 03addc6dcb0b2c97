#include "solve/shadow.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* A guard against endless searches: polygons that can be drawn have far fewer corners. */
#define CORNERS 100000

typedef struct search {
    sc_solid *solid;
    sc_shadow *shadow;
    size_t first, second;
    double *direction, *vertex;
    double near; /* corners nearer than this are one */
} search;

void sc_shadow_clear(sc_shadow *shadow)
{
    sc_free(shadow->corners);
    *shadow = (sc_shadow){0};
}

static scrim_status find_corner(search *s, double x, double y, double *corner,
                                scrim_error *error)
{
    const double length = hypot(x, y);
    double value;
    s->direction[s->first] = x / length;
    if (s->second < s->solid->dimension)
        s->direction[s->second] = y / length;
    const scrim_status status =
        sc_solid_support(s->solid, s->direction, &value, s->vertex, error);
    corner[0] = s->vertex[s->first];
    corner[1] = s->second < s->solid->dimension ? s->vertex[s->second] : 0;
    return status;
}

static double distance(const double *a, const double *b)
{
    return hypot(a[0] - b[0], a[1] - b[1]);
}

static scrim_status add(search *s, const double *corner, scrim_error *error)
{
    sc_shadow *shadow = s->shadow;
    if (shadow->count > 0 &&
        (distance(shadow->corners + 2 * (shadow->count - 1), corner) <= s->near ||
         distance(shadow->corners, corner) <= s->near))
        return SCRIM_OK;
    if (!sc_make_room(&shadow->corners, shadow->count, &shadow->room, 2 * sizeof(double)))
        return sc_no_memory(error, "a polygon");
    memcpy(shadow->corners + 2 * shadow->count++, corner, 2 * sizeof *corner);
    return SCRIM_OK;
}

/* Adds the corners after `from` and before `to`, by the corner farthest out between them and then on either side of
 * it. */
static scrim_status between(search *s, const double *from, const double *to,
                            unsigned depth, scrim_error *error)
{
    const double x = to[1] - from[1], y = from[0] - to[0], length = hypot(x, y);
    double corner[2];
    if (length <= s->near || depth == 0 || s->shadow->count >= CORNERS)
        return SCRIM_OK;
    scrim_status status = find_corner(s, x, y, corner, error);
    if (status != SCRIM_OK ||
        ((corner[0] - from[0]) * x + (corner[1] - from[1]) * y) / length <= s->near)
        return status;
    status = between(s, from, corner, depth - 1, error);
    if (status == SCRIM_OK)
        status = add(s, corner, error);
    return status == SCRIM_OK ? between(s, corner, to, depth - 1, error) : status;
}

static scrim_status go_round(search *s, scrim_error *error)
{
    static const double ways[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const unsigned count = s->second < s->solid->dimension ? 4 : 2;
    double corners[4][2];
    scrim_status status = SCRIM_OK;
    for (unsigned i = 0; status == SCRIM_OK && i < count; i++)
        status = find_corner(s, ways[count == 4 ? i : 2 * i][0],
                             ways[count == 4 ? i : 2 * i][1], corners[i], error);
    for (unsigned i = 0; status == SCRIM_OK && i < count; i++) {
        status = add(s, corners[i], error);
        if (status == SCRIM_OK && count == 4)
            status = between(s, corners[i], corners[(i + 1) % 4], 64, error);
    }
    return status;
}

scrim_status sc_shadow_find(sc_solid *solid, size_t first, size_t second, sc_shadow *out,
                            scrim_error *error)
{
    search s = {.solid = solid, .shadow = out, .first = first, .second = second};
    *out = (sc_shadow){0};
    s.near = 1e-9 * solid->side;
    s.direction = sc_allocate(2 * solid->dimension, sizeof *s.direction);
    if (s.direction == NULL)
        return sc_no_memory(error, "a polygon");
    s.vertex = s.direction + solid->dimension;
    const scrim_status status = go_round(&s, error);
    sc_free(s.direction);
    if (status != SCRIM_OK)
        sc_shadow_clear(out);
    return status;
}

double sc_polygon_area(const double *corners, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double *a = corners + 2 * i, *b = corners + 2 * ((i + 1) % count);
        sum += (a[0] - corners[0]) * (b[1] - corners[1]) -
               (b[0] - corners[0]) * (a[1] - corners[1]);
    }
    return sum / 2;
}

void sc_polygon_steiner(const double *corners, size_t count, double *point)
{
    const double whole = 2 * acos(-1);
    double sum[2] = {0, 0};
    for (size_t i = 0; count > 1 && i < count; i++) {
        const double *before = corners + 2 * ((i + count - 1) % count),
                     *own = corners + 2 * i, *after = corners + 2 * ((i + 1) % count);
        const double ux = own[0] - before[0], uy = own[1] - before[1];
        const double wx = after[0] - own[0], wy = after[1] - own[1];
        const double angle = fabs(atan2(ux * wy - uy * wx, ux * wx + uy * wy));
        sum[0] += angle / whole * (own[0] - corners[0]);
        sum[1] += angle / whole * (own[1] - corners[1]);
    }
    point[0] = corners[0] + sum[0];
    point[1] = corners[1] + sum[1];
}
