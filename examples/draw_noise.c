/* Ten draws of exact noise, and the range that 95 % of all draws fall into.
 *
 *     cc -o draw_noise draw_noise.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <inttypes.h>
#include <scrim.h>
#include <stdio.h>

#define DRAWS 10

static scrim_status show_noise(scrim_distribution *noise, scrim_error *error)
{
    int64_t draws[DRAWS];
    scrim_wide low, high;
    char low_text[SCRIM_WIDE_BYTES], high_text[SCRIM_WIDE_BYTES];

    scrim_status status = scrim_distribution_draw(noise, DRAWS, draws, error);
    if (status == SCRIM_OK)
        status = scrim_distribution_quantile(noise, "0.025", &low, error);
    if (status == SCRIM_OK)
        status = scrim_distribution_quantile(noise, "0.975", &high, error);
    if (status != SCRIM_OK)
        return status;

    for (size_t i = 0; i < DRAWS; i++)
        printf("%" PRId64 "\n", draws[i]);
    scrim_wide_format(low, low_text);
    scrim_wide_format(high, high_text);
    printf("95 %% of draws from %s are in %s..%s\n", scrim_distribution_text(noise),
           low_text, high_text);
    return SCRIM_OK;
}

int main(void)
{
    scrim_error error;
    scrim_distribution *noise = NULL;
    /* Numbers are text, so that 0.1 would be 1/10. */
    scrim_status status =
        scrim_distribution_parse("discrete-laplace scale=10", &noise, &error);
    if (status == SCRIM_OK)
        status = show_noise(noise, &error);
    scrim_distribution_free(noise);
    if (status != SCRIM_OK)
        fprintf(stderr, "noise: %s\n", error.message);
    return (int)status / 10;
}
