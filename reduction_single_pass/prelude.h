/* Plain C that is the same for every type and operation: once, in front of the namespaces of
 * instantiate.hip. */
#include "shapes.h"
