#!/usr/bin/env bash
# Certificates for signers on the network, by an authority of your own: one for each process, 90 days.
#
#   deploy/make-signer-certs.sh FOLDER NAME HOSTS ROLES
#   deploy/make-signer-certs.sh certs signer-a signer-a,10.0.0.1 signer
#   deploy/make-signer-certs.sh certs worker-b "" worker
#   deploy/make-signer-certs.sh certs witness-a 10.0.0.9 witness
#
# NAME is the common name, by which a signer is called in `ops signers`. HOSTS are the names and addresses at which it is reached, by commas.
# ROLES are signer, bot, worker, api, indexer or witness, by commas: a process may make the calls of its roles alone.
# FOLDER/ca.key makes every certificate: keep it off the servers. A process needs ca.crt, NAME.crt and NAME.key.
# Run it again for the same NAME before the 90 days are over, put the files in place, and send the process SIGHUP.
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,12p' "$0" | cut -c3- >&2; exit 2; }
folder=$1 name=$2 hosts=$3 roles=$4
[[ $name =~ ^[A-Za-z0-9.-]{1,64}$ ]] || { echo "NAME: expected letters, digits, dots and dashes" >&2; exit 2; }

names=()
IFS=, read -ra parts <<<"$roles"
for role in "${parts[@]}"; do
  case $role in
    signer | bot | worker | api | indexer | witness) names+=("URI:tradepost:role:$role") ;;
    *) echo "ROLES: $role is none of signer, bot, worker, api, indexer, witness" >&2; exit 2 ;;
  esac
done
[ ${#names[@]} -gt 0 ] || { echo "ROLES: expected at least one" >&2; exit 2; }
IFS=, read -ra parts <<<"$hosts"
for host in "${parts[@]:-}"; do
  [ -n "$host" ] || continue
  if [[ $host =~ ^[0-9.]+$ || $host == *:* ]]; then names+=("IP:$host"); else names+=("DNS:$host"); fi
done
alternatives=$(IFS=,; echo "${names[*]}")

umask 077
mkdir -p "$folder"
if [ ! -e "$folder/ca.key" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -sha256 \
    -subj "/CN=tradepost signer authority" -keyout "$folder/ca.key" -out "$folder/ca.crt" 2>/dev/null
fi
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -sha256 \
  -subj "/CN=$name" -keyout "$folder/$name.key" -out "$folder/$name.csr" 2>/dev/null
openssl x509 -req -in "$folder/$name.csr" -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -CAcreateserial -days 90 -sha256 \
  -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$alternatives") -out "$folder/$name.crt" 2>/dev/null
rm "$folder/$name.csr"
echo "$folder/$name.crt: $alternatives, 90 days"
