#!/bin/sh
# A disk that is really full: the program ends with one sentence, and nothing is lost or left over.
#   full_disk.sh PROGRAM
# Needs a mount of its own (root, or user namespaces); skipped with 77 where that is not allowed.
set -u
program=$1

if [ "${2:-}" != inside ]; then
  if ! unshare --mount --map-root-user true 2>/dev/null; then
    echo "skipped: no mount namespaces here"
    exit 77
  fi
  exec unshare --mount --map-root-user sh "$0" "$program" inside
fi

disk=$(mktemp -d)
notes=$(mktemp -d)
trap 'umount "$disk" 2>/dev/null; rmdir "$disk"; rm -rf "$notes"' EXIT
if ! mount -t tmpfs -o size=256k tmpfs "$disk" 2>/dev/null; then
  echo "skipped: no tmpfs here"
  exit 77
fi

fail() {
  echo "full_disk: $*" >&2
  exit 1
}

# refuses NAME WORDS…: exit code 1, one line on standard error that says the disk is full.
refuses() {
  name=$1
  shift
  "$program" "$@" --quiet 2>"$notes/said" >/dev/null
  code=$?
  said=$(cat "$notes/said")
  [ $code -eq 1 ] || fail "$name ended with $code: $said"
  case $said in
    "sqmax: Cannot write $disk/"*"No space left on device.") ;;
    "sqmax: Cannot write a temporary file in $disk: No space left on device.") ;;
    *) fail "$name said: $said" ;;
  esac
}

"$program" synth --users 60 --items 40 --interactions 900 -o "$disk/table.tsv" --quiet || fail "synth"
"$program" synth --users 500 --items 400 --interactions 20000 -o "$notes/large.tsv" --quiet ||
  fail "synth"
"$program" prepare "$disk/table.tsv" -o "$disk/data" --quiet >/dev/null || fail "prepare"
"$program" train "$disk/data" -o "$disk/model" --rank 3 --no-tune --quiet >/dev/null || fail "train"
cat "$disk/table.tsv" "$disk/data" "$disk/model" | cksum >"$disk/before"
dd if=/dev/zero of="$disk/ballast" bs=1k 2>/dev/null
ls "$disk" >"$notes/listing"

refuses prepare prepare "$disk/table.tsv" -o "$disk/data"
refuses "prepare on disk" prepare "$notes/large.tsv" -o "$disk/data" --memory 64K
refuses train train "$disk/data" -o "$disk/model" --rank 3 --no-tune
refuses recommend recommend "$disk/model" --all -o "$disk/lists.tsv"
refuses synth synth --users 60 --items 40 --interactions 900 -o "$disk/table.tsv"
refuses export export "$disk/model" --to safetensors -o "$disk/vectors"

ls "$disk" | cmp -s - "$notes/listing" || fail "files were left over: $(ls "$disk")"
cat "$disk/table.tsv" "$disk/data" "$disk/model" | cksum | cmp -s - "$disk/before" ||
  fail "a file changed"

# Standard output that takes nothing.
if [ -c /dev/full ]; then
  said=$("$program" losses 2>&1 >/dev/full) && fail "losses did not notice a full output"
  [ "$said" = "sqmax: Cannot write to the standard output." ] || fail "losses said: $said"
fi
echo "full_disk: passed"
