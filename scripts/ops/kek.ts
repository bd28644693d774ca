import { createSecretRotation } from '../../src/adapters/db/secret-rotation.ts';
import { loadGameSecret } from '../../src/adapters/games/load-game-secret.ts';
import { loadConfirmationSecret } from '../../src/adapters/open-key-holder.ts';
import { kekOptions, openKeyring } from '../../src/adapters/open-keyring.ts';
import { loadPepper } from '../../src/adapters/pin/pepper.ts';
import { rewrapSecret } from '../../src/adapters/vault/rewrap.ts';
import { hasCode } from '../../src/core/errors/app-error.ts';
import type { SecretRotation } from '../../src/core/ports/operations.ts';
import { rotateKek } from '../../src/services/operations/rotate-kek.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { wholeNumber } from './read-values.ts';

/** Prints how many wallets stand under which key, and whether that key is on the ring. 1 when a wallet's key is missing. */
export async function kekStatus(io: Io): Promise<number> {
  const { print } = io;
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const [current, ...older] = kekOptions(io.config());
    const ring = await openKeyring(current, older);
    const counts = await createSecretRotation(db.query).countByKek();
    print(`current key  ${ring.current.id}`);
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

/** Re-wraps every data key under the current key. 1 when a wallet could not be read. */
export async function kekRotate(io: Io, options: { readonly batch: string | undefined }): Promise<number> {
  const { print } = io;
  const batch = wholeNumber('--batch', options.batch, { min: 1, max: 5_000, fallback: 500 });
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const [current, ...older] = kekOptions(io.config());
    const ring = await openKeyring(current, older);
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
    // Last, so that the wallets are reported whatever becomes of them: the service's own secrets; loading one wraps it anew.
    const sealed = { keyring: ring, store: db.sealedSecrets };
    let lost = unreadable.length;
    for (const { name, load } of [
      { name: 'the pepper of the PINs', load: loadPepper },
      { name: 'the secret of the games', load: loadGameSecret },
      { name: 'the secret of confirmations', load: loadConfirmationSecret },
    ]) {
      const secret = await load(sealed).catch((error: unknown) => {
        if (!hasCode(error, 'SECRET_UNREADABLE')) throw error;
        print(`${name}: no key of the ring opens it`);
        lost += 1;
        return null;
      });
      secret?.fill(0);
    }
    return lost === 0 ? 0 : 1;
  } finally {
    await close();
  }
}
