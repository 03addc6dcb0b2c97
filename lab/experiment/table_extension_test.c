#include "check.h"
#include "lab/experiment/table_extension.h"

#include <math.h>
#include <string.h>

/* Every table of each universe: nothing typical changes, and no neighbours are told apart by more than epsilon. */
TEST(table_extensions_agree_and_are_private)
{
    CLAIM("table-extension.agrees");
    CLAIM("table-extension.private");
    static const struct {
        const char *line;
        size_t tables;
        double epsilon;
    } cases[] = {{"", 495, 1},
                 {"dimensions=1 side=5 rows=5 q=3/5 reach=2 epsilon=2", 126, 2},
                 {"dimensions=1 side=8 rows=4 q=1/2 spacing=2 epsilon=1/2", 330, 0.5},
                 {"dimensions=3 side=2 rows=3 q=1/2 epsilon=3", 120, 3}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        lab_extension found;
        scrim_error error = {.message = ""};
        if (!CHECK_STATUS(lab_extension_of(cases[i].line, &found, &error), SCRIM_OK)) {
            CHECK_FAIL("%s: %s", cases[i].line, error.message);
            continue;
        }
        CHECK_INT(found.tables, cases[i].tables);
        CHECK(found.typical > 0 && found.typical <= found.tables);
        CHECK_INT(found.changed, 0);
        CHECK(found.loss <= cases[i].epsilon * (1 + 1e-12));
        CHECK(found.typical_loss <= cases[i].epsilon / 2 * (1 + 1e-12));
        CHECK(found.typical_loss > 0.2 * cases[i].epsilon);
        CHECK(found.error >= found.typical_error && found.typical_error > 0);
    }
}

/* Without atypical tables the loss is that of the restricted algorithm, whose densities have one total: half of epsilon. */
TEST(table_extension_of_typical_tables_alone)
{
    CLAIM("table-extension.private");
    lab_extension found;
    REQUIRE_OK(
        lab_extension_of("dimensions=2 side=2 rows=3 q=1/2 epsilon=1", &found, NULL));
    CHECK_INT(found.typical, found.tables);
    CHECK_NEAR(found.loss, 0.5, 1e-12);
}

TEST(table_extension_refuses_large_universes)
{
    static const struct {
        const char *line;
        scrim_status status;
        const char *word;
    } cases[] = {{"rows=8", SCRIM_E_LIMIT, "too many tables"},
                 {"side=8 rows=3 dimensions=3 q=1/2", SCRIM_E_LIMIT, "too many tables"},
                 {"rows=2", SCRIM_E_PARAM, "outside of the rows"},
                 {"q=1", SCRIM_E_PARAM, "q"},
                 {"side=1", SCRIM_E_PARAM, "side"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        lab_extension found;
        scrim_error error = {.message = ""};
        CHECK_STATUS(lab_extension_of(cases[i].line, &found, &error), cases[i].status);
        if (!CHECK(strstr(error.message, cases[i].word) != NULL))
            CHECK_FAIL("%s: %s", cases[i].line, error.message);
    }
}
