#include "lab/lab.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define SUPPLY 512 /* words drawn at once: a call of the library costs more than a word */

__attribute__((format(printf, 3, 0))) static scrim_status
fill_error(scrim_error *error, scrim_status status, const char *format, va_list arguments)
{
    if (error != NULL) {
        *error = (scrim_error){.status = status};
        (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    }
    return status;
}

scrim_status lab_fail(scrim_error *error, scrim_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, format, arguments);
    va_end(arguments);
    return status;
}

scrim_status lab_fail_for(scrim_error *error, scrim_status status, scrim_reason reason,
                          const char *parameter, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, format, arguments);
    va_end(arguments);
    if (error != NULL) {
        error->reason = reason;
        (void)snprintf(error->parameter, sizeof error->parameter, "%s", parameter);
    }
    return status;
}

void *lab_allocate(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

struct lab_random {
    scrim_distribution *words; /* uniform on 64 bits */
    scrim_wide supply[SUPPLY];
    size_t left; /* words of the supply that were not handed out */
    scrim_status status;
    scrim_error error; /* if status is not SCRIM_OK */
};

scrim_status lab_random_open(lab_random **out, scrim_error *error)
{
    lab_random *random = lab_allocate(1, sizeof *random);
    if (random == NULL)
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory for a simulation");
    const scrim_status status =
        scrim_distribution_parse("uniform n=2^64", &random->words, error);
    if (status == SCRIM_OK)
        *out = random;
    else
        free(random);
    return status;
}

void lab_random_close(lab_random *random)
{
    if (random == NULL)
        return;
    scrim_distribution_free(random->words);
    free(random);
}

scrim_status lab_random_check(const lab_random *random, scrim_error *error)
{
    if (random->status != SCRIM_OK && error != NULL)
        *error = random->error;
    return random->status;
}

uint64_t lab_random_word(lab_random *random)
{
    if (random->left == 0) {
        random->left = SUPPLY;
        /* After a failure the supply holds zeros, and the failure stays. */
        if (random->status == SCRIM_OK)
            random->status = scrim_distribution_draw_wide(random->words, SUPPLY,
                                                          random->supply, &random->error);
    }
    return random->supply[--random->left].low;
}

uint64_t lab_random_below(lab_random *random, uint64_t limit)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)lab_random_word(random) * limit >> 64);
}

double lab_random_real(lab_random *random)
{
    return ((double)(lab_random_word(random) >> 11) + 0.5) * 0x1p-53;
}

void lab_random_noise(lab_random *random, scrim_distribution *noise, size_t count,
                      int64_t *out)
{
    if (random->status == SCRIM_OK)
        random->status = scrim_distribution_draw(noise, count, out, &random->error);
    if (random->status != SCRIM_OK)
        for (size_t i = 0; i < count; i++)
            out[i] = 0;
}

/* rho that the order a allows: (epsilon + (ln delta + ln(a-1) - a ln(1 - 1/a))/(a-1)) / a. */
static double rho_at(double epsilon, double delta, double a)
{
    const double rest = log(delta) + log(a - 1) - a * log1p(-1 / a);
    return (epsilon + rest / (a - 1)) / a;
}

double lab_concentrated_rho(double epsilon, double delta)
{
    /* rho has one maximum over the logarithm of a - 1; 200 thirds reach the precision of doubles. */
    double low = log(1e-6), high = log(1e9);
    for (int i = 0; i < 200; i++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (rho_at(epsilon, delta, 1 + exp(a)) < rho_at(epsilon, delta, 1 + exp(b)))
            low = a;
        else
            high = b;
    }
    return fmax(0, rho_at(epsilon, delta, 1 + exp(low)) * (1 - 1e-9));
}
