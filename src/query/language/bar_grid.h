/* Buckets of a number of a row: the multiples of a width, those that meet its public range. They are
 * what BUCKET(x, width) groups by, and depend on nothing but public numbers.
 *
 * Claim  bar-grid.tiles   every value of the range is in exactly one bucket, places are in the order
 *                         of the values, and first and last bucket are not empty of values
 * Claim  bar-grid.middle  the middle of a bucket is a value of the range, at most radius steps from
 *                         every value that the bucket has
 * Claim  bar-grid.reach   no value of the range is further from the start of its bucket than reach,
 *                         and one is as far
 */
#ifndef SC_QUERY_BAR_GRID_H
#define SC_QUERY_BAR_GRID_H

#include "base/checked.h"

/* Beyond so many buckets a question is SCRIM_E_LIMIT: a number is drawn for each of them, empty or
 * not, so that neither time nor memory tells how many there are with rows. */
#define SC_BAR_GRID_COUNT ((uint64_t)1 << 20)
/* A wider bucket than this is refused. */
#define SC_BAR_GRID_WIDTH ((int64_t)1 << 61)

typedef struct sc_bar_grid {
    int64_t low, high; /* the range, in steps */
    int64_t width;     /* of a bucket, in steps */
    int64_t first;     /* how many widths the start of the first bucket is */
    uint64_t count;
} sc_bar_grid;

/* |low|, |high| <= 2^62, low <= high; 1 <= width <= SC_BAR_GRID_WIDTH. */
sc_bar_grid sc_bar_grid_of(int64_t low, int64_t high, int64_t width);
/* The place of a value within the range, from 0 on. */
uint64_t sc_bar_grid_place(const sc_bar_grid *grid, int64_t value);
/* The first and the last value of a bucket, within the range, and the one in their middle. */
int64_t sc_bar_grid_low(const sc_bar_grid *grid, uint64_t place);
int64_t sc_bar_grid_high(const sc_bar_grid *grid, uint64_t place);
int64_t sc_bar_grid_middle(const sc_bar_grid *grid, uint64_t place);
/* The multiple of the width that a bucket begins at: its name, though the range may begin later. */
int64_t sc_bar_grid_start(const sc_bar_grid *grid, uint64_t place);
/* How far a value is from the middle of its bucket, at most: 0 for a width of 1. */
int64_t sc_bar_grid_radius(const sc_bar_grid *grid);
/* How far a value is from the start of its bucket, at most: 0 for a width of 1. */
int64_t sc_bar_grid_reach(const sc_bar_grid *grid);
/* The least width of at most so many buckets, wherever the range begins, which may be above
 * SC_BAR_GRID_WIDTH; INT64_MAX where it is more. most >= 2. */
int64_t sc_bar_grid_least_width(int64_t low, int64_t high, uint64_t most);

#endif
