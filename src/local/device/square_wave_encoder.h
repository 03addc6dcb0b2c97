/* Square wave on an integer grid (Li and others 2020): outputs 0 to m+2w-1 of a value below m; those from
 * x to x+2w have weight a, all others weight b.
 *
 *     u = uniform((2w+1) a + (m-1) b);  u < (2w+1) a: x + u div a
 *     else r = (u - (2w+1) a) div b, and 2w+1 more from x on
 */
#ifndef SL_SQUARE_WAVE_ENCODER_H
#define SL_SQUARE_WAVE_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_square_wave;

#endif
