#!/bin/sh
# Writes test/input/pasted/pasted: one packet as each tool prints it. Run in the root of the repository.
# Needs xxd, hexdump, od, hexyl, base64, gcc, gdb, lldb, tcpdump, tshark, editcap, strace, perl, python3 and node; a tool that is
# missing leaves its files as they are.
# usage: scripts/pasted-forms.sh CAPTURE      the capture 07-vanilla-dm1.pcap of the recordings
set -u
capture=$(realpath "$1")
out=$(realpath test/input/pasted/pasted)
work=$(mktemp -d)
cd "$work" || exit 1
has() { command -v "$1" >/dev/null || { echo "no $1" >&2; return 1; }; }
hex=100502289de14aedbef92913e9bb688aa54cf45cadd04651518f76d994e8aa027aba7cdefe2badef5bfe1ef5fe153700
echo $hex | xxd -r -p >packet

xxd packet >"$out/xxd.txt"
xxd -p packet >"$out/xxd-p.txt"
xxd -b packet >"$out/xxd-b.txt"
xxd -i packet >"$out/xxd-i.txt"
xxd -u -g 1 packet >"$out/xxd-u-g-1.txt"
xxd -g 4 -d -c 20 packet >"$out/xxd-g-4-d-c-20.txt"
for option in C x; do hexdump -$option packet >"$out/hexdump-$option.txt"; done
for option in b d; do hexdump -$option packet >"$out/hexdump-$option.txt"; done
hexdump packet >"$out/hexdump.txt"
for type in x1 x2; do od -t $type packet >"$out/od-t-$type.txt"; done
od packet >"$out/od.txt"
for type in u1 d1 u2 x4; do od -t $type packet >"$out/od-t-$type.txt"; done
od -A x -t x1z packet >"$out/od-A-x-t-x1z.txt"
od -A n -t x1 packet >"$out/od-A-n-t-x1.txt"
od -A n -t u1 packet >"$out/od-A-n-t-u1.txt"
base64 packet >"$out/base64.txt"
base64 -w 32 packet >"$out/base64-w-32.txt"
has hexyl && {
  hexyl packet >"$out/hexyl.txt"
  hexyl --color never --border ascii packet >"$out/hexyl-border-ascii.txt"
}

cat >program.c <<'C'
#include <stdio.h>
#include <string.h>
unsigned char packet[48];
int main(void) {
  unsigned char local[48];
  FILE *file = fopen("packet", "rb");
  fread(packet, 1, 48, file);
  memcpy(local, packet, 48);
  puts("");
  return local[0] == 0;
}
C
gcc -g -O0 -o program program.c
has gdb && {
  gdb_says() { gdb -q -batch -ex 'break puts' -ex run -ex up -ex 'echo >\n' -ex "$1" ./program 2>/dev/null | sed '1,/^>/d'; }
  gdb_says 'x/12xw packet' >"$out/gdb-x-xw.txt"
  gdb_says 'x/48tb packet' >"$out/gdb-x-tb.txt"
  gdb_says 'x/48xb packet' >"$out/gdb-x-xb.txt"
  gdb_says 'x/48xb local' >"$out/gdb-x-xb-local.txt"
  gdb_says 'p/x packet' >"$out/gdb-p-x.txt"
}
has lldb && {
  lldb_says() { lldb -b -o 'b puts' -o run -o up -o "$1" ./program 2>/dev/null | sed -n "/^(lldb) $2/,\$p"; }
  lldb_says 'memory read -c 48 &packet' 'memory' >"$out/lldb-memory-read.txt"
  lldb_says 'memory read -f x -s 4 -c 12 &packet' 'memory' >"$out/lldb-memory-read-f-x-s-4.txt"
}

has editcap && editcap -r "$capture" one.pcap 442 && editcap -r "$capture" three.pcap 409 413 442
has tcpdump && {
  for option in x X XX; do tcpdump -n -$option -r one.pcap >"$out/tcpdump-$option.txt" 2>/dev/null; done
  tcpdump -n -X -r three.pcap >"$out/three-tcpdump-X.txt" 2>/dev/null
}
has tshark && {
  tshark -r one.pcap -x >"$out/tshark-x.txt" 2>/dev/null
  tshark -r one.pcap -V -x >"$out/tshark-V-x.txt" 2>/dev/null
  tshark -r one.pcap -T json -x >"$out/tshark-T-json-x.txt" 2>/dev/null
  tshark -r one.pcap -T json >"$out/tshark-T-json.txt" 2>/dev/null
  tshark -r one.pcap -T jsonraw >"$out/tshark-T-jsonraw.txt" 2>/dev/null
  tshark -r one.pcap -T ek -x >"$out/tshark-T-ek-x.txt" 2>/dev/null
  tshark -r one.pcap -T fields -e frame.number -e udp.payload >"$out/tshark-T-fields.txt" 2>/dev/null
  tshark -r three.pcap -x >"$out/three-tshark-x.txt" 2>/dev/null
  tshark -r three.pcap -T fields -e udp.payload >"$out/three-tshark-T-fields.txt" 2>/dev/null
  tshark -r three.pcap -q -z follow,udp,raw,0 >"$out/three-tshark-follow-raw.txt" 2>/dev/null
}

python='data = open("packet", "rb").read()'
python3 -c "$python; print(data)" >"$out/python-bytes.txt"
python3 -c "$python; print(bytearray(data))" >"$out/python-bytearray.txt"
python3 -c "$python; print(list(data))" >"$out/python-list.txt"
python3 -c "$python; print(data.hex(' '))" >"$out/python-hex.txt"
python3 -c "$python; print('\n'.join(repr(one) for one in (data, data[:20], data)))" >"$out/three-python-bytes.txt"
python3 -c "$python; import array; print(array.array('b', data).tolist())" >"$out/python-signed.txt"
python3 -c "$python; import numpy; print(repr(numpy.frombuffer(data, numpy.uint8)))" >"$out/python-numpy.txt"
node='const data = require("fs").readFileSync("packet")'
node -e "$node; console.log(data)" >"$out/node-buffer.txt"
node -e "$node; console.log(new Uint8Array(data))" >"$out/node-uint8array.txt"
node -e "$node; console.log(JSON.stringify(data))" >"$out/node-buffer-json.txt"
node -e "$node; console.log(JSON.stringify(new Uint8Array(data)))" >"$out/node-uint8array-json.txt"
node -e "$node; console.log(data.toString('base64url'))" >"$out/node-base64url.txt"
node -e "$node; console.log([...data].map((byte) => '0x' + byte.toString(16).padStart(2, '0')).join(''))" >"$out/node-joined-0x.txt"
perl -e 'local $/; open F, "packet"; print join(" ", map { sprintf "%02X", $_ } unpack("C*", <F>)), "\n"' >"$out/perl-unpack.txt"
has strace && {
  send='import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(open("packet", "rb").read(), ("127.0.0.1", 9))'
  strace -s 200 -e trace=sendto python3 -c "$send" 2>&1 | grep '^sendto' >"$out/strace.txt"
  strace -xx -s 200 -e trace=sendto python3 -c "$send" 2>&1 | grep '^sendto' >"$out/strace-xx.txt"
}
xxd packet | iconv -f utf-8 -t utf-16le | { printf '\377\376'; cat; } >"$out/xxd-utf-16.txt"
rm -r "$work"
