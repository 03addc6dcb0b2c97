#include "query/language/rung.h"
#include "query/language/typed.h"
#include "query/language/typing.h"

/* CASE WHEN x IS NULL THEN NULL WHEN x <= last THEN rung ... ELSE the highest END. */
typedef struct rungs {
    const sc_typed *x;
    const sc_typed **parts;
    size_t count;
} rungs;

static scrim_status add_null(sc_typing *typing, rungs *all)
{
    scrim_status status = sc_typing_operation(typing,
                                              (sc_typed){.operation = SC_OP_IS_NULL,
                                                         .type = SC_TYPE_BOOL,
                                                         .extent = {0, 1, {1, 1}}},
                                              all->x, NULL, &all->parts[all->count++]);
    if (status == SCRIM_OK)
        status = sc_typing_null(typing, SC_TYPE_RUNG, &all->parts[all->count++]);
    return status;
}

static scrim_status add_rung(sc_typing *typing, rungs *all, int64_t rung)
{
    const int64_t last = sc_rung_last(rung);
    const sc_typed *end;
    scrim_status status = sc_typing_make(
        typing,
        (sc_typed){.type = SC_TYPE_NUMBER, .extent = {last, last, all->x->extent.step}},
        &end);
    if (status == SCRIM_OK)
        status = sc_typing_operation(typing,
                                     (sc_typed){.operation = SC_OP_LESS_EQUAL,
                                                .type = SC_TYPE_BOOL,
                                                .extent = {0, 1, {1, 1}}},
                                     all->x, end, &all->parts[all->count++]);
    if (status == SCRIM_OK)
        status =
            sc_typing_constant(typing, SC_TYPE_RUNG, rung, &all->parts[all->count++]);
    return status;
}

scrim_status sc_typing_rung(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    rungs all = {.count = 0};
    scrim_status status = sc_typed_number(typing, node->list[0], "LADDER", &all.x);
    if (status == SCRIM_OK)
        status = sc_typing_check_varies(typing, node->list[0], all.x);
    if (status != SCRIM_OK)
        return status;
    const int64_t low = sc_rung_of(all.x->extent.low),
                  high = sc_rung_of(all.x->extent.high);
    status = sc_typing_parts(typing, 2 * (size_t)(high - low) + 3, &all.parts);
    if (status == SCRIM_OK && all.x->is_nullable)
        status = add_null(typing, &all);
    for (int64_t rung = low; status == SCRIM_OK && rung < high; rung++)
        status = add_rung(typing, &all, rung);
    if (status == SCRIM_OK)
        status = sc_typing_constant(typing, SC_TYPE_RUNG, high, &all.parts[all.count++]);
    if (status != SCRIM_OK)
        return status;
    return sc_typing_make(typing,
                          (sc_typed){.operation = SC_OP_CASE,
                                     .type = SC_TYPE_RUNG,
                                     .extent = {low, high, {1, 1}},
                                     .rung = all.x->extent.step,
                                     .parts = all.parts,
                                     .count = all.count},
                          out);
}
