/** `npm run ops -- api-key …`: keys of the pro host. */
import { createHmacSecrets } from '../../src/adapters/api-keys/hmac-secrets.ts';
import { secretFromFile, secretFromText } from '../../src/adapters/api-keys/secret-file.ts';
import { createApiKeyStore } from '../../src/adapters/db/api-key-store.ts';
import { type Config, loadProcessConfig } from '../../src/config.ts';
import { API_SCOPES, type ApiKey, type ApiScope } from '../../src/core/ports/api-key-store.ts';
import { issueApiKey } from '../../src/services/api-keys/issue-api-key.ts';
import { openDatabase } from './open.ts';

const USAGE = `npm run ops -- api-key issue ACCOUNT [--rate N] [--burst N] [--referrer-bps N] [--scopes swap,token,market] [--days N]
npm run ops -- api-key list
npm run ops -- api-key revoke ID`;

const DAY_MS = 86_400_000;

/** Issues, lists or revokes keys. Returns the exit code: 0, 1 = nothing was done, 2 = wrong use. */
export async function run(
  args: readonly string[],
  config: Config = loadProcessConfig(),
  print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<number> {
  const [command, subject] = args.filter((arg, index) => !arg.startsWith('--') && !isValue(args, index));
  const now = Date.now();
  const { db, close } = await openDatabase(config);
  try {
    const keys = createApiKeyStore({ query: db.query });
    if (command === 'list') {
      for (const key of await keys.list()) print(lineOf(key, now));
      return 0;
    }
    if (command === 'revoke' && subject !== undefined) {
      const revoked = await keys.revoke(subject, now);
      print(revoked ? `${subject} is revoked.` : `${subject} is not a valid key: see "api-key list".`);
      return revoked ? 0 : 1;
    }
    const grant = command === 'issue' && subject !== undefined ? grantOf(subject, args, now) : null;
    if (grant === null) {
      print(USAGE);
      return 2;
    }
    const { text, key } = await issueApiKey(
      { keys, secrets: createHmacSecrets(secretOf(config)), clock: { now: () => now } },
      grant,
    );
    print(`${text}\n\nShown once: only its hash is stored. ${lineOf(key, now)}`);
    return 0;
  } finally {
    await close();
  }
}

function isValue(args: readonly string[], index: number): boolean {
  return args[index - 1]?.startsWith('--') ?? false;
}

/** Null when an option is not what it should be. */
function grantOf(account: string, args: readonly string[], now: number) {
  const rate = numberOf(args, '--rate', 10);
  const burst = numberOf(args, '--burst', 20);
  const fee = numberOf(args, '--referrer-bps', 300);
  const days = numberOf(args, '--days', 0);
  const at = args.indexOf('--scopes');
  const words = at < 0 ? ['swap'] : (args[at + 1] ?? '').split(',');
  const scopes = words.filter((word): word is ApiScope => (API_SCOPES as readonly string[]).includes(word));
  if (rate === null || burst === null || fee === null || days === null) return null;
  if (rate < 1 || burst < 1 || fee > 10_000 || scopes.length !== words.length) return null;
  return {
    account,
    scopes,
    ratePerSecond: rate,
    burst,
    maxReferrerFeeBps: fee,
    expiresAt: days === 0 ? null : now + days * DAY_MS,
  };
}

function numberOf(args: readonly string[], name: string, fallback: number): number | null {
  const at = args.indexOf(name);
  if (at < 0) return fallback;
  const text = args[at + 1] ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function secretOf({ api, production, local }: Config): Uint8Array {
  if (api.keySecret !== null) return secretFromText(api.keySecret, 'API_KEY_SECRET');
  return production ? secretFromText('', 'API_KEY_SECRET') : secretFromFile(`${local.dir}/api-key-secret`);
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
