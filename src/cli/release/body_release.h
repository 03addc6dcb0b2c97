/* scrim body fit NAME and center NAME: the plan of a body, its release, and what is shown of it. */
#ifndef SC_CLI_BODY_RELEASE_H
#define SC_CLI_BODY_RELEASE_H

#include "cli/answer/answer_show.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"
#include "cli/vault/seeded_vault.h"
#include "scrim.h"

/* A body that is asked of a dataset by a command line: its plan, its release, and what is said about both. */

/* Public directions as --directions names them: N, KIND, KIND:N or KIND:N:SEED. */
typedef struct sc_asked_directions {
    char kind[32]; /* "": the usual ones */
    uint64_t count, seed;
} sc_asked_directions;
SCRIM_MUST_USE scrim_status sc_asked_directions_read(const char *text,
                                                     sc_asked_directions *out,
                                                     scrim_error *error);

/* The text of a body on standard output, or into the file of --out unless out is NULL. */
SCRIM_MUST_USE scrim_status sc_body_text_show(const scrim_body *body, const char *out,
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
