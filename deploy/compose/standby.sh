#!/usr/bin/env bash
# The standby of host B. An empty folder becomes a copy of the primary first; from there on the image starts it as any server.
set -euo pipefail
data=${PGDATA:-/var/lib/postgresql/18/docker}
# As the server's own user: it owns its files.
as_postgres() { if [ "$(id -u)" = 0 ]; then gosu postgres "$@"; else "$@"; fi; }
if [ ! -s "$data/PG_VERSION" ]; then
  mkdir -p "$data"
  if [ "$(id -u)" = 0 ]; then chown -R postgres: "$(dirname "$data")"; fi
  chmod 0700 "$data"
  password=$(sed 's/[\\'"'"']/\\&/g' "$STANDBY_PASSWORD_FILE")
  # A copy that was cut short is no copy: pg_basebackup takes away what it wrote.
  as_postgres pg_basebackup --pgdata "$data" --write-recovery-conf --checkpoint fast \
    --dbname "host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=tp_standby password='$password' application_name=b"
fi
exec "${POSTGRES_ENTRYPOINT:-docker-entrypoint.sh}" postgres
