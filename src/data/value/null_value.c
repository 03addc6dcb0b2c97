#include "data/value/null_value.h"

sc_text sc_null_text(void)
{
    static const char padded[32] = "\xff";
    return (sc_text){padded, 1};
}
