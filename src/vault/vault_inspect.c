/* The owner's look at raw data, and rows that are none. Nothing here writes. */
#include "base/memory.h"
#include "data/source/arrow_rows.h"
#include "data/table/mock_rows.h"
#include "data/table/survey.h"
#include "model/option_struct.h"
#include "random/bits_system.h"
#include "vault/policy.h"
#include "vault/source_key.h"

#include <string.h>

/* The dataset as it is now. */
typedef struct looking {
    const char *name;
    uint64_t version;
    const sc_schema *schema;
    sc_policy policy;
    sc_source_key key; /* of the seal in it */
} looking;

static scrim_status plan_look(scrim_vault *v, void *context, scrim_error *error)
{
    looking *l = context;
    uint64_t number = 0;
    char *policy = NULL;
    scrim_status status = sc_vault_want_dataset(v, l->name, &number, error);
    if (status != SCRIM_OK)
        return status;
    const sc_dataset_entry *d = sc_book_dataset(&v->book, number);
    l->version = d->version;
    status = sc_vault_policy_now(v, d, &policy, error);
    if (status == SCRIM_OK)
        status = sc_policy_parse(sc_text_of(policy), &l->policy, error);
    if (status == SCRIM_OK)
        status = sc_schema_parse(sc_text_of(policy), NULL, &l->schema, error);
    if (status == SCRIM_OK)
        status = sc_vault_source_key(v, &l->key, error);
    sc_free(policy);
    return status;
}

/* Not under the vault's lock: a large source takes its time. */
static scrim_status survey(const looking *l, const scrim_inspect_options *options,
                           scrim_inspection *out, scrim_error *error)
{
    scrim_frame frame;
    SC_TRY(sc_frame_copy(options->frame, &frame, error));
    const sc_survey_request request = {
        .schema = l->schema,
        .frame = sc_frame_with_rows(&frame),
        .declared = l->policy.has_contents ? &l->policy.contents : NULL,
        .declared_key = &l->key,
        .workers = options->workers,
        .progress = options->progress,
        .is_cancelled = options->is_cancelled,
        .context = options->context};
    SC_TRY(sc_survey(&request, out, error));
    out->version = l->version;
    return SCRIM_OK;
}

/* What the owner alone may look at: its schema and the seal of its source. */
static scrim_status look(scrim_vault *vault, looking *l, scrim_error *error)
{
    if (!vault->is_owner)
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_OWNER, "",
                           "only the vault's owner looks at raw data");
    return sc_vault_read(vault, plan_look, l, error);
}

static void look_away(looking *l)
{
    sc_schema_free(l->schema);
    sc_policy_clear(&l->policy);
    sc_wipe(&l->key, sizeof l->key);
}

scrim_status scrim_vault_inspect(scrim_vault *vault, const char *dataset,
                                 const scrim_inspect_options *options,
                                 scrim_inspection *out, scrim_error *error)
{
    looking l = {.name = dataset};
    scrim_inspect_options given;
    scrim_status status = sc_option_struct_copy(
        options, offsetof(scrim_inspect_options, progress), &given, sizeof given, error);
    if (status != SCRIM_OK)
        return status;
    sc_policy_init(&l.policy);
    status = look(vault, &l, error);
    if (status == SCRIM_OK)
        status = survey(&l, &given, out, error);
    look_away(&l);
    return status;
}

scrim_status sc_vault_owner_schema(scrim_vault *vault, const char *dataset,
                                   uint64_t *version, const sc_schema **out,
                                   scrim_error *error)
{
    looking l = {.name = dataset};
    sc_policy_init(&l.policy);
    const scrim_status status = look(vault, &l, error);
    if (status == SCRIM_OK) {
        *version = l.version;
        *out = l.schema;
        l.schema = NULL;
    }
    look_away(&l);
    return status;
}

/* Of what anybody may see, the policy. */

static scrim_status plan_mock(scrim_vault *v, void *context, scrim_error *error)
{
    looking *l = context;
    uint64_t number = 0;
    char *policy = NULL;
    scrim_status status = sc_vault_want_dataset(v, l->name, &number, error);
    if (status == SCRIM_OK)
        status =
            sc_vault_policy_now(v, sc_book_dataset(&v->book, number), &policy, error);
    if (status == SCRIM_OK)
        status = sc_schema_parse(sc_text_of(policy), NULL, &l->schema, error);
    sc_free(policy);
    return status;
}

scrim_status scrim_vault_mock(scrim_vault *vault, const char *dataset, uint64_t rows,
                              scrim_status (*write)(void *context, const char *bytes,
                                                    size_t count, scrim_error *error),
                              void *context, scrim_error *error)
{
    looking l = {.name = dataset};
    sc_bits *bits = NULL;
    scrim_status status = sc_vault_read(vault, plan_mock, &l, error);
    if (status == SCRIM_OK)
        status = sc_bits_system_open(&bits, error);
    if (status == SCRIM_OK)
        status =
            sc_mock_rows(l.schema, rows, bits, &(sc_mock_sink){write, context}, error);
    sc_bits_system_close(bits);
    sc_schema_free(l.schema);
    return status;
}
