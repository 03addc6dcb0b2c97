/* A question reserves and touches room for as many discovered keys as its declared size admits: 16 MB by default, which
 * takes longer than most tables of tests do. They have room for fewer, but with --long; more keys than that go to parts.
 * Tests of memory take the room that ships: they set sc_pass_most_keys to 0. */
#include "check.h"
#include "query/rows/pass_tape.h"

#define FEW_KEYS 4096

static void hold_few_keys(void)
{
    sc_pass_most_keys = check_is_long() ? 0 : FEW_KEYS;
}

__attribute__((constructor)) static void prepare(void)
{
    check_prepare(hold_few_keys);
}
