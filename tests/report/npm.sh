#!/bin/sh
# npm.sh REPORT_FOLDER: what report/package.json lists, fetched where it is not there yet; then, with
# a further word, that script of the package. Exits with 77 (skipped) where there is no npm or no
# way to its registry.
set -eu
cd "$1"
command -v npm >/dev/null 2>&1 || { echo "skipped: there is no npm here"; exit 77; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cmp -s package-lock.json node_modules/.gingham-lock; then
  if ! npm ci --no-audit --no-fund >"$log" 2>&1; then
    cat "$log"
    if grep -qE 'ENOTFOUND|ECONN|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET|EPROTO|CERT|E403|E5[0-9][0-9]' "$log"; then
      echo "skipped: the packages of report/package.json cannot be fetched"
      exit 77
    fi
    exit 1
  fi
  cp package-lock.json node_modules/.gingham-lock
fi
[ $# -lt 2 ] || npm run --silent "$2"
