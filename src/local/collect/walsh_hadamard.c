#include "local/collect/walsh_hadamard.h"

void sc_walsh_hadamard(double *x, size_t count)
{
    for (size_t half = 1; half < count; half *= 2)
        for (size_t block = 0; block < count; block += 2 * half)
            for (size_t i = block; i < block + half; i++) {
                const double a = x[i], b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
}
