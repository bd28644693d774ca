import { expect, it } from 'vitest';
import { decidableOf, type OpenTrade } from '../../../src/modules/copying/rules/copy-sale.ts';
import { createCopyWatch } from '../../../src/modules/copying/use/watch-copies.ts';
import type { LeaderTrade } from '../../../src/modules/follows/rules/leader-trade.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const NOW = 1_700_000_010_000;
const [LEADER, PUP, KOI] = [newAddress(), newAddress(), newAddress()];

let trades = 0;
const open = (side: 'buy' | 'sell', more: Partial<LeaderTrade> = {}, copyId = 'copy'): OpenTrade => {
  trades += 1;
  const trade: LeaderTrade = {
    leader: LEADER,
    signature: `s${trades}`,
    mint: PUP,
    side,
    tradeId: BigInt(trades),
    at: NOW - 1_000,
    units: 10n,
    paid: null,
    takenBack: false,
    ...more,
  };
  return { copyId, trade };
};

it('a sale waits for an earlier purchase of its token, also of the same second, and for no other', () => {
  const [buy, sale] = [open('buy'), open('sell')];
  expect(decidableOf([sale, buy], NOW)).toEqual([buy]);
  const later = open('sell', { at: NOW });
  expect(decidableOf([later, buy], NOW)).toEqual([buy]);
  const free = [
    open('sell', { tradeId: 0n }),
    open('sell', { mint: KOI }),
    open('sell', { leader: newAddress() }),
    open('sell', {}, 'another copy'),
  ];
  expect(decidableOf([...free, buy], NOW)).toEqual([...free, buy]);
});

it('ten trades of a leader in one slot are decided one after the other', () => {
  let left: readonly OpenTrade[] = Array.from({ length: 10 }, (_, n) => open(n % 2 === 0 ? 'buy' : 'sell'));
  const first = decidableOf(left, NOW);
  expect(first.map(({ trade }) => trade.side)).toEqual(['buy', 'buy', 'buy', 'buy', 'buy']);
  left = left.filter((one) => !first.includes(one));
  expect(decidableOf(left, NOW)).toEqual(left);
});

it('a sale waits for no purchase that is too old to be copied', () => {
  const [buy, sale] = [open('buy', { at: NOW - 15_001 }), open('sell')];
  expect(decidableOf([buy, sale], NOW)).toEqual([buy, sale]);
  expect(decidableOf([open('buy', { at: NOW - 15_000, tradeId: 0n }), sale], NOW)).toHaveLength(1);
});

it('the watch leaves such a sale to a later round, and decides on it once the purchase is decided', async () => {
  const asked: string[] = [];
  const round = async (undecided: readonly OpenTrade[]) => {
    const deps = {
      isOn: true,
      clock: { now: () => NOW },
      dice: () => 0,
      log: { warn: () => undefined },
      db: {
        copies: {
          isAny: async () => true,
          undecided: async () => undecided,
          owed: async () => [],
          find: async (id: string) => ({ id, status: 'ON' }),
        },
      },
      // The first question of a sale; nothing serves it, so nothing is decided.
      landed: async (signature: string) => {
        asked.push(signature);
        return null;
      },
      solPrice: async () => null,
    };
    await createCopyWatch(deps as never).round();
  };
  const [buy, sale] = [open('buy'), open('sell')];
  await round([sale, buy]);
  expect(asked).toEqual([]);
  await round([sale]);
  expect(asked).toEqual([sale.trade.signature]);
});
