#include "query/answer/feeding.h"

#include "data/source/arrow_rows.h"
#include "data/source/source.h"
#include "query/answer/ask.h"
#include "random/private_pages.h"

#include <stdatomic.h>

struct scrim_feed {
    sc_asking asking;
    const struct ArrowSchema *schema; /* while it begins */
    sc_arrow_rows *rows;
    bool is_broken;
    sc_process_mark here;
};

/* With fewer blocks for each a worker is not worth its thread. */
#define BLOCKS_LEAST 2

static bool is_read(const scrim_plan *plan, size_t column)
{
    for (size_t i = 0; i < plan->statement_count; i++) {
        const sc_query *query = plan->statements[i].query;
        for (size_t j = 0; j < query->read_count; j++)
            if (query->reads[j] == column)
                return true;
    }
    return false;
}

const char *scrim_feed_column(const scrim_plan *plan, size_t index)
{
    const sc_schema *schema = plan->schema;
    if (schema->unit.bytes > 0 && index-- == 0)
        return schema->unit.start;
    for (size_t i = 0; i < schema->column_count; i++)
        if (is_read(plan, i) && index-- == 0)
            return schema->columns[i].name.start;
    return NULL;
}

/* Beginning. */

/* Before the charge: checks the types of the columns and takes the memory of a batch. */
static scrim_status open_rows(void *context, sc_pass *pass, scrim_error *error)
{
    scrim_feed *feed = context;
    sc_arrow_rows_free(feed->rows);
    feed->rows = NULL;
    return sc_arrow_rows_new(feed->schema, sc_pass_request(pass), sc_pass_workers(pass),
                             &feed->rows, error);
}

scrim_status scrim_feed_begin(scrim_vault *vault, const scrim_plan *plan,
                              const struct ArrowSchema *schema, scrim_feed **out,
                              scrim_error *error)
{
    SC_REQUIRE(error, "vault plan out", vault, plan, out);
    scrim_status status = sc_source_want_pushed(plan->schema, error);
    if (status != SCRIM_OK)
        return status;
    scrim_feed *feed = sc_allocate(1, sizeof *feed);
    if (feed == NULL || !sc_process_mark_init(&feed->here)) {
        sc_free(feed);
        return sc_no_memory(error, "a feed");
    }
    feed->schema = schema;
    sc_asking_init(&feed->asking, vault, plan);
    feed->asking.charged.rows.is_pushed = true;
    feed->asking.opened = open_rows;
    feed->asking.context = feed;
    status = sc_charged_begin(&feed->asking.charged, error);
    feed->schema = NULL;
    if (status == SCRIM_OK)
        *out = feed;
    else
        scrim_feed_abort(feed);
    return status;
}

int scrim_feed_needs_rows(const scrim_feed *feed)
{
    return sc_charged_needs_rows(&feed->asking.charged);
}

uint64_t scrim_feed_release(const scrim_feed *feed)
{
    return sc_charged_release(&feed->asking.charged);
}

void scrim_feed_abort(scrim_feed *feed)
{
    if (feed == NULL)
        return;
    sc_arrow_rows_free(feed->rows);
    sc_charged_clear(&feed->asking.charged);
    sc_asking_clear(&feed->asking);
    sc_process_mark_clear(&feed->here);
    sc_free(feed);
}

/* Rows. */

static scrim_status check_state(const scrim_feed *feed, scrim_error *error)
{
    if (!sc_process_mark_is_here(&feed->here))
        return sc_fail(error, SCRIM_E_STATE,
                       "rows are pushed by the process that has begun the feed; begin "
                       "another one");
    if (feed->is_broken)
        return sc_fail(error, SCRIM_E_STATE,
                       "the feed has failed and takes no rows; abort it");
    return SCRIM_OK;
}

typedef struct pushing {
    scrim_feed *feed;
    atomic_size_t next; /* block */
    atomic_bool is_over;
} pushing;

static scrim_status push_blocks(void *context, unsigned worker, scrim_error *error)
{
    pushing *p = context;
    sc_arrow_rows *rows = p->feed->rows;
    const size_t blocks = sc_arrow_rows_blocks(rows);
    scrim_status status = SCRIM_OK;
    size_t block;
    while (status == SCRIM_OK && !atomic_load(&p->is_over) &&
           (block = atomic_fetch_add(&p->next, 1)) < blocks) {
        const sc_batch *batch = NULL;
        status = sc_arrow_rows_block(rows, worker, block, &batch, error);
        if (status == SCRIM_OK)
            status = sc_pass_take(p->feed->asking.pass, worker, batch, error);
    }
    if (status != SCRIM_OK)
        atomic_store(&p->is_over, true);
    return status;
}

static scrim_status push(scrim_feed *feed, scrim_error *error)
{
    pushing p = {.feed = feed};
    const size_t blocks = sc_arrow_rows_blocks(feed->rows),
                 useful = blocks / BLOCKS_LEAST,
                 workers = sc_pass_workers(feed->asking.pass);
    if (useful <= 1 || workers == 1)
        return push_blocks(&p, 0, error);
    return sc_workers_run((unsigned)(useful < workers ? useful : workers), push_blocks,
                          &p, error);
}

scrim_status scrim_feed_put(scrim_feed *feed, const struct ArrowArray *batch,
                            scrim_error *error)
{
    SC_REQUIRE(error, "feed", feed);
    scrim_status status = check_state(feed, error);
    if (status != SCRIM_OK || !sc_charged_needs_rows(&feed->asking.charged))
        return status;
    status = sc_arrow_rows_open(feed->rows, batch, error);
    if (status == SCRIM_E_INPUT)
        return status;
    if (status == SCRIM_OK)
        status = push(feed, error);
    sc_arrow_rows_close(feed->rows);
    if (status == SCRIM_OK)
        return SCRIM_OK;
    feed->is_broken = true;
    return sc_charged_end(&feed->asking.charged, status, error);
}

scrim_status scrim_feed_end(scrim_feed *feed, scrim_result **out, scrim_error *error)
{
    SC_REQUIRE(error, "feed out", feed, out);
    scrim_status status = check_state(feed, error);
    if (status == SCRIM_OK) {
        sc_charged *charged = &feed->asking.charged;
        sc_arrow_rows_free(feed->rows);
        feed->rows = NULL;
        if (sc_charged_needs_rows(charged))
            status =
                sc_charged_end(charged, sc_pass_finish(feed->asking.pass, error), error);
        feed->asking.out = out;
        if (status == SCRIM_OK)
            status = sc_charged_show(charged, error);
    }
    scrim_feed_abort(feed);
    return status;
}
