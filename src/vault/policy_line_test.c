#include "check.h"
#include "vault/policy_line.h"

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
