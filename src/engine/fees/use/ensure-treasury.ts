import { passFree } from '../../../modules/guard/rules/pass-free.ts';
import type { Wallet } from '../../../modules/wallets/rules/wallet.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';

/**
 * The service's own wallet, made and sealed at the first start. Of processes that start together one makes it, and the others
 * wait for its commit: the keybook gets no key of a treasury that never was.
 */
export async function ensureTreasury(deps: {
  readonly db: Pick<Database, 'wallets' | 'transact'>;
  readonly vault: Pick<Vault, 'create'>;
  readonly clock: Clock;
  readonly ids: Ids;
}): Promise<Wallet> {
  const known = await deps.db.wallets.treasury();
  if (known !== null) return known;
  return deps.db.transact(async (stores) => {
    const winner = await stores.wallets.treasuryLocked();
    if (winner !== null) return winner;
    const id = deps.ids.ulid();
    const secret = await deps.vault.create({ walletId: id, userId: null });
    const wallet: Wallet = {
      id,
      userId: null,
      name: 'Treasury',
      address: secret.publicKey,
      createdAt: deps.clock.now(),
      deletedAt: null,
      origin: 'made',
      confirmedAt: null,
      payoutFrom: null,
    };
    await stores.wallets.insert(passFree('service', null), wallet, secret);
    return wallet;
  });
}

const LOOK_MS = 1_000;

/**
 * The service's own wallet, once another process has made it: an API or an indexer beside a signer may write no wallet. Throws the reason
 * of `stopping` when it is aborted meanwhile.
 */
export async function awaitTreasury(deps: {
  readonly db: Pick<Database, 'wallets'>;
  readonly pause: (ms: number) => Promise<void>;
  readonly stopping: AbortSignal;
  /** Called once, where there is something to wait for. */
  readonly onWait: () => void;
}): Promise<Wallet> {
  for (let looks = 0; ; looks += 1) {
    const known = await deps.db.wallets.treasury();
    if (known !== null) return known;
    deps.stopping.throwIfAborted();
    if (looks === 0) deps.onWait();
    await deps.pause(LOOK_MS);
  }
}
