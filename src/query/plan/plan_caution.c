#include "query/plan/plan_caution.h"

#include "base/number/own.h"
#include "data/value/unit_word.h"
#include "query/language/key_text.h"
#include "query/language/like.h"
#include "query/language/person.h"
#include "query/plan/plan_choice.h"
#include "query/plan/plan_predict.h"
#include "query/plan/plan_select.h"
#include "query/plan/plan_size.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SENTENCE_BYTES 400

typedef struct literals {
    const sc_query *query;
    sc_arena *arena;
    size_t count; /* on no list */
    char first[SENTENCE_BYTES];
    bool lacks_memory;
} literals;

static bool is_listed(const sc_text_list *list, sc_text text)
{
    for (size_t i = 0; i < list->count; i++)
        if (sc_text_equal(list->texts[i], text))
            return true;
    return false;
}

static void add_text(literals *all, const sc_typed *compared, sc_text text)
{
    char literal[SC_TEXT_QUOTE_BYTES], name[SC_TEXT_QUOTE_BYTES];
    sc_text_quote(text, literal);
    if (all->count++ > 0)
        return;
    if (sc_typed_is_text_column(compared))
        snprintf(all->first, sizeof all->first,
                 "'%s' is not one of the listed keys of %s; check its spelling and case",
                 literal,
                 sc_text_quote(all->query->schema->columns[compared->column].name, name));
    else
        snprintf(all->first, sizeof all->first,
                 "'%s' is not one of the texts that listed keys become here; check its "
                 "spelling and case",
                 literal);
}

/* A text that is equal to one of a list of literals, or like a pattern. */
static void look_at_texts(literals *all, const sc_typed *typed)
{
    const sc_typed *compared = typed->parts[0];
    sc_text_list list;
    size_t like = 0;
    char pattern[SC_TEXT_QUOTE_BYTES];
    all->lacks_memory |= !sc_text_image(compared, all->query->schema, all->arena, &list);
    if (all->lacks_memory || list.texts == NULL)
        return;
    if (typed->operation == SC_OP_TEXT_IN) {
        for (size_t i = 0; i < typed->text_count; i++)
            if (!is_listed(&list, typed->texts[i]))
                add_text(all, compared, typed->texts[i]);
        return;
    }
    for (size_t i = 0; i < list.count; i++)
        like += sc_like_matches(typed->like, list.texts[i]);
    if (like == 0 && all->count++ == 0)
        snprintf(all->first, sizeof all->first,
                 "no listed key is LIKE '%s'; check its spelling and case",
                 sc_text_quote(typed->texts[0], pattern));
}

/* A number, date or bool column with a list. */
static void look_at_values(literals *all, const sc_typed *typed)
{
    const sc_column *column = &all->query->schema->columns[typed->parts[0]->column];
    char value[SC_KEY_TEXT_BYTES], name[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; column->has_keys && i < typed->value_count; i++) {
        bool is_there = false;
        for (size_t j = 0; j < column->key_count; j++)
            is_there |= column->keys[j].value == typed->values[i];
        if (is_there || all->count++ > 0)
            continue;
        (void)sc_key_text(typed->parts[0], typed->values[i], value, sizeof value);
        snprintf(all->first, sizeof all->first, "%s is not one of the listed keys of %s",
                 value, sc_text_quote(column->name, name));
    }
}

static void look_at(literals *all, const sc_typed *typed)
{
    if (typed == NULL)
        return;
    if (typed->operation == SC_OP_TEXT_IN || typed->operation == SC_OP_LIKE)
        look_at_texts(all, typed);
    if (typed->operation == SC_OP_IN && typed->parts[0]->operation == SC_OP_COLUMN)
        look_at_values(all, typed);
    for (size_t i = 0; i < typed->count; i++)
        look_at(all, typed->parts[i]);
}

/* Misspelt keys. */

static bool is_same_but_case(sc_text a, sc_text b)
{
    bool is_same = a.bytes == b.bytes;
    for (size_t i = 0; is_same && i < a.bytes; i++) {
        const char x = a.start[i], y = b.start[i];
        is_same = x == y || ((x ^ y) == ' ' && (x | ' ') >= 'a' && (x | ' ') <= 'z');
    }
    return is_same;
}

/* The listed key that was probably meant; empty if no key is near. */
static sc_text nearest_key(const sc_column *column, sc_text word)
{
    sc_text nearest = {NULL, 0};
    size_t shortest = 3 < word.bytes ? 3 : word.bytes;
    for (size_t i = 0; i < column->key_count; i++) {
        const sc_text key = column->keys[i].text;
        const size_t distance =
            is_same_but_case(key, word) ? 0 : sc_text_distance(word, key);
        if (distance < shortest) {
            shortest = distance;
            nearest = key;
        }
    }
    return nearest;
}

/* The comparison of a column with literals of which none is a listed key. With AND one such part
 * is enough. NULL: no part is such a comparison. */
static const sc_typed *misspelt_part(const sc_schema *schema, const sc_typed *typed)
{
    if (typed == NULL)
        return NULL;
    for (size_t i = 0; typed->operation == SC_OP_AND && i < typed->count; i++) {
        const sc_typed *part = misspelt_part(schema, typed->parts[i]);
        if (part != NULL)
            return part;
    }
    if (typed->operation != SC_OP_TEXT_IN || !sc_typed_is_text_column(typed->parts[0]))
        return NULL;
    const sc_column *column = &schema->columns[typed->parts[0]->column];
    for (size_t i = 0; i < typed->text_count; i++)
        for (size_t k = 0; k < column->key_count; k++)
            if (sc_text_equal(column->keys[k].text, typed->texts[i]))
                return NULL;
    return column->has_keys && typed->text_count > 0 ? typed : NULL;
}

/* Writes the key that is near, or the first of all. */
static void write_instead(char *out, size_t bytes, const sc_column *column, sc_text word)
{
    enum { SHOWN = 4 };
    char key[SC_TEXT_QUOTE_BYTES];
    const sc_text nearest = nearest_key(column, word);
    if (nearest.bytes > 0) {
        snprintf(out, bytes, "; did you mean '%s'?", sc_text_quote(nearest, key));
        return;
    }
    size_t used = 0;
    for (size_t i = 0; i < column->key_count && i < SHOWN; i++)
        used += (size_t)snprintf(out + used, bytes - used, "%s'%s'", i == 0 ? ": " : ", ",
                                 sc_text_quote(column->keys[i].text, key));
    if (column->key_count > SHOWN)
        snprintf(out + used, bytes - used, " and %zu more.", column->key_count - SHOWN);
    else
        snprintf(out + used, bytes - used, ".");
}

const char *sc_plan_misspelt(const sc_query *query, sc_arena *arena)
{
    const sc_query *rows = query->person == NULL ? query : query->person->rows;
    const sc_typed *part = misspelt_part(rows->schema, rows->where);
    char sentence[SENTENCE_BYTES + 100], instead[SENTENCE_BYTES],
        literal[SC_TEXT_QUOTE_BYTES], name[SC_TEXT_QUOTE_BYTES];
    if (part == NULL)
        return "";
    const sc_column *column = &rows->schema->columns[part->parts[0]->column];
    sc_text_quote(part->texts[0], literal);
    sc_text_quote(column->name, name);
    write_instead(instead, sizeof instead, column, part->texts[0]);
    const int used =
        snprintf(sentence, sizeof sentence, "'%s' is not one of the listed keys of %s%s",
                 literal, name, instead);
    if (strpbrk(literal, "%_'\\") == NULL) /* as a pattern it means itself */
        snprintf(sentence + used, sizeof sentence - (size_t)used,
                 " For rows with another text write %s LIKE '%s'", name, literal);
    return sc_arena_copy(arena, sentence, strlen(sentence));
}

const char *sc_plan_literals(const sc_query *query, sc_arena *arena)
{
    literals all = {.query = query, .arena = arena};
    char sentence[SENTENCE_BYTES + 40];
    look_at(&all, query->where);
    for (size_t i = 0; i < query->key_count; i++)
        look_at(&all, query->keys[i].value);
    for (size_t i = 0; i < query->aggregate_count; i++) {
        look_at(&all, query->aggregates[i].value);
        look_at(&all, query->aggregates[i].present);
    }
    if (all.lacks_memory)
        return NULL;
    snprintf(sentence, sizeof sentence, "%s", all.first);
    if (all.count > 1)
        snprintf(sentence, sizeof sentence, "%s (and %zu more)", all.first,
                 all.count - 1);
    return sc_arena_copy(arena, sentence, strlen(sentence));
}

#define TEXT_BYTES 500
#define ENOUGH_BYTES 120
#define EPSILON_MOST 1000
#define EPSILON_VOID 5 /* from it on there is hardly any protection */

/* Part of what an error may be, of the size of a count or sum, or of the width of a range: as much, or
 * what is enough. */
typedef struct limit {
    int64_t size, range; /* one over this */
} limit;

static const limit useless = {1, 1}, enough = {10, 2};

/* high - low, in the unit of the column. */
static void set_width(const sc_query_aggregate *a, sc_ratio *out)
{
    SC_OWN(sc_ratio, low);
    sc_extent_value(a->value->extent.step, a->value->extent.low, &low);
    sc_extent_value(a->value->extent.step, a->value->extent.high, out);
    sc_ratio_sub(out, out, &low);
}

/* The error of an interval, or of a bucket, that covers such a part of what is possible. 0: the
 * aggregate is not a single value, or nothing is predicted. */
static void set_most(const scrim_plan *plan, const sc_query_aggregate *a,
                     const limit *most, sc_ratio *out)
{
    const sc_aggregate_span span = a->kind->span;
    SC_OWN(sc_ratio, part);
    sc_ratio_set_int64(out, 0);
    if (a->kind->is_unpredicted || a->kind->shape != SC_SHAPE_VALUE) {
        /* Nothing. */
    } else if (span == SC_SPAN_OPEN) {
        sc_plan_size_view(plan, a, out);
        sc_ratio_set_int64(&part, sc_ratio_sign(out) < 0 ? -most->size : most->size);
        sc_ratio_div(out, out, &part);
    } else {
        set_width(a, out);
        /* An error is half of an interval, or of a bucket; a deviation is at most half of the width. */
        const int64_t halves =
            span == SC_SPAN_HALF || span == SC_SPAN_HALF_SQUARED ? 4 : 2;
        if (span == SC_SPAN_HALF_SQUARED)
            sc_ratio_mul(out, out, out);
        sc_ratio_set_int64(&part,
                           most->range * halves * (span == SC_SPAN_HALF_SQUARED ? 2 : 1));
        sc_ratio_div(out, out, &part);
    }
}

/* Is the error as large as that? Nineteen parts of twenty tell no more than all of it. */
static bool is_beyond(const scrim_plan *plan, const sc_query_aggregate *a,
                      const sc_ratio *error, const limit *most)
{
    SC_OWN(sc_ratio, least, nearly);
    set_most(plan, a, most, &least);
    const bool is_any = sc_ratio_sign(&least) > 0;
    sc_ratio_set_int64(&nearly, 95);
    sc_ratio_mul(&least, &least, &nearly);
    sc_ratio_set_int64(&nearly, 100);
    sc_ratio_mul(&nearly, &nearly, error);
    const bool is_larger = sc_ratio_compare(&nearly, &least) >= 0;
    return is_any && is_larger;
}

/* Is a group of the rows that are expected kept too rarely? It has at most as many units. */
static bool is_lost(const scrim_plan *plan, const sc_key_choice *chosen, bool is_enough)
{
    return chosen != NULL &&
           sc_ratio_compare_int64(&plan->options.expect,
                                  (int64_t)(is_enough ? chosen->most : chosen->half)) < 0;
}

/* The epsilon that is enough. */

/* The search for the first step that is enough: it is after `below` and at most `end`, which is enough itself
 * or a step at which no plan can be made. */
typedef struct goal {
    bool is_open, is_found;
    size_t below, end;
} goal;

typedef struct search {
    scrim_plan *plan;
    sc_noise_choice choice;
    sc_ratio epsilon, *errors, *fewer; /* fewer: room for errors of smaller groups */
    goal *precise, *kept;              /* by aggregate, and by statement */
    size_t open;
} search;

/* Steps 1, 2, 5, 10, ... thousandths, up to EPSILON_MOST; the first one stands for 0. */
#define STEPS 20

static int64_t thousandths_at(size_t step)
{
    static const int64_t factors[] = {1, 2, 5};
    int64_t power = 1;
    for (size_t i = 1; i < step; i++)
        power *= i % 3 == 0 ? 10 : 1;
    return step == 0 ? 0 : power * factors[(step - 1) % 3];
}

static bool is_sought(const goal *g)
{
    return g->is_open && g->end - g->below > 1;
}

static bool is_between(const goal *g, size_t step)
{
    return g->is_open && g->below < step && step < g->end;
}

static void learn(goal *g, size_t step, bool is_enough)
{
    if (!is_between(g, step))
        return;
    g->is_found |= is_enough;
    *(is_enough ? &g->end : &g->below) = step;
}

static void look(search *s, const sc_trial *trial, size_t step)
{
    size_t at = 0;
    for (size_t i = 0; i < s->plan->statement_count; i++) {
        const sc_query *query = s->plan->statements[i].query;
        const sc_trial_statement *t = &trial->statements[i];
        for (size_t k = 0; k < query->aggregate_count; k++, at++)
            if (is_sought(&s->precise[at]))
                learn(
                    &s->precise[at], step,
                    !is_beyond(s->plan, &query->aggregates[k], &s->errors[at], &enough));
        if (is_sought(&s->kept[i]))
            learn(&s->kept[i], step,
                  !is_lost(s->plan, sc_plan_select_chosen(t->choices, t->choice_count),
                           true));
    }
}

/* A step at which no plan can be made ends the ladder. */
static void end_before(goal *goals, size_t count, size_t step)
{
    for (size_t i = 0; i < count; i++)
        if (is_between(&goals[i], step)) {
            goals[i].end = step;
            goals[i].is_found = false;
        }
}

/* Is it a quotient, whose interval is the whole range as soon as the noisy count below may be 0? */
static bool is_quotient(const sc_planned_statement *statement, size_t aggregate)
{
    const sc_statistic_use *use = &statement->statistics.uses[aggregate];
    return statement->query->aggregates[aggregate].kind->span != SC_SPAN_OPEN &&
           use->sum != SC_STATISTIC_NONE && use->rows != SC_STATISTIC_NONE;
}

/* Errors to be expected. Noise makes a group look smaller one time in ten or so: quotients are
 * predicted for two thirds of the rows. */
static scrim_status predict(search *s, const sc_trial *trial, scrim_error *error)
{
    const sc_ratio *confidence = &s->plan->options.confidence;
    scrim_status status = sc_plan_predict(s->plan, trial, confidence, s->errors, error);
    scrim_plan smaller = *s->plan;
    SC_OWN(sc_ratio, rows);
    sc_ratio_set_quotient(&rows, 2, 3);
    sc_ratio_mul(&rows, &rows, &s->plan->options.expect);
    smaller.options.expect = rows; /* lent */
    if (status == SCRIM_OK)
        status = sc_plan_predict(&smaller, trial, confidence, s->fewer, error);
    for (size_t i = 0, at = 0; status == SCRIM_OK && i < s->plan->statement_count; i++) {
        const sc_query *query = s->plan->statements[i].query;
        for (size_t k = 0; k < query->aggregate_count; k++, at++)
            if (is_quotient(&s->plan->statements[i], k))
                sc_ratio_set(&s->errors[at], &s->fewer[at]);
    }
    return status;
}

static scrim_status try_at(search *s, size_t step, bool is_sketch, scrim_error *error)
{
    sc_trial *trial = NULL;
    sc_ratio_set_quotient(&s->epsilon, thousandths_at(step), 1000);
    scrim_status status =
        sc_noise_choose(s->plan, &s->choice, &s->epsilon, is_sketch, &trial, error);
    if (status == SCRIM_OK)
        status = predict(s, trial, error);
    if (status == SCRIM_OK)
        look(s, trial, step);
    if (status == SCRIM_E_LIMIT) {
        end_before(s->precise, sc_plan_aggregates(s->plan), step);
        end_before(s->kept, s->plan->statement_count, step);
    }
    sc_trial_free(trial);
    return status == SCRIM_E_LIMIT ? SCRIM_OK : status;
}

static const goal *first_sought(const goal *goals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_sought(&goals[i]))
            return &goals[i];
    return NULL;
}

/* Errors fall as epsilon grows: each goal is halved in, and what is tried for one tells of all. */
static scrim_status find_enough(search *s, scrim_error *error)
{
    scrim_status status = sc_noise_choice_init(s->plan, &s->choice, error);
    while (status == SCRIM_OK) {
        const goal *kept = first_sought(s->kept, s->plan->statement_count);
        const goal *g =
            kept != NULL ? kept : first_sought(s->precise, sc_plan_aggregates(s->plan));
        if (g == NULL)
            break;
        /* Selections take long to compare. */
        status = try_at(s, g->below + (g->end - g->below) / 2, kept == NULL, error);
    }
    sc_noise_choice_clear(&s->choice);
    return status;
}

/* Words. */

/* "; epsilon 5 is enough for a tenth", or that none is. */
static void put_enough(const goal *g, const char *what, char out[ENOUGH_BYTES])
{
    char epsilon[SC_RATIO_TEXT_BYTES];
    SC_OWN(sc_ratio, value);
    sc_ratio_set_quotient(&value, thousandths_at(g->end), 1000);
    sc_ratio_format(&value, epsilon, sizeof epsilon);
    if (!g->is_found)
        snprintf(out, ENOUGH_BYTES, "no epsilon up to %d brings it to %s", EPSILON_MOST,
                 what);
    else if (sc_ratio_compare_int64(&value, EPSILON_VOID) >= 0)
        snprintf(out, ENOUGH_BYTES,
                 "only epsilon %.20s would bring it to %s, and that is hardly any "
                 "protection",
                 epsilon, what);
    else
        snprintf(out, ENOUGH_BYTES, "epsilon %.20s brings it to %s", epsilon, what);
}

/* "CLAMP(income, 0, 2000)": a tenth of the range, about 0 where it holds that; "" if no clamp
 * can be proposed. */
static void put_clamp(const scrim_plan *plan, const sc_query_aggregate *a,
                      char out[TEXT_BYTES])
{
    char column[SC_TEXT_NAME_BYTES], low[SC_KEY_TEXT_BYTES], high[SC_KEY_TEXT_BYTES];
    const sc_typed *value = a->value;
    out[0] = '\0';
    if (value == NULL || value->operation != SC_OP_COLUMN || sc_type_is_time(value->type))
        return;
    const int64_t from =
                      value->extent.low > 0 ? value->extent.low : value->extent.low / 10,
                  to = value->extent.high / 10;
    if (from >= to)
        return;
    (void)sc_key_text(value, from, low, sizeof low);
    (void)sc_key_text(value, to, high, sizeof high);
    snprintf(
        out, TEXT_BYTES,
        "; with CLAMP(%s, %.60s, %.60s) it is about a tenth, if most values are "
        "within that range",
        sc_text_name(sc_plan_schema_of(plan, a)->columns[value->column].name, column),
        low, high);
}

/* "; or use fewer rows per customer (max-total-rows is 60), ask for fewer columns, or expect more rows if there are". The bounds come
 * first: they are the cause where they are large, and the only one that a single column without groups can have. */
static void put_else(const search *s, const sc_planned_statement *statement,
                     char out[TEXT_BYTES])
{
    const sc_query *query = statement->query;
    const sc_bounds *said = &statement->said;
    const bool has_keys = query->key_count > 0, has_total = said->total > 0;
    const bool has_columns = query->aggregate_count > 1;
    const uint64_t rows = has_total ? said->total : said->rows;
    char bound[200] = "";
    if (rows > 1)
        snprintf(bound, sizeof bound,
                 " use fewer rows per %.80s (max-%s is %" PRIu64 "),",
                 sc_unit_word(s->plan->schema->unit, false),
                 has_total ? "total-rows" : "rows", rows);
    snprintf(out, TEXT_BYTES, "; or%s%s%s%s expect more rows if %s", bound,
             has_columns || has_keys ? " ask for fewer " : "",
             has_columns ? (has_keys ? "columns or groups, or" : "columns, or")
             : has_keys  ? "groups, or"
                         : "",
             !has_columns && !has_keys && rows > 1 ? " or" : "",
             has_keys ? "groups are larger" : "there are more");
}

static const char *aggregate_text(const search *s, const sc_planned_statement *statement,
                                  const sc_query_aggregate *a, size_t at)
{
    char text[3 * TEXT_BYTES], best[ENOUGH_BYTES],
        clamp[TEXT_BYTES] = "", other[TEXT_BYTES], rows[SC_RATIO_TEXT_BYTES];
    const bool is_open = a->kind->span == SC_SPAN_OPEN;
    const char *in = statement->query->key_count > 0 ? "in groups of" : "with";
    sc_ratio_format(&s->plan->options.expect, rows, sizeof rows);
    put_enough(&s->precise[at], is_open ? "a tenth" : "half of that", best);
    put_else(s, statement, other);
    if (is_open && a->value != NULL)
        put_clamp(s->plan, a, clamp);
    if (is_open)
        snprintf(text, sizeof text,
                 "%s %.24s rows the error is as large as the %s itself; %s%s%s", in, rows,
                 a->value == NULL ? "count" : "sum", best, clamp, other);
    else if (a->kind->bars != NULL)
        snprintf(text, sizeof text,
                 "%s %.24s rows a bucket is as wide as the range; %s%s%s", in, rows, best,
                 !s->precise[at].is_found ? "; choose narrower buckets" : "", other);
    else
        snprintf(text, sizeof text,
                 "%s %.24s rows the interval often covers the whole range; %s%s", in,
                 rows, best, other);
    return sc_arena_copy(&s->plan->arena, text, strlen(text));
}

static const char *statement_text(const search *s, size_t at)
{
    char text[TEXT_BYTES], rows[SC_RATIO_TEXT_BYTES], best[ENOUGH_BYTES];
    const sc_planned_statement *statement = &s->plan->statements[at];
    const sc_key_choice *chosen =
        sc_plan_select_chosen(statement->choices, statement->choice_count);
    const char *units = sc_unit_word(s->plan->schema->unit, true);
    sc_ratio_format(&s->plan->options.expect, rows, sizeof rows);
    put_enough(&s->kept[at], "95 %", best);
    snprintf(
        text, sizeof text,
        "a group needs %" PRIu64
        " %s for a 50 %% chance to be shown, and %.24s rows are expected: most likely no "
        "group is shown; %s; or use a larger delta, fewer columns, larger groups or "
        "public keys",
        chosen->half, units, rows, best);
    return sc_arena_copy(&s->plan->arena, text, strlen(text));
}

/* Is there a column of an aggregate as it stands? */
static bool is_shown(const sc_query *query, size_t aggregate)
{
    bool is = false;
    for (size_t i = 0; i < query->output_count; i++)
        is |= !query->outputs[i].is_key && query->outputs[i].index == aggregate;
    return is;
}

/* The last step that is not above the epsilon of the plan. */
static size_t step_of_plan(search *s)
{
    size_t step = 0;
    for (size_t i = 1; i < STEPS; i++) {
        sc_ratio_set_quotient(&s->epsilon, thousandths_at(i), 1000);
        if (sc_ratio_compare(&s->epsilon, &s->plan->options.epsilon) <= 0)
            step = i;
    }
    return step;
}

/* Marks what is useless. */
static void find_useless(search *s)
{
    const size_t step = step_of_plan(s);
    size_t at = 0;
    for (size_t i = 0; i < s->plan->statement_count; i++) {
        const sc_planned_statement *statement = &s->plan->statements[i];
        for (size_t k = 0; k < statement->query->aggregate_count; k++, at++) {
            const bool is_open = is_shown(statement->query, k) &&
                                 is_beyond(s->plan, &statement->query->aggregates[k],
                                           &s->errors[at], &useless);
            s->precise[at] = (goal){is_open, false, step, STEPS};
            s->open += is_open;
        }
        const bool is_open = is_lost(
            s->plan, sc_plan_select_chosen(statement->choices, statement->choice_count),
            false);
        s->kept[i] = (goal){is_open, false, step, STEPS};
        s->open += is_open;
    }
}

/* Several sets of keys have the same aggregates, and one advice is for all of them: has an earlier set had it? */
static bool is_said(const search *s, size_t statement, size_t aggregate)
{
    const sc_planned_statement *all = s->plan->statements;
    const size_t each = all[statement].query->aggregate_count;
    bool is = false;
    for (size_t i = 0; all[statement].set[0] != '\0' && i < statement; i++)
        is |= s->precise[i * each + aggregate].is_open;
    return is;
}

static bool write_all(const search *s, sc_plan_cautions *out)
{
    bool is_whole = true;
    size_t at = 0;
    for (size_t i = 0; i < s->plan->statement_count; i++) {
        const sc_query *query = s->plan->statements[i].query;
        for (size_t k = 0; k < query->aggregate_count; k++, at++) {
            out->aggregates[at] = s->precise[at].is_open && !is_said(s, i, k)
                                      ? aggregate_text(s, &s->plan->statements[i],
                                                       &query->aggregates[k], at)
                                      : "";
            is_whole &= out->aggregates[at] != NULL;
        }
        out->statements[i] = s->kept[i].is_open ? statement_text(s, i) : "";
        is_whole &= out->statements[i] != NULL;
    }
    return is_whole;
}

scrim_status sc_plan_cautions_of(scrim_plan *plan, sc_plan_cautions *out,
                                 scrim_error *error)
{
    const size_t count = sc_plan_aggregates(plan), statements = plan->statement_count;
    sc_arena *arena = &plan->arena;
    search s = {.plan = plan,
                .errors = sc_plan_errors_new(count),
                .fewer = sc_plan_errors_new(count),
                .precise = sc_arena_allocate(arena, count, sizeof *s.precise),
                .kept = sc_arena_allocate(arena, statements, sizeof *s.kept)};
    scrim_status status = SCRIM_OK;
    out->aggregates = sc_arena_allocate(arena, count, sizeof *out->aggregates);
    out->statements = sc_arena_allocate(arena, statements, sizeof *out->statements);
    sc_ratio_init(&s.epsilon);
    if (s.errors == NULL || s.fewer == NULL || s.precise == NULL || s.kept == NULL ||
        out->aggregates == NULL || out->statements == NULL)
        status = sc_no_memory(error, "a plan");
    if (status == SCRIM_OK)
        status = predict(&s, plan->trial, error);
    if (status == SCRIM_OK)
        find_useless(&s);
    if (status == SCRIM_OK && s.open > 0)
        status = find_enough(&s, error);
    if (status == SCRIM_OK && !write_all(&s, out))
        status = sc_no_memory(error, "a plan");
    sc_ratio_clear(&s.epsilon);
    sc_plan_errors_free(s.fewer, count);
    sc_plan_errors_free(s.errors, count);
    return status;
}
