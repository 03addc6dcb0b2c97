/* Releases over time: one question, asked again and again of a table that grows.
 *
 *     scrim_series *series = NULL;
 *     scrim_series_forecast forecast;
 *     scrim_result *result = NULL;
 *     if (scrim_series_new(vault, "words", "shakespeare", "SELECT word, COUNT(*) AS n GROUP BY word",
 *                          SCRIM_OPTIONS(scrim_series_options, .epsilon = "0.1", .delta = "1e-9",
 *                                        .releases = 12, .window = "speech"),
 *                          &series, NULL, &error) != SCRIM_OK ||
 *         scrim_series_forecast_of(vault, series, &forecast, &error) != SCRIM_OK || // what all of it costs, free
 *         scrim_series_enter(vault, series, 0, &error) != SCRIM_OK ||               // from now on it is fixed
 *         scrim_series_release(vault, "words", 0, NULL, &result, &error) != SCRIM_OK) // charges, and answers
 *         fputs(error.message, stderr);
 *     scrim_result_free(result);
 *     scrim_series_free(series);
 *
 * A release is of the next window of a column, or of the next version of the dataset. Each is a
 * query like any other: charged through the gate, recorded, replayed by its number, and labelled.
 * One unit can be in all releases, so their charges add up. Where each row is a unit of its own,
 * neighbours are add-remove and the source is a file, a row of one version of the dataset is in one
 * window alone: the windows of a version are charged as the most expensive of them is. In another
 * version the row may be in another window, so each version with a release adds its own.
 *
 * Keys that are discovered pass a private selection. A series either continues those that it has
 * shown, which are public from then on and shown in every later release whatever their number, or
 * selects anew in each release.
 */
#ifndef SCRIM_SERIES_H
#define SCRIM_SERIES_H

#include "scrim/query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_series scrim_series;

/* Numbers are exact text. */
typedef struct scrim_series_options {
    size_t size;           /* set by SCRIM_OPTIONS */
    const char *epsilon;   /* of one release; required */
    const char *delta;     /* of one release; NULL: 0 */
    const char *expect;    /* as scrim_query_options has them */
    const char *mechanism; /* likewise */
    uint64_t releases;     /* that are planned; 0: as many as window has starts */
    /* A column of whole numbers, decimals or dates, whose declared range is divided into that many
     * windows of equal length; or where each window starts, "day=2020-01-01,2020-02-01": each ends
     * before the next one, the last with the range. NULL: a release is of a version of the
     * dataset. */
    const char *window;
    const char *
        known_keys; /* "continue" or "rethreshold"; NULL: continue. Of a GROUP BY alone */
} scrim_series_options;

/* A series that is not entered yet: nothing is written, spent or opened. caret may be NULL. What
 * scrim_plan_new refuses, and SCRIM_E_PARAM, SCRIM_E_LIMIT for options that are wrong and for a
 * name that is taken. Freed by scrim_series_free. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_series_new(scrim_vault *vault, const char *name, const char *dataset,
                 const char *query, const scrim_series_options *options,
                 scrim_series **out, scrim_caret *caret, scrim_error *error);
/* Enters it: from then on all that it declares is fixed. For the vault's owner (SCRIM_E_POLICY).
 * SCRIM_E_BUDGET when the budget cannot carry all releases, unless beyond_budget is not 0;
 * SCRIM_E_PARAM when there is a series of that name. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_enter(scrim_vault *vault,
                                                         const scrim_series *series,
                                                         int beyond_budget,
                                                         scrim_error *error);
/* A series of the vault, as it is now, with its releases so far. SCRIM_E_PARAM when there is none
 * of that name. Freed by scrim_series_free. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_read(scrim_vault *vault,
                                                        const char *name,
                                                        scrim_series **out,
                                                        scrim_error *error);
SCRIM_API void scrim_series_free(scrim_series *series); /* NULL is allowed */
/* The names of the series there are, by index from 0 on: SCRIM_E_PARAM past the last. name has room
 * for SCRIM_NAME_BYTES. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_name_at(scrim_vault *vault,
                                                           size_t index, char *name,
                                                           scrim_error *error);

/* Texts live as long as the series. */
typedef struct scrim_series_facts {
    const char *name, *dataset;
    const char *query;           /* as it was declared */
    const char *epsilon, *delta; /* of one release */
    const char *window;          /* the column; "": a release is of a version */
    const char *known_keys; /* "continue" or "rethreshold"; "": there is no GROUP BY */
    uint64_t releases;      /* planned, */
    uint64_t made;          /* and answered */
    uint64_t next;          /* the release that comes next; 0: all are made */
    uint64_t version;       /* of the dataset, now */
    int is_parallel; /* the next release is charged as a window whose rows are in no other one of
                      * the same version */
    int is_over; /* its dataset was removed */
    int is_partial; /* before it is entered: values of the column below the first window are in no
                     * release */
    const char *unit;               /* of the account: "epsilon", "rho" or "divergence" */
    char spent[SCRIM_NUMBER_BYTES]; /* by all of its charges so far, in that unit */
    char spent_delta[SCRIM_NUMBER_BYTES];
} scrim_series_facts;
SCRIM_API void scrim_series_describe(const scrim_series *series, scrim_series_facts *out);

/* One release, made or not. */
typedef struct scrim_series_step {
    uint64_t number;        /* from 1 on */
    const char *low, *high; /* its window, both ends in it; "" for a version */
    uint64_t release;       /* its number, for scrim_query_replay; 0: there is none yet */
    uint64_t version;       /* of the dataset, when it was made; 0 */
    uint64_t time;          /* 0: not known */
    uint64_t lost;          /* charges that ended before they had an answer */
    char amount[SCRIM_NUMBER_BYTES]; /* of all its charges */
    char delta[SCRIM_NUMBER_BYTES];
} scrim_series_step;
/* By index from 0 on, up to releases: SCRIM_E_PARAM past the last. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_step_at(const scrim_series *series,
                                                           size_t index,
                                                           scrim_series_step *out,
                                                           scrim_error *error);

/* What the releases that are still to be made cost, and all that were planned. */
typedef struct scrim_series_forecast {
    const char *unit;                /* of the account */
    char amount[SCRIM_NUMBER_BYTES]; /* of one release by itself */
    char delta[SCRIM_NUMBER_BYTES];
    uint64_t remaining; /* releases to be made */
    /* What they add to what is spent, if the dataset keeps its version: the sum, or of windows in
     * parallel the most expensive. Each version that is declared in between adds one more. */
    char total[SCRIM_NUMBER_BYTES];
    char total_delta[SCRIM_NUMBER_BYTES];
    char left[SCRIM_NUMBER_BYTES]; /* of the budget, or of the share, now */
    char left_delta[SCRIM_NUMBER_BYTES];
    int fits;      /* is that enough? */
    uint64_t most; /* so many releases of these fit; UINT64_MAX: any number */
    /* All planned releases together, as epsilon at a delta: the sum, and the best accountant's
     * bound for releases that are declared in advance; of windows in parallel, those of one. ""
     * where nothing is known. It is bookkeeping: the account is charged as above. */
    char basic[SCRIM_NUMBER_BYTES];
    char joint[SCRIM_NUMBER_BYTES];
    char at_delta[SCRIM_NUMBER_BYTES];
    /* The charge of the next release that waits for its answer: it is made at no further charge,
     * and is not in total; 0: none. */
    uint64_t pending;
    scrim_remainder remainder; /* now; left is the smaller of its parts */
} scrim_series_forecast;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_forecast_of(scrim_vault *vault,
                                                               const scrim_series *series,
                                                               scrim_series_forecast *out,
                                                               scrim_error *error);

/* How a release is read and shown; all may be left out, and NULL stands for none. */
typedef struct scrim_series_run {
    size_t size;            /* set by SCRIM_OPTIONS */
    const char *confidence; /* of intervals; NULL: 0.95 */
    unsigned workers;       /* 0: one a processor */
    size_t memory_bytes;    /* as scrim_query_options has them */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_series_run;

/* The release of a number, 0 for the next one: charged and answered as scrim_query_run does it. One
 * that was made already is repeated, free; and so is the last one, when the next is asked for and
 * the dataset has the version that it was of. SCRIM_E_STATE when all releases are made, for one
 * that is not the next, and for a number whose version is not declared yet; SCRIM_E_POLICY when the
 * dataset was removed. A release that was charged and has no answer is finished, free, as a query
 * is. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_series_release(scrim_vault *vault, const char *name, uint64_t number,
                     const scrim_series_run *run, scrim_result **out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
