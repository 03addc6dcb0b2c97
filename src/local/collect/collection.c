#include "local/collect/collection.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "local/collect/sum_kind.h"
#include "local/collect/sums_text.h"
#include "mechanism/local/protocol.h"

#include <math.h>

scrim_status scrim_collection_new(const char *config, scrim_collection **out,
                                  scrim_error *error)
{
    scrim_collection *collection = sc_allocate(1, sizeof *collection);
    if (collection == NULL)
        return sc_no_memory(error, "sums");
    const scrim_status status = sc_sums_init(&collection->sums, config, error);
    if (status != SCRIM_OK) {
        sc_free(collection);
        return status;
    }
    sc_report_file_init(&collection->file, &collection->sums);
    *out = collection;
    return SCRIM_OK;
}

void scrim_collection_free(scrim_collection *collection)
{
    if (collection == NULL)
        return;
    sc_report_file_clear(&collection->file);
    sc_sums_clear(&collection->sums);
    sc_free(collection);
}

scrim_status scrim_collection_read(scrim_collection *collection, const void *bytes,
                                   size_t count, scrim_error *error)
{
    return sc_report_file_read(&collection->file, bytes, count, error);
}

scrim_status scrim_collection_end_file(scrim_collection *collection, scrim_error *error)
{
    return sc_report_file_end(&collection->file, error);
}

typedef struct passing {
    scrim_collection_writer *writer;
    void *context;
} passing;

static bool pass(void *context, const char *text, size_t bytes)
{
    const passing *to = context;
    return to->writer(to->context, text, bytes) != 0;
}

scrim_status scrim_collection_write(scrim_collection *collection,
                                    scrim_collection_writer *writer, void *context,
                                    scrim_error *error)
{
    passing to = {writer, context};
    return sc_sums_write(&collection->sums, pass, &to)
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_INPUT, "the writing of sums was ended");
}

static double near(const sc_ratio *x)
{
    return sc_ratio_sign(x) == 0 ? 0 : sc_ball_near(x);
}

void scrim_collection_describe(const scrim_collection *collection,
                               scrim_collection_facts *out)
{
    const sc_sums *sums = &collection->sums;
    const uint64_t loss = scrim_local_loss(&sums->config);
    *out = (scrim_collection_facts){
        .question = sums->config.question,
        .protocol = scrim_local_protocol_name(sums->config.protocol),
        .values = sums->config.values,
        .reports = sums->reports,
        .dropped = sums->dropped,
        .flagged = sums->flagged,
        .epsilon = loss == UINT64_MAX ? (double)INFINITY : (double)loss * 0x1p-32};
    SC_OWN(sc_protocol_facts, facts);
    if (!sc_protocol_find(&sums->config, &facts))
        return;
    out->raise = near(&facts.raise);
    out->drop = near(&facts.drop);
    out->targets = facts.targets;
}
