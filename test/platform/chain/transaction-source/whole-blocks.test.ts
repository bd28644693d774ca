import type { MarketKeys } from '@tradepost/tape';
import { afterEach, expect, it } from 'vitest';
import { createBlockSource } from '../../../../src/platform/chain/transaction-source/blocks.ts';
import { newAddress } from '../../../conformance/store-rows.ts';
import { type Reply, type RpcCall, startScriptedRpc } from '../scripted-rpc.ts';

const market: MarketKeys = {
  address: newAddress(),
  programId: newAddress(),
  kind: 'tokens',
  baseVault: newAddress(),
  quoteVault: newAddress(),
  baseMint: newAddress(),
  quoteMint: newAddress(),
};
const LAST = 20;

const hashOf = (slot: number): string => `hash-${slot}`;
/** Two transactions of a slot, each of which names the market. */
const transactionsOf = (slot: number) =>
  ['a', 'b'].map((name) => ({
    transaction: {
      signatures: [`${name}${slot}`],
      message: {
        header: { numRequiredSignatures: 1 },
        accountKeys: [market.programId, market.address],
        instructions: [],
      },
    },
    meta: { err: null, fee: 5_000, preBalances: [9, 9], postBalances: [9, 9] },
  }));
const headOf = (slot: number) => ({
  blockhash: hashOf(slot),
  previousBlockhash: hashOf(slot - 1),
  parentSlot: slot - 1,
  blockTime: 1_700_000_000 + slot,
});

/** The fault of the block of slot 5, in `head` of its parents, and how often it was asked for whole. */
async function chainOf(wrong: { now: 'version' | 'no list' | null; head?: object }) {
  const refused: Reply = { error: { code: -32_015, message: 'Transaction version (2) is not supported' } };
  const asked = { whole: 0 };
  const told = (slot: number) => ({ ...headOf(slot), ...(slot === 5 ? wrong.head : {}) });
  const answer = ({ method, params }: RpcCall): Reply => {
    const [first, second] = params as [never, never];
    switch (method) {
      case 'getSlot':
        return { result: LAST };
      case 'getBlocks': {
        const to = Math.min(Number(second), LAST);
        const slots = Array.from(
          { length: Math.max(0, to - Number(first) + 1) },
          (_, at) => Number(first) + at,
        );
        return { result: slots };
      }
      case 'getBlock': {
        const slot = Number(first);
        const { transactionDetails } = second as { readonly transactionDetails: string };
        const signatures = transactionsOf(slot).flatMap(({ transaction }) => transaction.signatures);
        if (transactionDetails === 'signatures') return { result: { ...told(slot), signatures } };
        if (slot === 5) asked.whole += 1;
        if (slot === 5 && wrong.now === 'version') return refused;
        if (slot === 5 && wrong.now === 'no list') return { result: told(slot) };
        return { result: { ...told(slot), transactions: transactionsOf(slot) } };
      }
      case 'getTransaction': {
        const [known] = transactionsOf(5).filter(({ transaction }) => transaction.signatures[0] === first);
        if (known === undefined) return { result: null };
        return String(first) === 'b5' && wrong.now === 'version'
          ? refused
          : { result: { ...known, slot: 5, blockTime: 1_700_000_005 } };
      }
      case 'getMultipleAccounts':
        return { result: { context: { slot: LAST }, value: [null, null] } };
      default:
        return { error: { code: -32_601, message: `no ${method} here` } };
    }
  };
  const node = await startScriptedRpc(answer);
  opened.push(node);
  const source = createBlockSource({ urls: [node.url], wsUrls: [], perSecond: null });
  /** As a round of seals reads: the horizon first. */
  const round = async (after = 0n, upTo = 9n) => {
    await source.horizon('finalized');
    const held = await source.held([market]);
    const read = await source.read(market, { after, upTo, level: 'finalized', effort: 'usual' });
    return { held, names: read.map(({ signature }) => signature) };
  };
  return { source, round, asked };
}

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});

const all = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => [`a${from + at}`, `b${from + at}`]).flat();

it('a block that is not whole is read again in each round, and balances prove until it is whole', async () => {
  const wrong: { now: 'version' | null } = { now: 'version' };
  const { round, asked } = await chainOf(wrong);
  await expect(round()).rejects.toThrow('the block of slot 5 holds a version that is not read here');
  const second = await round();
  expect(second.held).toHaveLength(1);
  expect(second.names).toEqual(all(1, 9).filter((name) => name !== 'b5'));
  const before = asked.whole;
  await round();
  expect(asked.whole).toBe(before + 1);
  wrong.now = null;
  expect((await round()).names).toEqual(all(1, 9));
  expect((await round()).held).toBeNull();
});

it('what follows a block that is not whole is proved by blocks again', async () => {
  const { round } = await chainOf({ now: 'version' });
  await expect(round()).rejects.toThrow('slot 5');
  expect((await round()).held).toHaveLength(1);
  expect((await round(9n, 15n)).names).toEqual(all(10, 15));
  expect((await round(15n, 19n)).held).toBeNull();
});

it('a block without its list of transactions is no empty block', async () => {
  const wrong: { now: 'no list' | null } = { now: 'no list' };
  const { round } = await chainOf(wrong);
  await expect(round()).rejects.toThrow("a block's transactions");
  wrong.now = null;
  expect((await round()).names).toEqual(all(1, 9));
});

it.each<[string, object, string]>([
  ['an older parent, as if slot 4 had no block', { parentSlot: 3 }, 'do not follow each other'],
  ['itself as its parent', { parentSlot: 5 }, 'do not follow each other'],
  ['a parent that is to come', { parentSlot: 9 }, 'do not follow each other'],
  ['a parent of another fork', { previousBlockhash: 'hash-of-a-fork' }, 'do not follow each other'],
  ['a parent before the first', { parentSlot: -1 }, "a block's parent"],
  ['words for a parent', { parentSlot: 'four' }, "a block's parent"],
])('a block that names %s seals nothing, and is read again', async (_, head, words) => {
  const wrong: { now: null; head?: object } = { now: null, head };
  const { round, source } = await chainOf(wrong);
  await expect(round()).rejects.toThrow(words);
  await expect(round()).rejects.toThrow(words);
  expect(source.tip()).toBeNull();
  delete wrong.head;
  expect((await round()).names).toEqual(all(1, 9));
});
