/* Errata: the wrong, ambiguous or unproved statements of the five documents that scrim implements,
 * each with its smallest counterexample and its correction. Most counterexamples can be computed:
 *
 *     scrim_erratum_report *report = NULL;
 *     scrim_error error;
 *     if (scrim_erratum_run(12, &report, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *     else
 *         for (size_t i = 0; scrim_erratum_line_at(report, i) != NULL; i++)
 *             puts(scrim_erratum_line_at(report, i)->value);
 *     scrim_erratum_report_free(report);
 *
 * These functions take no data, no ledger and no vault. They are in the archive, libscrim.a, and not in the shared
 * library: scrim itself links both.
 *
 * Claim  errata.complete  there is one entry for each number from 1 to 164, in order
 * Claim  errata.values    every number of a report is exact, or correct to the digits shown
 *
 * Reference  docs/errata.md
 */
#ifndef SCRIM_ERRATA_H
#define SCRIM_ERRATA_H

#include "scrim/status.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A document. Texts are constant. */
typedef struct scrim_document {
    const char *number; /* "000" to "004" */
    const char *title;
    const char *authors; /* "anonymous draft" if it names none */
} scrim_document;

/* Index from 0; NULL past the last. */
SCRIM_API const scrim_document *scrim_document_at(size_t index);
/* By its number; NULL if there is none. */
SCRIM_API const scrim_document *scrim_document_find(const char *number);

/* A statement and what is wrong with it. Texts are constant. */
typedef struct scrim_erratum {
    unsigned number;            /* from 1 */
    int runs;                   /* 1: scrim_erratum_run computes the counterexample */
    const char *document;       /* number of the document */
    const char *place;          /* in the document: "Theorem 4.3" */
    const char *kind;           /* one of scrim_erratum_kind_at */
    const char *statement;      /* what the document says */
    const char *counterexample; /* the smallest one in words; "" if none is needed */
    const char *correction;
    const char *where; /* the file that uses the correction, or "not in scrim" */
} scrim_erratum;

/* Index from 0; NULL past the last. */
SCRIM_API const scrim_erratum *scrim_erratum_at(size_t index);
/* By its number; NULL if there is none. */
SCRIM_API const scrim_erratum *scrim_erratum_find(unsigned number);

/* "false": there is a counterexample. "loose": true, and a better value is proved. "gap": the proof
 * does not prove it. The others are "ambiguous", "typo", "misleading", "unproved", "unusable" and
 * "unreadable". NULL past the last. */
SCRIM_API const char *scrim_erratum_kind_at(size_t index);

/* A line of a computed counterexample. */
typedef struct scrim_erratum_line {
    const char *part;    /* "input", "step", "claimed" or "true" */
    const char *what;    /* what the value is */
    const char *formula; /* how it was computed; may be "" */
    const char *value; /* an exact fraction, a decimal correct to its digits, or words */
} scrim_erratum_line;

typedef struct scrim_erratum_report scrim_erratum_report;

/* Computes the counterexample of an erratum. *out is to be freed; it is written on success only.
 * SCRIM_E_PARAM: no erratum has this number, or it does not run. SCRIM_E_MEMORY, SCRIM_E_INTERNAL. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_erratum_run(unsigned number,
                                                        scrim_erratum_report **out,
                                                        scrim_error *error);
/* Index from 0; NULL past the last. Valid until the report is freed. */
SCRIM_API const scrim_erratum_line *
scrim_erratum_line_at(const scrim_erratum_report *report, size_t index);
/* NULL is allowed. */
SCRIM_API void scrim_erratum_report_free(scrim_erratum_report *report);

#ifdef __cplusplus
}
#endif

#endif
