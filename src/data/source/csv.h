/* CSV files as a source, by RFC 4180 and a rule that keeps rows apart.
 *
 * Records. A record ends at a line feed, wherever that stands, and a carriage return in front of it
 * belongs to the end (records=lf). RFC 4180 lets a quoted field hold line breaks: then one row with
 * a quote that is never closed would swallow the rows behind it, and whoever writes that row would
 * remove other people. No rule that looks for the closing quote can help, since text in the rows
 * behind may supply one. So line breaks in fields are legal only where they cannot be taken for
 * ends of records: with records=crlf a record ends at a carriage return with a line feed, and a
 * line feed alone is a byte of its field, as spreadsheets write it. With records=lf the lines between two
 * breaks of one field are records, of whatever unit they name: a record is a line, not what a program wrote
 * as one, and the owner takes line breaks out of texts that people write. In both forms what a row is
 * depends on its own bytes only, and files can be read from any place on, in parallel.
 *
 * Fields. The first record is the header and gives the number of fields. They are separated
 * by commas, or by the byte that is declared (separator=;). A field is quoted when its first byte is
 * a quote; then separators in it are text and two quotes are one. A record with
 * another number of fields, with a quote out of place, or too long (SC_CSV_RECORD_BYTES), is
 * malformed: all its values are missing. A line with nothing on it is no record. The end of the
 * last record may be left out. A byte order mark is passed over.
 *
 * Values. By the declared type alone (field.h), and by the declared form of cells (column.h): a
 * field that is not quoted and is a text of null= is as empty as one without bytes. A missing value is its column's default, or the
 * row is dropped; so is a row without a unit, as every malformed one is where units are a column.
 * Units are the same when their bytes, without the quotes around them, are: neither letters' case
 * nor blanks nor the spelling of a number are levelled.
 *
 * Header. Public, as is the file's size. Names are compared as bytes, without blanks around them.
 * A name that occurs twice, a declared column that is not there, and quotes out of place are
 * SCRIM_E_INPUT. Columns that are not declared are passed over and cannot be asked for.
 *
 * Claim  csv.rows-apart     replacing the bytes of one record by any others changes what is read
 *                           of that record and of no other
 * Claim  csv.declared       no byte of a row changes the type of a column, the number of fields,
 *                           or whether reading succeeds
 * Claim  csv.any-workers    the rows are the same for any number of workers, and for a file and a
 *                           stream
 */
#ifndef SC_DATA_CSV_H
#define SC_DATA_CSV_H

#include "data/source/source.h"

extern const sc_source sc_csv_source;

/* All records as they stand (source.h), by all workers. */
SCRIM_MUST_USE scrim_status sc_csv_raw_read(const sc_schema *schema,
                                            const sc_raw_reader *reader,
                                            sc_source_stamp *stamp, scrim_error *error);

/* The names in a header, for the owner, who may see them before anything is declared. */
typedef struct sc_csv_header {
    sc_text *names; /* in the order of the file, without quotes and blanks around them */
    size_t count;
    sc_arena arena;
} sc_csv_header;

void sc_csv_header_init(sc_csv_header *header);
void sc_csv_header_clear(sc_csv_header *header);
/* Reads the first record. SCRIM_E_INPUT when it is malformed or names a column twice. */
SCRIM_MUST_USE scrim_status sc_csv_header_parse(sc_text record, char separator,
                                                sc_csv_header *header,
                                                scrim_error *error);
/* Opens the file, reads its header and closes it: no row is looked at. Errors also as
 * sc_csv_pieces_open, and SCRIM_E_INPUT for a header that is not UTF-8. */
SCRIM_MUST_USE scrim_status sc_csv_header_read(sc_text path, sc_csv_form form,
                                               sc_csv_header *header, scrim_error *error);
/* The line of a policy that may be meant, "separator=;", where another byte that can separate stands
 * in the text of a header, behind these bytes; NULL where none does. */
const char *sc_csv_header_hint(sc_text text, const char *behind, char separator);
/* The place of a name; header->count when it is not there. */
size_t sc_csv_header_find(const sc_csv_header *header, sc_text name);

#endif
