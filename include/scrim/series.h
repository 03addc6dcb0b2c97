/* Series: one query, released again and again for a table that grows.
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
 * A release is about the next window of a column, or about the next version of the dataset. Each is
 * charged, recorded, replayed and labelled like any other query.
 *
 * One unit can be in all releases, so their charges add up. There is one exception, by parallel
 * composition: if each row is a unit, neighbours are add-remove and the source is a file, a row of
 * one version is in one window only, and all windows of a version cost as much as the most expensive
 * one. Each version with a release adds its own most expensive window.
 *
 * Running totals (running of scrim_series_options) are the continual counter of a binary tree:
 * release t draws the sum of some windows that end with t, and adds the total of an earlier release.
 * A row is in at most log2(T) + 1 draws of T releases, so all releases of a version cost as much as
 * is declared for one, and the error grows with the number of draws in a total.
 *
 * Private keys pass partition selection. A series either continues the keys that it has shown, which
 * are public from then on and shown in every later release, or selects all keys anew in each release.
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
    const char *expect;    /* as in scrim_query_options */
    const char *mechanism; /* as in scrim_query_options */
    uint64_t releases;     /* planned number; 0: as many as window says */
    /* A column of integers, decimals or dates, whose declared range is divided into
     * this many windows of equal length; or the start of each window,
     * "day=2020-01-01,2020-02-01": each ends before the next one, and the last at the
     * end of the range; or, of dates, "day=month" ("week", "quarter", "year"): one for each of the calendar, of which the
     * first and the last may be a part. NULL: each release is about a version of the dataset. */
    const char *window;
    const char *
        known_keys; /* for GROUP BY only: "continue" or "rethreshold"; NULL: "continue" */
    /* 1: each release shows the total of all windows so far. COUNT and SUM by public
     * keys or without keys; each row is a unit, neighbours are add-remove, and the
     * source is a file. */
    int running;
    const char *max_groups, *max_rows, *max_total_rows; /* as in scrim_query_options */
    const char *max_total;                              /* the same */
    const char *cut_share; /* the same; running totals count nobody */
} scrim_series_options;

/* A series that is not entered yet: nothing is written, spent or opened. caret may be
 * NULL. Errors as scrim_plan_new; SCRIM_E_PARAM, SCRIM_E_LIMIT for wrong options and
 * for a name that is in use. scrim_series_free frees it. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_series_new(scrim_vault *vault, const char *name, const char *dataset,
                 const char *query, const scrim_series_options *options,
                 scrim_series **out, scrim_caret *caret, scrim_error *error);
/* Enters the series in the ledger: all that it declares is fixed from then on.
 * SCRIM_E_POLICY: not the vault's owner. SCRIM_E_BUDGET: the budget is too small for
 * all releases, unless beyond_budget is not 0. SCRIM_E_PARAM: the name is in use. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_enter(scrim_vault *vault,
                                                         const scrim_series *series,
                                                         int beyond_budget,
                                                         scrim_error *error);
/* A series of the vault, as it is now, with its releases so far. SCRIM_E_PARAM:
 * unknown name. scrim_series_free frees it. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_read(scrim_vault *vault,
                                                        const char *name,
                                                        scrim_series **out,
                                                        scrim_error *error);
SCRIM_API void scrim_series_free(scrim_series *series); /* NULL is allowed */
/* The names of all series by index, counted from 0: SCRIM_E_PARAM past the last. name
 * has room for SCRIM_NAME_BYTES. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_name_at(scrim_vault *vault,
                                                           size_t index, char *name,
                                                           scrim_error *error);

/* Texts live as long as the series. */
typedef struct scrim_series_facts {
    const char *name, *dataset;
    const char *query;           /* as declared */
    const char *epsilon, *delta; /* of one release */
    const char *window;          /* the column; "": releases are about versions */
    const char *known_keys;      /* "continue" or "rethreshold"; "": no GROUP BY */
    uint64_t releases;           /* planned number */
    uint64_t made;               /* answered number */
    uint64_t next;               /* the next release; 0: all are made */
    uint64_t version;            /* of the dataset, now */
    int is_parallel;             /* the next release is charged by parallel composition */
    int is_over;                 /* its dataset was removed */
    /* before it is entered: values below the first window are in no release */
    int is_partial;
    int is_running;                 /* releases are running totals */
    const char *unit;               /* of the account: "epsilon", "rho" or "divergence" */
    char spent[SCRIM_NUMBER_BYTES]; /* by all of its charges so far, in that unit */
    char spent_delta[SCRIM_NUMBER_BYTES];
    const char *max_groups, *max_rows, *max_total_rows; /* of its query; NULL: not said */
    const char *max_total;                              /* lines COLUMN=BOUND, or NULL */
    const char *
        cut_share; /* of its query; "0": people whose rows are left out are not counted */
} scrim_series_facts;
SCRIM_API void scrim_series_describe(const scrim_series *series, scrim_series_facts *out);

/* One release, made or not. */
typedef struct scrim_series_step {
    uint64_t number; /* counted from 1 */
    /* Its window, both ends included; of a running total from the first window on; ""
     * for a version. */
    const char *low, *high;
    uint64_t draws;   /* that a number of it is the sum of: 1 unless running */
    uint64_t release; /* its number, for scrim_query_replay; 0: none yet */
    uint64_t version; /* of the dataset when it was made, or 0 */
    uint64_t time;    /* 0: not known */
    uint64_t lost;    /* charges that were interrupted before they had an answer */
    char amount[SCRIM_NUMBER_BYTES]; /* of all its charges */
    char delta[SCRIM_NUMBER_BYTES];
} scrim_series_step;
/* By index from 0 to releases - 1: SCRIM_E_PARAM past the last. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_step_at(const scrim_series *series,
                                                           size_t index,
                                                           scrim_series_step *out,
                                                           scrim_error *error);

/* The cost of the remaining releases, and of all planned ones. */
typedef struct scrim_series_forecast {
    const char *unit;                /* of the account */
    char amount[SCRIM_NUMBER_BYTES]; /* of one release by itself */
    char delta[SCRIM_NUMBER_BYTES];
    uint64_t remaining; /* releases to be made */
    /* Their addition to the amount spent if the dataset keeps its version: the sum, or
     * for parallel windows the most expensive one. Each new version adds one more. */
    char total[SCRIM_NUMBER_BYTES];
    char total_delta[SCRIM_NUMBER_BYTES];
    char left[SCRIM_NUMBER_BYTES]; /* of the budget, or of the share, now */
    char left_delta[SCRIM_NUMBER_BYTES];
    int fits;      /* 1 if that is enough */
    uint64_t most; /* this many more releases fit; UINT64_MAX: any number */
    /* The joint cost of all planned releases, as epsilon at a delta: the sum, and the
     * best accountant's bound for releases declared in advance; for parallel windows,
     * that of one. "" if nothing is known. It is for information: the account is
     * charged as above. */
    char basic[SCRIM_NUMBER_BYTES];
    char joint[SCRIM_NUMBER_BYTES];
    char at_delta[SCRIM_NUMBER_BYTES];
    /* The charge of the next release that waits for its answer: it is finished at no
     * further charge, and is not in total; 0: none. */
    uint64_t pending;
    scrim_remainder remainder; /* now; left is the smaller of its parts */
} scrim_series_forecast;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_forecast_of(scrim_vault *vault,
                                                               const scrim_series *series,
                                                               scrim_series_forecast *out,
                                                               scrim_error *error);

/* The plan of a release, counted from 1: what it draws, and its expected error, which a
 * running total has of its own at every release. Nothing is written, spent or opened, and
 * the plan is only for a look: running it is SCRIM_E_STATE. scrim_plan_free frees it.
 * SCRIM_E_PARAM: no such release. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_plan(scrim_vault *vault,
                                                        const scrim_series *series,
                                                        uint64_t number, scrim_plan **out,
                                                        scrim_error *error);

/* How a release is read and shown. All members may be zero; options may be NULL. */
typedef struct scrim_series_run {
    size_t size;            /* set by SCRIM_OPTIONS */
    const char *confidence; /* of intervals; NULL: 0.95 */
    unsigned workers;       /* 0: one per processor */
    size_t memory_bytes;    /* as in scrim_query_options */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    int (*is_cancelled)(void *context); /* as in scrim_query_options */
    uint64_t rows_upper; /* of rows that are pushed: as in scrim_query_options */
} scrim_series_run;

/* The release with this number, or 0 for the next one: charged and answered as by
 * scrim_query_run. A release that was made already is repeated, free of charge; so is
 * the last one if the next is asked for and the dataset still has its version. A
 * charged release without an answer is finished, free of charge. SCRIM_E_STATE: all
 * releases are made, the number is not the next one, or its version is not declared
 * yet. SCRIM_E_POLICY: the dataset was removed. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_series_release(scrim_vault *vault, const char *name, uint64_t number,
                     const scrim_series_run *run, scrim_result **out, scrim_error *error);

/* The same for rows that a program pushes: the plan of that release, with all that earlier ones
 * give, for scrim_feed_begin (scrim/feed.h). Nothing is charged yet. Where scrim_series_release
 * would repeat an answer, *made is the number of its release, for scrim_query_replay, and there
 * is no plan; else *made is 0. Rows of a live dataset are new each time, so that the next release
 * without windows needs no new version. scrim_plan_free frees the plan. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_series_prepare(
    scrim_vault *vault, const char *name, uint64_t number, const scrim_series_run *run,
    scrim_plan **out, uint64_t *made, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
