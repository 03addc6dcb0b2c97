/* Measurements: a mechanism with its parameters fixed, what it costs and what it promises.
 *
 * A measurement is named by one line of text, "NAME key=value ...", the same in C, on the
 * command line, in the ledger and in the audit; or it is made from an options struct, which
 * says the same:
 *
 *     scrim_measurement *count;
 *     scrim_error error;
 *     if (scrim_measurement_parse("laplace sensitivity=1 epsilon=1/10 neighbours=add-remove",
 *                                 &count, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *
 * It is immutable, and knows its cost and its accuracy before any data exist; several threads
 * may use one. Data meet it only in scrim_release (scrim/ledger.h).
 */
#ifndef SCRIM_MEASUREMENT_H
#define SCRIM_MEASUREMENT_H

#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which datasets must look alike. Zero is no relation and is refused everywhere. */
typedef enum scrim_neighbours {
    SCRIM_NEIGHBOURS_UNSET = 0,
    SCRIM_ADD_REMOVE = 1, /* one unit is added or taken away */
    SCRIM_REPLACE = 2, /* one unit's data is exchanged; the number of units is public */
    SCRIM_LOCAL = 3    /* any two values that one device may hold */
} scrim_neighbours;

/* "add-remove", "replace", "local"; "unset" for what is none of them. Never NULL. */
SCRIM_API const char *scrim_neighbours_name(scrim_neighbours neighbours);

/* An exact number as text, in a plain struct. */
#define SCRIM_NUMBER_BYTES 128

/* What one release costs: (epsilon, delta), exact or rounded up, and where the mechanism is
 * concentrated also rho. A text is empty where there is no such promise: a Gaussian that was
 * given its sigma has a rho and a curve, and no epsilon of its own. */
typedef struct scrim_cost {
    scrim_neighbours neighbours;
    char epsilon[SCRIM_NUMBER_BYTES];
    char delta[SCRIM_NUMBER_BYTES];
    char rho[SCRIM_NUMBER_BYTES];
} scrim_cost;

/* The form of an accuracy statement. */
typedef enum scrim_certificate_form {
    SCRIM_CERTIFICATE_NONE = 0,
    SCRIM_CERTIFICATE_INTERVAL, /* each value is within radius of the truth, with confidence */
    /* With confidence: of scores, each choice is at most radius worse than the best that was
     * left; of queries, each answer is right but within radius of the threshold, and all values
     * shown are within radius of their queries; of rows, no rank is off by more than radius; of
     * counts, a group of radius units or more is kept. */
    SCRIM_CERTIFICATE_PAC,
    SCRIM_CERTIFICATE_RANGE,    /* each value is within radius of the truth, always */
    SCRIM_CERTIFICATE_FLEXIBLE, /* within beta of the truth of an input distorted by alpha,
                                 * but for a probability of gamma; a radius is as in DROP */
    SCRIM_CERTIFICATE_FREQUENCY, /* what share of the values is which, as estimated from them
                                  * all and brought into [0, 1], is within radius of the truth,
                                  * with confidence; of one value alone nothing is promised */
    SCRIM_CERTIFICATE_DROP /* no value is above the truth, and none more than radius below it,
                            * always */
} scrim_certificate_form;

/* Numbers are exact text, rounded so that the promise is never too strong. */
typedef struct scrim_certificate {
    scrim_certificate_form form;
    char confidence[SCRIM_NUMBER_BYTES];
    /* In the unit of the input; of rows a number of them, of frequencies a share, at most 1. */
    char radius[SCRIM_NUMBER_BYTES];
    /* Of queries and of counts whose values are shown: each is within this of its query, with
     * confidence; else empty. */
    char value_radius[SCRIM_NUMBER_BYTES];
    char alpha[SCRIM_NUMBER_BYTES];
    char beta[SCRIM_NUMBER_BYTES];
    char gamma[SCRIM_NUMBER_BYTES];
    const char *excludes; /* what the statement does not cover; constant text */
} scrim_certificate;

/* What `scrim list mechanisms` shows; constant text. */
typedef struct scrim_mechanism_entry {
    const char *name;       /* "laplace" */
    const char *parameters; /* "sensitivity=R epsilon=R|scale=R [grid=R ...]" */
    const char *input; /* "numbers", "scores", "rows", "values", "queries" or "counts" */
    const char *claim; /* "epsilon-DP, pure" */
    const char *reference; /* who published it, or a page of docs/ */
} scrim_mechanism_entry;

/* The entry at an index, from 0 on; NULL past the last. */
SCRIM_API const scrim_mechanism_entry *scrim_mechanism_at(size_t index);

typedef struct scrim_measurement scrim_measurement;

/* Parses "NAME key=value ... neighbours=RELATION". The caller frees what it gets.
 * SCRIM_E_SYNTAX for text that is not such a line, SCRIM_E_PARAM for an unknown name, a missing
 * parameter or a value outside its domain, SCRIM_E_LIMIT for a value above a size limit,
 * SCRIM_E_MEMORY. Nothing is drawn, and out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_measurement_parse(const char *text,
                                                              scrim_measurement **out,
                                                              scrim_error *error);
/* The same where no data is involved, for questions about cost and accuracy: neighbours is
 * add-remove, sensitivity 1 and threshold 0 unless given, and what only the audit asks for
 * (candidates, queries, records) may be said. scrim_release refuses what is made so. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_measurement_parse_model(
    const char *text, scrim_measurement **out, scrim_error *error);
/* NULL is allowed. */
SCRIM_API void scrim_measurement_free(scrim_measurement *measurement);

/* The line that names this measurement: its parameters in the order in which the mechanism lists
 * them, reduced, neighbours behind them, and last what only the audit asks for. It lives as long
 * as the handle. */
SCRIM_API const char *scrim_measurement_text(const scrim_measurement *measurement);
/* The number of values that an input must have, where it is fixed; else 0. It is public. */
SCRIM_API size_t scrim_measurement_size(const scrim_measurement *measurement);
/* How many different values an answer's may be, from 0 on, where their frequencies can be
 * estimated from it (scrim_answer_frequency); else 0. */
SCRIM_API uint64_t scrim_measurement_values(const scrim_measurement *measurement);
SCRIM_API const scrim_mechanism_entry *
scrim_measurement_mechanism(const scrim_measurement *measurement);

SCRIM_API SCRIM_MUST_USE scrim_status scrim_measurement_cost(
    const scrim_measurement *measurement, scrim_cost *out, scrim_error *error);
/* The cost for groups of so many units, from 1 to 2^20; SCRIM_E_PARAM when nothing is left to
 * promise (delta would reach 1) or there is no (epsilon, delta) to begin with. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_group_cost(const scrim_measurement *measurement, uint64_t units,
                             scrim_cost *out, scrim_error *error);

/* The curve: the smallest delta proved at an epsilon >= 0, the smallest epsilon at a delta in
 * (0, 1), the Renyi divergence of an order > 1. Arguments are exact text; an upper bound is
 * never below the true value, and infinite where nothing is proved. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_delta_at(const scrim_measurement *measurement, const char *epsilon,
                           double *upper, scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_epsilon_at(const scrim_measurement *measurement, const char *delta,
                             double *upper, scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_renyi_at(const scrim_measurement *measurement, const char *order,
                           double *upper, scrim_error *error);

/* The accuracy of a release on an input of count values, at a confidence in (0, 1) such as
 * "0.95". */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_measurement_certify(const scrim_measurement *measurement, const char *confidence,
                          size_t count, scrim_certificate *out, scrim_error *error);

/* Options: every struct begins with its size, which SCRIM_OPTIONS sets so that it can grow;
 * a member left zero is left out of the line, and a struct of zeros is always refused. Each
 * function makes what scrim_measurement_parse makes of the same line, with the same errors.
 * Numbers are exact text: "1", "1/3", "0.1", "1e-9", "2^-40". */
#define SCRIM_OPTIONS(type, ...) (&(type){.size = sizeof(type), __VA_ARGS__})

typedef struct scrim_laplace_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *sensitivity;     /* required; of several values, in the l1 norm */
    const char *epsilon;         /* this or scale */
    const char *scale;
    const char *grid; /* NULL: the integers */
    const char *lower, *upper;
    /* How many values, where there is a grid; NULL: one. The line's size=N. */
    const char *values;
    /* "yes": each value is an integer, or of a grid a whole multiple of its step, by definition;
     * what is not counts as missing, and nothing is rounded. The line's whole=yes. */
    const char *whole;
} scrim_laplace_options;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_laplace_new(
    const scrim_laplace_options *options, scrim_measurement **out, scrim_error *error);

typedef struct scrim_gaussian_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *sensitivity;     /* required; of several values, in the l2 norm */
    const char *epsilon, *delta; /* both, or one of the next three */
    const char *rho;
    const char *sigma;
    const char *variance;
    const char *grid;   /* NULL: the integers */
    const char *values; /* how many; NULL: one. The line's size=N */
    /* "yes": each value is an integer, or of a grid a whole multiple of its step, by definition;
     * what is not counts as missing, and nothing is rounded. The line's whole=yes. */
    const char *whole;
} scrim_gaussian_options;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_gaussian_new(
    const scrim_gaussian_options *options, scrim_measurement **out, scrim_error *error);

typedef struct scrim_truncated_laplace_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *sensitivity;     /* required; of several values, in the l1 norm */
    const char *epsilon;         /* this or scale */
    const char *scale;
    const char *bound; /* of the noise, in steps of the grid; this or delta */
    const char *delta;
    const char *grid; /* NULL: the integers */
    const char *lower, *upper;
    /* How many values, where there is a grid; NULL: one. The line's size=N. */
    const char *values;
    /* "yes": each value is an integer, or of a grid a whole multiple of its step, by definition;
     * what is not counts as missing, and nothing is rounded. The line's whole=yes. */
    const char *whole;
} scrim_truncated_laplace_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_truncated_laplace_new(const scrim_truncated_laplace_options *options,
                            scrim_measurement **out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
