#include "local/collect/count_limits.h"

#include <math.h>

/* Far in the tails both approximations are a little short; z grows by as much. */
static double widened(double z)
{
    return z * (1 + z * z / 5000);
}

/* The mean of a count that was seen is above the upper limit with the probability that a normal law has above z, and as
 * rarely below the lower one. */
static double poisson_upper(double count, double z)
{
    const double c = count + 1, root = 1 - 1 / (9 * c) + z / (3 * sqrt(c));
    return c * root * root * root;
}

static double poisson_lower(double count, double z)
{
    if (count <= 0)
        return 0;
    const double root = 1 - 1 / (9 * count) - z / (3 * sqrt(count));
    return root <= 0 ? 0 : count * root * root * root;
}

/* Adds the squares of what `count` reports of a weight can do. */
static void add_cell(sc_count_margin *squares, double count, double weight, double z)
{
    const double fewer = weight * (count - poisson_lower(count, z)),
                 more = weight * (poisson_upper(count, z) - count);
    squares->below += weight > 0 ? fewer * fewer : more * more;
    squares->above += weight > 0 ? more * more : fewer * fewer;
}

/* Reports that raise the estimate by one hit, lower it, or do neither. */
static sc_count_margin margin_of_hits(const sc_decoding *decoding, size_t value, double z)
{
    const double n = (double)decoding->reports, hits = (double)decoding->hits[value],
                 raising = (double)decoding->raising[value],
                 slope = 2 * decoding->half_a_hit, mean = hits / n,
                 lowering = raising - hits;
    sc_count_margin squares = {0, 0};
    add_cell(&squares, raising, slope * (1 - mean), z);
    add_cell(&squares, lowering, slope * (-1 - mean), z);
    add_cell(&squares, n - raising - lowering, slope * -mean, z);
    return squares;
}

static sc_count_margin margin_of_cells(const sc_decoding *decoding, size_t value,
                                       double z)
{
    const double mean = decoding->solved[value] / (double)decoding->reports;
    sc_count_margin squares = {0, 0};
    for (size_t i = 0; i < decoding->cell_count; i++)
        add_cell(&squares, decoding->cells[i],
                 decoding->weights[i * decoding->values + value] - mean, z);
    return squares;
}

sc_count_margin sc_count_margin_of(const sc_decoding *decoding, size_t value, double z)
{
    const sc_count_margin squares = decoding->raising != NULL
                                        ? margin_of_hits(decoding, value, widened(z))
                                        : margin_of_cells(decoding, value, widened(z));
    return (sc_count_margin){sqrt(squares.below), sqrt(squares.above)};
}
