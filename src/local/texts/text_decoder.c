#include "local/texts/text_decoder.h"

#include "base/memory.h"
#include "local/collect/collection.h"
#include "local/device/device_hash.h"
#include "local/texts/positive_fit.h"
#include "scrim/local_candidates.h"

#include <math.h>
#include <string.h>

/* The largest penalty divided by the smallest. */
#define RANGE 1000
/* The search ends when this many penalties in a row had no smaller error. */
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

static scrim_status text_select(sc_text_system *system, sc_text_selection *out,
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

/* The normal equations of what was selected. */
typedef struct text_fit {
    sc_text_system *system;
    sc_text_selection chosen;
    size_t entries; /* places of a column */
    double *mass, *scattered;
    double *gram, *right, *inverse;
    double *beside; /* of each column with that of all other texts */
    double
        square;  /* the weighted squares of the target that other texts do not explain */
    size_t rows; /* places with a weight */
} text_fit;

static const uint32_t *column_of(const text_fit *fit, size_t at)
{
    return sc_text_system_column(fit->system, fit->chosen.columns[at]);
}

/* A column is scattered to its places, and gathered at those of the others. */
static void fill_row(text_fit *fit, size_t a)
{
    const size_t count = fit->chosen.count;
    const uint32_t *mine = column_of(fit, a);
    for (size_t i = 0; i < fit->entries; i++)
        fit->scattered[mine[i]] = fit->mass[mine[i]];
    for (size_t b = a; b < count; b++)
        fit->gram[a * count + b] = fit->gram[b * count + a] =
            sc_text_places_sum(fit->scattered, column_of(fit, b), fit->entries);
    for (size_t i = 0; i < fit->entries; i++)
        fit->scattered[mine[i]] = 0;
}

/* Eliminates the equation of "all other texts", whose value may be negative, from the equations
 * of the candidates. The inverse of those is then a block of the inverse of all. */
static void eliminate(text_fit *fit, double norm, double right)
{
    const size_t count = fit->chosen.count;
    fit->square -= norm > 0 ? right * right / norm : 0;
    for (size_t a = 0; a < count && norm > 0; a++) {
        const double part = fit->beside[a] / norm;
        fit->right[a] -= part * right;
        for (size_t b = 0; b < count; b++)
            fit->gram[a * count + b] -= part * fit->beside[b];
    }
}

static void fill_equations(text_fit *fit)
{
    const sc_text_system *system = fit->system;
    const size_t count = fit->chosen.count, width = system->design->bits + 1;
    double mass = 0, right = 0;
    /* scattered holds the right side at first */
    for (size_t at = 0; at < system->places; at++) {
        const double share = system->share[at / width];
        fit->mass[at] = share * share * system->weight[at];
        fit->scattered[at] = share * system->weight[at] * system->target[at];
        mass += fit->mass[at];
        right += fit->scattered[at];
        fit->square += system->weight[at] * system->target[at] * system->target[at];
        fit->rows += system->weight[at] > 0;
    }
    for (size_t a = 0; a < count; a++) {
        fit->right[a] =
            sc_text_places_sum(fit->scattered, column_of(fit, a), fit->entries);
        fit->beside[a] = sc_text_places_sum(fit->mass, column_of(fit, a), fit->entries);
    }
    memset(fit->scattered, 0, system->places * sizeof *fit->scattered);
    for (size_t a = 0; a < count; a++)
        fill_row(fit, a);
    eliminate(fit, mass, right);
}

static scrim_status allocate(text_fit *fit, scrim_error *error)
{
    const size_t count = fit->chosen.count;
    fit->mass = sc_allocate(fit->system->places, sizeof *fit->mass);
    fit->scattered = sc_allocate(fit->system->places, sizeof *fit->scattered);
    fit->gram = sc_allocate(count * count, sizeof *fit->gram);
    fit->inverse = sc_allocate(count * count, sizeof *fit->inverse);
    fit->right = sc_allocate(count, sizeof *fit->right);
    fit->beside = sc_allocate(count, sizeof *fit->beside);
    return fit->mass == NULL || fit->scattered == NULL || fit->gram == NULL ||
                   fit->inverse == NULL || fit->right == NULL || fit->beside == NULL
               ? sc_no_memory(error, "candidates")
               : SCRIM_OK;
}

static void free_fit(text_fit *fit)
{
    sc_free(fit->chosen.columns);
    sc_free(fit->chosen.values);
    sc_free(fit->mass);
    sc_free(fit->scattered);
    sc_free(fit->gram);
    sc_free(fit->inverse);
    sc_free(fit->right);
    sc_free(fit->beside);
}

/* Fills p-value and is_kept from the estimate and its error: the p-value is below the level divided by the
 * number of candidates. */
static void text_decoder_test(scrim_local_candidate *row, size_t candidates)
{
    row->p_value = row->error > 0 ? erfc(row->estimate / row->error * M_SQRT1_2) / 2 : 1;
    row->is_kept = row->p_value < SCRIM_LOCAL_CANDIDATE_LEVEL / (double)candidates;
}

/* The remaining squares per degree of freedom, at least 1. Randomisation alone gives 1; more
 * means that texts which are not candidates set bits too. */
static double misfit_of(const text_fit *fit)
{
    double left = fit->square;
    for (size_t a = 0; a < fit->chosen.count; a++)
        left -= fit->right[a] * fit->chosen.values[a];
    if (fit->rows <= fit->chosen.count + 1)
        return 1;
    return fmax(1, left / (double)(fit->rows - fit->chosen.count - 1));
}

static void fill_rows(const text_fit *fit, double misfit, scrim_local_candidate *rows)
{
    for (size_t a = 0; a < fit->chosen.count; a++) {
        scrim_local_candidate *row = &rows[fit->chosen.columns[a]];
        row->estimate = fit->chosen.values[a];
        row->error = sqrt(misfit * fit->inverse[a * fit->chosen.count + a]);
        row->is_selected = 1;
        text_decoder_test(row, fit->system->design->columns);
    }
}

static void fill_explained(const text_fit *fit, const scrim_local_candidate *rows,
                           double all, scrim_local_explained *out)
{
    double variance = 0;
    out->devices = out->unexplained = all;
    out->selected = fit->chosen.count;
    for (size_t a = 0; a < fit->chosen.count; a++) {
        if (!rows[fit->chosen.columns[a]].is_kept)
            continue;
        out->kept++;
        out->unexplained -= fit->chosen.values[a];
        for (size_t b = 0; b < fit->chosen.count; b++)
            if (rows[fit->chosen.columns[b]].is_kept)
                variance += fit->inverse[a * fit->chosen.count + b];
    }
    out->unexplained_error = sqrt(out->misfit * fmax(0, variance));
    out->penalty = fit->chosen.penalty;
    out->largest_penalty = fit->chosen.largest;
}

static scrim_status fit_chosen(text_fit *fit, scrim_error *error)
{
    scrim_status status = text_select(fit->system, &fit->chosen, error);
    if (status != SCRIM_OK)
        return status;
    fit->entries = fit->system->design->cohorts * fit->system->design->hashes;
    status = allocate(fit, error);
    if (status != SCRIM_OK)
        return status;
    fill_equations(fit);
    return sc_positive_fit(fit->gram, fit->right, fit->chosen.count, fit->chosen.values,
                           fit->inverse, error);
}

static scrim_status decode_system(sc_text_system *system, const uint64_t *reports,
                                  scrim_local_candidate *rows, scrim_local_explained *out,
                                  scrim_error *error)
{
    text_fit fit = {.system = system};
    const scrim_status status = fit_chosen(&fit, error);
    if (status == SCRIM_OK) {
        double all = 0;
        for (size_t c = 0; c < system->design->cohorts; c++)
            all += (double)reports[c];
        *out = (scrim_local_explained){.misfit = misfit_of(&fit)};
        fill_rows(&fit, out->misfit, rows);
        fill_explained(&fit, rows, all, out);
    }
    free_fit(&fit);
    return status;
}

scrim_status sc_text_decode(const sc_text_design *design,
                            const sc_signal_chances *chances, const uint64_t *reports,
                            const uint64_t *ones, scrim_local_candidate *rows,
                            scrim_local_explained *out, scrim_error *error)
{
    sc_text_system system;
    size_t *same = sc_allocate(design->columns, sizeof *same);
    scrim_status status = same == NULL
                              ? sc_no_memory(error, "candidates")
                              : sc_text_design_same(design, reports, same, error);
    if (status == SCRIM_OK)
        status =
            sc_text_system_init(&system, design, same, chances, reports, ones, error);
    if (status == SCRIM_OK) {
        for (size_t s = 0; s < design->columns; s++)
            rows[s] = (scrim_local_candidate){.same = same[s], .p_value = 1};
        status = decode_system(&system, reports, rows, out, error);
        sc_text_system_clear(&system);
    }
    sc_free(same);
    return status;
}

static double part_of_2_32(uint32_t parts)
{
    return ldexp((double)parts, -32);
}

/* Configurations without a second randomisation send the permanent bits themselves. */
static sc_signal_chances chances_of(const scrim_local_config *config)
{
    const double f = part_of_2_32(config->f);
    if (config->p == 0 && config->q == 0)
        return sc_signal_chances_of(f, 0, 1);
    return sc_signal_chances_of(f, part_of_2_32(config->p), part_of_2_32(config->q));
}

static void fill_design(const scrim_local_config *config, const uint8_t *texts,
                        sc_text_design *design)
{
    const sl_divisor bits = sl_divisor_of(config->bits);
    uint32_t places[16] = {0};
    for (uint32_t c = 0; c < design->cohorts; c++)
        for (size_t s = 0; s < design->columns; s++) {
            for (uint32_t i = 0; i < design->hashes; i++)
                places[i] =
                    sl_bloom_place(bits, c, i, texts + s * config->text, config->text);
            sc_text_design_set(design, c, s, places);
        }
}

static scrim_status decode_texts(const scrim_local_config *config,
                                 const scrim_local_counts *counts, const uint8_t *texts,
                                 size_t count, scrim_local_candidate *rows,
                                 scrim_local_explained *out, scrim_error *error)
{
    sc_text_design design;
    const sc_signal_chances chances = chances_of(config);
    scrim_status status = sc_text_design_init(&design, config->cohorts, config->bits,
                                              count, config->hashes, error);
    if (status != SCRIM_OK)
        return status;
    fill_design(config, texts, &design);
    status = sc_text_decode(&design, &chances, counts->reports, counts->ones, rows, out,
                            error);
    sc_text_design_clear(&design);
    return status;
}

/* One bit a value: the debiased counts themselves. */
static void decode_list(const scrim_local_config *config,
                        const scrim_local_counts *counts, scrim_local_candidate *rows,
                        scrim_local_explained *out)
{
    const sc_signal_chances chances = chances_of(config);
    double variances = 0;
    *out = (scrim_local_explained){.selected = config->bits, .misfit = 1};
    for (uint32_t c = 0; c < config->cohorts; c++)
        out->devices += (double)counts->reports[c];
    out->unexplained = out->devices;
    for (size_t j = 0; j < config->bits; j++) {
        double estimate = 0, variance = 0;
        for (uint32_t c = 0; c < config->cohorts; c++) {
            const double n = (double)counts->reports[c];
            const double one = sc_signal_estimate(
                &chances, (double)counts->ones[(size_t)c * config->bits + j], n);
            estimate += one;
            variance += sc_signal_variance(&chances, one, n);
        }
        rows[j] = (scrim_local_candidate){.estimate = estimate, .error = sqrt(variance)};
        rows[j].same = j;
        rows[j].is_selected = 1;
        text_decoder_test(&rows[j], config->bits);
        out->kept += (size_t)rows[j].is_kept;
        out->unexplained -= rows[j].is_kept ? estimate : 0;
        variances += rows[j].is_kept ? variance : 0;
    }
    out->unexplained_error = sqrt(variances);
}

scrim_status scrim_local_candidates_decode(const scrim_local_config *config,
                                           const scrim_local_counts *counts,
                                           const uint8_t *texts, size_t count,
                                           scrim_local_candidate *rows,
                                           scrim_local_explained *out, scrim_error *error)
{
    SC_REQUIRE(error, "config counts out", config, counts, out);
    if (config->protocol != SCRIM_LOCAL_RAPPOR)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "config",
                           "candidates need reports of rappor");
    if (config->hashes > 0)
        return decode_texts(config, counts, texts, count, rows, out, error);
    if (count != config->bits)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "values",
                           "a list of values has %u of them", config->bits);
    decode_list(config, counts, rows, out);
    return SCRIM_OK;
}

/* The counters of a cohort are its reports and then its bits. */
scrim_status scrim_collection_candidates(scrim_collection *collection,
                                         const uint8_t *texts, size_t count,
                                         scrim_local_candidate *rows,
                                         scrim_local_explained *out, scrim_error *error)
{
    SC_REQUIRE(error, "collection out", collection, out);
    const scrim_local_config *config = &collection->sums.config;
    const size_t bits = config->bits;
    uint64_t *reports = sc_allocate(config->cohorts, sizeof *reports);
    uint64_t *ones = sc_allocate((size_t)config->cohorts * bits, sizeof *ones);
    scrim_status status =
        reports == NULL || ones == NULL ? sc_no_memory(error, "candidates") : SCRIM_OK;
    if (status == SCRIM_OK) {
        const uint64_t *counter = sc_sums_counts(&collection->sums);
        for (size_t c = 0; c < config->cohorts; c++, counter += bits + 1) {
            reports[c] = counter[0];
            memcpy(ones + c * bits, counter + 1, bits * sizeof *ones);
        }
        status = scrim_local_candidates_decode(
            config, &(scrim_local_counts){reports, ones}, texts, count, rows, out, error);
    }
    sc_free(reports);
    sc_free(ones);
    return status;
}
