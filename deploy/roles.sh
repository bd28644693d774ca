#!/usr/bin/env bash
# The five roles without containers, each a process of its own with the secrets that it needs and no others.
# Usage: deploy/roles.sh run ROLE | start [ROLE …] | stop [ROLE …] | restart [ROLE …] | status [ROLE …]
# `run` stays in the foreground: for systemd. The others keep pids in run/ and logs in logs/. Settings come from .env.
set -euo pipefail
cd "$(dirname "$0")/.."
all=(signer worker bot api indexer)
first=${FIRST_HEALTH_PORT:-4411}
declare -A health=([signer]=$first [worker]=$((first + 1)) [bot]=$((first + 2)) [api]=$((first + 3)) [indexer]=$((first + 4)))

fail() {
  echo "$1" >&2
  exit 2
}

# What .env says of a variable, or nothing.
setting() { sed -n "s/^$1=//p" .env | tail -n 1; }

run() {
  local role=$1
  [ -f .env ] || fail '.env is missing: copy .env.example and fill it in.'
  # systemd hands a role its own secrets over in a folder that it alone can read.
  local secrets=${CREDENTIALS_DIRECTORY-secrets}
  # As a role of its own on the database server, where a unit or .env says so; see docs/operations.md, "Roles of the database".
  local roles=${DATABASE_ROLES:-$(setting DATABASE_ROLES)}
  if [ "$roles" = own ]; then
    [[ $(setting DATABASE_URL) =~ ^postgres(ql)?://([^@/]*@)?([^@]+)$ ]] ||
      fail 'DATABASE_URL in .env: expected postgresql://tradepost@host:5432/tradepost, without quotes and without a password.'
    export DATABASE_ROLES=own DATABASE_URL=postgresql://tp_$role@${BASH_REMATCH[3]}
    export POSTGRES_PASSWORD_FILE=$secrets/postgres_$role
  elif [ "$secrets" != secrets ]; then
    export POSTGRES_PASSWORD_FILE=$secrets/postgres_password
  fi
  export NODE_ENV=production ROLES=$role HEALTH_PORT=${health[$role]}
  export SIGNER_SOCKET=${SIGNER_SOCKET:-run/signer/signer.sock}
  case $role in
    signer)
      export KEK_FILE=$secrets/kek JOURNAL_DIR=${JOURNAL_DIR:-journal}
      if [ -e "$secrets/kek-old" ]; then export KEK_OLD_FILES=$secrets/kek-old; fi
      ;;
    worker | bot)
      export TELEGRAM_BOT_TOKEN_FILE=$secrets/telegram_bot_token CHAT_KEY_FILE=$secrets/chat_key
      if [ -e "$secrets/chat_key_old" ]; then export CHAT_KEY_OLD_FILE=$secrets/chat_key_old; fi
      ;;
    api) export API_KEY_SECRET_FILE=$secrets/api_key_secret ;;
  esac
  exec node --env-file=.env scripts/start.mjs
}

# What runs under the role's pid, or nothing.
pid_of() {
  local pid
  pid=$(cat "run/$1.pid" 2>/dev/null) && kill -0 "$pid" 2>/dev/null && echo "$pid"
}

# Asked by the shell itself: a process for each question would take the time of those that start.
is_ready() (
  exec 3<>"/dev/tcp/127.0.0.1/${health[$1]}" || exit 1
  printf 'GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
  read -r -t 10 _ code _ <&3
  [ "$code" = 200 ]
) 2>/dev/null

start() {
  local role
  umask 077
  mkdir -p run logs
  for role in "$@"; do
    if pid_of "$role" >/dev/null; then continue; fi
    "$0" run "$role" >>"logs/$role.log" 2>&1 &
    echo $! >"run/$role.pid"
  done
  for role in "$@"; do
    until is_ready "$role"; do
      if ! pid_of "$role" >/dev/null; then
        echo "$role ended. The end of logs/$role.log:" >&2
        tail -n 5 "logs/$role.log" >&2
        exit 1
      fi
      sleep 0.5
    done
    echo "$role is ready"
  done
}

stop() {
  local role pid
  for role in "$@"; do
    if pid=$(pid_of "$role"); then kill "$pid"; fi
  done
  for role in "$@"; do
    while pid_of "$role" >/dev/null; do sleep 0.2; done
    rm -f "run/$role.pid"
    echo "$role has stopped"
  done
}

status() {
  local role code=0
  for role in "$@"; do
    if is_ready "$role"; then echo "$role is ready"; else
      echo "$role is NOT ready: see logs/$role.log"
      code=1
    fi
  done
  return $code
}

command=${1:-}
shift || true
for role in "$@"; do
  [ -n "${health[$role]:-}" ] || fail "There is no role \"$role\". There are ${all[*]}."
done
case $command in
  run) [ $# = 1 ] || fail 'run: expected one role.' && run "$1" ;;
  start | stop | status) "$command" "${@:-${all[@]}}" ;;
  restart) stop "${@:-${all[@]}}" && start "${@:-${all[@]}}" ;;
  *) fail "$(sed -n '3,4s/^# //p' "$0")" ;;
esac
