#include "query/rows/sensitivity.h"

/* Binary places of l2. */
#define PLACES 20

/* What one row contributes, or one unit to a total, lies between these, or is nothing. */
typedef struct contribution {
    sc_int128 low, high;
} contribution;

static contribution contribution_of(const sc_group_statistic *s,
                                    const sc_group_value *value)
{
    if (value == NULL || s->kind == SC_STATISTIC_ROWS || s->kind == SC_STATISTIC_AROUND)
        return (contribution){0, 1};
    if (s->kind == SC_STATISTIC_SQUARES) {
        const sc_int128 below = (sc_int128)s->centre - value->low,
                        above = (sc_int128)value->high - s->centre,
                        radius = below > above ? below : above;
        return (contribution){-(sc_int128)s->offset, radius * radius - s->offset};
    }
    if (s->kind == SC_STATISTIC_TOTAL)
        return (contribution){value->total_low, value->total_high};
    return (contribution){(sc_int128)value->low - s->centre,
                          (sc_int128)value->high - s->centre};
}

static sc_int128 most_of(const contribution *c)
{
    return -c->low > c->high ? -c->low : c->high;
}

static sc_int128 width_of(const contribution *c)
{
    return (c->high > 0 ? c->high : 0) - (c->low < 0 ? c->low : 0);
}

/* sqrt(groups a^2 + others b^2), rounded up. */
static void norm_upper(uint64_t groups, sc_int128 a, uint64_t others, sc_int128 b,
                       sc_ratio *out)
{
    SC_OWN(sc_integer, x, sum, root, square);
    sc_integer_set_int128(&x, a);
    sc_integer_mul(&x, &x, &x);
    sc_integer_mul_uint64(&sum, &x, groups);
    sc_integer_set_int128(&x, b);
    sc_integer_mul(&x, &x, &x);
    sc_integer_mul_uint64(&x, &x, others);
    sc_integer_add(&sum, &sum, &x);
    sc_integer_shift_left(&sum, &sum, 2 * PLACES);
    sc_integer_sqrt(&root, &sum);
    sc_integer_mul(&square, &root, &root);
    if (sc_integer_compare(&square, &sum) < 0) {
        sc_integer_set_int128(&x, 1);
        sc_integer_add(&root, &root, &x);
    }
    sc_ratio_set_dyadic(out, &root, PLACES);
}

/* The fewest groups whose number a unit must stay in: of rings none, since a unit that stays in a group
 * leaves one and enters another. */
static uint64_t stays_of(const sc_group_statistic *statistic, const sc_reach *reach)
{
    const uint64_t twice = 2 * reach->max_groups;
    if (statistic->kind == SC_STATISTIC_AROUND)
        return 0;
    return reach->groups == 0 || reach->groups >= twice ? 0 : twice - reach->groups;
}

void sc_sensitivity_of(const sc_group_statistic *statistic, const sc_group_value *value,
                       const sc_reach *reach, sc_ratio *l1, sc_ratio *l2)
{
    const contribution c = contribution_of(statistic, value);
    /* At most 2^30 groups, 2^30 rows and 2^63: within 128 bits, also twice. */
    const sc_int128 rows =
        statistic->kind == SC_STATISTIC_UNITS || statistic->kind == SC_STATISTIC_TOTAL
            ? 1
            : (sc_int128)reach->max_rows;
    const sc_int128 most = rows * most_of(&c), width = rows * width_of(&c);
    const uint64_t groups = reach->max_groups;
    if (reach->neighbours != SCRIM_REPLACE) {
        sc_ratio_set_int128(l1, (sc_int128)groups * most);
        norm_upper(groups, most, 0, 0, l2);
        return;
    }
    const uint64_t stays = stays_of(statistic, reach), moves = 2 * (groups - stays);
    SC_OWN(sc_ratio, all);
    sc_ratio_set_int128(l1, (sc_int128)stays * width + (sc_int128)moves * most);
    norm_upper(stays, width, moves, most, l2);
    norm_upper(groups, width, 0, 0, &all);
    if (sc_ratio_compare(&all, l2) > 0)
        sc_ratio_set(l2, &all);
}

uint64_t sc_sensitivity_copies(const sc_reach *reach)
{
    /* A unit that stays in a group and changes there is removed and added. */
    return reach->neighbours == SCRIM_REPLACE ? 2 * reach->max_groups : reach->max_groups;
}
