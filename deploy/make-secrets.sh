#!/usr/bin/env bash
# Makes the secrets of docker-compose.yml, one file each, readable by the service's user alone. What is there stays as it is.
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

make kek openssl rand -hex 32
make postgres_password openssl rand -hex 24
make api_key_secret openssl rand -hex 32
make chat_key openssl rand -hex 32
make telegram_bot_token ask_token
chmod 0400 "$folder"/kek "$folder"/postgres_password "$folder"/api_key_secret "$folder"/chat_key "$folder"/telegram_bot_token
if [ $mine = yes ]; then
  :
elif [ "$(id -u)" = 0 ]; then
  # Inside the containers the service is user 1000, and Postgres reads its password before it changes its own user.
  chown 1000:1000 "$folder"/kek "$folder"/postgres_password "$folder"/api_key_secret "$folder"/chat_key "$folder"/telegram_bot_token "$backups"
elif [ "$(id -u)" != 1000 ]; then
  echo "The service runs as user 1000. Let root give it the files: chown 1000:1000 $folder/* $backups" >&2
fi
echo "Copy $folder/kek to a safe place elsewhere now: without it every wallet is lost."
