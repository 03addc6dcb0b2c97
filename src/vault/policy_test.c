#include "check.h"
#include "scrim/vault.h"
#include "vault/policy.h"

static scrim_status parse(const char *text, sc_policy *policy)
{
    sc_policy_clear(policy);
    sc_policy_init(policy);
    return sc_policy_parse(sc_text_of(text), policy, NULL);
}

TEST(policy_reads_its_own_lines)
{
    CLAIM("policy.lines");
    sc_policy p;
    sc_policy_init(&p);
    REQUIRE_OK(parse("# a comment\n\n  unit = person_id\r\ncolumn age=int[0,120]\n"
                     "population=people\nbudget epsilon=1/3,delta=1e-6\n"
                     "neighbours=replace\naccounting=renyi=3/2\n"
                     "cap=least=0.1,delta=1e-9,divergence=2",
                     &p));
    char text[SCRIM_NUMBER_BYTES];
    CHECK(sc_text_is(p.population, "people"));
    CHECK(p.has_budget && p.neighbours == SCRIM_REPLACE && p.rule == SC_FILTER_RENYI);
    sc_ratio_format(&p.epsilon, text, sizeof text);
    CHECK_STR(text, "1/3");
    sc_ratio_format(&p.delta, text, sizeof text);
    CHECK_STR(text, "0.000001");
    sc_ratio_format(&p.order, text, sizeof text);
    CHECK_STR(text, "1.5");
    CHECK(p.has_cap && sc_text_is(p.unit, "divergence") && p.has_cap_delta &&
          p.has_least);
    sc_ratio_format(&p.most, text, sizeof text);
    CHECK_STR(text, "2");
    sc_ratio_format(&p.least, text, sizeof text);
    CHECK_STR(text, "0.1");
    REQUIRE_OK(parse("", &p));
    CHECK(!p.has_budget && !p.has_cap && p.population.bytes == 0);
    sc_policy_clear(&p);
}

TEST(policy_reads_a_quantum)
{
    CLAIM("policy.lines");
    static const struct {
        const char *line;
        uint64_t ns; /* 0: the line is invalid */
    } cases[] = {{"quantum=0.5", 500000000},
                 {"quantum=1/3", 333333334},
                 {"quantum=3600", 3600000000000},
                 {"quantum=1e-30", 1},
                 {"quantum=0", 0},
                 {"quantum=-1", 0},
                 {"quantum=3600.000000001", 0},
                 {"quantum=", 0},
                 {"quantum=1\nquantum=1", 0},
                 {"quantum=none", 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_policy p;
        sc_policy_init(&p);
        CHECK_STATUS(parse(cases[i].line, &p),
                     cases[i].ns > 0 ? SCRIM_OK : SCRIM_E_PARAM);
        if (cases[i].ns > 0)
            CHECK_INT(sc_policy_quantum_ns(&p), cases[i].ns);
        sc_policy_clear(&p);
    }
    sc_policy none;
    sc_policy_init(&none);
    CHECK_INT(sc_policy_quantum_ns(&none), 0);
    sc_policy_clear(&none);
}

TEST(policy_reads_shares)
{
    CLAIM("policy.lines");
    sc_policy_share share;
    sc_policy_share_init(&share);
    CHECK(sc_policy_share_parse(sc_text_of("alice=rho=1/3,delta=1e-9"), &share));
    CHECK(sc_text_is(share.analyst, "alice") && sc_text_is(share.unit, "rho"));
    char text[SCRIM_NUMBER_BYTES];
    sc_ratio_format(&share.amount, text, sizeof text);
    CHECK_STR(text, "1/3");
    CHECK(share.has_delta);
    sc_ratio_format(&share.delta, text, sizeof text);
    CHECK_STR(text, "0.000000001");
    CHECK(sc_policy_share_parse(sc_text_of("*=none"), &share));
    CHECK(sc_text_is(share.analyst, "*") && share.unit.bytes == 0 && !share.has_delta);
    sc_policy_share_clear(&share);
}

/* A misspelt line is told what it may have been. */
TEST(policy_says_what_was_meant)
{
    sc_policy p;
    scrim_error error = {.message = ""};
    sc_policy_init(&p);
    CHECK_STATUS(sc_policy_parse(sc_text_of("colum=age=text"), &p, &error),
                 SCRIM_E_PARAM);
    CHECK_STR(error.message, "a policy has no line 'colum'; did you mean 'column'?");
    CHECK_STATUS(sc_policy_parse(sc_text_of("bugdet=1"), &p, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "a policy has no line 'bugdet'; did you mean 'budget'?");
    sc_policy_clear(&p);
}

/* The mistake is named, and no second guess. */
TEST(policy_says_what_is_wrong)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"budget=3", "budget: '3' is not valid; write epsilon=R[,delta=R]; R is 0 or "
                     "more, as 3, 0.5, 1/3 or 1e-6"},
        {"budget=epsilon=1\nbudget=epsilon=1", "budget is given twice; give it once"},
        {"cap=epsilon=1\ncap=epsilon=1", "cap is given twice; give it once"},
        {"population=a\npopulation=a", "population is given twice; give it once"},
        {"neighbours=near",
         "neighbours: 'near' is not valid; write add-remove or replace"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sc_policy p;
        scrim_error error = {.message = ""};
        sc_policy_init(&p);
        CHECK_STATUS(sc_policy_parse(sc_text_of(bad[i].text), &p, &error), SCRIM_E_PARAM);
        CHECK_STR(error.message, bad[i].message);
        sc_policy_clear(&p);
    }
    CHECK_STATUS(scrim_policy_check("unit=row\nshare=a=epsilon=1\nshare=b=none", NULL),
                 SCRIM_OK);
}

TEST(policy_refuses_what_it_cannot_mean)
{
    CLAIM("policy.lines");
    static const struct {
        const char *text;
        scrim_status status;
    } bad[] = {
        {"1=2", SCRIM_E_SYNTAX},
        {"-x=2", SCRIM_E_SYNTAX},
        {"key:value", SCRIM_E_SYNTAX},
        {"budget", SCRIM_E_PARAM},
        {"budget=", SCRIM_E_PARAM},
        {"budget=3", SCRIM_E_PARAM},
        {"budget=epsilon=-1", SCRIM_E_PARAM},
        {"budget=epsilon=1,", SCRIM_E_PARAM},
        {"budget=epsilon=1,rho=2", SCRIM_E_PARAM},
        {"budget=epsilon=1\nbudget=epsilon=1", SCRIM_E_PARAM},
        {"population=a b", SCRIM_E_PARAM},
        {"population=a\npopulation=b", SCRIM_E_PARAM},
        {"neighbours=local", SCRIM_E_PARAM},
        {"neighbours=replace\nneighbours=replace", SCRIM_E_PARAM},
        {"accounting=renyi", SCRIM_E_PARAM},
        {"accounting=sum\naccounting=sum", SCRIM_E_PARAM},
        {"cap=1", SCRIM_E_PARAM},
        {"cap=epsilon=1,rho=1", SCRIM_E_PARAM},
        {"cap=delta=1,delta=1", SCRIM_E_PARAM},
        {"cap=epsilon=1,least=0.1,least=0.2", SCRIM_E_PARAM},
        {"cap=delta=1\ncap=epsilon=1", SCRIM_E_PARAM},
        {"colum=age=int[0,1]", SCRIM_E_PARAM},
        {"seed=1", SCRIM_E_PARAM},
        {"share", SCRIM_E_PARAM},
        {"share=alice", SCRIM_E_PARAM},
        {"share=alice=", SCRIM_E_PARAM},
        {"share==epsilon=1", SCRIM_E_PARAM},
        {"share=alice=1", SCRIM_E_PARAM},
        {"share=alice=epsilon=1,epsilon=1", SCRIM_E_PARAM},
        {"share=alice=epsilon=1,rho=1", SCRIM_E_PARAM},
        {"share=alice=epsilon=-1", SCRIM_E_PARAM},
        {"share=alice=epsilon=1,least=1", SCRIM_E_PARAM},
        {"contents=now", SCRIM_E_PARAM},
    };
    sc_policy p;
    sc_policy_init(&p);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_STATUS(parse(bad[i].text, &p), bad[i].status);
    sc_policy_clear(&p);
}

TEST(policy_is_checked_as_a_whole)
{
    CLAIM("policy.lines");
    CHECK_STATUS(scrim_policy_check("unit=row", NULL), SCRIM_OK);
    CHECK_STATUS(
        scrim_policy_check("unit=row\nbudget=epsilon=1\ncolumn=a=int[0,1]", NULL),
        SCRIM_OK);
    CHECK_STATUS(scrim_policy_check("", NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_policy_check("unit=row\nbudget=1", NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_policy_check("unit=row\ncolumn=a=int[1,0]", NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_policy_check("unit=row\nno line", NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_policy_check("unit=row\n!", NULL), SCRIM_E_SYNTAX);
}
