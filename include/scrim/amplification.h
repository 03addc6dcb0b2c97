/* Amplification by shuffling: how much many local reports together reveal about one device, if a shuffler
 * hides who sent which.
 *
 *     scrim_amplification found;
 *     scrim_error error;
 *     if (scrim_amplify(SCRIM_OPTIONS(scrim_amplify_options, .devices = 100000, .epsilon = "4",
 *                                     .delta = "1e-6",
 *                                     .protocol = "randomised-response values=1024"),
 *                       &found, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *     else
 *         puts(found.upper);
 *
 * The result is a claim only where all of this is declared: a shuffler, which does not work with the
 * collector, forwards the reports of one batch without sender, time, address or order; at least
 * `devices` devices follow the protocol and keep their reports and coins to themselves, the protected
 * one included; each sends one report, of the same length and the same configuration. Neighbours
 * differ in the value of one device. A device's own ledger still charges the local epsilon.
 *
 * Claim  amplification.upper  the multiset of reports is (upper, delta)-private under replace, whatever
 *                             the other devices hold
 * Claim  amplification.lower  the privacy blanket gives no epsilon below lower; lower says nothing about other proofs
 *
 * Reference  Balle, Bell, Gascon, Nissim 2019; Feldman, McMillan, Talwar 2023; spec/local-additions.md 4
 */
#ifndef SCRIM_AMPLIFICATION_H
#define SCRIM_AMPLIFICATION_H

#include "scrim/measurement.h"
#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers are exact text. */
typedef struct scrim_amplify_options {
    size_t size;         /* set by SCRIM_OPTIONS */
    uint64_t devices;    /* honest ones, 1 to 10^9 */
    const char *epsilon; /* of one report, above 0 and at most 50 */
    const char *delta;   /* above 0 and below 1 */
    /* "NAME key=value ...", by the names of scrim_local.h: randomised-response values=K,
     * projective-geometry field=Q digits=T, subset-selection values=K chosen=D, hadamard [blocks=J],
     * local-hashing field=G, text-hashing cells=N (how many, a power of two), optimised-unary,
     * symmetric-unary, square-wave values=K width=W. NULL or "": any protocol with that epsilon. */
    const char *protocol;
    /* Called now and then: `done` of `total` parts of the work are done. May be NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_amplify_options;

typedef struct scrim_amplification {
    /* Lower bound of the epsilon that the privacy blanket proves. */
    char lower[SCRIM_NUMBER_BYTES];
    /* The epsilon that is claimed; never above the local epsilon. */
    char upper[SCRIM_NUMBER_BYTES];
    double lower_view, upper_view;
} scrim_amplification;

/* SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY; out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_amplify(const scrim_amplify_options *options,
                                                    scrim_amplification *out,
                                                    scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
