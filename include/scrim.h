/* scrim: a differential privacy engine.
 *
 * Include only this header; it includes one header per topic. Numbers that a guarantee depends on
 * are exact text ("1", "0.1", "1/3", "1e-9", "2^-40"), never a double. Every function that can fail
 * returns a scrim_status, which must be checked, and takes an optional scrim_error, owned by the
 * caller, as its last argument.
 *
 * The library computes with GMP and FLINT. When it is loaded, it sets the memory functions of both for the whole
 * process: malloc, and a reserve of its own where malloc fails. A program that calls mp_set_memory_functions itself
 * must do so before its first call of scrim: set later, its functions would be given blocks of malloc. When a thread
 * ends that has called scrim, FLINT's caches of that thread are freed, as by flint_cleanup; the program need not call it.
 * The shared library is never unloaded. Link libscrim.a into a plugin only with -z nodelete.
 */
#ifndef SCRIM_H
#define SCRIM_H

#include "scrim/status.h"
/* after status.h, which defines the macros that the families use */
#include "scrim/accuracy.h"
#include "scrim/amplification.h"
#include "scrim/audit.h"
#include "scrim/body.h"
#include "scrim/body_fit.h"
#include "scrim/calibration.h"
#include "scrim/collection.h"
#include "scrim/composition.h"
#include "scrim/distribution.h"
#include "scrim/divergence.h"
#include "scrim/feed.h"
#include "scrim/hierarchy.h"
#include "scrim/histogram.h"
#include "scrim/inspection.h"
#include "scrim/ledger.h"
#include "scrim/local_candidates.h"
#include "scrim/local_joint.h"
#include "scrim/local_plan.h"
#include "scrim/local_unknown.h"
#include "scrim/measurement.h"
#include "scrim/microdata.h"
#include "scrim/query.h"
#include "scrim/report.h"
#include "scrim/run.h"
#include "scrim/series.h"
#include "scrim/suggestion.h"
#include "scrim/synth.h"
#include "scrim/threshold.h"
#include "scrim/vault.h"

#endif
