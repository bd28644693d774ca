import { z } from 'zod';
import type { TapState } from '../../../platform/telegram/feature.ts';
import { payloadOf } from '../../../platform/telegram/ui/payload.ts';
import type { HoldChoice } from '../rules/trigger.ts';
import type { OrderChange } from '../use/edit-order.ts';

const units = z.string().regex(/^\d+$/);

/** A price as it was typed, and its meaning when it was typed. */
const PRICE = z.object({
  request: z.string(),
  unit: z.enum(['SOL', 'USD']),
  got: units,
  given: units,
  supply: units.nullable(),
});

/** A person's changes to an order so far, behind the buttons of its form. A field that is null stays. */
const EDIT = z.object({
  orderId: z.string(),
  /** Of the order as it was seen. */
  version: z.number().int(),
  price: PRICE.nullable(),
  amount: units.nullable(),
  days: z.number().int().nullable(),
  hold: z.enum(['fast', 'normal', 'careful']).nullable(),
  trailBps: z.number().int().nullable(),
  fallBps: z.number().int().nullable(),
  partial: z.boolean().nullable(),
  sellsAtEnd: z.boolean().nullable(),
  toleranceBps: z.number().int().nullable(),
  floor: z.union([z.enum(['default', 'any']), z.object({ got: units, given: units })]).nullable(),
});
export type EditState = z.infer<typeof EDIT>;

export const newEdit = (orderId: string, version: number): EditState => ({
  orderId,
  version,
  price: null,
  amount: null,
  days: null,
  hold: null,
  trailBps: null,
  fallBps: null,
  partial: null,
  sellsAtEnd: null,
  toleranceBps: null,
  floor: null,
});

export const decodeEdit = (tap: TapState | null): EditState => payloadOf(EDIT, tap?.payload);

/** Whether a button is one of this form: its row names an order, the row of a new one does not. */
export const isEdit = (tap: TapState | null): boolean => EDIT.safeParse(tap?.payload).success;

export const hasChanges = ({ orderId: _id, version: _version, ...fields }: EditState): boolean =>
  Object.values(fields).some((value) => value !== null);

const DAY_MS = 86_400_000;

/** The change as the service takes it; a time that was chosen begins now. */
export function changeOf(state: EditState, now: number): OrderChange {
  const { price, amount, days, hold, trailBps, fallBps, partial, sellsAtEnd, toleranceBps, floor } = state;
  return {
    ...(price === null
      ? {}
      : {
          unit: price.unit,
          request: price.request,
          trigger: { got: BigInt(price.got), given: BigInt(price.given) },
          supply: price.supply === null ? null : BigInt(price.supply),
        }),
    ...(amount === null ? {} : { amount: { kind: 'fixed', units: BigInt(amount) } as const }),
    ...(days === null ? {} : { expiresAt: now + days * DAY_MS }),
    ...(hold === null ? {} : { hold: hold satisfies HoldChoice }),
    ...(trailBps === null ? {} : { trailBps }),
    ...(fallBps === null ? {} : { fallBps }),
    ...(partial === null ? {} : { partial }),
    ...(sellsAtEnd === null ? {} : { sellsOnExpiry: sellsAtEnd }),
    ...(toleranceBps === null ? {} : { toleranceBps }),
    ...(floor === null ? {} : { floor: floorOf(floor) }),
  };
}

function floorOf(floor: NonNullable<EditState['floor']>): NonNullable<OrderChange['floor']> {
  return typeof floor === 'string' ? floor : { got: BigInt(floor.got), given: BigInt(floor.given) };
}
