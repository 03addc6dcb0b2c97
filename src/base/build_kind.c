#include "base/build_kind.h"

#ifdef SCRIM_TESTING
const bool sc_is_test_build = true;
#else
const bool sc_is_test_build = false;
#endif
