/* Memory whose size is public, had before a charge and used up after it.
 *
 * Whether memory suffices, how much of it a process takes at most and how many of its pages are
 * fetched can be seen by whoever starts it. So the most that a query can take is computed from what
 * is public, and looked for before the charge: where it is not to be had, nothing is charged. Where
 * the time of an answer is hidden (quantum.h), the memory is touched as well, and afterwards pages
 * are fetched until their number is a multiple of a public one: both say nothing of rows.
 */
#ifndef SC_QUERY_MEMORY_ROOM_H
#define SC_QUERY_MEMORY_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Can so many bytes be had now, under the limits of the process and of its control groups
 * (memory_group.h)? */
bool sc_memory_room_is_there(size_t bytes);
/* The same with so many more threads, where addresses are limited: each takes some for its stack, and the allocator sets
 * some aside for it, of which no page is touched. */
bool sc_memory_room_is_there_with(size_t bytes, unsigned threads);
/* The same, touching each page of them: the most memory that the process ever had is then at least
 * that. */
bool sc_memory_room_touch(size_t bytes);
/* How many pages a query that takes so many bytes may fetch in all: the public number. */
uint64_t sc_memory_room_pages(size_t bytes);
/* Fetches pages until the process has fetched a multiple of sc_memory_room_pages. Where there is
 * no memory even for that, nothing is done. */
void sc_memory_room_level(size_t bytes);

#endif
