#define SC_WITH_ARB
#include "base/number/ball_mass.h"

static bool round_end(const sc_ball *x, bool up, long bits, fmpz_t out)
{
    if (!arb_is_finite(x->x) || arf_cmpabs_2exp_si(arb_midref(x->x), 64) >= 0 ||
        mag_cmp_2exp_si(arb_radref(x->x), 64) >= 0)
        return false;
    arf_t end;
    arf_init(end);
    /* 80 bits more than asked for: a number below 2^64 then keeps `bits` bits after the point, and some to round by. */
    if (up)
        arb_get_ubound_arf(end, x->x, bits + 80);
    else
        arb_get_lbound_arf(end, x->x, bits + 80);
    if (arf_sgn(end) <= 0) {
        fmpz_zero(out);
    } else {
        arf_mul_2exp_si(end, end, bits);
        arf_get_fmpz(out, end, up ? ARF_RND_CEIL : ARF_RND_FLOOR);
    }
    arf_clear(end);
    return true;
}

bool sc_mass_up(const sc_ball *x, long bits, fmpz_t out)
{
    return round_end(x, true, bits, out);
}

bool sc_mass_down(const sc_ball *x, long bits, fmpz_t out)
{
    return round_end(x, false, bits, out);
}

void sc_mass_ball(const fmpz_t mass, long bits, sc_ball *out)
{
    arb_set_fmpz(out->x, mass);
    arb_mul_2exp_si(out->x, out->x, -bits);
}

void sc_mass_add(sc_ball *out, const sc_ball *x, const fmpz_t mass, long bits,
                 long precision)
{
    SC_OWN(sc_ball, part);
    sc_mass_ball(mass, bits, &part);
    sc_ball_add(out, x, &part, precision);
}

bool sc_mass_is_sharp(const sc_ball *x, long bits)
{
    return arb_is_finite(x->x) && mag_cmp_2exp_si(arb_radref(x->x), -bits) < 0;
}

void sc_mass_middle(const sc_ball *x, sc_ball *out)
{
    arb_get_mid_arb(out->x, x->x);
}

void sc_mass_floor(const sc_ball *x, long bits, sc_ball *out)
{
    arf_t end;
    arf_init(end);
    arb_get_lbound_arf(end, x->x, bits);
    arb_set_arf(out->x, end);
    arf_clear(end);
}

void sc_mass_shift_up(fmpz_t mass, long bits)
{
    fmpz_cdiv_q_2exp(mass, mass, (ulong)bits);
}

void sc_mass_shift_down(fmpz_t mass, long bits)
{
    fmpz_fdiv_q_2exp(mass, mass, (ulong)bits);
}
