/* Draws exact noise and compares what came with what the law says.
 *
 *     cc draw_noise.c $(pkg-config --cflags --libs scrim) && ./a.out
 */
#include <inttypes.h>
#include <scrim.h>
#include <stdio.h>

#define DRAWS 10000

int main(void)
{
    scrim_distribution *noise = NULL;
    scrim_error error = {0};
    static int64_t draws[DRAWS];
    const scrim_wide zero = {0, 0};
    double lower, upper;
    int zeros = 0;

    if (scrim_distribution_parse("discrete-laplace scale=10", &noise, &error) !=
            SCRIM_OK ||
        scrim_distribution_draw(noise, DRAWS, draws, &error) != SCRIM_OK ||
        scrim_distribution_probability(noise, zero, zero, &lower, &upper, &error) !=
            SCRIM_OK) {
        fprintf(stderr, "%s\n", error.message);
        scrim_distribution_free(noise);
        return 1;
    }
    for (int i = 0; i < DRAWS; i++)
        zeros += draws[i] == 0;

    printf("scrim %s, %s\n", scrim_version(), scrim_distribution_text(noise));
    printf("a draw: %" PRId64 "\n", draws[0]);
    printf("zero came %d times in %d; expected between %.3f and %.3f\n", zeros, DRAWS,
           lower * DRAWS, upper * DRAWS);
    scrim_distribution_free(noise);
    return 0;
}
