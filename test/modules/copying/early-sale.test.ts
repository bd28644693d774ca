import { expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import type { AttemptStatus, IntentStatus } from '../../../src/engine/intents/rules/intent.ts';
import type { CopyTrade } from '../../../src/modules/copying/rules/copy-trade.ts';
import type { CopyDeps } from '../../../src/modules/copying/use/copy-deps.ts';
import { sellOwed } from '../../../src/modules/copying/use/copy-sell.ts';
import type { SignatureStatus } from '../../../src/platform/ports/chain.ts';

const MINT = address('So11111111111111111111111111111111111111112');
const NOW = 50_000;
const QUOTED = 'quoted';
type Early = {
  readonly intent?: IntentStatus;
  readonly attempt?: AttemptStatus;
  readonly status: SignatureStatus | null;
};

/** An owed sale of 40 units over a purchase of 80 that is confirmed and not final: what becomes of it. */
async function tried({ intent = 'ACTIVE', attempt = 'CONFIRMED', status }: Early) {
  const owed = { copyId: 'copy-1', mint: MINT, side: 'sell', status: 'OWED', amount: 40n, tries: 0 };
  const saved: CopyTrade[] = [];
  const stores = {
    guards: { lock: async () => ({}) },
    copies: {
      find: async () => ({ id: 'copy-1', userId: 'user', walletId: 'wallet', status: 'ON' }),
      lock: async () => null,
      findTrade: async () => owed,
      trades: async () => [{ side: 'buy', status: 'BUYING', intentId: 'buy-1', moved: 80n }],
      saveTrade: async (row: CopyTrade) => void saved.push(row),
    },
    users: { find: async () => ({ settings: { slippageSellBps: 500, tier: 'normal' } }) },
    wallets: { find: async () => ({ address: MINT, deletedAt: null }) },
    orders: { lockByParent: async () => [] },
    intents: {
      find: async () => ({ status: intent }),
      attempts: async () => [{ signature: 'sig', status: attempt }],
    },
  };
  const deps = {
    db: { ...stores, transact: (work: (given: typeof stores) => Promise<void>) => work(stores) },
    chain: { statuses: async () => [status] },
    market: { sellable: async () => ({ units: 1_000n }) },
    clock: { now: () => NOW },
    quote: async () => {
      throw new Error(QUOTED);
    },
  } as unknown as CopyDeps;
  try {
    await sellOwed(deps, owed as unknown as CopyTrade);
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
  const [row] = saved;
  return `${row?.status} in ${(row?.dueAt ?? NOW) - NOW} ms, try ${row?.tries}`;
}

const seen = (change: Partial<SignatureStatus> = {}): SignatureStatus => ({
  slot: 9n,
  level: 'confirmed',
  err: null,
  ...change,
});
const WAITS = 'OWED in 2000 ms, try 0';

it.each<[string, Early, string]>([
  ['goes on where a node shows the purchase', { status: seen() }, QUOTED],
  ['goes on where it is final by now', { status: seen({ level: 'finalized' }) }, QUOTED],
  ['waits where no node shows it', { status: null }, WAITS],
  ['waits where it failed on another fork', { status: seen({ err: '{"Custom":6001}' }) }, WAITS],
  ['waits where it is only processed', { status: seen({ level: 'processed' }) }, WAITS],
  ['waits where it is being sent again', { attempt: 'SIGNED', status: seen() }, WAITS],
  ['is not held up by a review', { intent: 'NEEDS_REVIEW', status: null }, QUOTED],
])('a sale on a purchase that is not final %s', async (_name, early, outcome) => {
  expect(await tried(early)).toBe(outcome);
});
