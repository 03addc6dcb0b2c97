/* Releasing a floating body of a dataset (scrim/body.h): a private quantile in every public direction.
 *
 *     scrim_body_fit *fit = NULL;
 *     scrim_body_release *release = NULL;
 *     if (scrim_body_fit_new(vault, "adult",
 *                            SCRIM_OPTIONS(scrim_body_fit_options, .columns = "age,hours_per_week",
 *                                          .q = "0.9", .epsilon = "1"),
 *                            &fit, &error) == SCRIM_OK &&                   // plans; opens no data
 *         scrim_body_fit_run(vault, fit, &release, &error) == SCRIM_OK) {   // charges, and draws
 *         const scrim_body *body = scrim_body_release_body(release);
 *         printf("%zu bytes\n", scrim_body_format(body, NULL, 0));
 *     }
 *     scrim_body_release_free(release);
 *     scrim_body_fit_free(fit);
 *
 * Columns are numbers with declared ranges. Each is divided by its scale, the width of its range unless another is given, so that
 * directions compare years with hours. The whole budget is charged first; the same request again is shown from the record, free of
 * charge. A row with a missing value counts, at the lower end of every direction. Of a person with several rows as many count as
 * the contribution bounds allow.
 */
#ifndef SCRIM_BODY_FIT_H
#define SCRIM_BODY_FIT_H

#include "scrim/body.h"
#include "scrim/query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_body_fit_options {
    size_t size;         /* set by SCRIM_OPTIONS */
    const char *columns; /* names, separated by commas; required */
    const char *q;       /* exact text between 0 and 1; NULL: "9/10" */
    const char *epsilon; /* required, exact text */
    const char *delta;   /* exact text; NULL or "0": pure */
    /* "quantiles" (NULL): a body. "depth": a deep point of one or two columns, by one release for all directions. */
    const char *method;
    /* "frames", "axes", "pairs", "equiangular", "sequence" or "given"; NULL: equiangular for two columns, else frames. */
    const char *directions;
    const char
        *vectors; /* of given ones: numbers, separated by commas; each has length 1 */
    /* 0: the usual number. Of three columns and more 4 frames; 1 if the epsilon of each of their directions times the
     * expected units beyond it, (1 - q) expected_units, is below 28. */
    uint64_t direction_count;
    uint64_t seed; /* public, of frames and sequences; below 2^32 */
    const char *
        scales; /* one for each column, separated by commas; NULL: the widths of their ranges */
    /* How many units are expected: it steers the number of directions, and what a deep point tells apart; never privacy. 0:
     * not told. */
    uint64_t expected_units;
    unsigned workers;    /* 0: one per processor */
    size_t memory_bytes; /* 0: a quarter of 2^30 */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    const struct scrim_frame *
        frame; /* the rows, as long as the plan (scrim/feed.h); NULL: those of the source */
    /* Called now and then, with the context, by the calling thread while it reads rows and draws: any value but 0 ends it
     * with SCRIM_E_STATE, SCRIM_REASON_CANCELLED. A charge stays. NULL: it is never ended. */
    int (*is_cancelled)(void *context);
    /* As in scrim_query_options. A body has no groups, so that other bounds say nothing of it. */
    const char *max_total_rows;
} scrim_body_fit_options;

typedef struct scrim_body_fit scrim_body_fit;

/* Plans; opens no data and spends nothing. SCRIM_E_PARAM: a column that is unknown or no number,
 * an invalid q, budget, scale or direction, directions that bound no region; SCRIM_E_LIMIT: too
 * many columns or directions, too small a budget for each; SCRIM_E_MEMORY; else as
 * scrim_plan_new. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_body_fit_new(
    scrim_vault *vault, const char *dataset, const scrim_body_fit_options *options,
    scrim_body_fit **out, scrim_error *error);
SCRIM_API void scrim_body_fit_free(scrim_body_fit *fit); /* NULL is allowed */

/* Cost and accuracy, before anything is charged. Texts live as long as the plan. */
typedef struct scrim_body_fit_facts {
    const char *dataset, *directions;
    const char *composition; /* "pure" or "concentrated" */
    const char
        *epsilon_each; /* of one direction, a decimal; of a point, of all of them */
    /* With 95 % no direction misses its rank, and no point the best depth, by more rows; "": nothing is promised. */
    const char *rank_error;
    scrim_cost cost;
    size_t dimension, direction_count;
    uint64_t max_rows;     /* of a unit */
    const char *unit_word; /* "customer" of customer_id; "unit" */
    int is_point;
    int may_be_empty; /* q is so small that the exact body is empty for some data */
    int is_known;     /* the same was released before: it costs nothing now */
} scrim_body_fit_facts;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_body_fit_describe(scrim_vault *vault,
                                                              const scrim_body_fit *fit,
                                                              scrim_body_fit_facts *out,
                                                              scrim_error *error);

typedef struct scrim_body_release scrim_body_release;

/* Charges the whole budget, reads the data, draws and records; or repeats the recorded release of the same request, free of
 * charge, as scrim_query_run does. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_body_fit_run(scrim_vault *vault,
                                                         const scrim_body_fit *fit,
                                                         scrim_body_release **out,
                                                         scrim_error *error);
/* A recorded release again. SCRIM_E_PARAM if it has neither body nor point. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_body_replay(scrim_vault *vault, uint64_t id,
                                                        scrim_body_release **out,
                                                        scrim_error *error);
SCRIM_API void scrim_body_release_free(scrim_body_release *release); /* NULL is allowed */
/* Is this the measurement of such a release, as a charge has it? */
SCRIM_API int scrim_body_is_measurement(const char *measurement);

/* Texts live as long as the release. */
typedef struct scrim_body_released {
    uint64_t release, time; /* as in scrim_vault_release */
    int is_repeated;        /* it was recorded before */
    int is_point;           /* a deep point, and no body */
    const char *dataset;
    uint64_t version;
    size_t dimension;
    scrim_cost cost;
} scrim_body_released;
SCRIM_API void scrim_body_release_describe(const scrim_body_release *release,
                                           scrim_body_released *out);
/* The body, which lives as long as the release; NULL of a point. */
SCRIM_API const scrim_body *scrim_body_release_body(const scrim_body_release *release);

/* A deep point, column by column, in units of the columns. */
typedef struct scrim_body_coordinate {
    const char *name;
    double value;
} scrim_body_coordinate;
/* 0 past the last, and of a body. */
SCRIM_API int scrim_body_release_point_at(const scrim_body_release *release,
                                          size_t column, scrim_body_coordinate *out);

#ifdef __cplusplus
}
#endif

#endif
