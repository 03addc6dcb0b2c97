/* How long a budget lasts: a view of the last charges, which decides nothing. */
#include "vault/vault_budgets.h"

#include <string.h>

/* Entries that are looked at. */
#define REACH 4096
/* Charges: their exact sum stays small. */
#define WINDOW 64

typedef struct forecasting {
    const scrim_vault *vault;
    size_t index;
    uint64_t count;
    uint64_t first, last;      /* by the clocks; 0: not known */
    uint64_t analysts[WINDOW]; /* who made them, each once */
    size_t analyst_count;
    sc_ratio amount, delta; /* sums */
    scrim_forecast *out;
} forecasting;

static void note_analyst(forecasting *f, uint64_t analyst)
{
    for (size_t i = 0; i < f->analyst_count; i++)
        if (f->analysts[i] == analyst)
            return;
    f->analysts[f->analyst_count++] = analyst;
}

/* From the last charge backwards. */
static void add_charges(forecasting *f, const sc_charge_log *log, uint64_t window)
{
    const uint64_t end = f->vault->chain.generation;
    const uint64_t from = end > REACH ? end - REACH + 1 : 1;
    const sc_logged_charge *charge = sc_charge_log_last(log, f->index + 1);
    for (; charge != NULL && charge->entry >= from && f->count < window;
         charge = sc_charge_log_before(log, charge)) {
        sc_ratio_add(&f->amount, &f->amount, &charge->amount);
        sc_ratio_add(&f->delta, &f->delta, &charge->delta);
        note_analyst(f, charge->analyst);
        if (f->count++ == 0)
            f->last = charge->time;
        f->first = charge->time;
    }
}

/* floor(left count / sum): how often the average fits. */
static void limit_charges(const sc_ratio *left, const sc_ratio *sum, uint64_t count,
                          uint64_t *charges)
{
    uint64_t fits = UINT64_MAX;
    if (sc_ratio_sign(sum) == 0)
        return;
    SC_OWN(sc_ratio, times);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int128(&times, (sc_int128)count);
    sc_ratio_mul(&times, &times, left);
    sc_ratio_div(&times, &times, sum);
    sc_ratio_floor(&times, &whole);
    if (sc_integer_get_uint64(&whole, &fits) && fits < *charges)
        *charges = fits;
}

static void set_average(const sc_ratio *sum, uint64_t count,
                        char text[SCRIM_NUMBER_BYTES])
{
    SC_OWN(sc_ratio, average);
    sc_ratio_set_int128(&average, (sc_int128)count);
    sc_ratio_div(&average, sum, &average);
    sc_book_format_upper(&average, text);
}

/* How many more fit into what is left for an analyst, or (0) of the whole. */
static uint64_t count_fitting(const forecasting *f, uint64_t analyst)
{
    uint64_t charges = UINT64_MAX;
    SC_OWN(sc_ratio, amount, delta);
    sc_book_left(&f->vault->book, f->index + 1, analyst, &amount, &delta);
    limit_charges(&amount, &f->amount, f->count, &charges);
    limit_charges(&delta, &f->delta, f->count, &charges);
    return charges;
}

static void conclude(const forecasting *f)
{
    scrim_forecast *out = f->out;
    const uint64_t whole = count_fitting(f, 0);
    out->window = f->count;
    out->charges = 0;
    for (size_t i = 0; i < f->analyst_count && out->charges < whole; i++) {
        const uint64_t own = count_fitting(f, f->analysts[i]);
        out->charges = own < whole - out->charges ? out->charges + own : whole;
    }
    set_average(&f->amount, f->count, out->average);
    set_average(&f->delta, f->count, out->average_delta);
    if (f->first != 0 && f->last > f->first)
        out->seconds = f->last - f->first;
}

void sc_vault_forecast_from(const scrim_vault *vault, const sc_charge_log *log,
                            size_t index, uint64_t window, scrim_forecast *out)
{
    forecasting f = {.vault = vault, .index = index, .out = out};
    sc_ratio_init(&f.amount);
    sc_ratio_init(&f.delta);
    memset(out, 0, sizeof *out);
    add_charges(&f, log, window < WINDOW ? window : WINDOW);
    if (f.count > 0)
        conclude(&f);
    sc_ratio_clear(&f.delta);
    sc_ratio_clear(&f.amount);
}

typedef struct asking {
    size_t index;
    uint64_t window;
    scrim_forecast *out;
} asking;

static scrim_status plan_forecast(scrim_vault *v, void *context, scrim_error *error)
{
    const asking *a = context;
    sc_charge_log log;
    if (sc_book_population(&v->book, a->index + 1) == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                           "the vault has no such population");
    const scrim_status status = sc_vault_log_charges(v, a->index + 1, &log, error);
    if (status != SCRIM_OK)
        return status;
    sc_vault_forecast_from(v, &log, a->index, a->window, a->out);
    sc_charge_log_clear(&log);
    return SCRIM_OK;
}

scrim_status scrim_vault_forecast(scrim_vault *vault, size_t index, uint64_t window,
                                  scrim_forecast *out, scrim_error *error)
{
    asking a = {index, window, out};
    return sc_vault_read(vault, plan_forecast, &a, error);
}
