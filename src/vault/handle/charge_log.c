#include "vault/handle/charge_log.h"

#include "base/memory.h"

#include <string.h>

typedef struct reading {
    scrim_vault *vault;
    sc_charge_log *log;
    uint64_t population; /* 0: all */
    uint64_t time;
} reading;

static scrim_status fail_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the budgets");
}

static scrim_status take(void *context, const sc_chain *at, sc_text bytes,
                         scrim_error *error)
{
    reading *r = context;
    const sc_event *e = &r->vault->event;
    const scrim_status status = sc_event_parse(bytes, &r->vault->event, error);
    if (status != SCRIM_OK)
        return status;
    if (e->kind == SC_EVENT_TIME)
        r->time = e->time;
    if (!sc_event_is_charge(e->kind))
        return SCRIM_OK;
    const sc_dataset_entry *d = sc_book_dataset(&r->vault->book, e->dataset);
    if (d == NULL || (r->population != 0 && d->population != r->population))
        return SCRIM_OK;
    if (!sc_make_room(&r->log->list, r->log->count, &r->log->capacity,
                      sizeof *r->log->list))
        return fail_memory(error);
    sc_logged_charge *made = &r->log->list[r->log->count++];
    *made = (sc_logged_charge){.entry = at->generation,
                               .time = r->time,
                               .analyst = e->analyst,
                               .before = r->log->last[d->population]};
    sc_ratio_init(&made->amount);
    sc_ratio_init(&made->delta);
    sc_ratio_set(&made->amount, &e->amount);
    sc_ratio_set(&made->delta, &e->delta);
    r->log->last[d->population] = r->log->count;
    return SCRIM_OK;
}

scrim_status sc_charge_log_read(scrim_vault *v, uint64_t from, uint64_t population,
                                sc_charge_log *out, scrim_error *error)
{
    reading r = {.vault = v, .log = out, .population = population};
    *out = (sc_charge_log){.list = NULL};
    out->last = sc_allocate(v->book.population_count + 1, sizeof *out->last);
    scrim_status status =
        out->last == NULL
            ? fail_memory(error)
            : v->store->functions->entries(v->store, from, false, take, &r, error);
    if (status != SCRIM_OK)
        sc_charge_log_clear(out);
    return status;
}

void sc_charge_log_clear(sc_charge_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        sc_ratio_clear(&log->list[i].amount);
        sc_ratio_clear(&log->list[i].delta);
    }
    sc_free(log->list);
    sc_free(log->last);
    *log = (sc_charge_log){.list = NULL};
}

static const sc_logged_charge *charge_of(const sc_charge_log *log, size_t number)
{
    return number == 0 ? NULL : &log->list[number - 1];
}

const sc_logged_charge *sc_charge_log_last(const sc_charge_log *log, uint64_t population)
{
    return charge_of(log, log->last[population]);
}

const sc_logged_charge *sc_charge_log_before(const sc_charge_log *log,
                                             const sc_logged_charge *charge)
{
    return charge_of(log, charge->before);
}
