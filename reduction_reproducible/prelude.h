/* Plain C that is the same for every type and operation: once, in front of the namespaces of
 * instantiate.hip. */
#include <hip/hip_runtime.h>

#include "binned_value.h"
