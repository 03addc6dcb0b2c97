#include "base/memory.h"
#include "base/text_copy.h"
#include "check.h"

TEST(text_copy_is_terminated)
{
    char *copy = sc_text_copy((sc_text){"abcd", 3}), *empty = sc_text_copy((sc_text){0});
    CHECK_STR(copy, "abc");
    CHECK_STR(empty, "");
    sc_free(copy);
    sc_free(empty);
}
