#include "base/workers.h"
#include "check.h"
#include "faults.h"

#include <stdatomic.h>

typedef struct shared {
    atomic_uint next, calls;
    atomic_uchar done[1000];
    unsigned failing; /* the number of a worker; beyond all: none */
} shared;

static scrim_status count_up(void *context, unsigned worker, scrim_error *error)
{
    shared *all = context;
    atomic_fetch_add(&all->calls, 1);
    for (unsigned i; (i = atomic_fetch_add(&all->next, 1)) < COUNT(all->done);)
        atomic_fetch_add(&all->done[i], 1);
    if (worker >= all->failing)
        return sc_fail(error, SCRIM_E_INPUT, "worker %u", worker);
    return SCRIM_OK;
}

TEST(workers_do_everything_once)
{
    static const unsigned numbers[] = {1, 2, 7, 64};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        shared all = {.failing = 1000};
        unsigned wrong = 0;
        scrim_error error;
        REQUIRE_OK(sc_workers_run(numbers[i], count_up, &all, &error));
        CHECK_INT(all.calls, numbers[i]);
        for (size_t j = 0; j < COUNT(all.done); j++)
            wrong += all.done[j] != 1;
        CHECK_INT(wrong, 0);
    }
}

TEST(workers_tell_of_the_first_that_failed)
{
    shared all = {.failing = 2};
    scrim_error error = {.message = ""};
    CHECK_STATUS(sc_workers_run(5, count_up, &all, &error), SCRIM_E_INPUT);
    CHECK_STR(error.message, "worker 2");
    CHECK_STATUS(sc_workers_run(0, count_up, &all, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_workers_run(SC_WORKERS_MAX + 1, count_up, &all, &error),
                 SCRIM_E_PARAM);
}

TEST(workers_survive_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        shared all = {.failing = 1000};
        scrim_error error;
        const scrim_status status = sc_workers_run(1, count_up, &all, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
    }
}
