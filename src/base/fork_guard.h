/* Keeps a process from being copied in the middle of what a copy could not finish. SQLite keeps in the
 * memory of the process which locks it has: a child that is forked while another thread is in a
 * transaction believes to have them, too, and finds the vault busy for ever. Between enter and leave a
 * fork in another thread waits.
 *
 * Claim  fork_guard.whole  what stands between enter and leave is whole or has not begun in every child
 *                          that is made by fork (A95)
 */
#ifndef SC_BASE_FORK_GUARD_H
#define SC_BASE_FORK_GUARD_H

/* Not twice by one thread, nor may it fork in between; any number of threads at once. */
void sc_fork_guard_enter(void);
void sc_fork_guard_leave(void);

#endif
