#include "synth/rounds/synth_order.h"

#include "account/unanswered.h"
#include "base/memory.h"

scrim_status sc_synth_order_check(const sc_synth_order *o, scrim_error *error)
{
    const sc_ratio *total = o->rho != NULL ? o->rho : o->epsilon;
    switch (o->method) {
    case SC_SYNTH_MST:
        if (o->rho != NULL)
            return sc_mst_check(o->mst, &o->columns, &o->unit, total, error);
        break;
    case SC_SYNTH_AIM:
        if (o->rho != NULL)
            return sc_aim_check(o->aim, &o->columns, &o->unit, total, error);
        break;
    case SC_SYNTH_MWEM:
        return sc_mwem_check(o->mwem, &o->columns, &o->unit, total, o->rho == NULL,
                             error);
    }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                       "this method needs a delta");
}

static scrim_status run(sc_rounds *rounds, const sc_synth_order *o, scrim_error *error)
{
    sc_weight_model *model = NULL;
    if (o->method == SC_SYNTH_MST)
        return sc_mst_run(rounds, o->mst, error);
    if (o->method == SC_SYNTH_AIM)
        return sc_aim_run(rounds, o->aim, error);
    const scrim_status status = sc_mwem_run(rounds, o->mwem, &model, error);
    sc_weight_model_free(model); /* it is made again from the record */
    return status;
}

/* After the charge. */
static scrim_status draw_and_record(sc_rounds *rounds, const sc_synth_order *o,
                                    const sc_bits_key *key, char **text,
                                    scrim_error *error)
{
    char *written = NULL;
    scrim_status status = o->load(o->context, key, rounds->records, error);
    if (status == SCRIM_OK)
        status = run(rounds, o, error);
    if (status == SCRIM_OK)
        status = sc_synth_released_write(rounds->released, &written, error);
    if (status == SCRIM_OK)
        status = sc_passage_record(rounds->passage, written, error);
    if (status == SCRIM_OK)
        *text = written;
    else
        sc_free(written);
    return status;
}

static scrim_status release(sc_rounds *rounds, scrim_ledger *ledger, const char *question,
                            const sc_synth_order *o, sc_bits_key *key, bool is_once,
                            sc_once_standing *standing, uint64_t *entry, char **text,
                            scrim_error *error)
{
    char *written = NULL;
    scrim_status status = sc_passage_open_within(ledger, question, rounds->allowance, key,
                                                 is_once, &rounds->passage, error);
    if (status != SCRIM_OK)
        return status;
    *entry = sc_passage_entry(rounds->passage);
    if (sc_passage_standing(rounds->passage) != SC_ONCE_ANSWERED)
        status = draw_and_record(rounds, o, key, &written, error);
    *standing = sc_passage_standing(rounds->passage);
    if (status == SCRIM_OK && *standing == SC_ONCE_ANSWERED) {
        sc_free(written); /* somebody else was first */
        written = NULL;
    }
    if (status == SCRIM_OK)
        *text = written;
    return sc_unanswered_fail(error, status, *entry, is_once);
}

scrim_status sc_synth_order_release(scrim_ledger *ledger, const char *question,
                                    const sc_synth_order *o, sc_bits_key *key,
                                    bool is_once, sc_once_standing *standing,
                                    uint64_t *entry, char **text, scrim_error *error)
{
    sc_synth_released released;
    sc_rounds rounds = {.unit = o->unit,
                        .released = &released,
                        .progress = o->progress,
                        .context = o->context};
    sc_synth_released_init(&released);
    scrim_status status = sc_synth_order_check(o, error);
    if (status == SCRIM_OK)
        status = sc_allowance_new(o->unit.neighbours, o->rho, o->epsilon, o->delta,
                                  &rounds.allowance, error);
    if (status == SCRIM_OK)
        status = sc_records_new(&o->columns, o->capacity, &rounds.records, error);
    if (status == SCRIM_OK)
        status = release(&rounds, ledger, question, o, key, is_once, standing, entry,
                         text, error);
    sc_passage_close(rounds.passage);
    sc_records_free(rounds.records);
    sc_allowance_free(rounds.allowance);
    sc_synth_released_clear(&released);
    return status;
}
