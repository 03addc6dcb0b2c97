#include "check.h"
#include "mechanism/linear/small_programme.h"

#include <string.h>

TEST(small_tables_come_once_each)
{
    CLAIM("small-tables.all");
    for (size_t bins = 1; bins <= 5; bins++)
        for (int64_t rows = 0; rows <= 6; rows++) {
            int64_t seen[500][5], table[5];
            uint64_t want = 0;
            size_t count = 0;
            sc_integer tables;
            sc_integer_init(&tables);
            sc_small_tables_count(bins, (uint64_t)rows, &tables);
            CHECK(sc_integer_get_uint64(&tables, &want));
            sc_small_tables_first(table, bins, rows);
            do {
                int64_t sum = 0;
                for (size_t i = 0; i < bins; i++) {
                    CHECK(table[i] >= 0);
                    sum += table[i];
                }
                CHECK_INT(sum, rows);
                for (size_t k = 0; k < count; k++)
                    CHECK(memcmp(seen[k], table, bins * sizeof *table) != 0);
                memcpy(seen[count++], table, bins * sizeof *table);
            } while (count < 500 && sc_small_tables_next(table, bins));
            CHECK_INT(count, want);
            CHECK_INT(table[bins - 1], rows);
            sc_integer_clear(&tables);
        }
}
