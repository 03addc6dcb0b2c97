#include "check.h"
#include "lab/errata/exact_formula.h"

#include <string.h>

typedef struct formula_case {
    const char *formula, *value;
} formula_case;

/* Checks the value, exactly if it is written as a fraction and to its digits otherwise. */
static void check_formula(lab_formula_scope *scope, const formula_case *c)
{
    char text[LAB_QUANTITY_TEXT_BYTES];
    LAB_QUANTITY(got);
    LAB_QUANTITY(want);
    if (!lab_formula_evaluate(scope, c->formula, &got)) {
        CHECK_FAIL("%s cannot be computed", c->formula);
        return;
    }
    REQUIRE(lab_quantity_parse(&want, c->value, strlen(c->value)));
    lab_quantity_format(&got, text);
    if (strchr(c->value, '.') == NULL)
        CHECK(got.is_exact && fmpq_equal(got.exact, want.exact));
    else
        CHECK_STR(text, c->value);
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
        {"exp(1)", "2.7182818284590452"},
        {"2^(1/2)", "1.4142135623730950"},
        {"Q(2)*2", "0.045500263896358414"},
        {"sqrt(pi)", "1.7724538509055160"},
    };
    lab_formula_scope scope;
    LAB_QUANTITY(value);
    lab_formula_scope_init(&scope);
    lab_quantity_set_int64(&value, 3);
    CHECK(lab_formula_bind(&scope, "x", &value));
    fmpq_set_si(value.exact, 1, 2);
    CHECK(lab_formula_bind(&scope, "x_2", &value));
    for (size_t i = 0; i < COUNT(cases); i++)
        check_formula(&scope, &cases[i]);
    CHECK_INT(scope.count, 2);
    lab_formula_scope_clear(&scope);
}

TEST(exact_formula_root)
{
    lab_formula_scope scope;
    LAB_QUANTITY(root);
    LAB_QUANTITY(want);
    lab_formula_scope_init(&scope);
    REQUIRE(lab_formula_evaluate(&scope, "root(x, 1, 2, x^2 - 2)", &root));
    CHECK(!root.is_exact && arb_rel_accuracy_bits(root.ball) >= 120);
    arb_sqrt_ui(want.ball, 2, LAB_QUANTITY_BITS);
    CHECK(arb_contains(root.ball, want.ball));
    /* No change of sign, and no integer with the property. */
    CHECK(!lab_formula_evaluate(&scope, "root(x, 2, 3, x^2 - 2)", &root));
    CHECK(!lab_formula_evaluate(&scope, "least(k, 1, 3, 10 - k^2)", &root));
    CHECK_INT(scope.count, 0);
    /* A bound on the error is kept. */
    REQUIRE(lab_formula_evaluate(&scope, "within(1, 1/4)", &root));
    fmpq_set_si(want.exact, 5, 4);
    CHECK(arb_contains_fmpq(root.ball, want.exact));
    lab_formula_scope_clear(&scope);
}

TEST(exact_formula_refuses)
{
    static const char *const texts[] = {
        "",    "1 +",    "(1",        "1)",        "y",
        "1/0", "ln(0)",  "f(1)",      "exp(1, 2)", "min(1)",
        "1 2", "sum(k)", "C(1/2, 1)", "2..3",      "sum(k, 1/2, 3, k)"};
    lab_formula_scope scope;
    LAB_QUANTITY(value);
    lab_formula_scope_init(&scope);
    for (size_t i = 0; i < COUNT(texts); i++)
        if (lab_formula_evaluate(&scope, texts[i], &value))
            CHECK_FAIL("'%s' was computed", texts[i]);
        else
            CHECK(true);
    CHECK_INT(scope.count, 0);
    lab_formula_scope_clear(&scope);
}

/* Numbers as users write them, and as they are shown. */
TEST(quantity_texts)
{
    static const struct {
        const char *text, *shown;
    } list[] = {{"12", "12"},      {"-0.25", "-0.25"},   {"1/3", "1/3"},
                {"2/8", "0.25"},   {"1e-6", "0.000001"}, {"2.5e3", "2500"},
                {"2^-3", "0.125"}, {"2^10", "1024"}};
    static const char *const wrong[] = {"",   "x",   "1/0",     "1/", ".5",  "1.",
                                        "1e", "3^2", "1e99999", "1 ", "--1", "1/3/2"};
    for (size_t i = 0; i < COUNT(list); i++) {
        char text[LAB_QUANTITY_TEXT_BYTES];
        LAB_QUANTITY(value);
        CHECK(lab_quantity_parse(&value, list[i].text, strlen(list[i].text)));
        lab_quantity_format(&value, text);
        CHECK_STR(text, list[i].shown);
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        LAB_QUANTITY(value);
        CHECK(!lab_quantity_parse(&value, wrong[i], strlen(wrong[i])));
    }
}
