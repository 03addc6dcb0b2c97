#include "lab/experiment/function_table.h"

#include <stdlib.h>
#include <string.h>

/* Lengths. */

/* Inlined, gcc 12 takes the end of a length for the end of its allocation. */
__attribute__((noinline)) static int compare(const lab_length *a, const lab_length *b)
{
    if (a->is_infinite || b->is_infinite)
        return a->is_infinite - b->is_infinite;
    return fmpq_cmp(a->value, b->value);
}

static void copy(lab_length *out, const lab_length *x)
{
    out->is_infinite = x->is_infinite;
    fmpq_set(out->value, x->value);
}

static bool is_within(const lab_length *length, const fmpq_t limit)
{
    return !length->is_infinite && fmpq_cmp(length->value, limit) <= 0;
}

static const lab_length *between(const lab_distances *d, size_t from, size_t to)
{
    return &d->at[from * d->count + to];
}

static void format(const lab_length *x, char text[LAB_QUANTITY_TEXT_BYTES])
{
    LAB_QUANTITY(shown);
    if (x->is_infinite) {
        memcpy(text, "inf", sizeof "inf");
        return;
    }
    shown.is_exact = true;
    fmpq_set(shown.exact, x->value);
    lab_quantity_format(&shown, text);
}

static scrim_status read_number(const char *name, const char *text, fmpq_t out,
                                scrim_error *error)
{
    LAB_QUANTITY(found);
    if (!lab_quantity_parse(&found, text, strlen(text)) || !found.is_exact)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, name,
                            "%s: '%.60s' is not a number", name, text);
    if (fmpq_sgn(found.exact) < 0)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                            "%s must be at least 0", name);
    fmpq_set(out, found.exact);
    return SCRIM_OK;
}

/* Distances. */

static lab_length *lengths_new(size_t count)
{
    lab_length *list = lab_allocate(count, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++)
        fmpq_init(list[i].value);
    return list;
}

static void lengths_free(lab_length *list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++)
        fmpq_clear(list[i].value);
    free(list);
}

void lab_distances_clear(lab_distances *distances)
{
    lengths_free(distances->at, distances->count * distances->count);
    *distances = (lab_distances){.at = NULL};
}

static scrim_status read_points(const lab_points *points, fmpq *numbers,
                                scrim_error *error)
{
    for (size_t i = 0; i < points->count; i++) {
        LAB_QUANTITY(found);
        if (!lab_quantity_parse(&found, points->names[i], strlen(points->names[i])))
            return lab_fail(error, SCRIM_E_INPUT,
                            "'%.60s' is not a number; give the distances as a list",
                            points->names[i]);
        fmpq_set(&numbers[i], found.exact);
    }
    return SCRIM_OK;
}

static scrim_status fill_absolute(const lab_points *points, lab_distances *out,
                                  scrim_error *error)
{
    fmpq *numbers = lab_allocate(points->count, sizeof *numbers);
    if (numbers == NULL)
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory");
    for (size_t i = 0; i < points->count; i++)
        fmpq_init(&numbers[i]);
    const scrim_status status = read_points(points, numbers, error);
    for (size_t i = 0; status == SCRIM_OK && i < out->count * out->count; i++) {
        fmpq_sub(out->at[i].value, &numbers[i / out->count], &numbers[i % out->count]);
        fmpq_abs(out->at[i].value, out->at[i].value);
    }
    for (size_t i = 0; i < points->count; i++)
        fmpq_clear(&numbers[i]);
    free(numbers);
    return status;
}

static bool has_points(const lab_points *points, const scrim_step *step, size_t *from,
                       size_t *to)
{
    *from = *to = points->count;
    for (size_t i = 0; i < points->count; i++) {
        if (strcmp(points->names[i], step->from) == 0)
            *from = i;
        if (strcmp(points->names[i], step->to) == 0)
            *to = i;
    }
    return *from < points->count && *to < points->count;
}

/* A step also leads back, unless that way has a step of its own. */
static scrim_status fill_listed(const lab_points *points, const lab_measure *measure,
                                lab_distances *out, scrim_error *error)
{
    size_t from = 0, to = 0;
    for (size_t i = 0; i < out->count * out->count; i++)
        out->at[i].is_infinite = i / out->count != i % out->count;
    for (int back = 1; back >= 0; back--)
        for (size_t i = 0; i < measure->step_count; i++) {
            const scrim_step *step = &measure->steps[i];
            if (!has_points(points, step, &from, &to))
                return lab_fail(error, SCRIM_E_INPUT,
                                "unknown '%.60s' or '%.60s' in a list of distances",
                                step->from, step->to);
            if (from == to)
                continue;
            lab_length *length =
                &out->at[back ? to * out->count + from : from * out->count + to];
            const scrim_status status =
                read_number("length", step->length, length->value, error);
            if (status != SCRIM_OK)
                return status;
            length->is_infinite = false;
        }
    return SCRIM_OK;
}

static scrim_status fill_histograms(const lab_points *points, const lab_measure *measure,
                                    lab_distances *out, scrim_error *error)
{
    const scrim_distance_options options = {.size = sizeof options, .eta = measure->eta};
    for (size_t i = 0; i < out->count * out->count; i++) {
        const scrim_law_list *a = &points->histograms[i / out->count],
                             *b = &points->histograms[i % out->count];
        scrim_distance found;
        scrim_status status =
            scrim_distance_between(measure->kind, a->places, a->count, b->places,
                                   b->count, &options, &found, error);
        if (status == SCRIM_OK && !found.is_infinite)
            status = read_number("distance", found.exact, out->at[i].value, error);
        if (status != SCRIM_OK)
            return status;
        out->at[i].is_infinite = found.is_infinite;
    }
    return SCRIM_OK;
}

scrim_status lab_distances_fill(const lab_points *points, const lab_measure *measure,
                                lab_distances *out, scrim_error *error)
{
    lab_distances found = {.count = points->count};
    scrim_status status = SCRIM_OK;
    found.at = lengths_new(found.count * found.count);
    if (found.at == NULL)
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory");
    if (measure->kind == NULL)
        status = fill_listed(points, measure, &found, error);
    else if (points->histograms == NULL && strcmp(measure->kind, "absolute") == 0)
        status = fill_absolute(points, &found, error);
    else if (points->histograms == NULL)
        status = lab_fail(error, SCRIM_E_PARAM,
                          "'%.60s' is about histograms; use absolute, or list the "
                          "distances",
                          measure->kind);
    else
        status = fill_histograms(points, measure, &found, error);
    if (status == SCRIM_OK)
        *out = found;
    else
        lab_distances_clear(&found);
    return status;
}

/* Steps: what each pair contributes from its own distance on, then the running maximum. */

typedef struct contribution {
    lab_length at, value;
    size_t input, other;
} contribution;

typedef struct contributions {
    contribution *list;
    size_t count, capacity;
} contributions;

static scrim_status contributions_open(contributions *out, size_t capacity,
                                       scrim_error *error)
{
    *out = (contributions){.list = lab_allocate(capacity, sizeof *out->list),
                           .capacity = capacity};
    if (out->list == NULL)
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory");
    for (size_t i = 0; i < capacity; i++) {
        fmpq_init(out->list[i].at.value);
        fmpq_init(out->list[i].value.value);
    }
    return SCRIM_OK;
}

static void contributions_close(contributions *all)
{
    for (size_t i = 0; i < all->capacity; i++) {
        fmpq_clear(all->list[i].at.value);
        fmpq_clear(all->list[i].value.value);
    }
    free(all->list);
}

/* An infinite distance is never reached. */
static void contribute(contributions *all, const lab_length *at, const lab_length *value,
                       size_t input, size_t other)
{
    contribution *c = &all->list[all->count];
    if (at->is_infinite)
        return;
    all->count++;
    copy(&c->at, at);
    copy(&c->value, value);
    c->input = input;
    c->other = other;
}

/* By distance; at the same one the largest value, and the first pair, come first. */
static int by_distance(const void *a, const void *b)
{
    const contribution *x = a, *y = b;
    int order = compare(&x->at, &y->at);
    if (order == 0)
        order = compare(&y->value, &x->value);
    if (order == 0)
        order = x->input != y->input ? (x->input > y->input) - (x->input < y->input)
                                     : (x->other > y->other) - (x->other < y->other);
    return order;
}

static scrim_status list_steps(contributions *all, lab_step **steps, size_t *count,
                               scrim_error *error)
{
    lab_step *list = lab_allocate(all->count, sizeof *list);
    const lab_length *most = NULL;
    size_t used = 0;
    if (list == NULL)
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory");
    if (all->count > 0)
        qsort(all->list, all->count, sizeof *all->list, by_distance);
    for (size_t i = 0; i < all->count; i++) {
        const contribution *c = &all->list[i];
        if (most != NULL && compare(&c->value, most) <= 0)
            continue;
        most = &c->value;
        format(&c->at, list[used].at);
        format(&c->value, list[used].value);
        list[used].input = c->input;
        list[used++].other = c->other;
    }
    *steps = list;
    *count = used;
    return SCRIM_OK;
}

/* Distortion sensitivity. */

/* The least distortion from x to an input whose value is within omega of y. */
static void find_nearest(const lab_function_table *t, size_t x, size_t y,
                         const fmpq_t omega, lab_length *out)
{
    out->is_infinite = true;
    fmpq_zero(out->value);
    for (size_t other = 0; other < t->inputs; other++) {
        const size_t value = t->value[other];
        const bool is_right =
            value == y || (t->output_metric != NULL && fmpq_sgn(omega) > 0 &&
                           is_within(between(t->output_metric, value, y), omega));
        const lab_length *cost = between(t->input_distortion, x, other);
        if (is_right && compare(cost, out) < 0)
            copy(out, cost);
    }
}

static void find_distortions(const lab_function_table *t, const fmpq_t omega,
                             contributions *all)
{
    lab_length nearest = {.is_infinite = false};
    fmpq_init(nearest.value);
    for (size_t x = 0; x < t->inputs; x++)
        for (size_t y = 0; y < t->outputs; y++) {
            find_nearest(t, x, y, omega, &nearest);
            contribute(all, between(t->output_distortion, t->value[x], y), &nearest, x,
                       y);
        }
    fmpq_clear(nearest.value);
}

scrim_status lab_distortion_sensitivity(const lab_function_table *table,
                                        const char *omega, lab_step **steps,
                                        size_t *count, scrim_error *error)
{
    contributions all;
    fmpq_t limit;
    fmpq_init(limit);
    scrim_status status = read_number("omega", omega, limit, error);
    if (status == SCRIM_OK)
        status = contributions_open(&all, table->inputs * table->outputs, error);
    if (status == SCRIM_OK) {
        find_distortions(table, limit, &all);
        status = list_steps(&all, steps, count, error);
        contributions_close(&all);
    }
    fmpq_clear(limit);
    return status;
}

/* Error sensitivity. */

/* How far an answer is from the nearest value of an input within distortion alpha of `other`. */
static void find_error(const lab_function_table *t, size_t answer, size_t other,
                       const fmpq_t alpha, lab_length *out)
{
    copy(out, between(t->output_metric, answer, t->value[other]));
    for (size_t x = 0; t->input_distortion != NULL && x < t->inputs; x++) {
        const lab_length *error = between(t->output_metric, answer, t->value[x]);
        if (is_within(between(t->input_distortion, other, x), alpha) &&
            compare(error, out) < 0)
            copy(out, error);
    }
}

/* The answers of a mechanism: masses, and their errors beside one input. */
typedef struct law {
    fmpq *masses;
    lab_length *errors;
} law;

/* The least b such that the answers on x that are farther than b have at most the probability gamma. */
static void find_quantile(const lab_function_table *t, const law *l, size_t x,
                          const fmpq_t gamma, lab_length *out)
{
    fmpq_t beyond, total;
    fmpq_init(beyond);
    fmpq_init(total);
    for (size_t i = 0; i < t->answer_count; i++)
        if (t->answers[i].input == x)
            fmpq_add(total, total, &l->masses[i]);
    fmpq_mul(total, total, gamma);
    out->is_infinite = true;
    fmpq_zero(out->value);
    for (size_t i = 0; i < t->answer_count; i++) {
        if (t->answers[i].input != x || fmpq_is_zero(&l->masses[i]))
            continue;
        fmpq_zero(beyond);
        for (size_t j = 0; j < t->answer_count; j++)
            if (t->answers[j].input == x && compare(&l->errors[j], &l->errors[i]) > 0)
                fmpq_add(beyond, beyond, &l->masses[j]);
        if (fmpq_cmp(beyond, total) <= 0 && compare(&l->errors[i], out) < 0)
            copy(out, &l->errors[i]);
    }
    fmpq_clear(total);
    fmpq_clear(beyond);
}

static void find_errors(const lab_function_table *t, const law *l, const fmpq_t alpha,
                        const fmpq_t gamma, contributions *all)
{
    lab_length error = {.is_infinite = false};
    fmpq_init(error.value);
    for (size_t x = 0; x < t->inputs; x++)
        for (size_t other = 0; other < t->inputs; other++) {
            const lab_length *apart = between(t->input_metric, x, other);
            if (apart->is_infinite)
                continue;
            if (l == NULL) {
                find_error(t, t->value[x], other, alpha, &error);
            } else {
                for (size_t i = 0; i < t->answer_count; i++)
                    if (t->answers[i].input == x)
                        find_error(t, t->answers[i].output, other, alpha, &l->errors[i]);
                find_quantile(t, l, x, gamma, &error);
            }
            contribute(all, apart, &error, x, other);
        }
    fmpq_clear(error.value);
}

static scrim_status read_masses(const lab_function_table *t, const law *l,
                                scrim_error *error)
{
    for (size_t i = 0; i < t->answer_count; i++) {
        const scrim_status status =
            read_number("mass", t->answers[i].mass, &l->masses[i], error);
        if (status != SCRIM_OK)
            return status;
    }
    for (size_t x = 0; x < t->inputs; x++) {
        bool has_mass = false;
        for (size_t i = 0; i < t->answer_count; i++)
            has_mass |= t->answers[i].input == x && !fmpq_is_zero(&l->masses[i]);
        if (!has_mass)
            return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "mechanism",
                                "the mechanism has no answer for input %zu", x + 1);
    }
    return SCRIM_OK;
}

static scrim_status list_errors(const lab_function_table *t, const fmpq_t alpha,
                                const fmpq_t gamma, lab_step **steps, size_t *count,
                                scrim_error *error)
{
    contributions all;
    law l = {lab_allocate(t->answer_count, sizeof *l.masses),
             lengths_new(t->answer_count)};
    for (size_t i = 0; l.masses != NULL && i < t->answer_count; i++)
        fmpq_init(&l.masses[i]);
    scrim_status status = l.masses == NULL || l.errors == NULL
                              ? lab_fail(error, SCRIM_E_MEMORY, "out of memory")
                              : contributions_open(&all, t->inputs * t->inputs, error);
    if (status == SCRIM_OK) {
        if (t->answers != NULL)
            status = read_masses(t, &l, error);
        if (status == SCRIM_OK) {
            find_errors(t, t->answers == NULL ? NULL : &l, alpha, gamma, &all);
            status = list_steps(&all, steps, count, error);
        }
        contributions_close(&all);
    }
    for (size_t i = 0; l.masses != NULL && i < t->answer_count; i++)
        fmpq_clear(&l.masses[i]);
    free(l.masses);
    lengths_free(l.errors, t->answer_count);
    return status;
}

scrim_status lab_error_sensitivity(const lab_function_table *table, const char *alpha,
                                   const char *gamma, lab_step **steps, size_t *count,
                                   scrim_error *error)
{
    fmpq_t distorted, lost;
    fmpq_init(distorted);
    fmpq_init(lost);
    scrim_status status = read_number("alpha", alpha, distorted, error);
    if (status == SCRIM_OK)
        status = read_number("gamma", gamma, lost, error);
    if (status == SCRIM_OK && fmpq_cmp_si(lost, 1) >= 0)
        status = lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "gamma",
                              "gamma must be at least 0 and less than 1");
    if (status == SCRIM_OK)
        status = list_errors(table, distorted, lost, steps, count, error);
    fmpq_clear(lost);
    fmpq_clear(distorted);
    return status;
}
