#include "query/plan/brought.h"

#include "query/language/lookup.h"
#include "query/language/person.h"

#include <stdio.h>
#include <string.h>

static scrim_status fail(const char *why, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "with", "%s", why);
}

static bool is_of_table(sc_text key)
{
    return sc_public_table_is_key(key) && !sc_text_is(key, "join");
}

/* Does the table whose first line says `value` have the digest of its lines, which end before the next table? */
static scrim_status check_digest(sc_text value, const char *lines, const char *end,
                                 scrim_error *error)
{
    char digest[SC_PUBLIC_DIGEST_BYTES], quote[SC_TEXT_QUOTE_BYTES];
    sc_text name, said;
    if (!sc_text_split(value, '=', &name, &said))
        return fail("a public table of a question begins with with=NAME=DIGEST", error);
    SC_TRY(sc_public_table_digest(
        name, (sc_text){lines, lines < end ? (size_t)(end - lines) : 0}, digest, error));
    return sc_text_is(said, digest)
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "with",
                             "the public table %s has another digest than its lines",
                             sc_text_quote(name, quote));
}

/* Its owner, or the question itself, has no other table of this name. */
static scrim_status check_name(const sc_schema *schema, const char *with, sc_text value,
                               scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text rest = sc_text_of(with), line, key, other, name, own, digest;
    size_t count = 0;
    (void)sc_text_split(value, '=', &own, &digest);
    while (sc_schema_line(&rest, &line, &key, &other))
        count += sc_text_is(key, "with") && sc_text_split(other, '=', &name, &digest) &&
                 sc_text_equal(name, own);
    return count < 2 && sc_public_table_find(&schema->joins, own) == NULL
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "with",
                             "two public tables are called %s; choose another name",
                             sc_text_quote(own, quote));
}

static scrim_status check_lines(const sc_schema *schema, const char *with,
                                scrim_error *error)
{
    sc_text rest = sc_text_of(with), line, key, value, first = {NULL, 0};
    const char *lines = NULL, *end = with + strlen(with);
    while (sc_schema_line(&rest, &line, &key, &value)) {
        const bool begins = sc_text_is(key, "with");
        if (!is_of_table(key) || (first.start == NULL && !begins))
            return fail("a question brings public tables alone: with=, join-column= and "
                        "join-cells=",
                        error);
        if (!begins)
            continue;
        if (first.start != NULL)
            SC_TRY(check_digest(first, lines, line.start, error));
        SC_TRY(check_name(schema, with, value, error));
        first = value;
        lines = line.start + line.bytes + 1;
    }
    if (line.bytes > 0 || first.start == NULL)
        return fail("a question brings public tables as lines, with= first", error);
    return check_digest(first, lines, end, error);
}

scrim_status sc_brought_use(const char *with, scrim_plan *plan, scrim_error *error)
{
    const sc_schema *schema = NULL;
    if (with == NULL || with[0] == '\0')
        return SCRIM_OK;
    SC_TRY(check_lines(plan->schema, with, error));
    const size_t own = strlen(plan->policy), more = strlen(with);
    char *policy = sc_arena_allocate(&plan->arena, own + more + 2, 1);
    plan->with = sc_arena_copy(&plan->arena, with, more);
    if (policy == NULL || plan->with == NULL)
        return sc_no_memory(error, "a plan");
    memcpy(policy, plan->policy, own);
    policy[own] = '\n';
    memcpy(policy + own + 1, with, more + 1);
    SC_TRY(sc_schema_parse((sc_text){policy, own + 1 + more}, NULL, &schema, error));
    sc_schema_free(plan->schema);
    plan->schema = schema;
    plan->policy = policy;
    return SCRIM_OK;
}

static bool is_joined(const scrim_plan *plan, sc_text name)
{
    const sc_joined *joins;
    for (size_t i = 0; i < plan->statement_count; i++) {
        const size_t count = sc_query_joins(plan->statements[i].query, &joins);
        for (size_t k = 0; k < count; k++)
            if (sc_text_equal(joins[k].table->name, name))
                return true;
    }
    return false;
}

void sc_brought_put(const scrim_plan *plan, sc_text_sink *sink)
{
    const sc_public_tables *tables = &plan->schema->joins;
    bool is_first = true;
    for (size_t i = 0; i < tables->count; i++) {
        const sc_public_table *table = &tables->list[i];
        if (table->digest.bytes == 0 || !is_joined(plan, table->name))
            continue;
        sc_text_put(sink, sc_text_of(is_first ? " with=" : ","));
        sc_text_put(sink, table->digest);
        is_first = false;
    }
}
