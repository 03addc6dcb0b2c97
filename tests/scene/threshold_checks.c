#include "threshold_checks.h"

#include "choices.h"
#include "exact.h"
#include "laws.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "random/bits_tape.h"

double threshold_mass(const sc_outcomes *law, int64_t shown)
{
    return choices_mass(law, &shown);
}

void threshold_check_aside(const scrim_measurement *m)
{
    static const char *const epsilons[] = {"0", "1/4", "1", "3", "1000"};
    sc_curve rest;
    sc_ball aside, kept, bound, curve;
    CHECK(m->cost.has_aside && !m->cost.has_rho);
    sc_curve_init(&rest);
    sc_ball_init(&aside);
    sc_ball_init(&kept);
    sc_ball_init(&bound);
    sc_ball_init(&curve);
    sc_curve_set_concentrated(&rest, &m->cost.aside_rho);
    sc_ball_set_ratio(&aside, &m->cost.aside, 192);
    sc_ball_neg(&kept, &aside);
    sc_ball_add_int64(&kept, &kept, 1, 192);
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        sc_ratio epsilon;
        exact_ratio(epsilons[i], &epsilon);
        sc_curve_delta_upper(&rest, &epsilon, 192, &bound);
        sc_ball_mul(&bound, &bound, &kept, 192);
        sc_ball_add(&bound, &bound, &aside, 192);
        sc_curve_delta_upper(&m->cost.curve, &epsilon, 192, &curve);
        CHECK(!sc_ball_is_less(&bound, &curve));
        sc_ratio_clear(&epsilon);
    }
    CHECK_NEAR(sc_ball_upper(&bound), sc_ball_upper(&curve), 1e-9);
    sc_ball_clear(&curve);
    sc_ball_clear(&bound);
    sc_ball_clear(&kept);
    sc_ball_clear(&aside);
    sc_curve_clear(&rest);
}

/* Cell 0 is what is not shown, cell i what is shown as T + i - 1, the last one all from there on. */
enum { CELLS = 8 };

/* Draws of a group of `units` units, beside another one. */
static bool count_draws(const scrim_measurement *m, int64_t units, sc_tape *tape,
                        uint64_t draws, uint64_t seen[CELLS])
{
    const int64_t t = sc_threshold_of(m), counts[] = {units, 3};
    const sc_private_input input = {.values = counts, .count = 2};
    for (uint64_t i = 0; i < draws; i++) {
        sc_int128 values[2];
        sc_mark marks[2];
        sc_draw draw = {.values = values, .marks = marks, .capacity = 2};
        if (!CHECK_STATUS(
                m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &draw, NULL),
                SCRIM_OK))
            return false;
        const bool is_shown = marks[0] == SC_MARK_ABOVE_VALUE;
        CHECK(is_shown ? values[0] >= t : marks[0] == SC_MARK_BELOW && values[0] == 0);
        const sc_int128 cell = is_shown ? values[0] - t + 1 : 0;
        seen[cell < CELLS ? cell : CELLS - 1]++;
    }
    return true;
}

static void check_fit(const scrim_measurement *m, int64_t units,
                      const uint64_t seen[CELLS])
{
    const int64_t t = sc_threshold_of(m);
    double expected[CELLS], rest = 1;
    sc_outcomes law;
    if (!choices_law(m, &units, 1, 128, &law))
        return;
    for (int i = 0; i < CELLS - 1; i++) {
        expected[i] = threshold_mass(&law, i == 0 ? SC_THRESHOLD_UNSEEN : t + i - 1);
        rest -= expected[i];
    }
    expected[CELLS - 1] = rest;
    CHECK(laws_chi_square(seen, expected, CELLS) > LAWS_FALSE_ALARM);
    sc_outcomes_clear(&law);
}

void threshold_check_draws(const char *line)
{
    scrim_measurement *m = choices_new(line);
    sc_tape *tape = NULL;
    const uint64_t draws = check_count(20000, 1000000);
    if (m == NULL || !CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK))
        return;
    for (int64_t n = 0; n < sc_threshold_of(m) + 2; n++) {
        uint64_t seen[CELLS] = {0};
        if (!count_draws(m, n, tape, draws, seen))
            break;
        if (n == 0)
            CHECK_INT(seen[0], draws);
        else
            check_fit(m, n, seen);
    }
    sc_tape_free(tape);
    scrim_measurement_free(m);
}
