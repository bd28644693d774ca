import type { Environment } from './environment.ts';
import { asksSigner, isSigner, KEY_FILE_HINT, KEY_VARIABLES, OTHER_HOLDER_HINT } from './keys.ts';
import { isWitness } from './witness.ts';

/** The settings that production needs and this environment lacks, a sentence each. */
export function productionProblems(env: Environment): string[] {
  if (env.NODE_ENV !== 'production') return [];
  const required: readonly [boolean, string][] = [
    [
      env.TELEGRAM_BOT_TOKEN !== undefined || !env.ROLES.some((role) => role === 'bot' || role === 'worker'),
      'TELEGRAM_BOT_TOKEN: missing. Create a bot with @BotFather and set its token.',
    ],
    [
      env.CHAT_KEY !== undefined || !env.ROLES.some((role) => role === 'bot' || role === 'worker'),
      'CHAT_KEY: missing. Set CHAT_KEY_FILE to a file with 64 hexadecimal digits (make them with "openssl rand -hex 32"): buttons and dialogues are sealed with it.',
    ],
    [
      env.LOCAL_WORLD === undefined,
      'LOCAL_WORLD: names a world of stand-ins, in which anybody at this machine may speak as any user. Remove it.',
    ],
    [
      isWitness(env) || env.SOLANA_RPC_URL !== undefined,
      'SOLANA_RPC_URL: missing. Set one RPC URL or a comma list.',
    ],
    [
      isWitness(env) || env.DATABASE_URL !== undefined,
      'DATABASE_URL: missing. Set the URL of a Postgres 14 or newer.',
    ],
    [
      KEY_VARIABLES.some((name) => env[name] !== undefined) || asksSigner(env) || isWitness(env),
      `KEK_FILE: missing. ${KEY_FILE_HINT}${isSigner(env) ? '' : OTHER_HOLDER_HINT}`,
    ],
    [
      env.JOURNAL_DIR !== undefined || asksSigner(env),
      'JOURNAL_DIR: missing. Name a folder on a disk that lasts: what is signed is written down there first.',
    ],
    [
      env.PERSONAL_KEYS === 'off' || env.PERSONAL_KEYS_HOST !== undefined,
      'PERSONAL_KEYS_HOST: missing. Programs sign their requests for the name of your keyed host: set it, like "desk.example.org".',
    ],
  ];
  return required.filter(([ok]) => !ok).map(([, sentence]) => sentence);
}
