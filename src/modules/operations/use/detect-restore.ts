import type { Address } from '@tradepost/solana';
import { intentIdOfMemo } from '../../../engine/intents/rules/memo-intent.ts';
import type { SignatureBooks } from '../../../engine/signing/store/signature-books-port.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { ChainHistory, HistoryEntry } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Quarantine, QuarantineStore } from '../../../platform/ports/operations.ts';
import type { WalletStore } from '../../wallets/store/wallet-store-port.ts';

export type DetectRestoreDeps = {
  readonly quarantines: QuarantineStore;
  readonly signatures: Pick<SignatureBooks, 'known' | 'sharedKeys' | 'knownSince'>;
  readonly wallets: Pick<WalletStore, 'findByAddress'>;
  readonly chain: Pick<Chain, 'landed'>;
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly treasury: Address;
};

/** Wallets looked at beside the treasury, which trades and payouts touch anyway. */
const WALLETS = 25;
const ENTRIES = 25;

/**
 * The quarantine this database is in, if any; puts it into one when the chain shows a transaction of one of its wallets, with a
 * memo of ours, whose signature no attempt holds: attempts are committed before anything is sent, so the database must be older
 * than the chain. Its intent may well be known, and wait to be paid again. A dump by other means than ours, a rolled-back disk and
 * a replica that lacked the last commits are found this way. Asks the chain at most 1 + 25 times on a sound one. Throws
 * CHAIN_UNREACHABLE.
 */
export async function detectRestore(deps: DetectRestoreDeps): Promise<Quarantine | null> {
  const standing = await deps.quarantines.current();
  if (standing !== null) return standing;
  for (const address of new Set([deps.treasury, ...(await deps.quarantines.latelyUsed(WALLETS))])) {
    const page = await deps.history.signatures(address, { before: null, limit: ENTRIES });
    const claimed = page.filter(({ memo }) => intentIdOfMemo(memo) !== null);
    if (claimed.length === 0) continue;
    const known = await deps.signatures.known(claimed.map(({ signature }) => signature));
    for (const entry of claimed) {
      if (known.has(entry.signature) || !(await isOurs(deps, entry.signature))) continue;
      return enterQuarantine(deps, [entry]);
    }
  }
  return null;
}

/**
 * Opens a quarantine because of these transactions, which no attempt holds. Its data count as of the moment up to which every wallet was
 * known to be complete, and as of no moment at all where none ever was. Later rows say nothing about rows that were lost before.
 */
export async function enterQuarantine(
  deps: Pick<DetectRestoreDeps, 'quarantines' | 'signatures' | 'clock' | 'ids'>,
  unknown: readonly Pick<HistoryEntry, 'signature' | 'memo' | 'at'>[],
): Promise<Quarantine | null> {
  const [first] = unknown;
  if (first === undefined) return deps.quarantines.current();
  const times = unknown.map(({ at }) => at ?? 0);
  const { signatures, quarantines } = deps;
  const dataAsOf = Math.min(...times, (await signatures.knownSince()) ?? 0, await quarantines.newestWrite());
  await quarantines.enter({
    id: deps.ids.ulid(),
    reason: `the chain shows ${first.signature} of intent ${intentIdOfMemo(first.memo)}, which this database does not know`,
    dataAsOf,
    enteredAt: deps.clock.now(),
  });
  return quarantines.current();
}

/**
 * Anybody can send lamports to a wallet with a memo that looks like ours. Only its key pays with it. A key that was imported or exported is
 * its owner's, too: a signature by such a key proves nothing.
 */
async function isOurs(
  { chain, wallets, signatures }: DetectRestoreDeps,
  signature: string,
): Promise<boolean> {
  const landed = await chain.landed(signature);
  const payer = landed?.balances[0]?.address;
  const wallet = payer === undefined ? null : await wallets.findByAddress(payer);
  return wallet !== null && !(await signatures.sharedKeys([wallet.id])).has(wallet.id);
}
