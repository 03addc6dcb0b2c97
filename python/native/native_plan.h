/* A plan with its vault and what it calls back, for the files that run it. */
#ifndef SCRIM_NATIVE_PLAN_H
#define SCRIM_NATIVE_PLAN_H

#include "native.h"

typedef struct native_plan {
    scrim_plan *plan;
    scrim_suggestion *suggestion; /* that the plan belongs to; NULL: none */
    PyObject *vault;
    native_watch watch;
} native_plan;

/* Without a plan yet; the options of the library may point to its watch. NULL with an error set. */
native_plan *native_plan_new(PyObject *vault, PyObject *progress);
/* The capsule, which takes it; or raises, and frees it. caret may be NULL. */
PyObject *native_plan_done(native_plan *plan, scrim_status status,
                           const scrim_error *error, const scrim_caret *caret);
/* The plan itself. */
const scrim_plan *native_plan_of(const native_plan *plan);
/* The answer as a dictionary; a suggestion takes the result, else it is freed. */
PyObject *native_plan_answer(native_plan *plan, scrim_result *result);
/* The same after a run, or its failure; what a signal or the progress has raised comes first. */
PyObject *native_plan_answered(native_plan *plan, scrim_status status,
                               scrim_result *result, const scrim_error *error);

#endif
