import { type Address, type ChainAccount, fromBase58, lamports, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/compose/texts/words.ts';
import { address } from '../../../src/core/address/address.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { homeView } from '../../../src/modules/wallets/chat/home-view.ts';
import { tokensView, walletView } from '../../../src/modules/wallets/chat/view.ts';
import { createAgreedFunds } from '../../../src/modules/wallets/use/agreed-funds.ts';
import { pickTokenView } from '../../../src/modules/withdrawals/chat/view.ts';

const mintOf = (last: string) => address(`So1111111111111111111111111111111111111111${last}`);
const OWNER = mintOf('9');
const OTHER = mintOf('8');
const MINT = mintOf('2');
const ACCOUNT = mintOf('3');

/** A token account of 165 bytes as a node serves it. */
function tokenAccount(owner: Address, mint: Address, units: bigint): ChainAccount {
  const data = new Uint8Array(165);
  data.set(fromBase58(mint) ?? [], 0);
  data.set(fromBase58(owner) ?? [], 32);
  new DataView(data.buffer).setBigUint64(64, units, true);
  data[108] = 1;
  return { lamports: 2_039_280n, owner: TOKEN_PROGRAM, data, executable: false };
}

const system = (amount: bigint): ChainAccount => ({
  lamports: amount,
  owner: OWNER,
  data: new Uint8Array(),
  executable: false,
});

type Word = readonly (ChainAccount | null)[] | null;

/** A first node that says 5 SOL and 700 units, and a second one that says what `second` answers. */
function world(second: (asked: readonly Address[]) => Promise<Word>) {
  const state = { sol: 5n, units: 700n, steady: 0, asked: 0, ofCutList: false, pauses: [] as number[] };
  const holding = () => ({
    mint: MINT,
    tokenProgram: TOKEN_PROGRAM,
    decimals: 2,
    amount: state.units,
    accounts: [{ address: ACCOUNT, amount: state.units, frozen: false }],
    ofCutList: state.ofCutList,
  });
  const funds = createAgreedFunds({
    chain: {
      slotMs: () => 200,
      balance: async () => lamports(state.sol),
      holdings: async (owner) => (owner === OWNER ? [holding()] : []),
      secondWord: (asked) => {
        state.asked += 1;
        return second(asked);
      },
    },
    clock: { now: () => 1, mark: () => ({ steadyMs: state.steady }) },
    // A slot passes at once, and the patience of a screen only where the other never answers.
    pause: (ms) => {
      state.pauses.push(ms);
      return ms < 800
        ? Promise.resolve()
        : new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    },
  });
  return { state, funds };
}

const says = (sol: bigint, units: bigint) => async (): Promise<Word> => [
  system(sol),
  tokenAccount(OWNER, MINT, units),
];

describe('funds as screens tell them', () => {
  it('are in doubt while the first node cuts its lists, with a second one or without', async () => {
    for (const second of [says(5n, 700n), async () => null]) {
      const { state, funds } = world(second);
      state.ofCutList = true;
      expect(await funds.of({ address: OWNER })).toMatchObject({ lamports: 5n, inDoubt: true });
      expect((await funds.ofAll([{ address: OWNER }]))[0]?.inDoubt).toBe(true);
    }
    const { state, funds } = world(async () => {
      state.ofCutList = false;
      return says(5n, 700n)();
    });
    state.ofCutList = true;
    expect(await funds.of({ address: OWNER })).toMatchObject({ inDoubt: false });
  });

  it('are in no doubt where two nodes say the same', async () => {
    const { funds } = world(says(5n, 700n));
    expect(await funds.of({ address: OWNER })).toMatchObject({ lamports: 5n, inDoubt: false });
  });

  it.each([
    ['the second is lower', says(3n, 700n), 3n, 700n],
    ['the second is higher', says(9n, 9_000n), 5n, 700n],
    ['each is higher in one asset', says(9n, 20n), 5n, 20n],
    ['the second knows no account', async () => [null, null], 0n, 0n],
    ['the account is of another mint', async () => [system(5n), tokenAccount(OWNER, OTHER, 700n)], 5n, 0n],
    ['the account is another person’s', async () => [system(5n), tokenAccount(OTHER, MINT, 700n)], 5n, 0n],
  ] as const)('are the lower ones and in doubt: %s', async (_, second, sol, units) => {
    const { funds } = world(second);
    const told = await funds.of({ address: OWNER });
    expect([told.inDoubt, told.lamports, told.tokens.map(({ amount }) => amount)]).toEqual([
      true,
      sol,
      [units],
    ]);
  });

  it('are in no doubt where the difference is gone a slot later', async () => {
    let sol = 3n;
    const { state, funds } = world(async () => {
      const word = await says(sol, 700n)();
      sol = 5n;
      return word;
    });
    expect(await funds.of({ address: OWNER })).toMatchObject({ lamports: 5n, inDoubt: false });
    expect([state.asked, state.pauses.filter((ms) => ms < 800)]).toEqual([2, [400]]);
  });

  it('are the first’s where there is no second host, or it fails, or is silent', async () => {
    for (const second of [
      async () => null,
      () => Promise.reject(new AppError('CHAIN_UNREACHABLE', { endpoint: 'b', cause: 'down' })),
      () => new Promise<Word>(() => undefined),
    ]) {
      const { funds } = world(second);
      expect(await funds.of({ address: OWNER })).toMatchObject({ lamports: 5n, inDoubt: false });
    }
  });

  it('ask the second once for a list, and not again for the same amounts within five seconds', async () => {
    const { state, funds } = world(async (asked) =>
      asked.map((address) => (address === ACCOUNT ? tokenAccount(OWNER, MINT, 700n) : system(5n))),
    );
    await funds.ofAll([{ address: OWNER }, { address: OTHER }]);
    await funds.of({ address: OWNER });
    expect(state.asked).toBe(1);
    state.units = 701n;
    expect(await funds.of({ address: OWNER })).toMatchObject({ inDoubt: true });
    const before = state.asked;
    state.steady += 5_000;
    await funds.of({ address: OTHER });
    expect(state.asked).toBe(before + 1);
  });
});

describe('a balance in doubt on a screen', () => {
  const wallet = {
    id: 'w',
    userId: 'u',
    name: 'Main',
    address: OWNER,
    createdAt: 0,
    deletedAt: null,
    origin: 'made' as const,
    confirmedAt: null,
    payoutFrom: null,
  };

  it.each([
    ['en', 'Our nodes disagree'],
    ['es', 'Nuestros nodos no coinciden'],
  ] as const)('is said so, with the lower amount alone: %s', async (language, sentence) => {
    const words = wordsOf(language);
    const { funds, state } = world(says(3_000_000_000n, 20n));
    state.sol = 5_000_000_000n;
    const told = await funds.of({ address: OWNER });
    const held = told.tokens.map((holding) => ({ holding, token: null, microUsd: null }));
    const stateId = 'A'.repeat(22);
    const shared = { wallet, funds: told, microUsdPerSol: null, stateId, now: 0, payoutId: null, count: 1 };
    const home = homeView(words, {
      ...shared,
      bot: 'Desk',
      receives: true,
      max: 5,
      worth: null,
      openOrders: 0,
      points: 0n,
      pauses: [],
      paper: false,
      frozen: null,
    });
    const inDoubt = told.inDoubt;
    const onePage = { page: 0, pages: 1 };
    const screens = [
      home,
      walletView(words, { ...shared, active: true }),
      tokensView(words, { wallet, held, count: 1, ...onePage, inDoubt, stateId }),
      pickTokenView(words, { wallet, held, ...onePage, inDoubt, stateId }),
    ];
    for (const { text, keyboard } of screens) {
      expect(text.markup).toContain(sentence);
      const all = `${text.markup} ${JSON.stringify(keyboard)}`;
      expect(all).not.toMatch(/\b5[.,]?0* SOL|\b7\b/);
    }
    expect(home.text.markup).toMatch(/\b3 SOL/);
  });
});
