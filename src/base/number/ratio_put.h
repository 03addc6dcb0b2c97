/* A rational in a line of text, behind its name. */
#ifndef SC_BASE_RATIO_PUT_H
#define SC_BASE_RATIO_PUT_H

#include "base/number/ratio.h"

/* Writes before, then the number as sc_ratio_format does. */
void sc_ratio_put(sc_text_sink *sink, const char *before, const sc_ratio *x);

#endif
