#include "vault/state/policy_line.h"

#include "data/value/schema.h"

bool sc_policy_line(sc_text policy, const char *key, sc_text *value)
{
    sc_text line, found;
    while (sc_schema_line(&policy, &line, &found, value))
        if (sc_text_is(found, key))
            return true;
    *value = (sc_text){NULL, 0};
    return false;
}

bool sc_policy_unit(sc_text policy, sc_text *name)
{
    sc_text same;
    if (!sc_policy_line(policy, "unit", name))
        return false;
    if (!sc_text_is(*name, "row") && sc_policy_line(policy, "same-unit", &same) &&
        !sc_text_is(same, "row"))
        *name = same;
    return true;
}
