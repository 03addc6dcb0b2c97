#include "vault/planned_dataset.h"

#include "data/value/source_kind.h"
#include "vault/policy.h"

#include <string.h>

typedef struct reading {
    const char *name;
    sc_arena *arena;
    sc_planned_dataset *out;
} reading;

static scrim_status read_now(scrim_vault *vault, void *context, scrim_error *error)
{
    const reading *r = context;
    sc_planned_dataset *out = r->out;
    char *policy = NULL;
    scrim_status status = sc_vault_want_dataset(vault, r->name, &out->number, error);
    if (status != SCRIM_OK)
        return status;
    const sc_dataset_entry *dataset = sc_book_dataset(&vault->book, out->number);
    out->version = dataset->version;
    status = sc_vault_policy_now(vault, dataset, &policy, error);
    if (status != SCRIM_OK)
        return status;
    out->name = sc_arena_copy(r->arena, dataset->name, strlen(dataset->name));
    out->policy = sc_arena_copy(r->arena, policy, strlen(policy));
    sc_free(policy);
    return out->name == NULL || out->policy == NULL ? sc_no_memory(error, "a policy")
                                                    : SCRIM_OK;
}

scrim_status sc_planned_dataset_read(scrim_vault *vault, const char *name,
                                     sc_arena *arena, sc_planned_dataset *out,
                                     scrim_error *error)
{
    reading r = {name, arena, out};
    *out = (sc_planned_dataset){.number = 0};
    return sc_vault_read(vault, read_now, &r, error);
}

scrim_status sc_planned_dataset_declare(const char *policy, sc_arena *arena,
                                        sc_planned_dataset *out, scrim_error *error)
{
    const sc_schema *schema = NULL;
    char *whole = NULL;
    scrim_status status = scrim_policy_check(policy, error);
    *out = (sc_planned_dataset){.name = ""};
    if (status == SCRIM_OK)
        status = sc_policy_schema(policy, &whole, &schema, error);
    if (status == SCRIM_OK) {
        const char *text = whole == NULL ? policy : whole;
        out->policy = sc_arena_copy(arena, text, strlen(text));
        if (out->policy == NULL)
            status = sc_no_memory(error, "a policy");
    }
    sc_schema_free(schema);
    sc_free(whole);
    return status;
}

typedef struct comparison {
    const sc_planned_dataset *planned;
    const char *what;
    sc_source_key *key;
} comparison;

static scrim_status compare_now(scrim_vault *vault, void *context, scrim_error *error)
{
    const comparison *c = context;
    const sc_planned_dataset *planned = c->planned;
    uint64_t number;
    char *policy = NULL;
    scrim_status status = sc_vault_want_dataset(vault, planned->name, &number, error);
    if (status != SCRIM_OK)
        return status;
    const sc_dataset_entry *dataset = sc_book_dataset(&vault->book, number);
    bool is_same = number == planned->number && dataset->version == planned->version;
    if (is_same) {
        status = sc_vault_policy_now(vault, dataset, &policy, error);
        is_same = status == SCRIM_OK && strcmp(policy, planned->policy) == 0;
    }
    sc_free(policy);
    if (status == SCRIM_OK && !is_same)
        status =
            sc_fail(error, SCRIM_E_POLICY,
                    "the dataset has another version by now; plan %s again", c->what);
    return status == SCRIM_OK ? sc_vault_source_key(vault, c->key, error) : status;
}

scrim_status sc_planned_dataset_check(scrim_vault *vault,
                                      const sc_planned_dataset *planned, const char *what,
                                      sc_source_key *key, scrim_error *error)
{
    comparison c = {planned, what, key};
    if (planned->number == 0)
        return sc_fail(error, SCRIM_E_STATE,
                       "the plan is that of a policy alone; add the dataset and plan %s "
                       "again",
                       what);
    return sc_vault_read(vault, compare_now, &c, error);
}

scrim_status sc_planned_dataset_close(scrim_vault *vault,
                                      const sc_planned_dataset *planned,
                                      scrim_status status, scrim_error *error)
{
    const scrim_status closed =
        sc_vault_close_version(vault, planned->number, planned->version, error);
    return closed == SCRIM_OK ? status : closed;
}

/* Versions. */

scrim_status sc_planned_version_check(const char *version, scrim_error *error)
{
    if (version == NULL || sc_event_is_name(sc_text_of(version)))
        return SCRIM_OK;
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "version",
                             "must be letters, digits, '_', '.' and '-', from 1 to "
                             "64 of them");
}

/* The version of a file is that of the dataset. */
scrim_status sc_planned_dataset_once(const sc_planned_dataset *planned,
                                     const sc_schema *schema, const char *version,
                                     bool *is_once, scrim_error *error)
{
    const sc_source_kind *source = schema->source;
    const bool is_named = version != NULL && version[0] != '\0';
    SC_OWN(sc_policy, policy);
    scrim_status status = sc_schema_rows_alone(schema, error);
    if (status == SCRIM_OK)
        status = sc_policy_parse(sc_text_of(planned->policy), &policy, error);
    if (status == SCRIM_OK && is_named &&
        (source == NULL || !source->is_pushed || policy.has_contents))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "version",
                                 "the dataset has a version of its own; leave it out");
    *is_once = is_named || policy.has_contents || source == NULL;
    return status;
}

scrim_status sc_planned_dataset_frame(const sc_planned_dataset *planned,
                                      const sc_schema *schema, const scrim_frame *given,
                                      scrim_frame *out, bool *is_once, scrim_error *error)
{
    scrim_status status = sc_frame_copy(given, out, error);
    if (status == SCRIM_OK)
        status = sc_planned_version_check(out->version, error);
    return status == SCRIM_OK
               ? sc_planned_dataset_once(planned, schema, out->version, is_once, error)
               : status;
}
