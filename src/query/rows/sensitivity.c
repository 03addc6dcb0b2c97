#include "query/rows/sensitivity.h"

/* Binary places of l2. */
#define PLACES 20

/* One row, or one unit in a total, contributes a number between these, or nothing. */
typedef struct contribution {
    sc_int128 low, high;
} contribution;

static contribution contribution_of(const sc_group_statistic *s,
                                    const sc_group_value *value)
{
    if (value == NULL || s->kind == SC_STATISTIC_ROWS || sc_statistic_is_cell(s) ||
        s->kind == SC_STATISTIC_AROUND || s->kind == SC_STATISTIC_BARS ||
        s->kind == SC_STATISTIC_VALUES)
        return (contribution){0, 1};
    if (s->kind == SC_STATISTIC_SQUARES) {
        const sc_int128 below = (sc_int128)s->centre - value->low,
                        above = (sc_int128)value->high - s->centre,
                        radius = below > above ? below : above;
        return (contribution){-(sc_int128)s->offset, radius * radius - s->offset};
    }
    if (s->kind == SC_STATISTIC_TOTAL && value->total_all > 0)
        return (contribution){value->total_low < 0 ? -value->total_all : 0,
                              value->total_high > 0 ? value->total_all : 0};
    if (s->kind == SC_STATISTIC_TOTAL)
        return (contribution){value->total_low, value->total_high};
    return (contribution){(sc_int128)value->low - s->centre,
                          (sc_int128)value->high - s->centre};
}

/* Ends on either side of 0, and their sizes. */
typedef struct ends {
    sc_int128 large, small; /* m >= s >= 0 */
} ends;

static ends ends_of(const contribution *c)
{
    const sc_int128 up = c->high > 0 ? c->high : 0, down = c->low < 0 ? -c->low : 0;
    return up > down ? (ends){up, down} : (ends){down, up};
}

void sc_norms_init(sc_norms *norms)
{
    sc_ratio_init(&norms->l1);
    sc_ratio_init(&norms->l2);
    sc_ratio_init(&norms->largest);
}

void sc_norms_clear(sc_norms *norms)
{
    sc_ratio_clear(&norms->largest);
    sc_ratio_clear(&norms->l2);
    sc_ratio_clear(&norms->l1);
}

/* Some groups that all move by the same distance. */
typedef struct moved {
    uint64_t groups;
    sc_int128 distance;
} moved;
#define KINDS 5

/* With up to 2^60 groups and rows, and 2^64 for each row, only big integers hold the sums. */
static void set_l1(const moved *all, size_t count, sc_integer *out)
{
    SC_OWN(sc_integer, x);
    sc_integer_set_int128(out, 0);
    for (size_t i = 0; i < count; i++) {
        sc_integer_set_int128(&x, all[i].distance);
        sc_integer_mul_uint64(&x, &x, all[i].groups);
        sc_integer_add(out, out, &x);
    }
}

static void set_squares(const moved *all, size_t count, sc_integer *out)
{
    SC_OWN(sc_integer, x);
    sc_integer_set_int128(out, 0);
    for (size_t i = 0; i < count; i++) {
        sc_integer_set_int128(&x, all[i].distance);
        sc_integer_mul(&x, &x, &x);
        sc_integer_mul_uint64(&x, &x, all[i].groups);
        sc_integer_add(out, out, &x);
    }
}

static void keep_larger(sc_integer *largest, const sc_integer *x)
{
    if (sc_integer_compare(x, largest) > 0)
        sc_integer_set(largest, x);
}

/* The root, rounded up. */
static void root_upper(const sc_integer *squares, sc_ratio *out)
{
    SC_OWN(sc_integer, sum, root, square, one);
    sc_integer_shift_left(&sum, squares, 2 * PLACES);
    sc_integer_sqrt(&root, &sum);
    sc_integer_mul(&square, &root, &root);
    if (sc_integer_compare(&square, &sum) < 0) {
        sc_integer_set_int128(&one, 1);
        sc_integer_add(&root, &root, &one);
    }
    sc_ratio_set_dyadic(out, &root, PLACES);
}

/* Rows of a unit in as few groups as possible: full ones, and perhaps one with the rest. */
typedef struct packed {
    uint64_t rows, full, rest;
} packed;

static packed pack(const sc_bounds *n)
{
    return (packed){n->rows, n->total / n->rows, n->total % n->rows};
}

/* The largest sums so far. */
typedef struct farthest {
    sc_integer l1, squares;
} farthest;

/* How the groups of the two versions of a replaced unit coincide. */
typedef struct placement {
    uint64_t full;    /* groups that are full in both versions */
    uint64_t crossed; /* full in one version, with the rest of the rows in the other */
    uint64_t rests;   /* with the rest in both */
} placement;

static void try_placement(const packed *p, const ends *e, const placement *at,
                          farthest *best)
{
    const sc_int128 rows = (sc_int128)p->rows, rest = (sc_int128)p->rest,
                    both = e->large + e->small;
    const uint64_t rests = p->rest > 0 ? 2 : 0;
    const moved all[KINDS] = {{at->full, rows * both},
                              {at->crossed, rows * e->large + rest * e->small},
                              {at->rests, rest * both},
                              {2 * p->full - 2 * at->full - at->crossed, rows * e->large},
                              {rests - at->crossed - 2 * at->rests, rest * e->large}};
    SC_OWN(sc_integer, x);
    set_l1(all, KINDS, &x);
    keep_larger(&best->l1, &x);
    set_squares(all, KINDS, &x);
    keep_larger(&best->squares, &x);
}

/* Tries the extreme placements of two versions of a unit on `groups` groups; 0: there may be any number of groups. */
static void try_all(const packed *p, const ends *e, uint64_t groups, farthest *best)
{
    const uint64_t own = p->full + (p->rest > 0),
                   shared = groups == 0 || groups >= 2 * own ? 0 : 2 * own - groups,
                   most_crossed = p->rest == 0 ? 0 : 2, most_rests = p->rest > 0;
    for (uint64_t rests = 0; rests <= most_rests; rests++)
        for (uint64_t crossed = 0; crossed + 2 * rests <= most_crossed; crossed++) {
            /* One crossing takes a full group of one version, two crossings one of each version. */
            const uint64_t taken = crossed > 0;
            if (taken > p->full)
                continue;
            const uint64_t most = p->full - taken, least = shared > crossed + rests
                                                               ? shared - crossed - rests
                                                               : 0;
            if (least > most)
                continue;
            try_placement(p, e, &(placement){least, crossed, rests}, best);
            try_placement(p, e, &(placement){most, crossed, rests}, best);
        }
}

/* The two versions of a unit never share a cell: it leaves one and enters another, or it comes or goes. */
static void try_disjoint(const packed *p, const ends *e, uint64_t versions,
                         farthest *best)
{
    const moved all[2] = {{versions * p->full, (sc_int128)p->rows * e->large},
                          {p->rest > 0 ? versions : 0, (sc_int128)p->rest * e->large}};
    SC_OWN(sc_integer, x);
    set_l1(all, 2, &x);
    keep_larger(&best->l1, &x);
    set_squares(all, 2, &x);
    keep_larger(&best->squares, &x);
}

void sc_sensitivity_of(const sc_group_statistic *statistic, const sc_group_value *value,
                       const sc_reach *reach, sc_norms *out)
{
    const contribution c = contribution_of(statistic, value);
    const ends e = ends_of(&c);
    const bool is_once = statistic->kind == SC_STATISTIC_UNITS ||
                         statistic->kind == SC_STATISTIC_TOTAL,
               is_cell = statistic->kind == SC_STATISTIC_AROUND ||
                         statistic->kind == SC_STATISTIC_BARS ||
                         sc_statistic_is_cell(statistic),
               is_replace = reach->neighbours == SCRIM_REPLACE;
    sc_bounds n = sc_bounds_normal(&reach->bounds, reach->groups);
    /* Scaled totals of all groups add up to one bound, so together they move like one contribution to one group. */
    if (is_once && value != NULL && value->total_all > 0)
        n = (sc_bounds){1, 1, 1};
    else if (is_once)
        n = (sc_bounds){n.groups, 1, n.groups};
    const packed p = pack(&n);
    farthest best;
    sc_integer_init(&best.l1);
    sc_integer_init(&best.squares);
    if (is_replace && !is_cell)
        try_all(&p, &e, reach->groups, &best);
    else
        try_disjoint(&p, &e, is_replace ? 2 : 1, &best);
    sc_ratio_set_dyadic(&out->l1, &best.l1, 0);
    root_upper(&best.squares, &out->l2);
    sc_ratio_set_int128(&out->largest,
                        (sc_int128)n.rows *
                            (is_replace && !is_cell ? e.large + e.small : e.large));
    sc_integer_clear(&best.squares);
    sc_integer_clear(&best.l1);
}

sc_charged_rows sc_sensitivity_rows(const sc_reach *reach)
{
    const sc_bounds n = sc_bounds_normal(&reach->bounds, reach->groups);
    /* A unit that stays in a group and changes there is removed and added. */
    const uint64_t versions = reach->neighbours == SCRIM_REPLACE ? 2 : 1;
    return (sc_uint128)n.groups * n.rows == n.total
               ? (sc_charged_rows){n.rows, versions * n.groups}
               : (sc_charged_rows){n.total, versions};
}
