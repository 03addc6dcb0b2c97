#include "audit/broken_float.h"

#include "audit/broken.h"
#include "model/domain.h"

#include <math.h>

static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"), BROKEN_PARAMETER("bits"), SC_PARAMETER_NEIGHBOURS};

double broken_float_draw(double x, double scale, unsigned bits, uint64_t word)
{
    /* In (-1/2, 1/2): the middle of its cell. */
    const double u = ((double)word + 0.5) * ldexp(1, -(int)bits) - 0.5;
    const double size = -scale * log(1 - 2 * fabs(u));
    return u < 0 ? x - size : x + size;
}

int64_t broken_float_steps(double value)
{
    const double steps = ldexp(value, 60);
    return steps >= 0x1p63 ? INT64_MAX : steps < -0x1p63 ? INT64_MIN : (int64_t)steps;
}

static unsigned bits_of(const scrim_measurement *m)
{
    return (unsigned)sc_measurement_integer(m, "bits", 53);
}

static double scale_of(const scrim_measurement *m)
{
    sc_ball epsilon;
    sc_ball_init(&epsilon);
    sc_ball_set_ratio(&epsilon, sc_measurement_get(m, "epsilon"), 53);
    const double scale = 1 / sc_ball_upper(&epsilon);
    sc_ball_clear(&epsilon);
    return scale;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const unsigned width = bits_of(m);
    const double scale = scale_of(m), x = (double)input->values[0];
    if (width > 16)
        return sc_fail(error, SCRIM_E_LIMIT, "too many doubles to be listed");
    scrim_status status = SCRIM_OK;
    sc_ball mass;
    (void)bits;
    sc_ball_init(&mass);
    sc_ball_set_int64(&mass, 1);
    sc_ball_mul_power2(&mass, &mass, -(long)width);
    for (uint64_t word = 0; status == SCRIM_OK && word >> width == 0; word++) {
        const int64_t key = broken_float_steps(broken_float_draw(x, scale, width, word));
        status = sc_outcomes_add(out, &key, &mass, error);
    }
    sc_ball_clear(&mass);
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const unsigned width = bits_of(m);
    uint64_t word = 0;
    scrim_status status = sc_bits_take(bits, width, &word, error);
    if (status != SCRIM_OK)
        return status;
    out->values[0] = broken_float_steps(
        broken_float_draw((double)input->values[0], scale_of(m), width, word));
    out->marks[0] = SC_MARK_VALUE;
    out->count = 1;
    return SCRIM_OK;
}

const sc_mechanism broken_float_laplace = {.entry = {.name = "laplace-in-doubles",
                                                     .parameters = "epsilon=R [bits=N]",
                                                     .input = "numbers",
                                                     .claim = "one that does not hold",
                                                     .reference = "none"},
                                           .parameters = parameters,
                                           .parameter_count =
                                               sizeof parameters / sizeof *parameters,
                                           .check = broken_check,
                                           .discard = broken_discard,
                                           .cost = broken_cost_pure,
                                           .certify = broken_certify,
                                           .answer_count = broken_one,
                                           .draw = draw,
                                           .width = broken_one,
                                           .law = law,
                                           .pair_count = broken_one_pair,
                                           .pair = broken_zero_and_one};

BROKEN(laplace_in_doubles, .wrong = "the inverse distribution function in doubles",
       .mechanism = &broken_float_laplace, .line = "epsilon=1 bits=10",
       .kind = BROKEN_LOSS, .size = "inf", .claimed = "1", .source = "THREATS A01")
