/* Allocations that fail on purpose. The test runner is linked with --wrap=malloc and its
 * kin, so that every allocation of the library can be refused in turn:
 *
 *     FAULT_LOOP(fault)
 *         status = thing_new(&thing, &error);   // must succeed, or fail and leak nothing
 *
 * The body runs with the first allocation failing, then the second, and so on, until a
 * run in which none failed any more. Behind the first hundred the short tier fails every third. */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fault_loop {
    uint64_t nth;
    bool ended;
} fault_loop;

#define FAULT_LOOP(name)                                                                 \
    for (fault_loop name = {0, false};                                                   \
         fault_next(&name);) // NOLINT(bugprone-macro-parentheses): declares

bool fault_next(fault_loop *loop);
/* Did an allocation fail since the last fault_next? */
bool fault_hit(void);
/* Allocations made through malloc, calloc and realloc by this process since it began. */
uint64_t fault_allocations(void);

#endif
