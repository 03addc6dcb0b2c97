#include "composition/accountant/accountants.h"

#include "composition/accountant/advanced.h"
#include "composition/accountant/basic.h"
#include "composition/accountant/lattice.h"
#include "composition/accountant/loss_roads.h"
#include "composition/accountant/optimal.h"
#include "composition/accountant/renyi.h"

#include <string.h>

static const sc_accountant *const all[] = {
    &sc_accountant_basic,        &sc_accountant_advanced, &sc_accountant_optimal,
    &sc_accountant_lattice,      &sc_accountant_closed,   &sc_accountant_renyi,
    &sc_accountant_concentrated, &sc_accountant_loss,     &sc_accountant_fast_loss,
};

const sc_accountant *sc_accountant_at(size_t index)
{
    return index < sizeof all / sizeof all[0] ? all[index] : NULL;
}

const sc_accountant *sc_accountant_find(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}
