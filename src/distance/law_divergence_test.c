#include "check.h"
#include "faults.h"
#include "mass_lists.h"
#include "scrim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTCOMES 8

typedef struct list {
    char text[512];
    scrim_place places[OUTCOMES];
    size_t count;
} list;

/* Outcomes out of "name:mass name:mass". */
static void split(const char *text, list *out)
{
    char *rest = NULL;
    out->count = 0;
    snprintf(out->text, sizeof out->text, "%s", text);
    for (char *word = strtok_r(out->text, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        char *colon = strchr(word, ':');
        if (colon != NULL)
            *colon = '\0';
        out->places[out->count++] =
            (scrim_place){.place = word, .mass = colon == NULL ? NULL : colon + 1};
    }
}

static scrim_status laws_of(const char *p, const char *q, scrim_laws **out,
                            scrim_error *error)
{
    list x, y;
    split(p, &x);
    split(q, &y);
    return scrim_laws_new(x.places, x.count, y.places, y.count, NULL, out, error);
}

static scrim_status ask(const char *p, const char *q, scrim_divergence question,
                        scrim_distance *out)
{
    scrim_error error = {.status = SCRIM_OK};
    scrim_laws *laws = NULL;
    question.size = sizeof question;
    scrim_status status = laws_of(p, q, &laws, &error);
    if (status == SCRIM_OK)
        status = scrim_divergence_of(laws, &question, out, &error);
    if (status != SCRIM_OK)
        CHECK(error.message[0] != '\0');
    scrim_laws_free(laws);
    return status;
}

static const char *exact(const char *p, const char *q, scrim_divergence question)
{
    static scrim_distance found;
    static char refused[32];
    const scrim_status status = ask(p, q, question, &found);
    snprintf(refused, sizeof refused, "status %d", (int)status);
    return status == SCRIM_OK ? found.exact : refused;
}

static const char *decimal(const char *p, const char *q, scrim_divergence question)
{
    static scrim_distance found;
    return ask(p, q, question, &found) == SCRIM_OK ? found.decimal : "refused";
}

#define HALVES "a:1/2 b:1/2"
#define SPREAD "a:1/4 b:1/4 c:1/2"
#define FORTH(...) exact(HALVES, SPREAD, (scrim_divergence){__VA_ARGS__})
#define BACK(...) exact(HALVES, SPREAD, (scrim_divergence){.is_back = 1, __VA_ARGS__})
#define MIRROR(...) exact("a:9 b:1", "a:1 b:9", (scrim_divergence){__VA_ARGS__})

/* spec/papers-additions.md 2. */
TEST(law_divergences_of_the_specification)
{
    CLAIM("law-divergence.exact");
    CHECK_STR(FORTH(.kind = "kl"), "ln(2)");
    CHECK_STR(FORTH(.kind = "renyi", .order = "1/2"), "ln(2)");
    CHECK_STR(FORTH(.kind = "renyi", .order = "7.5"), "ln(2)");
    CHECK_STR(BACK(.kind = "kl"), "inf");
    CHECK_STR(BACK(.kind = "renyi", .order = "2"), "inf");
    CHECK_STR(FORTH(.kind = "tv"), "0.5");
    CHECK_STR(FORTH(.kind = "hockey-stick", .epsilon = "ln(2)"), "0");
    CHECK_STR(BACK(.kind = "hockey-stick", .epsilon = "ln(2)"), "0.5");
    CHECK_STR(FORTH(.kind = "approximate-max", .delta = "0.1"), "ln(1.8)");
    CHECK_STR(BACK(.kind = "approximate-max", .delta = "0.1"), "inf");
    CHECK_STR(FORTH(.kind = "approximate-max", .delta = "1/2"), "0");
    CHECK_STR(BACK(.kind = "approximate-max", .delta = "1/2"), "ln(0.5)");
    CHECK_STR(FORTH(.kind = "approximate-max", .delta = "1"), "-inf");
    CHECK_STR(BACK(.kind = "approximate-max", .delta = "1"), "-inf");
    CHECK_STR(MIRROR(.kind = "renyi", .order = "2"), "ln(73/9)");
    CHECK_STR(MIRROR(.kind = "renyi", .order = "3"), "ln(5905/81)/2");
    CHECK_STR(MIRROR(.kind = "approximate-max", .delta = "1/20"), "ln(8.5)");
    CHECK_STR(MIRROR(.kind = "hockey-stick", .epsilon = "ln(3)"), "0.6");
    CHECK_STR(MIRROR(.kind = "max"), "ln(9)");
    /* Order 1/2 back is ln 2 as well, without a common ratio. */
    CHECK_STR(decimal(HALVES, SPREAD,
                      (scrim_divergence){.kind = "renyi", .order = "1/2", .is_back = 1}),
              "0.693147180559946");
    CHECK_STR(decimal("a:9 b:1", "a:1 b:9", (scrim_divergence){.kind = "kl"}),
              "1.75777966186898");
}

TEST(law_divergences_at_their_ends)
{
    CLAIM("law-divergence.rounded");
    CHECK_STR(FORTH(.kind = "renyi", .order = "0"), "ln(2)");
    CHECK_STR(BACK(.kind = "renyi", .order = "0"), "0");
    CHECK_STR(exact("a", "b", (scrim_divergence){.kind = "renyi", .order = "0"}), "inf");
    CHECK_STR(exact("a", "b", (scrim_divergence){.kind = "renyi", .order = "1/3"}),
              "inf");
    CHECK_STR(exact("a", "b", (scrim_divergence){.kind = "tv"}), "1");
    CHECK_STR(exact("a", "b", (scrim_divergence){.kind = "hockey-stick", .epsilon = "9"}),
              "");
    CHECK_STR(exact("a", "a", (scrim_divergence){.kind = "kl"}), "0");
    CHECK_STR(exact("a", "a", (scrim_divergence){.kind = "renyi", .order = "2.5"}), "0");
    CHECK_STR(decimal("a", "a", (scrim_divergence){.kind = "kl-bound"}), "0");
    /* A negative one is rounded up as well. */
    CHECK_STR(decimal(HALVES, SPREAD,
                      (scrim_divergence){
                          .kind = "approximate-max", .delta = "1/2", .is_back = 1}),
              "-0.693147180559945");
    CHECK_STR(exact(HALVES, SPREAD,
                    (scrim_divergence){.kind = "hockey-stick", .epsilon = "ln(1/2)"}),
              "0.75");
}

/* Names are added up, and what has no mass is no outcome. */
TEST(law_divergence_joins_names)
{
    CHECK_STR(
        exact("x:1/3 y:1/3 x:1/3", "x:1/2 y:1/2 z:0", (scrim_divergence){.kind = "max"}),
        "ln(4/3)");
    CHECK_STR(exact("x:2 y", "x y:2", (scrim_divergence){.kind = "max"}), "ln(2)");
}

TEST(law_divergence_bounds_and_groups)
{
    const double two = log(2), tanh_half = two * tanh(two / 2);
    scrim_distance found;
    CHECK_INT(ask("a:2 b:1", "a:1 b:2", (scrim_divergence){.kind = "kl-bound"}, &found),
              SCRIM_OK);
    CHECK(fabs(strtod(found.decimal, NULL) - tanh_half) < 1e-14);
    /* Randomised response has this divergence: the bound is sharp. */
    CHECK_STR(found.decimal,
              decimal("a:2 b:1", "a:1 b:2", (scrim_divergence){.kind = "kl"}));
    CHECK_INT(
        ask("a:9 b:1", "a:1 b:9",
            (scrim_divergence){.kind = "renyi-bound", .order = "2", .delta = "1e-5"},
            &found),
        SCRIM_OK);
    CHECK(fabs(strtod(found.decimal, NULL) -
               (log(73.0 / 9) + log(0.5) - log(1e-5) - log(2))) < 1e-13);
    CHECK_STR(MIRROR(.kind = "group-max", .group = "3"), "3 ln(9)");
    CHECK_STR(exact("a:9 b:1", "a:1 b:9",
                    (scrim_divergence){
                        .kind = "group-delta", .group = "2", .epsilon = "ln(8)"}),
              "0.9"); /* 1/10 (8^2 - 1)/(8 - 1) */
    CHECK_STR(decimal("a:9 b:1", "a:1 b:9",
                      (scrim_divergence){
                          .kind = "group-delta", .group = "9", .epsilon = "ln(8)"}),
              "1");
    CHECK_STR(
        decimal("a:6 b:4", "a:5 b:5",
                (scrim_divergence){.kind = "group-delta", .group = "3", .epsilon = "0"}),
        "0.3");
}

/* Against every event of random laws with zeros. */
typedef struct counts {
    unsigned p[5], q[5], p_total, q_total;
} counts;

static void draw_counts(uint64_t *state, counts *out)
{
    do {
        *out = (counts){.p_total = 0};
        for (size_t i = 0; i < 5; i++) {
            out->p[i] = mass_random(state, 3) == 0 ? 0 : (unsigned)mass_random(state, 9);
            out->q[i] = mass_random(state, 3) == 0 ? 0 : (unsigned)mass_random(state, 9);
            out->p_total += out->p[i];
            out->q_total += out->q[i];
        }
    } while (out->p_total == 0 || out->q_total == 0);
}

static void write_law(const unsigned mass[5], unsigned total, char out[256])
{
    size_t used = 0;
    for (size_t i = 0; i < 5; i++)
        used += (size_t)snprintf(out + used, 256 - used, "%s%c:%u/%u", i == 0 ? "" : " ",
                                 (char)('a' + i), mass[i], total);
}

/* The largest P(S) - t Q(S), and the largest (P(S) - delta)/Q(S); infinite is -1. */
static void over_events(const counts *c, double t, double delta, double *stick,
                        double *growth)
{
    *stick = *growth = 0;
    bool is_infinite = false;
    for (unsigned event = 1; event < 32; event++) {
        double p = 0, q = 0;
        for (size_t i = 0; i < 5; i++)
            if ((event >> i & 1) != 0) {
                p += c->p[i];
                q += c->q[i];
            }
        p /= c->p_total;
        q /= c->q_total;
        *stick = fmax(*stick, p - t * q);
        if (q > 0)
            *growth = fmax(*growth, (p - delta) / q);
        else
            is_infinite |= p > delta + 1e-9;
    }
    if (is_infinite)
        *growth = -1;
}

TEST(law_divergence_is_that_over_events)
{
    uint64_t state = 7;
    for (int round = 0; round < 300; round++) {
        counts c;
        char p[256], q[256];
        double stick = 0, growth = 0;
        scrim_distance found = {.is_infinite = 0};
        draw_counts(&state, &c);
        write_law(c.p, c.p_total, p);
        write_law(c.q, c.q_total, q);
        over_events(&c, exp(0.3), 0.15, &stick, &growth);
        CHECK_INT(ask(p, q, (scrim_divergence){.kind = "hockey-stick", .epsilon = "0.3"},
                      &found),
                  SCRIM_OK);
        CHECK(fabs(strtod(found.decimal, NULL) - stick) < 1e-12);
        CHECK_INT(ask(p, q,
                      (scrim_divergence){.kind = "approximate-max", .delta = "0.15"},
                      &found),
                  SCRIM_OK);
        CHECK_INT(found.is_infinite, growth < 0);
        if (growth > 0)
            CHECK(fabs(strtod(found.decimal, NULL) - log(growth)) < 1e-9);
    }
}

TEST(law_divergence_refuses)
{
    static const struct {
        const char *p, *q;
        scrim_divergence question;
        scrim_status status;
    } cases[] = {
        {"a:1/2", "a", {.kind = "tv"}, SCRIM_E_PARAM},
        {"a:1/2 b:1", "a:1 b:1/2", {.kind = "tv"}, SCRIM_E_PARAM},
        {"", "", {.kind = "tv"}, SCRIM_E_PARAM},
        {"a:0", "a:0", {.kind = "tv"}, SCRIM_E_PARAM},
        {"a:-1 b:2", "a", {.kind = "tv"}, SCRIM_E_INPUT},
        {"a:x", "a", {.kind = "tv"}, SCRIM_E_INPUT},
        {"a", "a", {.kind = "hockey"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = NULL}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "renyi"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "renyi", .order = "-1"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "renyi", .order = "1000001"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "tv", .order = "2"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "hockey-stick", .epsilon = "ln(0)"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "hockey-stick", .epsilon = "ln()"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "hockey-stick", .epsilon = "1001"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "approximate-max", .delta = "1.1"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "renyi-bound", .order = "1", .delta = "0.1"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "renyi-bound", .order = "2", .delta = "0"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "group-max", .group = "1.5"}, SCRIM_E_PARAM},
        {"a", "a", {.kind = "group-delta", .group = "2", .epsilon = "-1"}, SCRIM_E_PARAM},
    };
    scrim_distance found;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_INT(ask(cases[i].p, cases[i].q, cases[i].question, &found),
                  cases[i].status);
}

TEST(law_divergence_kinds_are_listed)
{
    size_t count = 0;
    while (scrim_divergence_kind_at(count) != NULL)
        count++;
    CHECK_INT(count, 10);
    CHECK_STR(scrim_divergence_kind_at(4)->needs, "epsilon");
}

/* Masses whose common denominator is long, and a value near 0. */
TEST(law_divergence_of_long_numbers)
{
    scrim_distance found;
    CHECK_INT(ask("a:2^-300 b:1", "a:1", (scrim_divergence){.kind = "tv"}, &found),
              SCRIM_E_PARAM);
    CHECK_INT(ask("a:1 b:0", "a:1", (scrim_divergence){.kind = "kl"}, &found), SCRIM_OK);
    CHECK_INT(ask("a:1e60 b:1", "a:1 b:1e60",
                  (scrim_divergence){.kind = "renyi", .order = "1.5"}, &found),
              SCRIM_OK);
    /* p = 1/2 and q = 1/2 + 10^-40: KL is about 2 10^-80. */
    CHECK_INT(ask("a:5e39 b:5e39",
                  "a:5000000000000000000000000000000000000001 "
                  "b:4999999999999999999999999999999999999999",
                  (scrim_divergence){.kind = "kl"}, &found),
              SCRIM_OK);
    CHECK(fabs(strtod(found.decimal, NULL) / 2e-80 - 1) < 1e-12);
}

TEST(law_divergence_survives_memory_faults)
{
    list x, y;
    scrim_distance found;
    const scrim_divergence question = {
        .size = sizeof question, .kind = "approximate-max", .delta = "0.1"};
    split(HALVES, &x);
    split(SPREAD, &y);
    FAULT_LOOP(fault)
    {
        scrim_laws *laws = NULL;
        scrim_status status =
            scrim_laws_new(x.places, x.count, y.places, y.count, NULL, &laws, NULL);
        if (status == SCRIM_OK)
            status = scrim_divergence_of(laws, &question, &found, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        scrim_laws_free(laws);
    }
    CHECK_STR(found.exact, "ln(1.8)");
}
