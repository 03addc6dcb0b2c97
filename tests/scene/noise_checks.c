#include "noise_checks.h"

#include "exact.h"
#include "mechanism/catalogue.h"
#include "random/bits_tape.h"
#include "summation.h"

#include <string.h>

scrim_measurement *noise_made(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (scrim_measurement_parse(line, &m, &error) != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}

scrim_measurement *noise_modelled(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (scrim_measurement_parse_model(line, &m, &error) != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}

scrim_cost noise_cost(const char *line)
{
    scrim_cost cost = {SCRIM_NEIGHBOURS_UNSET, "", "", ""};
    scrim_measurement *m = noise_made(line);
    if (m != NULL)
        CHECK_STATUS(scrim_measurement_cost(m, &cost, NULL), SCRIM_OK);
    scrim_measurement_free(m);
    return cost;
}

void noise_refused(const char *line, scrim_status status, const char *part)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(scrim_measurement_parse(line, &m, &error), status))
        CHECK_STR(line, error.message);
    CHECK(m == NULL);
    if (strstr(error.message, part) == NULL)
        CHECK_FAIL("%s: '%s' does not speak of '%s'", line, error.message, part);
    scrim_measurement_free(m);
}

/* Far tails are not in the lists. */
static void check_number(const char *line, const char *argument, const sc_ball *ours,
                         const sc_ball *sum, bool is_exact)
{
    const double slack = 1e-30, got = sc_ball_upper(ours), want = sc_ball_lower(sum);
    if (!CHECK(got >= want - slack))
        CHECK_FAIL("%s at %s: the curve has %.17g, the law %.17g", line, argument, got,
                   want);
    if (is_exact && !CHECK(got - want <= 1e-14 * want + slack))
        CHECK_FAIL("%s at %s: the curve has %.17g, the law %.17g", line, argument, got,
                   want);
}

void noise_check_curve(const char *line, const sc_pair *pair, bool is_exact)
{
    static const char *const epsilons[] = {"0", "1/50", "1/4", "1", "2", "7/2", "10"};
    static const char *const orders[] = {"11/10", "2", "6"};
    sc_text name, rest;
    summation sum;
    sc_ball ours, there;
    sc_ratio x;
    if (!CHECK(sc_parameters_line(sc_text_of(line), &name, &rest)))
        return;
    const sc_mechanism *mechanism = sc_catalogue_find(name, NULL);
    if (!CHECK(mechanism != NULL) || !summation_open(&sum, mechanism, rest.start, pair))
        return;
    const sc_curve *curve = &sum.measurement->cost.curve;
    sc_ball_init(&ours);
    sc_ball_init(&there);
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        exact_ratio(epsilons[i], &x);
        sc_curve_delta_upper(curve, &x, EXACT_BITS, &ours);
        summation_delta(&sum, &x, &there);
        check_number(line, epsilons[i], &ours, &there, is_exact);
        summation_delta_back(&sum, &x, &there);
        check_number(line, epsilons[i], &ours, &there, is_exact);
        sc_ratio_clear(&x);
    }
    for (size_t i = 0; curve->functions->renyi != NULL && i < COUNT(orders); i++) {
        exact_ratio(orders[i], &x);
        sc_curve_renyi_upper(curve, &x, EXACT_BITS, &ours);
        summation_renyi(&sum, &x, &there);
        check_number(line, orders[i], &ours, &there, false);
        sc_ratio_clear(&x);
    }
    sc_ball_clear(&there);
    sc_ball_clear(&ours);
    summation_close(&sum);
}

/* One release's worth of draws, without the gate. */
static bool draw(const scrim_measurement *m, sc_bits *bits, const int64_t *values,
                 size_t count, sc_int128 *out)
{
    sc_mark *marks = calloc(count, sizeof *marks);
    sc_draw room = {.values = out, .marks = marks, .capacity = count};
    const sc_private_input input = {.values = values, .count = count};
    bool drawn =
        CHECK(marks != NULL) &&
        CHECK_STATUS(m->mechanism->draw(m, bits, &input, &room, NULL), SCRIM_OK) &&
        CHECK(room.count == count);
    for (size_t i = 0; drawn && i < count; i++)
        if (marks[i] != SC_MARK_VALUE)
            CHECK_FAIL("value %zu is marked %d", i, (int)marks[i]);
    free(marks);
    return drawn;
}

void noise_check_draws(const char *line, const sc_law *law, uint64_t count)
{
    enum { PORTION = 4096 };
    static int64_t zeros[PORTION];
    static sc_int128 values[PORTION];
    scrim_measurement *m = noise_modelled(line);
    sc_tape *tape = NULL;
    goodness fit;
    if (m == NULL || !CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK) ||
        !goodness_init(&fit, law, GOODNESS_COARSE)) {
        sc_tape_free(tape);
        scrim_measurement_free(m);
        return;
    }
    for (uint64_t done = 0; done < count; done += PORTION) {
        if (!draw(m, sc_tape_bits_of(tape), zeros, PORTION, values))
            break;
        goodness_count(&fit, values, PORTION);
    }
    if (!CHECK(goodness_holds(&fit)))
        CHECK_FAIL("%s: p = %g", line, goodness_p(&fit));
    goodness_clear(&fit);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

void noise_check_shift(const char *line, const int64_t *x, const int64_t *y, size_t count)
{
    scrim_measurement *m = noise_modelled(line);
    sc_tape *left = NULL, *right = NULL;
    sc_int128 *a = calloc(count, sizeof *a), *b = calloc(count, sizeof *b);
    if (m != NULL && CHECK(a != NULL && b != NULL) &&
        CHECK_STATUS(sc_tape_seeded(check_seed() + 1, &left, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_tape_seeded(check_seed() + 1, &right, NULL), SCRIM_OK) &&
        draw(m, sc_tape_bits_of(left), x, count, a) &&
        draw(m, sc_tape_bits_of(right), y, count, b)) {
        for (size_t i = 0; i < count; i++)
            CHECK_INT(b[i] - a[i], (sc_int128)y[i] - x[i]);
        CHECK_INT(sc_tape_used(left), sc_tape_used(right));
    }
    free(a);
    free(b);
    sc_tape_free(left);
    sc_tape_free(right);
    scrim_measurement_free(m);
}
