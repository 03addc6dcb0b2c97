/* Instructions and addresses of all that has a secret, with the secret declared undefined. */
#include "check.h"
#include "secret.h"

SLOW_TEST(A52_no_branch_and_no_address_depends_on_a_secret)
{
    CLAIM("local.secret");
    secret_run("selftest_secret_");
}
