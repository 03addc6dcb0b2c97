#include "query/plan/auto_bounds.h"

#include "base/arena_text.h"
#include "query/estimate/bar_answer.h"
#include "query/estimate/bound_proposal.h"
#include "query/language/key_text.h"
#include "query/plan/kept_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The query of the ladder. */

typedef struct scan {
    const char *at, *end;
    unsigned depth;
} scan;

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

/* The next word outside of quotes and parentheses; empty at the end. */
static sc_text next_word(scan *s)
{
    while (s->at < s->end) {
        const char *start = s->at;
        if (*start == '\'' || *start == '"') {
            s->at++;
            while (s->at < s->end && *s->at != *start)
                s->at++;
            s->at++;
        } else if (is_letter(*start)) {
            while (s->at < s->end && is_letter(*s->at))
                s->at++;
            if (s->depth == 0)
                return (sc_text){start, (size_t)(s->at - start)};
        } else {
            s->depth += *start == '(';
            s->depth -= *start == ')' && s->depth > 0;
            s->at++;
        }
    }
    return (sc_text){s->end, 0};
}

/* The condition behind WHERE; empty without one. Reserved words are in capitals in the canonical text. */
static sc_text condition_of(sc_text query)
{
    static const char *const behind[] = {"GROUP", "HAVING", "ORDER", "LIMIT", "WITH"};
    scan s = {query.start, query.start + query.bytes, 0};
    sc_text word;
    do
        word = next_word(&s);
    while (word.bytes > 0 && !sc_text_is(word, "WHERE"));
    if (word.bytes == 0)
        return word;
    const char *start = s.at;
    for (;;) {
        word = next_word(&s);
        bool is_end = word.bytes == 0;
        for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
            is_end = is_end || sc_text_is(word, behind[i]);
        if (is_end)
            return (sc_text){start, (size_t)(word.start - start)};
    }
}

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

/* Between quotes that are doubled inside. */
static void put_quoted(sc_text_sink *sink, sc_text text, char quote)
{
    const sc_text mark = {&quote, 1};
    sc_text_put(sink, mark);
    for (size_t i = 0; i < text.bytes; i++) {
        sc_text_put(sink, (sc_text){text.start + i, 1});
        if (text.start[i] == quote)
            sc_text_put(sink, mark);
    }
    sc_text_put(sink, mark);
}

void sc_auto_put_name(sc_text_sink *sink, sc_text name)
{
    put_quoted(sink, name, '"');
}

/* A row whose key is not listed is in no group, and takes no place. */
static void put_listed(sc_text_sink *sink, const sc_column *column)
{
    put(sink, "(");
    put_quoted(sink, column->name, '"');
    put(sink, " IS NULL OR ");
    put_quoted(sink, column->name, '"');
    put(sink, " IN (");
    for (size_t i = 0; i < column->key_count; i++) {
        put(sink, i == 0 ? "" : ", ");
        put_quoted(sink, column->keys[i].text, '\'');
    }
    put(sink, "))");
}

void sc_auto_put_where(sc_text_sink *sink, const sc_query *query)
{
    const sc_text condition = condition_of(query->canonical);
    const char *before = " WHERE ";
    if (condition.bytes > 0) {
        put(sink, " WHERE (");
        sc_text_put(sink, condition);
        put(sink, ")");
        before = " AND ";
    }
    for (size_t i = 0; i < query->key_count; i++) {
        const sc_column *column = query->keys[i].column;
        if (column == NULL || column->type != SC_COLUMN_TEXT || !column->has_keys)
            continue;
        put(sink, before);
        put_listed(sink, column);
        before = " AND ";
    }
}

static void put_ladder(sc_text_sink *sink, const sc_query *query)
{
    put(sink, "SELECT LADDER(n) AS rows, COUNT(*) AS people FROM (SELECT CLAMP(COUNT(*), "
              "1, 1000000) AS n");
    sc_auto_put_where(sink, query);
    put(sink, " GROUP BY ");
    put_quoted(sink, query->schema->unit, '"');
    put(sink, ") GROUP BY rows");
}

static void write_ladder(sc_text_sink *sink, const void *query)
{
    put_ladder(sink, query);
}

const char *sc_auto_ladder_text(const sc_query *query, sc_arena *arena)
{
    return sc_arena_write(arena, write_ladder, query);
}

/* The total. */

void sc_auto_read(const scrim_measurement *noise, const sc_ratio *confidence,
                  const sc_int128 *counts, size_t count, int64_t *rungs,
                  sc_ladder_reading *out)
{
    for (size_t i = 0; i < SC_AUTO_RUNGS; i++)
        rungs[i] = sc_rung_value((int64_t)i + 1);
    sc_reading_init(out, rungs, count < SC_AUTO_RUNGS ? count : SC_AUTO_RUNGS, 1,
                    (sc_value_step){1, 1}, noise, confidence);
    for (size_t i = 0; i < out->count; i++)
        out->counts[i] = (int64_t)counts[i];
}

void sc_auto_epsilon(const scrim_plan *plan, const sc_planned_statement *s, sc_ratio *out)
{
    SC_OWN(sc_ratio, parts);
    sc_ratio_set_int64(out, 0);
    for (size_t i = 0; i < s->part_count; i++)
        sc_ratio_add(out, out, &s->parts[i].share);
    sc_ratio_sub(&parts, &plan->options.epsilon, &plan->ladder->options.epsilon);
    sc_ratio_mul(out, out, &parts);
    sc_ratio_set_int64(&parts, (int64_t)s->part_count);
    sc_ratio_div(out, out, &parts);
}

uint64_t sc_auto_total(const scrim_plan *plan, size_t statement, const sc_int128 *counts,
                       size_t count)
{
    const sc_planned_statement *s = &plan->statements[statement];
    const bool has_keys = s->keys_kind == SC_PLAN_PUBLIC_KEYS;
    int64_t rungs[SC_AUTO_RUNGS];
    sc_ladder_reading reading;
    sc_auto_read(plan->ladder->statements[s->ladder - 1].parts[0].measurement,
                 &plan->options.confidence, counts, count, rungs, &reading);
    SC_OWN(sc_ratio, epsilon);
    sc_auto_epsilon(plan, s, &epsilon);
    sc_proposal proposal = {.people = sc_reading_people(&reading),
                            .keys = sc_plan_groups(s->keys_kind, s->key_count),
                            .epsilon = &epsilon,
                            .is_doubled = plan->neighbours == SCRIM_REPLACE && has_keys,
                            .are_totals = s->clamps};
    return (uint64_t)rungs[sc_proposal_total_rows(&proposal, &reading)];
}

bool sc_auto_tells_cut(const sc_query *query, const sc_statistics *statistics,
                       const sc_bounds *said)
{
    for (size_t i = 0; i < query->key_count; i++)
        if (query->keys[i].column == NULL && query->keys[i].texts != NULL)
            return false;
    for (size_t i = 0; i < statistics->count; i++)
        if (statistics->list[i].kind == SC_STATISTIC_TOTAL)
            return false;
    return query->person == NULL && said->groups == 0 && !statistics->has_values_alone &&
           sc_query_counts_rows(query, statistics);
}

sc_cut_reading sc_auto_cut(const scrim_measurement *noise, const sc_ratio *confidence,
                           const sc_int128 *counts, size_t count, uint64_t total,
                           int64_t *people)
{
    int64_t rungs[SC_AUTO_RUNGS];
    uint64_t from[SC_AUTO_RUNGS] = {0};
    sc_ladder_reading reading;
    size_t rung = 0;
    sc_auto_read(noise, confidence, counts, count, rungs, &reading);
    while (rung + 1 < reading.count && (uint64_t)rungs[rung] < total)
        rung++;
    /* A unit above a rung has more rows than that. */
    for (size_t i = rung + 1; i < reading.count; i++)
        from[i] = (uint64_t)rungs[i - 1] + 1 - total;
    *people = sc_reading_people(&reading);
    return sc_cut_read(&reading, from, rung + 1);
}
