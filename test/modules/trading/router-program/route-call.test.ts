import { type Instruction, ROUTER_EVENT_AUTHORITY, ROUTER_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { DBC_PROGRAM, programAddress } from '@tradepost/venues';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAMM_V2_PROGRAM } from '../../../../packages/venues/src/meteora-damm-v2/layout.ts';
import { DLMM_PROGRAM } from '../../../../packages/venues/src/meteora-dlmm/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../../../../packages/venues/src/orca-whirlpool/layout.ts';
import { raydiumAmmV4 } from '../../../../packages/venues/src/raydium-amm-v4/index.ts';
import { RAYDIUM_AMM_V4_PROGRAM } from '../../../../packages/venues/src/raydium-amm-v4/layout.ts';
import { CLMM_PROGRAM } from '../../../../packages/venues/src/raydium-clmm/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../../packages/venues/src/raydium-cpmm/layout.ts';
import { buildAmmV4 } from '../../../../packages/venues/test/raydium-amm-v4/build.ts';
import { poolOf, testAddress } from '../../../../packages/venues/test/shared/build.ts';
import {
  decodeRouteCall,
  type RouteCallInput,
  routeCall,
} from '../../../../src/modules/trading/rules/router-program/route-call.ts';
import { STEP_VARIANTS } from '../../../../src/modules/trading/rules/router-program/step-variants.ts';
import {
  BOUGHT,
  DESTINATION,
  INTERMEDIATE,
  MIDDLE_ACCOUNT,
  OWNER,
  SOLD,
  SOURCE,
  STEP_POOLS,
  swapOf,
} from './real-swaps.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const names = Object.keys(STEP_POOLS);
const first = (name: string, by = 1_000) => swapOf(STEP_POOLS[name]!([SOLD, INTERMEDIATE], by), SOLD.mint);
const second = (name: string, by = 2_000) =>
  swapOf(STEP_POOLS[name]!([INTERMEDIATE, BOUGHT], by), INTERMEDIATE.mint);
/** Against the order of the pool's own mints, so that the other direction is sold. */
const back = (name: string) => swapOf(STEP_POOLS[name]!([BOUGHT, INTERMEDIATE], 3_000), INTERMEDIATE.mint);

const ends = { owner: OWNER, source: SOURCE, destination: DESTINATION, mintOut: BOUGHT.mint } as const;
const chain = (one: Instruction, two: Instruction): RouteCallInput => ({
  ...ends,
  amountIn: 1_000_000_007n,
  minOut: 990_000n,
  steps: [
    { percent: 100, input: 0, output: 1, swap: one },
    { percent: 100, input: 1, output: 2, swap: two },
  ],
});
const TAIL = '07ca9a3b00000000' + '301b0f0000000000' + '0000' + '00';
const HEAD = 'e517cb977ae3ad2a';

describe('routeCall', () => {
  it.each([
    ['raydium-cpmm', '2e'],
    ['raydium-amm-v4', '07'],
    ['meteora-damm-v2', '4d'],
    // The direction: from the pool's first token to its second.
    ['orca-whirlpool', '1101'],
    // No accounts of transfer hooks.
    ['orca-whirlpool, Token-2022', '2f0100'],
    ['raydium-clmm', '28'],
    ['meteora-dbc', '4e'],
    // A sale; a purchase is another step.
    ['pump-swap', '64'],
    // An empty list of slices.
    ['meteora-dlmm', '4b00000000'],
  ])('writes a step of %s as %s', (name, tag) => {
    const { data } = routeCall(chain(first(name), second('raydium-cpmm')));
    expect(hex(data)).toBe(`${HEAD}02000000${tag}640001${'2e'}640102${TAIL}`);
  });

  it('repeats the direction of a Whirlpool order and of nothing else', () => {
    expect(hex(routeCall(chain(first('raydium-cpmm'), back('orca-whirlpool'))).data)).toContain('1100640102');
    expect(hex(routeCall(chain(first('raydium-cpmm'), back('meteora-damm-v2'))).data)).toContain('4d640102');
  });

  it('writes a split and its merge with percents and the numbers of the tokens', () => {
    const { data } = routeCall({
      ...ends,
      amountIn: 1n,
      minOut: 2n,
      steps: [
        { percent: 60, input: 0, output: 1, swap: first('raydium-cpmm') },
        { percent: 40, input: 0, output: 1, swap: first('meteora-damm-v2', 1_500) },
        { percent: 100, input: 1, output: 2, swap: second('meteora-damm-v2') },
      ],
    });
    expect(hex(data)).toBe(
      `${HEAD}030000002e3c00014d2800014d640102${'0100000000000000'}${'0200000000000000'}000000`,
    );
  });

  it('names the trader once as signer, nobody who takes a fee, and no second destination', () => {
    const { programId, accounts } = routeCall(chain(first('raydium-cpmm'), second('raydium-cpmm')));
    expect(programId).toBe(ROUTER_PROGRAM);
    const plain = { signer: false, writable: false };
    expect(accounts.slice(0, 9)).toEqual([
      { address: TOKEN_PROGRAM, ...plain },
      { address: OWNER, signer: true, writable: false },
      { address: SOURCE, signer: false, writable: true },
      { address: DESTINATION, signer: false, writable: true },
      { address: ROUTER_PROGRAM, ...plain },
      { address: BOUGHT.mint, ...plain },
      { address: ROUTER_PROGRAM, ...plain },
      { address: ROUTER_EVENT_AUTHORITY, ...plain },
      { address: ROUTER_PROGRAM, ...plain },
    ]);
    expect(accounts.filter(({ signer }) => signer)).toHaveLength(1);
  });

  it.each([
    ['raydium-cpmm', RAYDIUM_CPMM_PROGRAM, 14],
    ['raydium-amm-v4', RAYDIUM_AMM_V4_PROGRAM, 18],
    ['orca-whirlpool', WHIRLPOOL_PROGRAM, 12],
    ['orca-whirlpool, Token-2022', WHIRLPOOL_PROGRAM, 16],
    ['meteora-dbc', DBC_PROGRAM, 16],
    ['meteora-damm-v2', DAMM_V2_PROGRAM, 15],
  ])('puts the program of %s before the accounts of its own instruction', (name, program, count) => {
    const own = first(name);
    const { accounts } = routeCall(chain(own, second('raydium-cpmm')));
    expect(accounts).toHaveLength(9 + count + 14);
    expect(accounts.slice(9, 9 + count)).toEqual([
      { address: program, signer: false, writable: false },
      ...own.accounts.map((meta) => ({ ...meta, signer: false })),
    ]);
  });

  it.each([
    ['bins', 'meteora-dlmm', DLMM_PROGRAM],
    ['arrays of ticks', 'raydium-clmm', CLMM_PROGRAM],
  ])('ends the %s of an order at %s with the id of the router program', (_what, name, program) => {
    const own = first(name);
    const { accounts } = routeCall(chain(own, second('raydium-cpmm')));
    expect(accounts).toHaveLength(9 + 1 + own.accounts.length + 1 + 14);
    expect(accounts[9]?.address).toBe(program);
    expect(accounts[10 + own.accounts.length]).toEqual({
      address: ROUTER_PROGRAM,
      signer: false,
      writable: false,
    });
  });

  it('has no step for orders that ask for more than a step can say', () => {
    const changed = (swap: Instruction, at: number, byte: number) => ({
      ...swap,
      data: Uint8Array.from(swap.data).fill(byte, at, at + 1),
    });
    const v2 = first('orca-whirlpool, Token-2022');
    const clmm = first('raydium-clmm');
    // An exact output, accounts of hooks; an exact output, a price limit.
    for (const swap of [changed(v2, 40, 0), changed(v2, 42, 1), changed(clmm, 40, 0), changed(clmm, 24, 1)]) {
      expect(() => routeCall(chain(swap, second('raydium-cpmm')))).toThrow(RangeError);
    }
  });

  it('refuses a plan that does not add up, and a swap that no step stands for', () => {
    const call = chain(first('raydium-cpmm'), second('raydium-cpmm'));
    const half = call.steps.map((step) => ({ ...step, percent: 50 }));
    expect(() => routeCall({ ...call, steps: half })).toThrow(/do not add up: sum/);
    const short = poolOf(
      raydiumAmmV4('short'),
      buildAmmV4({ mints: [INTERMEDIATE, BOUGHT], reserves: [10n ** 12n, 10n ** 12n] }),
    );
    expect(() => routeCall(chain(first('raydium-cpmm'), swapOf(short, INTERMEDIATE.mint)))).toThrow(
      RangeError,
    );
    const foreign = { ...first('raydium-cpmm'), programId: testAddress(900) };
    expect(() => routeCall(chain(foreign, second('raydium-cpmm')))).toThrow(RangeError);
  });

  it('knows the event authority that the program derives', () => {
    expect(programAddress(ROUTER_PROGRAM, [new TextEncoder().encode('__event_authority')])).toBe(
      ROUTER_EVENT_AUTHORITY,
    );
  });

  it('has one step variant per tag, and each with the discriminator of its venue', () => {
    expect(new Set(STEP_VARIANTS.map(({ tag }) => tag)).size).toBe(STEP_VARIANTS.length);
    const covered = new Set(names.map((name) => first(name).programId));
    expect(new Set(STEP_VARIANTS.map(({ program }) => program))).toEqual(covered);
  });
});

describe('decodeRouteCall', () => {
  // Built once: a pool takes longer than a call.
  const made = names.map((name) => ({ one: first(name), two: first(name, 1_500), last: second(name) }));
  const calls = fc
    .tuple(fc.constantFrom(...made), fc.constantFrom(...made), fc.integer({ min: 1, max: 99 }))
    .map(([one, two, percent]) =>
      routeCall({
        ...ends,
        amountIn: 12_345n,
        minOut: 678n,
        steps: [
          { percent, input: 0, output: 1, swap: one.one },
          { percent: 100 - percent, input: 0, output: 1, swap: two.two },
          { percent: 100, input: 1, output: 2, swap: two.last },
        ],
      }),
    );

  it('gives back what was encoded: amounts, ends, and the accounts of each step', () => {
    fc.assert(
      fc.property(calls, (call) => {
        const decoded = decodeRouteCall(call);
        expect(decoded).toMatchObject({ ...ends, amountIn: 12_345n, minOut: 678n });
        expect(decoded?.steps.map(({ owner, source, destination }) => [owner, source, destination])).toEqual([
          [OWNER, SOURCE, MIDDLE_ACCOUNT],
          [OWNER, SOURCE, MIDDLE_ACCOUNT],
          [OWNER, MIDDLE_ACCOUNT, DESTINATION],
        ]);
      }),
      { numRuns: 50 },
    );
  });

  it('finds both ends of a Whirlpool order in either direction', () => {
    const both = ['orca-whirlpool', 'orca-whirlpool, Token-2022'].flatMap((name) => [
      second(name),
      back(name),
    ]);
    for (const swap of both) {
      const last = decodeRouteCall(routeCall(chain(first('raydium-cpmm'), swap)))?.steps.at(-1);
      expect(last).toMatchObject({ source: MIDDLE_ACCOUNT, destination: DESTINATION });
    }
  });

  it('refuses any other byte than amounts, percents and numbers of tokens, and what those may not be', () => {
    const call = routeCall(chain(first('orca-whirlpool'), second('meteora-dlmm')));
    const changed = (at: number, byte: number) => {
      const data = Uint8Array.from(call.data);
      data[at] = byte;
      return decodeRouteCall({ ...call, data });
    };
    const amounts = call.data.length - 19;
    for (let at = 0; at < call.data.length; at += 1) {
      const before = call.data[at] ?? 0;
      for (const byte of [0, 1, 2, 3, 7, 17, 46, 50, 77, 99, 101, 105, 146, 255]) {
        if (byte === before || (at >= amounts && at < amounts + 16)) continue;
        // The other direction of a Whirlpool is a plan of its own; whose accounts it swaps is judged behind this.
        if (at === 13 && (byte === 0 || byte === 1)) continue;
        expect(changed(at, byte), `byte ${at} as ${byte}`).toBeNull();
      }
    }
  });

  it('refuses slippage, a fee, a fee account, a second destination and a foreign event authority', () => {
    const call = routeCall(chain(first('raydium-cpmm'), second('raydium-cpmm')));
    const stranger = testAddress(901);
    const withAccount = (at: number) => ({
      ...call,
      accounts: call.accounts.map((meta, index) => (index === at ? { ...meta, address: stranger } : meta)),
    });
    for (const at of [0, 4, 6, 7, 8]) expect(decodeRouteCall(withAccount(at)), `head ${at}`).toBeNull();
    for (const back of [1, 2, 3]) {
      const data = Uint8Array.from(call.data);
      data[data.length - back] = 1;
      expect(decodeRouteCall({ ...call, data })).toBeNull();
    }
  });

  it('refuses accounts too few, too many, of another program, or of another signer', () => {
    const call = routeCall(chain(first('meteora-dlmm'), second('raydium-cpmm')));
    const { accounts } = call;
    const extra = { address: testAddress(902), signer: false, writable: true };
    expect(decodeRouteCall({ ...call, accounts: accounts.slice(0, -1) })).toBeNull();
    expect(decodeRouteCall({ ...call, accounts: [...accounts, extra] })).toBeNull();
    // Without the end of the bins, all that follows would be taken for bins.
    const bins = accounts.findIndex((meta, index) => index > 9 && meta.address === ROUTER_PROGRAM);
    expect(decodeRouteCall({ ...call, accounts: accounts.toSpliced(bins, 1) })).toBeNull();
    expect(decodeRouteCall({ ...call, accounts: accounts.with(9, extra) })).toBeNull();
    expect(decodeRouteCall({ ...call, accounts: accounts.with(14, { ...extra, signer: true }) })).toBeNull();
    expect(decodeRouteCall({ ...call, programId: testAddress(903) })).toBeNull();
  });

  it('takes the trader as signer wherever a decoded message marks him', () => {
    const call = routeCall(chain(first('raydium-cpmm'), second('raydium-cpmm')));
    const marked = call.accounts.map((meta) => ({ ...meta, signer: meta.address === OWNER }));
    expect(decodeRouteCall({ ...call, accounts: marked })).not.toBeNull();
  });

  it('refuses what is cut off anywhere', () => {
    const call = routeCall(chain(first('raydium-cpmm'), second('raydium-cpmm')));
    for (let length = 0; length < call.data.length; length += 1) {
      expect(decodeRouteCall({ ...call, data: call.data.slice(0, length) })).toBeNull();
    }
  });
});
