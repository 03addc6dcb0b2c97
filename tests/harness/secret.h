/* Secrets that must not steer a program: valgrind's memcheck follows undefined values, so a
 * secret that is declared undefined is reported as soon as a branch or an address depends on
 * it (the method of ctgrind).
 *
 *     TEST(selftest_secret_coin)
 *     {
 *         secret_hide(&secret, sizeof secret);
 *         coin(&secret);
 *         CHECK_INT(secret_reports(), 0);
 *     }
 *
 * It is hidden from the runner; secret_test.c runs all of this name under valgrind, which takes longer to start than they do.
 */
#ifndef SECRET_H
#define SECRET_H

#include <stdbool.h>
#include <stddef.h>

/* Runs the hidden tests whose name contains the filter under valgrind, and fails unless they
 * pass; skips, with the reason, where there is no valgrind. */
void secret_run(const char *filter);

/* From now on nothing may depend on these bytes; it may again. */
void secret_hide(void *memory, size_t bytes);
void secret_show(void *memory, size_t bytes);
/* Branches and addresses that depended on a secret since the process started. */
unsigned long secret_reports(void);

/* Is this program under valgrind, or built with a sanitizer? */
bool secret_is_instrumented(void);
bool secret_is_under_valgrind(void);
/* Bytes that were taken and not given back, where the address sanitizer counts them; else 0. */
bool secret_is_counting(void);
size_t secret_taken(void);
/* By what counts are divided where every step is watched: 1 in the build that ships. */
unsigned secret_slowness(void);

#endif
