/* Files that the library opens, apart from the standard streams. A host may have closed those; the next
 * file to be opened gets the number, and what the host prints then lands in it.
 *
 * Claim  descriptor.apart  no file that the library opens is standard input, output or error (A91)
 */
#ifndef SC_BASE_DESCRIPTOR_H
#define SC_BASE_DESCRIPTOR_H

/* As open(2), closed on exec; a file that is made has mode 0600. -1 with errno. */
int sc_descriptor_open(const char *path, int flags);
/* Moves a descriptor away from the standard streams; takes it over. -1 is handed on with errno. */
int sc_descriptor_apart(int descriptor);

#endif
