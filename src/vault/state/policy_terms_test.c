#include "base/memory.h"
#include "check.h"
#include "vault/state/policy_terms.h"

#include <string.h>

static void check_line(const char *policy, const char *key, const char *want)
{
    sc_text value;
    const bool is_found = sc_policy_line(sc_text_of(policy), key, &value);
    CHECK_INT(is_found, want != NULL);
    CHECK(want == NULL ? value.bytes == 0 : sc_text_is(value, want));
}

TEST(policy_line_is_found_however_it_is_spelt)
{
    CLAIM("policy_line.first");
    static const char policy[] = "# unit=no\ncsv=unit=x.csv\nunit person\nunit=row\n"
                                 "  contents=a=b  \nkeys=city=@f";
    check_line(policy, "unit", "person");
    check_line(policy, "csv", "unit=x.csv");
    check_line(policy, "contents", "a=b");
    check_line(policy, "keys", "city=@f");
    check_line(policy, "uni", NULL);
    check_line("", "unit", NULL);
    check_line("what is this\nunit=row", "unit", "row");
}

static void check_unit(const char *policy, const char *want)
{
    sc_text name;
    CHECK_INT(sc_policy_unit(sc_text_of(policy), &name), want != NULL);
    CHECK(want == NULL ? name.bytes == 0 : sc_text_is(name, want));
}

TEST(policy_unit_is_a_row_or_has_a_name)
{
    CLAIM("policy_line.first");
    check_unit("unit=person_id", "person_id");
    check_unit("unit=customer\nsame-unit=person_id", "person_id");
    check_unit("unit=row", "row");
    check_unit("unit=row\nsame-unit=person_id", "row");
    check_unit("unit=person_id\nsame-unit=row", "person_id");
    check_unit("same-unit=person_id", NULL);
}

static void check_terms(const char *policy, const char *want)
{
    char terms[256];
    CHECK(strlen(policy) + SC_POLICY_TERMS_MORE <= sizeof terms);
    sc_policy_terms(sc_text_of(policy), terms);
    CHECK_STR(terms, want);
    CHECK(sc_policy_terms_are_spelt(sc_text_of(terms)));
}

TEST(policy_terms_have_one_spelling)
{
    CLAIM("policy_terms.canonical");
    check_terms("", "");
    check_terms("unit=row\n# cap=1\ncaption=x\n", "");
    check_terms("quantum 0.5", "quantum=0.5\n");
    check_terms("quantum=1\r\nunit=row\n  cap = epsilon=1 ,delta=0",
                "cap== epsilon=1 ,delta=0\nquantum=1\n");
    check_terms("cap\nquantum", "cap=\nquantum=\n");
    static const char *const wrong[] = {"\n",
                                        "quantum=1",
                                        "quantum 1\n",
                                        "quantum=1 \n",
                                        " quantum=1\n",
                                        "quantum=1\ncap=epsilon=1\n",
                                        "cap=epsilon=1\ncap=epsilon=1\n",
                                        "cap=epsilon=1\n\n",
                                        "cap=epsilon=1\nunit=row\n",
                                        "# quantum=1\n",
                                        "caps=epsilon=1\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!sc_policy_terms_are_spelt(sc_text_of(wrong[i])));
}

static bool is_same(const char *a, const char *b)
{
    const bool same = sc_policy_terms_aside(sc_text_of(a), sc_text_of(b));
    CHECK_INT(sc_policy_terms_aside(sc_text_of(b), sc_text_of(a)), same);
    return same;
}

TEST(policy_terms_are_all_that_differs)
{
    CLAIM("policy_terms.only");
    CHECK(is_same("unit=row\ncsv=a\n", "unit=row\ncap=epsilon=1\ncsv=a\nquantum=2"));
    CHECK(is_same("unit=row\nquantum=1\n", "quantum 2\nunit=row\n"));
    CHECK(!is_same("unit=row\ncsv=a\n", "csv=a\nunit=row\n"));
    CHECK(!is_same("unit=row\n", "unit=row\ncsv=a\n"));
    CHECK(!is_same("unit=row\n", "unit=row\n# quantum=1\n"));
    CHECK(!is_same("unit=row\n", "unit=rows\n"));
}

static void check_under(const char *policy, const char *terms, const char *want)
{
    char *text = sc_policy_under(sc_text_of(policy), sc_text_of(terms));
    REQUIRE(text != NULL);
    CHECK_STR(text, want);
    CHECK(is_same(policy, text));
    sc_free(text);
}

TEST(policy_terms_stand_in_place_of_others)
{
    CLAIM("policy_terms.only");
    check_under("unit=row\nquantum=1\ncontents=x\n", "quantum=2\n",
                "unit=row\nquantum=2\ncontents=x\n");
    check_under("cap=epsilon=1\nunit=row\nquantum=1\n", "", "unit=row\n");
    check_under("unit=row", "cap=epsilon=1\nquantum=2\n",
                "unit=row\ncap=epsilon=1\nquantum=2\n");
    check_under("", "", "");
}
