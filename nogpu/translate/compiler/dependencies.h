/* What a compiler writes for make.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_DEPENDENCIES_H
#define HIP_CPU_TRANSLATE_DEPENDENCIES_H

/* The file for them, to be freed; NULL: the command writes none. */
char *dependencies_file(char **argv);
/* Names the author's files for their copies in the folder; ccache may have changed how that begins. Names are relative to
 * the current folder, so that a tree that was built can be moved or copied. */
void mend_dependencies(const char *name, const char *folder);

#endif
