#include "query/plan/plan_model.h"

#include "ledger/allowance.h"
#include "mechanism/linear/counter.h"
#include "model/option_struct.h"
#include "vault/policy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define EXPECT "1000"
#define CONFIDENCE "0.95"

static const char *const noises[] = {"laplace", "gaussian", "stlap"};
#define NOISES (sizeof noises / sizeof *noises)

const char *sc_plan_noise_name(sc_plan_noise noise)
{
    return noise == SC_PLAN_ANY_NOISE ? NULL : noises[noise - 1];
}

void sc_plan_options_init(sc_plan_options *options)
{
    *options = (sc_plan_options){.has_epsilon = false};
    sc_ratio_init(&options->epsilon);
    sc_ratio_init(&options->delta);
    sc_ratio_init(&options->target);
    sc_ratio_init(&options->confidence);
    sc_ratio_init(&options->expect);
    sc_ratio_init(&options->rho);
    sc_ratio_init(&options->auto_share);
    sc_ratio_init(&options->cut_share);
    sc_column_guesses_init(&options->guesses);
}

void sc_plan_options_clear(sc_plan_options *options)
{
    sc_column_guesses_clear(&options->guesses);
    sc_ratio_clear(&options->cut_share);
    sc_ratio_clear(&options->auto_share);
    sc_ratio_clear(&options->rho);
    sc_ratio_clear(&options->expect);
    sc_ratio_clear(&options->confidence);
    sc_ratio_clear(&options->target);
    sc_ratio_clear(&options->delta);
    sc_ratio_clear(&options->epsilon);
}

static scrim_status read_number(const char *name, sc_text text, size_t bits,
                                sc_ratio *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const scrim_status status = sc_ratio_parse(text, out, NULL);
    if (status == SCRIM_E_SYNTAX)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, name,
                           "%s: '%s' is not an exact number such as 0.5, 1/3 or 1e-9",
                           name, sc_text_quote(text, quote));
    if (status == SCRIM_E_LIMIT || (status == SCRIM_OK && sc_ratio_bits(out) > bits))
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, name,
                           "%s: it has more than %zu bits in its numerator or "
                           "denominator; write a shorter number",
                           name, bits);
    return status;
}

static bool is_inside_unit(const sc_ratio *x)
{
    return sc_ratio_sign(x) > 0 && sc_ratio_compare_int64(x, 1) < 0;
}

/* Epsilon, delta and rho. */

static scrim_status check_epsilon(const sc_ratio *epsilon, scrim_error *error)
{
    if (sc_ratio_sign(epsilon) <= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                                 "must be above 0");
    SC_OWN(sc_ratio, least);
    SC_OWN(sc_integer, one);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_dyadic(&least, &one, 60);
    const bool fits = sc_ratio_compare(epsilon, &least) >= 0 &&
                      sc_ratio_compare_int64(epsilon, 1000) <= 0;
    return fits ? SCRIM_OK
                : sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "epsilon",
                                    "must be between 8.7e-19 and 1000");
}

/* "20", in the unit of the column, or "5%" of the value. */
static scrim_status read_target(sc_text text, sc_plan_options *out, scrim_error *error)
{
    SC_OWN(sc_ratio, hundred);
    out->is_relative = text.bytes > 0 && text.start[text.bytes - 1] == '%';
    if (out->is_relative)
        text = sc_text_trim((sc_text){text.start, text.bytes - 1});
    SC_TRY(read_number("target-error", text, SC_PLAN_EPSILON_BITS, &out->target, error));
    if (out->is_relative && sc_ratio_compare_int64(&out->target, 100) >= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "target-error",
                                 "a percentage of the value must be below 100 %%");
    if (sc_ratio_sign(&out->target) <= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "target-error",
                                 "must be above 0");
    sc_ratio_set_int64(&hundred, out->is_relative ? 100 : 1);
    sc_ratio_div(&out->target, &out->target, &hundred);
    return SCRIM_OK;
}

/* Called after delta and noise are read. */
static scrim_status read_rho(const scrim_query_options *given, sc_plan_options *out,
                             scrim_error *error)
{
    if (given->epsilon != NULL || given->target_error != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "rho",
                           "give epsilon or rho, not both");
    if (out->noise == SC_PLAN_LAPLACE || out->noise == SC_PLAN_STLAP)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "rho",
                           "a total in rho is spent by gaussian noise; leave %s out, or "
                           "give epsilon",
                           sc_plan_noise_name(out->noise));
    if (sc_ratio_sign(&out->delta) == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                           "rho needs a delta above 0, for example 1e-7: epsilon at this "
                           "delta is shown and charged beside it");
    scrim_status status =
        read_number("rho", sc_text_of(given->rho), SC_PLAN_NUMBER_BITS, &out->rho, error);
    if (status == SCRIM_OK && sc_ratio_sign(&out->rho) <= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "rho",
                                 "must be above 0");
    if (status == SCRIM_OK)
        status = sc_allowance_epsilon(&out->rho, &out->delta, &out->epsilon, error);
    out->has_epsilon = true;
    out->noise = SC_PLAN_GAUSSIAN;
    return status == SCRIM_OK ? check_epsilon(&out->epsilon, error) : status;
}

static scrim_status read_epsilon(const scrim_query_options *given, sc_plan_options *out,
                                 scrim_error *error)
{
    if (given->epsilon != NULL && given->target_error != NULL)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "epsilon",
            "give epsilon or the error that is wanted, not both: one follows "
            "from the other");
    if (given->epsilon == NULL && given->target_error == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
                           "epsilon is missing and has no default");
    out->has_epsilon = given->epsilon != NULL;
    if (out->has_epsilon) {
        const scrim_status status =
            read_number("epsilon", sc_text_of(given->epsilon), SC_PLAN_EPSILON_BITS,
                        &out->epsilon, error);
        return status == SCRIM_OK ? check_epsilon(&out->epsilon, error) : status;
    }
    return read_target(sc_text_of(given->target_error), out, error);
}

static scrim_status read_delta(const char *text, sc_ratio *out, scrim_error *error)
{
    if (text == NULL)
        return SCRIM_OK;
    const scrim_status status =
        read_number("delta", sc_text_of(text), SC_PLAN_DELTA_BITS, out, error);
    if (status == SCRIM_OK && sc_ratio_sign(out) != 0 && !is_inside_unit(out))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                                 "must be at least 0 and less than 1");
    return status;
}

/* How answers look. */

static scrim_status read_confidence(const char *text, sc_ratio *out, scrim_error *error)
{
    const scrim_status status =
        read_number("confidence", sc_text_of(text == NULL ? CONFIDENCE : text),
                    SC_PLAN_NUMBER_BITS, out, error);
    if (status == SCRIM_OK && !is_inside_unit(out))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                                 "must be above 0 and below 1, such as 0.95");
    return status;
}

/* Rows, or columns, or rows in front of columns. */
static scrim_status read_expect(const char *text, sc_plan_options *out,
                                scrim_error *error)
{
    sc_text rows = sc_text_of(EXPECT);
    sc_text all = sc_text_of(text), first = all, columns = {NULL, 0}, name, value;
    const bool is_list = sc_text_split(all, ',', &first, &columns);
    if (!is_list)
        first = all;
    if (sc_text_split(first, '=', &name, &value))
        columns = all;
    else if (text != NULL)
        rows = first;
    out->says_rows = rows.start == first.start;
    if (is_list && columns.bytes == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "expect",
                                 "after the comma write a column with its mean and "
                                 "deviation, as in 1000,age=38.6:13.6");
    scrim_status status = sc_column_guesses_parse(columns, &out->guesses, error);
    if (status == SCRIM_OK)
        status = read_number("expect", rows, SC_PLAN_NUMBER_BITS, &out->expect, error);
    if (status == SCRIM_OK && sc_ratio_compare_int64(&out->expect, 1) < 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "expect",
                                 "must be the expected rows per group, at least 1");
    out->has_expect = sc_ratio_compare_int64(&out->expect, 1000) != 0;
    return status;
}

void sc_plan_options_put_expect(const sc_plan_options *options, sc_text_sink *sink)
{
    char rows[SC_RATIO_TEXT_BYTES];
    (void)sc_ratio_format(&options->expect, rows, sizeof rows);
    sc_text_put(sink, sc_text_of(rows));
    sc_text_put(sink, sc_text_of(options->guesses.count > 0 ? "," : ""));
    sc_column_guesses_put(&options->guesses, sink);
}

static bool copy_number(const sc_ratio *x, sc_arena *arena, sc_text *out)
{
    char text[SC_RATIO_TEXT_BYTES];
    const size_t length = sc_ratio_format(x, text, sizeof text);
    const char *copy = sc_arena_copy(arena, text, length);
    *out = (sc_text){copy, length};
    return copy != NULL;
}

static bool copy_expect(const sc_plan_options *options, sc_arena *arena, sc_text *out)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    sc_plan_options_put_expect(options, &sink);
    const size_t bytes = sink.length + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    if (text == NULL)
        return false;
    sc_text_sink_init(&sink, text, bytes);
    sc_plan_options_put_expect(options, &sink);
    *out = (sc_text){text, bytes - 1};
    return true;
}

bool sc_plan_options_copy_texts(const sc_plan_options *options, sc_arena *arena,
                                sc_plan_option_texts *out)
{
    return copy_number(&options->epsilon, arena, &out->epsilon) &&
           copy_number(&options->delta, arena, &out->delta) &&
           copy_expect(options, arena, &out->expect);
}

static scrim_status read_noise(const char *text, sc_plan_noise *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (text == NULL)
        return SCRIM_OK;
    for (size_t i = 0; i < NOISES; i++)
        if (sc_text_is(sc_text_of(text), noises[i])) {
            *out = (sc_plan_noise)(i + 1);
            return SCRIM_OK;
        }
    const char *nearest = sc_text_nearest(sc_text_of(text), noises, NOISES);
    sc_text_quote(sc_text_of(text), quote);
    if (nearest != NULL)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "mechanism",
                                 "unknown noise '%s'; did you mean '%s'?", quote,
                                 nearest);
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "mechanism",
                             "unknown noise '%s'; use laplace, gaussian or stlap", quote);
}

static scrim_status read_shares(const char *text, sc_plan_options *out,
                                scrim_error *error)
{
    sc_text rest = sc_text_of(text), word;
    uint64_t share;
    if (text == NULL)
        return SCRIM_OK;
    for (bool is_last = false; !is_last; out->share_count++) {
        is_last = !sc_text_split(rest, ',', &word, &rest);
        if (is_last)
            word = rest;
        if (out->share_count == SC_PLAN_STATEMENTS || !sc_text_uint64(word, &share) ||
            share < 1 || share > SC_PLAN_SHARE_MOST)
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "shares",
                                     "must be integers from 1 to 1000000, one a query, "
                                     "as in 2,1,1");
        out->shares[out->share_count] = (uint32_t)share;
    }
    return SCRIM_OK;
}

void sc_plan_options_put_shares(const sc_plan_options *options, sc_text_sink *sink)
{
    char text[16];
    for (size_t i = 0; i < options->share_count; i++) {
        snprintf(text, sizeof text, "%s%" PRIu32, i == 0 ? "" : ",", options->shares[i]);
        sc_text_put(sink, sc_text_of(text));
    }
}

static scrim_status read_version(const char *text, sc_plan_options *out,
                                 scrim_error *error)
{
    const scrim_status status = sc_planned_version_check(text, error);
    if (status != SCRIM_OK || text == NULL)
        return status;
    memcpy(out->version, text, strlen(text) + 1);
    return SCRIM_OK;
}

/* "auto", "auto=1/5". */
static scrim_status read_auto(const char *text, sc_plan_options *out, scrim_error *error)
{
    sc_text word, share;
    if (text == NULL)
        return SCRIM_OK;
    if (!sc_text_split(sc_text_of(text), '=', &word, &share)) {
        word = sc_text_of(text);
        share = sc_text_of("1/5");
    }
    if (!sc_text_is(word, "auto"))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "bounds",
                           "bounds must be auto or auto=SHARE, such as auto=1/5");
    SC_TRY(read_number("bounds", share, SC_PLAN_NUMBER_BITS, &out->auto_share, error));
    if (!is_inside_unit(&out->auto_share))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "bounds",
                           "the share of bounds must be above 0 and below 1, such as "
                           "auto=1/5");
    return out->has_epsilon
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "bounds",
                             "bounds that are found need an epsilon; give one, or give "
                             "contribution bounds");
}

/* A twentieth where nothing is said. */
static scrim_status read_cut(const char *text, sc_ratio *out, scrim_error *error)
{
    SC_TRY(read_number("cut-share", sc_text_of(text == NULL ? "1/20" : text),
                       SC_PLAN_NUMBER_BITS, out, error));
    return sc_ratio_sign(out) == 0 || is_inside_unit(out)
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "cut-share",
                             "cut-share must be at least 0 and below 1, such as 1/20");
}

scrim_status sc_plan_options_read(const scrim_query_options *given, sc_plan_options *out,
                                  scrim_error *error)
{
    scrim_query_options all;
    scrim_status status =
        sc_option_struct_copy(given, sizeof(size_t), &all, sizeof all, error);
    if (status == SCRIM_OK && all.rho == NULL)
        status = read_epsilon(&all, out, error);
    if (status == SCRIM_OK)
        status = read_delta(all.delta, &out->delta, error);
    if (status == SCRIM_OK)
        status = read_confidence(all.confidence, &out->confidence, error);
    if (status == SCRIM_OK)
        status = read_expect(all.expect, out, error);
    if (status == SCRIM_OK)
        status = read_noise(all.mechanism, &out->noise, error);
    if (status == SCRIM_OK && all.rho != NULL)
        status = read_rho(&all, out, error);
    if (status == SCRIM_OK)
        status = read_auto(all.bounds, out, error);
    if (status == SCRIM_OK)
        status = read_cut(all.cut_share, &out->cut_share, error);
    if (status == SCRIM_OK)
        status = read_shares(all.shares, out, error);
    if (status == SCRIM_OK)
        status = read_version(all.version, out, error);
    if (status != SCRIM_OK)
        return status;
    out->rows_upper = all.rows_upper;
    out->workers = all.workers;
    out->memory_bytes = all.memory_bytes;
    out->progress = all.progress;
    out->is_cancelled = all.is_cancelled;
    out->context = all.context;
    return SCRIM_OK;
}

uint64_t sc_plan_levels(const scrim_plan *plan)
{
    return plan->series.running == 0 ? 1 : sc_counter_levels(plan->series.running);
}

bool sc_plan_is_sum(const scrim_plan *plan, size_t statement)
{
    return plan->source != 0 && plan->source != statement + 1;
}

const sc_planned_statement *sc_plan_source(const scrim_plan *plan)
{
    return plan->unreleased != NULL ? plan->unreleased
                                    : &plan->statements[plan->source - 1];
}

size_t sc_plan_text_count(const scrim_plan *plan)
{
    return plan->has_sets ? 1 : plan->statement_count;
}

sc_text sc_plan_text(const scrim_plan *plan, size_t statement)
{
    return plan->series.running == 0 ? plan->statements[statement].text
                                     : plan->series.total;
}

bool sc_plan_finds(const scrim_plan *plan, const sc_planned_statement *s)
{
    return sc_ratio_sign(&plan->options.auto_share) > 0 && s->query->person == NULL &&
           s->query->schema->unit.bytes > 0;
}

scrim_cost sc_plan_cost(const scrim_plan *plan)
{
    scrim_cost cost;
    if (plan->allowance == NULL)
        return *sc_bundle_cost(plan->bundle);
    sc_cost_format(sc_allowance_cost(plan->allowance), &cost);
    return cost;
}

const sc_exact_cost *sc_plan_costs(const scrim_plan *plan, size_t *count)
{
    *count = 1;
    return plan->allowance == NULL ? sc_bundle_costs(plan->bundle, count)
                                   : sc_allowance_cost(plan->allowance);
}

const sc_exact_cost *sc_plan_joint(const scrim_plan *plan)
{
    return plan->allowance == NULL ? sc_bundle_joint(plan->bundle) : NULL;
}

const sc_exact_cost *sc_plan_total(const scrim_plan *plan)
{
    return plan->allowance == NULL ? sc_bundle_total(plan->bundle)
                                   : sc_allowance_cost(plan->allowance);
}

uint64_t sc_plan_groups(sc_plan_keys keys, size_t key_count)
{
    return keys == SC_PLAN_NO_KEYS ? 1 : keys == SC_PLAN_DISCOVERED ? 0 : key_count;
}

bool sc_plan_rows_are_units(const sc_schema *schema, const sc_bounds *bounds,
                            sc_plan_keys keys)
{
    return keys == SC_PLAN_DISCOVERED &&
           (schema->unit.bytes == 0 || sc_bounds_normal(bounds, 0).rows == 1);
}

scrim_status sc_plan_statistics_of(const sc_planned_statement *s, sc_arena *arena,
                                   sc_statistics *out, scrim_error *error)
{
    const sc_statistics_plan plan = {
        s->bounds, sc_plan_rows_are_units(s->query->schema, &s->bounds, s->keys_kind),
        s->cells, s->clamps, s->disjoint};
    return sc_statistics_of(s->query, &plan, arena, out, error);
}

const sc_schema *sc_plan_schema_of(const scrim_plan *plan,
                                   const sc_query_aggregate *aggregate)
{
    for (size_t i = 0; i < plan->statement_count; i++) {
        const sc_query *query = plan->statements[i].query;
        for (size_t j = 0; j < query->aggregate_count; j++)
            if (&query->aggregates[j] == aggregate)
                return query->schema;
    }
    return plan->schema;
}

size_t sc_plan_part_of(const sc_planned_statement *statement, size_t statistic)
{
    for (size_t i = 0; i < statement->part_count; i++)
        if (statement->parts[i].statistic == statistic)
            return i;
    return SC_STATISTIC_NONE;
}
