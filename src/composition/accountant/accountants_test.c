#include "check.h"
#include "composition/accountant/accountants.h"

#include <string.h>

TEST(accountants_are_found_by_name)
{
    size_t count = 0;
    for (; sc_accountant_at(count) != NULL; count++) {
        const sc_accountant *a = sc_accountant_at(count);
        CHECK(sc_accountant_find(a->name) == a);
        CHECK(a->summary[0] != '\0' && a->reference[0] != '\0');
        CHECK(strstr(a->reference, "spec/") == NULL); /* not in the tree */
        CHECK(a->epsilon != NULL && a->delta != NULL);
    }
    CHECK(count >= 1);
    CHECK(sc_accountant_find("") == NULL);
    CHECK(sc_accountant_find("none") == NULL);
}
