import { unitsHeld } from '@tradepost/solana';
import type { MarketKeys } from '@tradepost/tape';
import type { HeldAt } from '../../ports/transaction-source.ts';
import { readAccounts } from '../wire-answers.ts';
import type { Call } from './source-endpoints.ts';

const ACCOUNTS_PER_CALL = 100;

/** Both vaults of a market in one call, which is answered as of one slot. */
export async function heldByVaults(call: Call, markets: readonly MarketKeys[]): Promise<readonly HeldAt[]> {
  const held: HeldAt[] = [];
  for (let at = 0; at < markets.length; at += ACCOUNTS_PER_CALL / 2) {
    const group = markets.slice(at, at + ACCOUNTS_PER_CALL / 2);
    const vaults = group.flatMap(({ baseVault, quoteVault }) => [baseVault, quoteVault]);
    const { slot, accounts } = readAccounts(
      await call('getMultipleAccounts', [vaults, { encoding: 'base64', commitment: 'finalized' }]),
      vaults.length,
    );
    for (const [index, { kind }] of group.entries()) {
      const [base = null, quote = null] = accounts.slice(2 * index);
      held.push({
        slot,
        base: unitsHeld(base),
        quote: kind === 'lamports' ? (quote?.lamports ?? 0n) : unitsHeld(quote),
      });
    }
  }
  return held;
}
