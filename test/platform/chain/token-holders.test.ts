import { addressFromBytes } from '@tradepost/solana';
import { afterEach, describe, expect, it } from 'vitest';
import { createTokenHolders, readList } from '../../../src/platform/chain/token-holders.ts';
import { type Reply, startScriptedRpc } from './scripted-rpc.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const at = (n: number) => addressFromBytes(new Uint8Array(32).fill(n));
const MINT = at(1);
const row = (n: number, amount: unknown = 5) => ({ address: at(n), mint: MINT, owner: at(n + 100), amount });

async function asked(answer: () => Reply, now: () => number = () => 0) {
  const node = await startScriptedRpc(answer);
  stops.push(node.stop);
  return { node, holders: createTokenHolders({ urls: [node.url], counts: false, now }) };
}

describe('the list of a token’s accounts', () => {
  it('is asked for by name, and leaves out what is empty', async () => {
    const { node, holders } = await asked(() => ({
      result: { total: 2, limit: 1_000, page: 1, token_accounts: [row(2), row(3, 0)] },
    }));
    expect(await holders.list(MINT)).toEqual({
      accounts: [{ account: at(2), owner: at(102), amount: 5n }],
      isAll: true,
    });
    expect(node.calls).toEqual([
      {
        method: 'getTokenAccounts',
        params: { mint: MINT, page: 1, limit: 1_000, options: { showZeroBalance: false } },
      },
    ]);
  });

  it('is one page of more where the page is full', () => {
    const full = { token_accounts: Array.from({ length: 1_000 }, () => row(2)) };
    expect(readList(MINT, full).isAll).toBe(false);
    expect(readList(MINT, { token_accounts: full.token_accounts.slice(1) }).isAll).toBe(true);
  });

  it.each([-32_601, -32_010])(
    'is not asked for again for an hour where a node refuses with %i',
    async (code) => {
      let now = 0;
      const { node, holders } = await asked(
        () => ({ error: { code, message: 'not served' } }),
        () => now,
      );
      expect(await holders.list(MINT)).toBeNull();
      now = 3_599_999;
      expect(await holders.list(MINT)).toBeNull();
      expect(node.calls).toHaveLength(1);
      now = 3_600_000;
      expect(await holders.list(MINT)).toBeNull();
      expect(node.calls).toHaveLength(2);
    },
  );

  it('and the ranking of accounts are refused apart: each is asked again after its own hour', async () => {
    let now = 0;
    const { node, holders } = await asked(
      () => ({ error: { code: -32_010, message: 'not served' } }),
      () => now,
    );
    expect(await holders.largest(MINT)).toBeNull();
    now = 3_599_999;
    expect([await holders.largest(MINT), await holders.list(MINT)]).toEqual([null, null]);
    now = 3_600_000;
    expect(await holders.largest(MINT)).toBeNull();
    expect(node.calls.map(({ method }) => method)).toEqual([
      'getTokenLargestAccounts',
      'getTokenAccounts',
      'getTokenLargestAccounts',
    ]);
  });

  it('and the ranking of accounts reject where a node fails for another reason', async () => {
    const { holders } = await asked(() => ({
      error: { code: -32_602, message: 'Invalid param: not a mint' },
    }));
    await expect(holders.largest(MINT)).rejects.toThrow();
  });

  it.each<[string, unknown]>([
    ['is no list', 'x'],
    ['has more rows than were asked for', { token_accounts: Array.from({ length: 1_001 }, () => row(2)) }],
    ['names another mint', { token_accounts: [{ ...row(2), mint: at(9) }] }],
    ['names no account', { token_accounts: [{ ...row(2), address: 'x' }] }],
    ['names no owner', { token_accounts: [{ ...row(2), owner: null }] }],
    ['has a part of a unit', { token_accounts: [row(2, 1.5)] }],
    ['has less than nothing', { token_accounts: [row(2, -1)] }],
    ['has an amount that is a text', { token_accounts: [row(2, '5')] }],
  ])('is refused where it %s', (_, answer) => {
    expect(() => readList(MINT, answer)).toThrow('another shape');
  });
});
