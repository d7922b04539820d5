/* What the folders of this project mean to nogpu's race and explain.
 * SPDX-License-Identifier: MIT */
#include "nogpu/trace/trace.h"

const struct trace_client trace_client = {
    .helpers = {"common/", "platform/"},
    .muted = "common/harness/",
    .prefix = "reduction_",
};
