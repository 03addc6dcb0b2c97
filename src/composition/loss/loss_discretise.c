#define SC_WITH_ARB
#include "base/number/ball_mass.h"
#include "base/reserve.h"
#include "composition/loss/loss.h"
#include "composition/loss/loss_from_curve.h"
#include "composition/loss/loss_places.h"
#include "composition/loss/loss_tails.h"

/* How often the precision is doubled before we say that something is wrong. */
#define ATTEMPTS 5

typedef struct grid {
    const sc_loss_pair *pair;
    const sc_ratio *step;
    sc_loss_side side;
    long bits;
    const int64_t *at; /* the points that are dots, or between which lines are drawn */
    size_t count;
} grid;

/* place step. */
static void point_of(const grid *g, int64_t place, sc_ratio *out)
{
    sc_ratio_set_int64(out, place);
    sc_ratio_mul(out, out, g->step);
}

static size_t index_of(const grid *g, size_t dot)
{
    return (size_t)(g->at[dot] - g->at[0]);
}

/* exp(h width) from one dot to the next, and 1 - exp(-h width): few widths occur, so that each is
 * kept until another one comes. */
typedef struct stride {
    int64_t width;
    sc_ball grow, gap;
} stride;

static void stride_init(stride *s)
{
    s->width = 0;
    sc_ball_init(&s->grow);
    sc_ball_init(&s->gap);
}

static void stride_clear(stride *s)
{
    sc_ball_clear(&s->gap);
    sc_ball_clear(&s->grow);
}

static void stride_set(stride *s, const grid *g, size_t dot, long bits)
{
    const int64_t width = g->at[dot + 1] - g->at[dot];
    if (width == s->width)
        return;
    SC_OWN(sc_ratio, span);
    point_of(g, width, &span);
    sc_ball_set_ratio(&s->grow, &span, bits);
    sc_ball_neg(&s->gap, &s->grow);
    sc_ball_exp(&s->grow, &s->grow, bits);
    sc_ball_expm1(&s->gap, &s->gap, bits);
    sc_ball_neg(&s->gap, &s->gap);
    s->width = width;
}

/* Rounding to the side of the grid. False: the ball is too wide, more bits are needed. */
static bool put(const grid *g, const sc_ball *x, fmpz_t out)
{
    return sc_mass_is_sharp(x, g->bits) &&
           (g->side == SC_LOSS_UPPER ? sc_mass_up(x, g->bits, out)
                                     : sc_mass_down(x, g->bits, out));
}

/* exp of the first point. */
static void first_power(const grid *g, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, first);
    point_of(g, g->at[0], &first);
    sc_ball_set_ratio(out, &first, bits);
    sc_ball_exp(out, out, bits);
}

/* The mass of P and Q between two dots goes to both, so that each keeps its total: a at the lower
 * and b at the upper one with a + b = p and a/t + b/(t e^h) = q. That is the law whose delta
 * connects the dots of the true one (spec 8.2): b = (p - t q)/(1 - e^-h). On a lattice all of it
 * lies at the upper point. Beyond the last point the upper one is infinity. */
typedef struct dots {
    sc_ball p, q, next_p, next_q; /* tails at two points */
    sc_ball t;                    /* exp(e) */
    sc_ball here, there;          /* masses at the two points */
    sc_int128 index;              /* of the first of them on the lattice */
} dots;

static void dots_each(dots *d, void (*act)(sc_ball *))
{
    sc_ball *const balls[] = {&d->p, &d->q,    &d->next_p, &d->next_q,
                              &d->t, &d->here, &d->there};
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++)
        act(balls[i]);
}

/* here += a, there = b, for the tails of two points. */
static void dots_split(dots *d, const sc_ball *gap, bool on_lattice, long bits)
{
    SC_OWN(sc_ball, cell_p, cell_q);
    sc_ball_sub(&cell_p, &d->p, &d->next_p, bits);
    if (on_lattice) {
        sc_ball_set(&d->there, &cell_p);
    } else {
        sc_ball_sub(&cell_q, &d->q, &d->next_q, bits);
        sc_ball_mul(&cell_q, &cell_q, &d->t, bits);
        sc_ball_sub(&d->there, &cell_p, &cell_q, bits);
        sc_ball_div(&d->there, &d->there, gap, bits);
        sc_ball_sub(&cell_p, &cell_p, &d->there, bits);
        sc_ball_add(&d->here, &d->here, &cell_p, bits);
    }
}

static void dots_start(dots *d, const grid *g, const sc_loss_tails *tails,
                       bool on_lattice)
{
    const long bits = tails->bits;
    SC_OWN(sc_ratio, e);
    first_power(g, bits, &d->t);
    point_of(g, g->at[0], &e);
    d->index = on_lattice ? sc_loss_tails_index(tails, &e) : 0;
    sc_loss_tails_at(tails, &e, &d->p, &d->q);
    if (g->side == SC_LOSS_UPPER) { /* what lies lower is lifted */
        sc_loss_pair_infinite(g->pair, bits, &d->here);
        sc_ball_add(&d->here, &d->here, &d->p, bits);
        sc_ball_neg(&d->here, &d->here);
        sc_ball_add_int64(&d->here, &d->here, 1, bits);
    } else {
        sc_ball_set_int64(&d->here, 0);
    }
}

/* Beyond the last point: t Q of it stays there, the rest is infinite; a lower loss forgets it. */
static bool dots_end(dots *d, const grid *g, long bits, sc_loss *out)
{
    sc_loss_pair_infinite(g->pair, bits, &d->there);
    if (g->side == SC_LOSS_UPPER) {
        sc_ball_mul(&d->q, &d->q, &d->t, bits);
        sc_ball_add(&d->here, &d->here, &d->q, bits);
        sc_ball_sub(&d->p, &d->p, &d->q, bits);
        sc_ball_add(&d->there, &d->there, &d->p, bits);
    }
    return put(g, &d->here, &out->mass[out->count - 1]) &&
           put(g, &d->there, &out->infinite);
}

/* The tails at the next dot and the mass that goes there; of a lattice, 0 where none lies. */
static void dots_next(dots *d, const grid *g, const sc_loss_tails *tails, size_t i,
                      bool on_lattice, stride *s)
{
    SC_OWN(sc_ratio, e);
    point_of(g, g->at[i + 1], &e);
    stride_set(s, g, i, tails->bits);
    const sc_int128 before = d->index;
    d->index = on_lattice ? sc_loss_tails_index(tails, &e) : 0;
    if (on_lattice && d->index == before) {
        sc_ball_set(&d->next_p, &d->p);
        sc_ball_set(&d->next_q, &d->q);
        sc_ball_set_int64(&d->there, 0);
    } else {
        sc_loss_tails_at(tails, &e, &d->next_p, &d->next_q);
        dots_split(d, &s->gap, on_lattice, tails->bits);
    }
}

/* Fills out dot by dot; false when the precision was too small. */
static bool fill_dots(const grid *g, const sc_loss_tails *tails, bool on_lattice,
                      sc_loss *out)
{
    dots d;
    stride s;
    bool sharp = true;
    stride_init(&s);
    dots_each(&d, sc_ball_init);
    dots_start(&d, g, tails, on_lattice);
    for (size_t i = 0; sharp && i + 1 < g->count; i++) {
        dots_next(&d, g, tails, i, on_lattice, &s);
        sharp = put(g, &d.here, &out->mass[index_of(g, i)]);
        sc_ball_set(&d.here, &d.there);
        sc_ball_set(&d.p, &d.next_p);
        sc_ball_set(&d.q, &d.next_q);
        sc_ball_mul(&d.t, &d.t, &s.grow, tails->bits);
    }
    sharp = sharp && dots_end(&d, g, tails->bits, out);
    dots_each(&d, sc_ball_clear);
    stride_clear(&s);
    return sharp;
}

/* A lower loss by supporting lines. For every event S the line P(S) - t Q(S), t = exp(e), lies below
 * delta; one for each cell, S being the losses above its middle. A polyline that is at no point
 * above the lines of the two cells beside it stays below delta, and so does the largest convex one
 * below it, whose kinks are the masses. Infinite mass is taken away first and added at the end. */
typedef struct lines {
    sc_ball *t, *m; /* 0 and the points, and what the polyline may reach there */
    size_t count;
} lines;

/* P - t Q, its lower end. */
static void line_at(const sc_ball *p, const sc_ball *q, const sc_ball *t, long bits,
                    sc_ball *out)
{
    sc_ball_mul(out, t, q, bits);
    sc_ball_sub(out, p, out, bits);
    sc_mass_floor(out, bits, out);
}

/* Half way from dot i to the next. */
static void middle_of(const grid *g, size_t i, sc_ratio *out)
{
    SC_OWN(sc_ratio, half);
    sc_ratio_set_int64(&half, 2);
    sc_ratio_set_int128(out, (sc_int128)g->at[i] + g->at[i + 1]);
    sc_ratio_mul(out, out, g->step);
    sc_ratio_div(out, out, &half);
}

/* The values of the line of cell i at its two ends. The losses from the upper end on have a line
 * that is not negative there: they serve where the middle's would be. */
static void cell_line(const grid *g, const sc_loss_tails *tails, const lines *l, size_t i,
                      sc_ball *left, sc_ball *right)
{
    const long bits = tails->bits;
    SC_OWN(sc_ratio, e);
    SC_OWN(sc_ball, p, q, zero);
    middle_of(g, i, &e);
    sc_loss_tails_at(tails, &e, &p, &q);
    line_at(&p, &q, &l->t[i + 2], bits, right);
    if (!sc_ball_is_less_equal(&zero, right)) {
        point_of(g, g->at[i + 1], &e);
        sc_loss_tails_from(tails, &e, &p, &q);
        line_at(&p, &q, &l->t[i + 2], bits, right);
        if (!sc_ball_is_less_equal(&zero, right))
            sc_ball_set(right, &zero);
    }
    line_at(&p, &q, &l->t[i + 1], bits, left);
    if (!sc_ball_is_less_equal(&zero, left))
        sc_ball_set(left, &zero);
}

/* The line below the first point, from t = 0 on: all losses lie above it. */
static void first_line(const grid *g, const sc_loss_tails *tails, lines *l)
{
    SC_OWN(sc_ratio, e);
    SC_OWN(sc_ball, p, q, zero);
    point_of(g, g->at[0], &e);
    sc_loss_tails_at(tails, &e, &p, &q);
    sc_mass_floor(&p, tails->bits, &l->m[0]);
    line_at(&p, &q, &l->t[1], tails->bits, &l->m[1]);
    if (!sc_ball_is_less_equal(&zero, &l->m[1]))
        sc_ball_set(&l->m[1], &zero);
}

static void fill_lines(const grid *g, const sc_loss_tails *tails, lines *l)
{
    stride s;
    SC_OWN(sc_ball, left, right);
    stride_init(&s);
    first_power(g, tails->bits, &l->t[1]);
    for (size_t i = 2; i < l->count; i++) {
        stride_set(&s, g, i - 2, tails->bits);
        sc_ball_mul(&l->t[i], &l->t[i - 1], &s.grow, tails->bits);
        if (g->at[i - 1] == 0) /* exactly: lines of all the mass meet 0 here */
            sc_ball_set_int64(&l->t[i], 1);
    }
    first_line(g, tails, l);
    for (size_t i = 0; i + 2 < l->count; i++) {
        cell_line(g, tails, l, i, &left, &right);
        if (sc_ball_is_less(&left, &l->m[i + 1]))
            sc_ball_set(&l->m[i + 1], &left);
        sc_ball_set(&l->m[i + 2], &right);
    }
    /* Beyond the last point there is nothing left. */
    sc_ball_set_int64(&l->m[l->count - 1], 0);
    stride_clear(&s);
}

/* Masses t (W - W') of the kinks; false when more bits are needed. */
static bool put_kinks(const grid *g, const lines *l, const sc_ball *slope, long bits,
                      sc_loss *out)
{
    bool sharp = true;
    SC_OWN(sc_ball, mass);
    for (size_t i = 0; sharp && i < g->count; i++) {
        sc_ball_sub(&mass, &slope[i], &slope[i + 1], bits);
        sc_ball_mul(&mass, &mass, &l->t[i + 1], bits);
        sharp = put(g, &mass, &out->mass[index_of(g, i)]);
    }
    sc_loss_pair_infinite(g->pair, bits, &mass);
    return sharp && put(g, &mass, &out->infinite);
}

static scrim_status discretise_lower(const grid *g, const sc_loss_tails *tails,
                                     sc_loss *out, bool *is_sharp, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    const size_t count = g->count + 1;
    lines l = {sc_balls_new(count), sc_balls_new(count), count};
    sc_ball *slope = sc_balls_new(count);
    if (l.t == NULL || l.m == NULL || slope == NULL) {
        status = sc_no_memory(error, "a privacy loss");
    } else {
        fill_lines(g, tails, &l);
        status =
            sc_hull_below(l.t, l.m, count, g->bits, tails->bits, slope, is_sharp, error);
        *is_sharp = *is_sharp && put_kinks(g, &l, slope, tails->bits, out);
    }
    sc_balls_free(slope, count);
    sc_balls_free(l.m, count);
    sc_balls_free(l.t, count);
    return status;
}

/* Is every loss of the pair a point of the grid? */
static bool is_on_grid(const sc_loss_pair *pair, const sc_ratio *width)
{
    SC_OWN(sc_ratio, offset, step);
    bool fits = sc_loss_pair_lattice(pair, &offset, &step);
    if (fits) {
        sc_ratio_div(&offset, &offset, width);
        sc_ratio_div(&step, &step, width);
        fits = sc_ratio_is_integer(&offset) && sc_ratio_is_integer(&step);
    }
    return fits;
}

/* Masses of 2^-bits come from quotients by the step of differences of tails. */
static long first_precision(const grid *g)
{
    const long fine = -sc_ratio_exponent(g->step);
    return g->bits + 64 + (fine > 0 ? 2 * fine : 0) +
           (long)sc_bit_length64((uint64_t)(g->at[g->count - 1] - g->at[0]));
}

/* Steps for one dot, or for one line and its part of the hull, beside the tails. */
#define DOT_STEPS 1
#define LINE_STEPS 2

static bool can_fill(const grid *g, const sc_loss_tails *tails, bool by_dots,
                     sc_loss_work *work)
{
    const uint64_t more = sc_loss_work_at(by_dots ? DOT_STEPS : LINE_STEPS, tails->bits);
    return sc_loss_work_spend_each(work, g->count, sc_loss_tails_price(tails) + more);
}

/* The losses that are made: one side, or both. */
typedef struct goals {
    sc_loss_side side[2];
    sc_loss made[2];
    bool is_sharp[2];
    size_t count;
} goals;

static bool is_by_dots(const goals *all, size_t i, bool on_grid)
{
    return all->side[i] == SC_LOSS_UPPER || on_grid;
}

static scrim_status fill_one(grid *g, const sc_loss_tails *tails, bool on_grid,
                             sc_loss_work *work, goals *all, size_t i, scrim_error *error)
{
    const bool by_dots = is_by_dots(all, i, on_grid);
    g->side = all->side[i];
    if (!can_fill(g, tails, by_dots, work))
        return sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
    if (!by_dots)
        return discretise_lower(g, tails, &all->made[i], &all->is_sharp[i], error);
    all->is_sharp[i] = fill_dots(g, tails, on_grid, &all->made[i]);
    return SCRIM_OK;
}

/* The tails that the goals look at, if they look at nearly all of them. */
static void tabulate(const grid *g, bool on_grid, const goals *all, sc_loss_tails *tails)
{
    bool points = false, middles = false;
    for (size_t i = 0; i < all->count; i++)
        *(is_by_dots(all, i, on_grid) ? &points : &middles) = true;
    if (index_of(g, g->count - 1) < 2 * g->count)
        sc_loss_tails_tabulate(tails, g->step, g->at[0], g->at[g->count - 1],
                               points && middles ? SC_LOSS_TAILS_BOTH
                               : points          ? SC_LOSS_TAILS_POINTS
                                                 : SC_LOSS_TAILS_MIDDLES);
}

static scrim_status fill(grid *g, bool on_grid, sc_loss_work *work, goals *all,
                         scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    bool is_sharp = false;
    long bits = first_precision(g);
    for (int i = 0; i < ATTEMPTS && !is_sharp && status == SCRIM_OK; i++, bits *= 2) {
        sc_loss_tails tails;
        sc_loss_tails_init(&tails, g->pair, bits);
        sc_loss_tails_prepare(&tails);
        tabulate(g, on_grid, all, &tails);
        if (!sc_loss_work_spend(work, sc_loss_tails_spent(&tails)))
            status = sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
        is_sharp = true;
        for (size_t k = 0; status == SCRIM_OK && k < all->count; k++) {
            if (!all->is_sharp[k])
                status = fill_one(g, &tails, on_grid, work, all, k, error);
            is_sharp = is_sharp && all->is_sharp[k];
        }
        sc_loss_tails_clear(&tails);
    }
    if (status == SCRIM_OK && !is_sharp && sc_reserve_is_low())
        status = sc_no_memory(error, "a privacy loss");
    if (status == SCRIM_OK && !is_sharp)
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "the privacy loss cannot be computed to %lld bits",
                         (long long)g->bits);
    return status;
}

static scrim_status discretise(const sc_loss_pair *pair, const sc_loss_grid *asked,
                               sc_loss_work *work, goals *all, scrim_error *error)
{
    const bool on_grid = is_on_grid(pair, asked->step);
    grid g = {.pair = pair, .step = asked->step, .bits = asked->bits};
    sc_loss_places places;
    sc_loss_places_init(&places);
    scrim_status status =
        sc_loss_places_find(pair, g.step, asked->tail, on_grid, work, &places, error);
    if (status == SCRIM_OK) {
        g.at = places.at;
        g.count = places.count;
    }
    for (size_t i = 0; status == SCRIM_OK && i < all->count; i++)
        status = sc_loss_reset(&all->made[i], all->side[i], g.step, g.bits, g.at[0],
                               index_of(&g, g.count - 1) + 1, error);
    if (status == SCRIM_OK)
        status = fill(&g, on_grid, work, all, error);
    sc_loss_places_clear(&places);
    return status;
}

scrim_status sc_loss_from_pair(const sc_loss_pair *pair, sc_loss_side side,
                               const sc_loss_grid *asked, sc_loss_work *work,
                               sc_loss *out, scrim_error *error)
{
    goals one = {.side = {side}, .count = 1};
    SC_BALL_SCOPE(scope);
    sc_loss_init(&one.made[0]);
    const scrim_status status = discretise(pair, asked, work, &one, error);
    if (status == SCRIM_OK)
        sc_loss_swap(out, &one.made[0]);
    sc_loss_clear(&one.made[0]);
    return status;
}

scrim_status sc_loss_sides_from_pair(const sc_loss_pair *pair, const sc_loss_grid *asked,
                                     sc_loss_work *work, sc_loss *upper, sc_loss *lower,
                                     scrim_error *error)
{
    goals both = {.side = {SC_LOSS_UPPER, SC_LOSS_LOWER}, .count = 2};
    SC_BALL_SCOPE(scope);
    sc_loss_init(&both.made[0]);
    sc_loss_init(&both.made[1]);
    const scrim_status status = discretise(pair, asked, work, &both, error);
    if (status == SCRIM_OK) {
        sc_loss_swap(upper, &both.made[0]);
        sc_loss_swap(lower, &both.made[1]);
    }
    sc_loss_clear(&both.made[1]);
    sc_loss_clear(&both.made[0]);
    return status;
}
