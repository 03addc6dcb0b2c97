#include "experiment/experiment_data.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

#define SIXTH "130 x 120, 200 x 5, 185 x 85, 190 x 10, 130 x 80 (height x width)"

static const sc_experiment_kind kinds[] = {
    {1,
     "max",
     {false, 1},
     100,
     "10000 Cauchy draws about 45, bars 91 to 100 empty",
     true},
    {2, "max", {false, 1}, 100, "50 bars of 1000, 50 bars of 1", false},
    {3, "max_500", {false, 500}, 100, "10000 Cauchy draws about 45", true},
    {4, "max_500", {false, 500}, 100, "50 bars of 540, 50 bars of 490", false},
    {5, "mode", {true, 1}, 30, "30 Poisson bars about 250", true},
    {6, "mode", {true, 1}, 300, SIXTH, false},
};
static const sc_experiment_kind noisy_sixth = {
    6, "mode", {true, 1}, 300, "Poisson bars about " SIXTH, true};

const sc_experiment_kind *sc_experiment_kind_of(unsigned number, bool is_noisy)
{
    if (number < 1 || number > SC_EXPERIMENTS)
        return NULL;
    return number == 6 && is_noisy ? &noisy_sixth : &kinds[number - 1];
}

scrim_status sc_real_uniform(sc_bits *bits, double *out, scrim_error *error)
{
    uint64_t word = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status == SCRIM_OK)
        *out = ((double)(word >> 11) + 0.5) * 0x1p-53;
    return status;
}

static scrim_status real_poisson(sc_bits *bits, double mean, int64_t *out,
                                 scrim_error *error)
{
    double u = 0, mass = exp(-mean), sum = mass;
    int64_t k = 0;
    scrim_status status = sc_real_uniform(bits, &u, error);
    if (status != SCRIM_OK)
        return status;
    /* Beyond ten deviations the masses no longer change the sum. */
    const int64_t end = (int64_t)(mean + 10 * sqrt(mean)) + 20;
    while (u > sum && k < end) {
        k++;
        mass *= mean / (double)k;
        sum += mass;
    }
    *out = k;
    return SCRIM_OK;
}

/* 45 + 4 tan(pi (u - 1/2)), rounded half up; what falls outside of the bars is discarded. */
static scrim_status make_cauchy(size_t last, sc_bits *bits, sc_heights *out,
                                scrim_error *error)
{
    for (int i = 0; i < 10000; i++) {
        double u = 0;
        scrim_status status = sc_real_uniform(bits, &u, error);
        if (status != SCRIM_OK)
            return status;
        const double place = floor(45 + 4 * tan(PI * (u - 0.5)) + 0.5);
        if (place >= 1 && place <= (double)last)
            out->at[(size_t)place]++;
    }
    return SCRIM_OK;
}

static void make_block(sc_heights *out, size_t first, size_t width, int64_t height)
{
    for (size_t i = first; i < first + width; i++)
        out->at[i] = height;
}

static scrim_status make_poisson(sc_bits *bits, sc_heights *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 1; i <= out->bars && status == SCRIM_OK; i++)
        status = real_poisson(bits, (double)out->at[i], &out->at[i], error);
    return status;
}

static void make_sixth(sc_heights *out)
{
    static const struct {
        int64_t height;
        size_t width;
    } blocks[] = {{130, 120}, {200, 5}, {185, 85}, {190, 10}, {130, 80}};
    size_t first = 1;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        make_block(out, first, blocks[i].width, blocks[i].height);
        first += blocks[i].width;
    }
}

scrim_status sc_experiment_make(const sc_experiment_kind *kind, sc_bits *bits,
                                sc_heights *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    out->bars = kind->bars;
    switch (kind->number) {
    case 1:
        return make_cauchy(90, bits, out, error);
    case 2:
        make_block(out, 1, 50, 1000);
        make_block(out, 51, 50, 1);
        return SCRIM_OK;
    case 3:
        return make_cauchy(100, bits, out, error);
    case 4:
        make_block(out, 1, 50, 540);
        make_block(out, 51, 50, 490);
        return SCRIM_OK;
    case 5:
        make_block(out, 1, 30, 250);
        return make_poisson(bits, out, error);
    default:
        make_sixth(out);
        return kind->is_drawn ? make_poisson(bits, out, error) : SCRIM_OK;
    }
}
