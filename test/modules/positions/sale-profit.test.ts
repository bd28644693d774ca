import { describe, expect, it } from 'vitest';
import type { LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import type { PositionEvent } from '../../../src/modules/positions/rules/position.ts';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import { saleResult } from '../../../src/modules/positions/use/sale-profit.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { buildIntent, PARAMS } from '../../engine/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const MINT = PARAMS.sell.mint;

type Fact = PositionEvent extends infer Event
  ? Event extends PositionEvent
    ? Omit<Event, 'walletId' | 'mint' | 'signature' | 'slot' | 'at' | 'final'>
    : never
  : never;

/** What is told of a sale of `units` for `lamports` after these events. */
async function soldAfter(facts: readonly Fact[], units: bigint, lamports: bigint) {
  const db = fakeDatabase();
  const { user, wallet } = await storedPerson(db);
  const events = facts.map((fact, index): RecordedEvent => {
    const slot = BigInt(index + 1);
    const place = { walletId: wallet.id, mint: MINT, signature: `sig${slot}`, slot, at: index, final: true };
    const free = { intentId: null, networkFeeLamports: 0n, platformFeeLamports: 0n, rentLamports: 0n };
    return { ...place, ...free, ...fact };
  });
  await db.positions.record(events);
  const intent = buildIntent({ params: PARAMS.sell, userId: user.id, walletId: wallet.id });
  const receipt: LandedReceipt = {
    signature: 'sale',
    slot: 100n,
    landedAt: 1_700_000_000_000,
    feeLamports: 0n,
    baseFeeLamports: 0n,
    priorityFeeLamports: 0n,
    walletLamportsDelta: lamports,
    tokenDeltas: [{ mint: MINT, delta: -units }],
    rentLamports: 0n,
    platformFeeLamports: 0n,
  };
  return saleResult(db, intent, receipt);
}

const profitAfter = async (...asked: Parameters<typeof soldAfter>) => (await soldAfter(...asked)).profit;

const bought = { kind: 'buy', units: 100n, flowLamports: -1_000n } as const;

describe('the profit of a sale', () => {
  it('is what came in less what the units had cost', async () => {
    expect(await profitAfter([bought], 50n, 800n)).toEqual({
      lamports: 300n,
      costLamports: 500n,
      counted: 'all',
    });
  });

  it('is of the units whose cost is known, not of those that came for nothing', async () => {
    const free: readonly Fact[] = [
      { kind: 'airdrop', units: 100n },
      { kind: 'remainder', units: 100n },
      { kind: 'adjustment', units: 100n },
      // Nobody could say what it was worth.
      { kind: 'received', units: 100n, valueLamports: 0n, revision: 0 },
    ];
    for (const came of free) {
      for (const facts of [
        [came, bought],
        [bought, came],
      ]) {
        // Half of what is sold was bought: it brought 1,000 of the 2,000 and had cost 500.
        expect(await profitAfter(facts, 100n, 2_000n)).toEqual({
          lamports: 500n,
          costLamports: 500n,
          counted: 'part',
        });
      }
    }
  });

  it('forgets what came for nothing as it leaves', async () => {
    const gone: readonly Fact[] = [
      { kind: 'airdrop', units: 100n },
      { kind: 'withdrawn', units: 100n },
    ];
    expect(await profitAfter([...gone, bought], 100n, 2_000n)).toMatchObject({ counted: 'all' });
  });

  it('is not of units that nobody knows of', async () => {
    // 100 are known, 400 are sold: a quarter of what came in is theirs.
    expect(await profitAfter([bought], 400n, 8_000n)).toEqual({
      lamports: 1_000n,
      costLamports: 1_000n,
      counted: 'part',
    });
  });

  it('is not told where no unit has a cost', async () => {
    expect(await profitAfter([{ kind: 'airdrop', units: 100n }], 100n, 2_000n)).toBeNull();
    expect(await profitAfter([], 100n, 2_000n)).toBeNull();
  });
});

describe('a sale of everything', () => {
  it('is known by what is left, whatever the units had cost and whether the account closed', async () => {
    expect(await soldAfter([bought], 100n, 800n)).toMatchObject({ soldAll: true });
    expect(await soldAfter([bought], 99n, 800n)).toMatchObject({ soldAll: false });
    const free = { kind: 'airdrop', units: 5n } as const;
    expect(await soldAfter([free], 5n, 800n)).toMatchObject({
      profit: null,
      soldAll: true,
      leftUnits: 0n,
    });
    expect(await soldAfter([free], 4n, 800n)).toMatchObject({
      profit: null,
      soldAll: false,
      leftUnits: 1n,
    });
  });
});
