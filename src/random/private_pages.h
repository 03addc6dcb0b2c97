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
#include <stdint.h>
#include <sys/types.h>

/* Zeroed pages of at least this number of bytes, or NULL. is_wiped says whether a fork wipes them
 * (MADV_WIPEONFORK); some kernels and emulators cannot. */
void *sc_private_pages_map(size_t bytes, bool *is_wiped);
/* Wipes them and gives them back; NULL is allowed. */
void sc_private_pages_unmap(void *pages, size_t bytes);

/* Which process made a handle: a copy of its memory in a child is told apart.
 *
 * Claim  process-mark.fork  in a child made by fork or clone sc_process_mark_is_here is false, also
 *                           where the child has the parent's process number (a pid namespace, a
 *                           number that is used again); where the kernel cannot wipe pages in a
 *                           child, the number alone decides
 */

typedef struct sc_process_mark {
    uint64_t *page; /* 1 here; a child finds it wiped */
    pid_t process;
} sc_process_mark;

/* False without memory. */
bool sc_process_mark_init(sc_process_mark *mark);
/* Is this the process that called init? False for zeros. Safe in a signal handler and before any
 * lock is taken. */
bool sc_process_mark_is_here(const sc_process_mark *mark);
void sc_process_mark_clear(sc_process_mark *mark); /* zeros are allowed */

#endif
