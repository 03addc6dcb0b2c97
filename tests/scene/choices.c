#include "choices.h"

#include "balls.h"
#include "base/memory.h"
#include "exact.h"
#include "goodness.h"
#include "laws.h"
#include "model/outcomes.h"
#include "random/bits_tape.h"

#include <stdio.h>
#include <string.h>

static scrim_measurement *parse(const char *line,
                                scrim_status (*make)(const char *, scrim_measurement **,
                                                     scrim_error *))
{
    scrim_measurement *m = NULL;
    scrim_error error = {.status = SCRIM_OK};
    if (make(line, &m, &error) != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}

scrim_measurement *choices_new(const char *line)
{
    return parse(line, scrim_measurement_parse);
}

scrim_measurement *choices_model(const char *line)
{
    return parse(line, scrim_measurement_parse_model);
}

void choices_refused(const char *line, scrim_status status, const char *text)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.status = SCRIM_OK};
    if (!CHECK_STATUS(scrim_measurement_parse(line, &m, &error), status) ||
        !CHECK(strstr(error.message, text) != NULL))
        CHECK_FAIL("%s: %s", line, error.message);
    scrim_measurement_free(m);
}

void choices_refuse(const char *mechanism, const choices_refusal *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s %s", mechanism, list[i].rest);
        choices_refused(line, list[i].status, list[i].text);
    }
}

void choices_refuse_without(const char *mechanism)
{
    static const choices_refusal cases[] = {
        {"epsilon=1 neighbours=add-remove", SCRIM_E_PARAM, "delta"},
        {"delta=1e-5 neighbours=add-remove", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=1 delta=1e-5", SCRIM_E_PARAM, "neighbours"},
        {"epsilon=1 delta=0 neighbours=replace", SCRIM_E_PARAM, "delta"},
        {"epsilon=1 delta=1 neighbours=replace", SCRIM_E_PARAM, "delta"}};
    choices_refuse(mechanism, cases, sizeof cases / sizeof *cases);
}

bool choices_law(const scrim_measurement *m, const int64_t *values, size_t count,
                 long bits, sc_outcomes *out)
{
    const sc_private_input input = {.values = values, .count = count};
    scrim_error error = {.status = SCRIM_OK};
    sc_outcomes_init(out, m->mechanism->width(m, count));
    if (m->mechanism->law(m, &input, bits, out, &error) == SCRIM_OK)
        return true;
    return CHECK_FAIL("%s: %s", m->text, error.message);
}

double choices_mass(const sc_outcomes *law, const int64_t *key)
{
    sc_ball mass;
    sc_ball_init(&mass);
    outcomes_mass(law, key, &mass);
    const double p = goodness_middle(&mass);
    sc_ball_clear(&mass);
    return p;
}

void choices_check_total(const sc_outcomes *law, long bits)
{
    sc_ball total, one;
    sc_ball_init(&total);
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    sc_outcomes_total(law, bits + 64, &total);
    CHECK(sc_ball_contains(&total, &one));
    CHECK(sc_ball_is_accurate(&total, bits));
    sc_ball_clear(&one);
    sc_ball_clear(&total);
}

/* An answer that is not shown is 0, and a key of its own in the law. */
static void hide(const sc_mark *marks, size_t count, sc_int128 *answer)
{
    for (size_t i = 0; i < count; i++)
        if (marks[i] == SC_MARK_NONE || marks[i] == SC_MARK_BELOW) {
            CHECK_INT(answer[i], 0);
            answer[i] = SC_OUTCOMES_NO_NUMBER;
        }
}

scrim_status choices_draw(const scrim_measurement *m, sc_bits *bits,
                          const int64_t *values, size_t count, sc_int128 *answer,
                          size_t capacity)
{
    const sc_private_input input = {.values = values, .count = count};
    sc_mark marks[SC_PAIR_VALUES];
    sc_draw draw = {.values = answer, .marks = marks, .capacity = capacity};
    if (!CHECK(m->mechanism->answer_count(m, count) <= capacity) ||
        !CHECK(capacity <= SC_PAIR_VALUES))
        return SCRIM_E_INTERNAL;
    scrim_status status =
        m->mechanism->wraps ? m->then->mechanism->draw(m->then, bits, &input, &draw, NULL)
                            : SCRIM_OK;
    if (status == SCRIM_OK)
        status = m->mechanism->draw(m, bits, &input, &draw, NULL);
    CHECK_INT(draw.count, status == SCRIM_OK ? m->mechanism->answer_count(m, count) : 0);
    if (status == SCRIM_OK && m->mechanism->wraps)
        hide(marks, draw.count, answer);
    return status;
}

/* The place of a key in sorted outcomes; their number when it is not there. */
static size_t find(const sc_outcomes *law, const sc_int128 *key)
{
    for (size_t i = 0; i < law->count; i++) {
        size_t same = 0;
        while (same < law->width && law->keys[i * law->width + same] == key[same])
            same++;
        if (same == law->width)
            return i;
    }
    return law->count;
}

void choices_fit(const char *line, const int64_t *values, size_t count, uint64_t draws)
{
    scrim_measurement *m = choices_new(line);
    sc_outcomes law;
    sc_tape *tape = NULL;
    sc_int128 answer[SC_PAIR_VALUES];
    if (m == NULL || !choices_law(m, values, count, 128, &law))
        return;
    uint64_t *seen = sc_allocate(law.count + 1, sizeof *seen);
    double *expected = sc_allocate(law.count + 1, sizeof *expected);
    for (size_t i = 0; i < law.count; i++)
        expected[i] = goodness_middle(&law.mass[i]);
    bool ok = CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK);
    for (uint64_t i = 0; ok && i < draws; i++) {
        ok = CHECK_STATUS(
            choices_draw(m, sc_tape_bits_of(tape), values, count, answer, SC_PAIR_VALUES),
            SCRIM_OK);
        if (ok)
            seen[find(&law, answer)]++;
    }
    CHECK_INT(seen[law.count], 0);
    if (!CHECK(laws_chi_square(seen, expected, law.count) > LAWS_FALSE_ALARM))
        CHECK_FAIL("%s", line);
    sc_tape_free(tape);
    sc_free(expected);
    sc_free(seen);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

void choices_check_refusals(const char *name, const char *extra)
{
    static const struct {
        const char *rest;
        scrim_status status;
        const char *text;
    } cases[] = {
        {"sensitivity=1 neighbours=replace", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=1 neighbours=replace", SCRIM_E_PARAM, "sensitivity is missing"},
        {"epsilon=1 sensitivity=1", SCRIM_E_PARAM, "neighbours is missing"},
        {"epsilon=1 sensitivity=0 neighbours=replace", SCRIM_E_PARAM, "sensitivity"},
        {"epsilon=1 sensitivity=-1 neighbours=replace", SCRIM_E_PARAM, "sensitivity"},
        {"epsilon=1 sensitivity=1e30 neighbours=replace", SCRIM_E_LIMIT, "sensitivity"},
        {"epsilon=0 sensitivity=1 neighbours=replace", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=-1 sensitivity=1 neighbours=replace", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=inf sensitivity=1 neighbours=replace", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=nan sensitivity=1 neighbours=replace", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=1001 sensitivity=1 neighbours=replace", SCRIM_E_LIMIT, "epsilon"},
        {"epsilon=2^-61 sensitivity=1 neighbours=replace", SCRIM_E_LIMIT, "epsilon"},
        {"epsilon=1 sensitivity=1 neighbours=local", SCRIM_E_PARAM, "neighbours"},
        {"epsilon=1 sensitivity=1 neighbours=replace monotone=yes", SCRIM_E_PARAM,
         "monotone"},
        {"epsilon=1 sensitivity=1 neighbours=replace monotone=maybe", SCRIM_E_PARAM,
         "monotone"},
        {"epsilon=1 sensitivity=1 neighbours=replace grid=3", SCRIM_E_PARAM, "grid"},
        {"epsilon=1 sensitivity=1 neighbours=replace grid=0", SCRIM_E_PARAM, "grid"},
        {"epsilon=1 sensitivity=1 neighbours=replace candidates=3", SCRIM_E_PARAM,
         "candidates"},
        {"epsilon=1 sensitivity=2^60 neighbours=replace grid=0.001", SCRIM_E_LIMIT, ""},
    };
    char line[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(line, sizeof line, "%s %s %s", name, extra, cases[i].rest);
        choices_refused(line, cases[i].status, cases[i].text);
    }
    const char *const ranges[] = {"lower=5 upper=5", "lower=1 upper=0",
                                  "lower=1/2 upper=3"};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        snprintf(line, sizeof line, "%s epsilon=1 sensitivity=1 neighbours=replace %s %s",
                 name, ranges[i], strstr(extra, "lower") == NULL ? extra : "");
        choices_refused(line, SCRIM_E_PARAM, "");
    }
}

void choices_check_entropy(const char *line, const int64_t *values, size_t count)
{
    enum { WORDS = 4096 };
    static uint64_t words[WORDS];
    scrim_measurement *m = choices_new(line);
    sc_tape *tape = NULL;
    bool is_drawn = false;
    size_t n = 0;
    if (m == NULL || !CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK))
        return;
    for (size_t i = 0; i < WORDS; i++)
        CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &words[i], NULL), SCRIM_OK);
    sc_tape_free(tape);
    for (; !is_drawn && n < WORDS; n++) {
        sc_int128 answer[SC_PAIR_VALUES] = {77};
        if (!CHECK_STATUS(sc_tape_words(words, n, &tape, NULL), SCRIM_OK))
            break;
        scrim_status status =
            choices_draw(m, sc_tape_bits_of(tape), values, count, answer, SC_PAIR_VALUES);
        is_drawn = status == SCRIM_OK;
        if (!is_drawn) {
            CHECK_STATUS(status, SCRIM_E_ENTROPY);
            CHECK(answer[0] == 77 || answer[0] == 0); /* untouched, or wiped */
        }
        sc_tape_free(tape);
    }
    CHECK(is_drawn);
    CHECK(n > 1);
    scrim_measurement_free(m);
}

/* Is the probability that the last of count candidates, gap steps above the others, is not
 * chosen at most beta? */
static bool is_lost_rarely(const scrim_measurement *m, size_t count, int64_t gap,
                           const sc_ratio *beta)
{
    int64_t scores[SC_PAIR_VALUES] = {0};
    const int64_t last = (int64_t)count - 1;
    sc_outcomes law;
    sc_ball limit, won;
    sc_ball_init(&limit);
    sc_ball_init(&won);
    scores[last] = gap;
    bool ok = choices_law(m, scores, count, 128, &law);
    outcomes_mass(&law, &last, &won);
    sc_ball_neg(&won, &won);
    sc_ball_add_int64(&won, &won, 1, 192);
    sc_ball_set_ratio(&limit, beta, 192);
    ok = ok && sc_ball_is_less_equal(&won, &limit);
    sc_outcomes_clear(&law);
    sc_ball_clear(&won);
    sc_ball_clear(&limit);
    return ok;
}

void choices_check_accuracy(const char *line, size_t count, const char *confidence,
                            bool is_attained)
{
    scrim_measurement *m = choices_new(line);
    scrim_certificate certificate;
    sc_ratio radius, step, beta;
    int64_t steps = 0;
    if (m == NULL ||
        !CHECK_STATUS(scrim_measurement_certify(m, confidence, count, &certificate, NULL),
                      SCRIM_OK))
        return;
    CHECK_INT(certificate.form, SCRIM_CERTIFICATE_PAC);
    CHECK_STR(certificate.confidence, confidence);
    exact_ratio(certificate.radius, &radius);
    exact_ratio(confidence, &beta);
    sc_ratio_init(&step);
    sc_ratio_set_int64(&step, 1);
    sc_ratio_sub(&beta, &step, &beta);
    sc_grid_step(&m->domain.grid, &step);
    sc_ratio_div(&radius, &radius, &step);
    CHECK(sc_ratio_is_integer(&radius));
    while (sc_ratio_compare_int64(&radius, steps) > 0)
        steps++;
    if (!CHECK(is_lost_rarely(m, count, steps + 1, &beta)) ||
        (is_attained && steps > 0 && !CHECK(!is_lost_rarely(m, count, steps, &beta))))
        CHECK_FAIL("%s, %zu candidates, radius %s", line, count, certificate.radius);
    sc_ratio_clear(&step);
    sc_ratio_clear(&beta);
    sc_ratio_clear(&radius);
    scrim_measurement_free(m);
}

void choices_check_wrong(const char *line, int64_t c, const char *printed)
{
    const int64_t scores[] = {c, 0}, second = 1;
    scrim_measurement *m = choices_new(line);
    sc_outcomes law;
    sc_ball wrong;
    if (m == NULL || !choices_law(m, scores, 2, EXACT_BITS, &law))
        return;
    sc_ball_init(&wrong);
    outcomes_mass(&law, &second, &wrong);
    CHECK_PRINTED(&wrong, printed);
    sc_ball_clear(&wrong);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

void choices_words(sc_uint128 z, sc_uint128 n, uint64_t words[2])
{
    sc_integer u, part, two128;
    sc_uint128 value = 0;
    sc_integer_init(&u);
    sc_integer_init(&part);
    sc_integer_init(&two128);
    sc_integer_set_int128(&part, 1);
    sc_integer_shift_left(&two128, &part, 128);
    /* The last u with u n below (z + 1) 2^128: ceil((z + 1) 2^128 / n) - 1. */
    sc_integer_set_uint128(&u, z + 1);
    sc_integer_mul(&u, &u, &two128);
    sc_integer_sub(&u, &u, &part);
    sc_integer_set_uint128(&part, n);
    sc_integer_divide(&u, NULL, &u, &part);
    CHECK(sc_integer_get_uint128(&u, &value));
    words[0] = (uint64_t)value;
    words[1] = (uint64_t)(value >> 64);
    sc_integer_clear(&two128);
    sc_integer_clear(&part);
    sc_integer_clear(&u);
}

size_t choices_fractions(const json_t *exponents, sc_fraction *out, size_t capacity)
{
    size_t count = json_array_size(exponents);
    if (!CHECK(count > 0 && count <= capacity))
        return 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(exponents, i);
        sc_integer n, d;
        sc_integer_init(&n);
        sc_integer_init(&d);
        sc_integer_set_int128(&n, json_integer_value(json_array_get(pair, 0)));
        sc_integer_set_int128(&d, json_integer_value(json_array_get(pair, 1)));
        sc_fraction_init_integers(&out[i], &n, &d);
        sc_integer_clear(&d);
        sc_integer_clear(&n);
    }
    return count;
}

size_t choices_scores(const json_t *exponents, int64_t *scores, size_t capacity,
                      sc_ratio *rate)
{
    const int64_t whole = 2520; /* every denominator up to 10 divides it */
    size_t count = json_array_size(exponents);
    sc_ratio divisor;
    sc_ratio_init(rate);
    sc_ratio_init(&divisor);
    sc_ratio_set_int64(rate, 1);
    sc_ratio_set_int64(&divisor, whole);
    sc_ratio_div(rate, rate, &divisor);
    sc_ratio_clear(&divisor);
    if (!CHECK(count > 0 && count <= capacity))
        return 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(exponents, i);
        int64_t n = json_integer_value(json_array_get(pair, 0));
        int64_t d = json_integer_value(json_array_get(pair, 1));
        if (!CHECK(d > 0 && whole % d == 0))
            return 0;
        scores[i] = -n * (whole / d);
    }
    return count;
}
