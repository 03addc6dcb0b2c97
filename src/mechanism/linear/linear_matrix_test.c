#include "check.h"
#include "mechanism/linear/linear_matrix.h"
#include "mechanism_lines.h"
#include "noise_checks.h"

#include <stdio.h>

/* Marginals of a table of 2 by 3 by 2: every query is a cell of two columns, or of as many as asked for. */
TEST(linear_matrix_has_all_marginals)
{
    static const size_t sizes[] = {2, 3, 2}, counts[] = {7, 16, 12};
    for (unsigned ways = 1; ways <= 3; ways++) {
        char line[160];
        sc_linear_matrix a;
        snprintf(line, sizeof line,
                 "linear-queries bins=12 workload=marginals columns=2,3,2%s grid=1/4 "
                 "epsilon=1 neighbours=add-remove",
                 ways == 2   ? ""
                 : ways == 1 ? " ways=1"
                             : " ways=3");
        scrim_measurement *m = noise_made(line);
        REQUIRE(m != NULL);
        CHECK_INT(sc_linear_matrix_load(m, &a), counts[ways - 1]);
        size_t query = 0;
        for (unsigned set = 1; set < 8; set++) {
            size_t cells = 1;
            if ((unsigned)__builtin_popcount(set) != ways)
                continue;
            for (size_t i = 0; i < 3; i++)
                cells *= (set >> i & 1) != 0 ? sizes[i] : 1;
            for (size_t cell = 0; cell < cells; cell++, query++)
                for (size_t bin = 0; bin < 12; bin++) {
                    const size_t codes[] = {bin / 6, bin / 2 % 3, bin % 2};
                    size_t own = 0;
                    for (size_t i = 0; i < 3; i++)
                        if ((set >> i & 1) != 0)
                            own = own * sizes[i] + codes[i];
                    CHECK_INT(sc_linear_matrix_at(&a, query, bin), own == cell ? 4 : 0);
                }
        }
        CHECK_INT(query, counts[ways - 1]);
        scrim_measurement_free(m);
    }
}

TEST(linear_matrix_refuses_what_are_no_marginals)
{
    static const char *const refused[] = {
        "bins=12 workload=marginals",
        "bins=12 workload=marginals columns=2,3",
        "bins=12 workload=marginals columns=2,3,3",
        "bins=12 workload=marginals columns=2,6 ways=3",
        "bins=12 workload=marginals columns=3/2,8",
        "bins=12 workload=each columns=2,6",
        "bins=12 workload=each ways=2",
        "bins=2 coefficients=1,0 columns=2",
        "bins=1 workload=marginals columns=1,1,1,1,1,1,1,1,1",
    };
    for (size_t i = 0; i < COUNT(refused); i++) {
        char line[160];
        snprintf(line, sizeof line, "%s epsilon=1", refused[i]);
        mechanism_check_status("linear-queries", line, SCRIM_E_PARAM);
        snprintf(line, sizeof line, "%s epsilon=1 total=9 rounds=2", refused[i]);
        mechanism_check_status("mwem", line, SCRIM_E_PARAM);
    }
    mechanism_check_status("linear-queries",
                           "bins=1 workload=marginals columns=1 epsilon=1", SCRIM_OK);
}

/* Every coefficient of each workload against its definition. */
TEST(linear_matrix_has_its_workloads)
{
    for (size_t bins = 1; bins <= 5; bins++) {
        static const char *const names[] = {"prefix", "ranges", "subsets", "each"};
        for (size_t kind = 0; kind < COUNT(names); kind++) {
            char line[120];
            sc_linear_matrix a;
            snprintf(line, sizeof line,
                     "linear-queries bins=%zu workload=%s grid=1/4 epsilon=1 "
                     "neighbours=add-remove",
                     bins, names[kind]);
            scrim_measurement *m = noise_made(line);
            REQUIRE(m != NULL);
            const size_t count = sc_linear_matrix_load(m, &a);
            CHECK(!sc_linear_matrix_is_given(&a));
            CHECK_INT(count, kind == 0 || kind == 3 ? bins
                             : kind == 1            ? bins * (bins + 1) / 2
                                                    : ((size_t)1 << bins) - 1);
            size_t query = 0;
            for (size_t first = 0; first < (kind == 1 ? bins : 1); first++)
                for (size_t last = first; query < count && (kind == 2 || last < bins);
                     last++, query++)
                    for (size_t bin = 0; bin < bins; bin++) {
                        const bool is_in = kind == 2   ? ((query + 1) >> bin & 1) != 0
                                           : kind == 3 ? bin == last
                                                       : first <= bin && bin <= last;
                        CHECK_INT(sc_linear_matrix_at(&a, query, bin), is_in ? 4 : 0);
                    }
            CHECK_INT(query, count);
            scrim_measurement_free(m);
        }
    }
}
