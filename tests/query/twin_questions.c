#include "twin_questions.h"

#include "base/number/own.h"
#include "check.h"
#include "pass_scene.h"
#include "query/estimate/formula_form.h"
#include "query/language/key_text.h"
#include "query/language/validate.h"
#include "query/rows/group_kept.h"
#include "query/rows/key_tuple.h"

#include <string.h>

/* SQLite computes in doubles, PostgreSQL in decimals of 40 digits. */
static const char *const nearness[DIALECTS] = {
    [IN_SQLITE] = "1e-9", [IN_POSTGRES] = "1e-25"};

/* ---- values without noise ---- */

static void exact_numbers(const sc_statistics *statistics, const sc_group *g,
                          sc_int128 *out)
{
    for (size_t i = 0; i < statistics->count; i++) {
        const sc_group_statistic *t = &statistics->list[i];
        const sc_int128 n = t->value == SC_STATISTIC_NONE
                                ? (sc_int128)g->rows
                                : (sc_int128)g->present[t->value];
        if (t->kind == SC_STATISTIC_UNITS)
            out[t->first] =
                t->value == SC_STATISTIC_NONE ? (sc_int128)g->units : g->totals[t->value];
        else if (t->kind == SC_STATISTIC_VALUES)
            out[t->first] = n == 0 ? 0 : sc_kept_different(g->lists[t->value], (size_t)n);
        else
            out[t->first] =
                t->kind == SC_STATISTIC_ROWS
                    ? n
                    : g->sums[t->value] +
                          n * (statistics->groups[t->value].centre - t->centre);
    }
}

/* A mean of no value is missing, as in SQL; an answer shows the range then. */
static void value_of_leaf(const sc_formula_forms *f, size_t place,
                          const sc_int128 *numbers, sc_formula_number *out)
{
    SC_OWN(sc_ratio, rows);
    const sc_form *form = &f->forms[place];
    sc_form_value(f, form->top, numbers, &out->number);
    if (form->kind != SC_FORM_QUOTIENT)
        return;
    sc_form_value(f, form->bottom, numbers, &rows);
    out->is_null = sc_ratio_sign(&rows) == 0;
    if (!out->is_null)
        sc_ratio_div(&out->number, &out->number, &rows);
}

static bool is_within(const sc_formula_bounds *range, const sc_formula_number *value)
{
    return value->is_null ||
           ((!range->has_low || sc_ratio_compare(&range->low, &value->number) <= 0) &&
            (!range->has_high || sc_ratio_compare(&range->high, &value->number) >= 0));
}

/* The last step, from the numbers that are drawn of a group; each step lies in its public range. */
static void put_value(const sc_formula_forms *f, const sc_int128 *numbers, sql_row *row,
                      size_t column)
{
    static sc_formula_number all[SC_FORMULA_STEPS];
    char text[SC_RATIO_TEXT_BYTES] = SQL_NULL;
    const size_t count = f->formula->count;
    for (size_t i = 0; i < count; i++) {
        sc_formula_number_init(&all[i]);
        if (f->formula->steps[i].kind == SC_FORMULA_AGGREGATE)
            value_of_leaf(f, i, numbers, &all[i]);
        else
            sc_formula_number_of(&f->formula->steps[i], all, &all[i]);
        CHECK(is_within(&f->ranges[i], &all[i]));
    }
    if (!all[count - 1].is_null)
        (void)sc_ratio_format(&all[count - 1].number, text, sizeof text);
    sql_cell_put(row, column, text);
    for (size_t i = 0; i < count; i++)
        sc_formula_number_clear(&all[i]);
}

static void put_values(const sc_query *query, const sc_statistics *statistics,
                       const sc_groups *groups, const sc_formula *formula,
                       sql_answer *out)
{
    sc_int128 numbers[SC_FORMULA_AGGREGATES * 8];
    sc_formula_forms f;
    if (CHECK_STATUS(sc_formula_forms_init(&f, formula, query, statistics, NULL),
                     SCRIM_OK) &&
        CHECK(statistics->number_count <= COUNT(numbers)))
        for (size_t i = 0; i < out->count; i++) {
            exact_numbers(statistics, &groups->groups[i], numbers);
            put_value(&f, numbers, &out->rows[i], out->columns);
        }
    sc_formula_forms_clear(&f);
    out->columns++;
}

/* ---- the engine's answer ---- */

static void put_key(const sc_query *query, const sc_group *g, char *text, size_t bytes)
{
    sc_key_part part = {.is_text = query->key_count > 0 &&
                                   sc_typed_is_text(query->keys[0].value)};
    if (query->key_count == 0)
        snprintf(text, bytes, "1");
    else if (!CHECK(sc_key_tuple_read(g->key, &part, 1)))
        return;
    else if (sc_key_part_is_null(&part))
        snprintf(text, bytes, SQL_NULL);
    else if (part.is_text)
        snprintf(text, bytes, "%.*s", (int)part.text.bytes, part.text.start);
    else if (query->keys[0].value->type == SC_TYPE_BOOL)
        snprintf(text, bytes, "%d", (int)part.value);
    else
        (void)sc_key_text(query->keys[0].value, part.value, text, bytes);
}

static void put_groups(const sc_query *query, const sc_statistics *statistics,
                       const sc_groups *groups, sql_answer *out)
{
    for (size_t i = 0; i < groups->count; i++) {
        char key[SQL_CELL_BYTES] = "";
        sql_row *row = sql_answer_row(out);
        if (row == NULL)
            return;
        put_key(query, &groups->groups[i], key, sizeof key);
        sql_cell_put(row, 0, key);
    }
    out->columns = 1;
    for (size_t i = 0; i < query->output_count; i++) {
        const sc_query_output *output = &query->outputs[i];
        const sc_formula_step step = {.kind = SC_FORMULA_AGGREGATE,
                                      .aggregate = output->index};
        const sc_formula alone = {.steps = &step, .count = 1};
        if (!output->is_key)
            put_values(query, statistics, groups,
                       output->formula == NULL ? &alone : output->formula, out);
    }
}

static bool ask_engine(const sql_twin *twin, const sc_query *query, sc_arena *arena,
                       sql_answer *out)
{
    const sc_pass_options options = {.workers = 1};
    sc_statistics statistics;
    sc_pass *pass = NULL;
    scrim_error error = {.status = SCRIM_OK};
    out->count = out->columns = 0;
    if (!CHECK_STATUS(sc_statistics_of(
                          query, &(sc_statistics_plan){.bounds = query->schema->bounds},
                          arena, &statistics, &error),
                      SCRIM_OK))
        return false;
    const sc_pass_statement asked = {
        .query = query, .statistics = &statistics, .bounds = {1000, 1000, 0}};
    const bool is_done = CHECK_STATUS(
        pass_run(twin->schema, &asked, 1, &options, 7, &pass, &error), SCRIM_OK);
    if (is_done)
        put_groups(query, &statistics, sc_pass_groups(pass, 0), out);
    sc_pass_close(pass);
    return is_done;
}

/* ---- side by side ---- */

static bool is_asked(const sql_twin *twin, const dialects *d, dialect of)
{
    return of == IN_SQLITE ? d->is_for_sqlite : twin->postgres != NULL;
}

/* A question that is refused since no row can be so has no twin in SQL. */
static bool check_refused(const sql_twin *twin, const dialects *d,
                          const scrim_error *error)
{
    static sql_answer theirs;
    static char count[DIALECT_BYTES];
    bool is_right = true;
    if (strncmp(error->message, "no row can be so", 16) != 0 ||
        strstr(d->texts[IN_SCRIM], "FILTER") != NULL)
        return true;
    for (int i = IN_SQLITE; is_right && i < DIALECTS; i++) {
        const char *where = strstr(d->texts[i], " FROM r WHERE ");
        if (where == NULL || !is_asked(twin, d, (dialect)i))
            continue;
        const char *group = strstr(where, " GROUP BY ");
        snprintf(count, sizeof count, "SELECT COUNT(*)%.*s",
                 (int)(group == NULL ? strlen(where) : (size_t)(group - where)), where);
        is_right = sql_twin_ask(twin, (dialect)i, count, &theirs) &&
                   CHECK_STR(theirs.rows[0].cells[0], "0");
    }
    return is_right;
}

static bool check_answered(const sql_twin *twin, const dialects *d, const sc_query *query,
                           sc_arena *arena)
{
    static sql_answer ours, theirs;
    bool is_same = ask_engine(twin, query, arena, &ours);
    for (int i = IN_SQLITE; is_same && i < DIALECTS; i++) {
        if (!is_asked(twin, d, (dialect)i))
            continue;
        is_same = sql_twin_ask(twin, (dialect)i, d->texts[i], &theirs);
        if (ours.count == 0 && theirs.count == 0) /* has no columns either */
            theirs.columns = ours.columns;
        is_same = is_same && sql_answers_are_same(&ours, &theirs, nearness[i]);
        if (!is_same)
            CHECK_STR(d->texts[IN_SCRIM], d->texts[i]);
    }
    return is_same;
}

static bool check_question(const sql_twin *twin, const dialects *d, uint64_t *answered)
{
    const sc_query *query = NULL;
    scrim_error error = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &error};
    sc_arena arena;
    bool is_right = true;
    sc_arena_init(&arena);
    const scrim_status status =
        sc_validate(sc_text_of(d->texts[IN_SCRIM]), sc_text_of("r"), twin->schema, &arena,
                    &query, &refusal);
    if (status == SCRIM_OK) {
        ++*answered;
        is_right = check_answered(twin, d, query, &arena);
    } else {
        is_right = (status == SCRIM_E_PARAM || status == SCRIM_E_LIMIT)
                       ? check_refused(twin, d, &error)
                       : CHECK_STR(error.message, "");
        if (!is_right)
            CHECK_STR(d->texts[IN_SCRIM], error.message);
    }
    sc_arena_clear(&arena);
    return is_right;
}

void twin_questions_ask(const twin_questions *questions, uint64_t count)
{
    static dialects d;
    uint64_t seed = check_seed(), answered = 0, asked = 0;
    postgres_session *postgres = check_is_long() ? postgres_open() : NULL;
    bool is_right = CHECK((postgres != NULL) == check_is_long());
    d.seed = &seed;
    d.has_postgres = postgres != NULL;
    while (is_right && answered < count) {
        sql_twin twin;
        is_right = questions->begin(&twin, postgres, &d);
        for (uint64_t i = 0; is_right && i < 100 && answered < count; i++, asked++) {
            questions->make(&d);
            is_right = check_question(&twin, &d, &answered);
        }
        /* About a quarter is refused; of few questions it may be more by chance. */
        is_right = is_right && CHECK(asked <= answered + count / 2 + 20);
        sql_twin_end(&twin);
    }
    postgres_close(postgres);
    d.seed = NULL;
}
