#include "query/plan/kept_words.h"

#include "query/language/person.h"
#include "query/language/unnest.h"
#include "query/plan/plan_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct speaking {
    const sc_query *query;
    const sc_statistics *statistics;
    sc_bounds said;
    uint64_t groups;
    sc_kept_keys keys;
    sc_kept_tense tense;
    const char *cut;
    char unit[SC_TEXT_QUOTE_BYTES];
    sc_text_sink *sink;
    bool has_begun;
} speaking;

static void put(const speaking *s, const char *text)
{
    sc_text_put(s->sink, sc_text_of(text));
}

static void begin_sentence(speaking *s)
{
    put(s, s->has_begun ? "; " : "");
    s->has_begun = true;
}

/* "5 rows", "1 row". */
static void put_count(const speaking *s, uint64_t count, const char *noun)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
    put(s, text);
}

static bool has_groups(const speaking *s)
{
    return s->query->key_count > 0 || s->keys.rows_of > 0;
}

/* The number of groups, if there are groups. */
static void put_groups(const speaking *s, const char *in)
{
    char source[40];
    if (!has_groups(s))
        return;
    put(s, s->groups == 1 ? " in one group" : in);
    if (s->groups > 1)
        put_count(s, s->groups, "group");
    snprintf(source, sizeof source, " of query %zu", s->keys.rows_of);
    put(s, s->keys.rows_of == 0                 ? ""
           : s->keys.rows_of == SC_ROWS_OF_ALL  ? " of all columns together"
           : s->keys.rows_of == SC_ROWS_OF_KEYS ? " of all keys together"
                                                : source);
}

/* "further rows were left out". */
static void say_further(speaking *s, const char *noun)
{
    begin_sentence(s);
    put(s, "further ");
    put(s, noun);
    put(s, s->tense == SC_KEPT_WAS ? " were left out" : " are left out");
}

static bool is_total(const sc_statistics *statistics, size_t aggregate)
{
    const size_t sum = statistics->uses[aggregate].sum;
    return sum != SC_STATISTIC_NONE && statistics->list[sum].kind == SC_STATISTIC_TOTAL;
}

bool sc_query_counts_rows(const sc_query *query, const sc_statistics *statistics)
{
    for (size_t i = 0; i < query->aggregate_count; i++)
        if (!is_total(statistics, i) &&
            query->aggregates[i].kind->reads != SC_READS_UNITS)
            return true;
    return false;
}

static bool counts_units(const speaking *s)
{
    for (size_t i = 0; i < s->query->aggregate_count; i++)
        if (s->query->aggregates[i].kind->reads == SC_READS_UNITS)
            return true;
    return false;
}

/* Bounds of rows of a group, and of groups, beside a total. */
static void put_within(const speaking *s)
{
    const bool has_rows =
        has_groups(s) && s->said.rows > 0 && s->said.rows < s->said.total;
    if (has_rows) {
        char text[64];
        snprintf(text, sizeof text, ", %" PRIu64 " in a group", s->said.rows);
        put(s, text);
    }
    if (s->said.groups > 0 && s->groups > 1 && has_groups(s)) {
        put(s, has_rows ? " and" : "");
        put_groups(s, " in at most ");
    }
}

/* A fact that was declared is no bound: further rows are not expected. */
static bool has_one_row(const speaking *s)
{
    return s->query->schema->has_one_row && s->query->unnest == NULL;
}

/* The thing that a bound of rows counts. */
static const char *noun_of(const speaking *s)
{
    return s->statistics->has_values_alone ? "different value" : "row";
}

static void say_rows(speaking *s)
{
    const bool has_total = s->said.total > 0;
    const uint64_t rows = has_total ? s->said.total : s->said.rows;
    begin_sentence(s);
    put_count(s, rows, noun_of(s));
    put(s, " per ");
    put(s, s->unit);
    if (has_one_row(s))
        put(s, ", as declared");
    else if (has_total)
        put_within(s);
    else
        put_groups(s, " in each of ");
}

/* Counts of units ignore further groups of a unit, but no rows. */
static void say_units(speaking *s)
{
    begin_sentence(s);
    put_count(s, s->groups, "group");
    put(s, " per ");
    put(s, s->unit);
}

static void put_number(const speaking *s, const sc_typed *typed, int64_t steps)
{
    char text[SC_RATIO_TEXT_BYTES];
    SC_OWN(sc_ratio, number);
    sc_extent_value(typed->extent.step, steps, &number);
    sc_ratio_format(&number, text, sizeof text);
    put(s, text);
}

/* Is the column made of that sum, alone or in arithmetic? */
static bool has_sum(const speaking *s, const sc_query_output *output, size_t sum)
{
    for (size_t i = 0; i < s->query->aggregate_count; i++)
        if (s->statistics->uses[i].sum == sum && sc_query_output_has(output, i))
            return true;
    return false;
}

/* "total", "mean and total", "mean, share and total". */
static void put_columns_of(const speaking *s, size_t sum)
{
    const size_t count = s->query->output_count;
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        left += has_sum(s, &s->query->outputs[i], sum);
    for (size_t i = 0; i < count; i++) {
        if (!has_sum(s, &s->query->outputs[i], sum))
            continue;
        sc_text_put(s->sink, s->query->columns[i].name);
        left--;
        put(s, left > 1 ? ", " : left == 1 ? " and " : "");
    }
}

static void say_total(speaking *s, size_t sum)
{
    const size_t value = s->statistics->list[sum].value;
    const sc_group_value *bound = &s->statistics->groups[value];
    const sc_typed *typed = s->statistics->values[value];
    begin_sentence(s);
    put(s, "for ");
    put_columns_of(s, sum);
    put(s, ", all rows per ");
    put(s, s->unit);
    if (bound->total_all > 0) {
        put(s, ", their totals of all groups together scaled down to at most ");
        put_number(s, typed, bound->total_all);
        return;
    }
    put_groups(s, " in each of ");
    put(s, ", their total clamped to ");
    put_number(s, typed, bound->total_low);
    put(s, " to ");
    put_number(s, typed, bound->total_high);
}

/* One row is made of all rows of a unit (person.h). */
static void say_persons(speaking *s)
{
    begin_sentence(s);
    put(s, "each ");
    put(s, s->unit);
    put(s, s->tense == SC_KEPT_WAS ? " counted once, by all of its "
                                   : " counts once, by all of its ");
    put(s, s->query->person->rows->where == NULL
               ? "rows"
               : "rows that match; others are not in these numbers");
}

/* Is a text made of a column's? A condition is no text, and may read any; a joined column has no other texts
 * than its list. */
static bool reads_text(const sc_typed *typed)
{
    bool reads = typed->operation == SC_OP_COLUMN;
    for (size_t i = 0; typed->operation != SC_OP_LOOKUP && i < typed->count; i++)
        reads |= sc_typed_is_text(typed->parts[i]) && reads_text(typed->parts[i]);
    return reads;
}

/* Records do not repeat lists: text of columns is public by a list alone, a number or a date by its list
 * or its range. */
static bool is_listed(const sc_query *query, sc_kept_keys keys,
                      const sc_query_output *output)
{
    if (!keys.are_public || !output->is_key || sc_query_output_is_grouping(output))
        return false;
    const sc_query_key *key = &query->keys[output->index];
    if (sc_typed_is_text(key->value))
        return reads_text(key->value);
    return key->column != NULL && key->column->type != SC_COLUMN_BOOL &&
           !(keys.have_ranges && sc_plan_key_is_range(key));
}

size_t sc_query_listed_keys(const sc_query *query, sc_kept_keys keys)
{
    size_t count = 0;
    for (size_t i = 0; i < query->output_count; i++)
        count += is_listed(query, keys, &query->outputs[i]);
    return count;
}

/* Rows whose key is on no list are in no group. */
static void say_listed(speaking *s)
{
    size_t left = sc_query_listed_keys(s->query, s->keys);
    if (left == 0)
        return;
    begin_sentence(s);
    put(s, "rows whose ");
    for (size_t i = 0; i < s->query->output_count; i++) {
        if (!is_listed(s->query, s->keys, &s->query->outputs[i]))
            continue;
        sc_text_put(s->sink, s->query->columns[i].name);
        left--;
        put(s, left > 1 ? ", " : left == 1 ? " or " : "");
    }
    put(s, " is not a listed key are ignored");
}

static void say_bounds(speaking *s)
{
    if (s->query->schema->unit.bytes == 0)
        return;
    if (s->query->person != NULL) {
        say_persons(s);
        return;
    }
    const bool has_rows = sc_query_counts_rows(s->query, s->statistics),
               has_units = !has_rows && counts_units(s) && s->query->key_count > 0;
    if (has_rows)
        say_rows(s);
    else if (has_units)
        say_units(s);
    for (size_t i = 0; i < s->statistics->count; i++)
        if (s->statistics->list[i].kind == SC_STATISTIC_TOTAL)
            say_total(s, i);
    if (s->cut != NULL) {
        begin_sentence(s);
        put(s, s->cut);
    } else if ((has_rows && !has_one_row(s)) || has_units) {
        say_further(s, !has_rows                         ? "groups"
                       : s->statistics->has_values_alone ? "values"
                                                         : "rows");
    }
}

/* A row counts a bounded number of elements of its list (unnest.h). */
static void say_elements(speaking *s)
{
    const sc_unnest *unnest = s->query->unnest;
    begin_sentence(s);
    put_count(s, unnest->limit, "element");
    put(s, " of ");
    sc_text_put(s->sink, s->query->schema->columns[unnest->list].name);
    put(s, " per row, which is charged for ");
    put_count(s, unnest->limit, "group");
    say_further(s, "elements");
}

static void say_all(speaking *s)
{
    s->has_begun = false;
    if (s->query->unnest != NULL)
        say_elements(s);
    say_bounds(s);
    say_listed(s);
}

const char *sc_kept_words(const sc_query *query, const sc_statistics *statistics,
                          const sc_kept_bounds *bounds, sc_kept_keys keys,
                          sc_kept_tense tense, sc_arena *arena)
{
    sc_text_sink sink;
    speaking s = {.query = query,
                  .statistics = statistics,
                  .said = bounds->said,
                  .groups = bounds->groups,
                  .keys = keys,
                  .tense = tense,
                  .cut = bounds->cut,
                  .sink = &sink};
    sc_text_quote(query->schema->unit, s.unit);
    sc_text_sink_init(&sink, NULL, 0);
    say_all(&s);
    const size_t bytes = sink.length + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, bytes);
    say_all(&s);
    return text;
}

static bool grows(const sc_query_aggregate *aggregate)
{
    const sc_aggregate *kind = aggregate->kind;
    return (kind->reads & (SC_READS_SUM | SC_READS_UNITS | SC_READS_VALUES)) != 0 ||
           kind->reads == SC_READS_ROWS || kind->shape == SC_SHAPE_COUNTS;
}

/* The power with which a formula grows with its rows: 1 of a sum, 0 of a quotient of two sums. */
static int power_of(const sc_query *query, const sc_formula *formula)
{
    int powers[SC_FORMULA_STEPS] = {0};
    for (size_t i = 0; i < formula->count; i++) {
        const sc_formula_step *step = &formula->steps[i];
        const size_t *parts = step->parts;
        if (step->kind == SC_FORMULA_AGGREGATE)
            powers[i] = grows(&query->aggregates[step->aggregate]);
        else if (step->kind == SC_FORMULA_MULTIPLY)
            powers[i] = powers[parts[0]] + powers[parts[1]];
        else if (step->kind == SC_FORMULA_DIVIDE)
            powers[i] = powers[parts[0]] - powers[parts[1]];
        else
            for (size_t k = 0; k < step->count; k++)
                if (powers[parts[k]] > powers[i])
                    powers[i] = powers[parts[k]];
    }
    return powers[formula->count - 1];
}

bool sc_kept_adds_up(const sc_query *query)
{
    for (size_t i = 0; i < query->output_count; i++) {
        const sc_query_output *output = &query->outputs[i];
        if (output->formula != NULL
                ? power_of(query, output->formula) > 0
                : !output->is_key && grows(&query->aggregates[output->index]))
            return true;
    }
    return false;
}

const char *sc_missing_words(const sc_query *query, const sc_statistics *statistics,
                             const sc_bounds *said, size_t groups, sc_kept_keys keys,
                             sc_arena *arena)
{
    const sc_schema *schema = query->schema;
    char unit[SC_TEXT_QUOTE_BYTES], text[SC_TEXT_QUOTE_BYTES + 300];
    if (schema->unit.bytes == 0 || query->person != NULL || keys.rows_of > 0 ||
        !sc_kept_adds_up(query) || said->total > 0 ||
        (said->rows == 1 && said->groups == 1))
        return "";
    sc_text_quote(schema->unit, unit);
    if (groups > said->groups)
        snprintf(text, sizeof text,
                 "max-groups %" PRIu64 " is for the whole query: each %s counts in at "
                 "most %" PRIu64 " of the %zu groups, so totals may be far too low; ask "
                 "with a total of rows instead, such as max-total-rows",
                 said->groups, unit, said->groups, groups);
    else if (query->key_count == 0 && said->groups > 1 &&
             sc_query_counts_rows(query, statistics))
        snprintf(text, sizeof text,
                 "max-rows %" PRIu64 " is per group: without GROUP BY each %s counts "
                 "with at most %" PRIu64 " row%s in all, so totals may be far too low; "
                 "ask with a total of rows instead, such as max-total-rows",
                 said->rows, unit, said->rows, said->rows == 1 ? "" : "s");
    else
        return "";
    return sc_arena_copy(arena, text, strlen(text));
}
