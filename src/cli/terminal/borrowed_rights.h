/* Whose rights does this program run with?
 *
 * Borrowed: its file is set-user-ID or set-group-ID, and its user has other rights than it. Then
 * nothing is read or written by a name that the user chose: it would be read and written with the
 * rights of somebody else.
 *
 * Lent: sudo, doas or pkexec has started it as another user than the one who called. Such a program
 * has one user alone, whose rights are all its own, and cannot know what its caller may read. Files
 * that it reads by name must belong to the caller, and none is written by name. What the caller may
 * read can be given as standard input, which their own shell opens. The variables that tell of the
 * caller only ever take rights away: who sets them gains nothing.
 *
 * Claim  rights.caller  a file that belongs to another user than the caller is neither read nor
 *                       written by name, so that no message holds a byte of it, nor tells whether
 *                       it exists
 */
#ifndef SC_CLI_BORROWED_RIGHTS_H
#define SC_CLI_BORROWED_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

bool sc_rights_are_borrowed(void);
/* caller, unless it is NULL, is set to the user who called; to one who owns nothing where it is not
 * known who that is. */
bool sc_rights_are_lent(uid_t *caller);

#endif
