#define SC_WITH_ARB
#include "composition/loss/loss.h"

#include "base/memory.h"
#include "base/number/ball_mass.h"
#include "base/number/ball_memory.h"
#include "base/work_limit.h"

#include <flint/fmpz_poly.h>

void sc_loss_init(sc_loss *loss)
{
    loss->side = SC_LOSS_UPPER;
    loss->bits = SC_LOSS_BITS;
    loss->low = 0;
    loss->mass = NULL;
    loss->count = 0;
    sc_ratio_init(&loss->step);
    fmpz_init(&loss->infinite);
}

static void release(fmpz *mass, size_t count)
{
    for (size_t i = 0; mass != NULL && i < count; i++)
        fmpz_clear(&mass[i]);
    sc_free(mass);
}

void sc_loss_clear(sc_loss *loss)
{
    release(loss->mass, loss->count);
    fmpz_clear(&loss->infinite);
    sc_ratio_clear(&loss->step);
}

scrim_status sc_loss_reset(sc_loss *loss, sc_loss_side side, const sc_ratio *step,
                           long bits, int64_t low, size_t count, scrim_error *error)
{
    fmpz *mass = sc_allocate(count, sizeof *mass);
    if (mass == NULL)
        return sc_no_memory(error, "a privacy loss");
    release(loss->mass, loss->count);
    loss->side = side;
    loss->bits = bits;
    loss->low = low;
    loss->mass = mass; /* zeroed: each is 0 */
    loss->count = count;
    sc_ratio_set(&loss->step, step);
    fmpz_zero(&loss->infinite);
    return SCRIM_OK;
}

scrim_status sc_loss_set_nothing(sc_loss_side side, const sc_ratio *step, long bits,
                                 sc_loss *out, scrim_error *error)
{
    const scrim_status status = sc_loss_reset(out, side, step, bits, 0, 1, error);
    if (status == SCRIM_OK) {
        fmpz_one(&out->mass[0]);
        fmpz_mul_2exp(&out->mass[0], &out->mass[0], (ulong)bits);
    }
    return status;
}

void sc_loss_swap(sc_loss *a, sc_loss *b)
{
    const sc_loss old = *a;
    *a = *b;
    *b = old;
}

/* Trimming: an upper loss gives its last points to infinity and lifts its first to the lowest that
 * is kept; a lower loss forgets both. */

/* How many of the masses from one end on add up to at most the limit; *sum is their total. */
static size_t light(const fmpz *mass, size_t count, bool from_top, const fmpz_t limit,
                    fmpz_t sum)
{
    size_t many = 0;
    fmpz_zero(sum);
    while (many + 1 < count) {
        fmpz_add(sum, sum, &mass[from_top ? count - 1 - many : many]);
        if (fmpz_cmp(sum, limit) > 0) {
            fmpz_sub(sum, sum, &mass[from_top ? count - 1 - many : many]);
            break;
        }
        many++;
    }
    return many;
}

static void tail_units(long bits, long tail, fmpz_t out)
{
    fmpz_zero(out);
    if (tail <= bits) {
        fmpz_one(out);
        fmpz_mul_2exp(out, out, (ulong)(bits - tail));
    }
}

/* Keeps the masses from first to first + kept of `count`. */
static void trim(fmpz *mass, size_t count, sc_loss_side side, long bits, long tail,
                 size_t *first, size_t *kept, fmpz_t infinite)
{
    fmpz_t limit, sum;
    fmpz_init(limit);
    fmpz_init(sum);
    tail_units(bits, tail, limit);
    *kept = count - light(mass, count, true, limit, sum);
    if (side == SC_LOSS_UPPER)
        fmpz_add(infinite, infinite, sum);
    tail_units(bits, sc_loss_low_tail(tail), limit);
    *first = light(mass, *kept, false, limit, sum);
    *kept -= *first;
    if (side == SC_LOSS_UPPER)
        fmpz_add(&mass[*first], &mass[*first], sum);
    fmpz_clear(sum);
    fmpz_clear(limit);
}

/* infinite = a.inf (sum b + b.inf) + b.inf sum a, each part rounded to the side. */
static void compose_infinite(const sc_loss *a, const sc_loss *b, fmpz_t out)
{
    void (*shift)(fmpz_t, long) =
        a->side == SC_LOSS_UPPER ? sc_mass_shift_up : sc_mass_shift_down;
    fmpz_t part;
    fmpz_init(part);
    fmpz_set(part, &b->infinite);
    for (size_t i = 0; i < b->count; i++)
        fmpz_add(part, part, &b->mass[i]);
    fmpz_mul(out, part, &a->infinite);
    fmpz_zero(part);
    for (size_t i = 0; i < a->count; i++)
        fmpz_add(part, part, &a->mass[i]);
    fmpz_addmul(out, part, &b->infinite);
    shift(out, a->bits);
    fmpz_clear(part);
}

static void copy_into(fmpz_poly_t out, const sc_loss *from)
{
    fmpz_poly_fit_length(out, (slong)from->count);
    for (size_t i = 0; i < from->count; i++)
        fmpz_set(out->coeffs + i, &from->mass[i]);
    _fmpz_poly_set_length(out, (slong)from->count);
    _fmpz_poly_normalise(out);
}

/* So few masses that are not 0 are multiplied one by one: those of randomised response are two at the
 * ends of a long grid. */
#define FEW 8

static bool has_few(const sc_loss *loss)
{
    size_t many = 0;
    for (size_t i = 0; many <= FEW && i < loss->count; i++)
        many += !fmpz_is_zero(&loss->mass[i]);
    return many <= FEW;
}

static void multiply_few(const sc_loss *few, const sc_loss *other, fmpz_poly_t out)
{
    fmpz_poly_fit_length(out, (slong)(few->count + other->count));
    _fmpz_poly_set_length(out, (slong)(few->count + other->count));
    _fmpz_vec_zero(out->coeffs, (slong)(few->count + other->count));
    for (size_t i = 0; i < few->count; i++)
        for (size_t j = 0; !fmpz_is_zero(&few->mass[i]) && j < other->count; j++)
            if (!fmpz_is_zero(&other->mass[j]))
                fmpz_addmul(out->coeffs + i + j, &few->mass[i], &other->mass[j]);
    _fmpz_poly_normalise(out);
}

static void multiply_all(const sc_loss *a, const sc_loss *b, fmpz_poly_t out)
{
    fmpz_poly_t y;
    fmpz_poly_init(y);
    copy_into(out, a);
    if (a == b) {
        fmpz_poly_sqr(out, out);
    } else {
        copy_into(y, b);
        fmpz_poly_mul(out, out, y);
    }
    fmpz_poly_clear(y);
}

/* The product of all masses, rounded and trimmed, into out, which holds nothing yet. */
static scrim_status multiply(const sc_loss *a, const sc_loss *b, long tail, sc_loss *out,
                             scrim_error *error)
{
    void (*shift)(fmpz_t, long) =
        a->side == SC_LOSS_UPPER ? sc_mass_shift_up : sc_mass_shift_down;
    fmpz_poly_t x;
    fmpz_t infinite;
    size_t first = 0, kept = 1;
    scrim_status status = SCRIM_OK;
    fmpz_init(infinite);
    fmpz_poly_init(x);
    if (has_few(a))
        multiply_few(a, b, x);
    else if (has_few(b))
        multiply_few(b, a, x);
    else
        multiply_all(a, b, x);
    const size_t count = (size_t)fmpz_poly_length(x);
    for (size_t i = 0; i < count; i++)
        shift(x->coeffs + i, a->bits);
    compose_infinite(a, b, infinite);
    if (count > 0)
        trim(x->coeffs, count, a->side, a->bits, tail, &first, &kept, infinite);
    status = sc_loss_reset(out, a->side, &a->step, a->bits,
                           a->low + b->low + (int64_t)first, kept, error);
    if (status == SCRIM_OK) {
        for (size_t i = 0; i < kept && count > 0; i++)
            fmpz_swap(&out->mass[i], x->coeffs + first + i);
        fmpz_swap(&out->infinite, infinite);
    }
    fmpz_poly_clear(x);
    fmpz_clear(infinite);
    return status;
}

/* More than SC_LOSS_PRODUCT points for masses of 192 bits, which take some hundred bytes each. */
static bool is_too_large(const sc_loss *a, const sc_loss *b)
{
    const size_t points = a->count + b->count;
    return points > SC_LOSS_PRODUCT ||
           points > SC_LOSS_PRODUCT * (size_t)SC_LOSS_BITS / (size_t)a->bits;
}

/* Work for a point of a factor, and for each of its bits (base/work_limit.h). */
#define POINT_WORK 50
#define BIT_WORK 4

/* All memory that FLINT takes for a product of two losses: at most 500,000 bytes for its cache
 * of integers, 100 to 200 for the coefficients of a point, and 2.3 for each bit of a point by
 * the transform of Schoenhage and Strassen. A103_a_product_needs_no_more_than_it_sets_aside
 * measures it. */
static size_t product_bytes(const sc_loss *a, const sc_loss *b)
{
    return 500000 + (a->count + b->count) * (192 + 5 * (size_t)a->bits / 2);
}

/* The product fails if it needed the memory that is held: the allocator then has no memory left. */
static scrim_status compose_held(const sc_loss *a, const sc_loss *b, long tail,
                                 const sc_reserve_part *part, sc_loss *out,
                                 scrim_error *error)
{
    SC_OWN(sc_loss, product);
    scrim_status status = multiply(a, b, tail, &product, error);
    if (status == SCRIM_OK && sc_reserve_part_is_used(part))
        status = sc_no_memory(error, "a privacy loss");
    if (status == SCRIM_OK)
        sc_loss_swap(out, &product);
    return status;
}

scrim_status sc_loss_compose(const sc_loss *a, const sc_loss *b, long tail, sc_loss *out,
                             scrim_error *error)
{
    int64_t low, high;
    if (a->side != b->side || a->bits != b->bits ||
        sc_ratio_compare(&a->step, &b->step) != 0)
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "losses of different grids are not composed");
    if (is_too_large(a, b))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "composition: %zu points are too many for exact composition; take "
                       "a larger step",
                       a->count + b->count);
    if (!sc_int64_add(a->low, b->low, &low) ||
        !sc_int64_add(low, (int64_t)(a->count + b->count), &high))
        return sc_fail(error, SCRIM_E_LIMIT, "composition: the loss leaves the grid");
    sc_work_add_each(a->count + b->count, POINT_WORK + (uint64_t)a->bits * BIT_WORK);
    const size_t bytes = product_bytes(a, b);
    sc_reserve_part *part = bytes < SC_RESERVE_LOW / 2 ? NULL : sc_reserve_hold(bytes);
    if (part == NULL && bytes >= SC_RESERVE_LOW / 2)
        return sc_no_memory(error, "a privacy loss");
    const scrim_status status = compose_held(a, b, tail, part, out, error);
    sc_ball_memory_settle();
    sc_reserve_release(part);
    return status;
}

/* By squaring, from the highest bit of count down. */
scrim_status sc_loss_power(const sc_loss *loss, uint64_t count, long tail, sc_loss *out,
                           scrim_error *error)
{
    SC_OWN(sc_loss, power);
    scrim_status status =
        sc_loss_set_nothing(loss->side, &loss->step, loss->bits, &power, error);
    bool is_nothing = true;
    for (unsigned bit = sc_bit_length64(count); status == SCRIM_OK && bit-- > 0;) {
        if (!is_nothing)
            status = sc_loss_compose(&power, &power, tail, &power, error);
        if (status == SCRIM_OK && ((count >> bit) & 1) != 0)
            status = sc_loss_compose(&power, loss, tail, &power, error);
        is_nothing = false;
    }
    if (status == SCRIM_OK)
        sc_loss_swap(out, &power);
    return status;
}

#define SC_WITH_ARB

/* Both readers walk down from the highest point. With z the point j, h the step and
 *
 *     V_j = sum over i >= j of c_i exp(z_j - z_i)       V_j = c_j + exp(-h) V_(j+1)
 *     D_j = delta(z_j)                                  D_(j-1) = D_j + (1 - exp(-h)) V_j
 *     delta(e) = D_j + (1 - exp(e - z_j)) V_j           z_(j-1) <= e <= z_j
 *
 * nothing is subtracted, so that a delta of 1e-300 is as accurate as one of 1/2. The right side of
 * the last line is a line in exp(e) for each j and never above delta, whatever e. */
typedef struct walk {
    const sc_loss *loss;
    long bits;
    sc_ball step, shrink, rest; /* h, exp(-h), 1 - exp(-h) */
    sc_ball above, weight;      /* D_j and V_j */
    size_t j;
} walk;

static void walk_init(walk *w, const sc_loss *loss, long bits)
{
    sc_ball *const balls[] = {&w->step, &w->shrink, &w->rest, &w->above, &w->weight};
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++)
        sc_ball_init(balls[i]);
    w->loss = loss;
    w->bits = bits + 2 * (long)sc_bit_length64(loss->count) + 32;
    sc_ball_set_ratio(&w->step, &loss->step, w->bits);
    sc_ball_neg(&w->shrink, &w->step);
    sc_ball_expm1(&w->rest, &w->shrink, w->bits);
    sc_ball_neg(&w->rest, &w->rest);
    sc_ball_exp(&w->shrink, &w->shrink, w->bits);
    sc_mass_ball(&loss->infinite, loss->bits, &w->above);
    w->j = loss->count;
    if (w->j > 0) {
        w->j--;
        sc_mass_ball(&loss->mass[w->j], loss->bits, &w->weight);
    }
}

static void walk_clear(walk *w)
{
    sc_ball *const balls[] = {&w->step, &w->shrink, &w->rest, &w->above, &w->weight};
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++)
        sc_ball_clear(balls[i]);
}

/* D_(j-1). */
static void walk_below(const walk *w, sc_ball *out)
{
    SC_OWN(sc_ball, more);
    sc_ball_mul(&more, &w->weight, &w->rest, w->bits);
    sc_ball_add(out, &w->above, &more, w->bits);
}

/* One point down; j > 0. */
static void walk_down(walk *w)
{
    walk_below(w, &w->above);
    w->j--;
    sc_ball_mul(&w->weight, &w->weight, &w->shrink, w->bits);
    sc_mass_add(&w->weight, &w->weight, &w->loss->mass[w->j], w->loss->bits, w->bits);
}

/* z_j. */
static void walk_point(const walk *w, sc_ball *out)
{
    sc_ball_set_int64(out, w->loss->low + (int64_t)w->j);
    sc_ball_mul(out, out, &w->step, w->bits);
}

/* delta at e by the line of point j. */
static void walk_line(const walk *w, const sc_ball *e, sc_ball *out)
{
    SC_OWN(sc_ball, point);
    walk_point(w, &point);
    sc_ball_sub(out, e, &point, w->bits);
    sc_ball_expm1(out, out, w->bits);
    sc_ball_neg(out, out);
    sc_ball_mul(out, out, &w->weight, w->bits);
    sc_ball_add(out, out, &w->above, w->bits);
}

/* The largest j whose point is the first that may lie above e, from a ball of e/h: the cell of the
 * lower end of e. False: e is above all points. */
static bool first_above(const walk *w, const sc_ball *e, size_t *out)
{
    sc_int128 index = 0;
    SC_OWN(sc_ball, place);
    SC_OWN(sc_ratio, whole);
    SC_OWN(sc_integer, floor);
    sc_ball_div(&place, e, &w->step, w->bits);
    bool found = false;
    if (sc_ball_round_down(&place, 0, &whole)) {
        sc_ratio_floor(&whole, &floor);
        if (!sc_integer_get_int128(&floor, &index))
            index = sc_integer_sign(&floor) * ((sc_int128)1 << 100);
        index += 1 - (sc_int128)w->loss->low;
        found = index < (sc_int128)w->loss->count;
        *out = index < 0 || !found ? 0 : (size_t)index;
    } else { /* far beyond the grid, on one side or the other */
        found = !sc_ball_is_positive(e);
        *out = 0;
    }
    return found;
}

/* delta is the largest of all lines, at the first point above e, or at the next one where it is not
 * sure which is the first: the ball of e is thin against the step, else its ends are taken. */
static void delta_thin(const sc_loss *loss, const sc_ball *e, long bits, sc_ball *out)
{
    walk w;
    size_t first = 0;
    walk_init(&w, loss, bits);
    sc_ball_set(out, &w.above);
    if (loss->count > 0 && first_above(&w, e, &first)) {
        SC_OWN(sc_ball, other);
        while (w.j > first + 1)
            walk_down(&w);
        if (w.j == first + 1) {
            walk_line(&w, e, &other);
            walk_down(&w);
        } else {
            sc_ball_set(&other, &w.above);
        }
        walk_line(&w, e, out);
        if (sc_ball_is_less(out, &other))
            sc_ball_set(out, &other);
        else if (!sc_ball_is_less(&other, out))
            sc_ball_set_union(out, out, &other, bits + 32);
    }
    walk_clear(&w);
}

void sc_loss_delta(const sc_loss *loss, const sc_ball *epsilon, long bits, sc_ball *out)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, low, high);
    if (!sc_ball_is_finite(epsilon)) {
        sc_ball_set_infinite(out);
        sc_ball_cut_unit(out);
    } else {
        sc_mass_floor(epsilon, bits + 2048, &low);
        sc_ball_neg(&high, epsilon);
        sc_mass_floor(&high, bits + 2048, &high);
        sc_ball_neg(&high, &high);
        delta_thin(loss, &low, bits, out);
        if (sc_ball_is_less(&low, &high)) {
            delta_thin(loss, &high, bits, &low);
            sc_ball_set_union(out, out, &low, bits + 32);
        }
    }
}

/* z_j + ln(1 - (delta - D_j)/V_j): where the line of point j has this delta; V_j > 0. */
static void line_epsilon(const walk *w, const sc_ball *delta, sc_ball *out)
{
    SC_OWN(sc_ball, point);
    sc_ball_sub(out, &w->above, delta, w->bits);
    sc_ball_div(out, out, &w->weight, w->bits);
    sc_ball_log1p(out, out, w->bits);
    walk_point(w, &point);
    sc_ball_add(out, out, &point, w->bits);
}

/* delta where the cell of point j begins: at z_(j-1), or at 0 where the first cell reaches there. */
static void walk_edge(const walk *w, sc_ball *out)
{
    if (w->j > 0) {
        walk_below(w, out);
    } else {
        SC_OWN(sc_ball, zero);
        walk_line(w, &zero, out);
    }
}

/* Down to the cell in which delta is reached, at most to the one that begins at 0 or below. */
static bool walk_to_delta(walk *w, const sc_ball *delta)
{
    bool reached = false;
    SC_OWN(sc_ball, edge);
    for (; w->loss->low + (int64_t)w->j > 0; walk_down(w)) {
        walk_edge(w, &edge);
        reached = !sc_ball_is_less_equal(&edge, delta) && sc_ball_is_positive(&w->weight);
        if (reached || w->j == 0)
            break;
    }
    return reached;
}

/* [0, upper end], or 0 where all of it is below: for a number known not to be negative. */
static void cut_at_zero(sc_ball *x, long bits)
{
    if (sc_ball_is_positive(x))
        return;
    sc_ball_set_upper(x, x, bits);
    if (sc_ball_is_positive(x)) {
        sc_ball_mul_power2(x, x, -1);
        sc_ball_widen(x, x);
    } else {
        sc_ball_set_int64(x, 0);
    }
}

/* Is infinite 2^-bits > delta? */
static bool has_no_epsilon(const sc_loss *loss, const sc_ratio *delta)
{
    SC_OWN(sc_ratio, infinite);
    SC_OWN(sc_integer, whole);
    fmpz_get_mpz(whole.z, &loss->infinite);
    sc_ratio_set_dyadic(&infinite, &whole, (unsigned)loss->bits);
    return sc_ratio_compare(&infinite, delta) > 0;
}

bool sc_loss_epsilon(const sc_loss *loss, const sc_ratio *delta, long bits, sc_ball *out)
{
    if (has_no_epsilon(loss, delta))
        return false;
    walk w;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, target);
    walk_init(&w, loss, bits);
    sc_ball_set_ratio(&target, delta, w.bits);
    sc_ball_set_int64(out, 0);
    if (loss->count > 0 && walk_to_delta(&w, &target)) {
        SC_OWN(sc_ball, point);
        line_epsilon(&w, &target, out);
        /* The line may meet delta below its cell, where another one is above it: epsilon is then
         * between the two. */
        if (w.j > 0) {
            w.j--;
            walk_point(&w, &point);
            if (!sc_ball_is_less_equal(&point, out))
                sc_ball_set_union(out, out, &point, w.bits);
        }
        cut_at_zero(out, w.bits);
    }
    walk_clear(&w);
    return true;
}
