/* scrim: a differential privacy engine.
 *
 * This is the one header a program includes; it brings in one header a family. Numbers that
 * decide a guarantee cross this boundary as exact text ("1", "0.1", "1/3", "1e-9", "2^-40"),
 * never as a double. Every fallible function returns a scrim_status that must be looked at and
 * takes an optional scrim_error, owned by the caller, as its last argument.
 */
#ifndef SCRIM_H
#define SCRIM_H

#include "scrim/status.h"
/* after status.h, which defines the macros that the families use */
#include "scrim/accuracy.h"
#include "scrim/audit.h"
#include "scrim/calibration.h"
#include "scrim/composition.h"
#include "scrim/distribution.h"
#include "scrim/experiment.h"
#include "scrim/histogram.h"
#include "scrim/inspection.h"
#include "scrim/ledger.h"
#include "scrim/measurement.h"
#include "scrim/query.h"
#include "scrim/report.h"
#include "scrim/run.h"
#include "scrim/series.h"
#include "scrim/suggestion.h"
#include "scrim/threshold.h"
#include "scrim/vault.h"

#endif
