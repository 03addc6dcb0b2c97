#include "balls.h"
#include "exact.h"
#include "local_device.h"
#include "mechanism/local/protocol.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint32_t number(const json_t *row, const char *name)
{
    return (uint32_t)vectors_number(row, name);
}

static bool is_text(const sc_ratio *x, const char *text)
{
    SC_OWN(sc_ratio, y);
    if (text == NULL || sc_ratio_parse(sc_text_of(text), &y, NULL) != SCRIM_OK)
        return CHECK_FAIL("no number: %s", text == NULL ? "" : text), false;
    return sc_ratio_compare(x, &y) == 0;
}

static double middle(const sc_ratio *x)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, x, 128);
    return (sc_ball_lower(&ball) + sc_ball_upper(&ball)) / 2;
}

/* A member that is a number, a decimal or a fraction. */
static double middle_of(const json_t *row, const char *name)
{
    const json_t *x = json_object_get(row, name);
    SC_OWN(sc_ratio, ratio);
    if (!json_is_string(x))
        return json_number_value(x);
    const char *text = json_string_value(x);
    return sc_ratio_parse(sc_text_of(text), &ratio, NULL) == SCRIM_OK
               ? middle(&ratio)
               : strtod(text, NULL);
}

/* The configuration that a row of the vectors has, by the names used there. */
static scrim_local_config config_of(uint32_t protocol, const json_t *row)
{
    return (scrim_local_config){.protocol = protocol,
                                .a = number(row, "A"),
                                .b = number(row, "B"),
                                .values = number(row, "k")};
}

/* P and Q by the names of a row, where it has them, and the variances. */
static void check_row(const scrim_local_config *c, const json_t *row, const char *p_name,
                      const char *q_name)
{
    SC_OWN(sc_ratio, p, q);
    SC_OWN(sc_protocol_facts, facts);
    CHECK(sc_protocol_find(c, &facts));
    if (p_name != NULL) {
        REQUIRE(sc_protocol_support(c, &p, &q));
        CHECK(is_text(&p, vectors_text(row, p_name)));
        CHECK(is_text(&q, vectors_text(row, q_name)));
    }
    CHECK(is_text(&facts.var_at_0, vectors_text(row, "var_at_0")));
    CHECK(is_text(&facts.var_at_1, vectors_text(row, "var_at_1")));
}

/* exp of the loss of `reports` reports is the ratio of a row. */
static void check_ratio(const scrim_local_config *c, uint64_t reports, const json_t *row)
{
    SC_OWN(sc_ball, loss, wanted);
    SC_OWN(sc_ratio, ratio);
    REQUIRE(sc_ratio_parse(sc_text_of(vectors_text(row, "ratio")), &ratio, NULL) ==
            SCRIM_OK);
    sc_protocol_loss(c, reports, 256, &loss);
    sc_ball_set_ratio(&wanted, &ratio, 256);
    sc_ball_log(&wanted, &wanted, 256);
    CHECK_SAME(&loss, &wanted, 200);
}

/* Checks the rows of a vector, which has `count` of them. */
static void each_row(const char *file, const char *vector, size_t count,
                     void (*check)(const json_t *row))
{
    const json_t *rows = vectors_load(file, vector);
    CHECK_INT(json_array_size(rows), count);
    for (size_t r = 0; r < json_array_size(rows); r++)
        check(json_array_get(rows, r));
}

static void check_projective(const json_t *row)
{
    scrim_local_config c = config_of(SCRIM_LOCAL_PROJECTIVE, row);
    c.field = number(row, "q");
    c.digits = number(row, "t");
    c.values = number(row, "K");
    const sc_geometry g = sc_protocol_geometry(c.field, c.digits);
    CHECK_INT(g.points, number(row, "K"));
    CHECK_INT(g.on_one, number(row, "c_set"));
    CHECK_INT(g.on_two, number(row, "c_int"));
    check_row(&c, row, "P", "Q");
    check_ratio(&c, 1, row);
}

TEST(protocol_projective_geometry_is_as_printed)
{
    CLAIM("protocol.support");
    each_row("local-additions", "pgr_laws", 6, check_projective);
}

static void check_subset(const json_t *row)
{
    scrim_local_config c = config_of(SCRIM_LOCAL_SUBSET, row);
    c.chosen = number(row, "d");
    check_row(&c, row, "P", "Q");
}

TEST(protocol_subset_selection_is_as_printed)
{
    CLAIM("protocol.support");
    each_row("local-additions", "subset_selection", 3, check_subset);
}

static void check_unary(const json_t *row)
{
    const bool is_optimised = strcmp(vectors_text(row, "form"), "OUE") == 0;
    const scrim_local_config c = config_of(
        is_optimised ? SCRIM_LOCAL_OPTIMISED_UNARY : SCRIM_LOCAL_SYMMETRIC_UNARY, row);
    check_row(&c, row, "p", "q");
    check_ratio(&c, 1, row);
}

TEST(protocol_unary_encodings_are_as_printed)
{
    CLAIM("protocol.support");
    each_row("local-additions", "unary", 6, check_unary);
}

static void check_hashing(const json_t *row)
{
    scrim_local_config c = config_of(SCRIM_LOCAL_HASHING, row);
    c.field = number(row, "g");
    c.digits = number(row, "m");
    check_row(&c, row, "P", "Q");
}

TEST(protocol_local_hashing_is_as_printed)
{
    CLAIM("protocol.support");
    each_row("local-additions", "olh", 3, check_hashing);
}

static void check_hadamard(const json_t *row)
{
    scrim_local_config c = config_of(SCRIM_LOCAL_HADAMARD, row);
    SC_OWN(sc_protocol_facts, facts);
    SC_OWN(sc_ratio, x, p, q);
    c.blocks = number(row, "J");
    c.order = number(row, "b");
    CHECK(sc_protocol_find(&c, &facts) && facts.is_pure == (c.blocks == 1));
    CHECK(is_text(&facts.var_at_0, vectors_text(row, "var_same_block")));
    CHECK(is_text(&facts.var_at_1, vectors_text(row, "var_own")));
    sc_protocol_hadamard_factor(&c, &x);
    CHECK(is_text(&x, vectors_text(row, "factor")));
    CHECK(sc_protocol_support(&c, &p, &q) == (c.blocks == 1));
}

TEST(protocol_hadamard_is_as_printed)
{
    CLAIM("protocol.support");
    each_row("local-additions", "hadamard", 4, check_hadamard);
}

static void check_bit_flip(const json_t *row)
{
    scrim_local_config c = config_of(SCRIM_LOCAL_BIT_FLIP, row);
    c.chosen = number(row, "d");
    check_row(&c, row, NULL, NULL);
    check_ratio(&c, 1, row);
}

TEST(protocol_bit_flip_is_as_printed)
{
    CLAIM("protocol.support");
    each_row("local-additions", "dbitflip", 3, check_bit_flip);
}

/* p2 of a row in parts of 2^32; those of the vectors are not all such. */
TEST(protocol_repeated_unary_is_as_printed)
{
    CLAIM("protocol.loss");
    json_t *rows = vectors_load("local-additions", "l_osue"), *row;
    size_t r, exact = 0;
    json_array_foreach(rows, r, row)
    {
        scrim_local_config c = config_of(SCRIM_LOCAL_REPEATED_UNARY, row);
        SC_OWN(sc_ratio, keep, whole);
        SC_OWN(sc_integer, floor);
        uint64_t parts = 0;
        REQUIRE(sc_ratio_parse(sc_text_of(vectors_text(row, "p2")), &keep, NULL) ==
                SCRIM_OK);
        sc_ratio_set_int64(&whole, (int64_t)1 << 32);
        sc_ratio_mul(&keep, &keep, &whole);
        sc_ratio_floor(&keep, &floor);
        CHECK(sc_integer_get_uint64(&floor, &parts));
        c.keep = (uint32_t)parts;
        SC_OWN(sc_protocol_facts, facts);
        SC_OWN(sc_ball, loss);
        CHECK(sc_protocol_find(&c, &facts));
        CHECK_NEAR(middle(&facts.var_at_0), middle_of(row, "var_at_0"), 1e-6);
        sc_protocol_loss(&c, number(row, "r"), 256, &loss);
        CHECK_NEAR(exp(sc_ball_upper(&loss)), middle_of(row, "ratio"), 1e-6);
        if (sc_ratio_is_integer(&keep)) {
            check_row(&c, row, NULL, NULL);
            check_ratio(&c, number(row, "r"), row);
            exact++;
        }
        sc_protocol_loss(&c, 0, 256, &loss);
        CHECK_NEAR(exp(sc_ball_upper(&loss)), (double)c.a / c.b, 1e-12);
    }
    CHECK_INT(exact, 6);
}

/* A share in parts of 2^32. */
static uint32_t parts_of(const json_t *row, const char *name)
{
    return (uint32_t)llround(ldexp(middle_of(row, name), 32));
}

static scrim_local_config rappor_of(const json_t *row)
{
    return (scrim_local_config){.protocol = SCRIM_LOCAL_RAPPOR,
                                .bits = 16,
                                .hashes = number(row, "h"),
                                .f = parts_of(row, "f"),
                                .p = parts_of(row, "p_if_0"),
                                .q = parts_of(row, "q_if_1")};
}

static double loss_of(const scrim_local_config *c, uint64_t reports)
{
    SC_OWN(sc_ball, loss);
    sc_protocol_loss(c, reports, 256, &loss);
    return sc_ball_upper(&loss);
}

static void check_rappor(const json_t *row)
{
    const scrim_local_config c = rappor_of(row);
    CHECK_NEAR(loss_of(&c, number(row, "reports")), middle_of(row, "eps_exact"), 1e-8);
    CHECK_NEAR(loss_of(&c, 0), middle_of(row, "eps_infinity"), 1e-8);
}

static void check_single_bit(const json_t *row)
{
    scrim_local_config c = rappor_of(row);
    c.bits = 1;
    c.hashes = 0;
    CHECK_NEAR(loss_of(&c, number(row, "reports")), middle_of(row, "eps_exact"), 1e-12);
}

TEST(protocol_rappor_loses_as_printed)
{
    CLAIM("protocol.loss");
    each_row("local-and-accounting", "rappor_r_reports", 5, check_rappor);
    each_row("local-and-accounting", "rappor_single_bit", 3, check_single_bit);
}

/* ln of sum over the memo of P(memo) q^ones (1-q)^zeros; the signal is set. */
static double log_memo(double f, double p, double q, int ones, int zeros)
{
    return log((1 - f / 2) * pow(q, ones) * pow(1 - q, zeros) +
               f / 2 * pow(p, ones) * pow(1 - p, zeros));
}

/* Twenty reports with one memo, or with a new one for the second ten: the largest ratio is above twice what one value
 * costs for ever, so that the ledger charges each epoch anew. */
TEST(protocol_rappor_of_a_changing_value_loses_as_printed)
{
    const json_t *row = vectors_load("local-and-accounting", "rappor_changing_value");
    const double f = middle_of(row, "f"), p = middle_of(row, "p_if_0"),
                 q = middle_of(row, "q_if_1");
    const scrim_local_config c = device_config(
        "rappor values=2 text=0 bits=1 hashes=0 cohorts=1 f=2147483648 p=2147483648 "
        "q=3221225472 epoch=1");
    SC_OWN(sc_ball, loss);
    double largest = 0;
    for (int a = 0; a <= 10; a++)
        for (int b = 0; b <= 10; b++) {
            const double one = log_memo(f, p, q, a + b, 20 - a - b),
                         two =
                             log_memo(f, p, q, a, 10 - a) + log_memo(f, p, q, b, 10 - b);
            largest = fmax(largest, fabs(one - two));
        }
    CHECK_NEAR(largest, middle_of(row, "loss"), 1e-12);
    sc_protocol_loss(&c, 0, 256, &loss);
    CHECK_NEAR(2 * sc_ball_upper(&loss),
               middle_of(row, "two_times_eps_infinity_of_one_bit"), 1e-12);
    CHECK(largest > 2 * sc_ball_upper(&loss));
}

static void check_rappor_bits(const json_t *row)
{
    const scrim_local_config c = rappor_of(row);
    SC_OWN(sc_ratio, p, q);
    CHECK(sc_protocol_support(&c, &p, &q));
    CHECK_NEAR(middle(&p), middle_of(row, "q_star"), 1e-8);
    CHECK_NEAR(middle(&q), middle_of(row, "p_star"), 1e-8);
    CHECK_NEAR(loss_of(&c, 1), middle_of(row, "eps_one_report"), 1e-8);
    if (c.f == 0)
        CHECK(isinf(loss_of(&c, 0)));
}

TEST(protocol_rappor_bits_are_as_printed)
{
    CLAIM("protocol.support");
    each_row("local-and-accounting", "rappor_reports", 5, check_rappor_bits);
}

TEST(protocol_square_wave_varies_as_printed)
{
    CLAIM("protocol.support");
    json_t *rows = vectors_load("local-additions", "square_wave"), *row, *text;
    size_t r, x;
    json_array_foreach(rows, r, row)
    {
        scrim_local_config c = config_of(SCRIM_LOCAL_SQUARE_WAVE, row);
        SC_OWN(sc_ratio, variance);
        SC_OWN(sc_protocol_facts, facts);
        c.values = number(row, "m");
        c.width = number(row, "w");
        json_array_foreach(json_object_get(row, "mean_estimate_variance"), x, text)
        {
            sc_protocol_number_variance(&c, x, &variance);
            CHECK(is_text(&variance, json_string_value(text)));
        }
        CHECK_INT(x, c.values);
        CHECK(sc_protocol_find(&c, &facts));
        CHECK(sc_ratio_compare(&facts.var_at_1, &variance) == 0);
        /* A value that lies outside on the left by so much lies outside on the right. */
        sc_ratio_set_int64(&variance, (int64_t)c.values - 1);
        sc_ratio_add(&variance, &variance, &facts.drop);
        CHECK(sc_ratio_compare(&variance, &facts.raise) == 0);
    }
    CHECK_INT(r, 3);
}

/* Parameters for a target epsilon. */

static scrim_local_config chosen(uint32_t protocol, uint32_t values, const char *epsilon)
{
    scrim_local_config c = {.protocol = protocol, .values = values};
    scrim_error error = {.message = ""};
    SC_OWN(sc_ratio, target);
    CHECK(sc_ratio_parse(sc_text_of(epsilon), &target, NULL) == SCRIM_OK);
    CHECK_STATUS(sc_protocol_choose(&c, &target, NULL, &error), SCRIM_OK);
    return c;
}

static void check_rounding(uint32_t protocol, const json_t *row, const char *member,
                           bool is_a, const char *loss)
{
    const char *epsilon = vectors_text(row, "eps");
    const scrim_local_config c = chosen(protocol, 10, epsilon);
    SC_OWN(sc_ball, exact, target);
    SC_OWN(sc_ratio, ratio);
    CHECK_INT(is_a ? c.a : c.b, number(row, member));
    sc_protocol_loss(&c, 1, 256, &exact);
    CHECK_PRINTED(&exact, vectors_text(row, loss));
    CHECK(sc_ratio_parse(sc_text_of(epsilon), &ratio, NULL) == SCRIM_OK);
    sc_ball_set_ratio(&target, &ratio, 256);
    CHECK(sc_ball_is_less(&exact, &target));
}

static void check_rounded(const json_t *row)
{
    check_rounding(SCRIM_LOCAL_RESPONSE, row, "A_over_2_20", true, "eps_true");
    check_rounding(SCRIM_LOCAL_OPTIMISED_UNARY, row, "OUE_B_of_2_32", false,
                   "OUE_eps_true");
    check_rounding(SCRIM_LOCAL_SYMMETRIC_UNARY, row, "SUE_B_of_2_32", false,
                   "SUE_eps_true");
}

TEST(protocol_targets_are_rounded_as_printed)
{
    CLAIM("protocol.rounding");
    each_row("local-additions", "rounding", 6, check_rounded);
}

TEST(protocol_never_loses_more_than_the_target)
{
    CLAIM("protocol.rounding");
    static const char *const targets[] = {"1/1000", "0.1", "1/3", "1", "2.5", "4", "8"};
    for (uint32_t id = SCRIM_LOCAL_RESPONSE; id <= SCRIM_LOCAL_CONDENSED; id++)
        for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
            scrim_local_config c = {.protocol = id, .values = 30, .text = 8, .bits = 32};
            c.hashes = id == SCRIM_LOCAL_RAPPOR ? (uint32_t)i % 3 : 0;
            c.p = id == SCRIM_LOCAL_RAPPOR && i > 3 ? (uint32_t)1 << 31 : 0;
            c.q = id == SCRIM_LOCAL_RAPPOR && i > 3 ? (uint32_t)3 << 30 : 0;
            SC_OWN(sc_ratio, target);
            SC_OWN(sc_ball, loss, limit);
            CHECK(sc_ratio_parse(sc_text_of(targets[i]), &target, NULL) == SCRIM_OK);
            REQUIRE_OK(sc_protocol_choose(&c, &target, NULL, NULL));
            sc_protocol_loss(&c, 0, 256, &loss);
            sc_ball_set_ratio(&limit, &target, 256);
            CHECK(sc_ball_is_less(&loss, &limit));
            if (id != SCRIM_LOCAL_CONDENSED)
                CHECK_NEAR(sc_ball_lower(&loss), sc_ball_upper(&limit), 1e-3);
            if (id != SCRIM_LOCAL_REPEATED_UNARY)
                continue;
            /* The first report costs half, and the third more than twice less. */
            CHECK_NEAR(loss_of(&c, 1), sc_ball_upper(&limit) / 2, 1e-4);
            CHECK(loss_of(&c, 1) < sc_ball_upper(&limit) / 2);
        }
}

TEST(protocol_refuses_targets_out_of_reach)
{
    scrim_error error = {.message = ""};
    SC_OWN(sc_ratio, target);
    scrim_local_config c = {.protocol = SCRIM_LOCAL_RESPONSE, .values = 3};
    sc_ratio_set_int64(&target, 9);
    CHECK_STATUS(sc_protocol_choose(&c, &target, NULL, &error), SCRIM_E_LIMIT);
    CHECK_STR(error.parameter, "epsilon");
    sc_ratio_set_quotient(&target, 1, 1 << 21);
    CHECK_STATUS(sc_protocol_choose(&c, &target, NULL, &error), SCRIM_E_PARAM);
    sc_ratio_set_int64(&target, 1);
    c = (scrim_local_config){.protocol = SCRIM_LOCAL_HASHING,
                             .values = (uint32_t)1 << 26};
    CHECK_STATUS(sc_protocol_choose(&c, &target, NULL, &error), SCRIM_E_LIMIT);
    CHECK_STR(error.parameter, "values");
    c = (scrim_local_config){.protocol = SCRIM_LOCAL_REPEATED_UNARY, .values = 4};
    CHECK_STATUS(sc_protocol_choose(&c, &target, &target, &error), SCRIM_E_PARAM);
    CHECK_STR(error.parameter, "first");
}

/* var at 0 over the optimum of large domains, 4AB/(A-B)^2. */
static double over_optimum(const scrim_local_config *c)
{
    SC_OWN(sc_protocol_facts, facts);
    CHECK(sc_protocol_find(c, &facts));
    const double a = c->a, b = c->b;
    return middle(&facts.var_at_0) * (a - b) * (a - b) / (4 * a * b);
}

TEST(protocol_geometry_is_chosen_as_printed)
{
    json_t *rows = vectors_load("local-additions", "pgr_planner"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        const scrim_local_config c =
            chosen(SCRIM_LOCAL_PROJECTIVE, number(row, "k"), vectors_text(row, "eps"));
        CHECK_INT(c.field, number(row, "small_q"));
        CHECK_INT(c.digits, number(row, "small_t"));
        CHECK_NEAR(over_optimum(&c), middle_of(row, "small_over_optimum"), 1e-6);
    }
    CHECK_INT(r, 14);
}

/* Local hashing has the variance of large geometries: the best prime. */
TEST(protocol_cells_are_chosen_as_printed)
{
    json_t *rows =
        json_object_get(vectors_load("local-additions", "pgr_field_choice"), "rows");
    json_t *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        const scrim_local_config c =
            chosen(SCRIM_LOCAL_HASHING, 2 * number(row, "q"), vectors_text(row, "eps"));
        CHECK(over_optimum(&c) < 1.01 * middle_of(row, "var_over_optimum"));
        scrim_local_config best = c;
        best.field = number(row, "q");
        CHECK_NEAR(over_optimum(&best), middle_of(row, "var_over_optimum"), 1e-6);
        CHECK(c.field <= best.field);
    }
    CHECK_INT(r, 6);
}

TEST(protocol_wave_is_as_wide_as_printed)
{
    json_t *rows = vectors_load("local-additions", "square_wave_width"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        char epsilon[16];
        snprintf(epsilon, sizeof epsilon, "%g", middle_of(row, "eps"));
        CHECK_INT(chosen(SCRIM_LOCAL_SQUARE_WAVE, number(row, "m"), epsilon).width,
                  number(row, "w"));
    }
    CHECK_INT(r, 12);
}

static uint32_t protocol_named(const char *name)
{
    static const struct {
        const char *name;
        uint32_t protocol;
    } names[] = {
        {"k-RR", SCRIM_LOCAL_RESPONSE},       {"OUE", SCRIM_LOCAL_OPTIMISED_UNARY},
        {"SUE", SCRIM_LOCAL_SYMMETRIC_UNARY}, {"OLH", SCRIM_LOCAL_HASHING},
        {"PGR", SCRIM_LOCAL_PROJECTIVE},      {"SS", SCRIM_LOCAL_SUBSET},
        {"HR", SCRIM_LOCAL_HADAMARD}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i].name, strlen(names[i].name)) == 0)
            return names[i].protocol;
    return 0;
}

static void check_poisoning(const json_t *row)
{
    char epsilon[16];
    snprintf(epsilon, sizeof epsilon, "%g", middle_of(row, "eps"));
    const uint32_t id = protocol_named(vectors_text(row, "protocol"));
    const scrim_local_config c = chosen(id, number(row, "k"), epsilon);
    SC_OWN(sc_protocol_facts, facts);
    CHECK(sc_protocol_find(&c, &facts));
    CHECK_NEAR(middle(&facts.raise), middle_of(row, "up"), 1e-5);
    CHECK_NEAR(middle(&facts.drop), middle_of(row, "down"), 1e-5);
    CHECK_INT(facts.targets, id == SCRIM_LOCAL_RESPONSE     ? 1
                             : id == SCRIM_LOCAL_SUBSET     ? c.chosen
                             : id == SCRIM_LOCAL_PROJECTIVE ? (c.field == 3 ? 40 : 400)
                                                            : c.values);
}

TEST(protocol_poisoning_is_as_printed)
{
    CLAIM("protocol.poisoning");
    each_row("local-additions", "poisoning", 14, check_poisoning);
}

/* Error over all values at n = 10^5, epsilon 2, k = 1024, from the formulas alone. */
TEST(protocol_errors_are_as_predicted)
{
    json_t *all = vectors_load("local-additions", "rmse_simulation");
    json_t *rows = json_object_get(all, "rows"), *row;
    const char *name;
    const double n = middle_of(all, "n");
    json_object_foreach(rows, name, row)
    {
        if (strstr(name, "J=4") != NULL)
            continue;
        const scrim_local_config c = chosen(protocol_named(name), 1024, "2");
        SC_OWN(sc_protocol_facts, facts);
        CHECK(sc_protocol_find(&c, &facts));
        /* The counts sum to n: of k values one in k reports is of the value itself. */
        const double variance =
            n * (middle(&facts.var_at_1) + 1023 * middle(&facts.var_at_0)) / 1024;
        CHECK_NEAR(sqrt(variance), middle_of(row, "predicted"), 1e-3);
    }
}
