/* A plan with its vault and what it calls back, for the files that run it. */
#ifndef SCRIM_NATIVE_PLAN_H
#define SCRIM_NATIVE_PLAN_H

#include "native.h"

typedef struct native_plan {
    scrim_plan *plan;
    PyObject *vault;
    native_watch watch;
} native_plan;

#endif
