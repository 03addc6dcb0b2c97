#include "query/label/label_part.h"

#include "data/table/source_seal.h"
#include "data/value/source_kind.h"
#include "mechanism/threshold/kept_size.h"
#include "query/plan/plan_select.h"
#include "vault/state/policy_terms.h"

#include <stdio.h>

#define OTHERS_BYTES 256

scrim_status sc_label_no_memory(scrim_error *error)
{
    return sc_no_memory(error, "a label");
}

scrim_status sc_label_unreadable(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER,
                   "the answer is recorded in a form that this version cannot read");
}

/* Columns. */

static void put(sc_label_maker *m, const char *key, const char *value)
{
    sc_label_put(m->label, key, sc_text_of(value));
}

void sc_label_unit(const sc_label_maker *m, char unit[SC_LABEL_UNIT_BYTES])
{
    const sc_schema *schema = m->schema;
    const bool is_row = schema != NULL && schema->unit.bytes == 0;
    snprintf(unit, SC_LABEL_UNIT_BYTES, "unit of the population");
    if (schema != NULL)
        snprintf(unit, SC_LABEL_UNIT_BYTES, "%.*s", is_row ? 3 : (int)schema->unit.bytes,
                 is_row ? "row" : schema->unit.start);
}

static void put_type(sc_label_maker *m, const char *key, const sc_column *column)
{
    char low[SC_COLUMN_TEXT_BYTES], high[SC_COLUMN_TEXT_BYTES], step[SC_RATIO_TEXT_BYTES];
    const char *name = column->type == SC_COLUMN_INT         ? "int"
                       : column->type == SC_COLUMN_DATE      ? "date"
                       : column->type == SC_COLUMN_TIMESTAMP ? "timestamp"
                                                             : "decimal";
    const bool has_step = column->type == SC_COLUMN_DECIMAL ||
                          (column->type == SC_COLUMN_TIMESTAMP && column->step > 1);
    if (column->type == SC_COLUMN_TEXT || column->type == SC_COLUMN_BOOL) {
        put(m, key, column->type == SC_COLUMN_TEXT ? "text" : "bool");
        return;
    }
    (void)sc_column_format(column, column->grid.low, low, sizeof low);
    (void)sc_column_format(column, column->grid.high, high, sizeof high);
    SC_OWN(sc_ratio, width);
    sc_grid_step(&column->grid, &width);
    if (column->type == SC_COLUMN_TIMESTAMP)
        sc_ratio_set_int64(&width, column->step);
    (void)sc_ratio_format(&width, step, sizeof step);
    sc_label_print(m->label, key, "%s[%.300s,%.300s]%s%.300s", name, low, high,
                   has_step ? "/" : "", has_step ? step : "");
}

void sc_label_put_column(sc_label_maker *m, size_t number, const sc_column *column)
{
    char key[SC_LABEL_KEY_BYTES], missing[SC_COLUMN_TEXT_BYTES];
    sc_label_put(m->label, sc_label_key(key, "columns", number, "name"), column->name);
    put_type(m, sc_label_key(key, "columns", number, "type"), column);
    if (column->type != SC_COLUMN_TEXT && column->type != SC_COLUMN_BOOL)
        put(m, sc_label_key(key, "columns", number, "clamping"),
            "values outside are clamped to the range");
    if (column->has_total && m->hidden == 0) {
        char low[SC_COLUMN_TEXT_BYTES], high[SC_COLUMN_TEXT_BYTES];
        (void)sc_column_format(column, column->total_low, low, sizeof low);
        (void)sc_column_format(column, column->total_high, high, sizeof high);
        sc_label_print(m->label, sc_label_key(key, "columns", number, "max-total"),
                       "%.1000s to %.1000s", low, high);
    }
    (void)sc_label_key(key, "columns", number, "missing");
    if (!column->has_missing) {
        put(m, key,
            m->schema != NULL && m->schema->drops_missing ? "excludes its row"
                                                          : "is NULL");
    } else if (column->type == SC_COLUMN_TEXT) {
        sc_label_print(m->label, key, "becomes '%.*s'",
                       column->missing.bytes > 1000 ? 1000 : (int)column->missing.bytes,
                       column->missing.start == NULL ? "" : column->missing.start);
    } else {
        (void)sc_column_format(column, column->grid.missing, missing, sizeof missing);
        sc_label_print(m->label, key, "becomes %.1000s", missing);
    }
}

/* Keys. */

static bool kept_at(const scrim_measurement *measurement, int64_t twentieths,
                    uint64_t *units)
{
    SC_OWN(sc_ratio, p, twenty);
    sc_ratio_set_int64(&p, twentieths);
    sc_ratio_set_int64(&twenty, 20);
    sc_ratio_div(&p, &p, &twenty);
    return sc_threshold_kept_size(measurement, &p, units);
}

void sc_label_put_kept(sc_label_maker *m, size_t number,
                       const scrim_measurement *measurement)
{
    char key[SC_LABEL_KEY_BYTES];
    uint64_t units;
    if (kept_at(measurement, 10, &units))
        sc_label_put_number(m->label, sc_label_key(key, "mechanism", number, "kept-half"),
                            units);
    if (kept_at(measurement, 19, &units))
        sc_label_put_number(m->label, sc_label_key(key, "mechanism", number, "kept-most"),
                            units);
    char others[OTHERS_BYTES];
    sc_text_sink sink;
    sc_text_sink_init(&sink, others, sizeof others);
    /* `run` may count several times in a group, which the others do not. */
    if (m->is_query)
        sc_plan_select_put_others(measurement, &sink);
    if (others[0] != '\0')
        sc_label_put(m->label, sc_label_key(key, "mechanism", number, "kept-half-others"),
                     sc_text_of(others));
}

/* Facts that nobody protects. */

/* An earlier version of scrim wrote the stamp of the source into the policy unsealed. */
static bool has_plain_stamp(const sc_label_maker *m)
{
    sc_text contents;
    sc_source_seal seal;
    return sc_policy_line(sc_text_of(m->source->policy), "contents", &contents) &&
           sc_source_seal_parse(contents, &seal) && seal.is_plain;
}

/* The kind of the source that the policy names, or NULL. */
static const sc_source_kind *kind_of(const sc_label_maker *m)
{
    const sc_text policy = sc_text_of(m->source->policy);
    const sc_source_kind *kind;
    sc_text value;
    for (size_t i = 0; (kind = sc_source_kind_at(i)) != NULL; i++)
        if (sc_policy_line(policy, kind->key, &value))
            return kind;
    return NULL;
}

static const char *unprotected_source(const sc_label_maker *m)
{
    const sc_source_kind *kind = kind_of(m);
    if (kind == NULL)
        return "that the values came from a program, as the dataset has no source";
    if (kind->has_no_file)
        return "the names and types of the columns of the rows, which a program pushed";
    if (has_plain_stamp(m))
        return "the file's header, its exact size and when it was last changed, which an "
               "earlier version entered in the ledger";
    return "the file's header; whether the file has changed since it was declared";
}

void sc_label_put_unprotected(sc_label_maker *m)
{
    char key[SC_LABEL_KEY_BYTES];
    size_t number = 3;
    put(m, "unprotected.1",
        "the schema: names, types and ranges of columns, public keys, contribution "
        "bounds");
    put(m, "unprotected.2", unprotected_source(m));
    put(m, "unprotected.3", "the question, when it was asked, and its cost");
    if (m->source->budget.neighbours == SCRIM_REPLACE)
        put(m, sc_label_key(key, "unprotected", ++number, NULL),
            "the number of units, which the owner declared public");
    if (m->schema != NULL && m->schema->bounds_from == SC_BOUNDS_CHECK)
        put(m, sc_label_key(key, "unprotected", ++number, NULL),
            "the choice of the contribution bounds: the owner looked at the data to make "
            "it, which epsilon does not cover");
}
