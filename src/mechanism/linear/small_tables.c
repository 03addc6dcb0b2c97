#include "mechanism/linear/small_tables.h"

void sc_small_tables_count(uint64_t bins, uint64_t rows, sc_integer *out)
{
    SC_OWN(sc_integer, divisor);
    sc_integer_set_int128(out, 1);
    for (uint64_t i = 1; i <= rows; i++) { /* every quotient is a binomial coefficient */
        sc_integer_mul_uint64(out, out, bins - 1 + i);
        sc_integer_set_uint128(&divisor, i);
        sc_integer_divide(out, NULL, out, &divisor);
    }
}

void sc_small_tables_first(int64_t *table, size_t bins, int64_t rows)
{
    for (size_t i = 0; i < bins; i++)
        table[i] = 0;
    table[0] = rows;
}

/* One row of the first bin that has any moves on, and the others of it go back to the beginning. */
bool sc_small_tables_next(int64_t *table, size_t bins)
{
    size_t at = 0;
    while (at < bins && table[at] == 0)
        at++;
    if (at + 1 >= bins)
        return false;
    const int64_t rows = table[at];
    table[at] = 0;
    table[0] = rows - 1;
    table[at + 1]++;
    return true;
}
