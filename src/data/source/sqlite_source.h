/* A table of a SQLite file as a source.
 *
 * The file may be hostile: it is opened for reading, with the schema not trusted, views, triggers
 * and extensions off, and one statement is prepared that reads the declared columns of the one
 * table, and the keys of its rows, and may do nothing else: SQLite's authorizer refuses any function, other table or write
 * before a row is read. The table must be a table with rows of its own, not a view or a
 * virtual one, and a declared column must be stored, not computed while it is read. The statement
 * reads the table itself and no index.
 *
 * A database in WAL mode, or beside a log, is refused, since its contents may change while the file does
 * not, and a version is known by the file (source_content.h). It is refused before SQLite looks at the
 * log: neither the file nor anything beside it is made, written or deleted.
 *
 * Values. NULL is missing, and so is a blob, except in the column of the unit, where its bytes are the unit. A number is read as
 * its shortest decimal (number_text.h), whatever type SQLite stores it with: 5 and 5.0 are the same value everywhere, the same
 * unit and the same text for a missing value. Text is read like the field of a CSV file, so that 5 and '5' are the same unit. An
 * infinity is clamped in a column of numbers, and missing elsewhere. A value that is stored in more than
 * twice SC_COLUMN_VALUE_BYTES is missing, and is never in memory (sqlite_source_file.h).
 *
 * Claim  sqlite-source.only-reads  no view, virtual table, computed column or function is evaluated,
 *                                  and no other table is read
 * Claim  sqlite-source.untouched   a database is left as it was found, with all that is beside it
 * Claim  sqlite-source.rows        the rows are those of a CSV file with the same texts
 * Claim  sqlite-source.fork        a fork waits until no thread is within SQLite: a child may open a vault, or a
 *                                  source, itself (A95)
 * Claim  sqlite-source.heap        if the host program limits the memory of SQLite, the source is refused; what
 *                                  SQLite writes to the program's log has no value in it (A98)
 * Claim  sqlite-source.short       a value that is too long is missing, and is never in memory (A73)
 */
#ifndef SC_DATA_SQLITE_SOURCE_H
#define SC_DATA_SQLITE_SOURCE_H

#include "data/source/source.h"

extern const sc_source sc_sqlite_source;

#endif
