/* The owner's table of bounds, of a dataset or of a policy that is not declared yet. Nothing here writes. */
#include "base/number/own.h"
#include "data/source/arrow_frame.h"
#include "data/table/typical_questions.h"
#include "model/option_struct.h"
#include "query/answer/by_groups.h"
#include "vault/policy.h"
#include "vault/vault.h"

#include <stddef.h>
#include <stdio.h>

/* The keys that may be NULL, as they were given. */
static scrim_status list_nullable(const sc_by_keys *keys, scrim_bound_choices *out,
                                  scrim_error *error)
{
    out->nullable = sc_allocate(keys->count + 1, sizeof *out->nullable);
    if (out->nullable == NULL)
        return sc_no_memory(error, "keys");
    for (size_t i = 0; i < keys->count; i++) {
        sc_text_sink sink;
        if (!keys->query->keys[i].is_nullable)
            continue;
        sc_text_sink_init(&sink, out->nullable[out->nullable_count++],
                          SCRIM_COLUMN_BYTES);
        sc_text_put(&sink, keys->keys[i].text);
    }
    return SCRIM_OK;
}

/* Questions by more groups are not typical. */
#define GROUPS_MOST 1000

static bool is_time(const sc_column *column)
{
    return column->type == SC_COLUMN_DATE || column->type == SC_COLUMN_TIMESTAMP;
}

/* The keys of questions by a column; dates by month. False where no question has any: numbers are rather added up. */
static bool name_keys(const sc_column *column, sc_typical_keys *out)
{
    if (!column->has_keys && !is_time(column) && column->type != SC_COLUMN_BOOL)
        return false;
    char name[SC_TEXT_NAME_BYTES];
    const bool is_month = is_time(column) && !column->has_keys;
    const int length =
        snprintf(out->text, sizeof out->text, is_month ? "DATE_TRUNC('month', %s)" : "%s",
                 sc_text_name(column->name, name));
    return length > 0 && (size_t)length < sizeof out->text;
}

static scrim_status add_keys(const sc_schema *schema, const sc_column *column,
                             sc_typical_keys *list, size_t *count, scrim_error *error)
{
    sc_by_keys keys;
    sc_arena arena;
    scrim_error ignored;
    sc_typical_keys *own = &list[*count];
    if (!name_keys(column, own))
        return SCRIM_OK;
    sc_arena_init(&arena);
    const scrim_status status =
        sc_by_keys_read(sc_text_of(own->text), schema, &arena, &keys, &ignored);
    own->groups = status == SCRIM_OK ? sc_by_keys_groups(&keys) : 0;
    sc_arena_clear(&arena);
    if (status == SCRIM_E_MEMORY)
        return sc_no_memory(error, "typical questions");
    *count += own->groups > 1 && own->groups <= GROUPS_MOST;
    return SCRIM_OK;
}

/* All rows, and groups by the columns whose keys a schema offers. */
static scrim_status add_typical(const sc_schema *schema, scrim_bound_choices *table,
                                scrim_error *error)
{
    size_t count = 1;
    sc_typical_keys *keys = sc_allocate(schema->column_count + 2, sizeof *keys);
    if (keys == NULL)
        return sc_no_memory(error, "typical questions");
    keys[0] = (sc_typical_keys){.groups = 1};
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < schema->column_count; i++)
        status = add_keys(schema, &schema->columns[i], keys, &count, error);
    if (status == SCRIM_OK)
        status = sc_typical_questions(schema, keys, count, table, error);
    sc_free(keys);
    return status;
}

static scrim_status choose_by(const sc_schema *schema, const scrim_bound_options *options,
                              const sc_ratio *epsilon, scrim_bound_choices *out,
                              scrim_error *error)
{
    scrim_bound_choices made = {.choices = NULL};
    sc_bound_groups groups = {.count = 0};
    sc_by_keys keys = {.count = 0};
    sc_arena arena;
    scrim_frame frame;
    sc_arena_init(&arena);
    scrim_status status = sc_frame_copy(options->frame, &frame, error);
    if (status == SCRIM_OK)
        status = sc_by_keys_read(sc_text_of(options->by == NULL ? "" : options->by),
                                 schema, &arena, &keys, error);
    if (status == SCRIM_OK && keys.count > 0)
        sc_by_groups_of(&keys, &groups);
    const sc_bound_request request = {.schema = schema,
                                      .groups = keys.count == 0 ? NULL : &groups,
                                      .epsilon = epsilon,
                                      .frame = sc_frame_with_rows(&frame),
                                      .workers = options->workers,
                                      .progress = options->progress,
                                      .context = options->context};
    if (status == SCRIM_OK)
        status = sc_bound_table(&request, &made, error);
    if (status == SCRIM_OK)
        status = list_nullable(&keys, &made, error);
    if (status == SCRIM_OK && keys.count == 0 && epsilon != NULL)
        status = add_typical(schema, &made, error);
    if (status == SCRIM_OK)
        *out = made;
    else
        scrim_bound_choices_clear(&made);
    sc_arena_clear(&arena);
    return status;
}

static scrim_status choose(const sc_schema *schema, const scrim_bound_options *options,
                           scrim_bound_choices *out, scrim_error *error)
{
    SC_OWN(sc_ratio, epsilon);
    scrim_status status = SCRIM_OK;
    if (options->epsilon != NULL)
        status = sc_ratio_parse(sc_text_of(options->epsilon), &epsilon, error);
    if (status == SCRIM_OK && options->epsilon != NULL && sc_ratio_sign(&epsilon) <= 0)
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                                   "must be positive");
    return status == SCRIM_OK
               ? choose_by(schema, options, options->epsilon == NULL ? NULL : &epsilon,
                           out, error)
               : status;
}

static scrim_status take_options(const scrim_bound_options *options,
                                 scrim_bound_options *given, scrim_error *error)
{
    return sc_option_struct_copy(options, offsetof(scrim_bound_options, progress), given,
                                 sizeof *given, error);
}

scrim_status scrim_vault_bound_choices(scrim_vault *vault, const char *dataset,
                                       const scrim_bound_options *options,
                                       scrim_bound_choices *out, scrim_error *error)
{
    SC_REQUIRE(error, "vault dataset out", vault, dataset, out);
    const sc_schema *schema = NULL;
    uint64_t version = 0;
    scrim_bound_options given;
    scrim_status status = take_options(options, &given, error);
    if (status == SCRIM_OK)
        status = sc_vault_owner_schema(vault, dataset, &version, &schema, error);
    if (status == SCRIM_OK)
        status = choose(schema, &given, out, error);
    if (status == SCRIM_OK)
        out->version = version;
    sc_schema_free(schema);
    return status;
}

scrim_status scrim_policy_bound_choices(const char *policy,
                                        const scrim_bound_options *options,
                                        scrim_bound_choices *out, scrim_error *error)
{
    SC_REQUIRE(error, "policy out", policy, out);
    const sc_schema *schema = NULL;
    char *whole = NULL;
    scrim_bound_options given;
    scrim_status status = take_options(options, &given, error);
    if (status == SCRIM_OK)
        status = sc_policy_schema(policy, &whole, &schema, error);
    if (status == SCRIM_OK)
        status = choose(schema, &given, out, error);
    sc_schema_free(schema);
    sc_free(whole);
    return status;
}
