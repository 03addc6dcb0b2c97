#include "check.h"
#include "cli/account/experiment_svg.h"
#include "cli/account/experiment_writer.h"
#include "experiment/flexible_accuracy_tape.h"
#include "faults.h"
#include "scrim/measurement.h"

#include <string.h>

static sc_output output;

static const char *buffered(void)
{
    output.bytes[output.used] = '\0';
    return output.bytes;
}

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

static scrim_experiment *run_fourth(void)
{
    scrim_experiment *found = NULL;
    scrim_error error;
    if (!CHECK_STATUS(sc_flexible_accuracy_seeded(SCRIM_OPTIONS(scrim_experiment_options,
                                                                .only = 4, .sets = 2,
                                                                .runs = 20, .workers = 1),
                                                  check_seed(), &found, &error),
                      SCRIM_OK))
        return NULL;
    return found;
}

TEST(experiment_standing_is_by_two_standard_errors)
{
    const scrim_experiment_error least = {.mean = 10, .standard_error = 3, .is_least = 1};
    const scrim_experiment_error tied = {.mean = 19.9, .standard_error = 4},
                                 behind = {.mean = 20.1, .standard_error = 4},
                                 exact = {.mean = 16.1, .standard_error = 0};
    CHECK_INT(sc_experiment_standing(&least, &least), SC_STANDING_LEAST);
    CHECK_INT(sc_experiment_standing(&tied, &least), SC_STANDING_TIED);
    CHECK_INT(sc_experiment_standing(&behind, &least), SC_STANDING_BEHIND);
    CHECK_INT(sc_experiment_standing(&exact, &least), SC_STANDING_BEHIND);
}

TEST(experiment_table_has_every_row)
{
    const sc_terminal terminal = {.columns = 80};
    scrim_experiment *found = run_fourth();
    scrim_error error;
    REQUIRE(found != NULL);
    sc_output_init(&output, -1);
    REQUIRE_OK(
        sc_experiment_write(&output, found, SCRIM_FORMAT_TABLE, &terminal, &error));
    CHECK_INT(times(buffered(), "| stlap       |"), 6);
    CHECK_INT(times(buffered(), "| choosing    |"), 6);
    CHECK(times(buffered(), "* (") >= 12); /* a least one of each error and epsilon */
    /* It is nothing but lowered bars below 0.2, and exact from 1 on. */
    CHECK(strstr(buffered(), "raw         stlap is least at 0.5, 1, 2; behind at 0.05 "
                             "(") != NULL);
    CHECK(strstr(buffered(), "flexible    stlap is least at 0.5, 1, 2; ") != NULL);
    FAULT_LOOP(fault)
    {
        const scrim_status status =
            sc_experiment_write(&output, found, SCRIM_FORMAT_TABLE, &terminal, &error);
        sc_output_init(&output, -1);
        /* Folding goes without, and leaves a line as it is. */
        CHECK(status == SCRIM_OK || (fault_hit() && status == SCRIM_E_MEMORY));
    }
    scrim_experiment_free(found);
}

TEST(experiment_svg_draws_every_curve_twice)
{
    scrim_experiment *found = run_fourth();
    REQUIRE(found != NULL);
    sc_output_init(&output, -1);
    sc_experiment_svg_write(&output, found, scrim_experiment_data_at(found, 0));
    const char *text = buffered();
    CHECK(strstr(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ") == text);
    CHECK_STR(text + strlen(text) - strlen("</svg>\n"), "</svg>\n");
    CHECK_INT(times(text, "<polyline "), 14);
    /* Marks: six on each of seven curves in two fields, and one in the key. */
    CHECK_INT(times(text, "<circle "), 13);
    CHECK_INT(times(text, "<path d="), 78);
    CHECK_INT(times(text, ">raw error, "), 1);
    CHECK_INT(times(text, ">flexible error, "), 1);
    CHECK(strstr(text, "max_500 = 50<") != NULL);
    CHECK(strstr(text, "50 bars of 540, 50 bars of 490; 40 runs, delta 2^-20") != NULL);
    CHECK(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
    CHECK_INT(times(text, "http"), 1); /* it needs nothing that is elsewhere */
    scrim_experiment_free(found);
}

/* A data set without a bar of 500 has no value to mark. */
TEST(experiment_svg_of_a_single_run)
{
    scrim_experiment *found = NULL;
    scrim_error error;
    const scrim_experiment_data *data;
    REQUIRE_OK(sc_flexible_accuracy_seeded(
        SCRIM_OPTIONS(scrim_experiment_options, .sets = 1, .runs = 1, .workers = 1),
        check_seed(), &found, &error));
    for (size_t i = 0; (data = scrim_experiment_data_at(found, i)) != NULL; i++) {
        scrim_experiment_data empty = *data;
        empty.value = 0;
        sc_output_init(&output, -1);
        sc_experiment_svg_write(&output, found, &empty);
        CHECK_INT(times(buffered(), "<polyline "), 14);
        CHECK(strstr(buffered(), " = 0<") == NULL);
    }
    CHECK(data == NULL);
    scrim_experiment_free(found);
}
