#include "mechanism/local/local_mechanism.h"

#include "base/memory.h"
#include "local/device/kind.h"
#include "mechanism/local/declared_distances.h"
#include "mechanism/local/report_law.h"
#include "model/certificate.h"
#include "model/support_radius.h"

#include <string.h>

const sc_local_state *sc_local_state_of(const scrim_measurement *m)
{
    return m->state;
}

/* Parameters. */

static uint32_t protocol_of(const char *name)
{
    uint32_t id = SCRIM_LOCAL_RESPONSE;
    while (id < SCRIM_LOCAL_CONDENSED &&
           (scrim_local_protocol_name(id) == NULL ||
            strcmp(scrim_local_protocol_name(id), name) != 0))
        id++;
    return id;
}

static void read_members(const scrim_measurement *m, scrim_local_config *c)
{
    const struct {
        const char *name;
        uint32_t *member;
    } members[] = {{"values", &c->values},  {"field", &c->field}, {"chosen", &c->chosen},
                   {"blocks", &c->blocks},  {"width", &c->width}, {"text", &c->text},
                   {"cells", &c->cells},    {"bits", &c->bits},   {"hashes", &c->hashes},
                   {"cohorts", &c->cohorts}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        *members[i].member = (uint32_t)sc_measurement_integer(m, members[i].name, 0);
}

/* A probability in parts of 2^32, rounded down. */
static uint32_t parts_of(const scrim_measurement *m, const char *name)
{
    const sc_ratio *value = sc_measurement_get(m, name);
    uint64_t parts = 0;
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&scaled, (int64_t)1 << 32);
    if (value == NULL)
        return 0;
    sc_ratio_mul(&scaled, &scaled, value);
    sc_ratio_floor(&scaled, &whole);
    return sc_integer_get_uint64(&whole, &parts) ? (uint32_t)parts : 0;
}

/* One bit a value of a list, or a Bloom filter of a text. */
static void complete_rappor(scrim_local_config *c)
{
    const bool is_text = c->text > 0;
    c->bits = c->bits > 0 ? c->bits : is_text ? 128 : c->values;
    c->hashes = c->hashes > 0 ? c->hashes : is_text ? 2 : 0;
    c->cohorts = c->cohorts > 0 ? c->cohorts : 1;
}

/* Numbers of the input: a text is one, its first byte the highest. */
#define TEXT_BYTES 7

static uint64_t values_of(const scrim_local_config *c)
{
    return c->values > 0          ? c->values
           : c->text > TEXT_BYTES ? (uint64_t)1 << 8 * TEXT_BYTES
                                  : (uint64_t)1 << 8 * c->text;
}

/* A configuration that the device accepts. */
static scrim_status make_config(const scrim_measurement *m, const sc_ratio *asked,
                                sc_local_state *state, scrim_error *error)
{
    scrim_local_config *c = &state->config;
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    *c = (scrim_local_config){.question = "catalogue",
                              .protocol = protocol_of(m->mechanism->entry.name)};
    read_members(m, c);
    SC_TRY(sc_declared_distances(&m->parameters, c, state->table, error));
    c->flip = parts_of(m, "flip");
    c->p = parts_of(m, "p");
    c->q = parts_of(m, "q");
    c->epoch = sc_measurement_has(m, "reports");
    if (c->cells != 0 &&
        (c->cells < 2 || c->cells > 65536 || (c->cells & (c->cells - 1)) != 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "cells",
                           "cells must be a power of two from 2 to 65536");
    if (c->protocol == SCRIM_LOCAL_RAPPOR)
        complete_rappor(c);
    scrim_status status = SCRIM_OK;
    if (sc_measurement_get(m, "alpha") != NULL)
        status = sc_protocol_choose_alpha(c, sc_measurement_get(m, "alpha"), error);
    if (status == SCRIM_OK)
        status = sc_protocol_choose(c, asked, sc_measurement_get(m, "first"), error);
    if (status != SCRIM_OK)
        return status;
    const scrim_local_status made = scrim_local_config_format(c, text);
    if (made == SCRIM_LOCAL_OK)
        return SCRIM_OK;
    return sc_fail_for(
        error, made == SCRIM_LOCAL_E_LIMIT ? SCRIM_E_LIMIT : SCRIM_E_PARAM,
        SCRIM_REASON_RANGE, "values",
        "%s: these parameters are not allowed together; use fewer values, or "
        "leave the optional ones out",
        m->mechanism->entry.name);
}

#define LARGEST 8 /* epsilon */

static int64_t largest_distance(const scrim_measurement *m)
{
    size_t count = 0;
    const sc_ratio *items = sc_parameters_items(&m->parameters, "distances", &count);
    SC_OWN(sc_ratio, most);
    SC_OWN(sc_integer, whole);
    uint64_t found = 0;
    sc_ratio_set_int64(&most, sc_measurement_integer(m, "values", 2) - 1);
    for (size_t i = 0; items != NULL && i < count; i++)
        if (i == 0 || sc_ratio_compare(&items[i], &most) > 0)
            sc_ratio_set(&most, &items[i]);
    sc_ratio_ceil(&most, &whole);
    return sc_integer_get_uint64(&whole, &found) ? (int64_t)found : INT64_MAX;
}

/* The epsilon of a report: as given, or alpha times the largest distance. */
static scrim_status find_asked(const scrim_measurement *m, sc_ratio *out,
                               scrim_error *error)
{
    const sc_ratio *alpha = sc_measurement_get(m, "alpha");
    static const char *const either[] = {"epsilon", "alpha", NULL};
    if (sc_measurement_has(m, "alpha"))
        SC_TRY(sc_measurement_one_of(m, either, error));
    if (alpha == NULL) {
        sc_ratio_set(out, sc_measurement_get(m, "epsilon"));
        return SCRIM_OK;
    }
    sc_ratio_set_int64(out, largest_distance(m));
    sc_ratio_mul(out, out, alpha);
    if (sc_ratio_compare_int64(out, LARGEST) > 0)
        return sc_fail_for(
            error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "alpha",
            "alpha times the largest distance (values less 1) is the epsilon of "
            "a report, which must be at most %d",
            LARGEST);
    return SCRIM_OK;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_local_state *state = sc_allocate(1, sizeof *state);
    if (state == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = state;
    sc_ratio_init(&state->asked);
    scrim_status status = find_asked(m, &state->asked, error);
    if (status == SCRIM_OK)
        status = make_config(m, &state->asked, state, error);
    if (status != SCRIM_OK)
        return status;
    state->reports = (uint64_t)sc_measurement_integer(m, "reports", 1);
    state->bytes = scrim_local_report_bytes(&state->config);
    state->numbers = (state->bytes + 3) / 4;
    SC_OWN(sc_ratio, lower, upper);
    sc_ratio_set_int64(&upper, (int64_t)values_of(&state->config) - 1);
    return sc_domain_set_grid(&m->domain, NULL, &lower, &upper, error);
}

static void discard(scrim_measurement *m)
{
    sc_local_state *state = m->state;
    if (state != NULL)
        sc_ratio_clear(&state->asked);
    sc_free(state);
}

/* The cost of the reports, not the epsilon asked for; rounded up, but not above that. A
 * configuration that costs more is refused. */
static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_local_state *state = sc_local_state_of(m);
    const sc_ratio *asked = &state->asked;
    SC_OWN(sc_ratio, epsilon);
    SC_OWN(sc_ball, exact, most);
    sc_protocol_loss(&state->config, state->reports, 256, &exact);
    sc_ball_set_ratio(&most, asked, 256);
    if (!sc_ball_is_less_equal(&exact, &most) || !sc_cost_round_up_ball(&exact, &epsilon))
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "a report costs more than the epsilon that was asked for");
    sc_cost_set_pure(out, sc_ratio_compare(&epsilon, asked) > 0 ? asked : &epsilon);
    return SCRIM_OK;
}

/* Accuracy. */

/* span sqrt(ln(2k/beta) / (2n)), by Hoeffding: what a report adds to each of k estimates lies within a span,
 * whatever its device holds. */
static void radius_of(const sc_ratio *span, uint64_t estimates, const sc_ratio *beta,
                      size_t count, sc_ball *out)
{
    const long bits = 256;
    SC_OWN(sc_ball, part);
    sc_ball_set_int64(out, 2 * (int64_t)estimates);
    sc_ball_set_ratio(&part, beta, bits);
    sc_ball_div(out, out, &part, bits);
    sc_ball_log(out, out, bits);
    sc_ball_set_int128(&part, 2 * (sc_int128)count);
    sc_ball_div(out, out, &part, bits);
    sc_ball_sqrt(out, out, bits);
    sc_ball_set_ratio(&part, span, bits);
    sc_ball_mul(out, out, &part, bits);
}

/* Estimates are sums over all devices of what each report adds. */
static bool has_frequencies(const scrim_local_config *c)
{
    return c->prefixes == 0 &&
           (sc_protocol_is_pure(c) || c->protocol == SCRIM_LOCAL_HADAMARD ||
            c->protocol == SCRIM_LOCAL_BIT_FLIP);
}

/* The mean is that of what each report stands for. */
static bool has_mean(const scrim_local_config *c)
{
    return c->protocol == SCRIM_LOCAL_ONE_BIT || c->protocol == SCRIM_LOCAL_ROUNDED_BIT ||
           c->protocol == SCRIM_LOCAL_LAPLACE || c->protocol == SCRIM_LOCAL_GEOMETRIC ||
           c->protocol == SCRIM_LOCAL_SQUARE_WAVE;
}

/* raise + drop; reports of condensed-geometric stand for numbers from b/(a - b) below 0 to as much above the
 * last one. */
static void set_span(const scrim_local_config *c, sc_ratio *out)
{
    SC_OWN(sc_protocol_facts, facts);
    if (sc_protocol_find(c, &facts)) {
        sc_ratio_add(out, &facts.raise, &facts.drop);
        return;
    }
    sc_ratio_set_quotient(&facts.raise, 2 * (int64_t)c->b, (int64_t)c->a - c->b);
    sc_ratio_set_int64(out, (int64_t)c->values - 1);
    sc_ratio_add(out, out, &facts.raise);
}

/* The chances of support are the reports' own; else all that is known of them is their span. */
static void frequencies_or_mean(const scrim_local_config *c, const sc_ratio *beta,
                                size_t count, sc_ball *out)
{
    SC_OWN(sc_support, support);
    SC_OWN(sc_ratio, span);
    if (!has_mean(c) && sc_protocol_is_pure(c) &&
        sc_protocol_support(c, &support.p, &support.q)) {
        sc_support_radius(&support, (int64_t)values_of(c), beta, count, out);
        return;
    }
    set_span(c, &span);
    radius_of(&span, has_mean(c) ? 1 : values_of(c), beta, count, out);
}

static const char *why_none(const scrim_local_config *c)
{
    if (c->prefixes > 0)
        return "one report alone; which texts are found depends on how many devices hold "
               "them, and the list that is decoded states its own error rate";
    if (c->hashes > 0)
        return "one report alone; which candidates are found is selected by a procedure, "
               "and no error rate is proved for it";
    if (c->protocol == SCRIM_LOCAL_CONDENSED)
        return "one report alone; how accurate counts are depends on the distances of "
               "all values, and decoded counts state their errors";
    return "one report alone";
}

#define RADIUS_PARTS 1000000 /* a radius is shown to a millionth */

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    static const char covered[] =
        "one report alone; who was asked, of those who could be";
    const scrim_local_config *c = &sc_local_state_of(m)->config;
    const bool is_mean = has_mean(c);
    SC_OWN(sc_ball, exact);
    SC_OWN(sc_ratio, radius, parts);
    if ((!is_mean && !has_frequencies(c)) || count == 0) {
        sc_certificate_none(out, why_none(c));
        return SCRIM_OK;
    }
    frequencies_or_mean(c, beta, count, &exact);
    sc_ball_mul_int64(&exact, &exact, RADIUS_PARTS, 256);
    if (!sc_ball_round_up(&exact, 0, &radius))
        return sc_fail(error, SCRIM_E_INTERNAL, "a radius could not be computed");
    sc_ratio_set_int64(&parts, RADIUS_PARTS);
    sc_ratio_div(&radius, &radius, &parts);
    const int64_t most = is_mean ? (int64_t)c->values - 1 : 1;
    if (sc_ratio_compare_int64(&radius, most) > 0)
        sc_ratio_set_int64(&radius, most);
    if (is_mean)
        sc_certificate_mean(out, &radius, beta, covered);
    else
        sc_certificate_frequency(out, &radius, beta, covered);
    return SCRIM_OK;
}

/* Drawing. */

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    const sc_local_state *state = sc_local_state_of(m);
    return count * state->reports * state->numbers;
}

typedef struct bit_source {
    sc_bits *bits;
    scrim_error *error;
    scrim_status status;
} bit_source;

static int fill(void *context, void *out, size_t bytes)
{
    bit_source *source = context;
    uint64_t word = 0;
    for (size_t i = 0; i < bytes && source->status == SCRIM_OK; i += sizeof word) {
        source->status = sc_bits_word(source->bits, &word, source->error);
        memcpy((char *)out + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
    }
    sc_wipe(&word, sizeof word);
    return source->status != SCRIM_OK;
}

/* The bytes of a report as numbers of 32 bits. */
int64_t sc_local_number_at(const sc_local_state *state, const uint8_t *report,
                           size_t index)
{
    int64_t number = 0;
    for (size_t i = 0; i < 4 && 4 * index + i < state->bytes; i++)
        number |= (int64_t)report[4 * index + i] << 8 * i;
    return number;
}

/* All reports about one value: the device's two steps, of which the first is taken once. */
static scrim_local_status encode_kept(const sc_local_state *state, sl_secret secret,
                                      const scrim_local_source *source, uint8_t *reports)
{
    const sl_kind *kind = sl_kind_of(state->config.protocol);
    sl_plan plan;
    sl_bits bits;
    sl_bits_init(&bits, source, 0);
    kind->prepare(&state->config, &plan);
    kind->permanent(&plan, secret, &bits, &bits, reports);
    for (size_t i = state->reports; i > 0; i--) {
        memmove(reports + (i - 1) * state->bytes, reports, state->bytes);
        kind->perturb(&plan, &bits, reports + (i - 1) * state->bytes);
    }
    return sl_bits_clear(&bits);
}

static scrim_local_status encode(const sc_local_state *state, uint64_t value,
                                 const scrim_local_source *source, uint8_t *reports)
{
    const size_t bytes = state->config.text;
    uint8_t text[UINT8_MAX] = {0};
    scrim_local_status made;
    for (size_t i = bytes, x = value; i > 0; i--, x >>= 8)
        text[i - 1] = (uint8_t)x;
    if (state->reports > 1)
        made = encode_kept(state, (sl_secret){.value = value, .text = text}, source,
                           reports);
    else if (bytes == 0)
        made = scrim_local_encode(&state->config, value, source, reports);
    else
        made = scrim_local_encode_text(&state->config, text, source, reports);
    sc_wipe(text, sizeof text);
    return made;
}

/* The reports of a value, at the end of an answer. */
static scrim_status draw_reports(const sc_local_state *state, bit_source *from,
                                 uint64_t value, uint8_t *reports, sc_draw *out,
                                 scrim_error *error)
{
    const scrim_local_source source = {fill, from};
    const scrim_local_status made = encode(state, value, &source, reports);
    if (from->status != SCRIM_OK)
        return from->status;
    if (made != SCRIM_LOCAL_OK)
        return sc_fail(error, SCRIM_E_INTERNAL, "a report could not be made");
    for (size_t r = 0; r < state->reports; r++)
        for (size_t i = 0; i < state->numbers; i++) {
            out->values[out->count] =
                sc_local_number_at(state, reports + r * state->bytes, i);
            out->marks[out->count++] = SC_MARK_VALUE;
        }
    return SCRIM_OK;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const sc_local_state *state = sc_local_state_of(m);
    bit_source from = {bits, error, SCRIM_OK};
    uint8_t *reports = sc_allocate(state->reports, state->bytes);
    if (reports == NULL)
        return sc_no_memory(error, "reports");
    scrim_status status = SCRIM_OK;
    out->count = 0;
    for (size_t i = 0; status == SCRIM_OK && i < input->count; i++)
        status =
            draw_reports(state, &from, (uint64_t)input->values[i], reports, out, error);
    sc_wipe(reports, state->reports * state->bytes);
    sc_free(reports);
    if (status != SCRIM_OK)
        sc_wipe(out->values, out->count * sizeof *out->values);
    return status;
}

/* The catalogue. */

static const char *const words[] = {"local", "replace", NULL};

#define NEIGHBOURS                                                                       \
    SC_RULE_WORD("neighbours", words,                                                    \
                 "local or replace; not add-remove, since all can see who answered")
#define EPSILON SC_RULE_POSITIVE("epsilon", "1e-6", "8", "a rational from 0.000001 to 8")
#define VALUES                                                                           \
    {                                                                                    \
        .name = "values", .kind = SC_PARAMETER_INTEGER, .at_least = "2",                 \
        .limit_high = "2^26", .domain = "an integer of at least 2"                       \
    }
#define OPTION(its_name, its_domain) SC_RULE_COUNT(its_name, "2^26", its_domain)

#define OPTIONAL_RATE(its_name)                                                          \
    {                                                                                    \
        .name = (its_name), .kind = SC_PARAMETER_RATIONAL, .optional = true,             \
        .above = "0", .limit_low = "1e-6", .limit_high = "8",                            \
        .domain = "a rational from 0.000001 to 8"                                        \
    }
static const sc_parameter_rule condensed[] = {OPTIONAL_RATE("epsilon"),
                                              OPTIONAL_RATE("alpha"), VALUES, NEIGHBOURS};
static const sc_parameter_rule declared[] = {OPTIONAL_RATE("epsilon"),
                                             OPTIONAL_RATE("alpha"), VALUES,
                                             SC_RULE_DISTANCES, NEIGHBOURS};
static const sc_parameter_rule unary[] = {EPSILON, VALUES, NEIGHBOURS};
static const sc_parameter_rule fields[] = {EPSILON, VALUES, OPTION("field", "a prime"),
                                           NEIGHBOURS};
static const sc_parameter_rule subsets[] = {
    EPSILON, VALUES, OPTION("chosen", "an integer from 1 to values"), NEIGHBOURS};
static const sc_parameter_rule blocks[] = {
    EPSILON, VALUES, OPTION("blocks", "an integer of at least 1"), NEIGHBOURS};
#define REPORTS SC_RULE_COUNT("reports", "1024", "an integer from 1 to 1024")
#define SHARE(its_name)                                                                  \
    {                                                                                    \
        .name = (its_name), .kind = SC_PARAMETER_RATIONAL, .optional = true,             \
        .above = "0", .below = "1", .domain = "a rational above 0 and below 1"           \
    }
static const sc_parameter_rule repeated[] = {EPSILON,
                                             VALUES,
                                             {.name = "first",
                                              .kind = SC_PARAMETER_RATIONAL,
                                              .optional = true,
                                              .above = "0",
                                              .domain = "a rational below epsilon"},
                                             REPORTS,
                                             NEIGHBOURS};
static const sc_parameter_rule rounded[] = {EPSILON, VALUES, SHARE("flip"), REPORTS,
                                            NEIGHBOURS};
static const sc_parameter_rule rappors[] = {
    EPSILON,
    OPTION("values", "an integer of at least 2"),
    OPTION("text", "an integer from 1 to 255"),
    OPTION("bits", "an integer from 1 to 65536"),
    OPTION("hashes", "an integer from 1 to 16"),
    OPTION("cohorts", "an integer from 1 to 65536"),
    SHARE("p"),
    SHARE("q"),
    REPORTS,
    NEIGHBOURS};
static const sc_parameter_rule texts[] = {
    EPSILON,
    {.name = "text",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "31",
     .domain = "an integer from 1 to 31"},
    OPTION("cells", "a power of two from 2 to 65536"),
    NEIGHBOURS};
static const sc_parameter_rule waves[] = {
    EPSILON, VALUES, OPTION("width", "an integer of at least 1"), NEIGHBOURS};

#define LOCAL_MECHANISM(its_name, rules, its_parameters, its_reference, what_it_does,    \
                        its_example, its_input)                                          \
    .entry = {.name = (its_name),                                                        \
              .parameters = (its_parameters),                                            \
              .input = "values",                                                         \
              .claim = "epsilon-DP for each person, pure",                               \
              .does = (what_it_does),                                                    \
              .example = (its_example),                                                  \
              .example_input = (its_input),                                              \
              .reference = (its_reference)},                                             \
    .parameters = (rules), .parameter_count = sizeof(rules) / sizeof *(rules),           \
    .check = check, .discard = discard, .cost = cost, .certify = certify,                \
    .answer_count = answer_count, .draw = draw, .width = answer_count,                   \
    .law = sc_local_law, .pair_count = sc_local_pair_count, .pair = sc_local_pair

const sc_mechanism sc_projective_geometry = {LOCAL_MECHANISM(
    "projective-geometry", fields, "epsilon=R values=N [field=N]",
    "Feldman, Nelson, Nguyen, Talwar: Private Frequency Estimation via Projective "
    "Geometry, 2022",
    "Each device reports a point of a projective space that supports "
    "a set of values. It is as accurate as subset selection, and far "
    "faster to decode for many values.",
    "epsilon=2 values=1000 neighbours=local", "3\n0\n3\n")};
const sc_mechanism sc_subset_selection = {LOCAL_MECHANISM(
    "subset-selection", subsets, "epsilon=R values=N [chosen=N]",
    "Ye, Barg: Optimal Schemes for Discrete Distribution Estimation under Locally "
    "Differential Privacy, 2018",
    "Each device reports a random set of values, more likely with "
    "its own value among them. Reports grow with the number of "
    "values; projective-geometry has the same error with short "
    "reports.",
    "epsilon=1 values=6 neighbours=local", "3\n0\n3\n")};

#define WANG                                                                             \
    "Wang, Blocki, Li, Jha: Locally Differentially Private Protocols for Frequency "     \
    "Estimation, 2017"
const sc_mechanism sc_symmetric_unary = {
    LOCAL_MECHANISM("symmetric-unary", unary, "epsilon=R values=N", WANG,
                    "Each device reports a bit for each value and flips every bit "
                    "with the same probability (basic RAPPOR without memory). Prefer "
                    "optimised-unary, which has a smaller error.",
                    "epsilon=1 values=6 neighbours=local", "3\n0\n3\n")};
const sc_mechanism sc_optimised_unary = {
    LOCAL_MECHANISM("optimised-unary", unary, "epsilon=R values=N", WANG,
                    "Each device reports a bit for each value; the own bit and the "
                    "others are flipped with different probabilities. Known as "
                    "optimised unary encoding (OUE).",
                    "epsilon=1 values=6 neighbours=local", "3\n0\n3\n")};
const sc_mechanism sc_local_hashing = {
    LOCAL_MECHANISM("local-hashing", fields, "epsilon=R values=N [field=N]", WANG,
                    "Each device hashes its value by a hash function of its own, and "
                    "reports the hash by randomised response. Reports stay short for "
                    "many values; known as OLH.",
                    "epsilon=1 values=1000 neighbours=local", "3\n0\n3\n")};
const sc_mechanism sc_text_hashing = {
    LOCAL_MECHANISM("text-hashing", texts, "epsilon=R text=N [cells=N]", WANG,
                    "Each device reports a randomised hash of its text, in a form "
                    "that the server can add up for any text that it asks about. Use "
                    "it for texts from a list that is not fixed in advance.",
                    "epsilon=2 text=8 neighbours=local", "cat\ndog\ncat\n")};
const sc_mechanism sc_prefix_report = {LOCAL_MECHANISM(
    "prefix", texts, "epsilon=R text=N [cells=N]",
    "Wang, Li, Jha: Locally Differentially Private Heavy Hitter Identification, 2019",
    "Each device reports the start of its text by a randomised hash; "
    "the length of that start is drawn for each device. The server "
    "finds frequent texts that nobody listed before, from short "
    "starts to long ones.",
    "epsilon=2 text=3 neighbours=local", "cat\ndog\ncat\n")};
const sc_mechanism sc_hadamard_response = {LOCAL_MECHANISM(
    "hadamard", blocks, "epsilon=R values=N [blocks=N]",
    "Acharya, Sun, Zhang: Hadamard Response: Estimating Distributions Privately, "
    "Efficiently, and with Little Communication, 2019",
    "Each device reports one index of a Hadamard matrix, chosen by "
    "its value. Reports take few bits, and decoding is fast.",
    "epsilon=1 values=12 neighbours=local", "3\n0\n3\n")};
#define DING "Ding, Kulkarni, Yekhanin: Collecting Telemetry Data Privately, 2017"
const sc_mechanism sc_bit_flip = {
    LOCAL_MECHANISM("bit-flip", subsets, "epsilon=R values=N [chosen=N]", DING,
                    "Each device reports randomised bits for a few values that are "
                    "drawn for it. Known as dBitFlip, made for telemetry that is "
                    "collected again and again.",
                    "epsilon=1 values=6 neighbours=local", "3\n0\n3\n")};
const sc_mechanism sc_one_bit_mean = {
    LOCAL_MECHANISM("one-bit-mean", unary, "epsilon=R values=N", DING,
                    "Each device reports one bit, which is 1 with a probability that "
                    "grows with its number. The server estimates the mean.",
                    "epsilon=1 values=100 neighbours=local", "30\n72\n31\n")};
const sc_mechanism sc_rounded_bit_mean = {LOCAL_MECHANISM(
    "rounded-bit-mean", rounded, "epsilon=R values=N [flip=R] [reports=N]", DING,
    "Each device rounds its number at random to one of two ends, "
    "keeps that, and reports it as one randomised bit each time. Use "
    "it for a mean that is collected again and again.",
    "epsilon=1 values=100 neighbours=local", "30\n72\n31\n")};
const sc_mechanism sc_repeated_unary = {LOCAL_MECHANISM(
    "repeated-unary", repeated, "epsilon=R values=N [first=R] [reports=N]",
    "Arcolezi, Couchot, Al Bouna, Xiao: Improving the Utility of Locally Differentially "
    "Private Protocols for Longitudinal and Multidimensional Frequency Estimates, 2022",
    "Each device reports a bit for each value, randomised once for "
    "ever and once more for each report. Use it to ask the same "
    "devices again and again at a bounded total cost (L-OSUE).",
    "epsilon=2 values=4 reports=3 neighbours=local", "3\n0\n3\n")};
const sc_mechanism sc_rappor = {LOCAL_MECHANISM(
    "rappor", rappors,
    "epsilon=R values=N|text=N [bits=N] [hashes=N] [cohorts=N] [p=R q=R] [reports=N]",
    "Erlingsson, Pihur, Korolova: RAPPOR: Randomized Aggregatable Privacy-Preserving "
    "Ordinal Response, 2014",
    "Each device sets bits of a Bloom filter by its value, "
    "randomises them once for ever, and once more for each report. "
    "The method of Chrome; use it for texts and for repeated "
    "questions.",
    "epsilon=4 values=3 neighbours=local", "2\n0\n2\n")};
const sc_mechanism sc_laplace_mean = {LOCAL_MECHANISM(
    "laplace-mean", waves, "epsilon=R values=N [width=N]",
    "Dwork, McSherry, Nissim, Smith: Calibrating Noise to Sensitivity in Private Data "
    "Analysis, 2006",
    "Each device adds discrete Laplace noise to its number. The "
    "server estimates the mean; for a large epsilon the error is "
    "smaller than that of one bit.",
    "epsilon=4 values=100 neighbours=local", "30\n72\n31\n")};

#define GURSOY                                                                           \
    "Gursoy, Tamersoy, Truex, Wei, Liu: Secure and Utility-Aware Data Collection with "  \
    "Condensed Local Differential Privacy, 2021"
const sc_mechanism sc_condensed_geometric = {LOCAL_MECHANISM(
    "condensed-geometric", condensed, "epsilon=R|alpha=R values=N", GURSOY,
    "Each device reports a number near its own with a higher "
    "probability than one far away, falling geometrically with the "
    "distance. Close values are hard to tell apart; far ones are "
    "easier.",
    "epsilon=1 values=100 neighbours=local", "30\n72\n31\n")};
const sc_mechanism sc_condensed_exponential = {
    LOCAL_MECHANISM("condensed-exponential", declared,
                    "epsilon=R|alpha=R values=N [distances=N,...]", GURSOY,
                    "Each device reports a value by the exponential mechanism on the "
                    "distance from its own. Close values are hard to tell apart; far "
                    "ones are easier. Distances are those of numbers, or declared.",
                    "epsilon=1 values=100 neighbours=local", "30\n72\n31\n")};

const sc_mechanism sc_square_wave = {LOCAL_MECHANISM(
    "square-wave", waves, "epsilon=R values=N [width=N]",
    "Li, Wang, Lopuhaa-Zwakenberg, Skoric, Li: Estimating Numerical Distributions under "
    "Local Differential Privacy, 2020",
    "Each device reports a number near its own with a higher "
    "probability than one far away. The server estimates the whole "
    "distribution of the numbers.",
    "epsilon=1 values=100 neighbours=local", "30\n72\n31\n")};
