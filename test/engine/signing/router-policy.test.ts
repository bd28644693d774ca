import { type Address, type Instruction, ROUTER_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { DAMM_V2_PROGRAM } from '../../../packages/venues/src/meteora-damm-v2/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { buildMint, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { assertSwapPolicy } from '../../../src/engine/signing/rules/swap-policy.ts';
import {
  type RouteCallInput,
  routeCall,
} from '../../../src/modules/trading/rules/router-program/route-call.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { STEP_POOLS } from '../../modules/trading/router-program/real-swaps.ts';
import { addressOf, buildIntent, INTENT_ID, MINT, PARAMS, TREASURY, WALLET } from '../intents/build.ts';
import { look } from './look.ts';
import { tableOf } from './table-of.ts';

const programs = createPrograms();
const tokenProgram = TOKEN_PROGRAM;
const INTERMEDIATE = testAddress(11);
const STRANGER = addressOf(70);
const ata = (mint: Address, owner = WALLET) => programs.associatedTokenAddress(owner, mint, tokenProgram);
const open = (mint: Address, owner = WALLET) =>
  programs.createAssociatedTokenAccount({ payer: WALLET, owner, mint, tokenProgram });
const close = (account: Address) => programs.closeTokenAccount({ account, owner: WALLET, tokenProgram });
const venues = [RAYDIUM_CPMM_PROGRAM, DAMM_V2_PROGRAM];

const { lamportsIn, terms } = PARAMS.buy;
const amountIn = lamportsIn - terms.platformFeeLamports;
const wrapped = programs.openWrappedSol({
  owner: WALLET,
  seed: 'S',
  lamports: amountIn,
  rentLamports: 2_039_280n,
});
const SOLD = { ...buildMint(WSOL_MINT), mint: WSOL_MINT };
const BOUGHT = buildMint(MINT);
const pools = {
  first: STEP_POOLS['raydium-cpmm']!([SOLD, buildMint(INTERMEDIATE)], 1_000),
  other: STEP_POOLS['meteora-damm-v2']!([SOLD, buildMint(INTERMEDIATE)], 2_000),
  last: STEP_POOLS['raydium-cpmm']!([buildMint(INTERMEDIATE), BOUGHT], 3_000),
};
const swap = (
  pool: keyof typeof pools,
  mintIn: Address,
  source: Address,
  destination: Address,
  owner = WALLET,
): Instruction => {
  const [made] = pools[pool].swap({
    owner,
    mintIn,
    source,
    destination,
    amountIn: 9n,
    amountOut: 1n,
    minOut: 1n,
  });
  return made!;
};
const steps = (
  account: { source?: Address; intermediate?: Address; destination?: Address; owner?: Address } = {},
): RouteCallInput['steps'] => {
  const {
    source = wrapped.account,
    intermediate = ata(INTERMEDIATE),
    destination = ata(MINT),
    owner = WALLET,
  } = account;
  return [
    { percent: 60, input: 0, output: 1, swap: swap('first', WSOL_MINT, source, intermediate, owner) },
    { percent: 40, input: 0, output: 1, swap: swap('other', WSOL_MINT, source, intermediate, owner) },
    { percent: 100, input: 1, output: 2, swap: swap('last', INTERMEDIATE, intermediate, destination, owner) },
  ];
};
const CALL: RouteCallInput = {
  owner: WALLET,
  source: wrapped.account,
  destination: ata(MINT),
  mintOut: MINT,
  amountIn,
  minOut: terms.minOut,
  steps: steps(),
};

const leg = (from: Address | null, to: Address | null) => ({
  venue: 'X',
  pool: addressOf(90),
  percent: 100,
  from,
  to,
});
const intent = buildIntent({
  params: { ...PARAMS.buy, terms: { ...terms, route: [leg(null, INTERMEDIATE), leg(INTERMEDIATE, null)] } },
});

const around = (call: Instruction, ...more: readonly Instruction[]): readonly Instruction[] => [
  programs.memo(INTENT_ID),
  open(MINT),
  ...wrapped.instructions,
  open(INTERMEDIATE),
  call,
  ...more,
  close(ata(INTERMEDIATE)),
  close(wrapped.account),
];
const table = (own: readonly Instruction[]) => tableOf(own, WALLET);
const compiled = (own: readonly Instruction[], payer = WALLET) =>
  createMessageCompiler().compile({
    payer,
    blockhash: addressOf(99),
    instructions: own,
    lookupTables: table(own),
  }).bytes;

type Lists = {
  routerProgram?: boolean;
  aggregatorPrograms?: readonly Address[];
  venuePrograms?: readonly Address[];
  intent?: typeof intent;
};
function ruleOf(judge: () => void): PolicyRule | 'signed' {
  try {
    judge();
    return 'signed';
  } catch (error) {
    return (error as { details: { rule: PolicyRule } }).details.rule;
  }
}
const judgeMessage = (own: readonly Instruction[], lists: Lists = {}) =>
  ruleOf(() =>
    assertPolicy(compiled(own), {
      intent,
      wallet: WALLET,
      treasury: TREASURY,
      venuePrograms: venues,
      routerProgram: true,
      lookupTables: table(own),
      tokenAccountRent: 2_039_280n,
      held: look(compiled(own), WALLET, table(own)),
      ...lists,
    }),
  );
const judge = (change: Partial<RouteCallInput> = {}, lists: Lists = {}) =>
  judgeMessage(around(routeCall({ ...CALL, ...change })), lists);
const withAccount = (at: (call: Instruction) => number, address: Address): Instruction => {
  const call = routeCall(CALL);
  const index = at(call);
  return {
    ...call,
    accounts: call.accounts.map((meta, here) => (here === index ? { ...meta, address } : meta)),
  };
};
/** A stranger's tokens into the wallet's account, which the stranger signs. */
const gift = programs.transferToken({
  source: ata(MINT, STRANGER),
  destination: ata(MINT),
  mint: MINT,
  amount: 1n,
  owner: STRANGER,
  decimals: 6,
  tokenProgram,
});
const check = (amount: bigint) =>
  programs.transferToken({
    source: ata(MINT),
    destination: ata(MINT),
    mint: MINT,
    amount,
    owner: WALLET,
    decimals: 6,
    tokenProgram,
  });

describe('the policy on a trade through the router program', () => {
  it('signs a plan of our own between accounts that the message proves', () => {
    expect(judge()).toBe('signed');
    expect(judge({ minOut: terms.minOut + 1n })).toBe('signed');
  });

  it('refuses it where the program is not to be used', () => {
    expect(judge({}, { routerProgram: false })).toBe('program');
  });

  it('refuses less than the confirmed minimum, and more than the confirmed amount', () => {
    expect(judge({ minOut: terms.minOut - 1n })).toBe('swap-check');
    expect(judge({ amountIn: lamportsIn + 1n })).toBe('token-amount');
  });

  it('refuses a step of a venue that is not traded on', () => {
    expect(judge({}, { venuePrograms: [RAYDIUM_CPMM_PROGRAM] })).toBe('program');
  });

  it('refuses somebody else’s destination, in the head, in the last step, and in both', () => {
    const theirs = ata(MINT, STRANGER);
    expect(judge({ destination: theirs })).toBe('token-destination');
    expect(judge({ steps: steps({ destination: theirs }) })).toBe('token-destination');
    expect(judge({ destination: theirs, steps: steps({ destination: theirs }) })).toBe('token-destination');
  });

  it('refuses an account in the middle that is a stranger’s, unproved, or not agreed', () => {
    expect(judge({ steps: steps({ intermediate: ata(INTERMEDIATE, STRANGER) }) })).toBe('token-destination');
    expect(judge({ steps: steps({ intermediate: addressOf(71) }) })).toBe('token-destination');
    expect(judge({}, { intent: buildIntent({ params: PARAMS.buy }) })).toBe('account-opening');
  });

  it('refuses to pay the middle or the sold token out as what was bought', () => {
    expect(judge({ steps: steps({ intermediate: ata(MINT) }) })).toBe('token-destination');
    expect(judge({ steps: steps({ destination: wrapped.account }) })).toBe('token-destination');
    expect(judge({ mintOut: INTERMEDIATE })).toBe('token-destination');
  });

  it('refuses to sell from anything but the account that the message wrapped SOL into', () => {
    const other = ata(WSOL_MINT);
    expect(judge({ source: other, steps: steps({ source: other }) })).toBe('instruction');
    expect(judge({ source: ata(INTERMEDIATE) })).toBe('token-destination');
  });

  it('refuses another trader in a step, and the wallet or its accounts where the venue’s own belong', () => {
    expect(judge({ steps: steps({ owner: STRANGER }) })).toBe('instruction');
    expect(judge({ owner: STRANGER })).toBe('instruction');
    const [first, , last] = steps();
    const [, theirs] = steps({ owner: STRANGER });
    expect(judge({ steps: [first!, theirs!, last!] })).toBe('instruction');
    const vault = (call: Instruction) =>
      call.accounts.findIndex(
        ({ address }) => address === swap('last', INTERMEDIATE, WALLET, WALLET).accounts[6]?.address,
      );
    for (const address of [WALLET, ata(MINT), ata(INTERMEDIATE), wrapped.account]) {
      expect(judgeMessage(around(withAccount(vault, address)))).toBe('instruction');
    }
    expect(judgeMessage(around(withAccount(vault, STRANGER)))).toBe('signed');
  });

  it('refuses an unknown step, a fee, slippage, and another instruction of the program', () => {
    const call = routeCall(CALL);
    const changed = (at: number, byte: number) =>
      judgeMessage(around({ ...call, data: call.data.with(at, byte) }));
    // The first step's tag: DAMM with remaining accounts, wrapped pump.fun, one that is not given out yet.
    for (const tag of [108, 112, 200]) expect(changed(12, tag)).toBe('instruction');
    expect(changed(call.data.length - 1, 1)).toBe('instruction');
    expect(changed(call.data.length - 3, 1)).toBe('instruction');
    expect(changed(0, 187)).toBe('instruction');
  });

  it('refuses a second call, and a venue’s own beside it', () => {
    const call = routeCall(CALL);
    const half = routeCall({ ...CALL, amountIn: amountIn / 2n });
    expect(judgeMessage(around(half, half))).toBe('instruction');
    expect(judgeMessage(around(call, swap('last', INTERMEDIATE, ata(INTERMEDIATE), ata(MINT))))).toBe(
      'instruction',
    );
  });

  it('refuses a second signer', () => {
    const call = routeCall(CALL);
    const cosigner = { programId: RAYDIUM_CPMM_PROGRAM, accounts: [], data: new Uint8Array(1) };
    const signed = { ...cosigner, accounts: [{ address: STRANGER, signer: true, writable: false }] };
    expect(judgeMessage(around(call, signed))).toBe('instruction');
    // Who brings more of the bought token has a reason to sign anywhere but here.
    expect(judgeMessage(around(call, gift))).toBe('signers');
  });

  it('signs an aggregator’s call of the same program only with a check of its outcome behind it', () => {
    const lists = { aggregatorPrograms: [ROUTER_PROGRAM] };
    const call = routeCall(CALL);
    const foreign = { ...call, data: call.data.with(call.data.length - 3, 50) };
    expect(judgeMessage(around(foreign), lists)).toBe('swap-check');
    expect(judgeMessage(around(foreign, check(terms.minOut)), lists)).toBe('signed');
    expect(judgeMessage(around(foreign, check(terms.minOut - 1n)), lists)).toBe('swap-check');
    const low = routeCall({ ...CALL, minOut: 1n });
    expect(judgeMessage(around(low), lists)).toBe('swap-check');
    expect(judgeMessage(around(low, check(terms.minOut)), lists)).toBe('signed');
  });
});

describe('what an unsigned swap through the router program may hold', () => {
  const context = {
    user: WALLET,
    mintIn: WSOL_MINT,
    mintOut: MINT,
    amount: amountIn,
    intermediates: [INTERMEDIATE],
    minOut: 400n,
    referrer: null,
    programs: venues,
    priority: { tier: 'normal' as const, capLamports: null },
    feePayer: null,
    destination: null,
    solAsToken: false,
    byAggregator: false,
    routerProgram: true,
  };
  const hand = (change: Partial<RouteCallInput> = {}, more: Partial<typeof context> = {}) => {
    const own = around(routeCall({ ...CALL, minOut: 400n, ...change })).slice(1);
    return ruleOf(() => assertSwapPolicy(compiled(own), { ...context, lookupTables: table(own), ...more }));
  };

  it('hands out a plan that spends the amount and asks for the minimum', () => {
    expect(hand()).toBe('signed');
  });

  it.each<[string, Partial<RouteCallInput>, Partial<typeof context>, PolicyRule]>([
    ['where the program is not to be used', {}, { routerProgram: false }, 'program'],
    ['with a minimum below the quoted one', { minOut: 399n }, {}, 'swap-check'],
    ['with a minimum that forgets the referrer', {}, { minOut: 401n }, 'swap-check'],
    ['that spends more', { amountIn: amountIn + 1n }, {}, 'token-amount'],
    [
      'that pays somebody else',
      { destination: ata(MINT, STRANGER), steps: steps({ destination: ata(MINT, STRANGER) }) },
      {},
      'token-destination',
    ],
    ['over a token that is not on the route', {}, { intermediates: [] }, 'account-opening'],
    ['over a venue that is not traded on', {}, { programs: [DAMM_V2_PROGRAM] }, 'program'],
  ])('withholds one %s', (_title, change, more, rule) => {
    expect(hand(change, more)).toBe(rule);
  });

  it('withholds one that somebody else signs too', () => {
    const own = around(routeCall({ ...CALL, minOut: 400n }), gift).slice(1);
    const rule = ruleOf(() => assertSwapPolicy(compiled(own), { ...context, lookupTables: table(own) }));
    expect(rule).toBe('signers');
  });

  it('withholds an unknown step', () => {
    const call = routeCall({ ...CALL, minOut: 400n });
    const own = around({ ...call, data: call.data.with(12, 108) }).slice(1);
    const rule = ruleOf(() => assertSwapPolicy(compiled(own), { ...context, lookupTables: table(own) }));
    expect(rule).toBe('instruction');
  });
});
