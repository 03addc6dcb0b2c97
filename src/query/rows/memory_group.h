/* The memory that a control group of the kernel leaves. Under such a limit memory is given out whether
 * or not it is there, and the process is killed when it is touched: rows would decide whether there is an
 * answer.
 *
 * Claim  memory_group.least  what is left is that of the tightest group that the process is in, of
 *                            either version of control groups; the kernel can take back pages of files,
 *                            which count as left
 */
#ifndef SC_QUERY_MEMORY_GROUP_H
#define SC_QUERY_MEMORY_GROUP_H

#include <stdint.h>

#define SC_MEMORY_GROUP_LIST "/proc/self/cgroup"
#define SC_MEMORY_GROUP_ROOT "/sys/fs/cgroup"

/* In bytes; UINT64_MAX where there is no limit, or none is to be found. list names the groups of the
 * process, root is where their files are. */
uint64_t sc_memory_group_left(const char *list, const char *root);

#endif
