/* Memory for what no other process may have: pages of their own, which the kernel wipes in a
 * child and leaves out of a core dump.
 *
 * Claim  private-pages.fork  where is_wiped is told, a child made by fork or clone finds zeros;
 *                            advice that is taken without being followed is not believed
 */
#ifndef SC_RANDOM_PRIVATE_PAGES_H
#define SC_RANDOM_PRIVATE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed pages of at least so many bytes, or NULL. is_wiped says whether a fork wipes them
 * (MADV_WIPEONFORK); some kernels and emulators cannot. */
void *sc_private_pages_map(size_t bytes, bool *is_wiped);
/* Wipes them and gives them back; NULL is allowed. */
void sc_private_pages_unmap(void *pages, size_t bytes);

#endif
