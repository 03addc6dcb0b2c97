#include "data/source/csv.h"
#include "data/source/source.h"
#include "data/source/sqlite_source.h"

static const sc_source *const sources[] = {
    &sc_csv_source,
    &sc_sqlite_source,
};

scrim_status sc_source_of(const sc_schema *schema, const sc_source **out,
                          scrim_error *error)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (sources[i]->kind == schema->source) {
            *out = sources[i];
            return SCRIM_OK;
        }
    if (schema->source != NULL && schema->source->is_pushed)
        return sc_fail_for(
            error, SCRIM_E_INPUT, SCRIM_REASON_UNSUPPORTED, schema->source->key,
            "the rows of a %s dataset are not read; a program must push them",
            schema->source->key);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "source",
                       "the policy names no source");
}

scrim_status sc_source_want_pushed(const sc_schema *schema, scrim_error *error)
{
    const sc_source_kind *source = schema->source;
    if (source != NULL && !source->is_pushed)
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_CONFLICT, source->key,
                           "the rows of this dataset are those of its file; ask without "
                           "pushing any");
    if (source == NULL)
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_MISSING, "live",
                           "the policy does not say that rows are pushed");
    return SCRIM_OK;
}
