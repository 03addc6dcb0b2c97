#include "audit/worst_pair.h"
#include "check.h"
#include "exact.h"
#include "toy_mechanism.h"

#include <math.h>
#include <stdio.h>

enum { LOSS, DELTA, ORDER, CHARGED, CHECKS };

typedef struct found {
    sc_check checks[CHECKS];
    uint64_t pairs, calls, last;
} found;

static void count_calls(void *context, uint64_t done, uint64_t total)
{
    found *f = context;
    f->calls++;
    CHECK_INT((int64_t)done, (int64_t)f->calls);
    f->last = total;
}

/* The loss against epsilon, delta at 1/2 and order 2 by the curve, and the charged pair. */
static bool search(const char *line, found *out)
{
    scrim_measurement *m = toy_measurement(line);
    if (m == NULL)
        return false;
    sc_ratio half, two;
    exact_ratio("1/2", &half);
    exact_ratio("2", &two);
    *out = (found){.pairs = 0};
    sc_check_init(&out->checks[LOSS], SC_CHECK_LOSS, NULL);
    sc_check_init(&out->checks[DELTA], SC_CHECK_DELTA, &half);
    sc_check_init(&out->checks[ORDER], SC_CHECK_RENYI, &two);
    sc_check_init(&out->checks[CHARGED], SC_CHECK_DELTA, &m->cost.epsilon);
    out->checks[LOSS].is_charged = out->checks[CHARGED].is_charged = true;
    sc_ratio_set(&out->checks[LOSS].claimed, &m->cost.epsilon);
    sc_ratio_set(&out->checks[CHARGED].claimed, &m->cost.delta);
    sc_search asked = {
        .checks = out->checks, .count = CHECKS, .progress = count_calls, .context = out};
    const bool ran = CHECK_STATUS(sc_search_run(m, &asked, NULL), SCRIM_OK);
    out->pairs = asked.pairs;
    CHECK_INT((int64_t)out->calls, (int64_t)asked.pairs);
    CHECK_INT((int64_t)out->last, (int64_t)asked.pairs);
    sc_ratio_clear(&two);
    sc_ratio_clear(&half);
    scrim_measurement_free(m);
    return ran;
}

static void forget(found *f)
{
    for (size_t i = 0; i < CHECKS; i++)
        sc_check_clear(&f->checks[i]);
}

/* ln 3 against claims a hair to either side of it. */
TEST(search_decides_to_the_last_digit)
{
    CLAIM("audit.violation");
    CLAIM("audit.holds");
    const struct {
        const char *line;
        scrim_audit_verdict loss, charged;
    } cases[] = {
        {"a=3/4 b=1/4 epsilon=1.0986122886681096", SCRIM_AUDIT_VIOLATED,
         SCRIM_AUDIT_VIOLATED},
        {"a=3/4 b=1/4 epsilon=1.0986122886681097", SCRIM_AUDIT_HOLDS, SCRIM_AUDIT_HOLDS},
        /* 30 digits, just below ln 3: the tolerance does not excuse what is proved */
        {"a=3/4 b=1/4 epsilon=1.09861228866810969139524523692", SCRIM_AUDIT_VIOLATED,
         SCRIM_AUDIT_VIOLATED},
        {"a=3/4 b=1/4 epsilon=1.09861228866810969139524523693", SCRIM_AUDIT_HOLDS,
         SCRIM_AUDIT_HOLDS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found f;
        REQUIRE(search(cases[i].line, &f));
        CHECK_INT(f.checks[LOSS].verdict, cases[i].loss);
        CHECK_INT(f.checks[CHARGED].verdict, cases[i].charged);
        CHECK_NEAR(sc_bounds_lower(&f.checks[LOSS].most), log(3), 1e-15);
        CHECK_INT(sc_check_is_tight(&f.checks[LOSS]), cases[i].loss == SCRIM_AUDIT_HOLDS);
        forget(&f);
    }
}

/* (1/2, 1/2) and (1/100, 99/100): the loss of ln 50 is forth, that of ln 1.98 is back. With a
 * and b exchanged it is the other way. */
TEST(search_looks_both_ways)
{
    CLAIM("worst-pair.both-ways");
    found f;
    REQUIRE(search("a=1/2 b=1/100 epsilon=2", &f));
    CHECK_INT(f.checks[LOSS].verdict, SCRIM_AUDIT_VIOLATED);
    CHECK_INT(f.checks[LOSS].direction, SC_FORTH);
    CHECK_NEAR(sc_bounds_lower(&f.checks[LOSS].most), log(50), 1e-15);
    CHECK_NEAR(f.checks[LOSS].upper, log(50), 1e-15);
    forget(&f);
    REQUIRE(search("a=1/100 b=1/2 epsilon=2", &f));
    CHECK_INT(f.checks[LOSS].verdict, SCRIM_AUDIT_VIOLATED);
    CHECK_INT(f.checks[LOSS].direction, SC_BACK);
    CHECK_NEAR(sc_bounds_lower(&f.checks[LOSS].most), log(50), 1e-15);
    /* delta at 2: 1/2 - e^2/100 */
    CHECK_INT(f.checks[CHARGED].direction, SC_BACK);
    CHECK_NEAR(sc_bounds_lower(&f.checks[CHARGED].most), 0.5 - exp(2) / 100, 1e-14);
    forget(&f);
}

TEST(search_finds_the_worst_of_many_pairs)
{
    CLAIM("worst-pair.both-ways");
    char line[96];
    for (size_t where = 0; where < 100; where += 33) {
        found f;
        (void)snprintf(line, sizeof line, "a=1/2 b=3/4 epsilon=1/2 pairs=100 where=%zu",
                       where);
        REQUIRE(search(line, &f));
        CHECK_INT((int64_t)f.pairs, 100);
        for (size_t i = 0; i < CHECKS; i++) {
            CHECK_INT(f.checks[i].verdict, SCRIM_AUDIT_VIOLATED);
            CHECK_INT((int64_t)f.checks[i].pair, (int64_t)where);
        }
        forget(&f);
    }
}

/* A third of the mass not listed: the bounds are wide, and the verdict says so. */
TEST(search_does_not_pass_what_it_cannot_see)
{
    CLAIM("audit.holds");
    found f;
    REQUIRE(search("a=1/2 b=1/2 epsilon=1 rest=1/3", &f));
    CHECK_INT(f.checks[LOSS].verdict, SCRIM_AUDIT_UNDECIDED);
    CHECK_INT(f.checks[CHARGED].verdict, SCRIM_AUDIT_UNDECIDED);
    CHECK_INT(f.checks[ORDER].verdict, SCRIM_AUDIT_WATCHED);
    CHECK(isinf(f.checks[ORDER].upper));
    CHECK_NEAR(f.checks[LOSS].unlisted_upper, 1.0 / 3, 1e-15);
    CHECK(f.checks[CHARGED].upper >= 1.0 / 3);
    forget(&f);
    /* A tail below 2^-60 is allowed for. */
    REQUIRE(search("a=1/2 b=1/2 epsilon=1 rest=2^-61", &f));
    CHECK_INT(f.checks[LOSS].verdict, SCRIM_AUDIT_HOLDS);
    CHECK_INT(f.checks[CHARGED].verdict, SCRIM_AUDIT_HOLDS);
    forget(&f);
    REQUIRE(search("a=1/2 b=1/2 epsilon=1 rest=2^-59", &f));
    CHECK_INT(f.checks[LOSS].verdict, SCRIM_AUDIT_UNDECIDED);
    CHECK_INT(f.checks[CHARGED].verdict, SCRIM_AUDIT_UNDECIDED);
    forget(&f);
}

/* The charged pair by itself. */
TEST(search_holds_the_charged_delta)
{
    CLAIM("audit.violation");
    found f;
    /* back: 0.5 - 0.4 e^0.1 = 0.0579316... */
    REQUIRE(search("a=0.6 b=0.5 epsilon=0.1 delta=0.0579", &f));
    CHECK_INT(f.checks[CHARGED].verdict, SCRIM_AUDIT_VIOLATED);
    CHECK_NEAR(f.checks[CHARGED].claimed_upper, 0.0579, 1e-15);
    forget(&f);
    REQUIRE(search("a=0.6 b=0.5 epsilon=0.1 delta=0.0580", &f));
    CHECK_INT(f.checks[CHARGED].verdict, SCRIM_AUDIT_HOLDS);
    forget(&f);
}

/* rho bounds every order, also where the curve does not. */
TEST(search_holds_rho)
{
    CLAIM("audit.violation");
    found f;
    /* D_2 = ln((9/16)/(1/2) + (1/16)/(1/2)) = ln 1.25 */
    REQUIRE(search("a=3/4 b=1/2 epsilon=2 rho=0.1115", &f));
    CHECK_INT(f.checks[ORDER].verdict, SCRIM_AUDIT_VIOLATED);
    CHECK_NEAR(sc_bounds_lower(&f.checks[ORDER].most), log(4.0 / 3), 1e-12);
    CHECK_NEAR(f.checks[ORDER].claimed_upper, 0.223, 1e-12);
    forget(&f);
    REQUIRE(search("a=3/4 b=1/2 epsilon=2 rho=0.15", &f));
    CHECK_INT(f.checks[ORDER].verdict, SCRIM_AUDIT_HOLDS);
    forget(&f);
}

TEST(search_wants_laws_and_pairs)
{
    scrim_measurement *m = toy_measurement("a=1/2 b=1/2 pairs=0");
    sc_search asked = {.checks = NULL};
    scrim_error error;
    REQUIRE(m != NULL);
    CHECK_STATUS(sc_search_run(m, &asked, &error), SCRIM_E_LIMIT);
    scrim_measurement_free(m);
}
