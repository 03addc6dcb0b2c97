/* How long a budget lasts: a view of the last charges, which decides nothing. */
#include "vault/vault.h"

#include <string.h>

/* Entries that are looked at. */
#define REACH 4096
/* Charges: their exact sum stays small. */
#define WINDOW 64

typedef struct forecasting {
    scrim_vault *vault;
    size_t index;
    uint64_t window, skip; /* charges wanted; and passed over until they come */
    uint64_t count;
    uint64_t time, first, last; /* by the clocks; 0: not known */
    sc_ratio amount, delta;     /* sums */
    scrim_forecast *out;
} forecasting;

static bool is_of(const forecasting *f, const sc_event *e)
{
    const sc_dataset *d = sc_book_dataset(&f->vault->book, e->dataset);
    return sc_event_is_charge(e->kind) && d != NULL && d->population == f->index + 1;
}

static scrim_status count_charge(void *context, const sc_chain *at, sc_text bytes,
                                 scrim_error *error)
{
    forecasting *f = context;
    (void)at;
    scrim_status status = sc_event_parse(bytes, &f->vault->event, error);
    if (status == SCRIM_OK && is_of(f, &f->vault->event))
        f->count++;
    return status;
}

static scrim_status add_charge(void *context, const sc_chain *at, sc_text bytes,
                               scrim_error *error)
{
    forecasting *f = context;
    const sc_event *e = &f->vault->event;
    (void)at;
    scrim_status status = sc_event_parse(bytes, &f->vault->event, error);
    if (status != SCRIM_OK)
        return status;
    if (e->kind == SC_EVENT_TIME)
        f->time = e->time;
    if (!is_of(f, e))
        return SCRIM_OK;
    if (f->skip > 0) {
        f->skip--;
        return SCRIM_OK;
    }
    sc_ratio_add(&f->amount, &f->amount, &e->amount);
    sc_ratio_add(&f->delta, &f->delta, &e->delta);
    if (f->count++ == 0)
        f->first = f->time;
    f->last = f->time;
    return SCRIM_OK;
}

/* floor(left count / sum): how often the average fits. */
static void limit_charges(const sc_ratio *left, const sc_ratio *sum, uint64_t count,
                          uint64_t *charges)
{
    sc_ratio times;
    sc_integer whole;
    uint64_t fits = UINT64_MAX;
    if (sc_ratio_sign(sum) == 0)
        return;
    sc_ratio_init(&times);
    sc_integer_init(&whole);
    sc_ratio_set_int128(&times, (sc_int128)count);
    sc_ratio_mul(&times, &times, left);
    sc_ratio_div(&times, &times, sum);
    sc_ratio_floor(&times, &whole);
    if (sc_integer_get_uint64(&whole, &fits) && fits < *charges)
        *charges = fits;
    sc_integer_clear(&whole);
    sc_ratio_clear(&times);
}

static void set_average(const sc_ratio *sum, uint64_t count,
                        char text[SCRIM_NUMBER_BYTES])
{
    sc_ratio average;
    sc_ratio_init(&average);
    sc_ratio_set_int128(&average, (sc_int128)count);
    sc_ratio_div(&average, sum, &average);
    sc_book_format_upper(&average, text);
    sc_ratio_clear(&average);
}

static void conclude(const forecasting *f)
{
    scrim_forecast *out = f->out;
    sc_ratio amount, delta;
    sc_ratio_init(&amount);
    sc_ratio_init(&delta);
    sc_book_left(&f->vault->book, f->index + 1, 0, &amount, &delta);
    out->window = f->count;
    out->charges = UINT64_MAX;
    limit_charges(&amount, &f->amount, f->count, &out->charges);
    limit_charges(&delta, &f->delta, f->count, &out->charges);
    set_average(&f->amount, f->count, out->average);
    set_average(&f->delta, f->count, out->average_delta);
    if (f->first != 0 && f->last > f->first)
        out->seconds = f->last - f->first;
    sc_ratio_clear(&delta);
    sc_ratio_clear(&amount);
}

static scrim_status plan_forecast(scrim_vault *v, void *context, scrim_error *error)
{
    forecasting *f = context;
    const sc_store_functions *functions = v->store->functions;
    const uint64_t last = v->chain.generation;
    const uint64_t from = last > REACH ? last - REACH + 1 : 1;
    if (sc_book_account(&v->book, f->index + 1) == NULL)
        return sc_fail(error, SCRIM_E_PARAM, "the vault has no such population");
    scrim_status status =
        functions->entries(v->store, from, false, count_charge, f, error);
    f->skip = f->count > f->window ? f->count - f->window : 0;
    f->count = 0;
    if (status == SCRIM_OK)
        status = functions->entries(v->store, from, false, add_charge, f, error);
    if (status == SCRIM_OK)
        memset(f->out, 0, sizeof *f->out);
    if (status == SCRIM_OK && f->count > 0)
        conclude(f);
    return status;
}

scrim_status scrim_vault_forecast(scrim_vault *vault, size_t index, uint64_t window,
                                  scrim_forecast *out, scrim_error *error)
{
    forecasting f = {.vault = vault,
                     .index = index,
                     .window = window < WINDOW ? window : WINDOW,
                     .out = out};
    sc_ratio_init(&f.amount);
    sc_ratio_init(&f.delta);
    scrim_status status = sc_vault_read(vault, plan_forecast, &f, error);
    sc_ratio_clear(&f.delta);
    sc_ratio_clear(&f.amount);
    return status;
}
