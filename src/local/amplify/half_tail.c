#include "local/amplify/half_tail.h"

#include "local/amplify/binomial_window.h"

#define BITS SC_AMPLIFY_BITS
#define LOG_BITS (BITS + 64)

void sc_half_tail_init(sc_half_tail *tail)
{
    tail->s = tail->j = 0;
    sc_ball_init(&tail->mass);
    sc_ball_init(&tail->tail);
}

void sc_half_tail_clear(sc_half_tail *tail)
{
    sc_ball_clear(&tail->tail);
    sc_ball_clear(&tail->mass);
}

static void scale(sc_ball *x, uint64_t above, uint64_t below)
{
    sc_ball_mul_int64(x, x, (int64_t)above, BITS);
    sc_ball_div_int64(x, x, (int64_t)below, BITS);
}

void sc_half_tail_mass_below(sc_ball *mass, uint64_t s, uint64_t j)
{
    scale(mass, j, s - j + 1);
}

static void set_mass(sc_half_tail *tail)
{
    SC_OWN(sc_ball, sum, term);
    sc_ball_log_factorial(&sum, tail->s, LOG_BITS);
    sc_ball_log_factorial(&term, tail->j, LOG_BITS);
    sc_ball_sub(&sum, &sum, &term, LOG_BITS);
    sc_ball_log_factorial(&term, tail->s - tail->j, LOG_BITS);
    sc_ball_sub(&sum, &sum, &term, LOG_BITS);
    sc_ball_exp(&sum, &sum, BITS);
    sc_ball_mul_power2(&tail->mass, &sum, -(long)tail->s);
}

/* Adds up masses from j on. They end, or, past the middle, fall at least as fast as a geometric
 * series; the rest of that widens the ball. */
static void set_tail(sc_half_tail *tail)
{
    SC_OWN(sc_ball, mass, rest, tiny);
    sc_ball_set(&mass, &tail->mass);
    sc_ball_set(&tail->tail, &tail->mass);
    for (uint64_t j = tail->j; j < tail->s; j++) {
        scale(&mass, tail->s - j, j + 1);
        sc_ball_add(&tail->tail, &tail->tail, &mass, BITS);
        if (2 * (j + 1) <= tail->s || j + 2 > tail->s)
            continue;
        /* the ratio from j + 1 on is at most (s - j - 1)/(j + 2) */
        sc_ball_set(&rest, &mass);
        scale(&rest, tail->s - j - 1, 2 * j + 3 - tail->s);
        sc_ball_mul_power2(&tiny, &tail->tail, -BITS);
        if (sc_ball_is_less(&rest, &tiny)) {
            sc_ball_widen(&tail->tail, &rest);
            return;
        }
    }
}

static void up_s(sc_half_tail *tail)
{
    SC_OWN(sc_ball, below);
    sc_ball_set(&below, &tail->mass);
    sc_half_tail_mass_below(&below, tail->s, tail->j);
    sc_ball_mul_power2(&below, &below, -1);
    sc_ball_add(&tail->tail, &tail->tail, &below, BITS);
    tail->s++;
    scale(&tail->mass, tail->s, 2 * (tail->s - tail->j));
}

static void up_j(sc_half_tail *tail)
{
    sc_ball_sub(&tail->tail, &tail->tail, &tail->mass, BITS);
    scale(&tail->mass, tail->s - tail->j, tail->j + 1);
    tail->j++;
}

static void down_j(sc_half_tail *tail)
{
    sc_half_tail_mass_below(&tail->mass, tail->s, tail->j);
    tail->j--;
    sc_ball_add(&tail->tail, &tail->tail, &tail->mass, BITS);
}

void sc_half_tail_move(sc_half_tail *tail, uint64_t s, uint64_t j)
{
    const uint64_t to = j < s ? j : s;
    if (tail->s == 0) {
        tail->s = s;
        tail->j = to;
        set_mass(tail);
        set_tail(tail);
    }
    while (tail->s < s)
        up_s(tail);
    while (tail->j < to)
        up_j(tail);
    while (tail->j > to)
        down_j(tail);
}

/* The sum of i mass_i over i > j is s/2 tail_{s-1}(j), and tail_{s-1}(j) = tail_s(j + 1) + mass_s(j + 1)
 * (j + 1)/s, where mass_s(j + 1)(j + 1) = mass_s(j)(s - j). */
void sc_half_tail_above(const sc_half_tail *tail, sc_ball *mass, sc_ball *mean)
{
    SC_OWN(sc_ball, next);
    sc_ball_sub(mass, &tail->tail, &tail->mass, BITS);
    sc_ball_mul_int64(&next, &tail->mass, (int64_t)(tail->s - tail->j), BITS);
    sc_ball_mul_int64(mean, mass, (int64_t)tail->s, BITS);
    sc_ball_add(mean, mean, &next, BITS);
    sc_ball_mul_power2(mean, mean, -1);
}
