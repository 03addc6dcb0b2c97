/* Reading a dataset for a synthesiser: its rows as records, and its private keys. */
#ifndef SC_SYNTH_RECORD_READER_H
#define SC_SYNTH_RECORD_READER_H

#include "ledger/release.h"
#include "query/answer/charged.h"
#include "synth/release/synth_domain.h"
#include "synth/rounds/records.h"

/* The rows of a dataset as records of a synthesiser: the pass of the query engine, grouped by all columns, bounded by
 * unit. The same pass counts the units of each value of a column whose categories are still to be selected. All of
 * it is private.
 *
 * Claim  record-reader.room  the room before the charge counts the records of all rows that the source can have (A73)
 */

typedef struct sc_record_reader {
    const scrim_synth *synth; /* set by the caller, the others are zeros */
    /* The rows; then the values of each column that needs them, in their order. */
    sc_pass_statement statements[1 + SC_SYNTH_PLAN_COLUMNS];
    sc_statistics nothing; /* only rows are counted */
    sc_pass *pass;
    sc_records *records;
    /* By column, for the owner's look: where to count single values, from the first of the range on, with NULL behind
     * the last; NULL for a column that is not wanted, or for all. */
    int64_t *const *singles;
} sc_record_reader;

/* Opens the source; no row is looked at. The reader may not move. *room is the most memory that the pass and the records can
 * take, by the declared size of the source and the columns. As sc_pass_open. */
SCRIM_MUST_USE scrim_status sc_record_reader_open(sc_record_reader *reader,
                                                  const sc_pass_options *options,
                                                  sc_bits *bits, sc_charged_room *room,
                                                  scrim_error *error);
/* Takes the memory of the records, before the first row. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_record_reader_take(sc_record_reader *reader,
                                                  scrim_error *error);
/* After sc_pass_run: all rows become records, coded by the domain, which is that of the plan with all categories known; and
 * closes the source. As sc_pass_part; SCRIM_E_STATE if the caller ends it, which NULL never does. */
SCRIM_MUST_USE scrim_status sc_record_reader_code(sc_record_reader *reader,
                                                  const sc_synth_domain *domain,
                                                  sc_cancel *cancel, scrim_error *error);
/* Wipes. Also of zeros. */
void sc_record_reader_close(sc_record_reader *reader);

/* Functions of an sc_charged_kind, for contexts whose first member is the reader. */
SCRIM_MUST_USE scrim_status sc_record_reader_open_rows(sc_charged *charged,
                                                       const sc_pass_options *options,
                                                       sc_bits *bits,
                                                       sc_charged_room *room,
                                                       scrim_error *error);
SCRIM_MUST_USE scrim_status sc_record_reader_take_room(sc_charged *charged,
                                                       scrim_error *error);
SCRIM_MUST_USE scrim_status sc_record_reader_read_rows(sc_charged *charged,
                                                       scrim_error *error);
void sc_record_reader_wipe_rows(sc_charged *charged);

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
