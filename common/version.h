/* The version of the project, as --version prints it and CHANGELOG.md describes it.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_VERSION_H
#define REDUCTION_VERSION_H

#define REDUCTION_VERSION "0.1.0"

#endif
