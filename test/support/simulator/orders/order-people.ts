import type { Address } from '@tradepost/solana';
import type { OrderGroup } from '../../../../src/modules/orders/rules/order.ts';
import { parentOrderKey } from '../../../../src/modules/orders/rules/order-child.ts';
import type { Rate } from '../../../../src/modules/orders/rules/rate.ts';
import { legsDraft } from '../../../../src/modules/orders/use/bracket.ts';
import { type DraftGroup, newGroup, type OrderDraft } from '../../../../src/modules/orders/use/draft.ts';
import type { OrderEvents } from '../../../../src/modules/orders/use/order-events.ts';
import type { Random } from '../random.ts';

export const ORDER_KINDS = [
  'order-limit',
  'order-oco',
  'order-trail',
  'order-dca',
  'order-bracket',
  'order-dev',
  'order-liquidity',
] as const;
export type SimOrderKind = (typeof ORDER_KINDS)[number];

/** What somebody who sells holds at first, and what is given in all by somebody who buys. */
export const HOLDING = 1_000_000_000n;
const SPENDING = 1_000_000_000n;
const DAY_MS = 86_400_000;
const SCALE = 1_000_000;

export const waitsForEvent = (kind: SimOrderKind): boolean =>
  kind === 'order-dev' || kind === 'order-liquidity';
export const startsWithTokens = (kind: SimOrderKind): boolean =>
  kind === 'order-oco' || kind === 'order-trail' || waitsForEvent(kind);

/** What a person of a run places, at a price of now: groups in the order in which they are written. */
export async function groupsOf(
  kind: SimOrderKind,
  placed: {
    readonly userId: string;
    readonly walletId: string;
    readonly mint: Address;
    readonly price: number;
    readonly now: number;
    readonly id: () => string;
    readonly random: Random;
    readonly events: Pick<OrderEvents, 'begin'>;
  },
): Promise<readonly OrderGroup[]> {
  const { price, random, now, id } = placed;
  const hold = random.pick(['fast', 'normal', 'normal', 'careful'] as const);
  const draft = draftOf(kind, placed);
  const make = (one: DraftGroup): OrderGroup => newGroup(one, { id, now, depthLamports: null });
  const sell = (
    type: 'TAKE_PROFIT' | 'STOP_LOSS',
    factor: number,
    more: Partial<OrderDraft>,
  ): OrderDraft => ({
    ...SALE,
    type,
    hold,
    trigger: rateOf('sell', price * factor),
    ...more,
  });
  switch (kind) {
    case 'order-limit': {
      const partial = random.chance(0.5);
      const trigger = rateOf('buy', price * random.pick([0.99, 0.95, 0.9]));
      return [make({ ...draft, drafts: [{ ...BUY, trigger, partial }] })];
    }
    case 'order-oco': {
      const units = random.chance(0.5) ? HOLDING : null;
      const legs = [
        sell('TAKE_PROFIT', 1.05, { amount: { kind: 'share', bps: 3_000 } }),
        sell('TAKE_PROFIT', 1.15, { amount: { kind: 'share', bps: 3_000 } }),
        sell('STOP_LOSS', 0.93, { amount: { kind: 'rest' } }),
      ];
      return [make({ ...draft, kind: 'OCO', units, drafts: legs })];
    }
    case 'order-trail': {
      const activation = random.chance(0.3) ? rateOf('sell', price * 1.03) : null;
      const trailing = { bps: random.pick([300, 1_000]), activation };
      const leg: OrderDraft = { ...SALE, type: 'TRAILING_STOP', hold, amount: { kind: 'rest' }, trailing };
      return [make({ ...draft, units: HOLDING, drafts: [leg] })];
    }
    case 'order-dca': {
      const schedule = {
        intervalMs: 10_000,
        rounds: random.between(2, 5),
        band: { least: null, most: null },
      };
      return [make({ ...draft, drafts: [{ ...BUY, type: 'DCA', schedule }] })];
    }
    case 'order-bracket': {
      const at = price * 0.97;
      const entry = make({ ...draft, drafts: [{ ...BUY, trigger: rateOf('buy', at) }] });
      const legs = {
        drafts: [
          sell('TAKE_PROFIT', 1.2, { amount: { kind: 'share', bps: 10_000 } }),
          sell('STOP_LOSS', 0.85, { amount: { kind: 'rest' } }),
        ],
        expiresAt: now + DAY_MS,
      };
      return [entry, make(legsDraft(draft, legs, parentOrderKey(entry.orders[0]?.id ?? '')))];
    }
    case 'order-dev':
    case 'order-liquidity': {
      const units = random.chance(0.5) ? HOLDING : null;
      const type = kind === 'order-dev' ? 'DEV_SELLS' : 'LIQUIDITY_FALLS';
      const fallBps = random.pick([3_000, 5_000, 7_000]);
      const floor = random.chance(0.3)
        ? rateOf('sell', price * random.pick([0.97, 0.8]))
        : ('default' as const);
      const event = await placed.events.begin({ type, mint: placed.mint, fallBps });
      if (event.kind !== 'dev-sells' && event.kind !== 'liquidity-falls')
        throw new Error(`nothing to wait for: ${event.kind}`);
      const legs: readonly OrderDraft[] = [
        ...(random.chance(0.5) ? [sell('TAKE_PROFIT', 1.15, { amount: { kind: 'share', bps: 3_000 } })] : []),
        ...(random.chance(0.5) ? [sell('STOP_LOSS', 0.9, { amount: { kind: 'rest' } })] : []),
        { ...SALE, type, hold, amount: { kind: 'rest' } as const, floor, event },
      ];
      return [make({ ...draft, kind: legs.length === 1 ? 'SINGLE' : 'OCO', units, drafts: legs })];
    }
  }
}

const COMMON = {
  unit: 'SOL',
  trigger: null,
  request: '',
  floor: 'default',
  trailing: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
} as const;
const BUY: OrderDraft = { ...COMMON, side: 'buy', type: 'LIMIT', amount: { kind: 'fixed', units: SPENDING } };
const SALE = { ...COMMON, side: 'sell', amount: { kind: 'rest' } } as const;

function draftOf(
  kind: SimOrderKind,
  { userId, walletId, mint, now, id }: Parameters<typeof groupsOf>[1],
): DraftGroup {
  return {
    userId,
    walletId,
    mint,
    placeKey: id(),
    kind: 'SINGLE',
    units: startsWithTokens(kind) ? HOLDING : SPENDING,
    drafts: [],
    expiresAt: now + DAY_MS,
    slippageBps: 100,
    tier: 'normal',
    accepted: [],
    supply: null,
    parentIntentId: null,
  };
}

/** What is got per what is given, at a price of one unit. */
function rateOf(side: 'buy' | 'sell', price: number): Rate {
  const scaled = BigInt(Math.round(price * SCALE));
  return side === 'sell' ? { got: scaled, given: BigInt(SCALE) } : { got: BigInt(SCALE), given: scaled };
}
