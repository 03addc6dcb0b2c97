#include "check.h"
#include "mechanism/linear/small_programme.h"
#include "random/bits_tape.h"

#include <string.h>

/* 4 bins and 3 rows make 20 tables; 19 degrees of freedom: 65.4 has probability 5e-7. */
TEST(small_rejection_draws_each_table_alike)
{
    CLAIM("small-rejection.uniform");
    enum { TABLES = 20 };
    const uint64_t runs = check_count(4000, 200000);
    uint64_t seen[TABLES] = {0};
    int64_t list[TABLES][4], table[4];
    sc_tape *tape = NULL;
    sc_small_tables_first(list[0], 4, 3);
    for (size_t i = 1; i < TABLES; i++) {
        memcpy(list[i], list[i - 1], sizeof list[i]);
        CHECK(sc_small_tables_next(list[i], 4));
    }
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t k = 0; k < runs; k++) {
        REQUIRE_OK(sc_small_rejection_uniform(4, 3, sc_tape_bits_of(tape), table, NULL));
        for (size_t i = 0; i < TABLES; i++)
            seen[i] += memcmp(list[i], table, sizeof table) == 0;
    }
    double chi = 0;
    const double want = (double)runs / TABLES;
    for (size_t i = 0; i < TABLES; i++)
        chi += ((double)seen[i] - want) * ((double)seen[i] - want) / want;
    CHECK(chi < 65.4);
    sc_tape_free(tape);
}
