#include "experiment/flexible_accuracy.h"

#include "base/memory.h"
#include "base/number/ball.h"
#include "base/status.h"
#include "base/workers.h"
#include "experiment/competitor_law.h"
#include "experiment/error_tally.h"
#include "experiment/experiment_data.h"
#include "model/option_struct.h"
#include "random/bits_system.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const char *const grid[] = {"0.05", "0.1", "0.2", "0.5", "1", "2"};
#define GRID (sizeof grid / sizeof *grid)
#define CELLS (GRID * SC_COMPETITOR_KINDS)
#define COUNT_LIMIT 1000000
#define COUNT_DEFAULT 100

typedef struct cell {
    sc_error_tally raw, flexible;
    sc_uint128 raw_expected,
        flexible_expected; /* sums over data sets, in units of FINE */
} cell;

/* Expected errors are added up as integers, so that their order changes nothing. */
#define FINE 0x1p-96L

struct scrim_experiment {
    size_t count; /* of experiments */
    scrim_experiment_row rows[SC_EXPERIMENTS * CELLS];
    scrim_experiment_data data[SC_EXPERIMENTS];
    int64_t heights[SC_EXPERIMENTS][SC_HEIGHTS_MAX];
};

/* What the workers share. Data sets are numbered through all experiments. */
typedef struct campaign {
    scrim_experiment_options options;
    const sc_bit_streams *streams;
    const sc_experiment_kind *kinds[SC_EXPERIMENTS];
    size_t kind_count;
    sc_competitors competitors[GRID];
    cell *cells; /* by worker, then by experiment, epsilon and mechanism */
    scrim_experiment *found;
    atomic_uint_least64_t next, done; /* data sets taken, and finished runs */
    atomic_bool is_over;              /* somebody has failed */
} campaign;

static scrim_status check_count(uint64_t *count, const char *name, scrim_error *error)
{
    if (*count > COUNT_LIMIT)
        return sc_fail(error, SCRIM_E_LIMIT, "%s: at most %d", name, COUNT_LIMIT);
    if (*count == 0)
        *count = COUNT_DEFAULT;
    return SCRIM_OK;
}

static unsigned processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > SC_WORKERS_MAX ? SC_WORKERS_MAX : (unsigned)count;
}

static scrim_status read_options(campaign *c, const scrim_experiment_options *options,
                                 scrim_error *error)
{
    scrim_experiment_options *own = &c->options;
    scrim_status status =
        sc_option_struct_copy(options, sizeof options->size, own, sizeof *own, error);
    if (status == SCRIM_OK && own->only > SC_EXPERIMENTS)
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "only",
                                   "experiments are 1 to %d", SC_EXPERIMENTS);
    if (status == SCRIM_OK && own->workers > SC_WORKERS_MAX)
        status = sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "workers",
                                   "at most %d", SC_WORKERS_MAX);
    if (status == SCRIM_OK)
        status = check_count(&own->sets, "sets", error);
    if (status == SCRIM_OK)
        status = check_count(&own->runs, "runs", error);
    if (own->workers == 0)
        own->workers = processors();
    for (unsigned number = 1; number <= SC_EXPERIMENTS; number++)
        if (own->only == 0 || own->only == number)
            c->kinds[c->kind_count++] = sc_experiment_kind_of(number, own->is_noisy != 0);
    return status;
}

/* Running. */

static scrim_status run_cell(const campaign *c, const sc_competitors *at,
                             sc_competitor mechanism, const sc_scene *scene,
                             sc_bits *bits, cell *out, scrim_error *error)
{
    for (uint64_t run = 0; run < c->options.runs; run++) {
        size_t answer = 0;
        scrim_status status =
            sc_competitor_run(at, mechanism, scene, bits, &answer, error);
        if (status != SCRIM_OK)
            return status;
        sc_error_tally_add(&out->raw, sc_scene_raw_error(scene, answer));
        sc_error_tally_add(&out->flexible, scene->flexible_errors[answer]);
    }
    sc_error_tally_end_set(&out->raw);
    sc_error_tally_end_set(&out->flexible);
    return SCRIM_OK;
}

static scrim_status expect_cell(const sc_competitors *at, sc_competitor mechanism,
                                const sc_scene *scene, cell *out, scrim_error *error)
{
    long double law[SC_HEIGHTS_MAX + 1];
    sc_expected_error raw, flexible;
    if (!sc_competitor_has_law(mechanism))
        return SCRIM_OK;
    scrim_status status = sc_competitor_law(at, mechanism, scene, law, error);
    if (status != SCRIM_OK)
        return status;
    sc_expected_errors(scene, law, &raw, &flexible);
    out->raw_expected += (sc_uint128)((long double)raw.mean / FINE);
    out->flexible_expected += (sc_uint128)((long double)flexible.mean / FINE);
    return SCRIM_OK;
}

/* The first data set is shown. */
static void keep_data(campaign *c, size_t index, const sc_scene *scene)
{
    const sc_experiment_kind *kind = c->kinds[index];
    for (size_t i = 0; i < kind->bars; i++)
        c->found->heights[index][i] = scene->x->at[i + 1];
    c->found->data[index] = (scrim_experiment_data){.experiment = kind->number,
                                                    .statistic = kind->statistic,
                                                    .data = kind->data,
                                                    .bars = kind->bars,
                                                    .heights = c->found->heights[index],
                                                    .value = scene->value,
                                                    .allowance = scene->allowance};
}

static void tell_progress(campaign *c, unsigned worker, uint64_t runs)
{
    const uint64_t done = atomic_fetch_add(&c->done, runs) + runs;
    if (worker == 0 && c->options.progress != NULL)
        c->options.progress(c->options.context, done,
                            c->kind_count * c->options.sets * CELLS * c->options.runs);
}

static scrim_status run_set(campaign *c, unsigned worker, uint64_t number, sc_bits *bits,
                            scrim_error *error)
{
    const size_t index = (size_t)(number / c->options.sets);
    cell *cells = c->cells + (worker * c->kind_count + index) * CELLS;
    sc_heights x;
    sc_scene scene;
    scrim_status status = sc_experiment_make(c->kinds[index], bits, &x, error);
    if (status != SCRIM_OK)
        return status;
    sc_scene_init(&scene, &c->kinds[index]->f, &x);
    const bool is_first = number % c->options.sets == 0;
    if (is_first)
        keep_data(c, index, &scene);
    for (size_t i = 0; i < CELLS && status == SCRIM_OK; i++) {
        const sc_competitors *at = &c->competitors[i / SC_COMPETITOR_KINDS];
        const sc_competitor mechanism = (sc_competitor)(i % SC_COMPETITOR_KINDS);
        status = run_cell(c, at, mechanism, &scene, bits, &cells[i], error);
        /* Where all data sets are the same, one says it all. */
        if (status == SCRIM_OK && (is_first || c->kinds[index]->is_drawn))
            status = expect_cell(at, mechanism, &scene, &cells[i], error);
        tell_progress(c, worker, c->options.runs);
    }
    return status;
}

static scrim_status work(void *context, unsigned worker, scrim_error *error)
{
    campaign *c = context;
    const uint64_t total = c->kind_count * c->options.sets;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && !atomic_load(&c->is_over)) {
        const uint64_t number = atomic_fetch_add(&c->next, 1);
        void *stream = NULL;
        if (number >= total)
            break;
        status = c->streams->begin(c->streams->context, number, &stream, error);
        if (status != SCRIM_OK)
            break;
        status = run_set(c, worker, number, c->streams->bits(stream), error);
        c->streams->end(stream);
    }
    if (status != SCRIM_OK)
        atomic_store(&c->is_over, true);
    if (worker > 0)
        sc_ball_cleanup();
    return status;
}

/* Telling. */

/* The least of the mechanisms at one epsilon, each of several that are equal. */
static void mark_least(scrim_experiment_row *rows)
{
    double raw = rows[0].raw.mean, flexible = rows[0].flexible.mean;
    for (size_t m = 1; m < SC_COMPETITOR_KINDS; m++) {
        raw = rows[m].raw.mean < raw ? rows[m].raw.mean : raw;
        flexible = rows[m].flexible.mean < flexible ? rows[m].flexible.mean : flexible;
    }
    for (size_t m = 0; m < SC_COMPETITOR_KINDS; m++) {
        rows[m].raw.is_least = rows[m].raw.mean <= raw;
        rows[m].flexible.is_least = rows[m].flexible.mean <= flexible;
    }
}

/* Everything that the workers have counted, in the cells of the first. */
static void merge(campaign *c, size_t cells)
{
    for (unsigned worker = 1; worker < c->options.workers; worker++)
        for (size_t i = 0; i < cells; i++) {
            const cell *own = &c->cells[worker * cells + i];
            sc_error_tally_merge(&c->cells[i].raw, &own->raw);
            sc_error_tally_merge(&c->cells[i].flexible, &own->flexible);
            c->cells[i].raw_expected += own->raw_expected;
            c->cells[i].flexible_expected += own->flexible_expected;
        }
}

static void tell_error(const campaign *c, const sc_experiment_kind *kind,
                       const sc_error_tally *tally, sc_uint128 expected,
                       scrim_experiment_error *out)
{
    const uint64_t sets = kind->is_drawn ? c->options.sets : 1;
    sc_error_tally_tell(tally, kind->bars, c->options.sets, kind->is_drawn, out);
    out->expected =
        (double)((long double)expected * FINE * 100 / (long double)(sets * kind->bars));
}

static void tell_row(const campaign *c, size_t index, scrim_experiment_row *row)
{
    const sc_experiment_kind *kind = c->kinds[index / CELLS];
    const cell *own = &c->cells[index];
    const sc_competitor mechanism = (sc_competitor)(index % SC_COMPETITOR_KINDS);
    row->experiment = kind->number;
    row->statistic = kind->statistic;
    row->epsilon = grid[index % CELLS / SC_COMPETITOR_KINDS];
    row->mechanism = sc_competitor_name(mechanism);
    row->runs = c->options.sets * c->options.runs;
    row->raw.has_expected = row->flexible.has_expected =
        sc_competitor_has_law(mechanism) ? 1 : 0;
    tell_error(c, kind, &own->raw, own->raw_expected, &row->raw);
    tell_error(c, kind, &own->flexible, own->flexible_expected, &row->flexible);
}

static void tell(campaign *c)
{
    const size_t cells = c->kind_count * CELLS;
    merge(c, cells);
    for (size_t i = 0; i < cells; i++)
        tell_row(c, i, &c->found->rows[i]);
    for (size_t i = 0; i < cells; i += SC_COMPETITOR_KINDS)
        mark_least(c->found->rows + i);
    c->found->count = c->kind_count;
}

scrim_status sc_flexible_accuracy_run(const scrim_experiment_options *options,
                                      const sc_bit_streams *streams,
                                      scrim_experiment **out, scrim_error *error)
{
    campaign *c = sc_allocate(1, sizeof *c);
    scrim_status status = SCRIM_OK;
    if (c == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment");
    status = read_options(c, options, error);
    if (status != SCRIM_OK)
        goto done;
    c->streams = streams;
    c->cells = sc_allocate(c->options.workers * c->kind_count * CELLS, sizeof *c->cells);
    c->found = sc_allocate(1, sizeof *c->found);
    if (c->cells == NULL || c->found == NULL) {
        status = sc_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment");
        goto done;
    }
    for (size_t e = 0; e < GRID && status == SCRIM_OK; e++)
        status = sc_competitors_init(&c->competitors[e], grid[e], SCRIM_EXPERIMENT_DELTA,
                                     error);
    if (status == SCRIM_OK)
        status = sc_workers_run(c->options.workers, work, c, error);
    if (status == SCRIM_OK) {
        tell(c);
        *out = c->found;
        c->found = NULL;
    }
done:
    for (size_t e = 0; e < GRID; e++)
        sc_competitors_clear(&c->competitors[e]);
    sc_free(c->cells);
    sc_free(c->found);
    sc_free(c);
    return status;
}

/* The bits. */

static scrim_status open_system(const void *context, uint64_t stream, void **handle,
                                scrim_error *error)
{
    sc_bits *bits = NULL;
    (void)context;
    (void)stream;
    scrim_status status = sc_bits_system_open(&bits, error);
    *handle = bits;
    return status;
}

static sc_bits *bits_of_system(void *handle)
{
    return handle;
}

static void close_system(void *handle)
{
    sc_bits_system_close(handle);
}

scrim_status scrim_experiment_flexible_accuracy(const scrim_experiment_options *options,
                                                scrim_experiment **out,
                                                scrim_error *error)
{
    static const sc_bit_streams system = {open_system, bits_of_system, close_system,
                                          NULL};
    return sc_flexible_accuracy_run(options, &system, out, error);
}

void scrim_experiment_free(scrim_experiment *experiment)
{
    sc_free(experiment);
}

const scrim_experiment_row *scrim_experiment_row_at(const scrim_experiment *experiment,
                                                    size_t index)
{
    return index < experiment->count * CELLS ? &experiment->rows[index] : NULL;
}

const scrim_experiment_data *scrim_experiment_data_at(const scrim_experiment *experiment,
                                                      size_t index)
{
    return index < experiment->count ? &experiment->data[index] : NULL;
}
