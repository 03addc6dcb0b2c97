#include "vault/series_account.h"

#include "base/memory.h"
#include "data/schema.h"

#include <string.h>

/* What a row is. */

static bool is_about_rows(sc_text key)
{
    static const char *const keys[] = {"unit", "neighbours", "column", "missing",
                                       "csv",  "records",    "sqlite", "table"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sc_text_is(key, keys[i]))
            return true;
    return false;
}

scrim_status sc_row_lines(sc_text policy, char **out, scrim_error *error)
{
    sc_text rest = policy, line, key, value;
    sc_text_sink sink;
    bool is_row = false, is_add_remove = false;
    char *lines = sc_allocate(policy.bytes + 2, 1);
    if (lines == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a policy");
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
        sc_release(lines);
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
        return sc_fail(error, SCRIM_E_PARAM,
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
            return sc_fail(error, SCRIM_E_MEMORY, "no memory for a series");
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
    return SCRIM_OK;
}

void sc_series_account_clear(sc_series_account *series)
{
    sc_ratio_clear(&series->amount);
    sc_ratio_clear(&series->delta);
    sc_release(series->rows);
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

/* x = max(x - paid, 0) */
static void take_off(sc_ratio *x, const sc_ratio *paid)
{
    if (sc_ratio_compare(x, paid) > 0)
        sc_ratio_sub(x, x, paid);
    else
        sc_ratio_set_int64(x, 0);
}

void sc_series_account_price(const sc_series_account *series, sc_ratio *amount,
                             sc_ratio *delta)
{
    take_off(amount, &series->amount);
    take_off(delta, &series->delta);
}

void sc_series_account_total(const sc_series_account *series, const sc_event *window,
                             sc_ratio *amount, sc_ratio *delta)
{
    sc_ratio_add(amount, &series->amount, &window->amount);
    sc_ratio_add(delta, &series->delta, &window->delta);
}

void sc_series_account_take(sc_series_account *series, const sc_event *window)
{
    sc_series_account_total(series, window, &series->amount, &series->delta);
    series->last = window->release;
    series->analyst = window->analyst;
}
