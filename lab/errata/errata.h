/* Errata: the wrong, ambiguous or unproved statements of the five documents that scrim implements,
 * each with its smallest counterexample and its correction. Most counterexamples are computed: their
 * working has lines for what is given, each number on the way, what the document claims and what is
 * true.
 *
 * Each errata_*.c holds the rows of a document, or of a part of it, in the order of their numbers.
 *
 * Claim  errata.complete  there is one entry for each number from 1 to 164, in order
 * Claim  errata.values    every number of a working is exact, or correct to the digits shown
 *
 * Reference  docs/errata.md
 */
#ifndef LAB_ERRATA_H
#define LAB_ERRATA_H

#include "lab/errata/exact_formula.h"
#include "lab/lab.h"

/* Workings. A line has a formula, whose value is computed when the line is added; later formulas use
 * the value by its name:
 *
 *     lab_working_input(w, "q = 16", "width of the noise");
 *     lab_working_step(w, "eps = 1/sqrt(q)", "rate of the noise");
 *     lab_working_claimed(w, "4/sqrt(q)*exp(-sqrt(q)/2)", "delta");
 *     lab_working_true(w, "(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta");
 *
 * A formula that cannot be computed, or a working that is too long, spoils the working. That is a
 * defect of a row: no text comes from a user. */
#define LAB_WORKING_LINES 40
#define LAB_WORKING_BYTES 400

typedef enum lab_working_part {
    LAB_WORKING_INPUT,
    LAB_WORKING_STEP,
    LAB_WORKING_CLAIMED,
    LAB_WORKING_TRUE
} lab_working_part;

typedef struct lab_working_line {
    lab_working_part part;
    bool has_number;
    lab_quantity number;             /* if has_number */
    char what[LAB_WORKING_BYTES];    /* what the value is */
    char formula[LAB_WORKING_BYTES]; /* how it was computed; may be "" */
    char value[LAB_WORKING_BYTES];   /* an exact number, a decimal, or words */
} lab_working_line;

typedef struct lab_working {
    lab_formula_scope scope;
    lab_working_line lines[LAB_WORKING_LINES];
    size_t count;
    bool is_spoilt;
    char fault[LAB_WORKING_BYTES]; /* the formula that spoilt it */
} lab_working;

void lab_working_init(lab_working *w);
void lab_working_clear(lab_working *w);
/* "input", "step", "claimed" or "true". */
const char *lab_working_part_name(lab_working_part part);

/* Adds a line with "name = formula", or with a formula that has no name. */
void lab_working_input(lab_working *w, const char *formula, const char *what);
void lab_working_step(lab_working *w, const char *formula, const char *what);
void lab_working_claimed(lab_working *w, const char *formula, const char *what);
void lab_working_true(lab_working *w, const char *formula, const char *what);
/* Adds a number that was computed elsewhere; how says by what. A name may be "". */
void lab_working_put(lab_working *w, lab_working_part part, const char *name,
                     const lab_quantity *number, const char *how, const char *what);
void lab_working_put_int64(lab_working *w, lab_working_part part, const char *name,
                           int64_t number, const char *how, const char *what);
/* Adds a value in words, printf style. */
__attribute__((format(printf, 4, 5))) void lab_working_say(lab_working *w,
                                                           lab_working_part part,
                                                           const char *what,
                                                           const char *format, ...);
/* The value of a name; spoils the working and returns 0 if it is no exact integer. */
int64_t lab_working_integer(lab_working *w, const char *name);

typedef struct lab_places {
    const scrim_place *places;
    size_t count;
} lab_places;

/* LAB_PLACES({"0", "1/2"}, {"10", "1/2"}): places with their masses or counts. */
#define LAB_PLACES(...)                                                                  \
    ((lab_places){(const scrim_place[]){__VA_ARGS__},                                    \
                  sizeof((const scrim_place[]){__VA_ARGS__}) / sizeof(scrim_place)})

typedef struct lab_distance {
    const char *kind; /* of scrim_distance_between */
    lab_places from, to;
    const scrim_distance_options *options; /* may be NULL */
} lab_distance;

/* Adds a distance that the library computes. An infinite or irrational one spoils the working. */
void lab_working_distance(lab_working *w, lab_working_part part, const char *name,
                          const lab_distance *distance, const char *what);

/* Rows. */

typedef struct lab_document {
    const char *number; /* "000" to "004" */
    const char *title;
    const char *authors; /* "anonymous draft" if it names none */
} lab_document;

/* Index from 0; NULL past the last. */
const lab_document *lab_document_at(size_t index);
/* By its number; NULL for an unknown number. */
const lab_document *lab_document_find(const char *number);

/* A line of a working: a formula, or a value in words if the formula is NULL. */
typedef struct lab_erratum_step {
    lab_working_part part;
    const char *formula, *what, *said;
} lab_erratum_step;

typedef struct lab_erratum {
    unsigned number;            /* from 1 */
    const char *document;       /* its number */
    const char *place;          /* in the document: "Theorem 4.3" */
    const char *kind;           /* one of lab_erratum_kind_at */
    const char *title;          /* a few words */
    const char *statement;      /* what the document says */
    const char *counterexample; /* the smallest one in words; "" if none is needed */
    const char *correction;
    /* The working: lines, ended by one without a text, or a function that adds them. Both are NULL if
     * nothing is computed. */
    const lab_erratum_step *steps;
    void (*run)(lab_working *w);
} lab_erratum;

/* A row is {LAB_FACTS(...), .title = ..., .statement = ..., .counterexample = ..., .correction = ...} and, if its counterexample is computed, LAB_STEPS(LAB_INPUT(...), ...) or LAB_RUNS(function). */
#define LAB_FACTS(number_, document_, place_, kind_)                                     \
    .number = (number_), .document = (document_), .place = (place_), .kind = (kind_)
#define LAB_STEPS(...)                                                                   \
    .steps = (const lab_erratum_step[])                                                  \
    {                                                                                    \
        __VA_ARGS__,                                                                     \
        {                                                                                \
            .what = NULL                                                                 \
        }                                                                                \
    }
#define LAB_RUNS(function) .run = (function)
#define LAB_INPUT(formula, what)                                                         \
    {                                                                                    \
        LAB_WORKING_INPUT, formula, what, NULL                                           \
    }
#define LAB_STEP(formula, what)                                                          \
    {                                                                                    \
        LAB_WORKING_STEP, formula, what, NULL                                            \
    }
#define LAB_CLAIMED(formula, what)                                                       \
    {                                                                                    \
        LAB_WORKING_CLAIMED, formula, what, NULL                                         \
    }
#define LAB_TRUE(formula, what)                                                          \
    {                                                                                    \
        LAB_WORKING_TRUE, formula, what, NULL                                            \
    }
/* part: INPUT, STEP, CLAIMED or TRUE. */
#define LAB_SAY(part, what, said)                                                        \
    {                                                                                    \
        LAB_WORKING_##part, NULL, what, said                                             \
    }

typedef struct lab_errata_section {
    const lab_erratum *rows;
    size_t count;
} lab_errata_section;

#define LAB_ERRATA_SECTION(rows_)                                                        \
    {                                                                                    \
        .rows = (rows_), .count = sizeof(rows_) / sizeof *(rows_)                        \
    }

extern const lab_errata_section lab_errata_robustness, lab_errata_flexible,
    lab_errata_survey, lab_errata_survey_later, lab_errata_floating, lab_errata_threshold;

/* Index from 0; NULL past the last. */
const lab_erratum *lab_erratum_at(size_t index);
/* By its number; NULL for an unknown number. */
const lab_erratum *lab_erratum_find(unsigned number);
/* "false": there is a counterexample. "loose": true, and a better value is proved. "gap": the proof
 * does not prove it. The others are "ambiguous", "typo", "misleading", "unproved", "unusable" and
 * "unreadable". NULL past the last. */
const char *lab_erratum_kind_at(size_t index);

/* Is there a counterexample to compute? */
bool lab_erratum_runs(const lab_erratum *erratum);
/* Adds the lines of an erratum that runs. SCRIM_E_INTERNAL: they cannot be computed. */
SCRIM_MUST_USE scrim_status lab_erratum_run(const lab_erratum *erratum, lab_working *w,
                                            scrim_error *error);

#endif
