import {
  type Address,
  addressBytes,
  type ChainAccount,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  assertSimulation,
  watchedOf,
  writableAddresses,
} from '../../../src/engine/transactions/use/check-simulation.ts';
import type { Simulation } from '../../../src/platform/ports/chain.ts';
import { addressOf } from '../intents/build.ts';

const [WALLET, STRANGER, BOUGHT, OTHER, POOL] = [1, 2, 3, 4, 5].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

const system = (lamports: bigint, owner: Address = SYSTEM_PROGRAM): ChainAccount => ({
  lamports,
  owner,
  data: new Uint8Array(),
  executable: false,
});

function token(
  holder: Address,
  amount: bigint,
  rights: { readonly delegate?: Address; readonly closer?: Address } = {},
): ChainAccount {
  const data = new Uint8Array(165);
  data.set(addressBytes(holder), 32);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  const option = (at: number, key: Address | undefined) => {
    if (key === undefined) return;
    data[at] = 1;
    data.set(addressBytes(key), at + 4);
  };
  option(72, rights.delegate);
  option(129, rights.closer);
  return { lamports: 2_039_280n, owner: TOKEN_PROGRAM, data, executable: false };
}

/** No network fee, and no rent that matters here. */
const FREE = { feeLamports: 0n, minimum: 1n };

/** A buy: at most 1,000 lamports leave, at least 50 units arrive; the wallet's other tokens are within the venue's reach. */
const plan = {
  terms: null,
  instructions: [
    {
      programId: POOL,
      data: new Uint8Array(),
      accounts: [WALLET, BOUGHT, OTHER, POOL, STRANGER].map((address) => ({
        address,
        signer: false,
        writable: address !== STRANGER,
      })),
    },
  ],
  expect: {
    maxLamportsOut: 1_000n,
    minLamportsIn: null,
    tokens: [{ account: BOUGHT, mint: addressOf(9), minDelta: 50n }],
  },
};
const before = [system(10_000n), token(WALLET, 5n), token(WALLET, 700n), system(1n)];
const good = [system(9_000n), token(WALLET, 55n), token(WALLET, 700n)];

function judge(after: readonly (ChainAccount | null)[], start = before): string {
  const addresses = writableAddresses(WALLET, plan);
  const watched = watchedOf(WALLET, plan, { addresses, before: start });
  const simulation: Simulation = {
    err: null,
    logs: [],
    unitsConsumed: 1,
    loadedBytes: null,
    after,
    slot: 1n,
  };
  try {
    assertSimulation(simulation, plan, watched, FREE);
    return 'fine';
  } catch (error) {
    return (error as { details: { rule: string } }).details.rule;
  }
}

describe('the simulation', () => {
  it('is asked about every token account of the wallet that the message may write, and about no stranger’s', () => {
    const addresses = writableAddresses(WALLET, plan);
    expect(addresses).toEqual([WALLET, BOUGHT, OTHER, POOL]);
    expect(watchedOf(WALLET, plan, { addresses, before }).addresses).toEqual([WALLET, BOUGHT, OTHER]);
    const strangers = [before[0]!, before[1]!, token(STRANGER, 700n), before[3]!];
    expect(watchedOf(WALLET, plan, { addresses, before: strangers }).addresses).toEqual([WALLET, BOUGHT]);
  });

  it('passes when balances move as the plan says', () => {
    expect(judge(good)).toBe('fine');
    expect(judge(good, [before[0]!, null as never, before[2]!, before[3]!])).toBe('fine');
    expect(judge([good[0]!, good[1]!, token(WALLET, 701n)])).toBe('fine');
  });

  const drained: readonly [string, readonly (ChainAccount | null)[], string][] = [
    ['more lamports leave', [system(8_999n), good[1]!, good[2]!], 'simulated-spend'],
    ['fewer tokens arrive', [good[0]!, token(WALLET, 54n), good[2]!], 'simulated-tokens'],
    ['other tokens leave', [good[0]!, good[1]!, token(WALLET, 699n)], 'simulated-other-tokens'],
    ['other tokens’ account is closed', [good[0]!, good[1]!, null], 'simulated-token-authority'],
    ['an account gets a new owner', [good[0]!, good[1]!, token(STRANGER, 700n)], 'simulated-token-authority'],
    [
      'a delegate is named',
      [good[0]!, token(WALLET, 55n, { delegate: STRANGER }), good[2]!],
      'simulated-token-authority',
    ],
    [
      'a closer is named',
      [good[0]!, good[1]!, token(WALLET, 700n, { closer: STRANGER })],
      'simulated-token-authority',
    ],
    ['the wallet is assigned away', [system(9_000n, POOL), good[1]!, good[2]!], 'simulated-wallet-owner'],
  ];
  it.each(drained)('refuses when %s', (_, after, rule) => {
    expect(judge(after)).toBe(rule);
  });

  it('refuses a bought account that is opened with a delegate, and keeps one that was there before', () => {
    const fresh = [before[0]!, null as never, before[2]!, before[3]!];
    const delegated = token(WALLET, 55n, { delegate: STRANGER });
    expect(judge([good[0]!, delegated, good[2]!], fresh)).toBe('simulated-token-authority');
    const earlier = [before[0]!, token(WALLET, 5n, { delegate: STRANGER }), before[2]!, before[3]!];
    expect(judge([good[0]!, delegated, good[2]!], earlier)).toBe('fine');
  });
});

describe('an account that the plan closes', () => {
  const closing = { ...plan, expect: { ...plan.expect, tokens: [], closes: [OTHER] } };
  const judgeClosing = (was: ChainAccount, left: ChainAccount | null): string => {
    const watched = {
      addresses: [WALLET, BOUGHT, OTHER],
      before: [system(10_000n), token(WALLET, 5n), was],
    };
    const after = [system(2_049_280n), token(WALLET, 5n), left];
    try {
      assertSimulation(
        { err: null, logs: [], unitsConsumed: 1, loadedBytes: null, after, slot: 1n },
        closing,
        watched,
        FREE,
      );
      return 'fine';
    } catch (error) {
      return (error as { details: { rule: string } }).details.rule;
    }
  };

  it('may be gone when it was empty, and neither lose units nor go to somebody else', () => {
    expect(judgeClosing(token(WALLET, 0n), null)).toBe('fine');
    expect(judgeClosing(token(WALLET, 1n), null)).toBe('simulated-token-authority');
    expect(judgeClosing(token(WALLET, 0n), token(STRANGER, 0n))).toBe('simulated-token-authority');
    expect(judgeClosing(token(WALLET, 0n), token(WALLET, 0n, { delegate: STRANGER }))).toBe(
      'simulated-token-authority',
    );
  });

  it('takes no other with it', () => {
    const watched = { addresses: [WALLET, BOUGHT], before: [system(10_000n), token(WALLET, 0n)] };
    const simulation = {
      err: null,
      logs: [],
      unitsConsumed: 1,
      loadedBytes: null,
      after: [system(2_049_280n), null],
      slot: 1n,
    };
    expect(() => assertSimulation(simulation, closing, watched, FREE)).toThrow(
      expect.objectContaining({ details: { rule: 'simulated-token-authority' } }) as Error,
    );
  });
});

describe('lamports in a simulation', () => {
  const code = (
    expected: { maxLamportsOut: bigint; minLamportsIn: bigint | null },
    delta: bigint,
    fee: bigint,
  ) => {
    const simulation: Simulation = {
      err: null,
      logs: [],
      unitsConsumed: 1,
      loadedBytes: null,
      after: [system(1_000_000n + delta)],
      slot: 1n,
    };
    const watched = { addresses: [WALLET], before: [system(1_000_000n)] };
    try {
      assertSimulation(simulation, { expect: { ...expected, tokens: [] }, terms: null }, watched, {
        ...FREE,
        feeLamports: fee,
      });
      return 'fine';
    } catch (error) {
      return (error as { details: { rule: string } }).details.rule;
    }
  };

  it('of a sale fall short by the network fee at most, and not by a lamport more', () => {
    const sale = { maxLamportsOut: 0n, minLamportsIn: 5_000n };
    for (const [delta, fee, answer] of [
      [5_000n, 0n, 'fine'],
      [4_999n, 0n, 'simulated-tokens'],
      [4_900n, 100n, 'fine'],
      [4_899n, 100n, 'simulated-tokens'],
      [0n, 4_999n, 'simulated-tokens'],
    ] as const) {
      expect(code(sale, delta, fee), `${delta} with a fee of ${fee}`).toBe(answer);
    }
  });

  it('of a payment exceed what was agreed by the network fee at most', () => {
    const payment = { maxLamportsOut: 5_000n, minLamportsIn: null };
    for (const [delta, fee, answer] of [
      [-5_000n, 0n, 'fine'],
      [-5_001n, 0n, 'simulated-spend'],
      [-5_100n, 100n, 'fine'],
      [-5_101n, 100n, 'simulated-spend'],
    ] as const) {
      expect(code(payment, delta, fee), `${delta} with a fee of ${fee}`).toBe(answer);
    }
  });
});
