/* The largest of many numbers, without noise as wide as their range: a histogram that only ever loses
 * elements, and what is read off it.
 *
 *     cc -o read_maximum read_maximum.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <scrim.h>
#include <stdio.h>

#define PEOPLE 5000

/* Waiting times from 0 to 40 minutes, one of each person. */
static void fill(double minutes[PEOPLE])
{
    for (int i = 0; i < PEOPLE; i++)
        minutes[i] = (i * 37 % 1000) / 25.0;
}

static void show(const scrim_histogram *histogram, const char *which)
{
    scrim_statistic found;
    scrim_error error;
    if (scrim_histogram_statistic(histogram, which, &found, &error) != SCRIM_OK)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("%s: %s; %s\n", which,
               found.outcome == SCRIM_OUTCOME_EMPTY ? "nothing" : found.value,
               found.statement);
}

static scrim_status run(scrim_error *error)
{
    static double minutes[PEOPLE];
    const scrim_input input = {.reals = minutes, .count = PEOPLE};
    scrim_ledger *ledger = NULL;
    scrim_measurement *measurement = NULL;
    scrim_answer *answer = NULL;
    scrim_histogram *histogram = NULL;
    fill(minutes);
    scrim_status status = scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                                         .neighbours = SCRIM_ADD_REMOVE,
                                                         .epsilon = "1", .delta = "1e-6"),
                                           &ledger, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_new(
            "bucket-histogram",
            SCRIM_PARAMETERS({"epsilon", "1"}, {"delta", "1e-6"}, {"upper", "60"},
                             {"beta", "1"}, {"neighbours", "add-remove"}),
            &measurement, error);
    if (status == SCRIM_OK)
        status = scrim_release(ledger, measurement, &input, &answer, error);
    if (status == SCRIM_OK)
        status = scrim_histogram_new(measurement, answer, &histogram, error);
    if (status == SCRIM_OK) {
        show(histogram, "max");
        show(histogram, "quantile=9/10");
        show(histogram, "mode");
    }
    scrim_histogram_free(histogram);
    scrim_answer_free(answer);
    scrim_measurement_free(measurement);
    scrim_ledger_free(ledger);
    return status;
}

int main(void)
{
    scrim_error error;
    if (run(&error) == SCRIM_OK)
        return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
