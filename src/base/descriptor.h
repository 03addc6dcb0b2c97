/* Files that the library opens, apart from the standard streams. A host may have closed those; the next
 * file to be opened gets the number, and what the host prints then lands in it.
 *
 * Claim  descriptor.apart  no file that the library opens is standard input, output or error (A91)
 */
#ifndef SC_BASE_DESCRIPTOR_H
#define SC_BASE_DESCRIPTOR_H

#include <stdbool.h>

/* Why a file cannot be opened, for people: what errno says, and what to do about it. is_made: the file
 * was to be made or written. */
const char *sc_descriptor_why(int number, bool is_made);
/* As open(2), closed on exec; a file that is made has mode 0600. -1 with errno. */
int sc_descriptor_open(const char *path, int flags);
/* Moves a descriptor away from the standard streams; takes it over. -1 is handed on with errno. */
int sc_descriptor_apart(int descriptor);

#endif
