#include "local/texts/text_selection.h"

#include <math.h>

/* From the largest penalty to the smallest. */
#define RANGE 1000
/* Nobody looks further when so many penalties in a row had no smaller error. */
#define PATIENCE 10

typedef struct selection {
    sc_text_system *system;
    size_t folds;
    double largest;
    double errors[SC_TEXT_PENALTIES][SC_TEXT_FOLDS];
    size_t tried, best; /* penalties with errors; the one with the smallest mean */
    double *room;
    sc_text_descent descents[SC_TEXT_FOLDS];
} selection;

static double penalty_at(double largest, size_t at)
{
    return largest * pow(RANGE, -(double)at / (SC_TEXT_PENALTIES - 1));
}

static double mean_error(const selection *s, size_t at)
{
    double sum = 0;
    for (size_t f = 0; f < s->folds; f++)
        sum += s->errors[at][f];
    return sum / (double)s->folds;
}

static scrim_status try_penalty(selection *s, size_t at, scrim_error *error)
{
    for (size_t f = 0; f < s->folds; f++) {
        const scrim_status status =
            sc_text_descent_fit(&s->descents[f], penalty_at(s->largest, at), error);
        if (status != SCRIM_OK)
            return status;
        s->errors[at][f] = sc_text_descent_error(&s->descents[f], s->room);
    }
    s->tried = at + 1;
    if (at == 0 || mean_error(s, at) < mean_error(s, s->best))
        s->best = at;
    return SCRIM_OK;
}

static scrim_status validate(selection *s, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t f = 0; f < s->folds && status == SCRIM_OK; f++)
        status = sc_text_descent_init(&s->descents[f], s->system, f, s->folds, error);
    for (size_t at = 0; at < SC_TEXT_PENALTIES && status == SCRIM_OK &&
                        (at == 0 || at <= s->best + PATIENCE);
         at++)
        status = try_penalty(s, at, error);
    for (size_t f = 0; f < s->folds; f++)
        sc_text_descent_clear(&s->descents[f]);
    return status;
}

/* Whether the error is above the smallest by more than one standard error of the difference. */
static bool is_worse(const selection *s, size_t at)
{
    const double mean = mean_error(s, at) - mean_error(s, s->best);
    double squares = 0;
    for (size_t f = 0; f < s->folds; f++) {
        const double off = s->errors[at][f] - s->errors[s->best][f] - mean;
        squares += off * off;
    }
    const double folds = (double)s->folds;
    return mean > sqrt(squares / (folds * (folds - 1)));
}

static size_t choose_validated(const selection *s)
{
    size_t at = 0;
    while (at < s->best && is_worse(s, at))
        at++;
    return at;
}

static size_t choose_by_noise(const selection *s, const sc_text_descent *whole)
{
    const size_t columns = s->system->design->columns;
    double norm = 0;
    for (size_t i = 0; i < columns; i++)
        norm = fmax(norm, whole->norms[i]);
    const double noise = sqrt(2 * log((double)columns) * norm);
    size_t at = 0;
    while (at + 1 < SC_TEXT_PENALTIES && penalty_at(s->largest, at + 1) >= noise)
        at++;
    return at;
}

static scrim_status take(const sc_text_descent *descent, sc_text_selection *out,
                         scrim_error *error)
{
    const size_t columns = descent->system->design->columns;
    for (size_t i = 0; i < columns; i++)
        out->count += descent->values[i] > 0;
    out->columns = sc_allocate(out->count, sizeof *out->columns);
    out->values = sc_allocate(out->count, sizeof *out->values);
    if (out->columns == NULL || out->values == NULL)
        return sc_no_memory(error, "candidates");
    size_t at = 0;
    for (size_t i = 0; i < columns; i++)
        if (descent->values[i] > 0) {
            out->columns[at] = i;
            out->values[at++] = descent->values[i];
        }
    return SCRIM_OK;
}

/* How many folds have reports: one cohort in each, at least. */
static size_t folds_of(const sc_text_system *system)
{
    const size_t cohorts = system->design->cohorts;
    const size_t folds = cohorts < SC_TEXT_FOLDS ? cohorts : SC_TEXT_FOLDS;
    for (size_t c = 0; c < folds; c++)
        if (!(system->share[c] > 0))
            return 1;
    return folds;
}

static scrim_status select_with(selection *s, sc_text_descent *whole,
                                sc_text_selection *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    size_t at = 0;
    s->largest = sc_text_descent_largest(whole);
    if (s->folds > 1 && s->largest > 0)
        status = validate(s, error);
    if (status == SCRIM_OK && s->largest > 0)
        at = s->folds > 1 ? choose_validated(s) : choose_by_noise(s, whole);
    /* down the path, since each fit begins where the last one ended */
    for (size_t i = 0; i <= at && status == SCRIM_OK && s->largest > 0; i++)
        status = sc_text_descent_fit(whole, penalty_at(s->largest, i), error);
    out->largest = s->largest;
    out->penalty = penalty_at(s->largest, at);
    return status == SCRIM_OK ? take(whole, out, error) : status;
}

scrim_status sc_text_select(sc_text_system *system, sc_text_selection *out,
                            scrim_error *error)
{
    *out = (sc_text_selection){0};
    sc_text_descent whole = {0};
    selection *s = sc_allocate(1, sizeof *s);
    double *room = sc_allocate(system->places, sizeof *room);
    scrim_status status =
        s == NULL || room == NULL ? sc_no_memory(error, "candidates") : SCRIM_OK;
    if (status == SCRIM_OK) {
        *s = (selection){.system = system, .folds = folds_of(system), .room = room};
        status = sc_text_descent_init(&whole, system, s->folds, s->folds, error);
        if (status == SCRIM_OK)
            status = select_with(s, &whole, out, error);
        sc_text_descent_clear(&whole);
    }
    sc_free(room);
    sc_free(s);
    return status;
}
