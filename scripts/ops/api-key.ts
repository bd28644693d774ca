/** `npm run ops -- api-key …`: keys of the pro host. */

import { AppError } from '../../src/core/errors/app-error.ts';
import { passFree } from '../../src/modules/guard/rules/pass-free.ts';
import { API_SCOPES, type ApiKey } from '../../src/modules/keys/store/api-key-store-port.ts';
import { issueApiKey } from '../../src/modules/keys/use/issue-api-key.ts';
import { OVERLAP_MS, replaceKey } from '../../src/modules/keys/use/rotate-key.ts';
import { createHmacSecrets } from '../../src/platform/api-keys/hmac-secrets.ts';
import { secretFromFile, secretFromText } from '../../src/platform/api-keys/secret-file.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { duration, oneOf, wholeNumber } from './read-values.ts';

const DAY_MS = 86_400_000;

type GrantOptions = {
  readonly rate: string | undefined;
  readonly burst: string | undefined;
  readonly 'referrer-bps': string | undefined;
  readonly scopes: string | undefined;
  readonly days: string | undefined;
};

/** Makes a key and prints it once. */
export async function issueKey(io: Io, account: string, options: GrantOptions): Promise<number> {
  const now = Date.now();
  const grant = grantOf(account, options, now);
  // First of all: without it there is no reason to open anything.
  const secrets = createHmacSecrets(secretOf(io));
  const { db, close } = await openDatabase(io);
  try {
    const { text, key } = await db.transact(async (stores) => {
      const issued = await issueApiKey(
        { keys: stores.apiKeys, secrets, clock: { now: () => now } },
        passFree('operator', null),
        grant,
      );
      const { id: keyId, scopes } = issued.key;
      await recordAct(stores, 'api-key-issued', { keyId, account, scopes });
      return issued;
    });
    io.print(`${text}\n\nShown once: only its hash is stored. ${lineOf(key, now)}`);
    return 0;
  } finally {
    await close();
  }
}

export async function listKeys(io: Io): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    for (const key of await db.apiKeys.list()) io.print(lineOf(key, Date.now()));
    return 0;
  } finally {
    await close();
  }
}

/** 1 when it was not valid. */
export async function revokeKey(io: Io, id: string): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    const revoked = await db.transact(async (stores) => {
      const isDone = await stores.apiKeys.revoke(passFree('operator', null), id, Date.now());
      const outcome = isDone ? 'done' : 'unchanged';
      await recordAct(stores, 'api-key-revoked', { keyId: id.slice(0, 128) }, { outcome });
      return isDone;
    });
    io.print(revoked ? `${id} is revoked.` : `${id} is not a valid key: see "api-key list".`);
    return revoked ? 0 : 1;
  } finally {
    await close();
  }
}

/** Replaces a key by a new one and prints it once; the old one works for `overlap` at most. 1 when it cannot be replaced. */
export async function rotateKey(io: Io, id: string, overlap: string | undefined): Promise<number> {
  const now = Date.now();
  const overlapMs = overlap === undefined ? OVERLAP_MS : duration('--overlap', overlap);
  const secrets = createHmacSecrets(secretOf(io));
  const { db, close } = await openDatabase(io);
  try {
    const made = await db.transact(async (stores) => {
      const issued = await replaceKey(
        { keys: stores.apiKeys, secrets, clock: { now: () => now } },
        passFree('operator', null),
        id,
        overlapMs,
      );
      const act = { keyId: issued?.key.id ?? null, replaced: id.slice(0, 128) };
      await recordAct(stores, 'api-key-rotated', act, { outcome: issued === null ? 'unchanged' : 'done' });
      return issued;
    });
    if (made === null) {
      io.print(`${id} is not a valid key without a successor: see "api-key list".`);
      return 1;
    }
    const end = new Date(now + overlapMs).toISOString();
    io.print(`${made.text}\n\nShown once. ${id} works until ${end} at the latest. ${lineOf(made.key, now)}`);
    return 0;
  } finally {
    await close();
  }
}

function grantOf(account: string, options: GrantOptions, now: number) {
  const days = wholeNumber('--days', options.days, { min: 0, max: 36_500, fallback: 0 });
  return {
    account,
    scopes: (options.scopes ?? 'swap').split(',').map((word) => oneOf('--scopes', word, API_SCOPES)),
    ratePerSecond: wholeNumber('--rate', options.rate, { min: 1, max: 100_000, fallback: 10 }),
    burst: wholeNumber('--burst', options.burst, { min: 1, max: 100_000, fallback: 20 }),
    maxReferrerFeeBps: wholeNumber('--referrer-bps', options['referrer-bps'], {
      min: 0,
      max: 10_000,
      fallback: 300,
    }),
    expiresAt: days === 0 ? null : now + days * DAY_MS,
  };
}

function secretOf(io: Io): Uint8Array {
  const { api, production, local } = io.config();
  if (api.keySecret !== null) return secretFromText(api.keySecret, 'API_KEY_SECRET');
  const kept = production ? null : secretFromFile(`${local.dir}/api-key-secret`);
  if (kept !== null) return kept;
  throw new AppError('CONFIG_INVALID', {
    problems: [
      'API_KEY_SECRET: missing. Set the secret that the api hashes keys with, or API_KEY_SECRET_FILE: a key that is made with another lets nobody in.',
    ],
  });
}

function lineOf(key: ApiKey, now: number): string {
  const state =
    key.revokedAt !== null
      ? 'revoked'
      : key.expiresAt !== null && key.expiresAt <= now
        ? 'expired'
        : `valid${key.expiresAt === null ? '' : ` until ${new Date(key.expiresAt).toISOString()}`}`;
  return `${key.id}  ${key.account}  ${key.scopes.join(',')}  ${key.ratePerSecond}/s burst ${key.burst}  referrer ${key.maxReferrerFeeBps} bps  ${state}`;
}
