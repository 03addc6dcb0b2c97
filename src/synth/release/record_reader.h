/* The rows of a dataset as records of a synthesiser: the pass of the query engine, grouped by all columns, bounded by
 * unit. The same pass counts the units of each value of a column whose categories are still to be selected. All of
 * it is private.
 *
 * Claim  record-reader.room  the room before the charge counts the records of all rows that the source can have (A73)
 */
#ifndef SC_SYNTH_RECORD_READER_H
#define SC_SYNTH_RECORD_READER_H

#include "query/answer/charged.h"
#include "synth/release/synth_domain.h"
#include "synth/rounds/records.h"

typedef struct sc_record_reader {
    const scrim_synth *synth; /* set by the caller, the others are zeros */
    /* The rows; then the values of each column that needs them, in their order. */
    sc_pass_statement statements[1 + SC_SYNTH_PLAN_COLUMNS];
    sc_statistics nothing; /* only rows are counted */
    sc_pass *pass;
    sc_records *records;
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

#endif
