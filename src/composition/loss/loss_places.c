#include "composition/loss/loss_places.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "composition/loss/loss.h"
#include "composition/loss/loss_tails.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No grid reaches further from 0 than this many points. */
#define FAR_POINT ((int64_t)1 << 60)
/* A cell of width w and mass p spreads its mass by p w^2 at most; thousands of such
 * cells are then a tenth of what cells of width 1 do anyway. */
#define CELL_SPREAD 0x1p-16
/* Up to FEW_POINTS points are all taken. From MANY_POINTS on only those beside the losses of a
 * lattice are. Between the two they are chosen as for any other pair, because ledgers hold
 * numbers that were computed so (joint.h). */
#define FEW_POINTS 4096
#define MANY_POINTS 16384
/* The part of the tail that may be lost within one cell, where the tail counts. */
#define CELL_FALL 0x1p-5

void sc_loss_places_init(sc_loss_places *places)
{
    places->at = NULL;
    places->count = 0;
    places->capacity = 0;
}

void sc_loss_places_clear(sc_loss_places *places)
{
    sc_free(places->at);
}

static bool add(sc_loss_places *places, int64_t place)
{
    if (!sc_make_room(&places->at, places->count, &places->capacity, sizeof *places->at))
        return false;
    places->at[places->count++] = place;
    return true;
}

typedef struct search {
    const sc_ratio *step;
    sc_loss_tails tails;
    sc_ball infinite;         /* of P at infinity */
    sc_ball limit, low_limit; /* of what is left out at both ends */
    int64_t low, high;
    sc_loss_work *work;
    bool is_over; /* it was not enough */
} search;

static void search_init(search *s, const sc_loss_pair *pair, const sc_ratio *step,
                        long tail, sc_loss_work *work)
{
    s->step = step;
    s->work = work;
    sc_loss_tails_init(&s->tails, pair, tail + 64);
    sc_loss_tails_prepare(&s->tails);
    s->is_over = !sc_loss_work_spend(work, sc_loss_tails_spent(&s->tails));
    sc_ball_init(&s->infinite);
    sc_ball_init(&s->limit);
    sc_ball_init(&s->low_limit);
    sc_loss_pair_infinite(pair, s->tails.bits, &s->infinite);
    sc_ball_set_int64(&s->limit, 1);
    sc_ball_mul_power2(&s->low_limit, &s->limit, -sc_loss_low_tail(tail));
    sc_ball_mul_power2(&s->limit, &s->limit, -tail);
}

static void search_clear(search *s)
{
    sc_ball_clear(&s->low_limit);
    sc_ball_clear(&s->limit);
    sc_ball_clear(&s->infinite);
    sc_loss_tails_clear(&s->tails);
}

/* P(Z > e), and P(Z <= e), Z finite; anything when there is no work left. */
static void sides_at(search *s, int64_t place, sc_ball *above, sc_ball *below)
{
    if (s->is_over || !sc_loss_work_spend(s->work, sc_loss_tails_price(&s->tails))) {
        s->is_over = true;
        return;
    }
    SC_OWN(sc_ratio, e);
    sc_ratio_set_int64(&e, place);
    sc_ratio_mul(&e, &e, s->step);
    sc_loss_tails_at(&s->tails, &e, above, below);
    sc_ball_add(below, above, &s->infinite, s->tails.bits);
    sc_ball_neg(below, below);
    sc_ball_add_int64(below, below, 1, s->tails.bits);
}

/* A place and how light what is left out there is: the root of -ln of it, about, which grows as the
 * place does where the tail is a normal one. It chooses where to look next. */
typedef struct weighed {
    int64_t place;
    double light;
} weighed;

/* Is P(Z > e) (high) or P(Z <= e) (low) certainly within its limit? */
static bool is_light(search *s, int64_t place, bool is_high, weighed *out)
{
    SC_OWN(sc_ball, above, below);
    sides_at(s, place, &above, &below);
    const sc_ball *left = is_high ? &above : &below;
    const bool light = sc_ball_is_less_equal(left, is_high ? &s->limit : &s->low_limit);
    *out = (weighed){place, sqrt(fmax(-log(fmax(sc_ball_upper(left), 0)), 0))};
    return light;
}

/* Where a straight line between the two reaches the limit, or the middle; strictly between. */
static int64_t between(const weighed *light, const weighed *heavy, double limit,
                       bool by_line)
{
    const int64_t extent = light->place - heavy->place;
    const double part = (limit - heavy->light) / (light->light - heavy->light);
    if (!by_line || !(part > 0 && part < 1))
        return heavy->place + extent / 2;
    int64_t by = (int64_t)((double)extent * part);
    const int64_t most = extent > 0 ? extent - 1 : extent + 1;
    if (by == 0)
        by = extent > 0 ? 1 : -1;
    return heavy->place + (by == extent ? most : by);
}

/* is_light changes between the two places; the light one is brought next to the other: by straight lines, a hair to the
 * side that was not met last, and every third time by halves. */
static int64_t turn(search *s, weighed light, weighed heavy, bool is_high)
{
    const double limit = sqrt(-log(sc_ball_upper(is_high ? &s->limit : &s->low_limit)));
    bool was_light = false;
    for (int i = 1; light.place - heavy.place > 1 || heavy.place - light.place > 1; i++) {
        const double hair = (was_light ? -1e-3 : 1e-3) * i;
        weighed next;
        was_light = is_light(s, between(&light, &heavy, limit * (1 + hair), i % 3 != 0),
                             is_high, &next);
        *(was_light ? &light : &heavy) = next;
    }
    return light.place;
}

/* The factor by which the distance grows in the search for a place with little mass behind it. */
#define STRIDE 6

static bool find_high(search *s)
{
    weighed heavy = {-1, 0}, light;
    int64_t place = 0;
    while (place < FAR_POINT && !is_light(s, place, true, &light)) {
        heavy = light;
        place = STRIDE * place + 1;
    }
    s->high = heavy.place < 0     ? 0
              : place < FAR_POINT ? turn(s, light, heavy, true)
                                  : place;
    return place < FAR_POINT;
}

static bool find_low(search *s)
{
    weighed heavy = {s->high, 0}, light;
    int64_t place = -1;
    while (place > -FAR_POINT && !is_light(s, place, false, &light)) {
        heavy = light;
        place *= STRIDE;
    }
    s->low = place > -FAR_POINT ? turn(s, light, heavy, false) : place;
    return place > -FAR_POINT;
}

/* May one cell have this width? Doubles will do: this is a choice, not a bound. */
static bool is_straight(double above, double next_above, double below, double width)
{
    const double mass = above - next_above;
    if (!(mass * width * width <= CELL_SPREAD))
        return false;
    return above > below || mass <= CELL_FALL * above;
}

/* From low on, each cell twice as wide as the last or as much less as it takes. */
static bool choose(search *s, sc_loss_places *out)
{
    SC_OWN(sc_ball, above, below);
    sides_at(s, s->low, &above, &below);
    double here = sc_ball_upper(&above);
    int64_t place = s->low, width = 1;
    bool fits = add(out, place);
    while (fits && !s->is_over && place < s->high) {
        width = width < s->high - place ? width : s->high - place;
        sides_at(s, place + width, &above, &below);
        const double next = sc_ball_upper(&above);
        if (width > 1 && !is_straight(here, next, sc_ball_upper(&below), (double)width)) {
            width /= 2;
            continue;
        }
        place += width;
        here = next;
        fits = add(out, place);
        width *= 2;
    }
    return fits;
}

/* The losses of a lattice, one after the other from the middle on. */
typedef struct walk {
    const sc_loss_pair *pair;
    double zero, width, rate; /* offset, step, and of sampling */
    double end;               /* where sampled losses come together */
} walk;

static double loss_at(const walk *w, double j)
{
    const double z = w->zero + j * w->width;
    if (!w->pair->is_sampled)
        return z;
    return w->pair->direction == SC_DIRECTION_REMOVE ? log1p(w->rate * expm1(z))
                                                     : -log1p(w->rate * expm1(-z));
}

/* Points beside a loss: one more on each side, so that it does not matter how it is rounded. */
#define BESIDE 2

/* Marks the points beside the losses in one direction from the middle, each once or more. False:
 * there are too many of them. */
static bool mark(const search *s, const walk *w, int towards, double step, size_t most,
                 sc_loss_places *out)
{
    const double low = (double)s->low, high = (double)s->high;
    double last = HUGE_VAL;
    for (double j = 0; out->count < most; j += 1) {
        const double at = loss_at(w, towards * j) / step;
        if (!(at > low - 1 && at < high + 1))
            return at < low || at > high; /* not a number fails */
        const int64_t place = (int64_t)floor(at);
        for (int64_t i = 1 - BESIDE; i <= BESIDE; i++)
            if (place + i > s->low && place + i < s->high && !add(out, place + i))
                return false;
        if (fabs(at - w->end / step) < 1e-3 || !(fabs(at - last) > 0))
            return true;
        last = at;
    }
    return false;
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Only the points beside losses. False: the losses lie on no lattice, or are not much fewer than the
 * points. */
static bool take_beside(search *s, sc_loss_places *out)
{
    const sc_loss_pair *pair = s->tails.pair;
    const size_t most = (size_t)(s->high - s->low) / 4;
    if (pair->kind->lattice == NULL ||
        (pair->is_sampled && sc_ratio_sign(&pair->rate) == 0))
        return false;
    walk w = {.pair = pair,
              .zero = sc_ball_near(&s->tails.offset),
              .width = sc_ball_near(&s->tails.step),
              .end = HUGE_VAL};
    if (pair->is_sampled) {
        w.rate = sc_ball_near(&pair->rate);
        w.end = pair->direction == SC_DIRECTION_REMOVE ? log1p(-w.rate) : -log1p(-w.rate);
    }
    /* from the loss next to 0 */
    w.zero -= w.width * round(w.zero / w.width);
    const double step = sc_ball_near(s->step);
    out->count = 0;
    if (!add(out, s->low) || !add(out, s->high) || !mark(s, &w, 1, step, most, out) ||
        !mark(s, &w, -1, step, most, out)) {
        out->count = 0;
        return false;
    }
    qsort(out->at, out->count, sizeof *out->at, compare);
    size_t kept = 1;
    for (size_t i = 1; i < out->count; i++)
        if (out->at[i] > out->at[kept - 1])
            out->at[kept++] = out->at[i];
    out->count = kept;
    return true;
}

static bool take_all(const search *s, sc_loss_places *out)
{
    bool fits = true;
    for (int64_t place = s->low; fits && place <= s->high; place++)
        fits = add(out, place);
    return fits;
}

bool sc_loss_places_span(const sc_loss_pair *pair, const sc_ratio *step, long tail,
                         sc_loss_work *work, uint64_t *out)
{
    search s;
    search_init(&s, pair, step, tail, work);
    const bool found = find_high(&s) && find_low(&s) && !s.is_over;
    if (found)
        *out = (uint64_t)(s.high - s.low);
    search_clear(&s);
    return found;
}

/* The places between the ends; false without memory. */
static bool take(search *s, bool all_points, sc_loss_places *out)
{
    const int64_t between = s->high - s->low;
    if (!all_points && between > MANY_POINTS && take_beside(s, out))
        return true;
    return all_points || between < FEW_POINTS ? take_all(s, out) : choose(s, out);
}

scrim_status sc_loss_places_find(const sc_loss_pair *pair, const sc_ratio *step,
                                 long tail, bool all_points, sc_loss_work *work,
                                 sc_loss_places *out, scrim_error *error)
{
    search s;
    scrim_status status = SCRIM_OK;
    bool fits = true;
    search_init(&s, pair, step, tail, work);
    const bool found = find_high(&s) && find_low(&s);
    if (!s.is_over && (!found || s.high - s.low >= (int64_t)SC_LOSS_PART))
        status =
            sc_fail(error, SCRIM_E_LIMIT,
                    "the privacy loss needs more than %zu points of this step; take a "
                    "larger step",
                    (size_t)SC_LOSS_PART);
    else if (!s.is_over)
        fits = take(&s, all_points, out);
    if (!fits)
        status = sc_no_memory(error, "a privacy loss");
    else if (s.is_over)
        status = sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
    search_clear(&s);
    return status;
}
