#include "check.h"
#include "distance/transport.h"
#include "faults.h"
#include "mass_lists.h"

TEST(masses_are_sorted_and_each_place_is_one)
{
    sc_masses x;
    mass_list("5:2 -3:1 5:4 0:1 -3:2", &x);
    CHECK_INT(x.count, 3);
    CHECK_INT(x.total, 10);
    CHECK_INT(x.list[0].place, -3);
    CHECK_INT(x.list[0].mass, 3);
    CHECK_INT(x.list[2].mass, 6);
    CHECK_INT(sc_masses_at(&x, 5), 6);
    CHECK_INT(sc_masses_at(&x, 4), 0);
    sc_masses_clear(&x);
    CHECK_INT(sc_masses_at(&x, 5), 0);
}

TEST(masses_have_limits)
{
    sc_masses x;
    sc_masses_init(&x);
    CHECK_STATUS(sc_masses_add(&x, SC_PLACE_MAX + 1, 1, NULL), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_masses_add(&x, -SC_PLACE_MAX - 1, 1, NULL), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_masses_add(&x, 1, 0, NULL), SCRIM_OK);
    CHECK_INT(x.count, 0);
    CHECK_STATUS(sc_masses_add(&x, SC_PLACE_MAX, SC_MASS_MAX, NULL), SCRIM_OK);
    CHECK_STATUS(sc_masses_add(&x, 0, 1, NULL), SCRIM_E_LIMIT);
    CHECK_INT(x.total, SC_MASS_MAX);
    sc_masses_clear(&x);
}

TEST(masses_survive_every_missing_allocation)
{
    FAULT_LOOP(fault)
    {
        sc_masses x;
        scrim_status status = SCRIM_OK;
        sc_masses_init(&x);
        for (int64_t i = 0; status == SCRIM_OK && i < 100; i++)
            status = sc_masses_add(&x, -i, 1, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_masses_sort(&x);
        sc_masses_clear(&x);
    }
}
