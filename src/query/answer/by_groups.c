#include "query/answer/by_groups.h"

#include "query/rows/row_program.h"

_Static_assert(SC_BOUND_ROWS <= SC_EXPRESSION_ROWS, "rows that are computed at once");

/* A query without aggregates, whose keys alone are computed. */
static const sc_statistics no_statistics;

typedef struct group_finder {
    const sc_row_program *program;
    sc_row_workspace bench;
    sc_arena arena;
    sc_value_key hash_key; /* zeros: nobody looks at the hashes */
} group_finder;

static void end_finder(void *state)
{
    group_finder *finder = state;
    if (finder == NULL)
        return;
    sc_row_workspace_clear(&finder->bench);
    sc_arena_clear(&finder->arena);
    sc_free(finder);
}

static scrim_status begin_finder(const void *context, const size_t *columns,
                                 size_t column_count, void **state, scrim_error *error)
{
    const sc_by_keys *keys = context;
    group_finder *finder = sc_allocate(1, sizeof *finder);
    if (finder == NULL)
        return sc_no_memory(error, "keys");
    *finder = (group_finder){.program = NULL};
    sc_arena_init(&finder->arena);
    scrim_status status =
        sc_row_program_compile(&(sc_row_plan){.query = keys->query,
                                              .statistics = &no_statistics,
                                              .columns = columns,
                                              .column_count = column_count},
                               &finder->arena, &finder->program, error);
    if (status == SCRIM_OK &&
        !sc_row_workspace_init(&finder->bench, finder->program, &finder->arena))
        status = sc_no_memory(error, "keys");
    if (status == SCRIM_OK)
        *state = finder;
    else
        end_finder(finder);
    return status;
}

static scrim_status find_groups(void *state, const sc_batch *batch, size_t from,
                                size_t count, const sc_text **groups,
                                const int64_t **is_in, scrim_error *error)
{
    group_finder *finder = state;
    sc_group_rows rows;
    const scrim_status status =
        sc_row_program_run(finder->program, &finder->bench, batch, from, count,
                           &finder->hash_key, &rows, error);
    if (status == SCRIM_OK) {
        *groups = rows.keys;
        *is_in = rows.where;
    }
    return status;
}

void sc_by_groups_of(const sc_by_keys *keys, sc_bound_groups *out)
{
    *out = (sc_bound_groups){.context = keys,
                             .columns = keys->query->reads,
                             .column_count = keys->query->read_count,
                             .count = sc_by_keys_groups(keys),
                             .begin = begin_finder,
                             .end = end_finder,
                             .find = find_groups};
}
