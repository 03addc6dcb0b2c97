#include "check.h"
#include "exact.h"
#include "experiment/errata/exact_formula.h"

#include <string.h>

typedef struct formula_case {
    const char *formula, *value;
} formula_case;

/* Checks the value, exactly if it is written as a fraction and to its digits otherwise. */
static void check_formula(sc_formula_scope *scope, const formula_case *c)
{
    SC_OWN(sc_quantity, got);
    SC_OWN(sc_ratio, want);
    if (!sc_formula_evaluate(scope, c->formula, &got)) {
        CHECK_FAIL("%s cannot be computed", c->formula);
        return;
    }
    REQUIRE_OK(sc_ratio_parse(sc_text_of(c->value), &want, NULL));
    if (strchr(c->value, '.') != NULL)
        CHECK_PRINTED(&got.ball, c->value);
    else if (!got.is_exact || sc_ratio_compare(&got.exact, &want) != 0)
        CHECK_FAIL("%s is not %s", c->formula, c->value);
    else
        CHECK(true);
}

TEST(exact_formula_values)
{
    static const formula_case cases[] = {
        {"1 + 2*3", "7"},
        {"(1 + 2)*3", "9"},
        {"7 - 2 - 1", "4"},
        {"1/3/2", "1/6"},
        {"-2^2", "-4"},
        {"2^-3", "1/8"},
        {"2^3^2", "512"},
        {"1e-6*10^6", "1"},
        {"sqrt(16/9)", "4/3"},
        {"floor(-7/2)", "-4"},
        {"ceil(7/2)", "4"},
        {"floor(exp(1))", "2"},
        {"ceil(exp(1))", "3"},
        {"abs(1 - 3)", "2"},
        {"min(1/2, 1/3)", "1/3"},
        {"max(exp(-1), 1/2)", "1/2"},
        {"C(128, 3)", "341376"},
        {"C(3, 4)", "0"},
        {"exp(0) + ln(1)", "1"},
        {"0*exp(1)", "0"},
        {"sum(k, 1, 4, k^2)", "30"},
        {"sum(k, 1, 0, k)", "0"},
        {"sum(i, 1, 3, sum(j, i, 3, i*j))", "25"},
        {"prod(k, 1, 5, k)", "120"},
        {"most(k, 0, 6, k*(5 - k))", "6"},
        {"least(k, 1, 20, 10 - k^2)", "4"},
        {"x + x_2", "7/2"},
        {"exp(1)", "2.71828182845904523536"},
        {"2^(1/2)", "1.41421356237309504880"},
        {"Q(2)*2", "0.04550026389635841440"},
        {"sqrt(pi)", "1.77245385090551602730"},
    };
    sc_formula_scope scope;
    SC_OWN(sc_quantity, value);
    SC_BALL_SCOPE(balls);
    sc_formula_scope_init(&scope);
    sc_quantity_set_int64(&value, 3);
    CHECK(sc_formula_bind(&scope, "x", &value));
    sc_ratio_set_quotient(&value.exact, 1, 2);
    CHECK(sc_formula_bind(&scope, "x_2", &value));
    for (size_t i = 0; i < COUNT(cases); i++)
        check_formula(&scope, &cases[i]);
    CHECK_INT(scope.count, 2);
    sc_formula_scope_clear(&scope);
}

TEST(exact_formula_root)
{
    sc_formula_scope scope;
    SC_OWN(sc_quantity, root, two);
    SC_OWN(sc_ball, ball, want);
    SC_BALL_SCOPE(balls);
    sc_formula_scope_init(&scope);
    REQUIRE(sc_formula_evaluate(&scope, "root(x, 1, 2, x^2 - 2)", &root));
    CHECK(!root.is_exact && sc_ball_is_accurate(&root.ball, 120));
    sc_ball_set_int64(&want, 2);
    sc_ball_sqrt(&want, &want, SC_QUANTITY_BITS);
    CHECK(sc_ball_contains(&root.ball, &want));
    /* No change of sign, and no integer with the wanted property. */
    CHECK(!sc_formula_evaluate(&scope, "root(x, 2, 3, x^2 - 2)", &root));
    CHECK(!sc_formula_evaluate(&scope, "least(k, 1, 3, 10 - k^2)", &root));
    CHECK_INT(scope.count, 0);
    /* A bound on the error is kept. */
    REQUIRE(sc_formula_evaluate(&scope, "within(1, 1/4)", &root));
    sc_ratio_set_quotient(&two.exact, 5, 4);
    sc_quantity_ball(&two, &ball);
    CHECK(sc_ball_contains(&root.ball, &ball));
    sc_formula_scope_clear(&scope);
}

TEST(exact_formula_refuses)
{
    static const char *const texts[] = {
        "",    "1 +",    "(1",        "1)",        "y",
        "1/0", "ln(0)",  "f(1)",      "exp(1, 2)", "min(1)",
        "1 2", "sum(k)", "C(1/2, 1)", "2..3",      "sum(k, 1/2, 3, k)"};
    sc_formula_scope scope;
    SC_OWN(sc_quantity, value);
    SC_BALL_SCOPE(balls);
    sc_formula_scope_init(&scope);
    for (size_t i = 0; i < COUNT(texts); i++)
        if (sc_formula_evaluate(&scope, texts[i], &value))
            CHECK_FAIL("'%s' was computed", texts[i]);
        else
            CHECK(true);
    CHECK_INT(scope.count, 0);
    sc_formula_scope_clear(&scope);
}
