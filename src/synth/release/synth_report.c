#include "synth/release/synth_report.h"

#include "base/memory.h"
#include "composition/fast/fft.h"
#include "synth/model/table_axes.h"

#include <math.h>
#include <string.h>

/* Noise is cut where less than 2^-100 of it is left. */
#define GAUSSIAN_REACH 13 /* deviations */
#define LAPLACE_REACH 75  /* scales */
#define FINE 512          /* steps a deviation; finer noise is rounded up to a grid */
#define LOG_MAX 22        /* of the length of a transform */
#define UNIT 0x1p-53

/* The distribution of |Z|, rounded up to a multiple of step. */
typedef struct absolute {
    double step;
    size_t count;
    double *masses; /* [count] that of i steps */
} absolute;

/* Standard deviation, rounded up: sigma bounds that of the discrete Gaussian. */
static double cell_noise_deviation(const sc_cell_noise *noise)
{
    return noise->is_laplace ? noise->parameter * sqrt(2) : sqrt(noise->parameter);
}

/* The weight of k, relative to that of 0. */
static double weight_of(const sc_cell_noise *noise, double k)
{
    return noise->is_laplace ? exp(-k / noise->parameter)
                             : exp(-k * k / (2 * noise->parameter));
}

static double reach_of(const sc_cell_noise *noise)
{
    return noise->is_laplace ? LAPLACE_REACH * noise->parameter
                             : GAUSSIAN_REACH * sqrt(noise->parameter);
}

/* The weight of the integers above (i - 1) step and up to i step. Where these are too many, the first stands for all:
 * relative to the true weights this grows with i, so that every tail of the normalised distribution grows. */
static double weight_of_step(const sc_cell_noise *noise, double i, double step)
{
    double sum = 0;
    if (step > FINE)
        return step * weight_of(noise, (i - 1) * step + 1);
    for (double k = (i - 1) * step + 1; k <= i * step; k++)
        sum += weight_of(noise, k);
    return sum;
}

static scrim_status absolute_init(const sc_cell_noise *noise, absolute *out,
                                  scrim_error *error)
{
    out->step = floor(cell_noise_deviation(noise) / FINE);
    if (out->step < 1)
        out->step = 1;
    out->count = (size_t)(reach_of(noise) / out->step) + 3;
    out->masses = sc_allocate(out->count, sizeof *out->masses);
    if (out->masses == NULL)
        return sc_no_memory(error, "a report");
    double sum = out->masses[0] = 1;
    for (size_t i = 1; i < out->count; i++) {
        out->masses[i] = 2 * weight_of_step(noise, (double)i, out->step);
        sum += out->masses[i];
    }
    for (size_t i = 0; i < out->count; i++)
        out->masses[i] /= sum;
    return SCRIM_OK;
}

static double mean_of(const absolute *z)
{
    double sum = 0;
    for (size_t i = z->count; i-- > 0;)
        sum += (double)i * z->masses[i];
    return sum;
}

/* ln E exp(t |Z|), t in steps. */
static double log_moment(const absolute *z, double t)
{
    double sum = 0;
    for (size_t i = z->count; i-- > 0;)
        sum += z->masses[i] * exp(t * (double)i);
    return log(sum);
}

/* The smallest b over many t with n ln E exp(t |Z|) - t b <= ln beta, in steps. */
static double chernoff(const absolute *z, double n, double beta)
{
    double best = (double)INFINITY;
    const double spread = mean_of(z) + 1;
    for (double t = 4 / spread; t > 1e-12 / spread; t /= 1.2) {
        const double b = (n * log_moment(z, t) - log(beta)) / t;
        /* It falls, then grows. */
        if (b > best)
            break;
        best = b;
    }
    return best * (1 + 1e-9);
}

/* A bound of the error of a tail: each value of the transform is off by (5 levels + 8) units before and n times that
 * after the power, coefficients in the 2-norm by no more, their sum by the root of their number times that. */
static double tail_error(double n, unsigned log)
{
    const double value = (5.0 * log + 8) * UNIT;
    return sqrt((double)((size_t)1 << log)) * (n * (value + 3 * UNIT) + value) * 1.001 +
           1e-13;
}

/* The masses of the sum of n, in 2^log places; what is beyond the last has a mass below 1e-15. */
static scrim_status convolve(const absolute *z, uint64_t n, unsigned log, double **out,
                             scrim_error *error)
{
    sc_fft fft;
    double *x = sc_allocate((size_t)1 << log, sizeof *x);
    if (x == NULL)
        return sc_no_memory(error, "a report");
    SC_BALL_SCOPE(scope);
    sc_fft_init(&fft);
    const scrim_status status = sc_fft_prepare(&fft, log, error);
    if (status == SCRIM_OK) {
        memcpy(x, z->masses, z->count * sizeof *x);
        sc_fft_forward(&fft, x);
        sc_fft_power(&fft, x, n);
        sc_fft_inverse(&fft, x);
    }
    sc_fft_clear(&fft);
    if (status == SCRIM_OK)
        *out = x;
    else
        sc_free(x);
    return status;
}

static unsigned log_of(double places)
{
    unsigned log = SC_FFT_LOG_MIN;
    while (log <= LOG_MAX && (double)((size_t)1 << log) < places)
        log++;
    return log;
}

/* In steps. */
static scrim_status find_quantile(const absolute *z, uint64_t n, double beta, double *out,
                                  scrim_error *error)
{
    double places = chernoff(z, (double)n, 1e-15) + 2;
    if (places < (double)z->count)
        places = (double)z->count;
    const unsigned log = log_of(places);
    const double off = tail_error((double)n, log);
    if (log > LOG_MAX || off > beta / 16) {
        *out = chernoff(z, (double)n, beta);
        return SCRIM_OK;
    }
    double *masses = NULL;
    const scrim_status status = convolve(z, n, log, &masses, error);
    if (status != SCRIM_OK)
        return status;
    size_t at = (size_t)1 << log;
    for (double tail = off; at > 0 && tail + masses[at - 1] <= beta; at--)
        tail += masses[at - 1] > 0 ? masses[at - 1] : 0;
    sc_free(masses);
    *out = at > 0 ? (double)(at - 1) : 0;
    return SCRIM_OK;
}

scrim_status sc_noise_l1_upper(const sc_cell_noise *noise, uint64_t cells, double beta,
                               double *out, scrim_error *error)
{
    absolute z;
    double steps = 0;
    scrim_status status = absolute_init(noise, &z, error);
    if (status != SCRIM_OK)
        return status;
    status = find_quantile(&z, cells, beta, &steps, error);
    if (status == SCRIM_OK)
        *out = steps * z.step;
    sc_free(z.masses);
    return status;
}

double sc_noise_l1_sums_upper(const sc_cell_noise *noise, double members, uint64_t cells,
                              double beta)
{
    const double n = (double)cells;
    if (noise->is_laplace)
        return (double)INFINITY;
    return sqrt(2 * members * noise->parameter * n * (n * log(2) - log(beta)));
}

/* Room for the rounding of the sums, outwards. */
#define OUTWARDS 1e-12

static double cut(double variation)
{
    return variation < 0 ? 0 : variation > 1 ? 1 : variation;
}

/* exp(-t^2/(2 variance)) and exp(-t/scale), twice each. */
double sc_variation_slack_upper(const sc_cell_noise *noise, double beta)
{
    const double units = log(2 / beta);
    if (!(noise->parameter > 0))
        return 0;
    return 1 + (noise->is_laplace ? noise->parameter * units
                                  : sqrt(2 * noise->parameter * units));
}

double sc_variation_distance(const int64_t *noisy, const int64_t *synthetic, size_t cells,
                             double total, uint64_t rows)
{
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += fabs((double)noisy[i] - (double)synthetic[i] * total / (double)rows);
    return sum;
}

sc_variation sc_variation_interval(double distance, double noise_l1,
                                   const sc_variation_total *total)
{
    const double around = noise_l1 + total->slack;
    return (sc_variation){
        .lower = cut((distance - around) / (2 * total->total) - OUTWARDS),
        .upper = cut((distance + around) / (2 * total->total) + OUTWARDS),
    };
}

double sc_selection_upper(const sc_selection_round *round, double weight, double penalty,
                          double beta)
{
    const double chosen =
        round->chosen_weight * (round->chosen_upper - round->chosen_penalty);
    const double behind = (log((double)round->candidates) - log(beta)) / round->h;
    return (chosen + behind) / weight + penalty;
}

double sc_variation_upper(double from_model, double model_distance,
                          const sc_variation_total *total)
{
    return sc_variation_interval(from_model + model_distance, 0, total).upper;
}

void sc_synth_report_init(sc_synth_report *report)
{
    memset(report, 0, sizeof *report);
}

void sc_synth_report_clear(sc_synth_report *report)
{
    sc_free(report->entries);
    sc_synth_report_init(report);
}

/* A report while it is made: of which release each entry speaks. */
typedef struct source {
    size_t measured;  /* index; the number of them: none */
    size_t round;     /* index; the number of them: none */
    size_t candidate; /* of that round */
} source;

typedef struct making {
    const sc_report_facts *facts;
    sc_synth_report report;
    source *sources; /* [entries] */
    size_t capacity;
    double share; /* of beta, for a statement */
    sc_variation_total total;
    int64_t *rows;  /* cells of one marginal: of the rows */
    int64_t *noisy; /* of releases */
    double *model;  /* of the model */
    size_t cells;   /* room in these */
} making;

/* How uncertain the counts of a clique are that a measured marginal gives, or infinite. */
static double spread_of(const sc_report_facts *facts, const sc_report_measured *m,
                        sc_clique clique)
{
    if (!sc_clique_is_inside(clique, m->clique))
        return (double)INFINITY;
    const double cells = (double)sc_clique_cells(facts->columns, m->clique);
    return cell_noise_deviation(&m->noise) * sqrt(cells);
}

/* The most precise measurement of a clique; if it was not measured itself, that of the larger
 * marginal whose sums are most precise. */
static size_t find_measured(const sc_report_facts *facts, sc_clique clique)
{
    size_t best = facts->measured_count;
    bool is_own = false;
    double least = (double)INFINITY;
    for (size_t i = 0; i < facts->measured_count; i++) {
        const bool is_same = facts->measured[i].clique == clique;
        const double spread = spread_of(facts, &facts->measured[i], clique);
        if (is_own == is_same ? spread >= least : is_own)
            continue;
        best = i;
        is_own = is_same;
        least = spread;
    }
    return best;
}

static void find_candidate(const sc_report_facts *facts, sc_clique clique, source *out)
{
    out->round = facts->round_count;
    for (size_t r = 0; r < facts->round_count; r++)
        for (size_t i = 0; i < facts->rounds[r].other_count; i++)
            if (facts->rounds[r].others[i].clique == clique) {
                out->round = r;
                out->candidate = i;
            }
}

static scrim_status put_entry(making *m, sc_clique clique, scrim_error *error)
{
    const sc_report_facts *facts = m->facts;
    const uint64_t cells = sc_clique_cells(facts->columns, clique);
    if (cells > SC_REPORT_CELLS_MAX) {
        m->report.left_out++;
        return SCRIM_OK;
    }
    size_t same = m->capacity;
    if (!sc_make_room(&m->report.entries, m->report.count, &m->capacity,
                      sizeof *m->report.entries) ||
        !sc_make_room(&m->sources, m->report.count, &same, sizeof *m->sources))
        return sc_no_memory(error, "a report");
    source *from = &m->sources[m->report.count];
    sc_report_entry *entry = &m->report.entries[m->report.count++];
    *entry = (sc_report_entry){clique, SC_REPORT_MODEL, {0, 1}, 0};
    from->measured = find_measured(facts, clique);
    find_candidate(facts, clique, from);
    if (from->measured != facts->measured_count)
        entry->kind = facts->measured[from->measured].clique == clique
                          ? SC_REPORT_MEASURED
                          : SC_REPORT_INSIDE;
    else if (from->round != facts->round_count)
        entry->kind = SC_REPORT_SELECTION;
    m->cells = cells > m->cells ? (size_t)cells : m->cells;
    return SCRIM_OK;
}

/* All sets of `ways` columns, in the order of their columns. */
static scrim_status put_entries(making *m, unsigned ways, scrim_error *error)
{
    const size_t count = m->facts->columns->count;
    size_t at[3] = {0, 1, 2};
    if (ways > count)
        return SCRIM_OK;
    for (;;) {
        sc_clique clique = 0;
        for (unsigned i = 0; i < ways; i++)
            clique |= sc_clique_of(at[i]);
        const scrim_status status = put_entry(m, clique, error);
        if (status != SCRIM_OK)
            return status;
        unsigned i = ways;
        while (i > 0 && at[i - 1] == count - ways + i - 1)
            i--;
        if (i == 0)
            return SCRIM_OK;
        for (at[i - 1]++; i < ways; i++)
            at[i] = at[i - 1] + 1;
    }
}

static void divide_beta(making *m)
{
    size_t statements = 2 * m->facts->round_count;
    for (size_t i = 0; i < m->report.count; i++)
        statements += m->report.entries[i].kind == SC_REPORT_MEASURED ||
                      m->report.entries[i].kind == SC_REPORT_INSIDE;
    if (statements < m->facts->statements)
        statements = m->facts->statements;
    m->share = m->facts->beta / (double)(1 + statements);
    m->total.total = m->facts->total;
    m->total.slack = sc_variation_slack_upper(&m->facts->total_noise, m->share);
    m->report.slack = m->total.slack;
}

static scrim_status allocate_cells(making *m, scrim_error *error)
{
    for (size_t i = 0; i < m->facts->round_count; i++) {
        const uint64_t cells =
            sc_clique_cells(m->facts->columns, m->facts->rounds[i].chosen.clique);
        m->cells = cells > m->cells ? (size_t)cells : m->cells;
    }
    m->rows = sc_allocate(m->cells, sizeof *m->rows);
    m->noisy = sc_allocate(m->cells, sizeof *m->noisy);
    m->model = sc_allocate(m->cells, sizeof *m->model);
    return m->rows == NULL || m->noisy == NULL || m->model == NULL
               ? sc_no_memory(error, "a report")
               : SCRIM_OK;
}

static void count_rows(making *m, sc_clique clique)
{
    const uint64_t cells = sc_clique_cells(m->facts->columns, clique);
    memset(m->rows, 0, (size_t)cells * sizeof *m->rows);
    sc_synth_rows_count(m->facts->rows, m->facts->columns, clique, m->rows);
}

/* The measured counts, summed onto a clique inside theirs. */
static void sum_counts(making *m, const sc_report_measured *measured, sc_clique clique)
{
    sc_table_axes axes;
    size_t index[SC_SYNTH_COLUMNS_MAX] = {0}, place = 0, at = 0;
    sc_table_axes_set(m->facts->columns, measured->clique, &clique, 1, &axes);
    memset(m->noisy, 0,
           (size_t)sc_clique_cells(m->facts->columns, clique) * sizeof *m->noisy);
    for (; at < axes.cells; at++) {
        m->noisy[place] += measured->counts[at];
        for (size_t i = axes.count; i-- > 0;) {
            place += axes.list[i].steps[0];
            if (++index[i] < axes.list[i].size)
                break;
            place -= axes.list[i].steps[0] * axes.list[i].size;
            index[i] = 0;
        }
    }
}

/* A bound of the noises of a marginal, or of its sums onto fewer columns: the better of two, which depends on public
 * numbers alone. */
static scrim_status bound_noise(const making *m, const sc_report_measured *measured,
                                sc_clique clique, double *out, scrim_error *error)
{
    const sc_synth_columns *columns = m->facts->columns;
    const scrim_status status =
        sc_noise_l1_upper(&measured->noise, measured->noises, m->share, out, error);
    if (status != SCRIM_OK || clique == measured->clique)
        return status;
    const uint64_t cells = sc_clique_cells(columns, clique);
    const double members = (double)measured->noises / (double)cells;
    const double sums =
        sc_noise_l1_sums_upper(&measured->noise, members, cells, m->share);
    *out = sums < *out ? sums : *out;
    return SCRIM_OK;
}

static scrim_status bound_measured(making *m, sc_report_entry *entry, const source *from,
                                   scrim_error *error)
{
    const sc_report_measured *measured = &m->facts->measured[from->measured];
    double noise = 0;
    const scrim_status status = bound_noise(m, measured, entry->clique, &noise, error);
    if (status != SCRIM_OK)
        return status;
    sum_counts(m, measured, entry->clique);
    const double distance = sc_variation_distance(
        m->noisy, m->rows, (size_t)sc_clique_cells(m->facts->columns, entry->clique),
        m->total.total, m->facts->rows->count);
    entry->variation = sc_variation_interval(distance, noise, &m->total);
    return SCRIM_OK;
}

/* sum |y - model| + B of what a round has chosen. */
static scrim_status bound_chosen(making *m, const sc_report_round *round, double *out,
                                 scrim_error *error)
{
    const size_t found = find_measured(m->facts, round->chosen.clique);
    *out = (double)INFINITY;
    if (found == m->facts->measured_count ||
        m->facts->measured[found].clique != round->chosen.clique)
        return SCRIM_OK;
    const sc_report_measured *measured = &m->facts->measured[found];
    double noise = 0, sum = 0;
    const scrim_status status =
        sc_noise_l1_upper(&measured->noise, measured->noises, m->share, &noise, error);
    for (size_t i = 0; i < sc_clique_cells(m->facts->columns, round->chosen.clique); i++)
        sum += fabs((double)measured->counts[i] - (double)round->chosen.model[i]);
    *out = sum + noise;
    return status;
}

static scrim_status bound_candidate(making *m, sc_report_entry *entry, const source *from,
                                    scrim_error *error)
{
    const sc_report_round *round = &m->facts->rounds[from->round];
    const sc_report_candidate *other = &round->others[from->candidate];
    sc_selection_round fact = {.candidates = round->candidates,
                               .h = round->h,
                               .chosen_weight = round->chosen.weight,
                               .chosen_penalty = round->chosen.penalty};
    const scrim_status status = bound_chosen(m, round, &fact.chosen_upper, error);
    if (status != SCRIM_OK)
        return status;
    const double distance = sc_variation_distance(
        other->model, m->rows, (size_t)sc_clique_cells(m->facts->columns, entry->clique),
        m->total.total, m->facts->rows->count);
    const double upper =
        sc_selection_upper(&fact, other->weight, other->penalty, m->share);
    entry->variation.upper = sc_variation_upper(upper, distance, &m->total);
    return SCRIM_OK;
}

static scrim_status compare_model(making *m, sc_report_entry *entry, scrim_error *error)
{
    const size_t cells = (size_t)sc_clique_cells(m->facts->columns, entry->clique);
    const scrim_status status =
        m->facts->marginal(m->facts->model, entry->clique, m->model, error);
    double sum = 0, total = 0;
    for (size_t i = 0; i < cells; i++)
        total += m->model[i];
    for (size_t i = 0; i < cells; i++)
        sum += fabs(m->model[i] / total -
                    (double)m->rows[i] / (double)m->facts->rows->count);
    entry->from_model = sum / 2;
    return status;
}

static scrim_status fill_entry(making *m, size_t i, scrim_error *error)
{
    sc_report_entry *entry = &m->report.entries[i];
    scrim_status status = SCRIM_OK;
    count_rows(m, entry->clique);
    if (entry->kind == SC_REPORT_MEASURED || entry->kind == SC_REPORT_INSIDE)
        status = bound_measured(m, entry, &m->sources[i], error);
    else if (entry->kind == SC_REPORT_SELECTION)
        status = bound_candidate(m, entry, &m->sources[i], error);
    return status == SCRIM_OK ? compare_model(m, entry, error) : status;
}

scrim_status sc_synth_report_make(const sc_report_facts *facts, sc_synth_report *out,
                                  scrim_error *error)
{
    making m = {.facts = facts};
    scrim_status status = SCRIM_OK;
    for (unsigned ways = 1; ways <= facts->ways && status == SCRIM_OK; ways++)
        status = put_entries(&m, ways, error);
    if (status == SCRIM_OK)
        status = allocate_cells(&m, error);
    divide_beta(&m);
    for (size_t i = 0; i < m.report.count && status == SCRIM_OK; i++)
        status = fill_entry(&m, i, error);
    if (status == SCRIM_OK) {
        sc_synth_report_clear(out);
        *out = m.report;
        sc_synth_report_init(&m.report);
    }
    sc_synth_report_clear(&m.report);
    sc_free(m.sources);
    sc_free(m.rows);
    sc_free(m.noisy);
    sc_free(m.model);
    return status;
}
