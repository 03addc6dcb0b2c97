#include "data/table.h"

#include "data/csv.h"
#include "data/sqlite_source.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

struct sc_table {
    const sc_source *source;
    sc_batch_request request;
    size_t *columns;
    void *state;
    bool is_scanned;
};

scrim_status sc_table_open(const sc_batch_request *request, sc_table **table,
                           scrim_error *error)
{
    const sc_source *source = NULL;
    if (request->schema->source == SC_SOURCE_CSV)
        source = &sc_csv_source;
    else if (request->schema->source == SC_SOURCE_SQLITE)
        source = &sc_sqlite_source;
    if (source == NULL)
        return sc_fail(error, SCRIM_E_PARAM,
                       "the policy names no source: add csv=FILE or sqlite=FILE");
    const size_t count = request->column_count;
    sc_table *new = sc_allocate(1, sizeof *new);
    size_t *columns = sc_allocate(count, sizeof *columns);
    if (new == NULL || columns == NULL) {
        sc_release(new);
        sc_release(columns);
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    }
    if (count > 0)
        memcpy(columns, request->columns, count * sizeof *columns);
    *new = (sc_table){.source = source, .request = *request, .columns = columns};
    new->request.columns = columns;
    const scrim_status status = source->state_new(&new->request, &new->state, error);
    if (status == SCRIM_OK)
        *table = new;
    else
        sc_table_close(new);
    return status;
}

void sc_table_close(sc_table *table)
{
    if (table == NULL)
        return;
    if (table->state != NULL)
        table->source->state_free(table->state);
    sc_release(table->columns);
    sc_release_wiped(table, sizeof *table);
}

sc_source_stamp sc_table_stamp(const sc_table *table)
{
    return table->source->stamp(table->state);
}

unsigned sc_table_workers(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1                  ? 1
           : processors > SC_TABLE_WORKERS ? SC_TABLE_WORKERS
                                           : (unsigned)processors;
}

/* One worker's share of a scan. */
typedef struct share {
    sc_table *table;
    sc_table_take *take;
    void *context;
    atomic_bool *is_over; /* somebody has failed */
    pthread_t thread;
    bool is_thread;
    scrim_status status;
    scrim_error error;
} share;

static void work(share *own)
{
    const sc_source *source = own->table->source;
    const sc_batch *batch = NULL;
    void *worker = NULL;
    scrim_status status = source->worker_new(own->table->state, &worker, &own->error);
    while (status == SCRIM_OK && !atomic_load(own->is_over)) {
        status = source->next(worker, &batch, &own->error);
        if (status != SCRIM_OK || batch == NULL)
            break;
        status = own->take(own->context, batch, &own->error);
    }
    if (status != SCRIM_OK)
        atomic_store(own->is_over, true);
    source->worker_free(worker);
    own->status = status;
}

static void *work_in_thread(void *own)
{
    work(own);
    return NULL;
}

/* Threads take no signals: those are the business of whoever has called. */
static void start_threads(share *shares, unsigned workers)
{
    sigset_t all, before;
    sigfillset(&all);
    const bool is_masked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    for (unsigned i = 1; i < workers; i++)
        shares[i].is_thread =
            pthread_create(&shares[i].thread, NULL, work_in_thread, &shares[i]) == 0;
    if (is_masked)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}

scrim_status sc_table_scan(sc_table *table, unsigned workers, sc_table_take *take,
                           void *const *contexts, scrim_error *error)
{
    atomic_bool is_over = false;
    if (workers < 1 || workers > SC_TABLE_WORKERS)
        return sc_fail(error, SCRIM_E_PARAM, "workers: from 1 to %d", SC_TABLE_WORKERS);
    if (table->is_scanned)
        return sc_fail(error, SCRIM_E_STATE, "a table is scanned once; open it again");
    table->is_scanned = true;
    share *shares = sc_allocate(workers, sizeof *shares);
    if (shares == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    for (unsigned i = 0; i < workers; i++)
        shares[i] = (share){
            .table = table, .take = take, .context = contexts[i], .is_over = &is_over};
    start_threads(shares, workers);
    work(&shares[0]);
    scrim_status status = SCRIM_OK;
    for (unsigned i = 0; i < workers; i++) {
        if (shares[i].is_thread)
            pthread_join(shares[i].thread, NULL);
        if (status == SCRIM_OK && shares[i].status != SCRIM_OK)
            status = sc_fail(error, shares[i].status, "%s", shares[i].error.message);
    }
    sc_release(shares);
    return status;
}
