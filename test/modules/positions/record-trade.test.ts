import { beforeEach, describe, expect, it } from 'vitest';
import type { LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import { reduce } from '../../../src/engine/intents/rules/machine.ts';
import type { Landing } from '../../../src/engine/intents/rules/transition.ts';
import { commitTransition } from '../../../src/engine/transactions/use/commit-transition.ts';
import { foldPositions } from '../../../src/modules/positions/use/fold-positions.ts';
import { recordTrade } from '../../../src/modules/positions/use/record-trade.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { secretRow, storedPerson, walletRow } from '../../conformance/store-rows.ts';
import { buildAttempt, buildIntent, finalizedEvent, PARAMS } from '../../engine/intents/build.ts';
import { virtualDeps, virtualWorld } from '../../engine/transactions/virtual-world.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';

const MINT = PARAMS.buy.mint;
const receipt: LandedReceipt = {
  signature: 'signature-1',
  slot: 5n,
  landedAt: 1_700_000_000_000,
  feeLamports: 5_000n,
  baseFeeLamports: 5_000n,
  priorityFeeLamports: 0n,
  walletLamportsDelta: -500_000_000n,
  tokenDeltas: [{ mint: MINT, delta: 700n }],
  rentLamports: 2_039_280n,
  platformFeeLamports: 4_000_000n,
};

const landing = (change: Partial<Landing>): Landing => ({
  attemptId: 'attempt-1',
  slot: 5n,
  err: null,
  priceMoved: false,
  receipt: null,
  ...change,
});

describe('a trade that is final', () => {
  let db: Database;
  let deps: ReturnType<typeof virtualDeps>;
  beforeEach(() => {
    db = fakeDatabase();
    deps = virtualDeps(virtualWorld(), db);
  });

  async function sent(params: typeof PARAMS.buy | typeof PARAMS.sell = PARAMS.buy) {
    const { user, wallet } = await storedPerson(db);
    const intent = buildIntent({ params, userId: user.id, walletId: wallet.id, status: 'ACTIVE' });
    const attempt = buildAttempt({ terms: params.terms, status: 'CONFIRMED', sendCount: 1 });
    await db.intents.insert(intent);
    await db.intents.insertAttempt(attempt);
    return { user, wallet, state: { intent, attempts: [attempt] } };
  }

  it('is in the position in the commit that says so, once, whoever commits', async () => {
    const { user, state } = await sent();
    const ended = reduce(state, finalizedEvent(landing({ receipt })), 9);
    expect(ended.state.intent.status).toBe('SUCCEEDED');
    // Two workers that heard the same: one commit is written.
    const committed = await Promise.all([1, 2].map(() => commitTransition(deps, ended, null)));
    expect(committed.filter(Boolean)).toHaveLength(1);
    const { positions } = await foldPositions(db, user.id);
    expect(positions).toMatchObject([{ mint: MINT, units: 700n, cost: 497_960_720n, stale: false }]);
  });

  it('is in no position when the commit is cut', async () => {
    const { user, wallet, state } = await sent();
    const ended = reduce(state, finalizedEvent(landing({ receipt })), 9);
    const cut = () => Promise.reject(new Error('cut'));
    await expect(commitTransition(deps, ended, null, { beside: cut })).rejects.toThrow('cut');
    expect(await db.positions.events([wallet.id])).toEqual([]);
    expect((await foldPositions(db, user.id)).positions).toEqual([]);
    // Found again after the crash.
    expect(await commitTransition(deps, ended, null)).toBe(true);
    expect(await db.positions.events([wallet.id])).toHaveLength(1);
  });

  it('costs the fee of each attempt that failed, also when another one follows', async () => {
    const { user, state } = await sent();
    const burnt = { ...receipt, walletLamportsDelta: -5_000n, tokenDeltas: [], rentLamports: 0n };
    const slipped = landing({ err: '{"Custom":6001}', priceMoved: true, receipt: burnt });
    const ended = reduce(state, finalizedEvent(slipped), state.intent.createdAt);
    // It is tried again.
    expect(ended.state.intent.status).toBe('ACTIVE');
    expect(await commitTransition(deps, ended, null)).toBe(true);
    expect((await foldPositions(db, user.id)).positions).toMatchObject([{ units: 0n, realized: -5_000n }]);
  });

  it('waits for the next look at the wallet when nobody serves the transaction, and is nobody’s for the treasury', async () => {
    const { wallet, state } = await sent();
    const [attempt] = state.attempts;
    if (attempt === undefined) throw new Error('no attempt');
    const told = { intent: state.intent, attempt, receipt: null, failed: false };
    await recordTrade(deps, db, told);
    await recordTrade(deps, db, { ...told, receipt, intent: { ...state.intent, userId: null } });
    expect(await db.positions.events([wallet.id])).toEqual([]);
  });

  it('takes the place of a difference that was recorded before its commit came', async () => {
    const { user, wallet, state } = await sent();
    const facts = { walletId: wallet.id, mint: MINT, at: 9, final: true, intentId: null };
    const free = { networkFeeLamports: 0n, platformFeeLamports: 0n, rentLamports: 0n };
    await db.positions.record([
      { ...facts, ...free, signature: 'adjustment/9', slot: 6n, kind: 'adjustment', units: 700n },
    ]);
    await commitTransition(deps, reduce(state, finalizedEvent(landing({ receipt })), 9), null);
    expect((await foldPositions(db, user.id)).positions).toMatchObject([
      { units: 700n, cost: 497_960_720n, adjustedUnits: 0n },
    ]);
  });

  it('takes the cost along to another wallet of the same person, and to nobody else’s', async () => {
    const { user, wallet, state } = await sent();
    const other = walletRow({ userId: user.id });
    await db.wallets.insert(PASSED, other, secretRow(other));
    const stranger = await storedPerson(db);
    await commitTransition(deps, reduce(state, finalizedEvent(landing({ receipt })), 9), null);
    const attempt = buildAttempt();
    const give = async (destination: typeof other.address, signature: string, slot: bigint) => {
      const params = {
        kind: 'withdraw-token',
        mint: MINT,
        tokenProgram: MINT,
        decimals: 6,
        destination,
        amount: 350n,
        tier: 'normal',
      } as const;
      const moved = { signature, slot, tokenDeltas: [{ mint: MINT, delta: -350n }], arrivedUnits: 350n };
      const intent = { ...state.intent, params, kind: params.kind };
      await recordTrade(deps, db, { intent, attempt, receipt: { ...receipt, ...moved }, failed: false });
    };
    await give(other.address, 'signature-2', 6n);
    await give(stranger.wallet.address, 'signature-3', 7n);
    const { positions } = await foldPositions(db, user.id);
    expect(positions.map(({ walletId, units, cost }) => [walletId, units, cost])).toEqual([
      [other.id, 350n, 248_980_360n],
      [wallet.id, 0n, 0n],
    ]);
    expect(await db.positions.events([stranger.wallet.id])).toEqual([]);
  });
});
