/** `npm run ops -- api-key …`: keys of the pro host. */
import { createHmacSecrets } from '../../src/adapters/api-keys/hmac-secrets.ts';
import { secretFromFile, secretFromText } from '../../src/adapters/api-keys/secret-file.ts';
import { API_SCOPES, type ApiKey } from '../../src/core/ports/api-key-store.ts';
import { issueApiKey } from '../../src/services/api-keys/issue-api-key.ts';
import { OVERLAP_MS, replaceKey } from '../../src/services/api-keys/rotate-key.ts';
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
  const { db, close } = await openDatabase(io);
  try {
    const secrets = createHmacSecrets(secretOf(io));
    const { text, key } = await db.transact(async (stores) => {
      const issued = await issueApiKey({ keys: stores.apiKeys, secrets, clock: { now: () => now } }, grant);
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
      const isDone = await stores.apiKeys.revoke(id, Date.now());
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

/** Makes a key in place of another and prints it once; the old one works for `overlap` at most. 1 when it cannot be replaced. */
export async function rotateKey(io: Io, id: string, overlap: string | undefined): Promise<number> {
  const now = Date.now();
  const overlapMs = overlap === undefined ? OVERLAP_MS : duration('--overlap', overlap);
  const { db, close } = await openDatabase(io);
  try {
    const secrets = createHmacSecrets(secretOf(io));
    const made = await db.transact(async (stores) => {
      const issued = await replaceKey(
        { keys: stores.apiKeys, secrets, clock: { now: () => now } },
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
  const { api, production, local, databaseUrl } = io.config();
  if (api.keySecret !== null) return secretFromText(api.keySecret, 'API_KEY_SECRET');
  if (production) return secretFromText('', 'API_KEY_SECRET');
  const path = `${local.dir}/api-key-secret`;
  if (databaseUrl !== null)
    io.note(`API_KEY_SECRET is not set: the key works where ${path} is the secret, and nowhere else.`);
  return secretFromFile(path);
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
