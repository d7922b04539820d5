#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs nogpu: lib/nogpu has all of it, and bin/nogpu leads there.
#
#   install.sh BUILD PREFIX
set -e
build=$(cd "$1" && pwd)
mkdir -p "$2/lib" "$2/bin" "$2/share/man/man1" "$2/share/bash-completion/completions" "$2/share/zsh/site-functions"
prefix=$(cd "$2" && pwd)
cd "$(dirname "$0")"
to=$prefix/lib/nogpu
rm -rf "$to.new"
mkdir -p "$to.new/trace/explain"
cp -R VERSION built.sh bin command include lib lib64 llvm "$to.new"
rm "$to.new"/command/*.[ch]
cp trace/*.sh "$to.new/trace"
cp trace/explain/page.html "$to.new/trace/explain"
for mode in plain asan traced; do
    [ -f "$build/$mode/words" ] || continue
    mkdir -p "$to.new/build/$mode"
    cp "$build/$mode/words" "$build/$mode/libhip.a" "$to.new/build/$mode"
done
cp -R "$build/hip_translate" "$build/nogpu_report" "$build/include" "$to.new/build"
strip "$to.new/build/hip_translate" "$to.new/build/nogpu_report" 2>/dev/null || :
chmod -R u+w,go+rX "$to.new"
rm -rf "$to"
mv "$to.new" "$to"
ln -sf ../lib/nogpu/bin/nogpu "$prefix/bin/nogpu"
cp man/nogpu.1 "$prefix/share/man/man1/"
cp command/completion.bash "$prefix/share/bash-completion/completions/nogpu"
cp command/completion.zsh "$prefix/share/zsh/site-functions/_nogpu"
echo "installed $prefix/bin/nogpu ($(du -sm "$to" | cut -f 1) MB)$([ -d "$to/build/traced" ] || echo ', without race, memory and explain: they need libdw')"
case :$PATH: in *:"$prefix/bin":*) ;; *) echo "it is not in PATH: export PATH=$prefix/bin:\$PATH" ;; esac
