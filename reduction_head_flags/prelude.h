/* What head_flags.hip needs from outside of the namespaces of instantiate.hip. */
#include <hip/hip_runtime.h>

#include "segments.h"
