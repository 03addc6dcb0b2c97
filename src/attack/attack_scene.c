#include "attack/attack_scene.h"

#include "sampling/sampler/distribution.h"

#include <math.h>

void sc_attack_tell(const sc_attack_scene *scene, uint64_t done, uint64_t total)
{
    if (scene->options->progress != NULL)
        scene->options->progress(scene->options->context, done, total);
}

scrim_status sc_attack_draw(const sc_attack_scene *scene, const char *line, size_t count,
                            int64_t *out, scrim_error *error)
{
    scrim_distribution *noise = NULL;
    scrim_status status = scrim_distribution_parse(line, &noise, error);
    if (status == SCRIM_OK)
        status = sc_distribution_fill(noise, scene->noise.bits, count, out, error);
    scrim_distribution_free(noise);
    return status;
}

scrim_status sc_attack_flip(const sc_attack_scene *scene, size_t count,
                            unsigned char *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < count && status == SCRIM_OK; i++) {
        uint64_t bit = 0;
        status = sc_bits_take(scene->noise.bits, 1, &bit, error);
        out[i] = (unsigned char)bit;
    }
    return status;
}

scrim_status sc_attack_ledger(const sc_attack_scene *scene, scrim_neighbours neighbours,
                              const char *epsilon, scrim_ledger **out, scrim_error *error)
{
    scrim_status status = scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = neighbours, .epsilon = epsilon),
        out, error);
    if (status == SCRIM_OK && scene->noise.bind != NULL)
        scene->noise.bind(*out, scene->noise.bits);
    return status;
}

scrim_status sc_attack_release(scrim_ledger *ledger, const scrim_measurement *measurement,
                               const int64_t *values, size_t count, int64_t *out,
                               scrim_error *error)
{
    const scrim_input input = {.integers = values, .count = count};
    scrim_answer *answer = NULL;
    scrim_status status = scrim_release(ledger, measurement, &input, &answer, error);
    for (size_t i = 0; i < count && status == SCRIM_OK; i++)
        if (!scrim_answer_integer(answer, i, &out[i]))
            status = sc_fail(error, SCRIM_E_INTERNAL, "the answer is wider than 64 bits");
    scrim_answer_free(answer);
    return status;
}

/* The sum of the answers about one bit. */
static scrim_status ask(const sc_attack_scene *scene,
                        const scrim_measurement *measurement, unsigned releases,
                        int64_t bit, int64_t *sum, scrim_error *error)
{
    scrim_ledger *ledger = NULL;
    scrim_cost cost;
    scrim_status status = scrim_measurement_cost(measurement, &cost, error);
    *sum = 0;
    for (unsigned i = 0; i < releases && status == SCRIM_OK; i++) {
        int64_t answer = 0;
        status = sc_attack_ledger(scene, cost.neighbours, cost.epsilon, &ledger, error);
        if (status == SCRIM_OK)
            status = sc_attack_release(ledger, measurement, &bit, 1, &answer, error);
        scrim_ledger_free(ledger);
        ledger = NULL;
        *sum += answer;
    }
    return status;
}

scrim_status sc_attack_guess(const sc_attack_scene *scene, const char *epsilon,
                             unsigned releases, const unsigned char *bits, size_t count,
                             size_t *right, scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    scrim_status status =
        scrim_measurement_new("laplace",
                              SCRIM_PARAMETERS({"sensitivity", "1"}, {"epsilon", epsilon},
                                               {"neighbours", "add-remove"}),
                              &measurement, error);
    *right = 0;
    for (size_t i = 0; i < count && status == SCRIM_OK; i++) {
        int64_t sum = 0;
        status = ask(scene, measurement, releases, bits[i], &sum, error);
        *right += (2 * sum > (int64_t)releases) == (bits[i] != 0);
    }
    scrim_measurement_free(measurement);
    return status;
}

double sc_attack_guess_bound(double epsilon)
{
    return 1 / (1 + exp(-epsilon));
}

double sc_attack_normal(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}
