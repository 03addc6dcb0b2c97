#include "local/texts/text_system.h"

#include <math.h>
#include <string.h>

static void fill_places(sc_text_system *system, const sc_signal_chances *chances,
                        const uint64_t *reports, const uint64_t *ones)
{
    const sc_text_design *design = system->design;
    double all = 0;
    for (size_t c = 0; c < design->cohorts; c++)
        all += (double)reports[c];
    for (size_t c = 0; c < design->cohorts; c++) {
        const double n = (double)reports[c];
        system->share[c] = all > 0 ? n / all : 0;
        for (size_t j = 0; j < design->bits; j++) {
            const size_t at = c * (design->bits + 1) + j;
            const double estimate =
                sc_signal_estimate(chances, (double)ones[c * design->bits + j], n);
            const double variance = sc_signal_variance(chances, estimate, n);
            system->target[at] = estimate;
            system->weight[at] = variance > 0 ? 1 / variance : 0;
        }
    }
}

scrim_status sc_text_system_init(sc_text_system *out, const sc_text_design *design,
                                 const size_t *same, const sc_signal_chances *chances,
                                 const uint64_t *reports, const uint64_t *ones,
                                 scrim_error *error)
{
    *out = (sc_text_system){.design = design, .same = same};
    sc_arena_init(&out->arena);
    out->places = design->cohorts * (design->bits + 1);
    out->target = sc_arena_allocate(&out->arena, out->places, sizeof *out->target);
    out->weight = sc_arena_allocate(&out->arena, out->places, sizeof *out->weight);
    out->share = sc_arena_allocate(&out->arena, design->cohorts, sizeof *out->share);
    out->columns = sc_arena_allocate(&out->arena, design->columns, sizeof *out->columns);
    if (out->target == NULL || out->weight == NULL || out->share == NULL ||
        out->columns == NULL) {
        sc_text_system_clear(out);
        return sc_no_memory(error, "candidates");
    }
    fill_places(out, chances, reports, ones);
    return SCRIM_OK;
}

void sc_text_system_clear(sc_text_system *system)
{
    sc_arena_clear(&system->arena);
}

const uint32_t *sc_text_system_column(sc_text_system *system, size_t column)
{
    const sc_text_design *design = system->design;
    uint32_t **places = &system->columns[column];
    if (*places == NULL) {
        *places = sc_arena_allocate(&system->arena, design->cohorts * design->hashes,
                                    sizeof **places);
        if (*places != NULL)
            sc_text_design_column(design, column, *places);
    }
    return *places;
}

static bool is_held_back(const sc_text_descent *descent, size_t cohort)
{
    return cohort % descent->folds == descent->fold;
}

/* At values of 0 what is left is the target. */
static void begin(sc_text_descent *descent)
{
    const sc_text_system *system = descent->system;
    const size_t width = system->design->bits + 1;
    for (size_t at = 0; at < system->places; at++) {
        const bool is_in = !is_held_back(descent, at / width);
        const double share = system->share[at / width];
        const double weight = is_in ? share * system->weight[at] : 0;
        descent->mass[at] = weight * share;
        descent->pull[at] = weight * system->target[at];
        descent->all_mass += descent->mass[at];
        descent->all_pull += descent->pull[at];
    }
    sc_text_design_sums(system->design, descent->mass, descent->norms);
    descent->penalty = (double)INFINITY;
}

scrim_status sc_text_descent_init(sc_text_descent *out, sc_text_system *system,
                                  size_t fold, size_t folds, scrim_error *error)
{
    const size_t columns = system->design->columns;
    *out = (sc_text_descent){.system = system, .fold = fold, .folds = folds};
    out->pull = sc_allocate(system->places, sizeof *out->pull);
    out->mass = sc_allocate(system->places, sizeof *out->mass);
    out->values = sc_allocate(columns, sizeof *out->values);
    out->norms = sc_allocate(columns, sizeof *out->norms);
    out->gradients = sc_allocate(columns, sizeof *out->gradients);
    out->working = sc_allocate(columns, sizeof *out->working);
    if (out->pull == NULL || out->mass == NULL || out->values == NULL ||
        out->norms == NULL || out->gradients == NULL || out->working == NULL)
        return sc_no_memory(error, "candidates");
    begin(out);
    return sc_text_descent_fit(out, (double)INFINITY, error);
}

void sc_text_descent_clear(sc_text_descent *descent)
{
    sc_free(descent->pull);
    sc_free(descent->mass);
    sc_free(descent->values);
    sc_free(descent->norms);
    sc_free(descent->gradients);
    sc_free(descent->working);
}

/* Both give by how much the squared error falls, in its own unit: one standard error is 1. */
static double move_column(sc_text_descent *descent, size_t column, double penalty)
{
    const sc_text_design *design = descent->system->design;
    const uint32_t *places = descent->system->columns[column];
    const size_t count = design->cohorts * design->hashes;
    double *value = &descent->values[column];
    const double norm = descent->norms[column];
    const double gradient =
        sc_text_places_sum(descent->pull, places, count) - norm * descent->others;
    const double aim = *value + (gradient - penalty) / norm;
    const double step = (aim > 0 ? aim : 0) - *value;
    if (step == 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        descent->pull[places[i]] -= descent->mass[places[i]] * step;
    descent->all_pull -= norm * step;
    *value += step;
    return norm * step * step;
}

static double move_others(sc_text_descent *descent)
{
    if (!(descent->all_mass > 0))
        return 0;
    const double step = descent->all_pull / descent->all_mass - descent->others;
    descent->others += step;
    return descent->all_mass * step * step;
}

/* A thirtieth of a standard error. */
#define STILL 1e-3
#define SWEEPS 1000

static void sweep(sc_text_descent *descent, double penalty)
{
    double moved = 1;
    for (int i = 0; i < SWEEPS && moved > STILL; i++) {
        moved = move_others(descent);
        for (size_t w = 0; w < descent->works; w++) {
            const double by = move_column(descent, descent->working[w], penalty);
            moved = by > moved ? by : moved;
        }
    }
}

/* Adds the columns at 0 whose gradient is above a limit, or, with all, those above 0 too. */
static bool add_columns(sc_text_descent *descent, double above, bool all,
                        bool *has_memory)
{
    const sc_text_system *system = descent->system;
    const size_t before = descent->works;
    for (size_t s = 0; s < system->design->columns; s++) {
        const bool is_in = descent->values[s] > 0 ? all : descent->gradients[s] > above;
        if (!is_in || system->same[s] != s || !(descent->norms[s] > 0))
            continue;
        descent->working[descent->works++] = s;
        *has_memory &= sc_text_system_column(descent->system, s) != NULL;
    }
    return descent->works > before;
}

static void look_at_all(sc_text_descent *descent)
{
    const sc_text_design *design = descent->system->design;
    sc_text_design_sums(design, descent->pull, descent->gradients);
    for (size_t s = 0; s < design->columns; s++)
        descent->gradients[s] -= descent->norms[s] * descent->others;
}

/* Columns enter by the strong rule (Tibshirani and others 2012), and whatever it has overlooked enters
 * when all gradients are looked at. */
scrim_status sc_text_descent_fit(sc_text_descent *descent, double penalty,
                                 scrim_error *error)
{
    bool has_memory = true;
    descent->works = 0;
    if (isfinite(penalty))
        add_columns(descent,
                    isfinite(descent->penalty) ? 2 * penalty - descent->penalty : penalty,
                    true, &has_memory);
    do {
        if (!has_memory)
            return sc_no_memory(error, "candidates");
        sweep(descent, penalty);
        look_at_all(descent);
        /* what works already is not above by more than rounding */
        for (size_t w = 0; w < descent->works; w++)
            descent->gradients[descent->working[w]] =
                fmin(descent->gradients[descent->working[w]], penalty);
    } while (isfinite(penalty) && add_columns(descent, penalty, false, &has_memory));
    descent->penalty = penalty;
    return SCRIM_OK;
}

double sc_text_descent_largest(const sc_text_descent *descent)
{
    const sc_text_system *system = descent->system;
    double largest = 0;
    for (size_t s = 0; s < system->design->columns; s++)
        if (system->same[s] == s && descent->gradients[s] > largest)
            largest = descent->gradients[s];
    return largest;
}

static void take_column(const sc_text_descent *descent, size_t column, double *room)
{
    const sc_text_design *design = descent->system->design;
    const uint32_t *places = descent->system->columns[column];
    for (size_t c = descent->fold; c < design->cohorts; c += descent->folds)
        for (size_t i = 0; i < design->hashes; i++)
            room[places[c * design->hashes + i]] -=
                descent->system->share[c] * descent->values[column];
}

double sc_text_descent_error(const sc_text_descent *descent, double *room)
{
    const sc_text_system *system = descent->system;
    const size_t bits = system->design->bits;
    double sum = 0;
    size_t count = 0;
    for (size_t c = descent->fold; c < system->design->cohorts; c += descent->folds)
        for (size_t at = c * (bits + 1); at < (c + 1) * (bits + 1); at++)
            room[at] = system->target[at] - system->share[c] * descent->others;
    for (size_t w = 0; w < descent->works; w++)
        if (descent->values[descent->working[w]] > 0)
            take_column(descent, descent->working[w], room);
    for (size_t c = descent->fold; c < system->design->cohorts; c += descent->folds)
        for (size_t at = c * (bits + 1); at < c * (bits + 1) + bits; at++, count++)
            sum += system->weight[at] * room[at] * room[at];
    return count > 0 ? sum / (double)count : 0;
}
