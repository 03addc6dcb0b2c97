#include "exact.h"
#include "faults.h"
#include "synth/rounds/workload.h"

static const sc_synth_columns columns = {.count = 4, .sizes = {2, 3, 4, 5}};

static uint64_t weight_of(const sc_candidates *c, sc_clique clique)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].clique == clique)
            return c->list[i].weight;
    return 0;
}

/* All pairs of four columns: a pair has 2 + 2 * 2 in common with them, a column 3; divided by 3. */
TEST(workload_of_all_pairs)
{
    CLAIM("workload.whole");
    sc_candidates c = {.count = 0};
    REQUIRE_OK(
        sc_candidates_make(&columns, &(sc_workload){.cliques = NULL}, 1 << 20, &c, NULL));
    CHECK_INT(c.count, 10);
    CHECK_INT(c.most, 2);
    CHECK_INT(c.cells, 2 + 3 + 4 + 5 + 6 + 8 + 10 + 12 + 15 + 20);
    for (size_t i = 0; i < c.count; i++) {
        CHECK_INT(c.list[i].weight, sc_clique_count(c.list[i].clique));
        CHECK_INT(c.list[i].cells, sc_clique_cells(&columns, c.list[i].clique));
        CHECK(i == 0 || c.list[i].clique > c.list[i - 1].clique);
    }
    sc_candidates_clear(&c);
    /* pairs that are too large are not candidates; a single column always is */
    REQUIRE_OK(
        sc_candidates_make(&columns, &(sc_workload){.cliques = NULL}, 6, &c, NULL));
    CHECK_INT(c.count, 5);
    sc_candidates_clear(&c);
    const sc_synth_columns one = {.count = 1, .sizes = {7}};
    REQUIRE_OK(sc_candidates_make(&one, &(sc_workload){.cliques = NULL}, 6, &c, NULL));
    CHECK_INT(c.count, 1);
    CHECK_INT(c.most, 1);
    sc_candidates_clear(&c);
}

/* Weights 5/4 of {0,1} and 1/2 of {1,2,3}, in quarters 5 and 2: whole before they are multiplied. */
TEST(workload_brings_weights_to_whole_numbers)
{
    CLAIM("workload.whole");
    const sc_clique cliques[] = {3, 14};
    sc_ratio weights[2];
    sc_candidates c = {.count = 0};
    exact_ratio("5/4", &weights[0]);
    exact_ratio("1/2", &weights[1]);
    const sc_workload w = {.cliques = cliques, .weights = weights, .count = 2};
    REQUIRE_OK(sc_candidates_make(&columns, &w, 1 << 20, &c, NULL));
    CHECK_INT(c.count, 3 + 7 - 1);
    CHECK_INT(weight_of(&c, 1), 5);
    CHECK_INT(weight_of(&c, 2), 7);
    CHECK_INT(weight_of(&c, 3), 12);
    CHECK_INT(weight_of(&c, 4), 2);
    CHECK_INT(weight_of(&c, 14), 5 + 6);
    CHECK_INT(c.most, 12);
    sc_candidates_clear(&c);
    /* 4/3 and 2/3: 2 and 1, and those of {2, 3} alone, weight 0, are dropped */
    const sc_clique apart[] = {3, 12};
    sc_ratio_clear(&weights[0]);
    sc_ratio_clear(&weights[1]);
    exact_ratio("4/3", &weights[0]);
    exact_ratio("0", &weights[1]);
    const sc_workload some = {.cliques = apart, .weights = weights, .count = 2};
    REQUIRE_OK(sc_candidates_make(&columns, &some, 1 << 20, &c, NULL));
    CHECK_INT(c.count, 3);
    CHECK_INT(weight_of(&c, 3), 2);
    CHECK_INT(weight_of(&c, 1), 1);
    sc_candidates_clear(&c);
    sc_ratio_clear(&weights[0]);
    sc_ratio_clear(&weights[1]);
}

static void check_refused(sc_clique clique, const char *weight, scrim_status status)
{
    sc_candidates c = {.count = 0};
    sc_ratio w;
    exact_ratio(weight, &w);
    CHECK_STATUS(
        sc_candidates_make(&columns,
                           &(sc_workload){.cliques = &clique, .weights = &w, .count = 1},
                           1 << 20, &c, NULL),
        status);
    CHECK(c.list == NULL);
    sc_ratio_clear(&w);
}

TEST(workload_refuses_what_is_none)
{
    check_refused(0, "1", SCRIM_E_PARAM);
    check_refused(16, "1", SCRIM_E_PARAM);
    check_refused(3, "0", SCRIM_E_PARAM);
    check_refused(3, "-1", SCRIM_E_PARAM);
    check_refused(3, "1/1048577", SCRIM_E_PARAM);
    check_refused(3, "1048577", SCRIM_E_PARAM);
    int made = 0;
    FAULT_LOOP(fault)
    {
        sc_candidates c = {.count = 0};
        const scrim_status status = sc_candidates_make(
            &columns, &(sc_workload){.cliques = NULL}, 1 << 20, &c, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        made += status == SCRIM_OK;
        sc_candidates_clear(&c);
    }
    CHECK_INT(made, 1);
}
