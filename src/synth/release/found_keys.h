/* Private keys: values of a text column that are released because enough units have them.
 *
 * The units of each value are counted, each in at most max-groups values, and a mechanism of the catalogue that shows
 * noisy counts where they reach a threshold selects the values (mechanism/threshold). NULL is no value: it is a category
 * anyway. If more are selected than the plan allows, those with the largest noisy counts stay, and of equal ones the first in
 * bytewise order. The names that stay are recorded and nothing else: neither counts nor how many values there were.
 *
 * Claim  found-keys.mechanism  each column is one draw of the plan's measurement on the exact counts of its values,
 *                              before any other draw of the release
 * Claim  found-keys.most       at most as many categories as planned, those of the largest noisy counts, in bytewise order
 *
 * Reference  spec/thresholding.md 3, 6; spec/synthetic.md 2
 */
#ifndef SC_SYNTH_FOUND_KEYS_H
#define SC_SYNTH_FOUND_KEYS_H

#include "ledger/release.h"
#include "synth/release/record_reader.h"

/* The domain of a plan in which all categories are known. */
typedef struct sc_found_keys {
    sc_synth_domain domain;
    sc_arena arena; /* of what was found */
} sc_found_keys;

/* The domain of the plan; its private keys are still to be drawn. */
void sc_found_keys_init(sc_found_keys *found, const scrim_synth *synth);
void sc_found_keys_clear(sc_found_keys *found);
/* After the pass was run, as the first draws of the passage. Does nothing where all is known. */
SCRIM_MUST_USE scrim_status sc_found_keys_draw(sc_found_keys *found,
                                               const scrim_synth *synth,
                                               const sc_record_reader *reader,
                                               sc_passage *passage, scrim_error *error);

#endif
