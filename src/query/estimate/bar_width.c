#include "query/estimate/bar_width.h"

#include "base/number/ball.h"

#define BITS 96
#define PLACES 96

/* rows w / values. */
sc_int128 sc_bar_rows(const sc_bar_grid *grid, const sc_ratio *rows)
{
    sc_int128 count = 0;
    SC_OWN(sc_ratio, x, y);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&x, grid->width);
    sc_ratio_mul(&x, &x, rows);
    sc_ratio_set_int128(&y, (sc_int128)grid->high - grid->low + 1);
    sc_ratio_div(&x, &x, &y);
    if (sc_ratio_compare(&x, rows) > 0)
        sc_ratio_set(&x, rows);
    sc_ratio_floor(&x, &whole);
    if (!sc_integer_get_int128(&whole, &count))
        count = (sc_int128)1 << 62;
    return count;
}

/* P(Z >= k - n), n > 0 rows in a bucket; false where it is 0. */
static bool shown(const sc_bar_grid *grid, const sc_bar_guess *guess, sc_ball *p)
{
    const sc_int128 least = (sc_int128)guess->k - sc_bar_rows(grid, guess->rows);
    if (least <= 0)
        sc_law_at_least(guess->law, least, BITS, p);
    return least <= 0;
}

/* width (1/p - 1) + radius; false where p is too small to be told from 0. */
static bool error_of(const sc_bar_grid *grid, const sc_bar_guess *guess, sc_ratio *out)
{
    sc_ball p, x, one;
    bool is_known = false;
    sc_ball_init(&p);
    sc_ball_init(&x);
    sc_ball_init(&one);
    if (!shown(grid, guess, &p))
        goto done;
    sc_ball_set_int64(&one, 1);
    sc_ball_sub(&x, &one, &p, BITS);
    sc_ball_div(&x, &x, &p, BITS);
    sc_ball_set_int64(&one, grid->width);
    sc_ball_mul(&x, &x, &one, BITS);
    sc_ball_set_int64(&one, sc_bar_grid_radius(grid));
    sc_ball_add(&x, &x, &one, BITS);
    is_known = sc_ball_is_finite(&x) && sc_ball_round_up(&x, PLACES, out);
done:
    sc_ball_clear(&one);
    sc_ball_clear(&x);
    sc_ball_clear(&p);
    return is_known;
}

static void exact_error(const sc_bar_grid *grid, const sc_bar_guess *guess, sc_ratio *out)
{
    SC_OWN(sc_ratio, range);
    sc_ratio_set_int128(&range, (sc_int128)grid->high - grid->low);
    if (!error_of(grid, guess, out) || sc_ratio_compare(out, &range) > 0)
        sc_ratio_set(out, &range);
}

void sc_bar_error(const sc_bar_grid *grid, const sc_bar_guess *guess, sc_ratio *out)
{
    SC_BALL_SCOPE(scope);
    exact_error(grid, guess, out);
}

/* (1 - p)^buckets >= 1/2, as logarithms. */
bool sc_bar_shows_nothing(const sc_bar_grid *grid, const sc_bar_guess *guess)
{
    bool is_so = true;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, p, none, half);
    if (shown(grid, guess, &p)) {
        sc_ball_set_int64(&half, 1);
        sc_ball_mul_power2(&half, &half, -1);
        is_so = sc_ball_is_less_equal(&p, &half);
        sc_ball_log(&half, &half, BITS);
        sc_ball_neg(&none, &p);
        sc_ball_log1p(&none, &none, BITS);
        sc_ball_mul_int64(&none, &none, (int64_t)grid->count, BITS);
        is_so = is_so && sc_ball_is_less_equal(&half, &none);
    }
    return is_so;
}

/* 1, 2, 5, 10, 20, ...: the next one; 0 behind the last. */
static int64_t next_width(int64_t width)
{
    int64_t lead = width;
    while (lead % 10 == 0)
        lead /= 10;
    if (width > SC_BAR_GRID_WIDTH / 3)
        return 0;
    return lead == 2 ? width / 2 * 5 : 2 * width;
}

/* Where no width of the list has few enough buckets: the least that has, or the widest of all; 0 when
 * that has too many as well. */
static int64_t widest(int64_t low, int64_t high, uint64_t most)
{
    int64_t width = most < 2 ? INT64_MAX : sc_bar_grid_least_width(low, high, most);
    if (width > SC_BAR_GRID_WIDTH)
        width = SC_BAR_GRID_WIDTH;
    return sc_bar_grid_of(low, high, width).count <= most ? width : 0;
}

int64_t sc_bar_width_choose(int64_t low, int64_t high, uint64_t most,
                            const sc_bar_guess *guess)
{
    int64_t chosen = 0;
    SC_OWN(sc_ratio, error, best, range);
    sc_ratio_set_int128(&range, (sc_int128)high - low);
    SC_BALL_SCOPE(scope);
    for (int64_t width = 1; width > 0; width = next_width(width)) {
        const sc_bar_grid grid = sc_bar_grid_of(low, high, width);
        if (grid.count > most)
            continue;
        exact_error(&grid, guess, &error);
        /* Where each is as bad as the whole range, wider ones hold more. */
        if (chosen == 0 || sc_ratio_compare(&error, &best) < 0 ||
            (sc_ratio_compare(&best, &range) >= 0 && sc_ratio_sign(&range) > 0)) {
            sc_ratio_set(&best, &error);
            chosen = width;
        }
        if (grid.count <= 2)
            break;
    }
    return chosen > 0 ? chosen : widest(low, high, most);
}
