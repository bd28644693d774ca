import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  scrypt,
} from 'node:crypto';
import { addressFromBytes } from '@tradepost/solana';
import { z } from 'zod';
import { AppError } from '../../core/errors/app-error.ts';
import { BACKUP_FORMAT } from '../../modules/wallets/rules/backup-text.ts';

/** scrypt's cost. N = 2^17, r = 8 takes 128 MiB and about half a second. */
export type BackupCost = { readonly n: number; readonly r: number; readonly p: number };
export const BACKUP_COST: BackupCost = { n: 131_072, r: 8, p: 1 };

const VERSION = 1;
const TAG_BYTES = 16;
/** What a file may ask of this machine: a hostile one could otherwise demand terabytes. */
const MOST_MEMORY = 256 * 1_024 * 1_024;

const whole = z.int().min(1);
const BACKUP_TEXT = z.object({
  format: z.literal(BACKUP_FORMAT),
  version: z.literal(VERSION),
  address: z.string(),
  kdf: z.object({ name: z.literal('scrypt'), salt: z.string(), n: whole, r: whole, p: whole }),
  cipher: z.object({ name: z.literal('aes-256-gcm'), iv: z.string() }),
  data: z.string(),
});
type BackupText = z.infer<typeof BACKUP_TEXT>;

/** The file of `docs/backup-format.md`: JSON text that only the passphrase opens. */
export async function sealBackup(
  seed: Uint8Array,
  passphrase: string,
  cost: BackupCost = BACKUP_COST,
): Promise<Uint8Array> {
  const address = addressOf(seed);
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const kdf = { name: 'scrypt' as const, n: cost.n, r: cost.r, p: cost.p, salt: salt.toString('base64') };
  const key = await deriveKey(passphrase, salt, cost);
  try {
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(aadOf({ address, kdf }));
    const data = Buffer.concat([cipher.update(seed), cipher.final(), cipher.getAuthTag()]);
    const file: BackupText = {
      format: BACKUP_FORMAT,
      version: VERSION,
      address,
      kdf,
      cipher: { name: 'aes-256-gcm', iv: iv.toString('base64') },
      data: data.toString('base64'),
    };
    return Buffer.from(`${JSON.stringify(file, null, 2)}\n`, 'utf8');
  } finally {
    key.fill(0);
  }
}

/**
 * The 32-byte seed of a backup file, for the caller to wipe, and the address it belongs to. Throws BACKUP_UNREADABLE:
 * `format` for what is no such file or asks for too much, `passphrase` when it does not open or was changed in any bit.
 */
export async function openBackup(
  text: string,
  passphrase: string,
): Promise<{ readonly seed: Buffer; readonly address: string }> {
  const file = parse(text);
  const salt = Buffer.from(file.kdf.salt, 'base64');
  const iv = Buffer.from(file.cipher.iv, 'base64');
  const data = Buffer.from(file.data, 'base64');
  if (salt.length !== 16 || iv.length !== 12 || data.length !== 32 + TAG_BYTES) throw malformed();
  const key = await deriveKey(passphrase, salt, file.kdf);
  const wrong = new AppError('BACKUP_UNREADABLE', { reason: 'passphrase' });
  let seed: Buffer;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(aadOf(file));
    decipher.setAuthTag(data.subarray(32));
    seed = Buffer.concat([decipher.update(data.subarray(0, 32)), decipher.final()]);
  } catch {
    throw wrong;
  } finally {
    key.fill(0);
  }
  if (addressOf(seed) !== file.address) {
    seed.fill(0);
    throw wrong;
  }
  return { seed, address: file.address };
}

/** Everything but the data is authenticated too: nobody can lower the cost or exchange the address unnoticed. */
function aadOf({ address, kdf }: Pick<BackupText, 'address' | 'kdf'>): Uint8Array {
  return Buffer.from([BACKUP_FORMAT, VERSION, address, kdf.n, kdf.r, kdf.p, kdf.salt].join('|'), 'utf8');
}

function deriveKey(passphrase: string, salt: Uint8Array, cost: BackupCost): Promise<Buffer> {
  const { n, r, p } = cost;
  // The same letters can be typed as different code points on another keyboard.
  const secret = Buffer.from(passphrase.normalize('NFKC'), 'utf8');
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, { N: n, r, p, maxmem: MOST_MEMORY + 64 * 1_024 * 1_024 }, (error, key) => {
      secret.fill(0);
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

function parse(text: string): BackupText {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw malformed();
  }
  const read = BACKUP_TEXT.safeParse(file);
  if (!read.success) throw malformed();
  const { n, r, p } = read.data.kdf;
  const powerOfTwo = n > 1 && Number.isInteger(Math.log2(n));
  if (!powerOfTwo || n * r * 128 > MOST_MEMORY || p > 16) throw malformed();
  return read.data;
}

function malformed(): AppError {
  return new AppError('BACKUP_UNREADABLE', { reason: 'format' });
}

/** PKCS #8 of an Ed25519 private key up to the seed. Source of truth: RFC 8410 §7. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

function addressOf(seed: Uint8Array): string {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  try {
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
    return addressFromBytes(spki.subarray(-32));
  } finally {
    der.fill(0);
  }
}

/** The 64 bytes that Solana wallets call a secret key: seed, then public key. For the caller to wipe. */
export function secretKeyOf(seed: Uint8Array): Buffer {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  try {
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
    return Buffer.concat([seed, spki.subarray(-32)]);
  } finally {
    der.fill(0);
  }
}
