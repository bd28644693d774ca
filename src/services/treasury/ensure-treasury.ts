import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Vault } from '../../core/ports/vault.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';

/**
 * The service's own wallet, made and sealed at the first start. Two processes that start together end with the same one:
 * the store holds at most one treasury, and the loser reads the winner's.
 */
export async function ensureTreasury(deps: {
  readonly db: Pick<Database, 'wallets' | 'transact'>;
  readonly vault: Pick<Vault, 'create'>;
  readonly clock: Clock;
  readonly ids: Ids;
}): Promise<Wallet> {
  const known = await deps.db.wallets.treasury();
  if (known !== null) return known;
  const id = deps.ids.ulid();
  const secret = await deps.vault.create({ walletId: id, userId: null });
  const wallet: Wallet = {
    id,
    userId: null,
    name: 'Treasury',
    address: secret.publicKey,
    createdAt: deps.clock.now(),
    deletedAt: null,
  };
  try {
    return await deps.db.transact(async (stores) => {
      const winner = await stores.wallets.treasury();
      if (winner !== null) return winner;
      await stores.wallets.insert(wallet, secret);
      return wallet;
    });
  } catch (error) {
    const winner = await deps.db.wallets.treasury();
    if (winner !== null) return winner;
    throw error;
  }
}
