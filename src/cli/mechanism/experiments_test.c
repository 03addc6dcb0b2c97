#include "check.h"
#include "cli/mechanism/experiments.h"
#include "faults.h"
#include "random/bits_tape.h"

#include <stdlib.h>
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

static lab_experiment *run_seeded(const lab_experiment_options *options)
{
    lab_experiment *found = NULL;
    scrim_error error;
    sc_entropy_seed(check_seed());
    CHECK_STATUS(lab_flexible_accuracy(options, &found, &error), SCRIM_OK);
    sc_entropy_release();
    return found;
}

static lab_experiment *run_fourth(void)
{
    return run_seeded(&(lab_experiment_options){.only = 4, .sets = 2, .runs = 20});
}

TEST(experiment_standing_is_by_two_standard_errors)
{
    const lab_experiment_error least = {.mean = 10, .standard_error = 3, .is_least = 1};
    const lab_experiment_error tied = {.mean = 19.9, .standard_error = 4},
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
    lab_experiment *found = run_fourth();
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
    free(found);
}

TEST(experiment_svg_draws_every_curve_twice)
{
    lab_experiment *found = run_fourth();
    REQUIRE(found != NULL);
    sc_output_init(&output, -1);
    sc_experiment_svg_write(&output, found, &found->data[0], false);
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
    free(found);
}

/* A data set without a bar of 500 has no value to mark. */
TEST(experiment_svg_of_a_single_run)
{
    lab_experiment *found = run_seeded(&(lab_experiment_options){.sets = 1, .runs = 1});
    REQUIRE(found != NULL);
    for (size_t i = 0; i < found->data_count; i++) {
        lab_experiment_data empty = found->data[i];
        empty.value = 0;
        sc_output_init(&output, -1);
        sc_experiment_svg_write(&output, found, &empty, true);
        CHECK_INT(times(buffered(), "<polyline "), 14);
        CHECK(strstr(buffered(), " = 0<") == NULL);
    }
    CHECK_INT(found->data_count, 6);
    free(found);
}
