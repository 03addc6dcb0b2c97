/* Does this program run with rights that its user has not got, because its file is set-user-ID or
 * set-group-ID? Then nothing is read or written by a name that the user chose: it would be read
 * and written with the rights of somebody else. */
#ifndef SC_CLI_BORROWED_RIGHTS_H
#define SC_CLI_BORROWED_RIGHTS_H

#include <stdbool.h>

bool sc_rights_are_borrowed(void);

#endif
