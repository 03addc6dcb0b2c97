#include "synth/release/asked_columns.h"

#include "synth/release/synth_domain.h"
#include "synth/release/synth_draw.h"

#include <stdlib.h>

static scrim_status add_column(scrim_synth *s, const sc_column *column,
                               scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_synth_domain *d = &s->domain;
    if (sc_synth_domain_find(d, column->name) != SIZE_MAX)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "columns",
                           "'%s' is named twice", sc_text_quote(column->name, quote));
    if (d->count == SC_SYNTH_PLAN_COLUMNS)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                           "at most %d columns", SC_SYNTH_PLAN_COLUMNS);
    d->columns[d->count++] =
        (sc_coded_column){.column = column,
                          .is_nullable = sc_schema_may_be_null(
                              s->schema, (size_t)(column - s->schema->columns))};
    return SCRIM_OK;
}

/* Those that are named, or all; in the order of the policy, so that another order is no other question. */
static scrim_status list_columns(scrim_synth *s, const char *names, scrim_error *error)
{
    const sc_schema *schema = s->schema;
    bool *is_named = sc_arena_allocate(&s->arena, schema->column_count, 1);
    sc_text rest = sc_text_of(names), item;
    scrim_status status =
        is_named == NULL ? sc_no_memory(error, "a synthesiser") : SCRIM_OK;
    while (status == SCRIM_OK && sc_text_item(&rest, ',', &item)) {
        item = sc_text_trim(item);
        const sc_column *column = sc_schema_column(schema, item);
        if (column == NULL)
            return sc_schema_unknown(schema, item, "columns", error);
        is_named[column - schema->columns] = true;
    }
    for (size_t i = 0; status == SCRIM_OK && i < schema->column_count; i++)
        if (names == NULL || is_named[i])
            status = add_column(s, &schema->columns[i], error);
    if (status == SCRIM_OK && s->domain.count == 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "columns",
                             "there is no column to make records of");
    return status;
}

static scrim_status cut_column(scrim_synth *s, const char *text, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text name, cut;
    if (text == NULL || !sc_text_split(sc_text_of(text), '=', &name, &cut))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "cut",
                           "'%s' must be COLUMN=CUT",
                           sc_text_quote(sc_text_of(text), quote));
    name = sc_text_trim(name);
    const size_t column = sc_synth_domain_find(&s->domain, name);
    if (column == SIZE_MAX && sc_schema_column(s->schema, name) == NULL)
        return sc_schema_unknown(s->schema, name, "cut", error);
    if (column == SIZE_MAX)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "cut",
                           "'%s' is not one of the columns", sc_text_quote(name, quote));
    if (s->domain.columns[column].count > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "cut",
                           "'%s' is cut twice", sc_text_quote(name, quote));
    return sc_column_cut(&s->domain.columns[column], sc_text_trim(cut), &s->arena, error);
}

/* Keys that are not known yet: "NAME" or "NAME=MOST". */
static scrim_status open_column(scrim_synth *s, const char *text, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text name = sc_text_of(text), most;
    uint64_t count = SC_SYNTH_PRIVATE_USUAL;
    const bool is_right = !sc_text_split(sc_text_of(text), '=', &name, &most) ||
                          (sc_text_uint64(sc_text_trim(most), &count) && count > 0 &&
                           count <= SC_SYNTH_PRIVATE_MOST);
    name = sc_text_trim(name);
    sc_text_quote(name, quote);
    if (!is_right)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "private-keys",
                           "the number of keys of '%s' must be at least 1 and at most %d",
                           quote, SC_SYNTH_PRIVATE_MOST);
    const size_t place = sc_synth_domain_find(&s->domain, name);
    if (place == SIZE_MAX)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "private-keys",
                           "'%s' is not one of the columns", quote);
    sc_coded_column *c = &s->domain.columns[place];
    if (c->column->has_keys || c->column->type != SC_COLUMN_TEXT)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "private-keys",
                           "only text without public keys has private ones; '%s' is "
                           "declared otherwise",
                           quote);
    if (!c->is_nullable)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "private-keys",
                           "'%s' has a value for missing cells, so it has no NULL for "
                           "values that are not selected",
                           quote);
    if (c->count > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "private-keys",
                           "'%s' is named twice", quote);
    c->is_listed = true;
    c->count = (uint32_t)count;
    s->private_count++;
    return SCRIM_OK;
}

/* Takes the keys that a release has found; the column stays as it is if the release has no keys
 * for it. */
static void take_found(const scrim_synth *s, sc_coded_column *c)
{
    const sc_synth_domain *from = &s->like->record.domain;
    const size_t place = sc_synth_domain_find(from, c->column->name);
    if (place == SIZE_MAX || from->columns[place].selection == NULL ||
        c->column->type != SC_COLUMN_TEXT || c->column->has_keys || !c->is_nullable)
        return;
    c->is_listed = true;
    c->selection = from->columns[place].selection;
    c->texts = from->columns[place].texts;
    c->count = from->columns[place].count;
}

scrim_status sc_asked_columns(scrim_synth *s, scrim_error *error)
{
    const scrim_synth_options *options = &s->options;
    scrim_status status = list_columns(s, options->columns, error);
    for (size_t i = 0; status == SCRIM_OK && i < options->cut_count; i++)
        status = cut_column(s, options->cuts[i], error);
    for (size_t i = 0; status == SCRIM_OK && i < options->private_key_count; i++)
        status = open_column(s, options->private_keys[i], error);
    for (size_t i = 0; s->like != NULL && i < s->domain.count; i++)
        take_found(s, &s->domain.columns[i]);
    for (size_t i = 0; status == SCRIM_OK && i < s->domain.count; i++)
        if (s->domain.columns[i].count == 0 && s->domain.columns[i].selection == NULL)
            status = sc_coded_usual(&s->domain.columns[i], &s->arena, error);
    if (status != SCRIM_OK)
        return status;
    sc_synth_domain_sizes(&s->domain, &s->sizes);
    return sc_synth_columns_check(&s->sizes, error);
}

/* Combinations that no row has. */

static scrim_status read_never(const scrim_synth *s, const char *text,
                               sc_synth_never *out, scrim_error *error)
{
    sc_text rest = sc_text_of(text), item;
    size_t column = 0;
    uint32_t code = 0;
    bool is_other = true; /* where rows that have it are moved */
    while (sc_text_item(&rest, ',', &item)) {
        const scrim_status status =
            sc_synth_domain_read(&s->domain, "never", item, &column, &code, error);
        if (status != SCRIM_OK)
            return status;
        if ((out->clique & sc_clique_of(column)) != 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "never",
                               "a combination names a column twice");
        out->clique |= sc_clique_of(column);
        out->codes[column] = code;
        is_other = is_other && code == sc_synth_other(&s->domain.columns[column]);
    }
    if (sc_clique_count(out->clique) < 2)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "never",
                           "a combination must name two columns or more");
    if (is_other)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "never",
                           "rows that have an impossible combination are moved to this "
                           "one; name another value of one of its columns");
    return SCRIM_OK;
}

/* Those of the release that is refined. */
static scrim_status take_never(scrim_synth *s, scrim_error *error)
{
    const sc_synth_domain *from = &s->before->record.domain;
    sc_synth_never *never =
        sc_arena_allocate(&s->arena, from->never_count, sizeof *never);
    if (never == NULL)
        return sc_no_memory(error, "a synthesiser");
    for (size_t i = 0; i < from->never_count; i++)
        never[i] = from->never[i];
    s->domain.never = never;
    s->domain.never_count = from->never_count;
    return sc_synth_domain_zeros(&s->domain, &s->arena, &s->zeros, error);
}

/* By columns, then by codes: codes of columns that are not named are 0. */
static int compare_never(const void *a, const void *b)
{
    const sc_synth_never *x = a, *y = b;
    int order = (x->clique > y->clique) - (x->clique < y->clique);
    for (size_t i = 0; order == 0 && i < SC_SYNTH_PLAN_COLUMNS; i++)
        order = (x->codes[i] > y->codes[i]) - (x->codes[i] < y->codes[i]);
    return order;
}

/* In one order and each once, so that another order is no other question; returns how many there are. */
static size_t sort_never(sc_synth_never *never, size_t count)
{
    size_t kept = 0;
    if (count > 0)
        qsort(never, count, sizeof *never, compare_never);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_never(&never[kept - 1], &never[i]) != 0)
            never[kept++] = never[i];
    return kept;
}

scrim_status sc_asked_never(scrim_synth *s, scrim_error *error)
{
    const scrim_synth_options *options = &s->options;
    scrim_status status = SCRIM_OK;
    if (s->before != NULL)
        return take_never(s, error);
    if (options->never_count > SC_SYNTH_NEVER)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "never",
                           "at most %d combinations", SC_SYNTH_NEVER);
    sc_synth_never *never =
        sc_arena_allocate(&s->arena, options->never_count, sizeof *never);
    if (never == NULL)
        return sc_no_memory(error, "a synthesiser");
    for (size_t i = 0; status == SCRIM_OK && i < options->never_count; i++)
        status = read_never(s, options->never[i], &never[i], error);
    if (status != SCRIM_OK)
        return status;
    s->domain.never = never;
    s->domain.never_count = sort_never(never, options->never_count);
    return sc_synth_domain_zeros(&s->domain, &s->arena, &s->zeros, error);
}
