/* Pages that a fork wipes (MADV_WIPEONFORK): older kernels and emulators do not have them. */
#ifndef WIPING_H
#define WIPING_H

#include <stdbool.h>
#include <stddef.h>

/* Does this kernel wipe them? It is tried with a page and a child. */
bool wiping_works(void);

/* A madvise(2) that says so, and does nothing: with it a source refills on any kernel. */
int wiping_pretended(void *pages, size_t bytes, int advice);

#endif
