/* What many releases cost together, before any of them is made: a hundred noisy counts and fifty
 * noisy sums, by every accountant.
 *
 *     cc -o compose_releases compose_releases.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <inttypes.h>
#include <scrim.h>
#include <stdio.h>

static void show(const scrim_bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++) {
        const scrim_bound_row *row = &bounds->rows[i];
        if (row->bounds.has_upper)
            printf("%-12s at most %.6f%s\n", row->accountant.name, row->bounds.upper_view,
                   row->is_best ? "  (best)" : "");
        else
            printf("%-12s %s\n", row->accountant.name, row->remark);
    }
    printf("epsilon lies between %s and %s\n", bounds->best.lower, bounds->best.upper);
}

int main(void)
{
    scrim_composition *parts = NULL;
    scrim_bounds bounds = {0};
    scrim_error error = {.status = SCRIM_OK};
    scrim_status status = scrim_composition_parse(
        "laplace scale=10 x100; gaussian sigma=20 x50", &parts, &error);
    if (status == SCRIM_OK) {
        printf("%" PRIu64 " releases, delta 1e-6\n", scrim_composition_releases(parts));
        status = scrim_composition_epsilon(parts, "1e-6", NULL, &bounds, &error);
    }
    if (status == SCRIM_OK)
        show(&bounds);
    else
        fprintf(stderr, "%s\n", error.message);
    scrim_bounds_clear(&bounds);
    scrim_composition_free(parts);
    return (int)status / 10;
}
