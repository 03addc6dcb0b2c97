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

/* Of count masses those from first to first + kept stay. */
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

/* All memory that FLINT takes for a product of so many points: at most 500,000 bytes for its cache of
 * integers, 100 to 200 for the coefficients of a point, and 2.3 for each bit of a point by the transform
 * of Schoenhage and Strassen. A103_a_product_needs_no_more_than_it_sets_aside measures it. */
static size_t product_bytes(const sc_loss *a, const sc_loss *b)
{
    return 500000 + (a->count + b->count) * (192 + 5 * (size_t)a->bits / 2);
}

/* The product fails if it needed the memory that is held: the allocator then has none left. */
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
