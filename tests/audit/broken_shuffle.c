/* A shuffled batch charged by the variation-ratio reduction, which looks at the two values that differ and at no
 * other: it is a lower bound of what the batch gives away, and not an upper one. */
#include "audit/broken.h"
#include "model/domain.h"

#define VALUES 3
#define DEVICES 2

static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"), BROKEN_PARAMETER("delta"), SC_PARAMETER_NEIGHBOURS};

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    return SCRIM_OK;
}

/* Three of five parts of a report are for the own value, and one for each other. */
static int64_t weight(int64_t value, int64_t report)
{
    return value == report ? 3 : 1;
}

/* The reports of both devices without their order. */
static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    const int64_t *held = input->values;
    SC_OWN(sc_ball, mass);
    (void)m;
    for (int64_t a = 0; a < VALUES; a++)
        for (int64_t b = a; status == SCRIM_OK && b < VALUES; b++) {
            const int64_t key = VALUES * a + b;
            const int64_t one = weight(held[0], a) * weight(held[1], b);
            const int64_t other = weight(held[0], b) * weight(held[1], a);
            sc_ball_set_int64(&mass, a == b ? one : one + other);
            sc_ball_div_int64(&mass, &mass, 25, bits);
            status = sc_outcomes_add(out, &key, &mass, error);
        }
    return status;
}

/* The other device holds what one of them holds. */
static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    *out = (sc_pair){.y = {1, 0}, .x_count = DEVICES, .y_count = DEVICES};
}

static const sc_mechanism shuffled = {BROKEN_COMMON("shuffled-response", parameters),
                                      .cost = cost, .law = law,
                                      .pair_count = broken_one_pair, .pair = pair};

/* ln(5/2) is 0.91629..; at 5/2 itself it is 3/50 against 1/50. */
BROKEN(shuffle_by_variation_ratio,
       .wrong = "a shuffled batch, charged by the variation-ratio reduction",
       .mechanism = &shuffled, .line = "epsilon=0.9163 delta=1/50 neighbours=replace",
       .kind = BROKEN_DELTA, .at = "0.9163", .size = "0.0599972195493617",
       .source = "spec/local-additions.md 4: 9/25 - 3/25 e^epsilon")
