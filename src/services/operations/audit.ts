import type { Address } from '../../core/address/address.ts';
import { intentIdOfMemo } from '../../core/intents/memo-intent.ts';
import type { Chain, LandedTransaction } from '../../core/ports/chain.ts';
import type { ChainHistory } from '../../core/ports/chain-history.ts';
import type { AuditStore, Mismatch } from '../../core/ports/operations.ts';

export type AuditDeps = {
  readonly books: AuditStore;
  /** Null: the books alone. */
  readonly chain: {
    readonly landed: Chain['landed'];
    readonly history: ChainHistory;
    readonly treasury: Address;
  } | null;
};

export type Audit = {
  readonly mismatches: readonly Mismatch[];
  readonly accounts: number;
  readonly transfers: number;
  readonly intents: number;
  /** Bookings that were compared with their transaction. */
  readonly compared: number;
  /** Transactions of the treasury that were looked at. */
  readonly walked: number;
};

const PAGE = 200;
const AT_ONCE = 8;

/**
 * Recomputes everything from the entries and compares what is booked with the chain, in both directions: each booked fee and
 * payout with the treasury's change in its transaction, and each of the treasury's transactions that carries one of our memos
 * with the books. Changes nothing. Run it while nothing is in flight, or an intent between landing and booking shows up.
 */
export async function audit(deps: AuditDeps): Promise<Audit> {
  const [counts, found] = await Promise.all([deps.books.counts(), deps.books.mismatches()]);
  const mismatches = [...found];
  let compared = 0;
  let walked = 0;
  if (deps.chain !== null) {
    compared = await compareBooked(deps.books, deps.chain, mismatches);
    walked = await walkTreasury(deps.books, deps.chain, mismatches);
  }
  return { mismatches, ...counts, compared, walked };
}

type ChainSide = NonNullable<AuditDeps['chain']>;

async function compareBooked(books: AuditStore, chain: ChainSide, into: Mismatch[]): Promise<number> {
  let compared = 0;
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<AuditStore['booked']>> = await books.booked(after, PAGE);
    after = page.next;
    for (let at = 0; at < page.bookings.length; at += AT_ONCE) {
      await Promise.all(
        page.bookings.slice(at, at + AT_ONCE).map(async ({ signature, reason, treasuryLamports }) => {
          const landed = await chain.landed(signature);
          compared += 1;
          if (landed === null) {
            into.push({
              rule: 'chain-missing',
              subject: signature,
              detail: `${reason} is booked; the chain does not show it`,
            });
            return;
          }
          const moved = treasuryDelta(landed, chain.treasury);
          if (moved === treasuryLamports && (reason === 'payout-void') === (landed.err !== null)) return;
          into.push({
            rule: 'chain-amount',
            subject: signature,
            detail: `${reason} is booked as ${treasuryLamports}, the treasury's change on chain is ${moved}${landed.err === null ? '' : ' (failed)'}`,
          });
        }),
      );
    }
  }
  return compared;
}

async function walkTreasury(books: AuditStore, chain: ChainSide, into: Mismatch[]): Promise<number> {
  let walked = 0;
  for (let before: string | null = null; ; ) {
    const page = await chain.history.signatures(chain.treasury, { before, limit: 1_000 });
    const last = page.at(-1);
    if (last === undefined) return walked;
    walked += page.length;
    before = last.signature;
    const ours = page.filter((entry) => entry.err === null && intentIdOfMemo(entry.memo) !== null);
    const known = await books.knownSignatures(ours.map((entry) => entry.signature));
    for (const { signature, memo } of ours) {
      if (known.has(signature)) continue;
      const landed = await chain.landed(signature);
      // A stranger may send lamports with any memo; only what the treasury itself signed must be in the books.
      if (landed?.balances[0]?.address !== chain.treasury) continue;
      into.push({
        rule: 'chain-unbooked',
        subject: signature,
        detail: `the treasury signed it for intent ${intentIdOfMemo(memo)}, which has no such attempt`,
      });
    }
  }
}

function treasuryDelta(landed: LandedTransaction, treasury: Address): bigint {
  const found = landed.balances.find((balance) => balance.address === treasury);
  return found === undefined ? 0n : found.after - found.before;
}
