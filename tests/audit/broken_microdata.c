/* Tables of counts, with errors of the source and of hasty implementations. */
#include "audit/broken.h"
#include "mechanism/microdata/cell_counts.h"
#include "model/domain.h"
#include "model/outcomes.h"

static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"), BROKEN_PARAMETER("delta"), BROKEN_PARAMETER("rho"),
    SC_PARAMETER_NEIGHBOURS};

static size_t width(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

static void law_of(const sc_law_functions *functions, int64_t above, int64_t under,
                   int64_t bound, sc_law *out)
{
    SC_OWN(sc_ratio, shape);
    sc_ratio_set_quotient(&shape, above, under);
    sc_law_init(out, functions, &shape, bound);
}

static scrim_status list_all(const sc_law *law, int64_t high, const int64_t *values,
                             size_t count, long bits, sc_outcomes *out,
                             scrim_error *error)
{
    const sc_cell_listing listing = {.law = law, .high = high};
    return sc_outcomes_of_each(
        &(sc_outcomes_each){
            .values = values, .count = count, .list = sc_cell_list, .context = &listing},
        bits, out, error);
}

#define MICRODATA_COMMON(title)                                                          \
    .entry = {.name = (title),                                                           \
              .parameters = "",                                                          \
              .input = "values",                                                         \
              .claim = "one that does not hold",                                         \
              .reference = "none"},                                                      \
    SC_MECHANISM_PARAMETERS, .check = broken_check, .discard = broken_discard,           \
    .certify = broken_certify, .answer_count = width, .draw = broken_draw,               \
    .width = width, .pair_count = broken_one_pair

/* The source's DGeo(1/epsilon): at epsilon = 1/10 noise of the scale 1/10. */
static scrim_status inverse_law(const scrim_measurement *m, const sc_private_input *input,
                                long bits, sc_outcomes *out, scrim_error *error)
{
    sc_law law;
    (void)m;
    law_of(&sc_discrete_laplace_law, 1, 10, 0, &law);
    const scrim_status status =
        list_all(&law, 1, input->values, input->count, bits, out, error);
    sc_law_clear(&law);
    return status;
}

static const sc_mechanism inverse = {MICRODATA_COMMON("cells-with-inverse-noise"),
                                     .cost = broken_cost_pure, .law = inverse_law,
                                     .pair = broken_zero_and_one};

BROKEN(cells_with_inverse_noise, .wrong = "noise of rate 1/epsilon",
       .mechanism = &inverse, .line = "epsilon=1/10", .kind = BROKEN_LOSS, .size = "10",
       .claimed = "0.1", .source = "spec/microdata.md E2, v:item1_misprint")

/* The source's q + max(0, noise), rho = 1/2. */
static scrim_status lifted_law(const scrim_measurement *m, const sc_private_input *input,
                               long bits, sc_outcomes *out, scrim_error *error)
{
    sc_law law;
    scrim_status status = SCRIM_OK;
    (void)m;
    SC_OWN(sc_ball, mass);
    law_of(&sc_discrete_gaussian_law, 1, 1, 0, &law);
    for (int64_t z = 0; status == SCRIM_OK && z <= 40; z++) {
        const int64_t key = input->values[0] + z;
        if (z == 0)
            sc_law_at_most(&law, 0, bits, &mass);
        else
            sc_law_pmf(&law, z, bits, &mass);
        status = sc_outcomes_add(out, &key, &mass, error);
    }
    sc_law_at_least(&law, 41, bits, &out->rest);
    sc_law_clear(&law);
    return status;
}

static scrim_status cost_rho(const scrim_measurement *m, sc_exact_cost *out,
                             scrim_error *error)
{
    (void)error;
    out->has_rho = true;
    sc_ratio_set(&out->rho, sc_measurement_get(m, "rho"));
    sc_curve_set_concentrated(&out->curve, &out->rho);
    return SCRIM_OK;
}

static const sc_mechanism lifted = {MICRODATA_COMMON("cells-never-too-small"),
                                    .cost = cost_rho, .law = lifted_law,
                                    .pair = broken_zero_and_one};

BROKEN(cells_never_too_small, .wrong = "the count itself and noise from 0 on",
       .mechanism = &lifted, .line = "rho=1/2", .kind = BROKEN_DELTA, .at = "5",
       .size = "0.699471139133", .source = "spec/microdata.md E3, v:item2_misprint")

/* Noise on cells that are not empty. */
static scrim_status full_law(const scrim_measurement *m, const sc_private_input *input,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t none = 0;
    sc_law law;
    (void)m;
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    if (input->values[0] == 0)
        return sc_outcomes_add(out, &none, &one, error);
    law_of(&sc_discrete_laplace_law, 1, 1, 0, &law);
    const scrim_status status =
        list_all(&law, 1, input->values, input->count, bits, out, error);
    sc_law_clear(&law);
    return status;
}

static const sc_mechanism full = {MICRODATA_COMMON("noise-on-full-cells"),
                                  .cost = broken_cost_pure, .law = full_law,
                                  .pair = broken_zero_and_one};

BROKEN(noise_on_full_cells, .wrong = "empty cells have no noise", .mechanism = &full,
       .line = "epsilon=1", .kind = BROKEN_LOSS, .size = "inf", .claimed = "1",
       .source = "spec/microdata.md 4")

/* Three rows of a unit in three cells, with the bound of one row at the rate 1/6: 87, not 92. */
static scrim_status short_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    sc_law law;
    (void)m;
    law_of(&sc_clamped_laplace_law, 6, 1, 87, &law);
    const scrim_status status =
        list_all(&law, 3, input->values, input->count, bits, out, error);
    sc_law_clear(&law);
    return status;
}

static scrim_status cost_both(const scrim_measurement *m, sc_exact_cost *out,
                              scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    return SCRIM_OK;
}

/* Three cells and their sum. */
static void three_cells(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    *out = (sc_pair){.y = {1, 1, 1, 3}, .x_count = 4, .y_count = 4};
}

static const sc_mechanism shortened = {MICRODATA_COMMON("bound-of-one-row"),
                                       .cost = cost_both, .law = short_law,
                                       .pair = three_cells};

BROKEN(bound_of_one_row, .wrong = "the bound of one row for three",
       .mechanism = &shortened, .line = "epsilon=1 delta=1e-6", .kind = BROKEN_DELTA,
       .at = "1", .size = "1.71241990294e-6", .claimed = "1e-6",
       .source = "spec/microdata.md 4.1: above 1.2e-6")

/* A tree of three levels, each with half of the cost. */
static scrim_status path_law(const scrim_measurement *m, const sc_private_input *input,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    sc_law law;
    (void)m;
    law_of(&sc_discrete_laplace_law, 2, 1, 0, &law);
    const scrim_status status =
        list_all(&law, 1, input->values, input->count, bits, out, error);
    sc_law_clear(&law);
    return status;
}

/* Root, inner node and leaf of one unit. */
static void path(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    *out = (sc_pair){.y = {1, 1, 1}, .x_count = 3, .y_count = 3};
}

static const sc_mechanism unpaid = {MICRODATA_COMMON("level-not-paid-for"),
                                    .cost = broken_cost_pure, .law = path_law,
                                    .pair = path};

BROKEN(level_not_paid_for, .wrong = "three levels at half of epsilon each",
       .mechanism = &unpaid, .line = "epsilon=1", .kind = BROKEN_LOSS, .size = "1.5",
       .claimed = "1", .source = "spec/microdata.md 5")
