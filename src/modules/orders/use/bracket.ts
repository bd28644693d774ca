import type { OrderGroup } from '../rules/order.ts';
import { parentOrderKey } from '../rules/order-child.ts';
import { judgeLegs, type PlacementRefusal } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';
import { rateInSol, type SolUsd } from '../rules/trigger.ts';
import type { OrderStore } from '../store/order-store-port.ts';
import type { BracketLegs, DraftGroup, OrderDraft } from './draft.ts';

/** The purchase price of the units that the legs sell: lamports per smallest unit; null where it is not known. */
export type Entry = { readonly units: bigint; readonly price: Rate | null };

/** The units of a purchase at its own trigger. A price in dollars is converted at the present price of SOL. */
export function entryOf(
  { drafts }: { readonly drafts: readonly Pick<OrderDraft, 'amount' | 'unit' | 'trigger'>[] },
  solUsd: SolUsd | null,
  now: number,
): Entry {
  const [one] = drafts;
  const lamports = one?.amount.kind === 'fixed' ? one.amount.units : 0n;
  const rate = one?.trigger == null ? null : rateInSol(one.unit, 'buy', one.trigger, solUsd, now);
  if (rate === null || rate.got <= 0n) return { units: 0n, price: null };
  return { units: (lamports * rate.got) / rate.given, price: { got: rate.given, given: rate.got } };
}

/** The group of the legs: it sells the units of the purchase named by `parentIntentId`, and has a key of its own. */
export function legsDraft(
  bought: Pick<DraftGroup, 'userId' | 'walletId' | 'mint' | 'placeKey' | 'slippageBps' | 'tier' | 'accepted'>,
  legs: BracketLegs,
  parentIntentId: string,
): DraftGroup {
  const { userId, walletId, mint, slippageBps, tier, accepted } = bought;
  return {
    userId,
    walletId,
    mint,
    slippageBps,
    tier,
    accepted,
    placeKey: legsKey(bought.placeKey),
    kind: 'OTOCO',
    // It is given the units that arrive.
    units: 0n,
    drafts: legs.drafts,
    expiresAt: legs.expiresAt,
    // Of the purchase: a sale is not refused for a later state of the token.
    supply: null,
    parentIntentId,
  };
}

/** The name under which the legs of a placed entry wait. */
export function parentKeyOf(entry: OrderGroup): string {
  return parentOrderKey(entry.orders[0]?.id ?? '');
}

/** The reason why a bracket is none: an entry that is no single purchase at a price, or a leg that is no sale of its units. */
export function judgeBracket({ drafts, kind, legs }: DraftGroup): PlacementRefusal | null {
  if (legs === undefined) return null;
  const [entry] = drafts;
  const isEntry =
    kind === 'SINGLE' &&
    drafts.length === 1 &&
    entry?.side === 'buy' &&
    (entry.type === 'LIMIT' || entry.type === 'STOP_BUY');
  return isEntry ? judgeSales(legs.drafts) : { kind: 'legs-invalid', reason: 'none' };
}

const SALES: readonly OrderDraft['type'][] = [
  'TAKE_PROFIT',
  'STOP_LOSS',
  'TRAILING_STOP',
  'DEV_SELLS',
  'LIQUIDITY_FALLS',
];

/** Legs by themselves: each sells a share of the units that arrive, or the rest of them. */
export function judgeSales(drafts: readonly OrderDraft[]): PlacementRefusal | null {
  const isSale = ({ side, type, amount }: OrderDraft): boolean =>
    side === 'sell' && SALES.includes(type) && amount.kind !== 'fixed';
  return drafts.every(isSale) ? judgeLegs(drafts.map(legOf)) : { kind: 'legs-invalid', reason: 'none' };
}

/** A draft as the rules of legs see it. */
export function legOf({ type, unit, amount, trigger }: OrderDraft): Parameters<typeof judgeLegs>[0][number] {
  return { type, unit, shareBps: amount.kind === 'share' ? amount.bps : null, trigger };
}

/** The group whose orders wait for this order's purchase; null where there is none. */
export async function legsOf(
  orders: Pick<OrderStore, 'find' | 'findByPlaceKey'>,
  entryOrderId: string,
): Promise<OrderGroup | null> {
  const entry = await orders.find(entryOrderId);
  return entry === null ? null : orders.findByPlaceKey(legsKey(entry.placeKey));
}

function legsKey(placeKey: string): string {
  return `${placeKey}:legs`;
}
