#include "query/plan/asked_bounds.h"

#include "query/language/lex.h"
#include "query/language/validate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Options. */

static scrim_status read_bound(const char *name, const char *text, uint64_t *out,
                               scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (text == NULL)
        return SCRIM_OK;
    if (!sc_text_uint64(sc_text_of(text), out) || *out < 1 ||
        *out > SC_SCHEMA_CONTRIBUTION)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                           "%s: %s must be a whole number from 1 to %d", name,
                           sc_text_quote(sc_text_of(text), quote),
                           SC_SCHEMA_CONTRIBUTION);
    return SCRIM_OK;
}

scrim_status sc_asked_bounds_read(const scrim_query_options *options,
                                  sc_asked_bounds *out, scrim_error *error)
{
    *out = (sc_asked_bounds){.totals = options->max_total};
    SC_TRY(read_bound("max-groups", options->max_groups, &out->bounds.groups, error));
    SC_TRY(read_bound("max-rows", options->max_rows, &out->bounds.rows, error));
    return read_bound("max-total-rows", options->max_total_rows, &out->bounds.total,
                      error);
}

static bool has_bounds(const sc_asked_bounds *asked)
{
    return asked->bounds.groups > 0 || asked->bounds.rows > 0 || asked->bounds.total > 0;
}

bool sc_asked_bounds_any(const sc_asked_bounds *asked)
{
    return has_bounds(asked) || asked->totals != NULL;
}

/* The next of the lines COLUMN=BOUND; false at the end. */
static bool next_total(sc_text *rest, sc_text *line)
{
    while (rest->bytes > 0) {
        if (!sc_text_split(*rest, '\n', line, rest)) {
            *line = *rest;
            rest->bytes = 0;
        }
        *line = sc_text_trim(*line);
        if (line->bytes > 0)
            return true;
    }
    return false;
}

/* Appends a line to a text of enough bytes. */
static void append(const char **text, char *room, sc_text line)
{
    size_t used = 0;
    if (*text != NULL)
        used = strlen(room);
    memcpy(room + used, line.start, line.bytes);
    room[used + line.bytes] = '\n';
    room[used + line.bytes + 1] = '\0';
    *text = room;
}

scrim_status sc_asked_ranges_take(sc_asked_bounds *asked, sc_arena *arena,
                                  scrim_error *error)
{
    if (asked->totals == NULL)
        return SCRIM_OK;
    sc_text rest = sc_text_of(asked->totals), line, column, bound;
    const size_t bytes = rest.bytes + 2;
    char *totals = sc_arena_allocate(arena, bytes, 1);
    char *ranges = sc_arena_allocate(arena, bytes, 1);
    if (totals == NULL || ranges == NULL)
        return sc_no_memory(error, "a plan");
    asked->totals = NULL;
    while (next_total(&rest, &line)) {
        if (sc_text_split(line, '=', &column, &bound) &&
            sc_text_is(sc_text_trim(bound), "auto"))
            append(&asked->ranges, ranges, sc_text_trim(column));
        else
            append(&asked->totals, totals, line);
    }
    return SCRIM_OK;
}

/* Does the question bound the total of the column that stands before '='? */
static bool has_total_of(const sc_asked_bounds *asked, sc_text value)
{
    sc_text rest = sc_text_of(asked->totals), line, own, column, after;
    if (asked->totals == NULL || !sc_text_split(value, '=', &column, &after))
        return false;
    while (next_total(&rest, &line))
        if (sc_text_split(line, '=', &own, &after) &&
            sc_text_equal(sc_text_trim(own), sc_text_trim(column)))
            return true;
    return false;
}

/* Is it a line of the owner that the question replaces? */
static bool is_replaced(const sc_asked_bounds *asked, sc_text key, sc_text value)
{
    static const char *const keys[] = {"max-groups", "max-rows", "max-total-rows",
                                       "rows-per-unit"};
    for (size_t i = 0; has_bounds(asked) && i < sizeof keys / sizeof *keys; i++)
        if (sc_text_is(key, keys[i]))
            return true;
    if (sc_text_is(key, "bounds-from"))
        return sc_bounds_are_whole(&asked->bounds);
    return sc_text_is(key, "max-total") && has_total_of(asked, value);
}

static void put_line(sc_text_sink *sink, const char *between, const char *name,
                     uint64_t value, const char *end)
{
    char text[64];
    if (value == 0)
        return;
    snprintf(text, sizeof text, "%s%s=%" PRIu64 "%s", between, name, value, end);
    sc_text_put(sink, sc_text_of(text));
}

static void put_bounds(sc_text_sink *sink, const char *between, const sc_bounds *b,
                       const char *end)
{
    put_line(sink, between, "max-groups", b->groups, end);
    put_line(sink, between, "max-rows", b->rows, end);
    put_line(sink, between, "max-total-rows", b->total, end);
}

static void put_totals(sc_text_sink *sink, const char *before, const char *lines,
                       const char *end)
{
    sc_text rest = sc_text_of(lines == NULL ? "" : lines), line;
    while (next_total(&rest, &line)) {
        sc_text_put(sink, sc_text_of(before));
        sc_text_put(sink, line);
        sc_text_put(sink, sc_text_of(end));
    }
}

void sc_asked_bounds_put(const sc_asked_bounds *asked, sc_text_sink *sink)
{
    put_bounds(sink, " ", &asked->bounds, "");
    put_totals(sink, " max-total=", asked->totals, "");
    put_totals(sink, " max-total=", asked->ranges, "=auto");
}

static void put_policy(const sc_asked_bounds *asked, const char *policy,
                       const sc_schema *schema, sc_text_sink *sink)
{
    sc_text rest = sc_text_of(policy), line, key, value;
    while (sc_schema_line(&rest, &line, &key, &value))
        if (!is_replaced(asked, key, value)) {
            sc_text_put(sink, line);
            sc_text_put(sink, sc_text_of("\n"));
        }
    if (has_bounds(asked)) {
        const sc_bounds own = sc_bounds_over(&asked->bounds, &schema->bounds);
        put_bounds(sink, "", &own, "\n");
    }
    put_totals(sink, "max-total=", asked->totals, "\n");
}

/* May a question have bounds of its own? */
static scrim_status check_allowed(const sc_schema *schema, scrim_error *error)
{
    if (schema->has_fixed_bounds)
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_CONFLICT, "fixed-bounds",
                           "the owner has fixed the contribution bounds of this dataset");
    return schema->unit.bytes > 0
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT,
                             "max-total-rows",
                             "each row is a unit of its own, which needs no contribution "
                             "bounds");
}

scrim_status sc_asked_bounds_apply(const sc_asked_bounds *asked, const char *policy,
                                   const sc_schema *schema, sc_arena *arena,
                                   const char **out, scrim_error *error)
{
    sc_text_sink sink;
    SC_TRY(check_allowed(schema, error));
    sc_text_sink_init(&sink, NULL, 0);
    put_policy(asked, policy, schema, &sink);
    const size_t bytes = sink.length + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    if (text == NULL)
        return sc_no_memory(error, "a policy");
    sc_text_sink_init(&sink, text, bytes);
    put_policy(asked, policy, schema, &sink);
    *out = text;
    return SCRIM_OK;
}

scrim_status sc_asked_bounds_use(const sc_asked_bounds *asked, sc_arena *arena,
                                 const char **policy, const sc_schema **schema,
                                 scrim_error *error)
{
    const sc_schema *bounded = NULL;
    if (!sc_asked_bounds_any(asked))
        return SCRIM_OK;
    SC_TRY(sc_asked_bounds_apply(asked, *policy, *schema, arena, policy, error));
    SC_TRY(sc_schema_parse(sc_text_of(*policy), NULL, &bounded, error));
    sc_schema_free(*schema);
    *schema = bounded;
    return SCRIM_OK;
}

/* The clause. */

typedef struct reading {
    const sc_token *token;
    sc_refusal *refusal;
    sc_asked_clause *out;
} reading;

static bool is_word(const sc_token *token, const char *word)
{
    if (token->kind != SC_TOKEN_NAME || token->quoted ||
        token->value.bytes != strlen(word))
        return false;
    for (size_t i = 0; word[i] != '\0'; i++)
        if (sc_capital(token->value.start[i]) != sc_capital(word[i]))
            return false;
    return true;
}

static scrim_status expect(reading *r, sc_token_kind kind)
{
    if (r->token->kind != kind)
        return sc_refuse(r->refusal, r->token->span, SCRIM_E_SYNTAX,
                         "OPTIONS must be written as (epsilon = 0.5, delta = 1e-9, "
                         "max_rows_contributed = 20)");
    r->token++;
    return SCRIM_OK;
}

static scrim_status take_bound(const reading *r, const char *name, uint64_t *bound)
{
    if (*bound > 0)
        return sc_refuse(r->refusal, r->token->span, SCRIM_E_PARAM,
                         "%s is given twice; give it once", name);
    if (r->token->kind != SC_TOKEN_NUMBER || !sc_text_uint64(r->token->value, bound) ||
        *bound < 1 || *bound > SC_SCHEMA_CONTRIBUTION)
        return sc_refuse(r->refusal, r->token->span, SCRIM_E_PARAM,
                         "%s must be a whole number from 1 to %d", name,
                         SC_SCHEMA_CONTRIBUTION);
    return SCRIM_OK;
}

static scrim_status take_number(const reading *r, const char *name, sc_text *out)
{
    if (out->bytes > 0)
        return sc_refuse(r->refusal, r->token->span, SCRIM_E_PARAM,
                         "%s is given twice; give it once", name);
    if (r->token->kind != SC_TOKEN_NUMBER)
        return sc_refuse(r->refusal, r->token->span, SCRIM_E_PARAM,
                         "%s must be a number, as in %s", name,
                         strcmp(name, "delta") == 0 ? "1e-9" : "0.5");
    *out = r->token->value;
    return SCRIM_OK;
}

static scrim_status take_option(reading *r)
{
    const sc_token *name = r->token;
    char quote[SC_TEXT_QUOTE_BYTES];
    if (name->kind != SC_TOKEN_NAME)
        return expect(r, SC_TOKEN_NAME);
    r->token++;
    SC_TRY(expect(r, SC_TOKEN_EQUAL));
    scrim_status status;
    if (is_word(name, "epsilon"))
        status = take_number(r, "epsilon", &r->out->epsilon);
    else if (is_word(name, "delta"))
        status = take_number(r, "delta", &r->out->delta);
    else if (is_word(name, "max_rows_contributed"))
        status = take_bound(r, "max_rows_contributed", &r->out->bounds.total);
    else if (is_word(name, "max_groups_contributed"))
        status = take_bound(r, "max_groups_contributed", &r->out->bounds.groups);
    else
        status = sc_refuse(r->refusal, name->span, SCRIM_E_PARAM,
                           "unknown option %s; use epsilon, delta, max_rows_contributed "
                           "or max_groups_contributed",
                           sc_text_quote(name->value, quote));
    r->token++;
    return status;
}

static scrim_status take_options(reading *r)
{
    if (!is_word(r->token, "options"))
        return SCRIM_OK;
    r->token++;
    SC_TRY(expect(r, SC_TOKEN_OPEN));
    while (r->token->kind != SC_TOKEN_CLOSE) {
        SC_TRY(take_option(r));
        if (r->token->kind != SC_TOKEN_CLOSE)
            SC_TRY(expect(r, SC_TOKEN_COMMA));
    }
    r->token++;
    return SCRIM_OK;
}

/* OPTIONS of this form stand in one place. */
static scrim_status refuse_elsewhere(const reading *r)
{
    for (const sc_token *at = r->token; at->kind != SC_TOKEN_END; at++)
        if (is_word(at, "differential_privacy") ||
            (is_word(at, "options") && at[1].kind == SC_TOKEN_OPEN))
            return sc_refuse(
                r->refusal, at->span, SCRIM_E_SYNTAX,
                "cost and bounds stand once, behind the first SELECT: SELECT WITH "
                "DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.5, delta = 1e-9) "
                "...");
    return SCRIM_OK;
}

/* The first SELECT that no parentheses hold: names that WITH gives stand before it. 0 where the text has no SELECT. */
static size_t main_select(const sc_tokens *tokens)
{
    size_t depth = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        const sc_token_kind kind = tokens->list[i].kind;
        if (kind == SC_TOKEN_SELECT && depth == 0)
            return i;
        depth += kind == SC_TOKEN_OPEN;
        depth -= kind == SC_TOKEN_CLOSE && depth > 0;
    }
    return 0;
}

scrim_status sc_asked_clause_take(char *text, size_t bytes, sc_arena *arena,
                                  sc_asked_clause *out, sc_refusal *refusal)
{
    sc_tokens tokens;
    *out = (sc_asked_clause){.is_there = false};
    const char *copy = sc_arena_copy(arena, text, bytes);
    if (copy == NULL)
        return sc_refuse_memory(refusal);
    /* The parser says what is wrong with a text that has no tokens. */
    if (sc_lex((sc_text){copy, bytes}, arena, &tokens, &(sc_refusal){.error = NULL}) !=
        SCRIM_OK)
        return SCRIM_OK;
    const sc_token *select = &tokens.list[main_select(&tokens)];
    const size_t rest = tokens.count - (size_t)(select - tokens.list);
    if (rest < 4 || select->kind != SC_TOKEN_SELECT)
        return SCRIM_OK;
    reading r = {.token = &select[3], .refusal = refusal, .out = out};
    if (select[1].kind != SC_TOKEN_WITH || !is_word(&select[2], "differential_privacy")) {
        r.token = tokens.list;
        return refuse_elsewhere(&r);
    }
    SC_TRY(take_options(&r));
    SC_TRY(refuse_elsewhere(&r));
    out->is_there = true;
    for (size_t i = select[1].span.offset; i < r.token->span.offset; i++)
        text[i] = text[i] == '\n' ? '\n' : ' ';
    return SCRIM_OK;
}

/* Cost and bounds that stand in the texts of queries. */

static scrim_status say_number(sc_text said, const char *name, sc_arena *arena,
                               const char **option, scrim_error *error)
{
    if (said.bytes == 0)
        return SCRIM_OK;
    if (*option != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, name,
                           "%s stands in the text of the query and beside it; give it "
                           "once",
                           name);
    *option = sc_arena_copy(arena, said.start, said.bytes);
    return *option == NULL ? sc_no_memory(error, "a plan") : SCRIM_OK;
}

static scrim_status say_bound(uint64_t said, const char *name, sc_arena *arena,
                              const char **option, scrim_error *error)
{
    char text[24];
    const int length = snprintf(text, sizeof text, "%" PRIu64, said);
    return say_number((sc_text){text, said == 0 ? 0 : (size_t)length}, name, arena,
                      option, error);
}

static scrim_status say_clause(sc_arena *arena, const sc_asked_clause *clause,
                               scrim_query_options *given, scrim_error *error)
{
    SC_TRY(say_number(clause->epsilon, "epsilon", arena, &given->epsilon, error));
    SC_TRY(say_number(clause->delta, "delta", arena, &given->delta, error));
    SC_TRY(say_bound(clause->bounds.total, "max-total-rows", arena,
                     &given->max_total_rows, error));
    return say_bound(clause->bounds.groups, "max-groups", arena, &given->max_groups,
                     error);
}

/* Statements of a batch have one cost. */
static scrim_status check_cost(const sc_asked_clause *clause, scrim_error *error)
{
    return clause->epsilon.bytes == 0 && clause->delta.bytes == 0
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "epsilon",
                             "the queries of a batch share epsilon and delta; give both "
                             "beside them");
}

void sc_caret_show(size_t query, sc_text text, const sc_refusal *refusal,
                   scrim_caret *caret)
{
    if (caret == NULL)
        return;
    caret->query = query;
    if (refusal->place.bytes > 0 || refusal->place.offset > 0)
        (void)sc_refusal_caret(text, refusal->place, caret->text, sizeof caret->text);
}

/* The text of one query, without its clause. */
static scrim_status take_clause(const char *query, size_t number, sc_arena *arena,
                                const char **text, sc_asked_clause *out,
                                scrim_caret *caret, scrim_error *error)
{
    sc_refusal refusal = {.place = {0, 0}, .error = error};
    if (query == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "query",
                           "there is no query");
    const size_t bytes = strlen(query);
    char *copy = sc_arena_copy(arena, query, bytes);
    if (copy == NULL)
        return sc_no_memory(error, "a plan");
    const scrim_status status = sc_asked_clause_take(copy, bytes, arena, out, &refusal);
    if (status != SCRIM_OK)
        sc_caret_show(number, (sc_text){copy, bytes}, &refusal, caret);
    *text = copy;
    return status;
}

scrim_status sc_asked_clauses_take(const char *const *queries, size_t count,
                                   sc_arena *arena, scrim_query_options *given,
                                   sc_asked_queries *out, scrim_caret *caret,
                                   scrim_error *error)
{
    sc_asked_clause first = {.is_there = false}, clause;
    bool is_same = true;
    out->texts = sc_arena_allocate(arena, count, sizeof(const char *));
    out->own = sc_arena_allocate(arena, count, sizeof *out->own);
    if (out->texts == NULL || out->own == NULL)
        return sc_no_memory(error, "a plan");
    for (size_t i = 0; i < count; i++) {
        SC_TRY(take_clause(queries[i], i, arena, &out->texts[i], &clause, caret, error));
        if (count > 1)
            SC_TRY(check_cost(&clause, error));
        if (i == 0)
            first = clause;
        out->own[i] = clause.bounds;
        is_same = is_same && sc_bounds_equal(&first.bounds, &clause.bounds);
    }
    if (!is_same)
        return SCRIM_OK;
    memset(out->own, 0, count * sizeof *out->own);
    return say_clause(arena, &first, given, error);
}

/* Bounds of one query of a batch. */

static bool is_said(const sc_bounds *bounds)
{
    return bounds->groups > 0 || bounds->rows > 0 || bounds->total > 0;
}

scrim_status sc_asked_schema(const sc_bounds *own, const sc_schema *schema,
                             sc_arena *arena, const sc_schema **out, scrim_error *error)
{
    *out = schema;
    if (!is_said(own))
        return SCRIM_OK;
    SC_TRY(check_allowed(schema, error));
    sc_schema *bounded = sc_arena_allocate(arena, 1, sizeof *bounded);
    if (bounded == NULL)
        return sc_no_memory(error, "a plan");
    *bounded = *schema;
    bounded->bounds = sc_bounds_over(own, &schema->bounds);
    bounded->has_one_row = false;
    if (sc_bounds_are_whole(own))
        bounded->bounds_from = SC_BOUNDS_UNSAID;
    *out = bounded;
    return SCRIM_OK;
}

static void put_bound(sc_text_sink *sink, const char *name, uint64_t bound,
                      bool *is_first)
{
    char text[64];
    if (bound == 0)
        return;
    snprintf(text, sizeof text, "%s%s = %" PRIu64, *is_first ? "" : ", ", name, bound);
    sc_text_put(sink, sc_text_of(text));
    *is_first = false;
}

const char *sc_asked_text(sc_text canonical, const sc_bounds *own, sc_arena *arena)
{
    const size_t bytes = canonical.bytes + 200;
    char *text = sc_arena_allocate(arena, bytes, 1);
    bool is_first = true;
    sc_text_sink sink;
    sc_tokens tokens;
    if (text == NULL ||
        sc_lex(canonical, arena, &tokens, &(sc_refusal){.error = NULL}) != SCRIM_OK)
        return NULL;
    const size_t verb = tokens.list[main_select(&tokens)].span.offset + strlen("SELECT");
    sc_text_sink_init(&sink, text, bytes);
    sc_text_put(&sink, (sc_text){canonical.start, verb});
    sc_text_put(&sink, sc_text_of(" WITH DIFFERENTIAL_PRIVACY OPTIONS ("));
    put_bound(&sink, "max_rows_contributed", own->total, &is_first);
    put_bound(&sink, "max_groups_contributed", own->groups, &is_first);
    sc_text_put(&sink, sc_text_of(")"));
    sc_text_put(&sink, (sc_text){canonical.start + verb, canonical.bytes - verb});
    return text;
}

scrim_status sc_asked_query(sc_text text, sc_text dataset, const sc_schema *schema,
                            sc_arena *arena, const sc_query **out,
                            const sc_schema **bounded, sc_refusal *refusal)
{
    sc_asked_clause clause;
    char *copy = sc_arena_copy(arena, text.start, text.bytes);
    if (copy == NULL)
        return sc_refuse_memory(refusal);
    SC_TRY(sc_asked_clause_take(copy, text.bytes, arena, &clause, refusal));
    SC_TRY(sc_asked_schema(&clause.bounds, schema, arena, bounded, refusal->error));
    return sc_validate((sc_text){copy, text.bytes}, dataset, *bounded, arena, out,
                       refusal);
}
