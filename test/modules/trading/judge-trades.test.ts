import { tradeId } from '@tradepost/tape';
import { expect, it } from 'vitest';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { Market } from '../../../src/modules/market/rules/market.ts';
import { judgeLanded } from '../../../src/modules/trading/use/find-sandwich.ts';
import { judgeTrades } from '../../../src/modules/trading/use/judge-trades.ts';
import { memoryVerdicts } from '../../support/fakes/memory-verdicts.ts';
import { freshAddress, freshSignature } from '../../support/tape-rows.ts';

const SLOT = 400_000_001n;
const MINUTE = 60_000;
const LANDED_AT = Date.UTC(2026, 0, 31, 12);
const [ME, BOT, MINT] = [freshAddress(), freshAddress(), freshAddress()];
const MINE = freshSignature();

/** A landed purchase with or without a tip. */
function bought(id: string, tip?: { readonly sender: string }): Intent {
  return {
    id,
    status: 'SUCCEEDED',
    updatedAt: LANDED_AT,
    params: { kind: 'buy', mint: MINT, terms: {}, ...(tip === undefined ? {} : { tip }) },
    outcome: { receipt: { signature: MINE, slot: SLOT, landedAt: LANDED_AT } },
  } as unknown as Intent;
}

const seen = (index: number, side: 'buy' | 'sell', trader: string, base: bigint, quote: bigint) => ({
  id: tradeId({ slot: SLOT, index, ordinal: 0 }) ?? 0n,
  side,
  trader,
  signature: trader === ME ? MINE : freshSignature(),
  base,
  quote,
  fee: null,
  dust: false,
});

/** Before mine, mine, and back at a better price. */
const AROUND = [
  seen(0, 'buy', BOT, 100n, 100n),
  seen(1, 'buy', ME, 100n, 120n),
  seen(2, 'sell', BOT, 100n, 130n),
];

function rig(
  intents: readonly Intent[],
  markets: readonly { readonly gapSince?: bigint; readonly tape: readonly unknown[] }[],
) {
  const verdicts = memoryVerdicts(() => intents);
  const state = { now: LANDED_AT + 2 * MINUTE };
  const deps = {
    verdicts,
    db: { intents: { find: async (id: string) => intents.find((one) => one.id === id) ?? null } },
    tape: { trades: async (id: number) => (markets[id]?.tape ?? []) as never },
    markets: {
      ofMint: async () =>
        markets.map(({ gapSince = null }, id) => ({ id, followed: true, gapSince }) as unknown as Market),
    },
    clock: { now: () => state.now },
  };
  return { deps, state, run: () => judgeTrades(deps), counts: () => verdicts.counts(0) };
}

it('each landed trade gets its verdict once, by the sender that was paid', async () => {
  const { run, counts } = rig([bought('1'), bought('2', { sender: 'jito' })], [{ tape: AROUND }]);
  await run();
  await run();
  expect((await counts()).toSorted((a, b) => (a.sender < b.sender ? -1 : 1))).toEqual([
    { sender: 'jito', certainty: 'sure', trades: 1 },
    { sender: 'nodes', certainty: 'sure', trades: 1 },
  ]);
});

it('a trade that the tape does not have yet is tried for ten minutes, then it is not known', async () => {
  const tape: unknown[] = [];
  const { run, counts, state } = rig([bought('1')], [{ tape }]);
  await run();
  expect(await counts()).toEqual([]);
  state.now = LANDED_AT + 10 * MINUTE;
  await run();
  expect(await counts()).toEqual([{ sender: 'nodes', certainty: 'not-known', trades: 1 }]);
});

it('a trade that comes to the tape late is judged by it', async () => {
  const tape: unknown[] = [];
  const { run, counts } = rig([bought('1')], [{ tape }]);
  await run();
  tape.push(AROUND[1]);
  await run();
  expect(await counts()).toEqual([{ sender: 'nodes', certainty: 'none', trades: 1 }]);
});

it('a trade of hours ago is not judged', async () => {
  const { run, counts, state } = rig([bought('1')], [{ tape: AROUND }]);
  state.now = LANDED_AT + 121 * MINUTE;
  await run();
  expect(await counts()).toEqual([]);
});

it('none is said only where every market of the token is whole there', async () => {
  const judge = (...markets: Parameters<typeof rig>[1]) =>
    judgeLanded(rig([], markets).deps, { mint: MINT, signature: MINE, slot: SLOT, landedAt: LANDED_AT });
  const mine = { tape: [AROUND[1]] };
  expect((await judge(mine)).certainty).toBe('none');
  expect((await judge(mine, { tape: [] })).certainty).toBe('none');
  expect((await judge(mine, { tape: [], gapSince: SLOT })).certainty).toBe('not-known');
  expect((await judge({ tape: [], gapSince: SLOT }, { tape: AROUND })).certainty).toBe('sure');
  expect((await judge({ tape: [] })).certainty).toBe('not-known');
  expect((await judge()).certainty).toBe('not-known');
});
