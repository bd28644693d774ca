import type { Address } from '@tradepost/solana';
import type { Chain, LandedTransaction } from '../../../platform/ports/chain.ts';
import type { AuditStore, Mismatch } from '../../../platform/ports/operations.ts';

export type AuditDeps = {
  readonly books: AuditStore;
  /** Null: the books alone. */
  readonly chain: {
    readonly landed: Chain['landed'];
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
};

const PAGE = 200;
const AT_ONCE = 8;

/**
 * Recomputes everything from the entries and compares the bookings with the chain: each booked fee and payout with the
 * treasury's change in its transaction. The other direction is `auditSignatures`. Changes nothing. Run it while nothing is in
 * flight, or an intent between landing and booking shows up.
 */
export async function audit(deps: AuditDeps): Promise<Audit> {
  const [counts, found] = await Promise.all([deps.books.counts(), deps.books.mismatches()]);
  const mismatches = [...found];
  let compared = 0;
  if (deps.chain !== null) compared = await compareBooked(deps.books, deps.chain, mismatches);
  return { mismatches, ...counts, compared };
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

function treasuryDelta(landed: LandedTransaction, treasury: Address): bigint {
  const found = landed.balances.find((balance) => balance.address === treasury);
  return found === undefined ? 0n : found.after - found.before;
}
