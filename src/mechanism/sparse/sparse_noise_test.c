#include "exact.h"
#include "faults.h"
#include "goodness.h"
#include "mechanism/sparse/sparse_run.h"
#include "random/bits_tape.h"

#include <string.h>

static bool noise_init(sc_sparse_noise *noise, sc_sparse_noise_kind kind,
                       const char *shape)
{
    sc_ratio value;
    exact_ratio(shape, &value);
    bool made = CHECK_STATUS(sc_sparse_noise_init(noise, kind, &value, NULL), SCRIM_OK);
    sc_ratio_clear(&value);
    return made;
}

/* Draws taken from a pool, filling after filling. */
static void check_pool(sc_sparse_noise_kind kind, const char *shape)
{
    sc_sparse_noise noise;
    static sc_sparse_pool pool;
    sc_tape *tape = NULL;
    goodness fit;
    if (!noise_init(&noise, kind, shape) ||
        !CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK))
        return;
    memset(&pool, 0, sizeof pool);
    if (goodness_init(&fit, &noise.law, GOODNESS_COARSE)) {
        for (uint64_t i = 0; i < check_count(20000, 200000); i++) {
            if (pool.left == 0 &&
                !CHECK_STATUS(sc_sparse_pool_fill(&pool, &noise, sc_tape_bits_of(tape),
                                                  SC_SPARSE_POOL, NULL),
                              SCRIM_OK))
                break;
            sc_int128 value = sc_sparse_pool_take(&pool, &noise);
            goodness_count(&fit, &value, 1);
        }
        CHECK(goodness_holds(&fit));
        goodness_clear(&fit);
    }
    CHECK_INT(pool.chunk, SC_SPARSE_POOL);
    sc_tape_free(tape);
    sc_sparse_noise_clear(&noise);
}

TEST(sparse_noise_has_its_law)
{
    check_pool(SC_SPARSE_LAPLACE, "4");
    check_pool(SC_SPARSE_LAPLACE, "1000/3");
    check_pool(SC_SPARSE_GAUSSIAN, "16");
    check_pool(SC_SPARSE_GAUSSIAN, "1e6");
    check_pool(SC_SPARSE_LAPLACE, "2^55"); /* wide */
}

TEST(sparse_noise_pool_is_wiped_as_it_is_taken)
{
    static const char *const shapes[] = {"100", "2^50"};
    for (int i = 0; i < 2; i++) {
        sc_sparse_noise noise;
        sc_sparse_pool pool, empty;
        sc_tape *tape = NULL;
        if (!noise_init(&noise, SC_SPARSE_LAPLACE, shapes[i]))
            return;
        memset(&pool, 0, sizeof pool);
        memset(&empty, 0, sizeof empty);
        REQUIRE_OK(sc_tape_seeded(1, &tape, NULL));
        REQUIRE_OK(sc_sparse_pool_fill(&pool, &noise, sc_tape_bits_of(tape), 5, NULL));
        CHECK_INT(pool.left, 5);
        CHECK(memcmp(pool.draws.wide, empty.draws.wide, sizeof empty.draws) != 0);
        while (pool.left > 0)
            (void)sc_sparse_pool_take(&pool, &noise);
        CHECK_BYTES(&pool.draws, &empty.draws, sizeof empty.draws);
        sc_tape_free(tape);
        sc_sparse_noise_clear(&noise);
    }
}

TEST(sparse_noise_pool_stays_empty_when_bits_fail)
{
    sc_sparse_noise noise;
    sc_sparse_pool pool, empty;
    const uint64_t words[] = {0x123456789abcdef0, 0xfedcba9876543210, 1, 2, 3};
    sc_tape *tape = NULL;
    if (!noise_init(&noise, SC_SPARSE_LAPLACE, "4"))
        return;
    memset(&pool, 0, sizeof pool);
    memset(&empty, 0, sizeof empty);
    REQUIRE_OK(sc_tape_words(words, 5, &tape, NULL));
    CHECK_STATUS(
        sc_sparse_pool_fill(&pool, &noise, sc_tape_bits_of(tape), SC_SPARSE_POOL, NULL),
        SCRIM_E_ENTROPY);
    CHECK_BYTES(&pool, &empty, sizeof empty);
    sc_tape_free(tape);
    sc_sparse_noise_clear(&noise);
}

TEST(sparse_noise_refuses_what_is_too_wide)
{
    sc_sparse_noise noise;
    sc_ratio shape;
    exact_ratio("2^61", &shape);
    CHECK_STATUS(sc_sparse_noise_init(&noise, SC_SPARSE_LAPLACE, &shape, NULL),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(sc_sparse_noise_init(&noise, SC_SPARSE_GAUSSIAN, &shape, NULL),
                 SCRIM_OK);
    sc_sparse_noise_clear(&noise);
    FAULT_LOOP(fault)
    {
        scrim_status status =
            sc_sparse_noise_init(&noise, SC_SPARSE_GAUSSIAN, &shape, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        if (status == SCRIM_OK)
            sc_sparse_noise_clear(&noise);
    }
    sc_ratio_clear(&shape);
}
