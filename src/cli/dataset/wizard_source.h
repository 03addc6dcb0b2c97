/* The source of a dataset that is being declared: its header is read, and no row. */
#ifndef SC_CLI_WIZARD_SOURCE_H
#define SC_CLI_WIZARD_SOURCE_H

#include "cli/dataset/wizard_answers.h"

/* Can rows be read more than once? */
bool sc_wizard_has_file(const sc_wizard *wizard);
/* Are its rows pushed by a program? */
bool sc_wizard_is_pushed(const sc_wizard *wizard);
/* Has it a source of any kind? */
bool sc_wizard_has_source(const sc_wizard *wizard);

#define SC_SIZE_BYTES 16
/* The max-size that a file above 64 MiB needs, with room to grow, as "256MiB". False, and "", for any other source. */
bool sc_wizard_size(const sc_wizard *wizard, char text[SC_SIZE_BYTES]);

/* Reads the header by the settled text of a policy: its names, and what may separate them. The
 * names of a database are those of its table; a stream has no header.
 * SCRIM_E_INPUT, and the header stays as it was, when that fails. */
SCRIM_MUST_USE scrim_status sc_wizard_read_header(sc_wizard *wizard, const char *policy,
                                                  scrim_error *error);
/* A slot for each name in the header, and none for what it lacks and nobody declared. Without a
 * header, one for a name that is asked for. */
SCRIM_MUST_USE scrim_status sc_wizard_make_columns(sc_wizard *wizard, scrim_error *error);

/* Is it a name in the header? True for every name without a header. */
bool sc_wizard_knows(const sc_wizard *wizard, const char *name);
/* SCRIM_E_PARAM with a message that the name is unknown, and which name may have been meant. */
SCRIM_MUST_USE scrim_status sc_wizard_fail_unknown(const sc_wizard *wizard,
                                                   const char *name, scrim_error *error);

/* Does a column have the name of a number that identifies somebody, as account_no? */
bool sc_name_identifies(const char *name);

#endif
