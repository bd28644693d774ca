import { z } from 'zod';
import type { Environment } from './environment.ts';
import { botApiRoot, hexKey, integer, list, port, telegramId, url } from './fields.ts';

export type BotConfig =
  | { readonly mode: 'polling' }
  | { readonly mode: 'webhook'; readonly url: string; readonly secret: string; readonly port: number };

/** The bot. */
export const telegramVariables = {
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[A-Za-z0-9_-]{30,}$/, { error: 'expected a token from @BotFather, like 123456:ABC…' })
    .optional(),
  BOT_MODE: z.enum(['polling', 'webhook']).default('polling'),
  BOT_API_ROOT: botApiRoot.optional(),
  WEBHOOK_URL: url(['https:'], 'https://bot.example.org/hook').optional(),
  WEBHOOK_SECRET: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,256}$/, { error: 'expected 16 to 256 characters of A–Z a–z 0–9 _ -' })
    .optional(),
  WEBHOOK_PORT: port.default(8443),
  BOT_USERNAME: z
    .string()
    .regex(/^[A-Za-z0-9_]{5,32}$/, { error: 'expected 5 to 32 letters, digits and _, without @' })
    .optional(),
  CHAT_KEY: hexKey.optional(),
  CHAT_KEY_OLD: hexKey.optional(),
  CHAT_UPDATES: integer(1, 1_000_000).default(3),
  OPERATORS: list(telegramId).optional(),
};

/** A former key needs a present one beside it. */
export function chatKeyProblems({ CHAT_KEY, CHAT_KEY_OLD }: Environment): string[] {
  if (CHAT_KEY_OLD === undefined || CHAT_KEY !== undefined) return [];
  return ['CHAT_KEY: missing. CHAT_KEY_OLD alone seals nothing: name the key that took its place.'];
}

export function webhookProblems(env: Environment): string[] {
  if (env.BOT_MODE !== 'webhook') return [];
  const problems: string[] = [];
  if (env.WEBHOOK_URL === undefined)
    problems.push('WEBHOOK_URL: missing. BOT_MODE=webhook needs the public https URL.');
  // A secret path is not enough: a person who learns the URL could post forged updates in any name.
  if (env.WEBHOOK_SECRET === undefined)
    problems.push('WEBHOOK_SECRET: missing. BOT_MODE=webhook needs 16 or more characters.');
  if (env.TELEGRAM_BOT_TOKEN === undefined)
    problems.push('TELEGRAM_BOT_TOKEN: missing. BOT_MODE=webhook needs a real bot.');
  return problems;
}

export function botConfig(env: Environment): BotConfig {
  if (env.BOT_MODE === 'polling' || env.WEBHOOK_URL === undefined || env.WEBHOOK_SECRET === undefined) {
    return { mode: 'polling' };
  }
  return { mode: 'webhook', url: env.WEBHOOK_URL, secret: env.WEBHOOK_SECRET, port: env.WEBHOOK_PORT };
}

/** The keys that seal buttons and dialogues, the present one first; null = none is named. */
export function chatKeys({ CHAT_KEY, CHAT_KEY_OLD }: Environment): readonly [string, ...string[]] | null {
  if (CHAT_KEY === undefined) return null;
  return CHAT_KEY_OLD === undefined ? [CHAT_KEY] : [CHAT_KEY, CHAT_KEY_OLD];
}
