/* Plain C that is the same for every type and operation: included once, before the namespaces of
 * instantiate.hip. */
#include "../reduction_reproducible/tree_order.h"
#include "choices.h"
