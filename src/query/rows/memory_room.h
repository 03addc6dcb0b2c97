/* Memory of a public size, looked for before a charge.
 *
 * The caller of a process sees whether memory sufficed, its peak, and how many pages were fetched. So the most memory that a
 * release can use is computed from public facts, and looked for before the charge; if it is missing, nothing is charged. With
 * a quantum (quantum.h) the memory is touched as well, and afterwards pages are fetched up to a multiple of a public number:
 * neither the peak nor the number of pages depends on rows.
 */
#ifndef SC_QUERY_MEMORY_ROOM_H
#define SC_QUERY_MEMORY_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Are these bytes available now, under the limits of the process and of its control groups? */
bool sc_memory_room_is_there(size_t bytes);
/* The same with this many more threads, where addresses are limited: each takes some for its stack, and the allocator sets
 * some aside for it, of which no page is touched. */
bool sc_memory_room_is_there_with(size_t bytes, unsigned threads);
/* sc_memory_room_is_there, and touches each page: the peak of the process is then at least these bytes. */
bool sc_memory_room_touch(size_t bytes);
/* The most pages that a release with this room fetches; a public number. */
uint64_t sc_memory_room_pages(size_t bytes);
/* Fetches pages until the process has fetched a multiple of sc_memory_room_pages, or memory is out. */
void sc_memory_room_level(size_t bytes);

/* The memory that a control group of the kernel leaves. Under such a limit memory is given out whether
 * or not it is there, and the process is killed when it is touched: rows would decide whether there is an
 * answer.
 *
 * Claim  memory_group.least  what is left is that of the tightest group that the process is in, of
 *                            either version of control groups; the kernel can take back pages of files,
 *                            which count as left
 */

#define SC_MEMORY_GROUP_LIST "/proc/self/cgroup"
#define SC_MEMORY_GROUP_ROOT "/sys/fs/cgroup"

/* In bytes; UINT64_MAX where there is no limit, or none is to be found. list names the groups of the
 * process, root is where their files are. */
uint64_t sc_memory_group_left(const char *list, const char *root);

#endif
