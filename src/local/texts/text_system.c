#include "local/texts/text_system.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sc_signal_chances sc_signal_chances_of(double f, double p, double q)
{
    const double both = f * (p + q) / 2;
    return (sc_signal_chances){both + (1 - f) * p, both + (1 - f) * q};
}

double sc_signal_estimate(const sc_signal_chances *chances, double count, double reports)
{
    return (count - chances->zero * reports) / (chances->one - chances->zero);
}

double sc_signal_variance(const sc_signal_chances *chances, double estimate,
                          double reports)
{
    const double gap = chances->one - chances->zero;
    const double floored = estimate < 0 ? 0 : estimate;
    const double ones = floored > reports ? reports : floored;
    return (ones * chances->one * (1 - chances->one) +
            (reports - ones) * chances->zero * (1 - chances->zero)) /
           (gap * gap);
}

scrim_status sc_text_design_init(sc_text_design *out, size_t cohorts, size_t bits,
                                 size_t columns, size_t hashes, scrim_error *error)
{
    size_t places;
    if (bits > SC_TEXT_DESIGN_BITS)
        return sc_fail(error, SCRIM_E_LIMIT, "candidates need at most %d bits",
                       SC_TEXT_DESIGN_BITS);
    *out = (sc_text_design){cohorts, bits, columns, hashes, NULL};
    if (!__builtin_mul_overflow(cohorts * hashes, columns, &places))
        out->places = sc_allocate(places, sizeof *out->places);
    if (out->places == NULL)
        return sc_no_memory(error, "candidates");
    for (size_t i = 0; i < places; i++)
        out->places[i] = (uint16_t)bits;
    return SCRIM_OK;
}

void sc_text_design_clear(sc_text_design *design)
{
    sc_free(design->places);
    design->places = NULL;
}

static uint16_t *places_of(const sc_text_design *design, size_t cohort, size_t column)
{
    return design->places + (cohort * design->columns + column) * design->hashes;
}

/* By insertion: there are few hashes. */
void sc_text_design_set(sc_text_design *design, size_t cohort, size_t column,
                        const uint32_t *bits)
{
    uint16_t *places = places_of(design, cohort, column);
    size_t count = 0;
    for (size_t i = 0; i < design->hashes; i++) {
        size_t at = 0;
        while (at < count && places[at] < bits[i])
            at++;
        if (at < count && places[at] == bits[i])
            continue;
        memmove(places + at + 1, places + at, (count - at) * sizeof *places);
        places[at] = (uint16_t)bits[i];
        count++;
    }
    for (; count < design->hashes; count++)
        places[count] = (uint16_t)design->bits;
}

void sc_text_design_column(const sc_text_design *design, size_t column, uint32_t *places)
{
    for (size_t c = 0; c < design->cohorts; c++) {
        const uint16_t *from = places_of(design, c, column);
        for (size_t i = 0; i < design->hashes; i++)
            *places++ = (uint32_t)(c * (design->bits + 1)) + from[i];
    }
}

/* Four sums at once, since additions wait for each other. */
double sc_text_places_sum(const double *of, const uint32_t *places, size_t count)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t lane = 0; lane < 4; lane++)
            sum[lane] += of[places[i + lane]];
    for (; i < count; i++)
        sum[0] += of[places[i]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

__attribute__((always_inline)) static inline void add_cohort(const double *of,
                                                             const uint16_t *place,
                                                             size_t columns,
                                                             size_t hashes, double *out)
{
    for (size_t s = 0; s < columns; s++) {
        double sum = 0;
        for (size_t i = 0; i < hashes; i++)
            sum += of[*place++];
        out[s] += sum;
    }
}

/* Cohort by cohort, so that what is read at random stays in the nearest cache; two hashes are so common
 * that they have a loop of their own. */
void sc_text_design_sums(const sc_text_design *design, const double *of, double *out)
{
    memset(out, 0, design->columns * sizeof *out);
    for (size_t c = 0; c < design->cohorts; c++, of += design->bits + 1)
        if (design->hashes == 2)
            add_cohort(of, places_of(design, c, 0), design->columns, 2, out);
        else
            add_cohort(of, places_of(design, c, 0), design->columns, design->hashes, out);
}

typedef struct fingerprint {
    uint64_t hash;
    size_t column;
} fingerprint;

static int by_hash(const void *a, const void *b)
{
    const fingerprint *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* The hash goes on from cohort to cohort: its own result is the next key. */
static uint64_t hash_of(const sc_text_design *design, const uint64_t *reports,
                        size_t column)
{
    sc_hash_key key = {0, 0};
    for (size_t c = 0; c < design->cohorts; c++)
        if (reports[c] > 0)
            key.k0 = sc_hash(&key, places_of(design, c, column),
                             design->hashes * sizeof *design->places);
    return key.k0;
}

static bool is_same(const sc_text_design *design, const uint64_t *reports, size_t a,
                    size_t b)
{
    const size_t bytes = design->hashes * sizeof *design->places;
    for (size_t c = 0; c < design->cohorts; c++)
        if (reports[c] > 0 &&
            memcmp(places_of(design, c, a), places_of(design, c, b), bytes) != 0)
            return false;
    return true;
}

scrim_status sc_text_design_same(const sc_text_design *design, const uint64_t *reports,
                                 size_t *same, scrim_error *error)
{
    fingerprint *prints = sc_allocate(design->columns, sizeof *prints);
    if (prints == NULL)
        return sc_no_memory(error, "candidates");
    for (size_t s = 0; s < design->columns; s++)
        prints[s] = (fingerprint){hash_of(design, reports, s), s};
    qsort(prints, design->columns, sizeof *prints, by_hash);
    for (size_t i = 0; i < design->columns; i++) {
        const size_t column = prints[i].column;
        same[column] = column;
        for (size_t j = i; j-- > 0 && prints[j].hash == prints[i].hash;)
            if (is_same(design, reports, column, prints[j].column)) {
                same[column] = same[prints[j].column];
                break;
            }
    }
    sc_free(prints);
    return SCRIM_OK;
}

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
