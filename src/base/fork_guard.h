/* Keeps a process from being copied in the middle of what a copy could not finish. SQLite keeps in the
 * memory of the process which locks it holds. A child that is forked while another thread is in a
 * transaction has a copy of that memory and not the locks: it finds the vault busy for ever. So a fork
 * waits while another thread is between enter and leave.
 *
 * Claim  fork_guard.whole  what stands between enter and leave is whole or has not begun in every child
 *                          that is made by fork (A95)
 */
#ifndef SC_BASE_FORK_GUARD_H
#define SC_BASE_FORK_GUARD_H

/* Not twice by one thread, nor may it fork in between; any number of threads at once. */
void sc_fork_guard_enter(void);
void sc_fork_guard_leave(void);

/* The same for a moment in which no other thread is waited for, in between the two above or outside of them: libcrypto
 * opens and closes a library context under a lock of its own, which a child would find held for ever. */
void sc_fork_guard_moment_enter(void);
void sc_fork_guard_moment_leave(void);

#endif
