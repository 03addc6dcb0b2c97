/* Planning: what is asked for, in one spelling, by the policy alone. */
#include "model/option_struct.h"
#include "query/answer/by_keys.h"
#include "query/language/validate.h"
#include "query/plan/plan_select.h"
#include "synth/release/asked_columns.h"
#include "synth/release/counting_query.h"
#include "synth/release/synth_domain.h"
#include "synth/release/synth_draw.h"
#include "synth/release/synth_method.h"
#include "vault/booked_view.h"
#include "vault/vault.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define QUERY_BYTES 65536
/* The text that is charged is kept for ever. */
#define QUESTION_BYTES ((size_t)1 << 20)

/* The dataset. */

/* The most rows of a unit. */
static scrim_status set_unit(scrim_synth *s, scrim_error *error)
{
    const sc_schema *schema = s->schema;
    const bool has_units = schema->unit.bytes > 0;
    const uint64_t rows = has_units ? sc_bounds_normal(&schema->bounds, 0).total : 1;
    if (rows > SC_ROUND_ROWS_MAX)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "max-rows",
                           "the contribution bounds allow more than 1048576 rows of one "
                           "unit, too many for synthetic records");
    s->unit = (sc_round_unit){schema->neighbours, rows};
    return sc_round_unit_check(&s->unit, error);
}

static scrim_status read_dataset(scrim_vault *vault, const char *name, scrim_synth *s,
                                 scrim_error *error)
{
    SC_TRY(sc_planned_dataset_read(vault, name, &s->arena, &s->dataset, error));
    s->policy = s->dataset.policy;
    return sc_schema_parse(sc_text_of(s->policy), NULL, &s->schema, error);
}

/* Contribution bounds: those of the question, of the release whose columns it has, or of the owner. The measurements of
 * a release and of its refinement are then of rows that were chosen alike, and rows are compared with such rows. */
static scrim_status read_bounds(scrim_synth *s, scrim_error *error)
{
    const scrim_query_options said = {.max_groups = s->options.max_groups,
                                      .max_rows = s->options.max_rows,
                                      .max_total_rows = s->options.max_total_rows};
    SC_TRY(sc_asked_bounds_read(&said, &s->asked, error));
    if (s->like != NULL && sc_asked_bounds_any(&s->asked))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "refine",
                           "a refinement has the contribution bounds of its release; "
                           "leave them out");
    if (s->like != NULL && s->schema->unit.bytes > 0 && !s->schema->has_fixed_bounds &&
        !sc_bounds_equal(&s->like->record.schema->bounds, &s->schema->bounds))
        s->asked.bounds = s->like->record.schema->bounds;
    SC_TRY(sc_asked_bounds_use(&s->asked, &s->arena, &s->policy, &s->schema, error));
    return set_unit(s, error);
}

/* A release that is refined. */

static scrim_status check_before(const scrim_synth *s, scrim_error *error)
{
    const sc_synth_record *record = &s->before->record;
    if (s->options.columns != NULL || s->options.cut_count > 0 ||
        s->options.never_count > 0 || s->options.private_key_count > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "refine",
                           "a refinement has the columns, cuts, categories and "
                           "impossible combinations of its release; leave them out");
    if (sc_released_has_weights(&record->released))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "refine",
                           "only releases of mst and aim can be refined");
    if (strcmp(s->before->dataset, s->dataset.name) != 0 ||
        record->version != s->dataset.version)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "refine",
                           "a release can be refined from the same version of the same "
                           "dataset only");
    return SCRIM_OK;
}

/* A plan tells how many categories were selected, and books nothing. */
static scrim_status check_shown(const scrim_synth *s, scrim_vault *vault,
                                scrim_error *error)
{
    bool costs = false;
    if (s->before->record.rho.bytes > 0)
        return SCRIM_OK;
    SC_TRY(sc_vault_view_costs(vault, s->options.refine, &costs, error));
    return costs ? sc_fail(error, SCRIM_E_POLICY,
                           "it goes on from release %" PRIu64
                           ", whose answer you have not seen; replay that first",
                           s->options.refine)
                 : SCRIM_OK;
}

static scrim_status read_before(scrim_synth *s, scrim_vault *vault, scrim_error *error)
{
    if (s->options.refine == 0)
        return SCRIM_OK;
    scrim_status status = sc_synth_read(vault, s->options.refine, &s->before, error);
    if (status == SCRIM_OK)
        status = check_before(s, error);
    if (status == SCRIM_OK)
        status = check_shown(s, vault, error);
    s->like = s->before;
    return status;
}

/* The columns of a release become those of the options. */
static scrim_status read_like(scrim_synth *s, scrim_error *error)
{
    const char **cuts = NULL;
    if (s->like == NULL)
        return SCRIM_OK;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    cuts = sc_arena_allocate(&s->arena, SC_SYNTH_PLAN_COLUMNS, sizeof *cuts);
    if (cuts == NULL)
        return sc_no_memory(error, "a synthesiser");
    s->options.cuts = cuts;
    return sc_synth_record_columns(&s->like->record, &s->arena, &s->options.columns, cuts,
                                   &s->options.cut_count, error);
}

/* Method and budget. */

static scrim_status read_method(scrim_synth *s, const char *name, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    s->method = s->before == NULL ? SC_SYNTH_MST : SC_SYNTH_AIM;
    if (name == NULL)
        return SCRIM_OK;
    if (s->before != NULL && strcmp(name, sc_synth_method_name(SC_SYNTH_AIM)) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "method",
                           "a release is refined by aim");
    for (size_t i = SC_SYNTH_MST; i <= SC_SYNTH_SMALLDB; i++)
        if (strcmp(name, sc_synth_method_name((sc_synth_method)i)) == 0) {
            s->method = (sc_synth_method)i;
            return SCRIM_OK;
        }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "method",
                       "unknown method '%s'; use mst, aim, mwem or smalldb",
                       sc_text_quote(sc_text_of(name), quote));
}

/* All sets of s->ways columns, ascending as numbers, in the arena. */
static scrim_status list_marginals(scrim_synth *s, scrim_error *error)
{
    const sc_clique all = sc_synth_columns_all(&s->sizes);
    const sc_clique first = ((sc_clique)1 << s->ways) - 1;
    size_t count = 0;
    for (sc_clique set = first; set != 0 && (set & ~all) == 0; set = sc_clique_next(set))
        if (++count > SC_SYNTH_MARGINALS)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "ways",
                               "%zu columns have more than %d tables of %u columns",
                               s->domain.count, SC_SYNTH_MARGINALS, s->ways);
    sc_clique *list = sc_arena_allocate(&s->arena, count, sizeof *list);
    if (list == NULL)
        return sc_no_memory(error, "a synthesiser");
    sc_clique set = first;
    for (size_t i = 0; i < count; i++, set = sc_clique_next(set))
        list[i] = set;
    s->marginals = list;
    s->marginal_count = count;
    return SCRIM_OK;
}

/* The counts of all of them are kept while rounds go on. */
static scrim_status check_cells(const scrim_synth *s, scrim_error *error)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < s->marginal_count && cells <= SC_WEIGHT_CELLS_MAX; i++) {
        const uint64_t own = sc_clique_cells(&s->sizes, s->marginals[i]);
        cells += own > SC_WEIGHT_CELLS_MAX ? SC_WEIGHT_CELLS_MAX + 1 : own;
    }
    return cells <= SC_WEIGHT_CELLS_MAX
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                             "the tables of mwem have more than %llu cells",
                             (unsigned long long)SC_WEIGHT_CELLS_MAX);
}

static scrim_status read_ways(scrim_synth *s, unsigned ways, scrim_error *error)
{
    const size_t columns = s->domain.count;
    const size_t most = columns < SC_SYNTH_WAYS ? columns : SC_SYNTH_WAYS;
    s->ways = ways > 0 ? ways : columns > 1 ? 2 : 1;
    if (ways > 0 && s->method != SC_SYNTH_MWEM)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "ways",
                           "only mwem takes the number of columns of its tables");
    if (s->ways > most)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "ways",
                           "tables of these columns have at most %zu columns", most);
    if (s->method != SC_SYNTH_MWEM || s->domain.query_count > 0)
        return SCRIM_OK;
    const scrim_status status = list_marginals(s, error);
    return status == SCRIM_OK ? check_cells(s, error) : status;
}

static scrim_status read_queries(scrim_synth *s, scrim_error *error)
{
    const size_t count = s->options.query_count;
    if (count == 0)
        return SCRIM_OK;
    if (s->method != SC_SYNTH_MWEM && s->method != SC_SYNTH_SMALLDB)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "queries",
                           "only mwem and smalldb take queries");
    if (s->options.ways > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "queries",
                           "give queries or the number of columns of tables, not both");
    sc_text *lines = sc_arena_allocate(&s->arena, count, sizeof *lines);
    if (lines == NULL)
        return sc_no_memory(error, "a synthesiser");
    for (size_t i = 0; i < count; i++)
        lines[i] = sc_text_of(s->options.queries[i]);
    return sc_counting_queries_read(&s->domain, lines, count, &s->arena, error);
}

static scrim_status refuse_delta(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "delta",
                       "smalldb has a cost of epsilon alone; leave delta and rho out");
}

static scrim_status refuse_private(const scrim_synth *s, bool has_rho, scrim_error *error)
{
    if (s->method == SC_SYNTH_SMALLDB)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "private-keys",
                           "smalldb takes no private keys, whose selection needs "
                           "a delta");
    return has_rho ? sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "rho",
                                 "private keys cost epsilon and delta; give "
                                 "epsilon in place of rho")
                   : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                                 "private keys need a delta above 0, for example "
                                 "1e-7");
}

/* x a/b. */
static void set_share(sc_ratio *out, const sc_ratio *x, int64_t a, int64_t b)
{
    SC_OWN(sc_ratio, top, under);
    sc_ratio_set_int64(&top, a);
    sc_ratio_set_int64(&under, b);
    sc_ratio_mul(out, x, &top);
    sc_ratio_div(out, out, &under);
}

/* A fifth of epsilon and half of delta select private keys; counts have the rest. Half of the delta costs the
 * counts little, since noise depends on its logarithm. */
static scrim_status set_rho(scrim_synth *s, scrim_error *error)
{
    SC_OWN(sc_ratio, epsilon, delta);
    if (s->private_count == 0)
        return sc_allowance_rho(&s->epsilon, &s->delta, &s->rho, error);
    set_share(&s->selection_epsilon, &s->epsilon, 1, 5);
    set_share(&s->selection_delta, &s->delta, 1, 2);
    sc_ratio_sub(&epsilon, &s->epsilon, &s->selection_epsilon);
    sc_ratio_sub(&delta, &s->delta, &s->selection_delta);
    return sc_allowance_rho(&epsilon, &delta, &s->rho, error);
}

static scrim_status read_budget(scrim_synth *s, const scrim_synth_options *options,
                                scrim_error *error)
{
    const bool has_rho = options->rho != NULL;
    if (options->epsilon == NULL && !has_rho)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
                           "epsilon is missing; it has no default");
    if (options->epsilon != NULL && has_rho)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "rho",
                           "give epsilon or rho, not both");
    scrim_status status =
        sc_ratio_parse(sc_text_of(has_rho ? options->rho : options->epsilon),
                       has_rho ? &s->rho : &s->epsilon, error);
    if (status == SCRIM_OK && options->delta != NULL)
        status = sc_ratio_parse(sc_text_of(options->delta), &s->delta, error);
    if (status != SCRIM_OK)
        return status;
    if (s->private_count > 0 &&
        (has_rho || s->method == SC_SYNTH_SMALLDB || sc_ratio_sign(&s->delta) == 0))
        return refuse_private(s, has_rho, error);
    if (has_rho && s->method == SC_SYNTH_SMALLDB)
        return refuse_delta(error);
    if (has_rho)
        return sc_allowance_epsilon(&s->rho, &s->delta, &s->epsilon, error);
    s->is_pure = sc_ratio_sign(&s->delta) == 0;
    if (s->method == SC_SYNTH_SMALLDB)
        return s->is_pure ? SCRIM_OK : refuse_delta(error);
    if (s->is_pure && s->method != SC_SYNTH_MWEM)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                           "%s needs a delta above 0, for example 1e-7; mwem and smalldb "
                           "work without one",
                           sc_synth_method_name(s->method));
    return s->is_pure ? SCRIM_OK : set_rho(s, error);
}

/* How private keys are selected, each column for the same part of what is set aside for them. */
static scrim_status set_selection(scrim_synth *s, scrim_error *error)
{
    SC_OWN(sc_ratio, epsilon, delta, columns);
    sc_key_choice choices[SC_PLAN_CHOICES];
    scrim_measurement *made[SC_PLAN_CHOICES] = {NULL};
    const uint64_t max_groups =
        s->schema->unit.bytes > 0 ? sc_bounds_normal(&s->schema->bounds, 0).groups : 1;
    size_t count = 0;
    if (s->private_count == 0)
        return SCRIM_OK;
    sc_ratio_set_int64(&columns, (int64_t)s->private_count);
    sc_ratio_div(&epsilon, &s->selection_epsilon, &columns);
    sc_ratio_div(&delta, &s->selection_delta, &columns);
    const sc_select_budget budget = {s->schema->neighbours, &epsilon, &delta};
    const scrim_status status =
        sc_plan_select_ways(max_groups, true, &budget, choices, &count, made, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        if (choices[i].is_chosen) {
            s->kept_half = choices[i].half;
            s->kept_most = choices[i].most;
            s->selection = made[i];
            made[i] = NULL;
        }
    for (size_t i = 0; i < SC_PLAN_CHOICES; i++)
        scrim_measurement_free(made[i]);
    for (size_t i = 0; status == SCRIM_OK && i < s->domain.count; i++)
        if (s->domain.columns[i].is_listed && s->domain.columns[i].texts == NULL)
            s->domain.columns[i].selection = s->selection->text;
    return status;
}

/* The query whose groups are the distinct rows, or the values of the columns from first to last. */
static scrim_status make_query(scrim_synth *s, size_t first, size_t last,
                               const sc_query **out, scrim_error *error)
{
    scrim_error why = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &why};
    sc_text_sink sink;
    char *text = sc_arena_allocate(&s->arena, QUERY_BYTES, 1);
    if (text == NULL)
        return sc_no_memory(error, "a synthesiser");
    sc_text_sink_init(&sink, text, QUERY_BYTES);
    for (size_t clause = 0; clause < 2; clause++) {
        sc_text_put(&sink, sc_text_of(clause == 0 ? "SELECT " : " GROUP BY "));
        for (size_t i = first; i <= last; i++) {
            sc_text_put(&sink, sc_text_of(i == first ? "" : ", "));
            sc_by_key_put_name(s->domain.columns[i].column->name, &sink);
        }
        if (clause == 0)
            sc_text_put(&sink, sc_text_of(", COUNT(*) AS \"count of rows\""));
    }
    const scrim_status status = sc_validate((sc_text){text, sink.length}, sc_text_of(""),
                                            s->schema, &s->arena, out, &refusal);
    return status == SCRIM_OK ? SCRIM_OK
                              : sc_fail_for(error, status, SCRIM_REASON_UNSUPPORTED,
                                            "columns", "%s", why.message);
}

static scrim_status make_queries(scrim_synth *s, scrim_error *error)
{
    scrim_status status = make_query(s, 0, s->domain.count - 1, &s->query, error);
    for (size_t i = 0; status == SCRIM_OK && i < s->domain.count; i++)
        if (sc_coded_is_open(&s->domain.columns[i]))
            status = make_query(s, i, i, &s->value_queries[i], error);
    return status;
}

/* The question. */

static void put_ratio(sc_text_sink *sink, const char *before, const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    (void)sc_ratio_format(x, text, sizeof text);
    sc_text_put(sink, sc_text_of(before));
    sc_text_put(sink, sc_text_of(text));
}

static void put_never(const scrim_synth *s, sc_text_sink *sink)
{
    char text[SC_COLUMN_VALUE_BYTES + 1];
    for (size_t i = 0; i < s->domain.never_count; i++) {
        const char *before = " never ";
        for (sc_clique rest = s->domain.never[i].clique; rest != 0; rest &= rest - 1) {
            const size_t column = sc_clique_first(rest);
            const sc_coded_column *c = &s->domain.columns[column];
            (void)sc_coded_format(c, s->domain.never[i].codes[column], text, sizeof text);
            sc_text_put(sink, sc_text_of(before));
            sc_by_key_put_name(c->column->name, sink);
            sc_text_put(sink, sc_text_of("="));
            sc_by_key_put_name(sc_text_of(text), sink);
            before = ",";
        }
    }
}

static void put_count(sc_text_sink *sink, const char *before, uint64_t number)
{
    char text[SC_INT128_BYTES];
    (void)sc_int128_format((sc_int128)number, text);
    sc_text_put(sink, sc_text_of(before));
    sc_text_put(sink, sc_text_of(text));
}

/* As the label of a release reads it (query/label/label_synth.c). */
static void put_selection(const scrim_synth *s, sc_text_sink *sink)
{
    put_count(sink, " selections=", s->private_count);
    sc_text_put(sink, sc_text_of(" selection="));
    sc_text_put(sink, sc_text_of(s->selection->mechanism->entry.name));
    put_ratio(sink, " selection-epsilon=", sc_measurement_get(s->selection, "epsilon"));
    put_ratio(sink, " selection-delta=", sc_measurement_get(s->selection, "delta"));
}

static void put_question(const scrim_synth *s, sc_text_sink *sink)
{
    sc_text_put(sink, sc_text_of("synth method="));
    sc_text_put(sink, sc_text_of(sc_synth_method_name(s->method)));
    if (s->frame.version != NULL) {
        sc_text_put(sink, sc_text_of(" version="));
        sc_text_put(sink, sc_text_of(s->frame.version));
    }
    if (s->before != NULL)
        put_count(sink, " refine=", s->options.refine);
    sc_asked_bounds_put(&s->asked, sink);
    if (s->method == SC_SYNTH_MWEM && s->ways != 2 && s->domain.count > 1 &&
        s->domain.query_count == 0)
        put_count(sink, " ways=", s->ways);
    put_ratio(sink, " epsilon=", &s->epsilon);
    put_ratio(sink, " delta=", &s->delta);
    if (!s->is_pure)
        put_ratio(sink, " rho=", &s->rho);
    if (s->private_count > 0)
        put_selection(s, sink);
    for (size_t i = 0; i < s->domain.count; i++) {
        sc_text_put(sink, sc_text_of(i == 0 ? " : " : ", "));
        sc_by_key_put_name(s->domain.columns[i].column->name, sink);
        if (s->cuts[i][0] != '\0') {
            sc_text_put(sink, sc_text_of(" cut "));
            sc_text_put(sink, sc_text_of(s->cuts[i]));
        }
        if (sc_coded_is_open(&s->domain.columns[i]))
            put_count(sink, " private ", s->domain.columns[i].count);
    }
    put_never(s, sink);
    for (size_t i = 0; i < s->domain.query_count; i++) {
        sc_text_put(sink, sc_text_of(" query "));
        sc_text_put(sink, sc_text_of(s->domain.query_texts[i]));
    }
}

/* Text of the arena, as long as it needs to be; put is called twice. */
static char *make_text(scrim_synth *s, void (*put)(const scrim_synth *, sc_text_sink *),
                       size_t most)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put(s, &sink);
    const size_t bytes = sink.length + 1;
    char *text = bytes > most ? NULL : sc_arena_allocate(&s->arena, bytes, 1);
    if (text != NULL) {
        sc_text_sink_init(&sink, text, bytes);
        put(s, &sink);
    }
    return text;
}

static bool name_columns(scrim_synth *s)
{
    for (size_t i = 0; i < s->domain.count; i++) {
        const sc_text name = s->domain.columns[i].column->name;
        sc_text_sink sink;
        sc_text_sink_init(&sink, NULL, 0);
        sc_column_cut_put(&s->domain.columns[i], &sink);
        const size_t bytes = sink.length + 1;
        char *cut = sc_arena_allocate(&s->arena, bytes, 1);
        if (cut == NULL)
            return false;
        sc_text_sink_init(&sink, cut, bytes);
        sc_column_cut_put(&s->domain.columns[i], &sink);
        s->cuts[i] = cut;
        s->names[i] = sc_arena_copy(&s->arena, name.start, name.bytes);
        if (s->names[i] == NULL)
            return false;
    }
    return true;
}

static scrim_status set_question(scrim_synth *s, scrim_error *error)
{
    if (!name_columns(s))
        return sc_no_memory(error, "a synthesiser");
    s->question = make_text(s, put_question, QUESTION_BYTES);
    return s->question == NULL ? sc_no_memory(error, "a synthesiser") : SCRIM_OK;
}

/* The whole. */

static scrim_status fill(scrim_synth *s, scrim_vault *vault, const char *dataset,
                         scrim_error *error)
{
    const scrim_synth_options *options = &s->options;
    scrim_status status = read_dataset(vault, dataset, s, error);
    if (status == SCRIM_OK)
        status = sc_planned_dataset_frame(&s->dataset, s->schema, options->frame,
                                          &s->frame, &s->is_once, error);
    if (status == SCRIM_OK)
        status = read_before(s, vault, error);
    if (status == SCRIM_OK)
        status = read_bounds(s, error);
    if (status == SCRIM_OK)
        status = read_like(s, error);
    if (status == SCRIM_OK)
        status = sc_asked_columns(s, error);
    if (status == SCRIM_OK)
        status = read_method(s, options->method, error);
    if (status == SCRIM_OK)
        status = read_queries(s, error);
    if (status == SCRIM_OK)
        status = read_ways(s, options->ways, error);
    if (status == SCRIM_OK)
        status = read_budget(s, options, error);
    if (status == SCRIM_OK)
        status = set_selection(s, error);
    if (status == SCRIM_OK)
        status = sc_asked_never(s, error);
    if (status == SCRIM_OK)
        status = sc_synth_forecast(s, error);
    if (status == SCRIM_OK)
        status = make_queries(s, error);
    return status == SCRIM_OK ? set_question(s, error) : status;
}

static scrim_status make(scrim_vault *vault, const char *dataset,
                         const scrim_synth_options *options,
                         const scrim_synth_release *like, scrim_synth **out,
                         scrim_error *error)
{
    scrim_synth *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a synthesiser");
    sc_arena_init(&s->arena);
    sc_ratio_init(&s->epsilon);
    sc_ratio_init(&s->delta);
    sc_ratio_init(&s->rho);
    sc_ratio_init(&s->selection_epsilon);
    sc_ratio_init(&s->selection_delta);
    s->like = like;
    scrim_status status =
        sc_option_struct_copy(options, offsetof(scrim_synth_options, frame), &s->options,
                              sizeof s->options, error);
    if (status == SCRIM_OK)
        status = fill(s, vault, dataset, error);
    if (status == SCRIM_OK)
        *out = s;
    else
        scrim_synth_free(s);
    return status;
}

scrim_status scrim_synth_new(scrim_vault *vault, const char *dataset,
                             const scrim_synth_options *options, scrim_synth **out,
                             scrim_error *error)
{
    SC_REQUIRE(error, "vault dataset out", vault, dataset, out);
    return make(vault, dataset, options, NULL, out, error);
}

/* The budget is that of no release: nothing is charged for this plan. */
scrim_status sc_synth_new_like(scrim_vault *vault, const scrim_synth_release *release,
                               scrim_synth **out, scrim_error *error)
{
    return make(vault, release->dataset,
                SCRIM_OPTIONS(scrim_synth_options, .epsilon = "1", .delta = "1e-6"),
                release, out, error);
}

void scrim_synth_free(scrim_synth *s)
{
    if (s == NULL)
        return;
    scrim_measurement_free(s->selection);
    sc_ratio_clear(&s->selection_delta);
    sc_ratio_clear(&s->selection_epsilon);
    sc_ratio_clear(&s->rho);
    sc_ratio_clear(&s->delta);
    sc_ratio_clear(&s->epsilon);
    scrim_synth_release_free(s->before);
    sc_schema_free(s->schema);
    sc_arena_clear(&s->arena);
    sc_free(s);
}

int scrim_synth_column_at(const scrim_synth *s, size_t index, scrim_synth_column *out)
{
    if (index >= s->domain.count)
        return 0;
    sc_synth_domain_describe(&s->domain, index, s->names, s->cuts, out);
    return 1;
}
