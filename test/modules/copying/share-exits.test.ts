import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import type { CopyTrade } from '../../../src/modules/copying/rules/copy-trade.ts';
import { restOf } from '../../../src/modules/copying/use/copy-rest.ts';
import { shareExits } from '../../../src/modules/copying/use/share-exits.ts';
import { freeUnits, type OrderGroup } from '../../../src/modules/orders/rules/order.ts';
import type { Stores } from '../../../src/platform/ports/stores.ts';

const MINT = address('So11111111111111111111111111111111111111112');
const OF = { copyId: 'copy-1', mint: MINT };

type Exits = Pick<OrderGroup, 'units' | 'sold' | 'liveFires'>;
type Sale = Pick<CopyTrade, 'status' | 'amount' | 'moved'>;

const trade = (more: Partial<CopyTrade>): CopyTrade => ({
  ...OF,
  signature: 's',
  leg: 'l',
  userId: 'user',
  leader: MINT,
  side: 'sell',
  status: 'SOLD',
  skip: null,
  intentId: null,
  amount: 0n,
  moved: 0n,
  burnt: 0n,
  tries: 0,
  dueAt: null,
  seenAt: 0,
  ...more,
});

/** Purchases with the exits of each, and sales, as the stores hold them. */
function copyOf(
  purchases: readonly { readonly moved: bigint; readonly exits: Exits | null }[],
  sales: readonly Sale[],
) {
  const groups = new Map(
    purchases.flatMap(({ exits }, n) =>
      exits === null ? [] : [[`buy-${n}`, { orders: [], ...exits } as never as OrderGroup]],
    ),
  );
  const trades = [
    ...purchases.map(({ moved }, n) => trade({ side: 'buy', status: 'BOUGHT', intentId: `buy-${n}`, moved })),
    ...sales.map((sale) => trade(sale)),
  ];
  const stores = {
    copies: { trades: async () => trades },
    orders: {
      lockByParent: async (id: string) =>
        [...groups].flatMap(([name, group]) => (name === id ? [group] : [])),
      write: async (_passed: unknown, group: OrderGroup) => {
        const [name] = [...groups].find(([, one]) => one.orders === group.orders) ?? [''];
        groups.set(name, group);
        return true;
      },
    },
  } as unknown as Pick<Stores, 'copies' | 'orders'>;
  return { stores, units: () => [...groups.values()].map(({ units }) => units), groups };
}

const whole = (units: bigint): Exits => ({ units, sold: 0n, liveFires: [] });
const sale = (status: Sale['status'], amount: bigint, moved = 0n): Sale => ({ status, amount, moved });

describe('the exits of a copy', () => {
  it.each<[string, readonly Sale[], bigint]>([
    ['all without a sale', [], 100n],
    ['none of those that a sale on its way takes', [sale('SELLING', 40n)], 60n],
    ['none of those that a sale took', [sale('SOLD', 40n, 35n)], 65n],
    ['all again when the sale is owed on', [sale('OWED', 40n)], 100n],
    ['nothing while everything is sold', [sale('SELLING', 100n)], 0n],
  ])('have %s', async (_, sales, units) => {
    for (const before of [100n, 60n, 0n]) {
      const copy = copyOf([{ moved: 100n, exits: { ...whole(100n), units: before } }], sales);
      await shareExits(copy.stores, OF);
      expect(copy.units()).toEqual([units]);
    }
  });

  it('lose the units of the oldest purchase first, and none that they sold or bind', async () => {
    const bound = { units: 100n, sold: 30n, liveFires: [{ units: 20n }] } as unknown as Exits;
    const copy = copyOf(
      [
        { moved: 100n, exits: bound },
        { moved: 100n, exits: whole(100n) },
      ],
      [sale('SELLING', 70n)],
    );
    await shareExits(copy.stores, OF);
    expect(copy.units()).toEqual([50n, 80n]);
  });

  it('wait for the receipt of their purchase', async () => {
    const copy = copyOf(
      [{ moved: 0n, exits: { units: null, sold: 0n, liveFires: [] } }],
      [sale('SELLING', 10n)],
    );
    await shareExits(copy.stores, OF);
    expect(copy.units()).toEqual([null]);
  });

  it('and the sales together never have more than the copy’s units, whatever was sold', () => {
    const part = fc.bigInt({ min: 0n, max: 1_000n });
    return fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 4 }),
        part,
        async (bought, wish) => {
          const copy = copyOf(
            bought.map(([moved, out]) => ({
              moved,
              exits: { ...whole(moved), sold: out < moved ? out : moved },
            })),
            [],
          );
          const { units: rest } = await restOf(copy.stores, OF.copyId, MINT);
          const amount = wish < rest ? wish : rest;
          const selling = copyOf(
            bought.map(([moved, out]) => ({
              moved,
              exits: { ...whole(moved), sold: out < moved ? out : moved },
            })),
            [sale('SELLING', amount)],
          );
          await shareExits(selling.stores, OF);
          const free = [...selling.groups.values()].reduce((sum, group) => sum + freeUnits(group, 0n), 0n);
          expect(free).toBe(rest - amount);
        },
      ),
    );
  });
});
