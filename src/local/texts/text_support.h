/* How many reports of text-hashing support each text of a list: those whose cell is the text's.
 *
 * Claim  text-support.same  the vectors of the machine count what plain code counts
 */
#ifndef SC_LOCAL_TEXT_SUPPORT_H
#define SC_LOCAL_TEXT_SUPPORT_H

#include "base/status.h"
#include "scrim_local.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* reports: of a configuration of text-hashing, one after the other. texts: config->text bytes each. counts:
 * one a text. dropped: reports that no device can have sent. */
SCRIM_MUST_USE scrim_status sc_text_support(const scrim_local_config *config,
                                            const uint8_t *reports, size_t count,
                                            const uint8_t *texts, size_t text_count,
                                            uint64_t *counts, uint64_t *dropped,
                                            scrim_error *error);

/* Ways to go over the texts for one report; text_support_test.c holds them against each other. */
typedef struct sc_text_planes {
    size_t quarters; /* of all bytes of a text */
    size_t padded;   /* texts, up to a multiple of 32 */
    uint8_t *values; /* [quarter byte][text] from 0 to 15 */
    uint32_t *hits;  /* [text] */
} sc_text_planes;

/* Tables [quarter byte][16]: of the low byte and of the high byte of the cell (NULL: it has none); adds 1 to
 * the hits of each text whose cell is `cell`. False: this machine cannot. */
bool sc_text_planes_add_wide(sc_text_planes *planes, const uint8_t *low,
                             const uint8_t *high, uint32_t cell);
void sc_text_planes_add_plain(sc_text_planes *planes, const uint8_t *low,
                              const uint8_t *high, uint32_t cell);

#endif
