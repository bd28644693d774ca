#!/usr/bin/env bash
# Writes ready.json beside it: the processes that Prometheus asks. Usage: deploy/compose/targets/make.sh HOST_A HOST_B HOST_C
set -euo pipefail
[ $# -eq 3 ] || { sed -n '2s/^# //p' "$0" >&2; exit 2; }
cd "$(dirname "$0")"
line() { printf '  {"targets": ["%s"], "labels": {"role": "%s"}}%s\n' "$1" "$2" "${3-,}"; }
{
  echo '['
  for host in "$1" "$2"; do
    line "$host:4411" signer
    line "$host:4412" worker
    line "$host:4413" bot
  done
  line "$2:4414" api
  line "$3:4414" api
  line "$3:4415" indexer ''
  echo ']'
} >ready.json
echo "$PWD/ready.json"
