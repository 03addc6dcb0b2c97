#include "local/texts/text_decoder.h"

#include "local/texts/positive_fit.h"
#include "local/texts/text_selection.h"

#include <math.h>
#include <string.h>

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

/* What a column has at its places is scattered, and gathered at those of the others. */
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

/* Solves the equation of all other texts, whose value may be negative, and puts it into the others: their
 * inverse is then a block of the whole one. */
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

void sc_text_decoder_test(scrim_local_candidate *row, size_t candidates)
{
    row->p_value = row->error > 0 ? erfc(row->estimate / row->error * M_SQRT1_2) / 2 : 1;
    row->is_kept = row->p_value < SCRIM_LOCAL_CANDIDATE_LEVEL / (double)candidates;
}

/* What is left of the squares per degree of freedom, where that is above the 1 of randomisation: texts
 * that are no candidates set bits too. */
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
        sc_text_decoder_test(row, fit->system->design->columns);
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
    scrim_status status = sc_text_select(fit->system, &fit->chosen, error);
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
