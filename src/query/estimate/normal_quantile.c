#include "query/estimate/normal_quantile.h"

#include <math.h>

/* Beyond this there is nothing that a double above 0 says. */
#define FARTHEST 39.0
#define HALVINGS 42

double sc_normal_quantile(double share)
{
    double low = -FARTHEST, high = FARTHEST;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (erfc(-middle * M_SQRT1_2) / 2 < share)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
