/* A body that is asked of a dataset by a command line: its plan, its release, and what is said about both. */
#ifndef SC_CLI_BODY_REQUEST_H
#define SC_CLI_BODY_REQUEST_H

#include "cli/answer/answer_show.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/whole_file.h"
#include "cli/vault/seeded_vault.h"
#include "scrim.h"

typedef struct sc_body_request {
    const sc_options *options;
    sc_answer_style style;
    sc_progress progress;
    scrim_vault *vault;
    sc_vault_seed seed;
    sc_whole_file vectors; /* of given directions */
    bool has_vectors;
    char kind[32]; /* of directions; "": the usual ones */
    uint64_t count, direction_seed, expected;
    scrim_body_fit *fit;
    scrim_body_release *release;
} sc_body_request;

/* Reads the options of words[2], opens the vault and plans. verb is for messages, "fit" or "center"; q is used where none is
 * given, and method as scrim/body_fit.h has it. The request is for sc_body_request_close whatever happens. */
SCRIM_MUST_USE scrim_status sc_body_request_open(sc_body_request *request,
                                                 const sc_options *options,
                                                 const char *verb, const char *q,
                                                 const char *method, scrim_error *error);
void sc_body_request_close(sc_body_request *request);

/* Writes the expected cost and error to standard output; nothing is charged. */
SCRIM_MUST_USE scrim_status sc_body_request_explain(sc_body_request *request,
                                                    scrim_error *error);
/* Charges, reads and draws. */
SCRIM_MUST_USE scrim_status sc_body_request_run(sc_body_request *request,
                                                scrim_error *error);

/* Writes the cost of a release and the rest of the budget to standard error, unless it is quiet. */
SCRIM_MUST_USE scrim_status sc_body_release_note(const sc_answer_style *style,
                                                 scrim_vault *vault,
                                                 const scrim_body_release *release,
                                                 scrim_error *error);
/* The file of a body on standard output, or at this place; or the columns of a point as a listing. */
SCRIM_MUST_USE scrim_status sc_body_release_show(const sc_answer_style *style,
                                                 const scrim_body_release *release,
                                                 const char *out, scrim_error *error);

#endif
