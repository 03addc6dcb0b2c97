#include "attack/attack_scene.h"

#include "sampling/distribution.h"

#include <math.h>
#include <stdio.h>

#define NUMBER_BYTES 32

scrim_status sc_attack_no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for an attack");
}

void sc_attack_tell(const sc_attack_scene *scene, uint64_t done, uint64_t total)
{
    if (scene->options->progress != NULL)
        scene->options->progress(scene->options->context, done, total);
}

scrim_status sc_attack_people(const sc_attack_scene *scene, sc_public_people *out,
                              scrim_error *error)
{
    const scrim_attack_options *asked = scene->options;
    return sc_public_people_read(
        asked->file, asked->digest,
        asked->columns != NULL ? asked->columns
                               : "age,sex,race,marital_status,education,native_country",
        asked->sensitive != NULL ? asked->sensitive : "occupation", out, error);
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
                              double epsilon, scrim_ledger **out, scrim_error *error)
{
    char text[NUMBER_BYTES];
    snprintf(text, sizeof text, "%g", epsilon);
    scrim_status status = scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = neighbours, .epsilon = text),
        out, error);
    if (status == SCRIM_OK && scene->noise.bind != NULL)
        scene->noise.bind(*out, scene->noise.bits);
    return status;
}

scrim_status sc_attack_laplace(size_t sensitivity, double epsilon,
                               scrim_neighbours neighbours, scrim_measurement **out,
                               scrim_error *error)
{
    char reach[NUMBER_BYTES], price[NUMBER_BYTES];
    snprintf(reach, sizeof reach, "%zu", sensitivity);
    snprintf(price, sizeof price, "%g", epsilon);
    return scrim_measurement_new(
        "laplace",
        SCRIM_PARAMETERS({"sensitivity", reach}, {"epsilon", price},
                         {"neighbours", scrim_neighbours_name(neighbours)}),
        out, error);
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

/* From a ledger with just this budget. */
static scrim_status charge_all(const sc_attack_scene *scene,
                               const scrim_measurement *measurement,
                               scrim_neighbours neighbours, double epsilon,
                               const int64_t *values, size_t count, int64_t *out,
                               scrim_error *error)
{
    scrim_ledger *ledger = NULL;
    scrim_status status = sc_attack_ledger(scene, neighbours, epsilon, &ledger, error);
    if (status == SCRIM_OK)
        status = sc_attack_release(ledger, measurement, values, count, out, error);
    scrim_ledger_free(ledger);
    return status;
}

scrim_status sc_attack_release_all(const sc_attack_scene *scene, size_t sensitivity,
                                   double epsilon, scrim_neighbours neighbours,
                                   const int64_t *values, size_t count, int64_t *out,
                                   scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    scrim_status status =
        sc_attack_laplace(sensitivity, epsilon, neighbours, &measurement, error);
    if (status == SCRIM_OK)
        status = charge_all(scene, measurement, neighbours, epsilon, values, count, out,
                            error);
    scrim_measurement_free(measurement);
    return status;
}

scrim_status sc_attack_guess(const sc_attack_scene *scene, double epsilon,
                             unsigned releases, const unsigned char *bits, size_t count,
                             size_t *right, scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    scrim_status status =
        sc_attack_laplace(1, epsilon, SCRIM_ADD_REMOVE, &measurement, error);
    *right = 0;
    for (size_t i = 0; i < count && status == SCRIM_OK; i++) {
        const int64_t bit = bits[i];
        int64_t sum = 0, answer = 0;
        for (unsigned k = 0; k < releases && status == SCRIM_OK; k++) {
            status = charge_all(scene, measurement, SCRIM_ADD_REMOVE, epsilon, &bit, 1,
                                &answer, error);
            sum += answer;
        }
        *right += (2 * sum > (int64_t)releases) == (bit != 0);
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
