/* The file through which the runtime reaches AMD's driver.
 * SPDX-License-Identifier: MIT */
#ifndef DRIVER_FILE_H
#define DRIVER_FILE_H

#include <stddef.h>
#include <unistd.h>

#define DRIVER_FILE "/dev/kfd"

/* What to do if it is there and this user may not open it; NULL if that is not so. */
static inline const char *driver_file_obstacle(const char *path)
{
    if (access(path, F_OK) != 0 || access(path, R_OK | W_OK) == 0)
        return NULL;
    return "the driver is there, but this user may not open " DRIVER_FILE
           ": join its group, sudo usermod -a -G render,video $USER, and log in again; in a "
           "container: docker run "
           "--device /dev/kfd --device /dev/dri --group-add render, or apptainer exec --rocm";
}

#endif
