#include "check.h"
#include "mechanism/linear/linear_matrix.h"
#include "noise_checks.h"

#include <stdio.h>

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
