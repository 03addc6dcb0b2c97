#include "query/language/rung.h"

int64_t sc_rung_value(int64_t rung)
{
    static const int64_t digits[] = {1, 2, 5};
    const int64_t place = (rung < 0 ? -rung : rung) - 1;
    if (rung == 0)
        return 0;
    int64_t value = digits[place % 3];
    for (int64_t i = 0; i < place / 3; i++)
        value *= 10;
    return rung < 0 ? -value : value;
}

int64_t sc_rung_of(int64_t value)
{
    const int64_t distance = value < 0 ? -value : value;
    int64_t rung = 0;
    while (sc_rung_value(rung) < distance)
        rung++;
    return value < 0 ? -rung : rung;
}

int64_t sc_rung_last(int64_t rung)
{
    return rung >= 0 ? sc_rung_value(rung) : sc_rung_value(rung + 1) - 1;
}
