#include "neighbour_tables.h"

#include "check.h"
#include "row_oracle.h"

#include <stdio.h>

enum { UNITS = 12, ROWS = 40 };

/* A person's row as bytes; now and then it is malformed. */
static void put_row(char *text, size_t capacity, unsigned unit, uint64_t *seed)
{
    static const char *const odd[] = {",1e300,Male,x,1e300",
                                      ",-5,Female,\"",
                                      ",,,,",
                                      ",nan,Ma\"le,\xff\xfe,inf",
                                      ",99999999999999999999999,Male,Ulm,-1",
                                      ",3,Male,Ulm,4,5,6,7",
                                      "\",3,Male,Ulm,4"};
    static const char *const cities[] = {"Ulm", "Bonn", "Rome", "Rome;Ulm",
                                         "Ulm;;Bonn;Ulm;Rome;Oslo"};
    if (row_random(seed, 6) == 0)
        snprintf(text, capacity, "%u%s\n", unit, odd[row_random(seed, COUNT(odd))]);
    else
        snprintf(text, capacity, "%u,%u,%s,%s,%u.%02u\n", unit,
                 (unsigned)row_random(seed, 121),
                 row_random(seed, 2) == 0 ? "Female" : "Male",
                 cities[row_random(seed, COUNT(cities))],
                 (unsigned)row_random(seed, 1000), (unsigned)row_random(seed, 100));
}

void neighbour_tables(char *first, char *second, bool is_row, bool is_replaced,
                      uint64_t *seed)
{
    static const char header[] = "person,age,sex,city,income\n";
    size_t a = (size_t)snprintf(first, NEIGHBOUR_BYTES, "%s", header),
           b = (size_t)snprintf(second, NEIGHBOUR_BYTES, "%s", header);
    const size_t rows = 1 + row_random(seed, ROWS), victim = row_random(seed, rows);
    for (size_t i = 0; i < rows; i++) {
        char row[100];
        const unsigned unit =
            is_row ? (i == victim ? 0 : 1) : (unsigned)row_random(seed, UNITS);
        put_row(row, sizeof row, unit, seed);
        a += (size_t)snprintf(first + a, NEIGHBOUR_BYTES - a, "%s", row);
        if (unit == 0 && !is_replaced)
            continue;
        if (unit == 0)
            put_row(row, sizeof row, unit, seed);
        b += (size_t)snprintf(second + b, NEIGHBOUR_BYTES - b, "%s", row);
    }
}
