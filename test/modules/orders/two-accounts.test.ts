import { describe, expect, it } from 'vitest';
import { tradeOf } from '../../../src/engine/intents/kinds/rules.ts';
import type { Attempt, LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import type { OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import { fireOrder } from '../../../src/modules/orders/use/fire-order.ts';
import { settleOrder, voidOrder } from '../../../src/modules/orders/use/settle-order.ts';
import { FIRED, put, STOP } from '../../support/order-acts.ts';
import { HELD, type OrderPlace, orderPlace, SALE, SOL } from '../../support/order-place.ts';
import { TOKEN } from '../trading/build-pool.ts';

const THIRD = HELD / 3n;

/** A sale whose price is there, of units in two accounts of one mint. */
async function twoAccounts(draft: OrderDraft, units: bigint | null, elsewhere = THIRD) {
  const place = await orderPlace();
  place.world.held = HELD - THIRD;
  place.world.elsewhere = elsewhere;
  const { id } = await put(place, draft, { units });
  place.world.price = draft.type === 'STOP_LOSS' ? 700n : 1_300n;
  return { place, id };
}

async function fire(
  place: OrderPlace,
  orderId: string,
): Promise<{ readonly id: string; readonly sold: bigint }> {
  const outcome = await place.fire(orderId);
  expect(outcome).toMatchObject(FIRED);
  if (outcome.kind !== 'fired') throw new Error('not fired');
  const intent = await place.db.intents.find(outcome.intentId);
  return { id: outcome.intentId, sold: intent === null ? 0n : (tradeOf(intent.params)?.amountIn ?? 0n) };
}

async function land(
  place: OrderPlace,
  { id, sold }: { readonly id: string; readonly sold: bigint },
): Promise<void> {
  const intent = await place.db.intents.find(id);
  if (intent === null) throw new Error('no intent');
  const receipt = {
    tokenDeltas: [{ mint: TOKEN, delta: -sold }],
    walletLamportsDelta: SOL,
    feeLamports: 0n,
    rentLamports: 0n,
  } as unknown as LandedReceipt;
  const attempt = { terms: null } as Pick<Attempt, 'terms'>;
  await place.db.transact((stores) => settleOrder(place.deps, stores, intent, attempt, receipt));
}

/** The fuller account is empty: only the other one can give. */
function sellFuller(place: OrderPlace): void {
  place.world.held = place.world.elsewhere;
  place.world.elsewhere = 0n;
}

describe('an order whose units lie in two accounts', () => {
  it.each([
    ['a stop of a position', STOP, null],
    ['a stop of units of its own', STOP, HELD],
    ['a take-profit of all of a position', { ...SALE, amount: { kind: 'share', bps: 10_000 } }, null],
    ['a limit sale of fixed units', { ...SALE, type: 'LIMIT', amount: { kind: 'fixed', units: HELD } }, HELD],
  ] as const)('sells one after the other, and ends with the last: %s', async (_what, draft, units) => {
    const { place, id } = await twoAccounts(draft, units);
    const first = await fire(place, id);
    expect(first.sold).toBe(HELD - THIRD);
    await land(place, first);
    expect(await place.order(id)).toMatchObject({ status: 'OPEN', filled: HELD - THIRD });
    sellFuller(place);
    const second = await fire(place, id);
    expect(second.sold).toBe(THIRD);
    await land(place, second);
    expect(await place.order(id)).toMatchObject({ status: 'FILLED', filled: HELD, fires: 2 });
  });

  it('gives a share of all that is held, not of what one account holds', async () => {
    const { place, id } = await twoAccounts({ ...SALE, amount: { kind: 'share', bps: 5_000 } }, null);
    const only = await fire(place, id);
    expect(only.sold).toBe(HELD / 2n);
    await land(place, only);
    expect((await place.order(id)).status).toBe('FILLED');
  });

  it('sells the rest of a passed stop whatever the price has become, and of a limit only at its price', async () => {
    for (const [draft, outcome] of [
      [STOP, FIRED],
      [SALE, { kind: 'held-back', code: 'price-back' }],
    ] as const) {
      const { place, id } = await twoAccounts(draft, null);
      await land(place, await fire(place, id));
      sellFuller(place);
      place.world.price = 1_000n;
      expect(await place.fire(id)).toMatchObject(outcome);
    }
  });

  it('asks a stop for its price again where the first sale had no effect', async () => {
    const { place, id } = await twoAccounts(STOP, null);
    const first = await fire(place, id);
    await place.db.transact(async (stores) => {
      const intent = await stores.intents.find(first.id);
      if (intent === null) throw new Error('no intent');
      await voidOrder(place.deps, stores, intent, { landedError: false, receipt: null });
    });
    place.world.price = 1_000n;
    const later = { orderId: id, slot: 2n * 10n ** 9n };
    expect(await fireOrder(place.deps, later)).toEqual({ kind: 'held-back', code: 'price-back' });
  });

  it('ends without what is worth no transaction: anybody may send that', async () => {
    const { place, id } = await twoAccounts(STOP, null, HELD / 1_000n);
    await land(place, await fire(place, id));
    expect((await place.order(id)).status).toBe('FILLED');
  });

  it('counts the last of its rounds when nothing of it is left', async () => {
    const schedule = { intervalMs: 60_000, rounds: 2, band: { least: null, most: null } };
    const { place, id } = await twoAccounts(
      { ...SALE, type: 'DCA', trigger: null, amount: { kind: 'fixed', units: HELD }, schedule },
      HELD,
    );
    await land(place, await fire(place, id));
    place.world.held = HELD / 3n;
    place.world.elsewhere = HELD / 2n - HELD / 3n;
    place.clock.advance(60_000);
    await land(place, await fire(place, id));
    expect((await place.order(id)).status).toBe('OPEN');
    sellFuller(place);
    await land(place, await fire(place, id));
    expect(await place.order(id)).toMatchObject({ status: 'FILLED', filled: HELD });
  });
});
