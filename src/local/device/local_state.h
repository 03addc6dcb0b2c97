/* The bytes of a state: where everything stands, and whether they are a state.
 *
 *     0   "SLS", the version 1         16  secret, 32 bytes
 *     4   questions, room, 0           48  cap, spent, largest charge, least period of a new question
 *     80  a part for each question     end the seal: 8 bytes
 *
 * A part of a question that is not used is zeros; else
 *
 *     0   name: SHA-256 of the question, its first 16 bytes     72  bytes of the report; 1, or 3 where the
 *     16  hash of the configuration                                 lasting answer is there
 *     48  period, its charge, spent on this question            80  report, lasting answer: each `room` bytes
 *
 * Numbers are little-endian, of 4 bytes before 16 and at 72, of 8 bytes elsewhere. The seal is a keyed function
 * of all bytes before it: it finds what was damaged or half written, not what was copied.
 */
#ifndef SL_LOCAL_STATE_H
#define SL_LOCAL_STATE_H

#include "scrim_local.h"

#define SL_STATE_SECRET 16
#define SL_STATE_CAP 48
#define SL_STATE_SPENT 56
#define SL_STATE_LARGEST 64
#define SL_STATE_LEAST 72

#define SL_PART_NAME_BYTES 16
#define SL_PART_HASH 16
#define SL_PART_PERIOD 48
#define SL_PART_CHARGE 56
#define SL_PART_SPENT 64
#define SL_PART_BYTES 72
#define SL_PART_FLAGS 76
#define SL_PART_REPORT 80

#define SL_PART_USED 1
#define SL_PART_LASTING 2

/* The index of the question's part, or of a free part if the question has no part yet; the
 * number of parts if no part is free. SCRIM_LOCAL_E_SYNTAX where it has two parts. */
scrim_local_status sl_state_find(const uint8_t *state, const char *question,
                                 uint32_t *index);

void sl_state_seal(uint8_t *state, size_t bytes);
/* SCRIM_LOCAL_E_SYNTAX where the bytes are not a state. It reads each of them once; that no question has two
 * parts is for sl_state_find. */
scrim_local_status sl_state_check(const uint8_t *state, size_t bytes);

#endif
