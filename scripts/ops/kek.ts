import { kekOptions, openKeyring } from '../../src/compose/open-keyring.ts';
import { hasCode } from '../../src/core/errors/app-error.ts';
import { createKeyRegistry } from '../../src/engine/signing/store/key-registry.ts';
import { rotateKek } from '../../src/modules/operations/use/rotate-kek.ts';
import type { PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createSecretRotation } from '../../src/platform/db/secret-rotation.ts';
import type { SecretRotation } from '../../src/platform/ports/operations.ts';
import { findSealedSecret } from '../../src/platform/sealed-secret.ts';
import type { Keyring } from '../../src/platform/vault/kek.ts';
import { keyDigits, proveKey } from '../../src/platform/vault/prove-key.ts';
import { rewrapSecret } from '../../src/platform/vault/rewrap.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError, UsageError } from './ops-error.ts';
import { wholeNumber } from './read-values.ts';

/** An operator's names for the secrets of the service; a newer secret shows its own name. */
const SECRET_NAMES: Readonly<Record<string, string>> = {
  'pin-pepper': 'the pepper of the PINs',
  'game-seeds': 'the secret of the games',
  confirmations: 'the secret of confirmations',
};

/** Prints how many wallets stand under which key, and whether that key is on the ring. 1 when a wallet's key is missing. */
export async function kekStatus(io: Io): Promise<number> {
  const { print } = io;
  // First of all: a key that is not named is no reason to open anything.
  const [current, ...older] = kekOptions(io.config());
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const ring = await openKeyring(current, older);
    const known = await createKeyRegistry(db.query).find(ring.current.id);
    const counts = await createSecretRotation(db.query).countByKek();
    print(`current key  ${ring.current.id}`);
    print(
      `its digits   ${keyDigits(ring.current.id)}  (${known === null ? 'it never sealed anything here' : known.retiredAt === null ? 'in use here' : 'retired here'})`,
    );
    for (const { kekId, wallets } of counts) {
      const state =
        kekId === ring.current.id ? 'current' : ring.find(kekId) ? 'older, on the ring' : 'MISSING';
      print(`${String(wallets).padStart(8)} wallets under ${kekId}  (${state})`);
    }
    return counts.every(({ kekId }) => ring.find(kekId) !== null) ? 0 : 1;
  } finally {
    await close();
  }
}

/** Re-wraps every data key under the current key. 1 when a wallet could not be read; then, and when it is refused, none of it moved. */
export async function kekRotate(
  io: Io,
  options: { readonly batch: string | undefined; readonly to: string | undefined },
): Promise<number> {
  const batch = wholeNumber('--batch', options.batch, { min: 1, max: 5_000, fallback: 500 });
  const [current, ...older] = kekOptions(io.config());
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const ring = await openKeyring(current, older);
    await assertOurs(db, ring);
    await assertMeant(db, ring, options.to);
    await proveKey(ring.current, createKeyRegistry(db.query), Date.now());
    const lost = (await rotateWallets(io, db, ring, batch)) + (await rotateSecrets(io, db, ring));
    for (const kekId of await createKeyRegistry(db.query).retireUnused(ring.current.id, Date.now()))
      io.print(`${kekId} seals nothing any more`);
    return lost === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

/** Throws when no key of the ring seals a wallet: then the key file is that of another installation. */
async function assertOurs(db: PrismaDatabase, ring: Keyring): Promise<void> {
  const counts = await createSecretRotation(db.query).countByKek();
  if (counts.length === 0 || counts.some(({ kekId }) => ring.find(kekId) !== null)) return;
  throw new OpsError(
    `KEK_FILE: ${ring.current.id} is the key of another installation. Nothing was moved: no key of the ring opens the wallets here, which are under ${counts.map(({ kekId }) => kekId).join(', ')}. Name that one in KEK_FILE, or in KEK_OLD_FILES beside the new one.`,
  );
}

/** Throws a UsageError when the key is new here, or was retired, and the operator did not type its digits. */
async function assertMeant(db: PrismaDatabase, ring: Keyring, to: string | undefined): Promise<void> {
  const { id } = ring.current;
  const digits = keyDigits(id);
  if (to !== undefined && to !== digits)
    throw new UsageError(`--to: the current key is ${id} with the digits ${digits}, not "${to}".`);
  if (to !== undefined) return;
  const known = await createKeyRegistry(db.query).find(id);
  if (known !== null && known.retiredAt === null) return;
  // A dump from before the registry was restored: its wallets show it.
  if ((await createSecretRotation(db.query).countByKek()).some(({ kekId }) => kekId === id)) return;
  const why = known === null ? 'never sealed anything here' : 'was retired here';
  throw new UsageError(
    `--to: missing. ${id} ${why}. If it is the key that you mean, and a copy of it is in a safe place, say so: --to ${digits}`,
  );
}

/** How many wallets no key of the ring opens. */
async function rotateWallets(io: Io, db: PrismaDatabase, ring: Keyring, batch: number): Promise<number> {
  const { print } = io;
  const kek = ring.current.id.slice(0, 128);
  /** One commit: a run that is killed leaves no batch without its act. */
  const recorded: SecretRotation['rewrap'] = (changes) =>
    db.transact(async (stores, query) => {
      const done = await createSecretRotation(query).rewrap(changes);
      await recordAct(stores, 'kek-rotated', { kek, rewrapped: done, unreadable: 0 });
      return done;
    });
  const startedAt = performance.now();
  const { rewrapped, unreadable } = await rotateKek({
    secrets: { ...createSecretRotation(db.query), rewrap: recorded },
    rewrap: (secret) => rewrapSecret(secret, ring),
    currentKekId: ring.current.id,
    batch,
    onProgress: (done) => print(`rewrapped ${done}`),
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const rate =
    rewrapped === 0 ? '' : ` in ${seconds.toFixed(1)} s (${Math.round(rewrapped / seconds)} per second)`;
  print(`${rewrapped} data keys are now under ${ring.current.id}${rate}`);
  for (const walletId of unreadable) print(`wallet ${walletId}: no key of the ring opens it`);
  if (rewrapped === 0 || unreadable.length > 0) {
    const outcome = unreadable.length > 0 ? 'refused' : 'unchanged';
    await recordAct(db, 'kek-rotated', { kek, rewrapped: 0, unreadable: unreadable.length }, { outcome });
  }
  return unreadable.length;
}

/**
 * How many secrets of the service no key of the ring opens. Last, so that the wallets are reported even when they fail. One that
 * the service never made is not made here.
 */
async function rotateSecrets(io: Io, db: PrismaDatabase, ring: Keyring): Promise<number> {
  const names = await db.query<{ readonly name: string }>(
    'SELECT name FROM sealed_secrets ORDER BY name',
    [],
  );
  let lost = 0;
  for (const { name } of names) {
    const secret = await findSealedSecret({ keyring: ring, store: db.sealedSecrets }, name).catch(
      (error: unknown) => {
        if (!hasCode(error, 'SECRET_UNREADABLE')) throw error;
        io.print(`${SECRET_NAMES[name] ?? `the secret "${name}"`}: no key of the ring opens it`);
        lost += 1;
        return null;
      },
    );
    secret?.fill(0);
  }
  return lost;
}
