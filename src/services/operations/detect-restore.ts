import type { Address } from '../../core/address/address.ts';
import { intentIdOfMemo } from '../../core/intents/memo-intent.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { ChainHistory } from '../../core/ports/chain-history.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Quarantine, QuarantineStore } from '../../core/ports/operations.ts';
import type { WalletStore } from '../../core/ports/wallet-store.ts';

export type DetectRestoreDeps = {
  readonly quarantines: QuarantineStore;
  readonly wallets: Pick<WalletStore, 'findByAddress'>;
  readonly chain: Pick<Chain, 'landed'>;
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly treasury: Address;
};

/** Wallets looked at beside the treasury, which trades and payouts touch anyway. */
const WALLETS = 5;
const ENTRIES = 25;

/**
 * The quarantine this database is in, if any; puts it into one when the chain shows a transaction of one of its wallets whose
 * intent it does not know: intents are committed before anything is signed, so the database must be older than the chain. A
 * dump by other means than ours, or a rolled-back disk, is found this way. Asks the chain at most 1 + 5 times on a sound one.
 * Throws CHAIN_UNREACHABLE.
 */
export async function detectRestore(deps: DetectRestoreDeps): Promise<Quarantine | null> {
  const standing = await deps.quarantines.current();
  if (standing !== null) return standing;
  const addresses = new Set([deps.treasury, ...(await deps.quarantines.latelyUsed(WALLETS))]);
  for (const address of addresses) {
    const page = await deps.history.signatures(address, { before: null, limit: ENTRIES });
    const claimed = page.flatMap((entry) => {
      const intentId = intentIdOfMemo(entry.memo);
      return intentId === null ? [] : [{ intentId, signature: entry.signature }];
    });
    if (claimed.length === 0) continue;
    const known = await deps.quarantines.knownIntents(claimed.map(({ intentId }) => intentId));
    for (const { intentId, signature } of claimed) {
      if (known.has(intentId) || !(await isOurs(deps, signature))) continue;
      await deps.quarantines.enter({
        id: deps.ids.ulid(),
        reason: `the chain shows intent ${intentId} in ${signature}, which this database does not know`,
        dataAsOf: await deps.quarantines.newestWrite(),
        enteredAt: deps.clock.now(),
      });
      return deps.quarantines.current();
    }
  }
  return null;
}

/** Anybody can send lamports to a wallet with a memo that looks like ours; nobody else can pay with it. */
async function isOurs({ chain, wallets }: DetectRestoreDeps, signature: string): Promise<boolean> {
  const landed = await chain.landed(signature);
  const payer = landed?.balances[0]?.address;
  return payer !== undefined && (await wallets.findByAddress(payer)) !== null;
}
