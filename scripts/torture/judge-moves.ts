import type { Address } from '@tradepost/solana';
import type { IntentParams } from '../../src/engine/intents/kinds/params.ts';
import type { LandedTransaction } from '../../src/platform/ports/chain.ts';

/** The ways in which a block can hold what no person confirmed. */
export type MoveRule = 'unconfirmed' | 'foreign-wallet' | 'other-terms' | 'to-the-thief' | 'twice';

export type MoveProblem = { readonly rule: MoveRule; readonly what: string };

/** What a person confirmed, and the wallet that it was confirmed for. */
export type Confirmed = { readonly wallet: Address; readonly params: IntentParams };

/** A transaction in a block without an error, and the intent that its memo names. */
export type Move = { readonly intentId: string; readonly record: LandedTransaction };

/** Rent of accounts that a trade or a withdrawal opens, and fees: no loss of a person is above it. */
const SMALL_LAMPORTS = 20_000_000n;

/**
 * Everything that blocks hold of people's wallets, against what these people confirmed. `confirmed` answers null for what no person confirmed in
 * words of this run: a fire, a payout and the second half of a creation follow from something else, and `follows` says so.
 */
export function judgeMoves(of: {
  readonly moves: readonly Move[];
  readonly confirmed: (intentId: string) => Confirmed | null;
  readonly follows: (intentId: string) => boolean;
  readonly wallets: ReadonlySet<Address>;
  readonly thief: Address;
}): readonly MoveProblem[] {
  const problems: MoveProblem[] = [];
  const times = new Map<string, number>();
  for (const { intentId, record } of of.moves) {
    const must = (holds: boolean, rule: MoveRule, what: string): void =>
      void (holds || problems.push({ rule, what: `${intentId} ${what} (${record.signature})` }));
    const [payer] = record.balances;
    times.set(intentId, (times.get(intentId) ?? 0) + 1);
    must(times.get(intentId) === 1, 'twice', `is in blocks ${times.get(intentId)} times`);
    for (const { address, before, after } of record.balances)
      must(address !== of.thief || after <= before, 'to-the-thief', `brings ${after - before} lamports`);
    for (const { owner, before, after } of record.tokenBalances)
      must(owner !== of.thief || after <= before, 'to-the-thief', `brings ${after - before} units`);
    if (payer === undefined || !of.wallets.has(payer.address)) continue;
    const agreed = of.confirmed(intentId);
    if (agreed === null) {
      must(of.follows(intentId), 'unconfirmed', 'was confirmed by no person');
      continue;
    }
    must(
      agreed.wallet === payer.address,
      'foreign-wallet',
      `takes from ${payer.address}, not ${agreed.wallet}`,
    );
    const fault = faultOf(agreed, record);
    must(fault === null, 'other-terms', fault ?? '');
  }
  return problems;
}

/** Why the moves are not the confirmed ones; null where they are. */
function faultOf(
  { wallet, params }: Confirmed,
  { balances, tokenBalances }: LandedTransaction,
): string | null {
  const gained = (address: Address): bigint =>
    balances.reduce((sum, one) => (one.address === address ? sum + one.after - one.before : sum), 0n);
  const lost = -gained(wallet);
  const units = (owner: Address, mint: Address): bigint =>
    tokenBalances.reduce(
      (sum, one) => (one.owner === owner && one.mint === mint ? sum + one.after - one.before : sum),
      0n,
    );
  switch (params.kind) {
    case 'withdraw-sol': {
      const got = gained(params.destination);
      return got === params.lamports ? null : `brings ${got} lamports and not ${params.lamports}`;
    }
    case 'withdraw-token': {
      const gone = -units(wallet, params.mint);
      if (gone !== params.amount) return `takes ${gone} units and not ${params.amount}`;
      return lost <= SMALL_LAMPORTS ? null : `takes ${lost} lamports beside the token`;
    }
    case 'buy': {
      const got = units(wallet, params.mint);
      if (got < params.terms.minOut)
        return `brings ${got} units, at least ${params.terms.minOut} were confirmed`;
      return lost <= params.lamportsIn + SMALL_LAMPORTS
        ? null
        : `costs ${lost} lamports, not ${params.lamportsIn}`;
    }
    case 'sell': {
      const gone = -units(wallet, params.mint);
      if (gone > params.amountIn) return `sells ${gone} units, not ${params.amountIn}`;
      return -lost >= params.terms.minOut - SMALL_LAMPORTS
        ? null
        : `brings ${-lost} lamports, at least ${params.terms.minOut} were confirmed`;
    }
    case 'close-accounts':
    case 'create-token':
    case 'launch':
    case 'payout':
    case 'prepare-token':
    case 'revoke-authority':
      return lost <= MOST_OF_A_CREATION ? null : `costs ${lost} lamports`;
  }
}

/** Fees, rent and the first purchase of a launch in this run. */
const MOST_OF_A_CREATION = 100_000_000n;
