#include "sensitivities.h"

static int64_t between(const sc_ground *ground, size_t a, size_t b)
{
    return ground->between(ground->context, (int64_t)a, (int64_t)b);
}

static sc_distance span_of(int64_t value)
{
    return (sc_distance){.is_infinite = value == SC_GROUND_NONE,
                         .value = value == SC_GROUND_NONE ? 0 : (uint64_t)value};
}

sc_distance metric_sensitivity(const finite_map *map, int64_t b)
{
    int64_t most = 0;
    for (size_t x = 0; x < map->input_count; x++)
        for (size_t y = 0; y < map->input_count; y++) {
            if (between(map->input, x, y) > b)
                continue;
            const int64_t apart = between(map->output, map->image[x], map->image[y]);
            most = apart > most ? apart : most;
        }
    return span_of(most);
}

/* How far the nearest input with this output is from x. */
static int64_t nearest_source(const finite_map *map, size_t x, size_t output)
{
    int64_t nearest = SC_GROUND_NONE;
    for (size_t y = 0; y < map->input_count; y++) {
        if (map->image[y] != output)
            continue;
        const int64_t apart = between(map->input, x, y);
        nearest = apart < nearest ? apart : nearest;
    }
    return nearest;
}

sc_distance distortion_sensitivity(const finite_map *map, int64_t a)
{
    int64_t most = 0;
    for (size_t x = 0; x < map->input_count; x++)
        for (size_t output = 0; output < map->output_count; output++) {
            if (between(map->output, map->image[x], output) > a)
                continue;
            const int64_t source = nearest_source(map, x, output);
            most = source > most ? source : most;
        }
    return span_of(most);
}

/* From an output z to an input x': how far f of the best input within alpha2 of x' is from z. What
 * is not matched of X' keeps its value, so that only the pairs count. */
static int64_t error_between(const void *context, int64_t z, int64_t x_prime)
{
    const error_question *q = context;
    int64_t nearest = SC_GROUND_NONE;
    for (size_t y = 0; y < q->f->input_count; y++) {
        if (between(q->f->input, (size_t)x_prime, y) > q->alpha2)
            continue;
        const int64_t apart = between(q->f->output, q->f->image[y], (size_t)z);
        nearest = apart < nearest ? apart : nearest;
    }
    return nearest;
}

/* The law of M(X). */
static scrim_status mix(const error_question *q, sc_masses *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    uint64_t mass = 0;
    for (size_t i = 0; i < q->x->count; i++) {
        const sc_mass *at = &q->x->list[i];
        const sc_masses *law = &q->mechanism[at->place];
        if (law->total != q->mechanism[q->x->list[0].place].total)
            return sc_fail(error, SCRIM_E_PARAM,
                           "the laws of a mechanism have one total");
        for (size_t k = 0; status == SCRIM_OK && k < law->count; k++) {
            if (!sc_uint64_mul(at->mass, law->list[k].mass, &mass))
                mass = UINT64_MAX;
            status = sc_masses_add(out, law->list[k].place, mass, error);
        }
    }
    sc_masses_sort(out);
    return status;
}

scrim_status error_span(const error_question *question, sc_distance *out,
                        scrim_error *error)
{
    const sc_ground ground = {.between = error_between, .context = question};
    sc_masses mixed;
    sc_transport t;
    sc_masses_init(&mixed);
    scrim_status status = mix(question, &mixed, error);
    if (status == SCRIM_OK)
        status = sc_transport_init_laws(&t, &mixed, question->x_prime, question->gamma2,
                                        error);
    if (status == SCRIM_OK) {
        status = sc_wasserstein_radius(&t, &ground, out, error);
        sc_transport_clear(&t);
    }
    sc_masses_clear(&mixed);
    return status;
}
