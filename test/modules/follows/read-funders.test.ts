import { type Address, toBase58, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { countFunders, FUNDER, fundingIn } from '../../../src/modules/follows/rules/leader-funder.ts';
import { createHistoryWatch } from '../../../src/modules/follows/use/read-histories.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { followRow } from '../../conformance/follow-store.ts';
import { newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const [WALLET, ANA, BOB, PAYER] = [newAddress(), newAddress(), newAddress(), newAddress()] as const;
const SOL = 1_000_000_000n;
const FEE = 5_000n;

type Balance = LandedTransaction['balances'][number];
const moved = (address: Address, before: bigint, after: bigint): Balance => ({ address, before, after });
const landed = (
  balances: readonly Balance[],
  more: Partial<Pick<LandedTransaction, 'err' | 'signatureCount'>> = {},
): LandedTransaction => ({
  signature: 's',
  slot: 1n,
  blockTime: 1,
  err: null,
  feeLamports: FEE,
  logs: [],
  signatureCount: 1,
  tokenBalances: [],
  balances,
  ...more,
});
const [ANA_GIVES, GETS] = [moved(ANA, 3n * SOL, 2n * SOL - FEE), moved(WALLET, 0n, SOL)];

describe('the sender of a wallet’s first SOL', () => {
  it.each<[string, LandedTransaction, unknown]>([
    [
      'is the signer who lost it, the fee put back',
      landed([ANA_GIVES, GETS]),
      { kind: 'found', funder: ANA },
    ],
    [
      'is not the one who only pays the fee',
      landed([moved(PAYER, SOL, SOL - FEE), moved(ANA, SOL, 0n), GETS], { signatureCount: 2 }),
      { kind: 'found', funder: ANA },
    ],
    [
      'is the one sender of several wallets',
      landed([moved(ANA, 9n * SOL, 7n * SOL - FEE), GETS, moved(BOB, 0n, SOL)]),
      { kind: 'found', funder: ANA },
    ],
    [
      'is one of so many SOL that its balance was rounded',
      landed([moved(ANA, 399_999_994_999_974_976n, 399_999_993_999_969_984n), GETS]),
      { kind: 'found', funder: ANA },
    ],
    [
      'is unclear where two gave half each',
      landed([moved(ANA, SOL, SOL / 2n - FEE), moved(BOB, SOL, SOL / 2n), GETS], { signatureCount: 2 }),
      { kind: 'unclear' },
    ],
    [
      'is unclear where two could be it',
      landed([moved(ANA, 2n * SOL, SOL - FEE), moved(BOB, SOL, 0n), GETS, moved(PAYER, 0n, SOL)], {
        signatureCount: 2,
      }),
      { kind: 'unclear' },
    ],
    [
      'is unclear where an account pays that did not sign',
      landed([moved(PAYER, SOL, SOL - FEE), GETS, moved(ANA, SOL, 0n)]),
      { kind: 'unclear' },
    ],
    [
      'is unclear where the fee alone would make up the sum',
      landed([moved(ANA, SOL, SOL - FEE), moved(WALLET, 0n, FEE)]),
      { kind: 'unclear' },
    ],
    [
      'is in an earlier transaction where the wallet had SOL',
      landed([ANA_GIVES, moved(WALLET, 1n, SOL)]),
      { kind: 'cut' },
    ],
    ['is not in one that brought nothing', landed([ANA_GIVES, moved(WALLET, 0n, 0n)]), { kind: 'none' }],
    ['is not in one that failed', landed([ANA_GIVES, GETS], { err: '{}' }), { kind: 'none' }],
    ['is not in one that does not name the wallet', landed([ANA_GIVES]), { kind: 'none' }],
  ])('%s', (_what, transaction, funding) => {
    expect(fundingIn(transaction, WALLET)).toEqual(funding);
  });
});

describe('the funders of several wallets', () => {
  const [A, B, C] = [newAddress(), newAddress(), newAddress()] as const;
  it.each<[string, readonly (readonly [Address, Address])[], unknown]>([
    [
      'are counted each once',
      [
        [A, ANA],
        [B, ANA],
        [C, BOB],
      ],
      { funders: 2, unknown: 0 },
    ],
    [
      'are one for all',
      [
        [A, ANA],
        [B, ANA],
        [C, ANA],
      ],
      { funders: 1, unknown: 0 },
    ],
    [
      'are unknown where none was found',
      [
        [A, ANA],
        [B, ANA],
      ],
      { funders: 1, unknown: 1 },
    ],
    ['are none where none is known', [], { funders: 0, unknown: 3 }],
    [
      'are one where a wallet funded the next',
      [
        [A, ANA],
        [B, A],
        [C, B],
      ],
      { funders: 1, unknown: 0 },
    ],
    [
      'are one of the wallets where its own is not known',
      [
        [B, A],
        [C, A],
      ],
      { funders: 1, unknown: 0 },
    ],
    [
      'end where wallets name each other',
      [
        [A, B],
        [B, A],
        [C, ANA],
      ],
      { funders: 1, unknown: 2 },
    ],
  ])('%s', (_what, known, counted) => {
    expect(countFunders([A, B, C], new Map(known))).toEqual(counted);
  });
});

type Answer = 'serves' | 'refuses' | 'lacks';

/** Followed wallets, and a node that knows so many transactions of each, newest first; the oldest brings the SOL. */
async function world(counts: readonly number[], funding: LandedTransaction = landed([ANA_GIVES, GETS])) {
  const [db, clock] = [fakeDatabase(), fakeClock()];
  const { user } = await storedPerson(db);
  const wallets = counts.map((count, n) => ({ wallet: n === 0 ? WALLET : newAddress(), count }));
  for (const { wallet } of wallets) await db.follows.insert(followRow(user.id, { leader: wallet }));
  const signatureOf = (n: number) =>
    toBase58(Uint8Array.from({ length: 64 }, (_, index) => (index < 4 ? 1 + ((n >> (index * 6)) & 63) : 7)));
  const state = { answer: 'serves' as Answer, refused: null as Address | null, listed: 0, read: 0 };
  let nth = -1;
  const watch = createHistoryWatch({
    db,
    clock,
    money: [WSOL_MINT],
    isFirst: () => true,
    history: {
      signatures: async (address, { before, limit }) => {
        state.listed += 1;
        if (state.refused === address) throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'x', cause: 'x' });
        const count = wallets.find(({ wallet }) => wallet === address)?.count ?? 0;
        const all = Array.from({ length: count }, (_, n) => signatureOf(n));
        const from = before === null ? 0 : all.indexOf(before) + 1;
        return all.slice(from, from + limit).map((signature, index) => ({
          signature,
          slot: BigInt(count - from - index),
          // Failed ones move nothing: also the oldest may be one.
          err: nth >= 0 && from + index >= count - nth ? '{}' : null,
          memo: null,
          // From before the seven days of its past.
          at: 1,
        }));
      },
    },
    chain: {
      landed: async (signature) => {
        state.read += 1;
        if (state.answer === 'refuses') throw new Error('429');
        if (state.answer === 'lacks') return null;
        // The same sender funds the other wallets, too.
        const others = wallets.slice(1).map(({ wallet }) => moved(wallet, 0n, SOL));
        return { ...funding, signature, balances: [...funding.balances, ...others] };
      },
    },
    log: { warn: () => undefined },
  });
  return {
    db,
    clock,
    state,
    wallets: wallets.map(({ wallet }) => wallet),
    round: () => watch.round(),
    oldestFail: (many: number) => {
      nth = many;
    },
    found: async () => [...(await db.follows.funders(wallets.map(({ wallet }) => wallet)))],
    open: () => db.follows.openFunder(Number.MAX_SAFE_INTEGER / 4),
  };
}

describe('the reader of funders', () => {
  it('finds the sender in the oldest of many signatures, once, within the budget of calls', async () => {
    const { round, state, found, open } = await world([2_500]);
    // Three pages and one transaction: 5 calls a second.
    expect(await round()).toBe(800);
    expect([state.listed, state.read]).toEqual([3, 1]);
    expect(await found()).toEqual([[WALLET, ANA]]);
    expect(await open()).toBeNull();
    for (let n = 0; n < 5; n += 1) await round();
    // One more page is of the wallet's past.
    expect([state.listed, state.read]).toEqual([4, 1]);
  });

  it.each([
    [FUNDER.page - 1, 1],
    [FUNDER.page, 2],
    [FUNDER.pages * FUNDER.page - 1, 5],
  ])('reads %i signatures to their end', async (count, pages) => {
    const { round, state, found } = await world([count]);
    await round();
    expect([state.listed, state.read]).toEqual([pages, 1]);
    expect(await found()).toEqual([[WALLET, ANA]]);
  });

  it('knows no funder of a wallet with more than five pages, and asks no sixth', async () => {
    const { round, state, found, open } = await world([FUNDER.pages * FUNDER.page]);
    await round();
    expect([state.listed, state.read]).toEqual([5, 0]);
    expect([await found(), await open()]).toEqual([[], null]);
  });

  it('passes failed transactions over', async () => {
    const { round, state, found, oldestFail } = await world([30]);
    oldestFail(25);
    await round();
    expect([state.read, await found()]).toEqual([1, [[WALLET, ANA]]]);
  });

  it('knows none where the list begins in the middle, and where ten transactions bring none', async () => {
    const cut = await world([3], landed([ANA_GIVES, moved(WALLET, 5n, SOL)]));
    await cut.round();
    expect([cut.state.read, await cut.found(), await cut.open()]).toEqual([1, [], null]);
    const dust = await world([12], landed([ANA_GIVES, moved(WALLET, 0n, 0n)]));
    await dust.round();
    expect([dust.state.read, await dust.found(), await dust.open()]).toEqual([FUNDER.reads, [], null]);
  });

  it.each<[string, Partial<{ answer: Answer; refused: Address }>]>([
    ['refuses the list', { refused: WALLET }],
    ['refuses the transaction', { answer: 'refuses' }],
    ['lists a transaction and does not serve it', { answer: 'lacks' }],
  ])('asks again later where the node %s: that is no answer about the wallet', async (_what, fault) => {
    const { round, state, found, clock, open } = await world([4]);
    Object.assign(state, fault);
    await round();
    expect(await open()).toMatchObject({ tries: 1, ended: null, retryAt: clock.now() + FUNDER.retryMs });
    const asked = [state.listed, state.read];
    clock.advance(FUNDER.retryMs - 1);
    expect(await found()).toEqual([]);
    Object.assign(state, { answer: 'serves', refused: null });
    await round();
    expect(state.read).toBe(asked[1]);
    clock.advance(1);
    await round();
    expect(await found()).toEqual([[WALLET, ANA]]);
  });

  it('waits longer after each try, six hours at most, and for a wallet that has no SOL yet', async () => {
    const { round, clock, open } = await world([0]);
    const waits: number[] = [];
    for (let n = 0; n < 16; n += 1) {
      await round();
      const waitMs = ((await open())?.retryAt ?? 0) - clock.now();
      waits.push(waitMs);
      clock.advance(waitMs);
    }
    expect(waits.slice(0, 4)).toEqual([15_000, 30_000, 60_000, 120_000]);
    expect(waits.at(-1)).toBe(FUNDER.longestRetryMs);
    expect((await open())?.tries).toBe(16);
  });

  it('lets a wallet that is refused hold up no other', async () => {
    const { round, state, found, wallets } = await world([4, 4, 4]);
    const [first, ...others] = wallets.toSorted((one, other) => (one < other ? -1 : 1));
    state.refused = first ?? null;
    for (let n = 0; n < 3; n += 1) await round();
    expect((await found()).map(([wallet]) => wallet)).toEqual(expect.arrayContaining(others));
    expect(await found()).toHaveLength(2);
  });
});
