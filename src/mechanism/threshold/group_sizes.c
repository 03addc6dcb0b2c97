#include "mechanism/threshold/kept_size.h"
#include "mechanism/threshold/least_size.h"
#include "mechanism/threshold/stabilise.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/domain.h"
#include "scrim/threshold.h"

#include <stdio.h>
#include <string.h>

#define BITS 256

static const char *const family[] = {"partition-selection", "threshold-laplace",
                                     "threshold-truncated", "threshold-gaussian"};
#define FAMILY (sizeof family / sizeof *family)
_Static_assert(FAMILY <= SCRIM_SIZES_ROWS, "there is a row for each");

/* What is asked, as numbers. */
typedef struct question {
    sc_ratio half, likely, one;
} question;

static void question_init(question *q)
{
    sc_ratio_init(&q->half);
    sc_ratio_init(&q->likely);
    sc_ratio_init(&q->one);
    sc_ratio_set_int64(&q->one, 1);
    sc_ratio_set_int64(&q->half, 2);
    sc_ratio_div(&q->half, &q->one, &q->half);
}

static void question_clear(question *q)
{
    sc_ratio_clear(&q->one);
    sc_ratio_clear(&q->likely);
    sc_ratio_clear(&q->half);
}

static scrim_status read_confidence(question *q, const char *text, char *shown,
                                    scrim_error *error)
{
    scrim_status status =
        sc_ratio_parse(sc_text_of(text == NULL ? "0.95" : text), &q->likely, error);
    if (status == SCRIM_OK &&
        (sc_ratio_sign(&q->likely) <= 0 || sc_ratio_compare_int64(&q->likely, 1) >= 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                             "confidence must be above 0 and below 1");
    if (status == SCRIM_OK &&
        sc_ratio_format(&q->likely, shown, SCRIM_NUMBER_BYTES) >= SCRIM_NUMBER_BYTES)
        status = sc_fail(error, SCRIM_E_LIMIT, "confidence has too many digits");
    return status;
}

/* Rows. */

static uint64_t size_of(const scrim_measurement *m, const sc_ratio *p)
{
    uint64_t units = 0;
    return sc_threshold_kept_size(m, p, &units) ? units : 0;
}

static void fill_row(const scrim_measurement *m, const question *q, scrim_sizes_row *out)
{
    SC_OWN(sc_ball, delta);
    out->is_possible = true;
    out->kept = (scrim_group_sizes){.half = size_of(m, &q->half),
                                    .likely = size_of(m, &q->likely),
                                    .certain = size_of(m, &q->one)};
    sc_curve_delta_upper(&m->cost.curve, &m->cost.epsilon, BITS, &delta);
    out->delta_upper = sc_ball_upper(&delta);
    out->has_threshold = scrim_threshold_describe(m, &out->facts, NULL) == SCRIM_OK;
}

static bool is_on_groups(const scrim_measurement *m)
{
    bool found = m->mechanism == &sc_stabilise;
    for (size_t i = 0; i < FAMILY; i++)
        found = found || strcmp(m->mechanism->entry.name, family[i]) == 0;
    return found;
}

/* The others, where the same parameters mean something to them; what is beyond their limits
 * stays a row. */
static scrim_status add_others(const char *name, const char *rest, const question *q,
                               scrim_sizes_report *out, scrim_error *error)
{
    for (size_t i = 0; i < FAMILY; i++) {
        char line[SCRIM_SIZES_TEXT_BYTES + 64];
        scrim_measurement *m = NULL;
        if (strcmp(family[i], name) == 0)
            continue;
        (void)snprintf(line, sizeof line, "%s%s", family[i], rest);
        const scrim_status status = scrim_measurement_parse_model(line, &m, NULL);
        if (status == SCRIM_E_MEMORY || status == SCRIM_E_INTERNAL)
            return sc_fail(error, status, "out of memory for a measurement");
        if (status != SCRIM_OK && status != SCRIM_E_LIMIT)
            continue;
        if (out->count == SCRIM_SIZES_ROWS)
            break;
        out->rows[out->count] = (scrim_sizes_row){.name = family[i]};
        if (m != NULL)
            fill_row(m, q, &out->rows[out->count]);
        out->count++;
        scrim_measurement_free(m);
    }
    return SCRIM_OK;
}

/* Anybody. */

/* How much one unit changes one group, at most. */
static uint64_t reach_of(const scrim_measurement *m)
{
    static const char *const names[] = {"sensitivity", "max-total", "max-rows"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sc_measurement_get(m, names[i]) != NULL)
            return (uint64_t)sc_measurement_integer(m, names[i], 1);
    return 1;
}

/* And all of them together. */
static uint64_t total_of(const scrim_measurement *m)
{
    const uint64_t sides = sc_measurement_neighbours(m) == SCRIM_REPLACE ? 2 : 1;
    if (m->mechanism == &sc_stabilise)
        return reach_of(m);
    if (sc_measurement_get(m, "max-total") != NULL)
        return sides * reach_of(m);
    return sc_unit_counts_changed(m) * reach_of(m);
}

static void set_least(const scrim_measurement *m, const question *q,
                      scrim_group_sizes *out)
{
    const sc_ratio *epsilon = &m->cost.epsilon, *delta = &m->cost.delta;
    const uint64_t reach = reach_of(m);
    *out = (scrim_group_sizes){0};
    (void)sc_least_size(epsilon, delta, reach, &q->half, &out->half);
    (void)sc_least_size(epsilon, delta, reach, &q->likely, &out->likely);
    (void)sc_least_size(epsilon, delta, reach, &q->one, &out->certain);
}

static scrim_status set_universe(const scrim_measurement *m, const question *q,
                                 const char *keys, scrim_sparsity *out,
                                 scrim_error *error)
{
    char texts[2][SCRIM_SIZES_TEXT_BYTES];
    SC_OWN(sc_ratio, x, total);
    sc_ratio_set_int128(&total, (sc_int128)total_of(m));
    sc_ratio_div(&x, &m->cost.epsilon, &total);
    size_t longest = sc_ratio_format(&x, texts[0], sizeof texts[0]);
    sc_ratio_sub(&x, &q->one, &q->likely);
    const size_t bytes = sc_ratio_format(&x, texts[1], sizeof texts[1]);
    longest = bytes > longest ? bytes : longest;
    if (longest >= sizeof texts[0])
        return sc_fail(error, SCRIM_E_LIMIT, "epsilon has too many digits");
    return scrim_sparsity_of(texts[0], keys, texts[1], out, error);
}

/* Both together. */

static scrim_status report(const scrim_measurement *m, const question *q,
                           const char *keys, scrim_sizes_report *out, scrim_error *error)
{
    const char *text = scrim_measurement_text(m);
    const char *rest = strchr(text, ' ');
    if (!is_on_groups(m))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "mechanism",
                           "%s is not on groups; partition-selection, threshold-laplace, "
                           "threshold-truncated, threshold-gaussian and stabilise are",
                           m->mechanism->entry.name);
    if (strlen(text) >= sizeof out->text)
        return sc_fail(error, SCRIM_E_LIMIT, "the line has too many digits");
    memcpy(out->text, text, strlen(text) + 1);
    out->count = 1;
    out->rows[0] = (scrim_sizes_row){.name = m->mechanism->entry.name};
    fill_row(m, q, &out->rows[0]);
    set_least(m, q, &out->least);
    scrim_status status = scrim_measurement_cost(m, &out->cost, error);
    if (status == SCRIM_OK)
        status =
            add_others(m->mechanism->entry.name, rest == NULL ? "" : rest, q, out, error);
    if (status == SCRIM_OK && keys != NULL) {
        status = set_universe(m, q, keys, &out->universe, error);
        out->has_universe = status == SCRIM_OK;
    }
    return status;
}

scrim_status scrim_group_sizes_of(const char *line, const char *confidence,
                                  const char *keys, scrim_sizes_report *out,
                                  scrim_error *error)
{
    scrim_measurement *m = NULL;
    question q;
    scrim_sizes_report found = {.count = 0};
    question_init(&q);
    scrim_status status = read_confidence(&q, confidence, found.confidence, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_parse_model(line, &m, error);
    SC_BALL_SCOPE(scope);
    if (status == SCRIM_OK)
        status = report(m, &q, keys, &found, error);
    if (status == SCRIM_OK)
        *out = found;
    scrim_measurement_free(m);
    question_clear(&q);
    return status;
}
