#include "lab/attack/attack_scene.h"

#include <math.h>
#include <stdio.h>

#define NUMBER_BYTES 32

scrim_status lab_attack_no_memory(scrim_error *error)
{
    return lab_fail(error, SCRIM_E_MEMORY, "out of memory for an attack");
}

void lab_attack_tell(const lab_attack_scene *scene, uint64_t done, uint64_t total)
{
    if (scene->options->progress != NULL)
        scene->options->progress(scene->options->context, done, total);
}

void lab_attack_flip(const lab_attack_scene *scene, size_t count, unsigned char *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (unsigned char)lab_random_below(scene->random, 2);
}

scrim_status lab_attack_draw(const lab_attack_scene *scene, const char *line,
                             size_t count, int64_t *out, scrim_error *error)
{
    scrim_distribution *noise = NULL;
    const scrim_status status = scrim_distribution_parse(line, &noise, error);
    if (status == SCRIM_OK)
        lab_random_noise(scene->random, noise, count, out);
    scrim_distribution_free(noise);
    return status;
}

scrim_status lab_attack_laplace(const lab_attack_noise *noise, scrim_measurement **out,
                                scrim_error *error)
{
    char sensitivity[NUMBER_BYTES], epsilon[NUMBER_BYTES];
    (void)snprintf(sensitivity, sizeof sensitivity, "%zu", noise->sensitivity);
    (void)snprintf(epsilon, sizeof epsilon, "%g", noise->epsilon);
    return scrim_measurement_new(
        "laplace",
        SCRIM_PARAMETERS({"sensitivity", sensitivity}, {"epsilon", epsilon},
                         {"neighbours", scrim_neighbours_name(noise->neighbours)}),
        out, error);
}

scrim_status lab_attack_ledger(scrim_neighbours neighbours, double epsilon,
                               scrim_ledger **out, scrim_error *error)
{
    char text[NUMBER_BYTES];
    (void)snprintf(text, sizeof text, "%g", epsilon);
    return scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = neighbours, .epsilon = text),
        out, error);
}

scrim_status lab_attack_release(scrim_ledger *ledger,
                                const scrim_measurement *measurement,
                                const int64_t *values, size_t count, int64_t *out,
                                scrim_error *error)
{
    const scrim_input input = {.integers = values, .count = count};
    scrim_answer *answer = NULL;
    scrim_status status = scrim_release(ledger, measurement, &input, &answer, error);
    for (size_t i = 0; i < count && status == SCRIM_OK; i++)
        if (!scrim_answer_integer(answer, i, &out[i]))
            status =
                lab_fail(error, SCRIM_E_INTERNAL, "the answer is wider than 64 bits");
    scrim_answer_free(answer);
    return status;
}

/* One release that takes the whole budget of its ledger. */
static scrim_status spend_ledger(const lab_attack_noise *noise,
                                 const scrim_measurement *measurement,
                                 const int64_t *values, size_t count, int64_t *out,
                                 scrim_error *error)
{
    scrim_ledger *ledger = NULL;
    scrim_status status =
        lab_attack_ledger(noise->neighbours, noise->epsilon, &ledger, error);
    if (status == SCRIM_OK)
        status = lab_attack_release(ledger, measurement, values, count, out, error);
    scrim_ledger_free(ledger);
    return status;
}

scrim_status lab_attack_release_all(const lab_attack_noise *noise, const int64_t *values,
                                    size_t count, int64_t *out, scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    scrim_status status = lab_attack_laplace(noise, &measurement, error);
    if (status == SCRIM_OK)
        status = spend_ledger(noise, measurement, values, count, out, error);
    scrim_measurement_free(measurement);
    return status;
}

scrim_status lab_attack_guess(double epsilon, unsigned releases,
                              const unsigned char *bits, size_t count, size_t *right,
                              scrim_error *error)
{
    const lab_attack_noise noise = {1, epsilon, SCRIM_ADD_REMOVE};
    scrim_measurement *measurement = NULL;
    scrim_status status = lab_attack_laplace(&noise, &measurement, error);
    *right = 0;
    for (size_t i = 0; i < count && status == SCRIM_OK; i++) {
        const int64_t bit = bits[i];
        int64_t sum = 0, answer = 0;
        for (unsigned k = 0; k < releases && status == SCRIM_OK; k++) {
            status = spend_ledger(&noise, measurement, &bit, 1, &answer, error);
            sum += answer;
        }
        *right += (2 * sum > (int64_t)releases) == (bit != 0);
    }
    scrim_measurement_free(measurement);
    return status;
}

double lab_attack_guess_bound(double epsilon)
{
    return 1 / (1 + exp(-epsilon));
}

double lab_attack_normal(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}
