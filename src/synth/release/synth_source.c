#include "synth/release/synth_source.h"

#include "query/rows/memory_room.h"

#include <string.h>

void sc_synth_source_start(sc_synth_source *source, const scrim_synth *synth)
{
    *source = (sc_synth_source){.synth = synth, .quantum = sc_quantum_start(0)};
    sc_policy_init(&source->policy);
}

scrim_status sc_synth_source_open(sc_synth_source *source, scrim_vault *vault,
                                  scrim_error *error)
{
    const scrim_synth *s = source->synth;
    source->vault = vault;
    scrim_status status =
        sc_policy_parse(sc_text_of(s->dataset.policy), &source->policy, error);
    source->quantum.length_ns = sc_policy_quantum_ns(&source->policy);
    if (status == SCRIM_OK)
        status = scrim_vault_ledger(vault, s->dataset.name, &source->ledger, error);
    return status == SCRIM_OK
               ? sc_planned_dataset_check(vault, &s->dataset, "the records",
                                          &source->contents_key, error)
               : status;
}

/* The source and all memory, by the key that there is. */
static scrim_status open_reader(sc_synth_source *source, const sc_pass_options *options,
                                scrim_error *error)
{
    sc_pass_options whole = *options;
    sc_bits *bits = NULL;
    whole.contents = source->policy.has_contents ? &source->policy.contents : NULL;
    whole.contents_key = &source->contents_key;
    whole.is_changed = &source->is_changed;
    whole.frame = sc_frame_with_rows(&source->synth->frame);
    sc_record_reader_close(&source->reader);
    scrim_status status =
        sc_release_keyed_open(source->ledger, &source->key, SC_BITS_HASHES, &bits, error);
    if (status == SCRIM_OK)
        status =
            sc_record_reader_open(&source->reader, source->synth, &whole, bits, error);
    sc_release_keyed_close(source->ledger, bits);
    return status;
}

/* Where what a question takes is hidden, it has taken the most that it can before the charge. */
static scrim_status touch_room(sc_synth_source *source, scrim_error *error)
{
    source->room_bytes = sc_pass_room_bytes(source->reader.pass);
    if (!source->policy.has_quantum || sc_memory_room_touch(source->room_bytes))
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a synthetic release");
}

scrim_status sc_synth_source_ready(sc_synth_source *source,
                                   const sc_pass_options *options, scrim_error *error)
{
    scrim_status status = sc_bits_key_draw(&source->key, error);
    if (status == SCRIM_OK)
        status = open_reader(source, options, error);
    return status == SCRIM_OK ? touch_room(source, error) : status;
}

scrim_status sc_synth_source_read(sc_synth_source *source, const sc_passage *passage,
                                  const sc_pass_options *options, scrim_error *error)
{
    const bool is_joined = sc_passage_standing(passage) == SC_ONCE_JOINED;
    const scrim_status status =
        is_joined ? open_reader(source, options, error) : SCRIM_OK;
    return status == SCRIM_OK ? sc_record_reader_run(&source->reader, error) : status;
}

scrim_status sc_synth_source_end(sc_synth_source *source, scrim_status status,
                                 scrim_error *error)
{
    sc_record_reader_close(&source->reader);
    if (source->policy.has_quantum)
        sc_memory_room_level(source->room_bytes);
    sc_quantum_wait(&source->quantum);
    return source->is_changed ? sc_planned_dataset_close(
                                    source->vault, &source->synth->dataset, status, error)
                              : status;
}

void sc_synth_source_close(sc_synth_source *source)
{
    sc_record_reader_close(&source->reader);
    sc_wipe(&source->key, sizeof source->key);
    scrim_ledger_free(source->ledger);
    sc_policy_clear(&source->policy);
    sc_wipe(&source->contents_key, sizeof source->contents_key);
}
