/* Rows that a program pushes: scrim/feed.h. What a row is, and what becomes of it, is decided by
 * the code that reads files (data/arrow, query/pass); charge, draw and record are those of every question
 * (asking.h).
 *
 * Claim  feed.same     the same rows in a CSV file, a SQLite table and a feed give the same record, for any
 *                      batches, any order of rows and any number of workers
 * Claim  feed.charged  the charge is in the ledger before a row is taken; it stays when a feed is aborted,
 *                      fails or is lost with its process, and nothing else of it does
 * Claim  feed.refused  a dataset, column, type or version that cannot be fed is refused before the charge
 * Claim  feed.quiet    no value of a row, null, index or offset changes a status, a message or what a batch
 *                      is refused for
 * Claim  feed.once     a query about contents with a name, or about a file, is charged once and answered
 *                      from the ledger; one about other rows is charged each time
 * Claim  feed.fork     a child made by fork feeds nothing and records nothing
 */
#ifndef SC_QUERY_FEEDING_H
#define SC_QUERY_FEEDING_H

#include "scrim/feed.h"

#endif
