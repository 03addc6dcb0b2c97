/* The owner's declaration of a table: whose data a row is, the columns with their types, the
 * public keys, the bounds of a person's contribution, and the source of the rows. Everything here is
 * public and comes from the policy, never from a row.
 *
 * A policy is text of lines "key=value" or "key value"; blank lines and lines that begin with #
 * are comments. The lines of the schema, in any order:
 *
 *     unit=person_id                        a column of the source, or the word row
 *     column=age=int[0,120]                 whole numbers
 *     column=income=decimal[0,100000]/0.01  a grid; the step is a power of 2 or 10, 0.01 if left out
 *     column=day=date[2020-01-01,2020-12-31]
 *     column=seen=timestamp[2020-01-01,2020-12-31 23:59:59]    perhaps /SECONDS; 1 if left out
 *     column=ok=bool
 *     column=word=text
 *     keys=sex=Female,Male                  public keys; "a,b" is one key with a comma in it
 *     keys=word=@FILE                       public keys, one a line of a public file
 *     missing=age=0                         what stands for a value that is absent or unreadable: the
 *                                           column is NOT NULL; without it such a value is NULL
 *     max-total-rows=60                     a unit's rows in a whole statement
 *     max-groups=3  max-rows=5              a unit's groups, and rows in a group
 *     rows-per-unit=1                       or a fact in place of a bound: every unit has one row
 *     max-total=income=500                  a unit's sum of a column in a group: -500 to 500; or -100,500
 *     fixed-bounds=yes                      no question may choose its own bounds
 *     bounds-from=declared                  or check or suggest: what the bounds were chosen by
 *     neighbours=add-remove                 or replace
 *     csv=FILE  |  sqlite=FILE  table=NAME  the source; - is standard input
 *     live=yes  |  parquet=FILE  |  duckdb=QUERY    a source whose rows a program pushes (scrim/feed.h)
 *     records=lf                            or crlf: what ends a record of a CSV file (csv.h)
 *     separator=;                           or , | or tab: what separates its fields; , if left out
 *     max-size=64MiB                        the source is never larger; 64 MiB if left out
 *     zone=Europe/Berlin ...                of timestamps, which need it (calendar.h)
 *     join=regions=city=town                a public table that questions may join, with its columns and
 *                                           cells in lines of their own (join_table.h)
 *     decimal=,  date-format=DD.MM.YYYY  null=NA,-    how cells are written (column.h)
 *
 * All other keys belong to somebody else and are passed over; sc_schema_key_at lists ours, so that
 * whoever knows the rest can tell a mistake.
 *
 * Where the unit is a column a policy that is declared now says its bounds, a total or groups and rows (sc_schema_bounded);
 * one of an earlier vault may lack them, and then means 1.
 *
 * Claim  schema.declared  a schema has a unit, and for every column of numbers a range that is
 *                         not empty and lies within 2^62 steps of its grid; what is not declared
 *                         is refused, and nothing is guessed
 */
#ifndef SC_DATA_SCHEMA_H
#define SC_DATA_SCHEMA_H

#include "data/value/column.h"
#include "data/value/contribution.h"
#include "data/value/join_table.h"
#include "model/domain.h"

typedef struct sc_source_kind sc_source_kind; /* source_kind.h */

/* Sizes beyond which a policy is SCRIM_E_LIMIT. */
#define SC_SCHEMA_COLUMNS 4096
/* The size of a source: the least and the most that can be declared, and the default. */
#define SC_SCHEMA_SIZE_LEAST ((uint64_t)1 << 16)
#define SC_SCHEMA_SIZE_MOST ((uint64_t)1 << 44)
#define SC_SCHEMA_SIZE ((uint64_t)1 << 26)
typedef enum sc_record_end { SC_RECORD_LF = 0, SC_RECORD_CRLF } sc_record_end;

/* How a CSV file is cut into cells. */
typedef struct sc_csv_form {
    sc_record_end end;
    char separator;
} sc_csv_form;

/* The reason for the bounds of a unit: knowledge of the subject; the owner's sight of the data, which no
 * epsilon covers; or released quantiles. */
typedef enum sc_bounds_from {
    SC_BOUNDS_UNSAID = 0,
    SC_BOUNDS_DECLARED,
    SC_BOUNDS_CHECK,
    SC_BOUNDS_SUGGEST
} sc_bounds_from;

typedef struct sc_schema {
    sc_text unit; /* the name of a column of the source, not declared above; empty: each
                   * row is a unit of its own */
    scrim_neighbours neighbours;
    sc_bounds bounds; /* the defaults of questions */
    bool is_bounded;  /* its bounds are declared, or the unit is the row and needs none */
    bool
        has_one_row; /* rows-per-unit=1: each unit has one row, so that bounds of 1 leave nothing out */
    sc_bounds_from bounds_from;
    bool has_fixed_bounds; /* no question may choose others */
    size_t column_count;
    sc_column *columns;           /* in the order of the policy */
    const sc_source_kind *source; /* NULL: not said */
    sc_text path,
        table; /* table is empty for a source without tables; path is "yes", or a
                          * query, of a source that is not a file */
    /* No file of this source is larger, nor are its pushed rows: memory and temporary space follow this number, never the
     * data. */
    uint64_t max_bytes;
    bool has_size; /* it was declared */
    sc_csv_form csv;
    sc_cell_form form;
    const sc_zone *zone;    /* of timestamps; NULL without timestamps */
    sc_public_tables joins; /* that questions may join */
    /* A question with joins numbers what they bring behind the columns (query/language/lookup.h). */
    size_t joined_count;
    bool
        drops_missing; /* rows that lack a value without a default are left out, as in records
                         * from before there was NULL */
    struct sc_schema_memory *memory; /* the schema's own */
} sc_schema;

/* How @FILE is read. content has one key a line; the schema copies it. A failure becomes that of
 * the schema. */
typedef struct sc_schema_files {
    scrim_status (*read)(void *context, sc_text path, sc_text *content,
                         scrim_error *error);
    void *context;
} sc_schema_files;

/* A schema that holds copies of all it needs; schema belongs to the caller, and is not written
 * again. files may be NULL: then @FILE is refused. SCRIM_E_SYNTAX for an invalid line,
 * SCRIM_E_PARAM for a value that is not what its key asks for, is said twice or is missing,
 * SCRIM_E_LIMIT beyond the sizes above. The message begins with the line. */
SCRIM_MUST_USE scrim_status sc_schema_parse(sc_text policy, const sc_schema_files *files,
                                            const sc_schema **schema, scrim_error *error);
/* SCRIM_E_PARAM, for the parameter max-total-rows, unless the bounds of a unit are declared: scrim does
 * not guess them, as the answer is about the rows that they keep. */
SCRIM_MUST_USE scrim_status sc_schema_bounded(const sc_schema *schema,
                                              scrim_error *error);
/* SCRIM_E_PARAM, for the parameter duckdb, where the source is a query that looks at more than one row at once
 * (source_kind.h): one row could change how others are read. A vault of an earlier version may have such a query. */
SCRIM_MUST_USE scrim_status sc_schema_rows_alone(const sc_schema *schema,
                                                 scrim_error *error);
/* SCRIM_E_PARAM where a public table is not the owner's: a policy declares its tables by join=. */
SCRIM_MUST_USE scrim_status sc_schema_own_tables(const sc_schema *schema,
                                                 scrim_error *error);
/* The bytes that pushed rows count for against max_bytes: 8 for each declared column and for the unit,
 * whichever of them a query reads, so that no choice of a query shows more of their number. */
uint64_t sc_schema_pushed_bytes(const sc_schema *schema, uint64_t rows);
/* SCRIM_E_LIMIT, for the parameter max-size, where `bytes`, the size of a source, is above
 * max_bytes. */
SCRIM_MUST_USE scrim_status sc_schema_check_size(const sc_schema *schema, uint64_t bytes,
                                                 scrim_error *error);
void sc_schema_free(const sc_schema *schema);

/* Makes the schema of a record from before there was NULL: no value is NULL. */
void sc_schema_drop_missing(const sc_schema *schema);
/* May a value of this column be NULL? */
bool sc_schema_may_be_null(const sc_schema *schema, size_t column);

/* NULL when no column has that name. */
const sc_column *sc_schema_column(const sc_schema *schema, sc_text name);
/* The name nearest to word, for did-you-mean; empty when no name is near. */
sc_text sc_schema_nearest(const sc_schema *schema, sc_text word);
/* Fails because no column has that name: it is the privacy unit, or unknown, with the name that may be meant. */
SCRIM_MUST_USE scrim_status sc_schema_unknown(const sc_schema *schema, sc_text name,
                                              const char *parameter, scrim_error *error);

/* "declared", "check" or "suggest"; NULL where nothing was said. */
const char *sc_schema_bounds_word(sc_bounds_from from);
/* The separators that can be declared, as they are written; NULL past the last. */
const char *sc_schema_separator_at(size_t index, char *separator);

/* The keys of the lines above; NULL past the last. */
const char *sc_schema_key_at(size_t index);
bool sc_schema_is_key(sc_text key);

/* Takes the next line that is no comment off the front of policy: true, with its key and its
 * value (perhaps empty). line is what stands there, without blanks around it. False at the end,
 * and, with key empty and line not, at an invalid line: a key is small letters and '-'. */
bool sc_schema_line(sc_text *policy, sc_text *line, sc_text *key, sc_text *value);

#endif
