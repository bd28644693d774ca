#!/usr/bin/env bash
# Once, when the primary of host A is made: a role that may follow its log, and the rule that lets it in.
set -euo pipefail
password=$(cat "$STANDBY_PASSWORD_FILE")
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$password" <<'SQL'
CREATE ROLE tp_standby LOGIN REPLICATION PASSWORD :'password';
SQL
echo 'host replication tp_standby all scram-sha-256' >>"$PGDATA/pg_hba.conf"
