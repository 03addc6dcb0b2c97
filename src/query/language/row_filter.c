#include "query/language/row_filter.h"

#include "query/language/condition_facts.h"
#include "query/language/typed.h"

/* where, which may be NULL for every row, and that rows meet the tables that are not LEFT. */
static scrim_status add_matched(sc_typing *typing, const sc_typed **where)
{
    const sc_typed **parts;
    size_t count = 0;
    SC_TRY(sc_typing_parts(typing, typing->joined_count + 1, &parts));
    for (size_t i = 0; i < typing->joined_count; i++)
        if (!typing->joined[i].is_left)
            parts[count++] = typing->joined[i].matched;
    if (count == 0)
        return SCRIM_OK;
    if (*where != NULL && !(sc_typed_is_constant(*where) && (*where)->extent.low == 1))
        parts[count++] = *where;
    *where = parts[0];
    return count == 1 ? SCRIM_OK
                      : sc_typing_make(typing,
                                       (sc_typed){.operation = SC_OP_AND,
                                                  .type = SC_TYPE_BOOL,
                                                  .extent = {0, 1, {1, 1}},
                                                  .parts = parts,
                                                  .count = count},
                                       where);
}

/* A row that counts has met each table by a value, which is present. */
static scrim_status set_present(sc_typing *typing, const bool *known, sc_query *out)
{
    const size_t count = sc_cell_count(typing->schema);
    bool *is_present = sc_arena_allocate(typing->arena, count, sizeof *is_present);
    if (is_present == NULL)
        return sc_refuse_memory(typing->refusal);
    for (size_t i = 0; i < count; i++)
        is_present[i] = known[i];
    for (size_t i = 0; i < typing->joined_count; i++)
        if (!typing->joined[i].is_left)
            is_present[typing->joined[i].on->column] = true;
    out->is_present = is_present;
    return SCRIM_OK;
}

scrim_status sc_row_filter_read(sc_typing *typing, const sc_tree *tree, sc_query *out)
{
    const sc_typed *where = NULL;
    sc_condition_facts facts;
    out->joined = typing->joined;
    out->joined_count = typing->joined_count;
    if (tree->where != NULL)
        SC_TRY(sc_typed_condition(typing, tree->where, "WHERE", &where));
    SC_TRY(add_matched(typing, &where));
    if (where == NULL)
        return SCRIM_OK;
    if (!sc_condition_facts_of(where, typing->schema, typing->arena, &facts))
        return sc_refuse_memory(typing->refusal);
    if (!facts.can_be_true)
        return sc_refuse(typing->refusal,
                         tree->where != NULL ? tree->where->span : tree->joins[0].span,
                         SCRIM_E_PARAM,
                         "no row can match, by the declared ranges and defaults; the "
                         "answer would be noise only");
    if (facts.is_always_true)
        return SCRIM_OK;
    out->where = where;
    return set_present(typing, facts.is_present, out);
}
