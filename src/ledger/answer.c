/* A double here is a view of a value that has been released. */
#include "ledger/answer.h"

#include "base/memory.h"
#include "base/number/ratio.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value in the unit of the input; an index or a mark is what it is. */
static void value_of(const scrim_answer *answer, size_t index, sc_ratio *out)
{
    SC_OWN(sc_integer, whole, one);
    SC_OWN(sc_ratio, step);
    sc_integer_set_int128(&whole, answer->values[index]);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_fraction(out, &whole, &one);
    sc_mark mark = answer->marks[index];
    if (mark == SC_MARK_VALUE || mark == SC_MARK_ABOVE_VALUE) {
        sc_grid_step(&answer->grid, &step);
        sc_ratio_mul(out, out, &step);
    }
}

/* Is the value in the unit of the input the number that was drawn? Most values are, and large tables have many. */
static bool is_plain(const scrim_answer *answer, size_t index)
{
    const sc_mark mark = answer->marks[index];
    const sc_int128 value = answer->values[index];
    return value >= INT64_MIN && value <= INT64_MAX &&
           (answer->grid.exponent == 0 ||
            (mark != SC_MARK_VALUE && mark != SC_MARK_ABOVE_VALUE));
}

static char *plain_text(int64_t value)
{
    char digits[24];
    const int bytes = snprintf(digits, sizeof digits, "%" PRId64, value);
    char *text = sc_allocate((size_t)bytes + 1, 1);
    if (text != NULL)
        memcpy(text, digits, (size_t)bytes);
    return text;
}

static char *text_of(const scrim_answer *answer, size_t index)
{
    if (scrim_answer_kind_at(answer, index) == SCRIM_ANSWER_NONE)
        return sc_allocate(1, 1); /* "" */
    if (is_plain(answer, index))
        return plain_text((int64_t)answer->values[index]);
    SC_OWN(sc_ratio, value);
    value_of(answer, index, &value);
    size_t bytes = sc_ratio_format(&value, NULL, 0) + 1;
    char *text = sc_allocate(bytes, 1);
    if (text != NULL)
        sc_ratio_format(&value, text, bytes);
    return text;
}

/* The values of a histogram follow their places. */
static bool take_places(scrim_answer *answer, const sc_draw *draw)
{
    answer->places = sc_allocate(draw->count / 2, sizeof *answer->places);
    for (size_t i = 0; answer->places != NULL && i < draw->count / 2; i++)
        answer->places[i] = (uint64_t)draw->values[2 * i];
    return answer->places != NULL;
}

static bool fill(scrim_answer *answer, const sc_draw *draw, bool is_histogram)
{
    const size_t each = is_histogram ? 2 : 1, count = draw->count / each;
    answer->values = sc_allocate(count, sizeof *answer->values);
    answer->marks = sc_allocate(count, sizeof *answer->marks);
    answer->texts = sc_allocate(count, sizeof *answer->texts);
    if (answer->values == NULL || answer->marks == NULL || answer->texts == NULL ||
        (is_histogram && !take_places(answer, draw)))
        return false;
    answer->count = count;
    for (size_t i = 0; i < count; i++) {
        answer->values[i] = draw->values[each * i + each - 1];
        answer->marks[i] = draw->marks[each * i + each - 1];
        answer->texts[i] = text_of(answer, i);
        if (answer->texts[i] == NULL)
            return false;
    }
    return true;
}

static bool set_left_out(scrim_answer *answer, const scrim_measurement *m)
{
    if (m->mechanism->is_kept == NULL)
        return true;
    answer->left_out = sc_allocate(answer->count, sizeof *answer->left_out);
    for (size_t i = 0; answer->left_out != NULL && i < answer->count; i++)
        answer->left_out[i] =
            !m->mechanism->is_kept(m, answer->marks[i], answer->values[i]);
    return answer->left_out != NULL;
}

/* Labels for the places of bars. */
static bool set_bar_labels(scrim_answer *answer, const scrim_measurement *m)
{
    const sc_mechanism *mechanism = m->mechanism;
    answer->labels = sc_allocate(answer->count, sizeof *answer->labels);
    for (size_t i = 0; answer->labels != NULL && i < answer->count; i++) {
        const size_t bytes = mechanism->bar_label(m, answer->places[i], NULL, 0) + 1;
        answer->labels[i] = sc_allocate(bytes, 1);
        if (answer->labels[i] == NULL)
            return false;
        (void)mechanism->bar_label(m, answer->places[i], answer->labels[i], bytes);
    }
    answer->label_name = mechanism->bar_name;
    return answer->labels != NULL;
}

/* The items of the list that the values belong to. */
static bool set_labels(scrim_answer *answer, const scrim_measurement *measurement)
{
    const char *name = measurement->mechanism->answer_parameter;
    size_t count = 0;
    const sc_ratio *items =
        name == NULL ? NULL : sc_parameters_items(&measurement->parameters, name, &count);
    if (items == NULL || count != answer->count)
        return true;
    answer->labels = sc_allocate(count, sizeof *answer->labels);
    for (size_t i = 0; answer->labels != NULL && i < count; i++) {
        size_t bytes = sc_ratio_format(&items[i], NULL, 0) + 1;
        answer->labels[i] = sc_allocate(bytes, 1);
        if (answer->labels[i] == NULL)
            return false;
        sc_ratio_format(&items[i], answer->labels[i], bytes);
    }
    answer->label_name = name;
    return answer->labels != NULL;
}

scrim_status sc_answer_new(const scrim_measurement *measurement, const sc_draw *draw,
                           uint64_t entry, scrim_answer **out, scrim_error *error)
{
    scrim_answer *answer = sc_allocate(1, sizeof *answer);
    if (answer == NULL)
        return sc_no_memory(error, "an answer");
    answer->grid = measurement->domain.grid;
    answer->has_halted = draw->has_halted;
    answer->entry = entry;
    sc_cost_format(&measurement->cost, &answer->cost);
    const bool is_histogram = measurement->mechanism->bar_label != NULL;
    if (!fill(answer, draw, is_histogram) || !set_left_out(answer, measurement) ||
        !(is_histogram ? set_bar_labels : set_labels)(answer, measurement)) {
        scrim_answer_free(answer);
        return sc_no_memory(error, "an answer");
    }
    scrim_status status = SCRIM_OK;
    if (measurement->mechanism->radii != NULL)
        status = measurement->mechanism->radii(measurement, &answer->radii, error);
    if (status == SCRIM_OK)
        *out = answer;
    else
        scrim_answer_free(answer);
    return status;
}

void scrim_answer_free(scrim_answer *answer)
{
    if (answer == NULL)
        return;
    for (size_t i = 0; i < answer->count; i++)
        sc_free(answer->texts[i]);
    for (size_t i = 0; answer->labels != NULL && i < answer->count; i++)
        sc_free(answer->labels[i]);
    if (answer->radii != NULL)
        answer->radii->free(answer->radii);
    sc_free(answer->labels);
    sc_free(answer->texts);
    sc_free(answer->left_out);
    sc_free(answer->marks);
    sc_free(answer->places);
    sc_free(answer->values);
    sc_free(answer);
}

size_t scrim_answer_count(const scrim_answer *answer)
{
    return answer->count;
}

scrim_answer_kind scrim_answer_kind_at(const scrim_answer *answer, size_t index)
{
    return index < answer->count ? (scrim_answer_kind)(answer->marks[index] + 1)
                                 : SCRIM_ANSWER_NONE;
}

int scrim_answer_is_kept(const scrim_answer *answer, size_t index)
{
    return index < answer->count &&
           (answer->left_out == NULL || !answer->left_out[index]);
}

const char *scrim_answer_text(const scrim_answer *answer, size_t index)
{
    return index < answer->count ? answer->texts[index] : NULL;
}

const char *scrim_answer_label_name(const scrim_answer *answer)
{
    return answer->label_name;
}

const char *scrim_answer_label(const scrim_answer *answer, size_t index)
{
    return answer->labels == NULL || index >= answer->count ? NULL
                                                            : answer->labels[index];
}

int scrim_answer_place(const scrim_answer *answer, size_t index, uint64_t *out)
{
    if (answer->places == NULL || index >= answer->count)
        return 0;
    *out = answer->places[index];
    return 1;
}

int scrim_answer_integer(const scrim_answer *answer, size_t index, int64_t *out)
{
    sc_int128 wide = 0;
    if (scrim_answer_kind_at(answer, index) == SCRIM_ANSWER_NONE)
        return 0;
    SC_OWN(sc_ratio, value);
    SC_OWN(sc_integer, whole);
    value_of(answer, index, &value);
    sc_ratio_numerator(&value, &whole);
    return sc_ratio_is_integer(&value) && sc_integer_get_int128(&whole, &wide) &&
           sc_int128_to_int64(wide, out);
}

/* 2^exponent as a rational. */
static void set_power2(int exponent, sc_ratio *out)
{
    SC_OWN(sc_integer, one, power);
    sc_integer_set_int128(&one, 1);
    sc_integer_shift_left(&power, &one, (unsigned)abs(exponent));
    if (exponent >= 0)
        sc_ratio_set_fraction(out, &power, &one);
    else
        sc_ratio_set_fraction(out, &one, &power);
}

/* The integer nearest to x 2^shift, which is below 2^63 in size; of two the even one. */
static int64_t digits_at(const sc_ratio *x, int shift)
{
    sc_int128 value = 0;
    SC_OWN(sc_ratio, scaled, part);
    SC_OWN(sc_integer, whole);
    set_power2(shift, &part);
    sc_ratio_mul(&scaled, x, &part);
    set_power2(-1, &part);
    sc_ratio_add(&scaled, &scaled, &part);
    sc_ratio_floor(&scaled, &whole);
    (void)sc_integer_get_int128(&whole, &value);
    if (sc_ratio_is_integer(&scaled) && value % 2 != 0)
        value--;
    return (int64_t)value;
}

double scrim_answer_double(const scrim_answer *answer, size_t index)
{
    if (scrim_answer_kind_at(answer, index) == SCRIM_ANSWER_NONE)
        return (double)NAN;
    SC_OWN(sc_ratio, value);
    value_of(answer, index, &value);
    int shift = 53 - (int)sc_ratio_exponent(&value);
    int64_t digits = digits_at(&value, shift);
    if (llabs(digits) > (int64_t)1 << 53)
        digits = digits_at(&value, --shift);
    return ldexp((double)digits, -shift);
}

int scrim_answer_has_halted(const scrim_answer *answer)
{
    return answer->has_halted;
}

const scrim_cost *scrim_answer_cost(const scrim_answer *answer)
{
    return &answer->cost;
}

uint64_t scrim_answer_entry(const scrim_answer *answer)
{
    return answer->entry;
}

/* The radius of a number by the certificate that covers it. */
static scrim_status find_radius(const scrim_answer *answer, size_t index,
                                const scrim_certificate *certificate, const char **out,
                                scrim_error *error)
{
    const scrim_answer_kind kind = scrim_answer_kind_at(answer, index);
    if (kind != SCRIM_ANSWER_VALUE && kind != SCRIM_ANSWER_ABOVE_VALUE)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "answer",
                           "only a number has an interval");
    if (certificate->form == SCRIM_CERTIFICATE_INTERVAL ||
        certificate->form == SCRIM_CERTIFICATE_RANGE ||
        certificate->form == SCRIM_CERTIFICATE_DROP ||
        (certificate->form == SCRIM_CERTIFICATE_FLEXIBLE &&
         certificate->radius[0] != '\0'))
        *out = certificate->radius;
    else if (certificate->value_radius[0] != '\0')
        *out = certificate->value_radius;
    else
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "certificate",
                           "the certificate is of another form and gives no interval");
    return SCRIM_OK;
}

/* The radius of a value whose accuracy is its own, at the confidence of the certificate. */
static scrim_status radius_at(const scrim_answer *answer, size_t index,
                              const scrim_certificate *certificate, sc_ratio *out,
                              scrim_error *error)
{
    SC_OWN(sc_ratio, confidence, beta);
    scrim_status status =
        sc_ratio_parse(sc_text_of(certificate->confidence), &confidence, error);
    sc_ratio_set_int64(&beta, 1);
    sc_ratio_sub(&beta, &beta, &confidence);
    if (status == SCRIM_OK &&
        (sc_ratio_sign(&beta) <= 0 || sc_ratio_compare_int64(&beta, 1) >= 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "certificate",
                             "the certificate is of another measurement");
    return status == SCRIM_OK ? answer->radii->at(answer->radii, &beta, index, out, error)
                              : status;
}

/* How far a value may be above the truth: by the radius, or what a one-sided statement says. */
static scrim_status above_of(const scrim_certificate *certificate, const sc_ratio *radius,
                             sc_ratio *out, scrim_error *error)
{
    if (certificate->form == SCRIM_CERTIFICATE_DROP &&
        certificate->value_radius[0] != '\0')
        return sc_ratio_parse(sc_text_of(certificate->value_radius), out, error);
    if (certificate->form == SCRIM_CERTIFICATE_DROP || /* which are never too large */
        certificate->form == SCRIM_CERTIFICATE_FLEXIBLE)
        sc_ratio_set_int64(out, 0);
    else
        sc_ratio_set(out, radius);
    return SCRIM_OK;
}

scrim_status scrim_answer_interval(const scrim_answer *answer, size_t index,
                                   const scrim_certificate *certificate, char *low,
                                   char *high, scrim_error *error)
{
    SC_REQUIRE(error, "answer certificate low high", answer, certificate, low, high);
    const char *given = NULL;
    scrim_status status = find_radius(answer, index, certificate, &given, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ratio, value, radius, lower, upper);
    status = sc_ratio_parse(sc_text_of(scrim_answer_text(answer, index)), &value, error);
    if (status == SCRIM_OK && answer->radii != NULL)
        status = radius_at(answer, index, certificate, &radius, error);
    else if (status == SCRIM_OK)
        status = sc_ratio_parse(sc_text_of(given), &radius, error);
    if (status == SCRIM_OK) {
        sc_ratio_set(&lower, &value);
        status = above_of(certificate, &radius, &upper, error);
        sc_ratio_sub(&lower, &value, &upper);
    }
    if (status == SCRIM_OK) {
        sc_ratio_add(&upper, &value, &radius);
        if (sc_ratio_format(&lower, NULL, 0) >= SCRIM_ANSWER_BYTES ||
            sc_ratio_format(&upper, NULL, 0) >= SCRIM_ANSWER_BYTES)
            status = sc_fail(error, SCRIM_E_LIMIT, "the interval has too many digits");
    }
    if (status == SCRIM_OK) {
        sc_ratio_format(&lower, low, SCRIM_ANSWER_BYTES);
        sc_ratio_format(&upper, high, SCRIM_ANSWER_BYTES);
    }
    return status;
}

/* Frequencies from many answers, where each person gives one of their own. */

/* A millionth: six decimal places. */
#define PARTS 1000000

static uint64_t count_of(const scrim_answer *answer, sc_int128 value)
{
    uint64_t count = 0;
    for (size_t i = 0; i < answer->count; i++)
        count += answer->values[i] == value;
    return count;
}

typedef void rounding(const sc_ratio *x, sc_integer *out);

/* floor(x + 1/2). */
static void round_near(const sc_ratio *x, sc_integer *out)
{
    SC_OWN(sc_ratio, half, two);
    sc_ratio_set_int64(&half, 1);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, &half, &two);
    sc_ratio_add(&half, &half, x);
    sc_ratio_floor(&half, out);
}

static void put_rounded(const sc_ratio *x, rounding *round, char text[SCRIM_NUMBER_BYTES])
{
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, whole, parts);
    sc_ratio_set_int64(&scaled, PARTS);
    sc_ratio_mul(&scaled, &scaled, x);
    round(&scaled, &whole);
    sc_integer_set_int128(&parts, PARTS);
    sc_ratio_set_fraction(&scaled, &whole, &parts);
    sc_ratio_format(&scaled, text, SCRIM_NUMBER_BYTES);
}

static void clamp(sc_ratio *x)
{
    if (sc_ratio_sign(x) < 0)
        sc_ratio_set_int64(x, 0);
    if (sc_ratio_compare_int64(x, 1) > 0)
        sc_ratio_set_int64(x, 1);
}

/* The interval is around the estimate that was brought into [0, 1]: it is never empty. */
static void put_frequency(const sc_ratio *estimate, const sc_ratio *radius,
                          scrim_frequency *out)
{
    SC_OWN(sc_ratio, middle, end);
    put_rounded(estimate, round_near, out->estimate);
    sc_ratio_set(&middle, estimate);
    clamp(&middle);
    sc_ratio_sub(&end, &middle, radius);
    clamp(&end);
    put_rounded(&end, sc_ratio_floor, out->low);
    sc_ratio_add(&end, &middle, radius);
    clamp(&end);
    put_rounded(&end, sc_ratio_ceil, out->high);
}

scrim_status scrim_answer_frequency(const scrim_answer *answer,
                                    const scrim_measurement *measurement, uint64_t value,
                                    const scrim_certificate *certificate,
                                    scrim_frequency *out, scrim_error *error)
{
    SC_REQUIRE(error, "answer measurement certificate out", answer, measurement,
               certificate, out);
    if (value >= scrim_measurement_values(measurement))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "value",
                           "no answer has that value, or no frequency is estimated");
    if (certificate->form != SCRIM_CERTIFICATE_FREQUENCY)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "certificate",
                           "the certificate is of another form and gives no frequency");
    if (answer->count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "answers",
                           "there are no answers to estimate from");
    const sc_int128 wanted = (sc_int128)measurement->domain.grid.low + value;
    SC_OWN(sc_ratio, estimate, radius);
    SC_TRY(sc_ratio_parse(sc_text_of(certificate->radius), &radius, error));
    measurement->mechanism->frequency(measurement, count_of(answer, wanted),
                                      answer->count, &estimate);
    put_frequency(&estimate, &radius, out);
    return SCRIM_OK;
}
