import { lamports, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenPrice } from '../../../src/modules/market/use/token-data.ts';
import type { TokenHolding } from '../../../src/modules/tokens/rules/token.ts';
import { readHoldings } from '../../../src/modules/wallet-data/use/read-holdings.ts';
import { type Api, buildApi, type ErrorAnswer, SOL } from '../../api/build-api.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { type DeskRig, startDeskRig } from '../trading/desk-rig.ts';

const price = (usd: number): TokenPrice => ({
  usd,
  confidence: 'high',
  stale: false,
  liquidityUsd: 1,
  at: 0,
  priceSol: null,
});
const held = (n: number, amount: bigint, more: Partial<TokenHolding> = {}): TokenHolding => ({
  mint: addressOf(n),
  tokenProgram: TOKEN_PROGRAM,
  decimals: 6,
  amount,
  accounts: [{ address: addressOf(100 + n), amount, frozen: false }],
  ...more,
});
const read = (all: readonly TokenHolding[], prices: Readonly<Record<string, number>> = {}) =>
  readHoldings(
    {
      chain: { balance: async () => lamports(7n), holdings: async () => all },
      tokens: {
        prices: async (mints) =>
          new Map(
            mints.map((mint) => {
              const usd = prices[mint];
              return [mint, usd === undefined ? null : price(usd)];
            }),
          ),
      },
    },
    addressOf(1),
  );

describe('holdings of an address', () => {
  it('are valued, the worthiest first and the unknown last, without what it holds nothing of', async () => {
    const all = [held(2, 5_000_000n), held(3, 1_000_000n), held(4, 9n), held(5, 0n)];
    const { tokens, sol, complete } = await read(all, {
      [addressOf(2)]: 1,
      [addressOf(3)]: 10,
      [WSOL_MINT]: 150,
    });
    expect(tokens.map(({ mint, valueUsd }) => [mint, valueUsd])).toEqual([
      [addressOf(3), 10],
      [addressOf(2), 5],
      [addressOf(4), null],
    ]);
    expect([sol?.usd, complete]).toEqual([150, true]);
  });

  it('say which units may not move, over all accounts', async () => {
    const accounts = [
      { address: addressOf(8), amount: 4n, frozen: true },
      { address: addressOf(9), amount: 6n, frozen: false },
    ];
    const { tokens } = await read([held(2, 10n, { accounts })]);
    expect(tokens[0]).toMatchObject({ amount: 10n, frozen: 4n, accounts: 2 });
  });

  it('are not complete where the list was cut, or is longer than an answer', async () => {
    expect((await read([held(2, 1n, { ofCutList: true })])).complete).toBe(false);
    const many = Array.from({ length: 501 }, (_, at) => held(2 + (at % 200), 1n));
    const { tokens, complete } = await read(many);
    expect([tokens.length, complete]).toEqual([500, false]);
  });
});

describe('GET /wallets/{address}/holdings', () => {
  let rig: DeskRig;
  let api: Api;
  beforeAll(async () => {
    rig = await startDeskRig('holdings');
    api = buildApi(rig);
  });
  afterAll(async () => {
    await api.close();
    await rig.stop();
  });

  it('shows what the chain shows', async () => {
    const answer = await api.open.inject({ url: `/wallets/${rig.wallet}/holdings` });
    expect(answer.statusCode, answer.body).toBe(200);
    const lamportsHeld = await rig.chain.balance(rig.wallet);
    expect(answer.json()).toMatchObject({
      data: { address: rig.wallet, lamports: lamportsHeld.toString(), tokens: [], complete: true },
    });
    const empty = await api.open.inject({ url: `/wallets/${addressOf(77)}/holdings` });
    expect(empty.json()).toMatchObject({ data: { lamports: '0' } });
  });

  it('refuses what is no address', async () => {
    const answer = await api.open.inject({ url: `/wallets/${SOL}x1/holdings` });
    expect(answer.json<ErrorAnswer>().error).toMatchObject({ code: 'ADDRESS_INVALID', field: 'address' });
  });
});
