#include "check.h"
#include "vault/state/policy_line.h"

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
