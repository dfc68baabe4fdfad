#!/usr/bin/env bash
# Runs the action of action.yml: checks the recordings that FILES names. STRICT and VERSION are its other inputs. It is written for
# the bash 3.2 of macOS.
set -euo pipefail

# Each line is a file, a folder or a pattern, which may contain spaces. tw-snap expands the patterns.
files=()
while IFS= read -r line || [ -n "$line" ]; do
  line=${line#"${line%%[![:space:]]*}"}
  line=${line%"${line##*[![:space:]]}"}
  if [ -n "$line" ]; then files+=("$line"); fi
done <<<"$FILES"
if [ ${#files[@]} -eq 0 ]; then
  echo '::error title=tw-snap::the input "files" names no file'
  exit 2
fi

options=(--summary --messages)
if [ "${STRICT:-false}" = true ]; then options+=(--strict); fi

root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${VERSION:-}" = checkout ]; then
  # A checkout without the built program is built once, with all packages for its development.
  [ -e "$root/dist" ] || npm ci --prefix "$root" >&2
  run=(node "$root/bin/tw-snap.cjs")
else
  own=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$root/package.json")
  run=(npx --yes "tw-snap@${VERSION:-$own}")
fi
exec "${run[@]}" checksum "${options[@]}" -- "${files[@]}"
