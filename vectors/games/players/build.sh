#!/usr/bin/env bash
# build.sh GAME TAG OUT: the game's own demo player as OUT/demo-oracle-TAG, and of DDNet its ghost loader as
# OUT/ghost-oracle-TAG. GAME is a repository of ddnet/ddnet or teeworlds/teeworlds; the sources of the tag are taken out
# of it and deleted after the build.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); repo=$1; tag=$2; mkdir -p "$3"; out=$(cd "$3" && pwd)
w=$(mktemp -d); trap 'rm -rf "$w"' EXIT
git -C "$repo" archive "$tag" src/base src/engine src/game datasrc 2>"$w/err" | tar x -C "$w" || { cat "$w/err"; exit 1; }
cd "$w"
game=ddnet; [ -f datasrc/seven/compile.py ] || game=teeworlds
# where the generated headers are: src/generated, or src/game/generated before 19.4
gen=src/game/generated; grep -q '<generated/' src/engine/shared/snapshot.cpp src/game/*.h && gen=src/generated
mkdir -p $gen
python3 datasrc/compile.py network_header > $gen/protocol.h
python3 datasrc/compile.py network_source > $gen/protocol.cpp
if [ $game = ddnet ]; then
  python3 datasrc/compile.py content_types_header > $gen/data_types.h 2>/dev/null || true
  python3 -m datasrc.seven.compile network_header > $gen/protocol7.h
  python3 -m datasrc.seven.compile network_source > $gen/protocol7.cpp
  python3 datasrc/crosscompile.py map_header > $gen/protocolglue.h
  python3 datasrc/crosscompile.py map_source > $gen/protocolglue.cpp
fi
mkdir own
# the sizes that the client gives to the delta (SnapSetStaticsize), a console that keeps what is printed
sizes() { sed -n '/ms_aObjSizes\[\]/,/};/p' "$1" | sed 's/.*ms_aObjSizes/static const int gs_aSizes'"$2"'/'; }
sizes $gen/protocol.cpp '' > own/sizes.h
[ $game = ddnet ] && { echo 'namespace protocol7 {'; sizes $gen/protocol7.cpp 7; echo '}'; } > own/sizes7.h
python3 "$here/stub.py" src/engine/console.h IConsole CConsoleStub > own/console-stub.h
python3 "$here/stub.py" src/engine/storage.h IStorage CStorageStub > own/storage-stub.h
f=(-std=c++20 -O1 -g1 -w -fpermissive -pthread -ffunction-sections -fdata-sections -Isrc -Iown "-DGEN_PROTOCOL=<${gen#src/}/protocol.h>" "-DGEN_PROTOCOL7=<${gen#src/}/protocol7.h>")
[ "${SANITIZE:-}" = 1 ] && f+=(-fsanitize=address -fno-omit-frame-pointer)
[ $game = teeworlds ] && f+=(-DTEEWORLDS)
h=src/engine/shared/demo.h
grep -q 'UseVideo' $h && f+=(-DHAS_VIDEO)
grep -q 'm_pSnapshotDeltaSixup' $h && f+=(-DHAS_SIXUP)
grep -q 'SetStaticsize7' src/engine/shared/snapshot.h && f+=(-DHAS_SIZE7)
grep -q 'SetListner' $h && f+=(-DSetListener=SetListner -DIListener=IListner)
grep -q 'const char \*Load(' $h && f+=(-DLOAD_WITH_NET_VERSION)
grep -q 'extern "C" {' src/base/system.h 2>/dev/null && f+=(-DBASE_IS_C)
grep -q 'ErrorMessage()' $h && f+=(-DHAS_MESSAGE)
# the file's offset and the reads of the player alone: io_close and io_seek of demo.cpp go through main.cpp
d=(-Dio_close=oracle_io_close)
objs=()
cc() { local o="own/$(echo "$1" | tr '/.' '__').o"; local c=g++; local g=("${f[@]}"); [[ $1 == *.c ]] && { c=gcc; g=(-O1 -w -Isrc); [ "${SANITIZE:-}" = 1 ] && g+=(-fsanitize=address); }; $c "${g[@]}" "${@:2}" -c "$1" -o "$o" || { echo "cannot compile $1" >&2; return 1; }; objs+=("$o"); }
for s in src/base/*.c src/base/*.cpp src/base/unicode/*.cpp; do [ -f "$s" ] || continue; case $s in *openssl*|*libtomcrypt*|*windows*|*crashdump*) continue;; esac; cc "$s"; done
for s in huffman compression snapshot uuid_manager network memheap; do [ -f src/engine/shared/$s.cpp ] && cc src/engine/shared/$s.cpp; done
[ -f $gen/protocolglue.cpp ] && cc $gen/protocolglue.cpp
link() { g++ "${san[@]}" -pthread -no-pie -Wl,--gc-sections -Wl,--unresolved-symbols=ignore-all "${objs[@]}" -o "$out/$1-oracle-$tag${SANITIZE:+-asan}"; }
san=(); [ "${SANITIZE:-}" = 1 ] && san=(-fsanitize=address)
common=("${objs[@]}")
cc src/engine/shared/demo.cpp "${d[@]}"
cp "$here/demo.cpp" own/main.cpp; cc own/main.cpp
link demo
[ $game = ddnet ] || exit 0
objs=("${common[@]}")
cc src/engine/client/ghost.cpp "${d[@]}"
# the items, the path and Load of CGhost, which is more than we have
component=src/game/client/components/ghost
sed -n '/GHOSTDATA_TYPE_SKIN = 0/,/^class CGhost /{/^class CGhost /d;p}' $component.h | sed '1i enum\n{' > own/ghost-items.inc
sed -n '/^\tclass CGhostPath/,/^\t};/p' $component.h > own/ghost-path.inc
sed -n '/^[a-zA-Z:& ]*CGhost::CGhostPath[ :&]/,/^}/p;/^CGhostCharacter \*CGhost::CGhostPath/,/^}/p;/^int CGhost::Load/,/^}/p' $component.cpp > own/ghost-load.inc
cp "$here/ghost.cpp" own/ghost.cpp
grep -q 'm_pConsole' src/engine/client/ghost.h && f+=(-DLOADER_HAS_CONSOLE)
grep -q 'const char \*Load(' $h || f+=(-DINIT_NETBASE)
cc own/ghost.cpp -fno-access-control
link ghost
