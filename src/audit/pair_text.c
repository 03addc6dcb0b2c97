#include "audit/pair_text.h"

#define RUN_MOST 8 /* equal numbers that are written out */

static void put_number(sc_text_sink *sink, int64_t value)
{
    char digits[SC_INT128_BYTES];
    sc_int128_format(value, digits);
    sc_text_put(sink, sc_text_of(digits));
}

static size_t run_length(const int64_t *values, size_t count)
{
    size_t length = 1;
    while (length < count && values[length] == values[0])
        length++;
    return length;
}

static void put_values(sc_text_sink *sink, const char *name, const int64_t *values,
                       size_t count)
{
    sc_text_put(sink, sc_text_of(name));
    if (count == 0)
        sc_text_put(sink, sc_text_of(" (empty)"));
    for (size_t i = 0; i < count;) {
        const size_t length = run_length(values + i, count - i);
        sc_text_put(sink, sc_text_of(" "));
        put_number(sink, values[i]);
        i += length > RUN_MOST ? length : 1;
        if (length > RUN_MOST) {
            sc_text_put(sink, sc_text_of(" ("));
            put_number(sink, (int64_t)length);
            sc_text_put(sink, sc_text_of(" times)"));
        }
    }
}

void sc_pair_put(sc_text_sink *sink, const sc_pair *pair, sc_direction direction)
{
    const bool is_back = direction == SC_BACK;
    put_values(sink, "x:", is_back ? pair->y : pair->x,
               is_back ? pair->y_count : pair->x_count);
    put_values(sink, " | y:", is_back ? pair->x : pair->y,
               is_back ? pair->x_count : pair->y_count);
}
