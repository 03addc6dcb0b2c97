/* The feed: a program pushes the rows of a query, in batches of columns.
 *
 *     const char *query = "SELECT COUNT(*), AVG(age)";
 *     const struct ArrowArray *batch;
 *     scrim_plan *plan = NULL;
 *     scrim_feed *feed = NULL;
 *     scrim_result *result = NULL;
 *     scrim_status status =
 *         scrim_plan_new(vault, "visits", &query, 1,
 *                        SCRIM_OPTIONS(scrim_query_options, .epsilon = "0.5"), &plan, NULL, &error);
 *     if (status == SCRIM_OK)
 *         status = scrim_feed_begin(vault, plan, batch_schema(), &feed, &error); // charges
 *     while (status == SCRIM_OK && (batch = next_batch()) != NULL)
 *         status = scrim_feed_put(feed, batch, &error);
 *     if (status == SCRIM_OK)
 *         status = scrim_feed_end(feed, &result, &error); // draws, records and answers
 *     else
 *         scrim_feed_abort(feed); // the charge stays
 *     if (status != SCRIM_OK)
 *         fputs(error.message, stderr);
 *     scrim_result_free(result);
 *     scrim_plan_free(plan);
 *
 * It serves datasets whose policy says live=yes, parquet=FILE or duckdb=QUERY; scrim reads no row of
 * these by itself. Everything else is as in scrim/query.h: plan, charge, record and answer.
 * Plans of releases of a series come from scrim_series_prepare, those of suggestions from
 * scrim_suggestion_plan.
 *
 * A batch is the two structs of Arrow's C data interface, which are declared below; no library is
 * needed. scrim borrows them for the call, calls no function of theirs, and calls nothing else of
 * the program: a host that leaves a call by longjmp never does so through scrim. A struct whose
 * release is NULL counts as released, as the interface has it, and is refused: structs that a program
 * makes itself need a release, which may do nothing.
 *
 * scrim reads a value as it reads its text in a CSV file: it is clamped to the range
 * of its column and rounded to its grid, and an unreadable one is missing. These types can be pushed,
 * each for a column of any declared type and for the unit; any other type of a column that the query
 * reads is refused by name, before the charge:
 *
 *     format                what                 its text
 *     c C s S i I l L       integers             -7
 *     e f g                 floating point       1.5, 7 (the shortest decimal)
 *     d:P,S                 decimal128           1.5, 7
 *     tdD tdm               dates                2026-03-29
 *     tss tsm tsu tsn       timestamps           2026-03-29 10:00:00.25, and Z behind it with a zone: UTC
 *     b                     booleans             true, false
 *     u U vu                UTF-8                itself
 *     n                     all missing
 *
 * Each may be dictionary-encoded. Libraries choose a type by the values of a column, and another one if a
 * value is missing; so a value has one text in all types, and one row never decides whether others are
 * read. A floating-point number is read as the shortest decimal that gives it back in its own width,
 * so that 0.1 is 1/10 and 7.0 is 7; from 10^39 on it is digits and a power, as in 1e39. NaN and infinity are
 * missing. A timestamp without a zone is local time of the dataset's zone, as text without an offset is;
 * the date of one with a zone is that of UTC. A date is its midnight where a timestamp is declared.
 * Numbers need no declared decimal mark, and dates no declared date format. Texts of the policy's "null"
 * mean missing.
 *
 * A dictionary index, an offset or a length of a value that points outside of its buffers makes that
 * value missing. A batch that contradicts its schema, or itself, is refused as a whole. Buffers must be
 * as long as the structs say: the interface has no lengths to check.
 */
#ifndef SCRIM_FEED_H
#define SCRIM_FEED_H

#include "scrim/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrow's C data interface (arrow.apache.org/docs/format/CDataInterface.html). Headers that declare it
 * define the same macro, so that any of them may come first. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

/* A query that waits for its rows. It belongs to one thread at a time, and to the process that
 * began it: a forked child gets SCRIM_E_STATE, and may only abort its copy, which leaves the vault
 * alone. The vault and the plan must live as long. */
typedef struct scrim_feed scrim_feed;

/* The columns that the plan reads, by index: first the unit, unless each row is a unit. NULL past the
 * last. Lives as long as the plan. */
SCRIM_API const char *scrim_feed_column(const scrim_plan *plan, size_t index);

/* Checks everything that can be refused, gets the memory, and charges the plan, as
 * scrim_query_run does. The schema is that of a struct ("+s") with one child per column. It must
 * have the columns of scrim_feed_column, each once; others are ignored. It is not used after the
 * call. SCRIM_E_INPUT: a column is missing or has a type that cannot be used; the file of a
 * parquet dataset is not the declared version. SCRIM_E_LIMIT: rows_upper of the plan is more than
 * the dataset's max-size holds. SCRIM_E_POLICY: the dataset has a source that
 * scrim reads itself. SCRIM_E_BUDGET: the charge does not fit. Nothing is charged then.
 *
 * A plan with a version (scrim_query_options), or about a Parquet file, is charged once: if the
 * answer is known, the feed needs no rows; if it was charged and interrupted, it is finished at no
 * further charge. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_feed_begin(scrim_vault *vault,
                                                       const scrim_plan *plan,
                                                       const struct ArrowSchema *schema,
                                                       scrim_feed **out,
                                                       scrim_error *error);
/* 0 if the answer was in the ledger already: rows may be put, and are ignored. */
SCRIM_API int scrim_feed_needs_rows(const scrim_feed *feed);
/* The number of the release that is charged. */
SCRIM_API uint64_t scrim_feed_release(const scrim_feed *feed);

/* Takes a batch of any number of rows, by several threads if it is large. SCRIM_E_INPUT: it does not
 * have the structure that its schema promises; no row of it was taken, and the feed goes on. After
 * any other failure the feed can only be aborted. No value of a row is an error. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_feed_put(scrim_feed *feed,
                                                     const struct ArrowArray *batch,
                                                     scrim_error *error);
/* Bounds, sums, draws, records and answers. The feed is gone, also if it fails; the charge
 * stays. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_feed_end(scrim_feed *feed, scrim_result **out,
                                                     scrim_error *error);
/* Forgets the rows and the feed. The charge stays, and has no answer. NULL is allowed. */
SCRIM_API void scrim_feed_abort(scrim_feed *feed);

/* A file as stat(2) shows it. */
typedef struct scrim_file_mark {
    uint64_t device, inode, bytes;
    int64_t modified_ns; /* since 1970 */
    int64_t changed_ns;  /* st_ctim, since 1970 */
} scrim_file_mark;

/* All rows at once, for scrim_synth_run, scrim_body_fit_run and scrim_vault_inspect, whose options name a frame:
 * rows of a dataset that scrim reads no row of by itself. Values, types and refusals are those of a feed, but a batch
 * is refused before the charge, and so are more rows than the dataset's max-size holds (scrim_policy_check_rows):
 * SCRIM_E_LIMIT. The structs are borrowed, and may not change, as long as the plan, or the call. scrim
 * calls no function of theirs. Without a schema and batches it has no rows, and names a version: that of a release
 * that was recorded before, for which no rows are needed. */
typedef struct scrim_frame {
    size_t size; /* set by SCRIM_OPTIONS */
    const struct ArrowSchema *schema;
    const struct ArrowArray *const *batches;
    size_t batch_count;
    /* As in scrim_query_options: the same request about contents of the same name is charged once. NULL: each
     * is about new contents. */
    const char *version;
    /* The source of the batches failed behind the last one. That may depend on a row, so a request is charged as if it
     * had not, and has no answer: SCRIM_E_INPUT. */
    int has_failed;
    /* The file of the dataset, as it was before the first row was read from it: if somebody has touched it since, the
     * request is refused, or charged and not answered (SCRIM_E_INPUT). NULL: the rows are of no file, or nobody has
     * looked; then a change before the request is not noticed. */
    const scrim_file_mark *file;
} scrim_frame;

#define SCRIM_CONTENTS_BYTES 40
/* Names the contents of a frame, for version of scrim_query_options and of scrim_frame: "contents-N". Frames of a dataset
 * whose columns have the same names and whose rows have the same values in the same order get the same name; all others
 * get a new one. scrim digests the rows under a key of the vault, and shows neither the digest nor the key. Nothing is
 * charged, no value is an error, and frames whose source has failed always get a new name. Others must not use names that
 * begin with "contents-". SCRIM_E_PARAM: unknown dataset, or a frame without a schema. SCRIM_E_POLICY: scrim reads the
 * rows of the dataset by itself. SCRIM_E_STATE: is_cancelled, which may be NULL, says so.
 * SCRIM_E_INPUT: the unit is missing, or a type cannot be used. SCRIM_E_BUSY,
 * SCRIM_E_LEDGER, SCRIM_E_MEMORY.
 *
 * Claim  contents.same  two names are equal if the dataset and all values are, row by row, however the rows are cut into batches;
 *                       else they differ, but with probability 2^-89
 */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_contents(scrim_vault *vault, const char *dataset, const scrim_frame *frame,
                     int (*is_cancelled)(void *context), void *context,
                     char version[SCRIM_CONTENTS_BYTES], scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
