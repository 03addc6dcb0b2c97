/* The data of a plan, for whoever asks about them under a charge: the dataset as it was planned for, its ledger, the key of
 * all randomness, the reader, and how long an answer takes where the policy hides that.
 *
 *     sc_synth_source_start(&source, synth);
 *     sc_synth_source_open(&source, vault, &error);          // the version that was planned for
 *     sc_synth_source_ready(&source, &options, &error);      // all memory; no row is looked at
 *     sc_passage_open_within(source.ledger, question, allowance, &source.key,
 *                            source.policy.has_contents, &passage, &error);
 *     sc_synth_source_read(&source, passage, &options, &error);
 *     sc_record_reader_code(&source.reader, synth, &domain, NULL, &error);
 *     sc_synth_source_end(&source, status, &error);          // before the answer is recorded
 *     sc_synth_source_close(&source);
 */
#ifndef SC_SYNTH_SOURCE_H
#define SC_SYNTH_SOURCE_H

#include "ledger/release.h"
#include "query/answer/quantum.h"
#include "synth/release/record_reader.h"
#include "vault/policy.h"
#include "vault/source_key.h"

typedef struct sc_synth_source {
    const scrim_synth *synth;
    scrim_vault *vault;
    bool is_changed; /* the source is not that of its version */
    sc_policy policy;
    sc_source_key contents_key;
    scrim_ledger *ledger;
    sc_bits_key key; /* of all randomness of the release */
    sc_record_reader reader;
    sc_quantum quantum;
    size_t room_bytes;
} sc_synth_source;

/* Looks at the clock. The source may not move afterwards. */
void sc_synth_source_start(sc_synth_source *source, const scrim_synth *synth);
/* SCRIM_E_POLICY where the dataset has another version by now; else as scrim_vault_ledger. */
SCRIM_MUST_USE scrim_status sc_synth_source_open(sc_synth_source *source,
                                                 scrim_vault *vault, scrim_error *error);
/* Before the charge: draws the key, and takes the source and all memory. Of the options workers, memory and progress
 * are used. As sc_pass_open. */
SCRIM_MUST_USE scrim_status sc_synth_source_ready(sc_synth_source *source,
                                                  const sc_pass_options *options,
                                                  scrim_error *error);
/* After the charge: reads all rows, with the key of the charge where it was joined. As sc_record_reader_run. */
SCRIM_MUST_USE scrim_status sc_synth_source_read(sc_synth_source *source,
                                                 const sc_passage *passage,
                                                 const sc_pass_options *options,
                                                 scrim_error *error);
/* Wipes what was read, waits until the time of an answer is full, and closes the version if its source has changed.
 * The status of the reading, or what the vault fails with. */
SCRIM_MUST_USE scrim_status sc_synth_source_end(sc_synth_source *source,
                                                scrim_status status, scrim_error *error);
void sc_synth_source_close(sc_synth_source *source);

#endif
