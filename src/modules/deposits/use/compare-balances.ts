import type { ChainAccount } from '@tradepost/solana';
import { hasCome } from '../../../core/time/span.ts';
import { type DepositWatchDeps, lookAt, type WatchState } from './watch-state.ts';
import type { WatchedAccount } from './watched-accounts.ts';

const ACCOUNTS_PER_CALL = 100;
/** All accounts in so long, and never more than a call a second. */
const ROUND_MS = 5_000;
const CALL_MS = 1_000;

/** One call at a time: the balances of the next hundred accounts, and a look at each that changed. */
export function createComparison(
  { chain, clock }: Pick<DepositWatchDeps, 'chain' | 'clock'>,
  state: WatchState,
) {
  let from = 0;
  let nextAt = 0;
  return {
    isDue: () => hasCome(nextAt, clock.now()),
    nextAt: () => nextAt,
    later: (at: number): void => {
      nextAt = at;
    },
    async run(): Promise<void> {
      const all = [...state.accounts.values()];
      const calls = Math.max(1, Math.ceil(all.length / ACCOUNTS_PER_CALL));
      nextAt = clock.now() + Math.max(CALL_MS, ROUND_MS / calls);
      if (from >= all.length) from = 0;
      const batch = all.slice(from, from + ACCOUNTS_PER_CALL);
      from += ACCOUNTS_PER_CALL;
      if (batch.length === 0) return;
      const { accounts } = await chain.accounts(batch.map(({ account }) => account));
      for (const [index, one] of batch.entries()) {
        const held = heldBy(accounts[index] ?? null, one);
        // An account that never held anything has nothing to be read.
        if (held !== (one.held ?? 0n)) {
          one.tries = 0;
          lookAt(state, one, clock.now());
        }
        one.held = held;
      }
    },
  };
}

/** Units in a token account's layout, or a wallet's lamports. */
function heldBy(found: ChainAccount | null, { account, place }: WatchedAccount): bigint {
  if (found === null) return 0n;
  if (account === place.address) return found.lamports;
  const { data } = found;
  return data.length < 72 ? 0n : new DataView(data.buffer, data.byteOffset).getBigUint64(64, true);
}
