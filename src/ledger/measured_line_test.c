#include "base/memory.h"
#include "check.h"
#include "ledger/measured_line.h"

#include <string.h>

TEST(measured_line_gives_its_measurement_back)
{
    static const char laplace[] = "laplace sensitivity=6 epsilon=1 neighbours=add-remove";
    char *line = sc_measured_line_write(UINT64_MAX, UINT64_MAX, laplace);
    REQUIRE(line != NULL);
    CHECK_STR(line, "compare release=18446744073709551615 rows=18446744073709551615 : "
                    "laplace sensitivity=6 epsilon=1 neighbours=add-remove");
    CHECK_STR(sc_measured_line(line), laplace);
    sc_free(line);
}

TEST(measured_line_leaves_other_lines_alone)
{
    static const char *const lines[] = {
        "", "laplace sensitivity=1 epsilon=1", "compare release=1 rows=2",
        "synth method=mst : \"a\"", "query : compare release=1 : laplace"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        CHECK(sc_measured_line(lines[i]) == lines[i]);
}
