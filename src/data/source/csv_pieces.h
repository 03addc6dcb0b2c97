/* A file or a stream in pieces of whole records, for several workers at once.
 *
 * A record begins where the source begins or the record before it ends, and it ends where a line
 * does (csv.h). A piece holds the records that begin within a fixed number of bytes, so
 * where the pieces lie depends on the source, never on who reads them. A record that is too long is replaced by a single
 * quote, which no record is. The last record need not be ended; its piece is.
 *
 * A regular file is read, not mapped: what was read once stays as it was, a file that shrinks is an
 * error and no signal, and a piece that is still in the cache is copied in less time than the
 * pages of a mapping need to appear.
 *
 * A regular file that gzip has packed (packed_file.h) is read as the stream of what it unpacks to; its digest is that of
 * its own bytes. */
#ifndef SC_DATA_CSV_PIECES_H
#define SC_DATA_CSV_PIECES_H

#include "base/status.h"
#include "base/text.h"
#include "data/source/source_content.h"
#include "data/value/schema.h"

/* The longest record, its end not counted: of a source with a short header; where four times the
 * header is more, that; and never more than the last. So a long cell takes no memory. */
#define SC_CSV_RECORD_BYTES ((size_t)1 << 20)
#define SC_CSV_RECORD_MOST_BYTES ((size_t)1 << 24)
#define SC_CSV_PIECE_BYTES ((size_t)1 << 17)

typedef struct sc_csv_pieces sc_csv_pieces;

/* A worker's own memory. */
typedef struct sc_csv_piece {
    char *memory;
    size_t capacity, most;   /* what was used of it at once */
    const char *start;       /* SC_CSV_PADDING bytes behind the piece are readable */
    size_t bytes;            /* 0: there is no more */
    uint64_t file_bytes;     /* about how many bytes of the file were read for it */
    uint64_t sequence;       /* 0, 1, ...; numbers may be left out */
    sc_content_block *block; /* NULL: no digest is made, or not yet */
} sc_csv_piece;

/* Opens a file by its name, or standard input by "-", and reads the first record, of which header
 * is a view without its end and without a byte order mark, until the first piece. SCRIM_E_INPUT when it
 * cannot be opened or read, is a folder, is empty, is a file of another kind (source_content.h), or has a first record that is too long. Unless the key
 * is NULL, all bytes that are read of a file are hashed under it. */
SCRIM_MUST_USE scrim_status sc_csv_pieces_open(sc_text path, sc_record_end end,
                                               const sc_source_key *key,
                                               sc_csv_pieces **pieces, sc_text *header,
                                               scrim_error *error);
/* The most bytes that a packed file may unpack to (packed_file.h); no effect on another source. The schema outlives the pieces. */
void sc_csv_pieces_expect(sc_csv_pieces *pieces, const sc_schema *schema,
                          bool is_version);
/* How a file is cut. No record and no header is longer than record_bytes. */
typedef struct sc_csv_cut {
    sc_record_end end;
    size_t piece_bytes, record_bytes;
} sc_csv_cut;
/* The same for a descriptor, which it takes over, and for pieces and records of other sizes. */
SCRIM_MUST_USE scrim_status sc_csv_pieces_of(int descriptor, sc_csv_cut cut,
                                             const sc_source_key *key,
                                             sc_csv_pieces **pieces, sc_text *header,
                                             scrim_error *error);
void sc_csv_pieces_close(sc_csv_pieces *pieces);
/* The longest record of this source, by its header alone. */
size_t sc_csv_pieces_record_bytes(const sc_csv_pieces *pieces);
/* The stamp of the source when it was opened. */
sc_source_stamp sc_csv_pieces_stamp(const sc_csv_pieces *pieces);
/* The digest of a file when all pieces are read. A block holds all bytes that were read to make a piece, so blocks of
 * neighbouring pieces overlap. The digest therefore depends on the ends of records and SC_CSV_PIECE_BYTES, too. */
sc_source_content sc_csv_pieces_content(const sc_csv_pieces *pieces);
/* For a file: where the last piece that was handed out ends, about; 0 for a stream. Any thread may
 * ask. */
uint64_t sc_csv_pieces_read_bytes(const sc_csv_pieces *pieces);

void sc_csv_piece_init(sc_csv_piece *piece);
/* Takes the memory that any piece of the source needs; returns the most bytes that it can have.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_csv_piece_reserve(sc_csv_piece *piece,
                                                 const sc_csv_pieces *pieces,
                                                 size_t *most_bytes, scrim_error *error);
/* Wipes what was read. */
void sc_csv_piece_clear(sc_csv_piece *piece);
/* The next piece, any worker, or the end. SCRIM_E_INPUT when reading fails or the file was changed
 * meanwhile, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_csv_pieces_next(sc_csv_pieces *pieces, sc_csv_piece *piece,
                                               scrim_error *error);

#endif
