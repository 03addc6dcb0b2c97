/* Queries of DuckDB whose rows are read one by one: the content of a row changes no other row and no type, and makes no
 * query fail.
 *
 *     SELECT visitor, minutes FROM read_parquet('visits.parquet')
 *     SELECT * FROM 'visits.parquet'
 *     SELECT * FROM read_csv('visits.csv', auto_detect=false, all_varchar=true, strict_mode=false,
 *                            ignore_errors=true, null_padding=true, header=true, delim=',', quote='',
 *                            escape='', columns={'visitor': 'VARCHAR', 'minutes': 'VARCHAR'})
 *
 * Columns stand by name, or *, which is all of them; FROM names one file. A Parquet file has types of its own. A CSV
 * file is read as text, with all of its form declared: DuckDB would infer it from the rows, and fail at one that it
 * cannot read. Any expression, cast, join, filter, order or further table may make rows depend on each other.
 *
 * Claim  row-query.alone  a query that is not of these forms is refused
 */
#ifndef SC_DATA_ROW_QUERY_H
#define SC_DATA_ROW_QUERY_H

#include "base/text.h"

bool sc_row_query_is_alone(sc_text query);

#endif
