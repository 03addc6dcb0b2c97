#include "constant_tables.h"

#include "check.h"

#include <string.h>

const constant_sample constant_samples[CONSTANT_SAMPLES] = {
    {"laplace", "10", 200, 128},     {"laplace", "1/3", 20, 64},
    {"laplace", "2^60", 3, 200},     {"laplace", "2^-60", 5, 128},
    {"laplace", "7/2", 130, 256},    {"gaussian", "25", 60, 128},
    {"gaussian", "1/4", 9, 65},      {"gaussian", "2^120", 10, 256},
    {"gaussian", "1000/3", 90, 129}, {"clamped", "10", 5, 128},
    {"clamped", "2^60", 40, 192},    {"clamped", "1", 200, 64},
    {"shifted", "1/10", 219, 32},    {"shifted", "1/2", 56, 32},
    {"shifted", "1", 1, 8},          {"shifted", "3", 80, 64},
};

scrim_status constant_sample_build(sc_constant_table *table, const constant_sample *s,
                                   scrim_error *error)
{
    sc_ratio shape;
    sc_ratio_init(&shape);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(s->shape), &shape, NULL), SCRIM_OK);
    scrim_status status;
    if (strcmp(s->law, "laplace") == 0)
        status = sc_constant_table_init_laplace(table, &shape, s->bound, s->width, error);
    else if (strcmp(s->law, "gaussian") == 0)
        status =
            sc_constant_table_init_gaussian(table, &shape, s->bound, s->width, error);
    else if (strcmp(s->law, "clamped") == 0)
        status = sc_constant_table_init_clamped(table, &shape, s->bound, s->width, error);
    else
        status = sc_constant_table_init_shifted(table, &shape, s->bound, s->width,
                                                (uint64_t)1 << 40, error);
    sc_ratio_clear(&shape);
    return status;
}

bool constant_sample_is_shifted(const constant_sample *sample)
{
    return strcmp(sample->law, "shifted") == 0;
}

void constant_table_weight_ball(const sc_constant_table *table, int64_t k, sc_ball *out)
{
    sc_integer weight;
    sc_integer_init(&weight);
    sc_constant_table_weight(table, k, &weight);
    sc_ball_set_integer(out, &weight);
    sc_integer_clear(&weight);
}
