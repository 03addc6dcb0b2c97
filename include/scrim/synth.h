/* Synthetic records: rows with the columns of a dataset, but not of its people, drawn from a model that noisy counts
 * determine.
 *
 *     scrim_synth *synth = NULL;
 *     scrim_synth_release *release = NULL;
 *     scrim_synth_rows *rows = NULL;
 *     char text[SCRIM_SYNTH_CELL_BYTES];
 *     if (scrim_synth_new(vault, "adult",
 *                         SCRIM_OPTIONS(scrim_synth_options, .epsilon = "1", .delta = "1e-9"),
 *                         &synth, &error) == SCRIM_OK &&                  // plans; opens no data
 *         scrim_synth_run(vault, synth, &release, &error) == SCRIM_OK &&  // charges, and measures
 *         scrim_synth_draw(release, NULL, &rows, &error) == SCRIM_OK)     // free, any number of times
 *         for (uint64_t i = 0; i < scrim_synth_row_count(rows); i++)
 *             if (scrim_synth_cell(rows, i, 0, text))
 *                 puts(text);
 *     scrim_synth_rows_free(rows);
 *     scrim_synth_release_free(release);
 *     scrim_synth_free(synth);
 *
 * A release measures counts of some columns together, selected by how far they are from what is known so far, and
 * adds exact noise. Only these numbers are released and recorded. The model, the rows and every report are computed
 * from the record: they cost nothing, and are the same whenever they are made.
 *
 * Columns are those with a declared range or with public keys, and text whose private keys are selected. Numbers and
 * dates are counted in bins; a row gets a value drawn uniformly within its bin. NULL is a category. Of a person with
 * several rows as many count as the contribution bounds allow.
 *
 * Rows follow what was measured. Whatever was not measured follows from the model alone, and no error is known for it.
 */
#ifndef SCRIM_SYNTH_H
#define SCRIM_SYNTH_H

#include "scrim/query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_synth_options {
    size_t size;         /* set by SCRIM_OPTIONS */
    const char *method;  /* "mst", "aim", "mwem" or "smalldb"; NULL: "mst" */
    const char *columns; /* names, separated by commas; NULL: all of the policy */
    const char *epsilon; /* exact text; this or rho is required */
    const char *delta;   /* exact text; NULL or "0": pure, for mwem and smalldb */
    const char *
        rho; /* exact text: the total in zero-concentrated privacy, with a delta above 0 */
    /* How numbers and dates are cut: "age=5" for bins of width 5, "age=17:5:15" for 15 bins of width 5 from 17 on,
     * "age=18,30,65" for bins that begin there. Others have a bin for each value where these are at most 256, else 16
     * bins. */
    const char *const *cuts;
    size_t cut_count;
    /* Combinations that no row can have: "sex=Male,relationship=Wife". Rows of the data that have it are moved to
     * NULL in these columns, or to their first category. */
    const char *const *never;
    size_t never_count;
    unsigned workers;    /* 0: one per processor */
    size_t memory_bytes; /* 0: a quarter of 2^30 */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* A release by mst or aim of the same version that this one refines, with aim: its columns, cuts and impossible
     * combinations, its measurements, and further ones within the cost of this release. 0: none. */
    uint64_t refine;
    /* Text columns with private keys: their categories are selected among their values, with a part of epsilon and
     * delta: "diagnosis", or "diagnosis=100" for at most 100 categories, else 64. Rows with a value that is not
     * selected count as NULL. Needs an epsilon and a delta above 0. */
    const char *const *private_keys;
    size_t private_key_count;
    /* For mwem: it measures marginals of this many columns, from 1 to 8; 0: 2, or 1 if there is one column. */
    unsigned ways;
    const struct scrim_frame *
        frame; /* the rows, as long as the plan (scrim/feed.h); NULL: those of the source */
    /* Called now and then, with the context, by the calling thread while it reads rows, draws and fits: any value but 0 ends it
     * with SCRIM_E_STATE, SCRIM_REASON_CANCELLED. A charge stays. NULL: it is never ended. */
    int (*is_cancelled)(void *context);
    /* For mwem and smalldb, in place of ways: counting queries that rows should answer well, one a line, each a conjunction
     * of values: "sex=Female, age=20..39, education_num=13|14". Ranges have both ends, and whole bins; an end that is left
     * out is that of the column. Blank lines and lines that begin with # are skipped. At most 4096 queries; smalldb takes
     * at most 64 divided by its possible rows. */
    const char *const *queries;
    size_t query_count;
    /* As in scrim_query_options: distinct rows of a unit, how often it has each, and its rows in all. A unit has private
     * keys of a column at most in max_groups rows. A refinement has the bounds of its release. */
    const char *max_groups, *max_rows, *max_total_rows;
} scrim_synth_options;

typedef struct scrim_synth scrim_synth;

/* Plans; opens no data and spends nothing. SCRIM_E_PARAM: an unknown column, text without public
 * keys that is not among private_keys, an invalid cut, a budget that does not suffice;
 * SCRIM_E_LIMIT: too many columns or cells; SCRIM_E_MEMORY; else as scrim_plan_new. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_synth_new(scrim_vault *vault,
                                                      const char *dataset,
                                                      const scrim_synth_options *options,
                                                      scrim_synth **out,
                                                      scrim_error *error);
SCRIM_API void scrim_synth_free(scrim_synth *synth); /* NULL is allowed */

/* Cost and measurements, before anything is charged. Texts live as long as the plan. */
typedef struct scrim_synth_facts {
    const char *dataset, *method;
    scrim_cost cost;
    const char *unit_word,
        *unit_words;   /* "customer" and "customers" of customer_id; "unit" */
    uint64_t max_rows; /* of a unit */
    /* Rows of a unit that differ from one another, and rows that are alike, at most. */
    uint64_t max_distinct, max_alike;
    size_t column_count;
    /* Half of the 95 % interval of a count of one column, and of several columns together; "": none is measured. Of aim it
     * is that of the first round; later rounds have less noise. */
    const char *count_error, *pair_error;
    unsigned ways; /* how many columns a marginal has: 2, or as the options say */
    /* How private keys are selected, as a line; "" without private keys. A value becomes a
     * category with a chance of 50 % if kept_half units have it, and of 95 % if kept_most do. */
    const char *selection;
    uint64_t kept_half, kept_most;
    int is_known; /* the same was released before: it costs nothing now */
    /* For queries: how many there are, each once, and how many of them mwem selects and measures. count_error is then
     * that of a measured answer. */
    size_t query_count, measured_count;
} scrim_synth_facts;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_synth_describe(scrim_vault *vault,
                                                           const scrim_synth *synth,
                                                           scrim_synth_facts *out,
                                                           scrim_error *error);

/* A column of a plan, or of a release. */
typedef struct scrim_synth_column {
    const char *name;
    const char *cut; /* bins, as an option has them; "": a category for each key */
    uint64_t
        categories;  /* with NULL; of private keys in a plan the most that there can be */
    int is_nullable; /* NULL is one of them */
    int is_number;   /* values are numbers */
    int has_private_keys; /* categories are selected, not declared */
} scrim_synth_column;
/* 0 past the last. */
SCRIM_API int scrim_synth_column_at(const scrim_synth *synth, size_t index,
                                    scrim_synth_column *out);

typedef struct scrim_synth_release scrim_synth_release;

/* Charges the whole budget, reads the data, measures and records; or repeats the recorded release of the same
 * request, free of charge, as scrim_query_run does. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_synth_run(scrim_vault *vault,
                                                      const scrim_synth *synth,
                                                      scrim_synth_release **out,
                                                      scrim_error *error);
/* A recorded release again. SCRIM_E_PARAM if it has no synthetic records. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_synth_replay(scrim_vault *vault, uint64_t id,
                                                         scrim_synth_release **out,
                                                         scrim_error *error);
SCRIM_API void
scrim_synth_release_free(scrim_synth_release *release); /* NULL is allowed */
/* Is this the measurement of such a release, as a charge has it? */
SCRIM_API int scrim_synth_is_measurement(const char *measurement);

/* Texts live as long as the release. */
typedef struct scrim_synth_released {
    uint64_t release, time; /* as in scrim_vault_release */
    int is_repeated;        /* it was recorded before */
    const char *dataset, *method;
    uint64_t version;
    scrim_cost cost;
    const char *unit_word, *unit_words; /* as in scrim_synth_facts */
    uint64_t max_rows, max_distinct, max_alike;
    uint64_t
        rows; /* how many the data seem to have: an estimate with noise, at least 1; of smalldb those of its table */
    size_t column_count, marginal_count;
    uint64_t
        refines; /* the release that was refined, whose cost was charged then; 0: none */
    /* Queries that were asked for. Of mwem marginal_count is then the number of rows and those that were measured. */
    size_t query_count;
} scrim_synth_released;
SCRIM_API void scrim_synth_release_describe(const scrim_synth_release *release,
                                            scrim_synth_released *out);
/* 0 past the last. */
SCRIM_API int scrim_synth_release_column_at(const scrim_synth_release *release,
                                            size_t index, scrim_synth_column *out);

/* Rows. */

typedef struct scrim_synth_row_options {
    size_t size;   /* set by SCRIM_OPTIONS */
    uint64_t rows; /* 0: as many as the data seem to have */
    /* Only rows with these values: "sex=Female". A number means its bin. */
    const char *const *given;
    size_t given_count;
    /* As in scrim_synth_options, while the model is fitted. NULL: it is never ended. */
    int (*is_cancelled)(void *context);
    void *context;
} scrim_synth_row_options;

/* Before the run: are these rows that the release will have? Private keys are not looked at. SCRIM_E_PARAM,
 * SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_synth_check_rows(
    const scrim_synth *synth, const scrim_synth_row_options *options, scrim_error *error);

typedef struct scrim_synth_rows scrim_synth_rows;
#define SCRIM_SYNTH_CELL_BYTES 8192

/* Draws rows; options may be NULL. The same options give the same rows. SCRIM_E_PARAM for an
 * invalid value, or one that no row has; SCRIM_E_LIMIT above 2^31 rows; SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_synth_draw(
    const scrim_synth_release *release, const scrim_synth_row_options *options,
    scrim_synth_rows **out, scrim_error *error);
SCRIM_API void scrim_synth_rows_free(scrim_synth_rows *rows); /* NULL is allowed */
SCRIM_API uint64_t scrim_synth_row_count(const scrim_synth_rows *rows);
/* With the column of the privacy unit, where it has one: it is the first, and numbers the rows from 1 on. */
SCRIM_API size_t scrim_synth_row_columns(const scrim_synth_rows *rows);
/* NULL past the last column. */
SCRIM_API const char *scrim_synth_row_name(const scrim_synth_rows *rows, size_t column);
/* 0 for NULL, and where there is no such row or column; text is then empty. */
SCRIM_API int scrim_synth_cell(const scrim_synth_rows *rows, uint64_t row, size_t column,
                               char text[SCRIM_SYNTH_CELL_BYTES]);

/* How well rows preserve the data: bounds of the total variation between both, for every column, every two and every three
 * columns together; 0 is the same, 1 is nothing in common. They are computed from the release alone, and so are free
 * of charge. A comparison with the data is for the owner alone, or charged. */

typedef struct scrim_synth_report_options {
    size_t size; /* set by SCRIM_OPTIONS */
    uint64_t
        rows; /* of the rows that are compared; 0: as many as the data seem to have */
    unsigned ways;          /* 1, 2 or 3; 0: 3 */
    const char *confidence; /* of all intervals together; NULL: 0.95 */
    /* Called while rows are compared with the data, as long as the report lives. How much there is to read is not told, and
     * nothing at a quantum where the comparison is charged. NULL: nobody is told. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* As in scrim_synth_options, with the same context, while models are fitted. NULL: it is never ended. */
    int (*is_cancelled)(void *context);
} scrim_synth_report_options;

typedef enum scrim_synth_basis {
    SCRIM_SYNTH_MEASURED = 1, /* its counts were measured */
    SCRIM_SYNTH_INSIDE = 2,   /* it is part of one that was measured */
    SCRIM_SYNTH_SELECTION =
        3, /* it was not selected, so it cannot be far off: an upper bound */
    SCRIM_SYNTH_MODEL = 4 /* not measured, model only: nothing is known */
} scrim_synth_basis;

typedef struct scrim_synth_marginal {
    const char *columns; /* names, separated by commas; live as long as the report */
    unsigned ways;       /* how many they are */
    scrim_synth_basis basis;
    double low,
        high; /* the total variation is between these; 0 and 1 where nothing is known */
    double model; /* total variation between rows and model */
    double
        truth; /* after scrim_synth_report_compare the total variation itself; else -1 */
} scrim_synth_marginal;

typedef struct scrim_synth_report scrim_synth_report;

/* A report on as many rows as scrim_synth_draw gives for the same number. options may be NULL. SCRIM_E_PARAM, SCRIM_E_LIMIT,
 * SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_synth_report_new(
    const scrim_synth_release *release, const scrim_synth_report_options *options,
    scrim_synth_report **out, scrim_error *error);
SCRIM_API void scrim_synth_report_free(scrim_synth_report *report); /* NULL is allowed */
/* In the order of the columns, single ones first; 0 past the last. */
SCRIM_API int scrim_synth_report_at(const scrim_synth_report *report, size_t index,
                                    scrim_synth_marginal *out);
/* A column whose values are compared by bins that hold several: rows may agree in every bin and in no value, since the
 * values inside a bin are drawn evenly and were not measured. */
typedef struct scrim_synth_bins {
    const char *column; /* lives as long as the release */
    const char *cut;    /* as an option has it: "0:8:16" */
    uint64_t bins, values;
    /* after scrim_synth_report_compare the total variation over single values, NULL among them, for ranges of up to 65536
     * values; else -1 */
    double single;
} scrim_synth_bins;
/* In the order of the columns; 0 past the last. */
SCRIM_API int scrim_synth_report_bins_at(const scrim_synth_release *release,
                                         const scrim_synth_report *report, size_t index,
                                         scrim_synth_bins *out);
/* A query that was asked for, and what the rows answer. */
typedef struct scrim_synth_query {
    const char *text;        /* in one spelling; lives as long as the release */
    uint64_t rows;           /* how many of the rows match */
    double share;            /* of the rows that match */
    scrim_synth_basis basis; /* measured, selection or model */
    double low,
        high; /* the share in the data differs from it by between these; 0 and 1 where nothing is known */
} scrim_synth_query;
/* By their texts; 0 past the last. */
SCRIM_API int scrim_synth_report_query_at(const scrim_synth_report *report, size_t index,
                                          scrim_synth_query *out);
/* For the owner alone, who may look at the data: compares the rows with them. NOT PRIVATE: nothing of it may be
 * published. SCRIM_E_POLICY for anybody else, and for a dataset that has another version by now; else as
 * scrim_query_run. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_synth_report_compare(scrim_vault *vault, const scrim_synth_release *release,
                           scrim_synth_report *report, scrim_error *error);
/* Charged: the mean total variation between data and rows over all pairs, or of the one column, and the total variation
 * over single values, NULL among them, of each column whose bins hold several, with Laplace noise. Columns of more than 65536
 * values are left out. The same release, number of rows and epsilon are the same question, which is repeated as
 * scrim_synth_run repeats a request. */
#define SCRIM_SYNTH_SINGLES 64
typedef struct scrim_synth_single {
    const char *column; /* lives as long as the release */
    double variation, low, high;
} scrim_synth_single;
typedef struct scrim_synth_comparison {
    double mean, low,
        high; /* all together at confidence 0.95, with the noise of the total at that of the report */
    size_t marginals; /* how many pairs the mean is over */
    size_t single_count;
    scrim_synth_single
        singles[SCRIM_SYNTH_SINGLES]; /* [single_count], in the order of the columns */
    uint64_t release;                 /* the entry that was charged */
    scrim_cost cost;
    int is_repeated; /* it was charged before */
} scrim_synth_comparison;
/* SCRIM_E_PARAM for an invalid epsilon or a release of smalldb, SCRIM_E_POLICY for a dataset
 * that has another version by now, SCRIM_E_BUDGET; else as scrim_synth_run. What fails after the
 * charge leaves it. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_synth_report_charge(scrim_vault *vault, const scrim_synth_release *release,
                          const scrim_synth_report *report, const char *epsilon,
                          scrim_synth_comparison *out, scrim_error *error);
/* The measurement of a charged comparison as scrim_measurement_parse reads it, of what its charge has; anything else is
 * returned as it is. */
SCRIM_API const char *scrim_synth_compared(const char *measurement);
/* "measured", "inside", "selection" or "model". */
SCRIM_API const char *scrim_synth_basis_name(scrim_synth_basis basis);

#ifdef __cplusplus
}
#endif

#endif
