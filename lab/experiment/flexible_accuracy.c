#include "lab/experiment/flexible_accuracy.h"

#include "lab/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const epsilons[LAB_EXPERIMENT_EPSILONS] = {"0.05", "0.1", "0.2",
                                                              "0.5",  "1",   "2"};
#define CELLS_MAX ((size_t)LAB_EXPERIMENT_EPSILONS_MAX * LAB_COMPETITOR_KINDS)
#define COUNT_LIMIT 1000000
#define COUNT_DEFAULT 100

/* Tallies. */

void lab_error_tally_add(lab_error_tally *tally, uint32_t error)
{
    tally->counts[error]++;
    tally->set_sum += error;
}

void lab_error_tally_end_set(lab_error_tally *tally)
{
    tally->set_squares += (double)tally->set_sum * (double)tally->set_sum;
    tally->set_sum = 0;
}

/* The standard error of the mean of `count` independent numbers, from their sum and the sum of their squares. */
static double standard_error(double count, double sum, double squares)
{
    const double mean = sum / count;
    return count < 2 ? 0 : sqrt(fmax(squares / count - mean * mean, 0) / (count - 1));
}

/* The smallest b with P(error > b) <= 1/20. */
static size_t quantile(const lab_error_tally *tally, uint64_t runs)
{
    uint64_t beyond = runs;
    size_t b = 0;
    for (; b < LAB_BARS_MAX; b++) {
        beyond -= tally->counts[b];
        if (beyond <= runs / 20)
            break;
    }
    return b;
}

void lab_error_tally_summarise(const lab_error_tally *tally, size_t bars, uint64_t sets,
                               bool by_set, lab_experiment_error *out)
{
    const double percent = 100 / (double)bars;
    uint64_t runs = 0, sum = 0;
    double squares = 0;
    for (size_t e = 0; e <= LAB_BARS_MAX; e++) {
        runs += tally->counts[e];
        sum += e * tally->counts[e];
        squares += (double)e * (double)e * (double)tally->counts[e];
    }
    const double runs_each = (double)runs / (double)sets;
    out->mean = percent * (double)sum / (double)runs;
    out->standard_error =
        percent *
        (by_set && sets > 1
             ? standard_error((double)sets, (double)sum, tally->set_squares) / runs_each
             : standard_error((double)runs, (double)sum, squares));
    out->quantile = percent * (double)quantile(tally, runs);
}

/* Running. */

typedef struct cell {
    lab_error_tally raw, flexible;
    long double raw_expected, flexible_expected; /* sums over datasets, in bars */
} cell;

typedef struct campaign {
    lab_experiment_options options;
    lab_random *random;
    lab_competitors competitors[LAB_EXPERIMENT_EPSILONS_MAX];
    size_t cell_count; /* by epsilon and mechanism */
    const lab_experiment_kind *kinds[LAB_EXPERIMENTS];
    size_t kind_count;
    cell cells[CELLS_MAX]; /* of one experiment */
    uint64_t done;         /* runs */
} campaign;

static scrim_status read_count(uint64_t *count, const char *name, scrim_error *error)
{
    if (*count > COUNT_LIMIT)
        return lab_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, name,
                            "%s: at most %d", name, COUNT_LIMIT);
    if (*count == 0)
        *count = COUNT_DEFAULT;
    return SCRIM_OK;
}

/* Ascending, and within the limit; competitors refuse the rest of what is no epsilon. */
static scrim_status check_epsilons(const lab_experiment_options *options,
                                   scrim_error *error)
{
    LAB_QUANTITY(before);
    LAB_QUANTITY(epsilon);
    LAB_QUANTITY(most);
    lab_quantity_set_int64(&most, LAB_EXPERIMENT_EPSILON_MOST);
    if (options->epsilon_count > LAB_EXPERIMENT_EPSILONS_MAX)
        return lab_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "epsilon",
                            "epsilon: at most %d of them", LAB_EXPERIMENT_EPSILONS_MAX);
    for (size_t e = 0; e < options->epsilon_count; e++) {
        const char *text = options->epsilons[e];
        int order = 0;
        if (!lab_quantity_parse(&epsilon, text, strlen(text)) || !epsilon.is_exact)
            return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "epsilon",
                                "epsilon: '%.60s' is not a number", text);
        if (!lab_quantity_compare(&epsilon, &before, &order) || order <= 0)
            return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                                "epsilon: numbers must be above 0, in ascending order");
        if (!lab_quantity_compare(&epsilon, &most, &order) || order > 0)
            return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                                "epsilon: at most %d, since one competitor has no "
                                "guarantee beyond",
                                LAB_EXPERIMENT_EPSILON_MOST);
        lab_quantity_set(&before, &epsilon);
    }
    return SCRIM_OK;
}

static scrim_status read_options(campaign *c, const lab_experiment_options *options,
                                 scrim_error *error)
{
    c->options = *options;
    if (c->options.only > LAB_EXPERIMENTS)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "only",
                            "only: experiments are 1 to %d", LAB_EXPERIMENTS);
    if (c->options.epsilons == NULL) {
        c->options.epsilons = epsilons;
        c->options.epsilon_count = LAB_EXPERIMENT_EPSILONS;
    }
    c->cell_count = c->options.epsilon_count * LAB_COMPETITOR_KINDS;
    scrim_status status = check_epsilons(&c->options, error);
    if (status == SCRIM_OK)
        status = read_count(&c->options.sets, "sets", error);
    if (status == SCRIM_OK)
        status = read_count(&c->options.runs, "runs", error);
    for (unsigned number = 1; number <= LAB_EXPERIMENTS; number++)
        if (c->options.only == 0 || c->options.only == number)
            c->kinds[c->kind_count++] =
                lab_experiment_kind_of(number, c->options.is_noisy);
    return status;
}

static void run_cell(campaign *c, const lab_scene *scene, size_t index, bool expects)
{
    const lab_competitors *at = &c->competitors[index / LAB_COMPETITOR_KINDS];
    const lab_competitor mechanism = (lab_competitor)(index % LAB_COMPETITOR_KINDS);
    cell *out = &c->cells[index];
    for (uint64_t run = 0; run < c->options.runs; run++) {
        const size_t answer = lab_competitor_run(at, mechanism, scene, c->random);
        lab_error_tally_add(&out->raw, lab_scene_raw_error(scene, answer));
        lab_error_tally_add(&out->flexible, scene->flexible_errors[answer]);
    }
    lab_error_tally_end_set(&out->raw);
    lab_error_tally_end_set(&out->flexible);
    if (expects && lab_competitor_has_law(mechanism)) {
        long double law[LAB_BARS_MAX + 1];
        lab_expected_error raw, flexible;
        lab_competitor_law(at, mechanism, scene, law);
        lab_expected_errors(scene, law, &raw, &flexible);
        out->raw_expected += (long double)raw.mean;
        out->flexible_expected += (long double)flexible.mean;
    }
    c->done += c->options.runs;
    if (c->options.progress != NULL)
        c->options.progress(c->options.context, c->done,
                            c->kind_count * c->options.sets * c->cell_count *
                                c->options.runs);
}

static void show_data(const lab_experiment_kind *kind, const lab_scene *scene,
                      lab_experiment_data *out)
{
    *out = (lab_experiment_data){.experiment = kind->number,
                                 .statistic = kind->statistic,
                                 .data = kind->data,
                                 .bars = kind->bars,
                                 .value = scene->value,
                                 .allowance = scene->allowance};
    for (size_t i = 0; i < kind->bars; i++)
        out->heights[i] = scene->x->at[i + 1];
}

static void show_error(const campaign *c, const lab_experiment_kind *kind,
                       const lab_error_tally *tally, long double expected,
                       lab_experiment_error *out)
{
    /* If all datasets are equal, the expectation was computed on one of them. */
    const uint64_t sets = kind->is_drawn ? c->options.sets : 1;
    lab_error_tally_summarise(tally, kind->bars, c->options.sets, kind->is_drawn, out);
    out->expected = (double)(expected * 100 / (long double)(sets * kind->bars));
}

static void show_row(const campaign *c, const lab_experiment_kind *kind, size_t index,
                     lab_experiment_row *row)
{
    const lab_competitor mechanism = (lab_competitor)(index % LAB_COMPETITOR_KINDS);
    const cell *own = &c->cells[index];
    *row =
        (lab_experiment_row){.experiment = kind->number,
                             .statistic = kind->statistic,
                             .epsilon = c->options.epsilons[index / LAB_COMPETITOR_KINDS],
                             .mechanism = lab_competitor_name(mechanism),
                             .runs = c->options.sets * c->options.runs};
    row->raw.has_expected = row->flexible.has_expected =
        lab_competitor_has_law(mechanism);
    show_error(c, kind, &own->raw, own->raw_expected, &row->raw);
    show_error(c, kind, &own->flexible, own->flexible_expected, &row->flexible);
}

/* Marks the smallest means of the mechanisms at one epsilon, all of them if several are equal. */
static void mark_least(lab_experiment_row *rows)
{
    double raw = rows[0].raw.mean, flexible = rows[0].flexible.mean;
    for (size_t m = 1; m < LAB_COMPETITOR_KINDS; m++) {
        raw = fmin(raw, rows[m].raw.mean);
        flexible = fmin(flexible, rows[m].flexible.mean);
    }
    for (size_t m = 0; m < LAB_COMPETITOR_KINDS; m++) {
        rows[m].raw.is_least = rows[m].raw.mean <= raw;
        rows[m].flexible.is_least = rows[m].flexible.mean <= flexible;
    }
}

static scrim_status run_experiment(campaign *c, const lab_experiment_kind *kind,
                                   lab_experiment *found, scrim_error *error)
{
    lab_bars x;
    lab_scene scene;
    for (size_t i = 0; i < c->cell_count; i++)
        c->cells[i] = (cell){.raw_expected = 0};
    for (uint64_t set = 0; set < c->options.sets; set++) {
        lab_experiment_make(kind, c->random, &x);
        lab_scene_init(&scene, &kind->f, &x);
        if (set == 0)
            show_data(kind, &scene, &found->data[found->data_count++]);
        for (size_t i = 0; i < c->cell_count; i++)
            run_cell(c, &scene, i, set == 0 || kind->is_drawn);
        const scrim_status status = lab_random_check(c->random, error);
        if (status != SCRIM_OK)
            return status;
    }
    lab_experiment_row *rows = found->rows + found->row_count;
    for (size_t i = 0; i < c->cell_count; i++)
        show_row(c, kind, i, &rows[i]);
    for (size_t i = 0; i < c->cell_count; i += LAB_COMPETITOR_KINDS)
        mark_least(&rows[i]);
    found->row_count += c->cell_count;
    return SCRIM_OK;
}

scrim_status lab_flexible_accuracy(const lab_experiment_options *options,
                                   lab_experiment **out, scrim_error *error)
{
    campaign *c = lab_allocate(1, sizeof *c);
    lab_experiment *found = lab_allocate(1, sizeof *found);
    scrim_status status =
        c == NULL || found == NULL
            ? lab_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment")
            : read_options(c, options, error);
    if (status == SCRIM_OK)
        status = lab_random_open(&c->random, error);
    for (size_t e = 0; status == SCRIM_OK && e < c->options.epsilon_count; e++)
        status = lab_competitors_init(&c->competitors[e], c->options.epsilons[e],
                                      LAB_EXPERIMENT_DELTA, error);
    for (size_t i = 0; status == SCRIM_OK && i < c->kind_count; i++)
        status = run_experiment(c, c->kinds[i], found, error);
    if (c != NULL) {
        for (size_t e = 0; e < LAB_EXPERIMENT_EPSILONS_MAX; e++)
            lab_competitors_clear(&c->competitors[e]);
        lab_random_close(c->random);
    }
    free(c);
    if (status == SCRIM_OK)
        *out = found;
    else
        free(found);
    return status;
}
