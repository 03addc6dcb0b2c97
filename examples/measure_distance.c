/* How far an answer may be off, and what was left out of a histogram: exact distances.
 *
 *     cc -o measure_distance measure_distance.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <scrim.h>
#include <stdio.h>

int main(void)
{
    /* The true value, and the law of a noisy one. */
    const scrim_place truth[] = {{"5", NULL}};
    const scrim_place law[] = {
        {"3", "1/8"}, {"4", "1/4"}, {"5", "1/4"}, {"6", "1/4"}, {"9", "1/8"}};
    /* A histogram, and what a mechanism showed of it. */
    const scrim_place before[] = {{"1", "30"}, {"2", "25"}, {"9", "2"}};
    const scrim_place after[] = {{"1", "27"}, {"2", "23"}};
    scrim_distance worst, mean, dropped;
    scrim_error error = {.status = SCRIM_OK};
    const scrim_distance_options *lossy =
        SCRIM_OPTIONS(scrim_distance_options, .loss = "1/8");
    const scrim_distance_options *average =
        SCRIM_OPTIONS(scrim_distance_options, .loss = "1/8", .is_average = 1);
    scrim_status status =
        scrim_distance_between("wasserstein", truth, 1, law, 5, lossy, &worst, &error);
    if (status == SCRIM_OK)
        status = scrim_distance_between("wasserstein", truth, 1, law, 5, average, &mean,
                                        &error);
    if (status == SCRIM_OK)
        status =
            scrim_distance_between("drop", before, 3, after, 2, NULL, &dropped, &error);
    if (status != SCRIM_OK) {
        fprintf(stderr, "%s\n", error.message);
        return (int)status / 10;
    }
    printf("within %s but for a probability of 1/8, %s on average\n", worst.exact,
           mean.exact);
    printf("dropped %s of the elements, %s at most\n", dropped.exact, dropped.decimal);
    return 0;
}
