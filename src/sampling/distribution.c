/* The doubles here are views: bounds of a law, rounded outwards by base/number/ball. */
#include "sampling/distribution.h"

#include "base/memory.h"
#include "random/bits_system.h"

#include <stdatomic.h>
#include <string.h>

#define CHUNK 256
#define NAMES_MAX 64 /* kinds that a name is looked for among */

const scrim_distribution_entry *scrim_distribution_at(size_t index)
{
    const sc_distribution_kind *kind = sc_distribution_kind_at(index);
    return kind == NULL ? NULL : &kind->entry;
}

/* Making one. */

/* The end of a name, as in "laplace" for "discrete-laplace"; NULL: of none. */
static const char *longer_name(sc_text name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *end = strrchr(names[i], '-');
        if (end != NULL && sc_text_is(name, end + 1))
            return names[i];
    }
    return NULL;
}

/* NULL, with SCRIM_E_PARAM, when the name is unknown. */
static const sc_distribution_kind *find_kind(sc_text name, scrim_error *error)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    const sc_distribution_kind *kind;
    for (; (kind = sc_distribution_kind_at(count)) != NULL && count < NAMES_MAX;
         count++) {
        if (sc_text_is(name, kind->entry.name))
            return kind;
        names[count] = kind->entry.name;
    }
    char quote[SC_TEXT_QUOTE_BYTES];
    const char *longer = longer_name(name, names, count);
    const char *nearest = longer != NULL ? longer : sc_text_nearest(name, names, count);
    sc_text_quote(name, quote);
    if (nearest != NULL)
        (void)sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "distribution",
                          "unknown distribution '%s'; did you mean '%s'?", quote,
                          nearest);
    else
        (void)sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "distribution",
                          "unknown distribution '%s'", quote);
    return NULL;
}

/* The law's shape and bound, and the reference implementation's fraction, from the parameters. */
static scrim_status set_law(scrim_distribution *d, scrim_error *error)
{
    const sc_distribution_kind *kind = d->kind;
    const sc_ratio *shape =
        kind->shape == NULL ? NULL : sc_parameters_get(&d->parameters, kind->shape);
    sc_int128 bound = 0;
    if (kind->bound != NULL) {
        SC_OWN(sc_integer, whole);
        sc_ratio_numerator(sc_parameters_get(&d->parameters, kind->bound), &whole);
        bool fits = sc_integer_get_int128(&whole, &bound);
        if (!fits)
            return sc_fail(error, SCRIM_E_INTERNAL,
                           "a bound passed its check and is too wide");
    }
    sc_law_init(&d->law, kind->law, shape, bound);
    sc_fraction_init(&d->parts, &d->law.shape);
    if (kind->shape_is_rate) {
        sc_fraction swapped;
        sc_fraction_init_integers(&swapped, &d->parts.d, &d->parts.n);
        sc_fraction_clear(&d->parts);
        d->parts = swapped;
    }
    return SCRIM_OK;
}

static scrim_status set_text(scrim_distribution *d, scrim_error *error)
{
    size_t bytes = sc_parameters_format(&d->parameters, d->kind->entry.name, NULL, 0) + 1;
    d->text = sc_allocate(bytes, 1);
    if (d->text == NULL)
        return sc_no_memory(error, "a distribution");
    sc_parameters_format(&d->parameters, d->kind->entry.name, d->text, bytes);
    return SCRIM_OK;
}

static scrim_status build(scrim_distribution *d, sc_text rest, scrim_error *error)
{
    scrim_status status = sc_parameters_parse(&d->parameters, rest, error);
    if (status == SCRIM_OK)
        status = set_law(d, error);
    if (status != SCRIM_OK)
        return status;
    d->is_narrow = true;
    status = d->kind->prepare(d, error);
    d->is_prepared = status == SCRIM_OK;
    return status == SCRIM_OK ? set_text(d, error) : status;
}

scrim_status scrim_distribution_parse(const char *text, scrim_distribution **out,
                                      scrim_error *error)
{
    SC_REQUIRE(error, "text out", text, out);
    sc_text name, rest;
    if (text == NULL || !sc_parameters_line(sc_text_of(text), &name, &rest))
        return sc_fail_for(
            error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "line",
            "name a distribution by a line such as 'discrete-laplace scale=10'");
    const sc_distribution_kind *kind = find_kind(name, error);
    if (kind == NULL)
        return SCRIM_E_PARAM;
    scrim_distribution *d = sc_allocate(1, sizeof *d);
    if (d == NULL)
        return sc_no_memory(error, "a distribution");
    d->kind = kind;
    sc_parameters_init(&d->parameters, kind->parameters, kind->parameter_count);
    scrim_status status = build(d, rest, error);
    if (status == SCRIM_OK)
        *out = d;
    else
        scrim_distribution_free(d);
    return status;
}

void scrim_distribution_free(scrim_distribution *d)
{
    if (d == NULL)
        return;
    if (d->is_prepared)
        d->kind->discard(d);
    if (d->law.functions != NULL) {
        sc_law_clear(&d->law);
        sc_fraction_clear(&d->parts);
    }
    sc_parameters_clear(&d->parameters);
    sc_bits_system_close(d->kept);
    sc_free(d->text);
    sc_free_wiped(d, sizeof *d);
}

const char *scrim_distribution_text(const scrim_distribution *d)
{
    return d->text;
}

int scrim_distribution_is_narrow(const scrim_distribution *d)
{
    return d->is_narrow;
}

/* Drawing. */

typedef scrim_status draw_one(const scrim_distribution *d, sc_bits *bits, sc_int128 *out,
                              scrim_error *error);

static scrim_status draw_each(draw_one *one, const scrim_distribution *d, sc_bits *bits,
                              size_t count, sc_int128 *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = one(d, bits, &out[i], error);
    return status;
}

scrim_status sc_distribution_reference(const scrim_distribution *d, sc_bits *bits,
                                       size_t count, sc_int128 *out, scrim_error *error)
{
    if (d->kind->reference_fill != NULL)
        return d->kind->reference_fill(d, bits, count, out, error);
    return draw_each(d->kind->reference, d, bits, count, out, error);
}

scrim_status sc_distribution_fill_wide(const scrim_distribution *d, sc_bits *bits,
                                       size_t count, sc_int128 *out, scrim_error *error)
{
    return draw_each(d->kind->fast, d, bits, count, out, error);
}

scrim_status sc_distribution_fill(const scrim_distribution *d, sc_bits *bits,
                                  size_t count, int64_t *out, scrim_error *error)
{
    if (!d->is_narrow)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a draw of '%.100s' may not fit 64 bits; ask for wide ones",
                       d->text);
    if (d->kind->fill != NULL)
        return d->kind->fill(d, bits, count, out, error);
    for (size_t i = 0; i < count; i++) {
        sc_int128 value = 0;
        scrim_status status = d->kind->fast(d, bits, &value, error);
        if (status != SCRIM_OK)
            return status;
        out[i] = (int64_t)value;
    }
    return SCRIM_OK;
}

/* A source for one call, with fresh entropy from the kernel, so that a process that is copied or
 * restored between two calls repeats nothing. */
static scrim_status take_bits(scrim_distribution *d, sc_bits **out, scrim_error *error)
{
    if (d->tape != NULL) {
        *out = d->tape;
        return SCRIM_OK;
    }
    *out = atomic_exchange(&d->kept, NULL);
    return *out == NULL ? sc_bits_system_open(out, error)
                        : sc_bits_system_renew(*out, error);
}

static void put_bits_back(scrim_distribution *d, sc_bits *bits)
{
    if (bits != d->tape)
        sc_bits_system_close(atomic_exchange(&d->kept, bits));
}

scrim_status scrim_distribution_draw(scrim_distribution *d, size_t count, int64_t *out,
                                     scrim_error *error)
{
    SC_REQUIRE(error, "distribution out", d, out);
    scrim_status status = SCRIM_OK;
    sc_bits *bits = NULL;
    if (d->is_narrow)
        status = take_bits(d, &bits, error);
    if (status == SCRIM_OK)
        status = sc_distribution_fill(d, bits, count, out, error);
    put_bits_back(d, bits);
    if (status != SCRIM_OK)
        sc_wipe(out, count * sizeof *out);
    return status;
}

scrim_status scrim_distribution_draw_wide(scrim_distribution *d, size_t count,
                                          scrim_wide *out, scrim_error *error)
{
    SC_REQUIRE(error, "distribution", d);
    sc_int128 chunk[CHUNK];
    sc_bits *bits = NULL;
    scrim_status status = take_bits(d, &bits, error);
    for (size_t done = 0; status == SCRIM_OK && done < count;) {
        size_t part = count - done < CHUNK ? count - done : CHUNK;
        status = sc_distribution_fill_wide(d, bits, part, chunk, error);
        for (size_t i = 0; status == SCRIM_OK && i < part; i++) {
            out[done + i].low = (uint64_t)chunk[i];
            out[done + i].high = (int64_t)(chunk[i] >> 64);
        }
        done += part;
    }
    put_bits_back(d, bits);
    sc_wipe(chunk, sizeof chunk);
    if (status != SCRIM_OK)
        sc_wipe(out, count * sizeof *out);
    return status;
}

/* The law. */

static sc_int128 of_wide(scrim_wide value)
{
    return (sc_int128)((sc_uint128)(uint64_t)value.high << 64 | value.low);
}

size_t scrim_wide_format(scrim_wide value, char text[SCRIM_WIDE_BYTES])
{
    return sc_int128_format(of_wide(value), text);
}

/* Ends of a range are cut to +-2^120; no draw gets there. */
static sc_int128 cut(sc_int128 value)
{
    const sc_int128 far = (sc_int128)1 << 120;
    return value > far ? far : value < -far ? -far : value;
}

scrim_status scrim_distribution_probability(const scrim_distribution *d, scrim_wide low,
                                            scrim_wide high, double *lower, double *upper,
                                            scrim_error *error)
{
    SC_REQUIRE(error, "distribution lower upper", d, lower, upper);
    (void)error;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, value);
    for (long bits = 128; bits <= 2048; bits *= 4) {
        sc_law_between(&d->law, cut(of_wide(low)), cut(of_wide(high)), bits, &value);
        if (sc_ball_is_accurate(&value, 60))
            break;
    }
    sc_ball_cut_unit(&value);
    *lower = sc_ball_lower(&value);
    *upper = sc_ball_upper(&value);
    return SCRIM_OK;
}

scrim_status scrim_distribution_quantile(const scrim_distribution *d, const char *p,
                                         scrim_wide *out, scrim_error *error)
{
    SC_REQUIRE(error, "distribution out", d, out);
    sc_int128 value = 0;
    SC_OWN(sc_ratio, exact);
    SC_TRY(sc_ratio_parse(sc_text_of(p), &exact, error));
    SC_TRY(sc_law_quantile(&d->law, &exact, &value, error));
    out->low = (uint64_t)value;
    out->high = (int64_t)(value >> 64);
    return SCRIM_OK;
}

scrim_status scrim_distribution_moments(const scrim_distribution *d, scrim_moments *out,
                                        scrim_error *error)
{
    SC_REQUIRE(error, "distribution out", d, out);
    (void)error;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, value);
    sc_law_mean(&d->law, 128, &value);
    out->mean_lower = sc_ball_lower(&value);
    out->mean_upper = sc_ball_upper(&value);
    sc_law_variance(&d->law, 128, &value);
    out->variance_lower = sc_ball_lower(&value);
    out->variance_upper = sc_ball_upper(&value);
    return SCRIM_OK;
}
