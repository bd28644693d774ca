import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routesOf } from '../../../src/compose/routes.ts';
import { readKeyedOrder } from '../../../src/modules/personal-keys/rules/keyed-order.ts';
import { readKeyedTrade } from '../../../src/modules/personal-keys/rules/keyed-trade.ts';
import { checkInput } from '../../../src/platform/http/check-input.ts';
import type { Caller, Route } from '../../../src/platform/http/route.ts';
import { newAddress } from '../../conformance/store-rows.ts';

type Body = Readonly<Record<string, unknown>>;

const CALLER: Caller = { id: 'anyone', maxReferrerFeeBps: 0, takeStorage: () => undefined };
const mint = newAddress();
const RATE = { got: '5000000', given: '100000000' };
const ORDER = {
  mint,
  trigger: RATE,
  expiresAt: '2026-12-24T18:00:00Z',
  idempotencyKey: 'one',
};

/** The signer's reader of each signed body, and bodies that it takes: every optional field is left out of one, and set in another. */
const SIGNED: Readonly<
  Record<string, { readonly read: (body: string) => unknown; readonly bodies: readonly Body[] }>
> = {
  makeDeskTrade: {
    read: readKeyedTrade,
    bodies: [
      { side: 'buy', mint, amount: '100', minReceived: '1', idempotencyKey: 'one' },
      { side: 'sell', mint, amount: '100', minReceived: '1', idempotencyKey: 'one', priority: 'turbo' },
    ],
  },
  placeDeskOrder: {
    read: readKeyedOrder,
    bodies: [
      { ...ORDER, side: 'buy', type: 'LIMIT', amount: '100' },
      {
        ...ORDER,
        side: 'sell',
        type: 'TAKE_PROFIT',
        shareBps: 5_000,
        toleranceBps: 7,
        partial: true,
        acceptedWarnings: ['YOUNG'],
        priority: 'fast',
      },
      { ...ORDER, side: 'sell', type: 'STOP_LOSS', amount: '100', floor: { got: '1', given: '100' } },
    ],
  },
};

const signedBodies = routesOf('pro').filter(
  ({ signed, input }) => signed !== undefined && input.in === 'body',
);

function optionalOf({ input }: Route): readonly string[] {
  const { schema } = input;
  if (!(schema instanceof z.ZodObject)) throw new Error('a body that is no object');
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    field instanceof z.ZodType && field.safeParse(undefined).success ? [name] : [],
  );
}

function isTaken(route: Route, body: Body): boolean {
  try {
    checkInput(route, body, CALLER);
    return true;
  } catch {
    return false;
  }
}

const without = (body: Body, field: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

describe('a signed body', () => {
  it('has a reader of the signer for each route', () => {
    expect(signedBodies.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(SIGNED).toSorted(),
    );
  });

  const cases = signedBodies.flatMap((route) =>
    (SIGNED[route.operationId]?.bodies ?? []).flatMap((body, index) =>
      optionalOf(route).map((field) => [route.operationId, index, field, route, body] as const),
    ),
  );

  it.each(cases)(
    '%s %i: null for %s is its absence, at the route and at the signer',
    (id, _, field, route, body) => {
      const read = (given: Body): unknown => SIGNED[id]?.read(JSON.stringify(given)) ?? null;
      expect(read(body)).not.toBeNull();
      expect(isTaken(route, body)).toBe(true);
      const withNull = { ...body, [field]: null };
      expect(read(withNull)).toEqual(read(without(body, field)));
      // What the route takes, the signer takes: else the program is refused after its key was counted.
      expect(isTaken(route, withNull)).toBe(read(withNull) !== null);
    },
  );

  it.each(signedBodies.map((route) => [route.operationId, route] as const))(
    '%s: a field that it does not have is refused by both, null or not',
    (id, route) => {
      for (const body of SIGNED[id]?.bodies ?? []) {
        for (const value of [null, 1]) {
          const more = { ...body, more: value };
          expect([isTaken(route, more), SIGNED[id]?.read(JSON.stringify(more))]).toEqual([false, null]);
        }
      }
    },
  );
});
