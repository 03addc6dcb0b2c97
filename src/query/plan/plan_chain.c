#include "query/plan/plan_chain.h"

#include "query/language/lookup.h"
#include "query/language/person.h"
#include "query/language/unnest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Is there such an operation in it? */
static bool has(const sc_typed *typed, bool (*is_such)(const sc_typed *))
{
    if (typed == NULL)
        return false;
    if (is_such(typed))
        return true;
    for (size_t i = 0; i < typed->count; i++)
        if (has(typed->parts[i], is_such))
            return true;
    return false;
}

static bool is_bucket(const sc_typed *typed)
{
    return typed->operation == SC_OP_QUOTIENT;
}

static bool is_recoded(const sc_typed *typed)
{
    return typed->operation == SC_OP_CASE;
}

static bool is_mapped(const sc_typed *typed)
{
    return typed->operation != SC_OP_COLUMN && typed->operation != SC_OP_CONSTANT &&
           !is_bucket(typed) && !is_recoded(typed);
}

/* Does a key or an aggregated value contain such an expression? */
static bool computes(const sc_query *query, bool (*is_such)(const sc_typed *))
{
    for (size_t i = 0; i < query->key_count; i++)
        if (has(query->keys[i].value, is_such))
            return true;
    for (size_t i = 0; i < query->aggregate_count; i++)
        if (has(query->aggregates[i].value, is_such) || query->aggregates[i].width > 0)
            return true;
    return false;
}

/* The steps in the order in which they are taken; returns how many. */
static size_t steps_of(const sc_query *query,
                       sc_lipschitz_step steps[SC_PLAN_CHAIN_STEPS])
{
    const uint64_t elements = query->unnest == NULL ? 0 : query->unnest->limit;
    const sc_joined *joins;
    const struct {
        const char *name;
        bool is_taken;
    } all[] = {{"clamp", query->read_count > 0},
               {"join", sc_query_joins(query, &joins) > 0},
               {"expand", elements > 0},
               {"filter", query->where != NULL || (query->person != NULL &&
                                                   query->person->rows->where != NULL)},
               {"map", computes(query, is_mapped)},
               {"bucket", computes(query, is_bucket)},
               {"recode", computes(query, is_recoded)},
               {"truncate", query->schema->unit.bytes > 0},
               {"group", query->key_count > 0}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].is_taken)
            steps[count++] =
                (sc_lipschitz_step){sc_text_of(all[i].name),
                                    strcmp(all[i].name, "expand") == 0 ? elements : 1};
    return count;
}

scrim_status sc_plan_chain_constant(const sc_query *query, uint64_t *out,
                                    scrim_error *error)
{
    sc_lipschitz_step steps[SC_PLAN_CHAIN_STEPS];
    const size_t count = steps_of(query, steps);
    return sc_lipschitz_chain(steps, count, out, error);
}

void sc_plan_chain_put(const sc_query *query, char out[SC_PLAN_CHAIN_BYTES])
{
    sc_lipschitz_step steps[SC_PLAN_CHAIN_STEPS];
    const size_t count = steps_of(query, steps);
    uint64_t all = 1;
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        uint64_t one = 1;
        if (sc_lipschitz_chain(&steps[i], 1, &one, NULL) != SCRIM_OK)
            continue;
        used +=
            (size_t)snprintf(out + used, SC_PLAN_CHAIN_BYTES - used, "%.*s %" PRIu64 ", ",
                             (int)steps[i].name.bytes, steps[i].name.start, one);
        all *= one;
    }
    snprintf(out + used, SC_PLAN_CHAIN_BYTES - used, "together %" PRIu64, all);
}
