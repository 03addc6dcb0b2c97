/* All of a source looked at: how much of it is there, and how much of that is not as declared. Raw
 * counts, for the owner's own check, and for nobody and nothing else.
 *
 * Claim  survey.exact     every count is right, and the rows that count are those that the engine
 *                         is given, whatever is asked
 * Claim  survey.rows      the rows that are named are the first ones, by their place in the source
 * Claim  survey.workers   the same for any number of workers
 */
#ifndef SC_DATA_SURVEY_H
#define SC_DATA_SURVEY_H

#include "data/table/source_seal.h"
#include "data/value/schema.h"
#include "scrim/inspection.h"

typedef struct sc_survey_request {
    const sc_schema *schema;
    const struct scrim_frame
        *frame; /* the rows of a dataset that are pushed; NULL: those of its source */
    const sc_source_seal
        *declared; /* the contents that the version is of; NULL: of none */
    const sc_source_key *declared_key;
    unsigned workers; /* 0: one a processor */
    void (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: none */
    int (*is_cancelled)(void *context);                             /* NULL: never */
    void *context;
} sc_survey_request;

/* Lines as scrim/inspection.h has them, those of the table first, then column by column; freed by
 * scrim_inspection_clear. The version is left at 0. SCRIM_E_INPUT, SCRIM_E_MEMORY, SCRIM_E_ENTROPY,
 * SCRIM_E_PARAM when no source is named. */
SCRIM_MUST_USE scrim_status sc_survey(const sc_survey_request *request,
                                      scrim_inspection *out, scrim_error *error);

#endif
