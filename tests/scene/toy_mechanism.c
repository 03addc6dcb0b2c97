#include "toy_mechanism.h"

#include "check.h"
#include "model/certificate.h"
#include "model/domain.h"

#define TOY_PROBABILITY(key)                                                             \
    {                                                                                    \
        .name = (key), .kind = SC_PARAMETER_RATIONAL, .optional = true, .at_least = "0", \
        .at_most = "1", .domain = "from 0 to 1"                                          \
    }
#define TOY_NUMBER(key)                                                                  \
    {                                                                                    \
        .name = (key), .kind = SC_PARAMETER_RATIONAL, .optional = true, .at_least = "0", \
        .domain = "a rational of at least 0"                                             \
    }

static const sc_parameter_rule parameters[] = {
    TOY_PROBABILITY("a"),     TOY_PROBABILITY("b"),    TOY_NUMBER("epsilon"),
    TOY_PROBABILITY("delta"), TOY_NUMBER("rho"),       TOY_NUMBER("where"),
    TOY_NUMBER("pairs"),      TOY_PROBABILITY("rest"), TOY_PROBABILITY("lost"),
    SC_PARAMETER_NEIGHBOURS,
};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    if (sc_measurement_get(m, "a") == NULL || sc_measurement_get(m, "b") == NULL)
        return sc_fail(error, SCRIM_E_PARAM, "toy: give a and b");
    m->domain.count_max = 1;
    return SCRIM_OK;
}

static void discard(scrim_measurement *m)
{
    (void)m;
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    const sc_ratio *rho = sc_measurement_get(m, "rho");
    (void)error;
    if (epsilon != NULL && delta == NULL)
        sc_cost_set_pure(out, epsilon);
    else if (epsilon != NULL)
        sc_cost_set_approximate(out, epsilon, delta);
    if (rho != NULL) {
        out->has_rho = true;
        sc_ratio_set(&out->rho, rho);
        if (epsilon == NULL)
            sc_curve_set_concentrated(&out->curve, rho);
    }
    return SCRIM_OK;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)m;
    (void)beta;
    (void)count;
    (void)error;
    sc_certificate_none(out, NULL);
    return SCRIM_OK;
}

static size_t one(const scrim_measurement *m, size_t count)
{
    (void)m;
    (void)count;
    return 1;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    (void)m;
    (void)bits;
    (void)input;
    (void)out;
    return sc_fail(error, SCRIM_E_INTERNAL, "toy: nothing is ever drawn");
}

/* The mass of an answer, without its part of what is not listed. */
static void mass_of(const scrim_measurement *m, int64_t input, int64_t answer, long bits,
                    sc_ball *out)
{
    const int64_t odd = 2 * sc_measurement_integer(m, "where", 0) + 1;
    const char *const hidden[] = {"rest", "lost"};
    sc_ball part;
    sc_ball_init(&part);
    sc_ball_set_ratio(out, sc_measurement_get(m, input == odd ? "b" : "a"), bits);
    if (answer == 1) {
        sc_ball_neg(out, out);
        sc_ball_add_int64(out, out, 1, bits);
    }
    for (size_t i = 0; i < 2; i++) {
        const sc_ratio *share = sc_measurement_get(m, hidden[i]);
        if (share == NULL)
            continue;
        sc_ball_set_ratio(&part, share, bits);
        sc_ball_mul(&part, &part, out, bits);
        sc_ball_sub(out, out, &part, bits);
    }
    sc_ball_clear(&part);
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    sc_ball mass;
    scrim_status status = SCRIM_OK;
    sc_ball_init(&mass);
    for (int64_t answer = 1; status == SCRIM_OK && answer >= 0; answer--) {
        mass_of(m, input->values[0], answer, bits, &mass);
        status = sc_outcomes_add(out, &answer, &mass, error);
    }
    if (sc_measurement_get(m, "rest") != NULL)
        sc_ball_set_ratio(&out->rest, sc_measurement_get(m, "rest"), bits);
    sc_ball_clear(&mass);
    return status;
}

static size_t pair_count(const scrim_measurement *m)
{
    return (size_t)sc_measurement_integer(m, "pairs", 1);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    out->x_count = out->y_count = 1;
    out->x[0] = 2 * (int64_t)index;
    out->y[0] = 2 * (int64_t)index + 1;
}

const sc_mechanism toy_mechanism = {
    .entry = {.name = "toy",
              .parameters = "a=R b=R epsilon=R [delta=R rho=R where=N pairs=N rest=R "
                            "lost=R]",
              .input = "values",
              .claim = "whatever it is told",
              .reference = "none"},
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof *parameters,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = one,
    .draw = draw,
    .width = one,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};

scrim_measurement *toy_measurement(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.status = SCRIM_OK};
    if (sc_measurement_new(&toy_mechanism, sc_text_of(line), SC_PURPOSE_MODEL, &m,
                           &error) != SCRIM_OK)
        CHECK_FAIL("toy %s: %s", line, error.message);
    return m;
}
