/* The server side of local privacy: reports of many devices become sums, and sums become estimates.
 *
 *     scrim_collection *collection;
 *     scrim_estimates *estimates;
 *     scrim_estimate first;
 *     const char config[] = "scrim-local/1 question=q protocol=randomised-response "
 *                           "values=4 a=3 b=1\n";
 *     char piece[4096];
 *     if (scrim_collection_new(config, &collection, &error) != SCRIM_OK)
 *         return;
 *     for (size_t bytes; (bytes = fread(piece, 1, sizeof piece, stdin)) > 0;)
 *         if (scrim_collection_read(collection, piece, bytes, &error) != SCRIM_OK)
 *             return;
 *     if (scrim_collection_end_file(collection, &error) != SCRIM_OK ||
 *         scrim_collection_decode(collection, NULL, &estimates, &error) != SCRIM_OK)
 *         return;
 *     scrim_estimates_at(estimates, 0, &first);
 *     printf("%.0f devices hold value 0, from %.0f to %.0f\n", first.estimate, first.low,
 *            first.high);
 *
 * Reports are private already (scrim_local.h): nothing here is charged. A file has messages, one batch,
 * or sums; sums of parts add up to the sums of the whole. Handles belong to one thread at a time.
 */
#ifndef SCRIM_COLLECTION_H
#define SCRIM_COLLECTION_H

#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_collection scrim_collection;

/* config is the text of a configuration, as devices have it. SCRIM_E_SYNTAX, SCRIM_E_PARAM or
 * SCRIM_E_LIMIT: it is invalid, or its reports are not counted: those of prefix go to scrim_local_unknown_search, those
 * of text-hashing to scrim_local_unknown_count. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_collection_new(const char *config,
                                                           scrim_collection **out,
                                                           scrim_error *error);
SCRIM_API void scrim_collection_free(scrim_collection *collection);

/* From now on, bytes of a file of messages that are no message of this configuration are skipped and counted, and the
 * file is refused no more. It is held in memory until it ends. */
SCRIM_API void scrim_collection_skip_bad(scrim_collection *collection);
/* The next bytes of a file. SCRIM_E_INPUT: they are no reports or sums of this configuration; then free
 * the collection, which has a part of the file. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_collection_read(scrim_collection *collection,
                                                            const void *bytes,
                                                            size_t count,
                                                            scrim_error *error);
/* One message, as a device sent it. SCRIM_OK too for a report that no device can have sent: it is in `dropped` and not in
 * the sums. SCRIM_E_INPUT: it is not a message of this configuration; the collection is as it was and
 * takes others. SCRIM_E_STATE: within a file. A message names neither a device nor a period: where it was sent again
 * after a lost answer, drop the copy by what your transport knows of the device and its period. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_collection_add_message(
    scrim_collection *collection, const void *message, size_t bytes, scrim_error *error);

/* The file has ended. SCRIM_E_INPUT: within a report. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_collection_end_file(scrim_collection *collection, scrim_error *error);

/* Takes some text; 0 ends the writing. */
typedef int scrim_collection_writer(void *context, const char *text, size_t bytes);
/* The sums as text; equal sums are equal bytes. SCRIM_E_INPUT: the writer ended it. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_collection_write(scrim_collection *collection, scrim_collection_writer *writer,
                       void *context, scrim_error *error);

typedef struct scrim_collection_facts {
    const char *question, *protocol; /* the collection's */
    uint64_t values;                 /* of the configuration; numbers are below it */
    uint64_t reports;                /* in the sums */
    uint64_t dropped; /* not in them: out of range, or with spare bits set */
    uint64_t flagged; /* in them: of a shape that honest devices hardly ever send */
    double
        epsilon; /* of one report, rounded up; infinite: it has no bound. Reports of one device add up */
    /* A forged report raises one estimate by at most `raise` and lowers it by at most `drop`
     * (for numbers, the sum of all), and raises `targets` estimates at once. 0: not known. */
    double raise, drop;
    uint64_t targets;
    uint64_t skipped; /* runs of bytes between messages: scrim_collection_skip_bad */
} scrim_collection_facts;

SCRIM_API void scrim_collection_describe(const scrim_collection *collection,
                                         scrim_collection_facts *out);

typedef struct scrim_estimates scrim_estimates;

typedef struct scrim_decode_options {
    size_t size;            /* set by SCRIM_OPTIONS */
    const char *confidence; /* of intervals, between 1/2 and 1; NULL: 0.95 */
    /* Lists the values that somebody holds; of those, at most 1 - confidence are expected to be held by
     * nobody. */
    int is_significant;
    /* simplex, norm-sub, em or em-smooth: counts of at least 0 that add up, beside the unbiased ones. NULL:
     * none. */
    const char *post;
    unsigned updates; /* of em; 0: 200 */
} scrim_decode_options;

/* SCRIM_E_STATE: there are no reports. SCRIM_E_PARAM: an option is not for this protocol, or the protocol
 * has no decoder. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_collection_decode(scrim_collection *collection, const scrim_decode_options *options,
                        scrim_estimates **out, scrim_error *error);
SCRIM_API void scrim_estimates_free(scrim_estimates *estimates);

/* How many values have an estimate; 0: the mean alone is estimated. */
SCRIM_API size_t scrim_estimates_count(const scrim_estimates *estimates);

typedef struct scrim_estimate {
    double estimate;  /* unbiased: how many devices hold the value; it may be below 0 */
    double error;     /* its standard error */
    double low, high; /* an interval for this value */
    double joint_low, joint_high; /* intervals that hold for all values together */
    double
        p; /* the tail of a value that nobody holds, where it was asked for; above the level: 1 */
    int is_listed;  /* as significant */
    double refined; /* by post */
} scrim_estimate;

/* Zeros from the count on. */
SCRIM_API void scrim_estimates_at(const scrim_estimates *estimates, size_t value,
                                  scrim_estimate *out);
/* The estimate as an exact fraction; at most capacity bytes with the terminator are written, and
 * the length that it needs is returned; 0: the protocol has no exact estimate
 * (condensed-exponential), or no such value. */
SCRIM_API size_t scrim_estimates_exact(const scrim_estimates *estimates, size_t value,
                                       char *text, size_t capacity);

/* The covariance of the estimates of two values that differ, for errors of sums and differences
 * of counts; 0: not known for the protocol, or no such values. */
SCRIM_API int scrim_estimates_covariance(const scrim_estimates *estimates, size_t one,
                                         size_t other, double *out);

/* The mean of numbers and its interval; 0: values are no numbers. p, is_listed, refined and the joint
 * interval are not set. */
SCRIM_API int scrim_estimates_mean(const scrim_estimates *estimates, scrim_estimate *out);

/* The error that post adds: how far refined counts are from the truth on average, over the
 * values that it sets to 0 and over the others, in `simulated` collections, simulated as if the
 * refined counts were the truth; of em-smooth, those of em. 0: there was no post. */
typedef struct scrim_estimates_bias {
    unsigned updates, simulated;
    size_t zeros;
    double of_zeros, of_others;
    double typical,
        largest; /* its size: of a value on average, and of the value where it is largest */
    size_t largest_value;
    double
        smoothing; /* em-smooth: the weight of a neighbour, 1/4 or as much as the reports allow; else 0 */
} scrim_estimates_bias;
SCRIM_API int scrim_estimates_bias_of(const scrim_estimates *estimates,
                                      scrim_estimates_bias *out);

#ifdef __cplusplus
}
#endif

#endif
