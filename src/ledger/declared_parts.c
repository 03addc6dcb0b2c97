/* The parts of a joint charge as text, and the price that follows from the text. */
#include "base/memory.h"
#include "base/text_copy.h"
#include "ledger/bundle.h"
#include "ledger/joint.h"

/* Writing. */

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_count(sc_text_sink *sink, uint64_t count)
{
    char text[SC_INT128_BYTES];
    sc_int128_format((sc_int128)count, text);
    put(sink, text);
}

static void put_all(sc_text_sink *sink, const sc_bundle *bundle)
{
    const sc_exact_cost *concentrated = sc_bundle_concentrated(bundle);
    put(sink, "arithmetic ");
    put_count(sink, SC_JOINT_ARITHMETIC);
    put(sink, "\nneighbours ");
    put(sink, scrim_neighbours_name(sc_bundle_neighbours(bundle)));
    if (sc_bundle_joint(bundle) != NULL)
        sc_ratio_put(sink, "\ndelta ", &sc_bundle_joint(bundle)->delta);
    if (concentrated != NULL) {
        sc_ratio_put(sink, "\nconcentrated ", &concentrated->epsilon);
        sc_ratio_put(sink, " ", &concentrated->delta);
    }
    for (size_t i = 0; i < sc_bundle_count(bundle); i++) {
        put(sink, "\npart ");
        put_count(sink, sc_bundle_copies(bundle, i));
        put(sink, " ");
        put(sink, scrim_measurement_text(sc_bundle_measurement(bundle, i)));
    }
    put(sink, "\n");
}

static scrim_status write_all(const char *first, const sc_bundle *bundle, char **out,
                              scrim_error *error)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put(&sink, first);
    put_all(&sink, bundle);
    const size_t bytes = sink.length + 1;
    char *text = sc_allocate(bytes, 1);
    if (text == NULL)
        return sc_no_memory(error, "the parts of a charge");
    sc_text_sink_init(&sink, text, bytes);
    put(&sink, first);
    put_all(&sink, bundle);
    *out = text;
    return SCRIM_OK;
}

scrim_status sc_declared_parts(const sc_bundle *bundle, char **out, scrim_error *error)
{
    return write_all("drawing " SC_DECLARED_DRAWING "\n", bundle, out, error);
}

scrim_status sc_declared_write(const sc_bundle *bundle, char **out, scrim_error *error)
{
    if (sc_bundle_joint(bundle) == NULL)
        return sc_fail(error, SCRIM_E_INTERNAL, "the parts have no joint cost");
    if (sc_bundle_count(bundle) > SC_DECLARED_PARTS)
        return sc_fail(error, SCRIM_E_LIMIT, "a joint charge may have at most %d parts",
                       SC_DECLARED_PARTS);
    return write_all("", bundle, out, error);
}

/* Reading. */

typedef struct reading {
    sc_text rest;
    scrim_measurement *measurements[SC_DECLARED_PARTS];
    size_t count;
    sc_bundle *bundle;
    scrim_neighbours neighbours;
    sc_ratio delta, aside_epsilon, aside_delta;
} reading;

static scrim_status refuse(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK, "these are not the parts of a joint charge");
}

/* The rest of the next line, where it begins with word and a space. */
static bool take(reading *r, const char *word, sc_text *out)
{
    sc_text line, rest, first;
    if (!sc_text_split(r->rest, '\n', &line, &rest) ||
        !sc_text_split(line, ' ', &first, out) || !sc_text_is(first, word))
        return false;
    r->rest = rest;
    return true;
}

static bool take_ratio(sc_text text, sc_ratio *out)
{
    return sc_ratio_parse(text, out, NULL) == SCRIM_OK && sc_cost_fits(out) &&
           sc_ratio_sign(out) >= 0;
}

static bool take_neighbours(reading *r)
{
    sc_text name;
    if (!take(r, "neighbours", &name))
        return false;
    for (int n = SCRIM_ADD_REMOVE; n <= SCRIM_LOCAL; n++)
        if (sc_text_is(name, scrim_neighbours_name((scrim_neighbours)n))) {
            r->neighbours = (scrim_neighbours)n;
            return true;
        }
    return false;
}

static bool take_head(reading *r)
{
    sc_text line, epsilon, delta;
    uint64_t arithmetic;
    if (!take(r, "arithmetic", &line) || !sc_text_uint64(line, &arithmetic) ||
        arithmetic != SC_JOINT_ARITHMETIC || !take_neighbours(r) ||
        !take(r, "delta", &line) || !take_ratio(line, &r->delta) ||
        sc_ratio_compare_int64(&r->delta, 1) >= 0)
        return false;
    return !take(r, "concentrated", &line) ||
           (sc_text_split(line, ' ', &epsilon, &delta) &&
            take_ratio(epsilon, &r->aside_epsilon) && take_ratio(delta, &r->aside_delta));
}

static scrim_status take_part(reading *r, sc_text line, scrim_error *error)
{
    sc_text copies, measurement;
    uint64_t count;
    size_t number;
    if (r->count == SC_DECLARED_PARTS ||
        !sc_text_split(line, ' ', &copies, &measurement) ||
        !sc_text_uint64(copies, &count))
        return refuse(error);
    char *text = sc_text_copy(measurement);
    if (text == NULL)
        return sc_no_memory(error, "the parts of a charge");
    scrim_status status =
        scrim_measurement_parse(text, &r->measurements[r->count], error);
    sc_free(text);
    if (status != SCRIM_OK)
        return status;
    r->count++;
    return sc_bundle_add(r->bundle, r->measurements[r->count - 1], count, &number, error);
}

static scrim_status read_bundle(reading *r, scrim_error *error)
{
    sc_text line;
    if (!take_head(r))
        return refuse(error);
    scrim_status status = sc_bundle_new(r->neighbours, &r->bundle, error);
    while (status == SCRIM_OK && r->rest.bytes > 0)
        status = take(r, "part", &line) ? take_part(r, line, error) : refuse(error);
    if (status == SCRIM_OK)
        status =
            sc_ratio_sign(&r->aside_delta) > 0
                ? sc_bundle_fix_at(r->bundle, &r->aside_epsilon, &r->aside_delta, error)
                : sc_bundle_fix(r->bundle, &r->aside_delta, error);
    if (status == SCRIM_OK)
        status = sc_bundle_join(r->bundle, &r->delta, error);
    if (status == SCRIM_OK && sc_bundle_joint(r->bundle) == NULL)
        status = refuse(error);
    return status;
}

/* The parts that were read are written again. */
static scrim_status check_spelling(const reading *r, sc_text text, scrim_error *error)
{
    char *again = NULL;
    scrim_status status = sc_declared_write(r->bundle, &again, error);
    if (status == SCRIM_OK && !sc_text_is(text, again))
        status = refuse(error);
    sc_free(again);
    return status;
}

scrim_status sc_declared_price(sc_text text, scrim_neighbours *neighbours,
                               sc_ratio *epsilon, sc_ratio *delta, scrim_error *error)
{
    reading *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return sc_no_memory(error, "the parts of a charge");
    r->rest = text;
    sc_ratio_init(&r->delta);
    sc_ratio_init(&r->aside_epsilon);
    sc_ratio_init(&r->aside_delta);
    scrim_status status = read_bundle(r, error);
    if (status == SCRIM_OK)
        status = check_spelling(r, text, error);
    if (status == SCRIM_OK) {
        *neighbours = r->neighbours;
        sc_ratio_set(epsilon, &sc_bundle_joint(r->bundle)->epsilon);
        sc_ratio_set(delta, &r->delta);
    }
    sc_bundle_free(r->bundle);
    for (size_t i = 0; i < r->count; i++)
        scrim_measurement_free(r->measurements[i]);
    sc_ratio_clear(&r->aside_delta);
    sc_ratio_clear(&r->aside_epsilon);
    sc_ratio_clear(&r->delta);
    sc_free(r);
    if (status == SCRIM_OK || status == SCRIM_E_MEMORY || status == SCRIM_E_CHECK)
        return status;
    return refuse(error);
}
