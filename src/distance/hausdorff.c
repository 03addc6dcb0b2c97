#include "distance/hausdorff.h"

/* On the line the nearest of y moves to the right as x does. */
static int64_t furthest_on_line(const sc_masses *x, const sc_masses *y)
{
    int64_t furthest = 0;
    size_t j = 0;
    for (size_t i = 0; i < x->count; i++) {
        const int64_t place = x->list[i].place;
        while (j + 1 < y->count && y->list[j + 1].place <= place)
            j++;
        int64_t nearest = place - y->list[j].place;
        if (nearest < 0)
            nearest = -nearest;
        if (j + 1 < y->count && y->list[j + 1].place - place < nearest)
            nearest = y->list[j + 1].place - place;
        furthest = nearest > furthest ? nearest : furthest;
    }
    return furthest;
}

/* is_back: distances go from y to x. */
static int64_t furthest_in(const sc_masses *x, const sc_masses *y,
                           const sc_ground *ground, bool is_back)
{
    int64_t furthest = 0;
    for (size_t i = 0; i < x->count; i++) {
        int64_t nearest = SC_GROUND_NONE;
        for (size_t j = 0; j < y->count; j++) {
            const int64_t a = is_back ? y->list[j].place : x->list[i].place;
            const int64_t b = is_back ? x->list[i].place : y->list[j].place;
            const int64_t there = ground->between(ground->context, a, b);
            nearest = there < nearest ? there : nearest;
        }
        furthest = nearest > furthest ? nearest : furthest;
    }
    return furthest;
}

scrim_status sc_hausdorff(const sc_masses *x, const sc_masses *y, const sc_ground *ground,
                          sc_span *out, scrim_error *error)
{
    if (x->count == 0 || y->count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "input",
                           "hausdorff needs sets that are not empty");
    const int64_t there =
        ground == NULL ? furthest_on_line(x, y) : furthest_in(x, y, ground, false);
    const int64_t back =
        ground == NULL ? furthest_on_line(y, x) : furthest_in(y, x, ground, true);
    const int64_t most = there > back ? there : back;
    *out = (sc_span){.is_infinite = most == SC_GROUND_NONE,
                     .value = most == SC_GROUND_NONE ? 0 : (uint64_t)most};
    return SCRIM_OK;
}
