#include "vault/policy_line.h"

#include "data/schema.h"

bool sc_policy_line(sc_text policy, const char *key, sc_text *value)
{
    sc_text line, found;
    while (sc_schema_line(&policy, &line, &found, value))
        if (sc_text_is(found, key))
            return true;
    *value = (sc_text){NULL, 0};
    return false;
}
