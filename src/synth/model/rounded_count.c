#include "synth/model/rounded_count.h"

int64_t sc_rounded_count(double answer)
{
    if (!(answer > 0))
        return 0;
    if (answer >= (double)SC_SYNTH_COUNT_MAX)
        return SC_SYNTH_COUNT_MAX;
    /* Below 2^40 the difference of a double and its integer part is exact. */
    const int64_t whole = (int64_t)answer;
    return whole + (answer - (double)whole >= 0.5 ? 1 : 0);
}
