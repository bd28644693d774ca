#!/usr/bin/env bash
# Makes the secrets of docker-compose.yml, one file each, readable by the services that need it alone. What is there stays as it is.
# Makes the folder of the backups too: Docker would make it root's, and the service could not write there.
# Usage: deploy/make-secrets.sh [--mine] [FOLDER [BACKUPS]]   (default: secrets and backups, beside docker-compose.yml)
# --mine: without containers the service is you, and the files stay yours.
set -euo pipefail
umask 077
cd "$(dirname "$0")/.."
mine=no
if [ "${1:-}" = --mine ]; then
  mine=yes
  shift
fi
folder=${1:-secrets}
backups=${2:-backups}
mkdir -p "$folder" "$backups"
# Without containers the signer writes down beside them what it signs.
if [ $mine = yes ]; then mkdir -p journal; fi

# make NAME COMMAND...: the file holds what the command prints.
make() {
  local file=$folder/$1
  shift
  if [ -e "$file" ]; then
    echo "kept     $file"
    return
  fi
  if ! "$@" >"$file.new"; then
    rm -f "$file.new"
    exit 1
  fi
  mv "$file.new" "$file"
  echo "made     $file"
}

ask_token() {
  local token
  if [ -t 0 ]; then
    read -r -s -p 'Token of your bot, from @BotFather: ' token </dev/tty
    echo >&2
  else
    read -r token
  fi
  if ! [[ $token =~ ^[0-9]+:[A-Za-z0-9_-]{30,}$ ]]; then
    echo 'That is no bot token; expected one like 123456:ABC…' >&2
    return 1
  fi
  printf '%s\n' "$token"
}

roles=(signer bot worker api indexer ops backup)
make kek openssl rand -hex 32
# The owner of the tables, and the roles that "ops db roles" makes on the database server.
make postgres_password openssl rand -hex 24
for role in "${roles[@]}"; do make "postgres_$role" openssl rand -hex 24; done
make api_key_secret openssl rand -hex 32
make chat_key openssl rand -hex 32
make telegram_bot_token ask_token

# give OWNER:GROUP MODE FILE...: as docker-compose.yml has its users. What a group shares has a group of its own.
give() {
  local owner=$1 mode=$2
  shift 2
  chmod "$mode" "$@"
  if [ "$(id -u)" = 0 ]; then chown "$owner" "$@"; fi
}
if [ $mine = yes ]; then
  chmod 0400 "$folder"/*
else
  give 1000:1000 0400 "$folder/kek"
  # The service that makes the roles, group 1005, reads their passwords too.
  give 1000:1005 0440 "$folder/postgres_signer"
  give 1001:1005 0440 "$folder/postgres_bot"
  give 1002:1005 0440 "$folder/postgres_worker"
  give 1003:1005 0440 "$folder/postgres_api" "$folder/api_key_secret"
  give 1004:1005 0440 "$folder/postgres_indexer"
  give 1005:1005 0400 "$folder/postgres_password" "$folder/postgres_ops" "$folder/postgres_backup"
  give 1001:1010 0440 "$folder/telegram_bot_token" "$folder/chat_key"
  if [ "$(id -u)" = 0 ]; then chown 1005:1005 "$backups"; fi
fi
if [ $mine = no ] && [ "$(id -u)" != 0 ]; then
  echo "Each service runs as a user of its own. Let root give them their files: sudo deploy/make-secrets.sh" >&2
fi
echo "Copy $folder/kek to a safe place elsewhere now: without it every wallet is lost."
