/* Which mechanisms have their statements of accuracy simulated by accuracy_simulated_test.c. */
#ifndef SC_TEST_ACCURACY_SIMULATED_H
#define SC_TEST_ACCURACY_SIMULATED_H

#include <stdbool.h>

bool accuracy_is_simulated(const char *mechanism);

#endif
