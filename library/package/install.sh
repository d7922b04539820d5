#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs libreduction, as `make install` does.
#
#   install.sh BUILD ROOT VERSION TARGETS PRIVATE [mpi]
#
# BUILD has libreduction.a and .so, and fortran (fortran.c); ROOT is $(DESTDIR)$(PREFIX); PRIVATE are the libraries that the
# static one needs.
# mpi: libreduction_mpi instead.
build=$1 root=$2 version=$3 targets=$4 private=$5
here=$(dirname "$0")/.. major=${version%%.*}
[ "$major" != 0 ] || major=${version%.*} # 0.1: minor versions may break programs
set -e

# Replaces only our own files in these folders, and no library of another version. All users may read them. Writes nothing
# to BUILD, which may belong to another user.
umask 022
put() { # put MODE TO <FILE: as a new file, because programs may have the old one open
    mkdir -p "$(dirname "$root/$2")"
    cat >"$root/$2.new" && chmod "$1" "$root/$2.new" && mv -f "$root/$2.new" "$root/$2"
}
fill() { # fill TEMPLATE TO
    sed -e "s|@VERSION@|$version|g" -e "s|@TARGETS@|$targets|g" -e "s|@PRIVATE@|$private|g" \
        -e "s|@SONAME@|libreduction.so.$major|g" "$here/package/$1" | put 644 "$2"
}
module() { # module HEADER NAME: a Fortran module with the interfaces of HEADER
    "$build/fortran" "$here/package/$2.in" "$here/$1" | put 644 "include/$2"
}
link() { # link NAME: to the library of this version
    ln -sf "$1.so.$version" "$root/lib/$1.so.$major" && ln -sf "$1.so.$major" "$root/lib/$1.so"
}
mkdir -p "$root" 2>/dev/null && [ -w "$root" ] || {
    echo "Cannot write to $root: sudo make install, or make install PREFIX=~/.local" >&2 && exit 1
}
if [ "${6-}" = mpi ]; then
    put 644 include/libreduction_mpi.h <"$here/mpi/libreduction_mpi.h"
    module mpi/libreduction_mpi.h libreduction_mpi.f90
    put 755 "lib/libreduction_mpi.so.$version" <"$build/libreduction_mpi.so"
    link libreduction_mpi
    fill libreduction_mpi.pc.in lib/pkgconfig/libreduction_mpi.pc
    echo "installed libreduction_mpi $version in $root" && exit
fi

put 644 include/libreduction.h <"$here/libreduction.h"
put 644 lib/libreduction.a <"$build/libreduction.a"
put 755 "lib/libreduction.so.$version" <"$build/libreduction.so.$version"
link libreduction
fill libreduction.pc.in lib/pkgconfig/libreduction.pc
for file in config config-version; do fill libreduction-$file.cmake.in lib/cmake/libreduction/libreduction-$file.cmake; done
fill libreduction.3.in share/man/man3/libreduction.3
module libreduction.h libreduction.f90
module libreduction.h libreduction_arrays.f90
fill pyproject.toml.in share/libreduction/python/pyproject.toml
for file in libreduction for_pip; do put 644 "share/libreduction/python/$file.py" <"$here/python/$file.py"; done
echo "installed libreduction $version for $targets in $root"
