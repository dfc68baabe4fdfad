#!/usr/bin/env bash
# Runs the action of action.yml: checks the recordings that FILES names. STRICT and VERSION are its other inputs.
set -euo pipefail
shopt -s globstar

# Each line is a pattern, which may contain spaces. One that matches nothing remains as it is: a file that does not
# exist, which is an error.
files=()
while IFS= read -r line || [ -n "$line" ]; do
  line=${line#"${line%%[![:space:]]*}"}
  line=${line%"${line##*[![:space:]]}"}
  if [ -z "$line" ]; then continue; fi
  IFS=
  # shellcheck disable=SC2206
  files+=($line)
  unset IFS
done <<<"$FILES"
if [ ${#files[@]} -eq 0 ]; then
  echo '::error title=tw-snap::the input "files" names no file'
  exit 2
fi

options=(--summary --messages)
if [ "${STRICT:-false}" = true ]; then options+=(--strict); fi

if [ -n "${VERSION:-}" ]; then
  run=(npx --yes "tw-snap@$VERSION")
else
  root=$(cd "$(dirname "$0")/../.." && pwd)
  # A checkout without the built program is built once.
  [ -e "$root/dist" ] || npm ci --prefix "$root" >&2
  run=(node "$root/bin/tw-snap.cjs")
fi
exec "${run[@]}" checksum "${options[@]}" -- "${files[@]}"
