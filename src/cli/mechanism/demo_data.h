/* Where the public data of the demonstration are: beside the sources where the program was built
 * there, or where `make install` has put them. */
#ifndef SC_CLI_DEMO_DATA_H
#define SC_CLI_DEMO_DATA_H

#include "scrim.h"

/* The path of the file of that name, with PATH_MAX bytes of room. SCRIM_E_INPUT when it is not to be
 * found. */
SCRIM_MUST_USE scrim_status sc_demo_data_find(const char *program, const char *name,
                                              char *path, scrim_error *error);
/* Links the file of that name into folder under another. program is the path of this program.
 * SCRIM_E_INPUT when it is not to be found. */
SCRIM_MUST_USE scrim_status sc_demo_data_link(const char *program, const char *name,
                                              const char *folder, const char *link,
                                              scrim_error *error);

#endif
