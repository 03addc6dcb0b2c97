/* The gate of interactive mechanisms: the one place that opens and asks a run.
 *
 * Claim  run.charged-whole  a run is charged, whole and durably, before its first random bit;
 *                           whatever fails or is left unasked, the charge stays
 * Claim  run.recorded-first an answer is in the ledger, durably, before it is shown: what ends the
 *                           process in between leaves it on record, and where it cannot be recorded
 *                           it is not shown
 * Claim  run.halts          a run that has halted, or whose last answer could not be recorded,
 *                           answers nothing more
 * Claim  run.fork           a child made by fork or clone is refused: the secrets lie in pages
 *                           that the kernel wipes there; where it cannot, no run is opened
 * Claim  run.wiped          secrets are wiped when the run halts and when it is closed
 */
#ifndef SC_LEDGER_RUN_H
#define SC_LEDGER_RUN_H

#include "ledger/ledger.h"
#include "scrim/run.h"

#endif
