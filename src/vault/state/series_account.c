#include "vault/state/series_account.h"

#include "base/memory.h"
#include "data/value/schema.h"
#include "data/value/source_kind.h"

#include <string.h>

/* The lines of a policy that say what a row is. */

static bool is_about_rows(sc_text key)
{
    static const char *const keys[] = {
        "unit",      "neighbours", "column",      "missing", "records", "table",
        "separator", "decimal",    "date-format", "null",    "zone"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sc_text_is(key, keys[i]))
            return true;
    return sc_source_kind_of(key) != NULL;
}

scrim_status sc_row_lines(sc_text policy, char **out, scrim_error *error)
{
    sc_text rest = policy, line, key, value;
    sc_text_sink sink;
    bool is_row = false, is_add_remove = false;
    char *lines = sc_allocate(policy.bytes + 2, 1);
    if (lines == NULL)
        return sc_no_memory(error, "a policy");
    sc_text_sink_init(&sink, lines, policy.bytes + 2);
    while (sc_schema_line(&rest, &line, &key, &value)) {
        is_row |= sc_text_is(key, "unit") && sc_text_is(value, "row");
        is_add_remove |= sc_text_is(key, "neighbours") &&
                         sc_text_is(value, scrim_neighbours_name(SCRIM_ADD_REMOVE));
        if (!is_about_rows(key))
            continue;
        sc_text_put(&sink, line);
        sc_text_put(&sink, sc_text_of("\n"));
    }
    if (!is_row || !is_add_remove) {
        sc_free(lines);
        lines = NULL;
    }
    *out = lines;
    return SCRIM_OK;
}

/* Series. */

scrim_status sc_series_account_new(const sc_event *e, uint64_t entry, const char *rows,
                                   sc_series_account *out, scrim_error *error)
{
    char *copy = NULL;
    if (!sc_event_is_name(e->name))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "series",
            "a series' name is letters, digits, '_', '.' and '-', from 1 to "
            "64 of them");
    if (e->is_parallel && rows == NULL)
        return sc_fail(error, SCRIM_E_POLICY,
                       "one unit can be in several windows unless it is the row and "
                       "neighbours are add-remove; each release is charged in full");
    if (e->is_parallel) {
        const size_t bytes = strlen(rows) + 1;
        copy = sc_allocate(bytes, 1);
        if (copy == NULL)
            return sc_no_memory(error, "a series");
        memcpy(copy, rows, bytes);
    }
    *out = (sc_series_account){.dataset = e->dataset,
                               .releases = e->release,
                               .entry = entry,
                               .is_parallel = e->is_parallel,
                               .rows = copy};
    memcpy(out->name, e->name.start, e->name.bytes);
    sc_ratio_init(&out->amount);
    sc_ratio_init(&out->delta);
    sc_ratio_init(&out->paid);
    sc_ratio_init(&out->paid_delta);
    return SCRIM_OK;
}

void sc_series_account_clear(sc_series_account *series)
{
    sc_ratio_clear(&series->amount);
    sc_ratio_clear(&series->delta);
    sc_ratio_clear(&series->paid);
    sc_ratio_clear(&series->paid_delta);
    sc_free(series->rows);
    series->rows = NULL;
}

void sc_series_account_see(sc_series_account *series, const char *rows)
{
    if (series->is_parallel && (rows == NULL || strcmp(rows, series->rows) != 0))
        series->is_parallel = false;
}

bool sc_series_account_admits(const sc_series_account *series, uint64_t release,
                              uint64_t analyst)
{
    return series->is_parallel && release > series->last && release <= series->releases &&
           (series->analyst == 0 || series->analyst == analyst);
}

void sc_series_take_off(sc_ratio *x, const sc_ratio *paid)
{
    if (sc_ratio_compare(x, paid) > 0)
        sc_ratio_sub(x, x, paid);
    else
        sc_ratio_set_int64(x, 0);
}

void sc_series_account_price(const sc_series_account *series, uint64_t version,
                             sc_ratio *amount, sc_ratio *delta)
{
    if (version != series->version)
        return;
    sc_series_take_off(amount, &series->paid);
    sc_series_take_off(delta, &series->paid_delta);
}

bool sc_series_account_is_priced(const sc_series_account *series, const sc_event *window)
{
    if (window->kind == SC_EVENT_WINDOW)
        return !series->has_prices;
    SC_OWN(sc_ratio, amount, delta);
    sc_ratio_set(&amount, &window->price);
    sc_ratio_set(&delta, &window->price_delta);
    sc_series_account_price(series, window->version, &amount, &delta);
    return sc_ratio_compare(&amount, &window->amount) == 0 &&
           sc_ratio_compare(&delta, &window->delta) == 0;
}

void sc_series_account_cost(const sc_series_account *series, const sc_event *window,
                            sc_ratio *amount, sc_ratio *delta)
{
    if (window->kind == SC_EVENT_WINDOW2) {
        sc_ratio_set(amount, &window->price);
        sc_ratio_set(delta, &window->price_delta);
        return;
    }
    sc_ratio_add(amount, &series->amount, &window->amount);
    sc_ratio_add(delta, &series->delta, &window->delta);
}

void sc_series_account_price_upper(const sc_series_account *series,
                                   const sc_event *window, sc_ratio *amount,
                                   sc_ratio *delta)
{
    const bool has_price = window->kind == SC_EVENT_WINDOW2;
    sc_ratio_set(amount, has_price ? &window->price : &series->amount);
    sc_ratio_set(delta, has_price ? &window->price_delta : &series->delta);
}

/* By the earlier rule a window that adds something costs what all of them have paid; of one that
 * adds nothing no price is known. */
static void take_paid(const sc_ratio *all, const sc_ratio *added, sc_ratio *paid)
{
    if (sc_ratio_sign(added) > 0)
        sc_ratio_set(paid, all);
}

void sc_series_account_take(sc_series_account *series, const sc_event *window)
{
    const bool is_new = window->version != series->version;
    sc_ratio_add(&series->amount, &series->amount, &window->amount);
    sc_ratio_add(&series->delta, &series->delta, &window->delta);
    if (is_new) {
        sc_ratio_set_int64(&series->paid, 0);
        sc_ratio_set_int64(&series->paid_delta, 0);
    }
    if (window->kind == SC_EVENT_WINDOW2) {
        series->has_prices = true;
        sc_ratio_add(&series->paid, &series->paid, &window->amount);
        sc_ratio_add(&series->paid_delta, &series->paid_delta, &window->delta);
    } else {
        series->is_underpaid = series->is_underpaid || (is_new && series->version != 0);
        take_paid(&series->amount, &window->amount, &series->paid);
        take_paid(&series->delta, &window->delta, &series->paid_delta);
    }
    series->version = window->version;
    series->last = window->release;
    series->analyst = window->analyst;
}
