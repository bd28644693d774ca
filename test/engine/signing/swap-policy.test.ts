import { type Address, type Instruction, SYSTEM_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { PUMP_PROGRAM } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { assertSwapPolicy, type SwapPolicyContext } from '../../../src/engine/signing/rules/swap-policy.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf } from '../intents/build.ts';
import { look } from './look.ts';
import { tableOf } from './table-of.ts';
import { lamportsCall, venueCall } from './venue-call.ts';

const programs = createPrograms();
const USER = addressOf(1);
const REFERRER = addressOf(2);
const STRANGER = addressOf(3);
const MAKER = addressOf(4);
const VENUE = RAYDIUM_CPMM_PROGRAM;
const AGGREGATOR = addressOf(5);
const TOKEN_A = addressOf(10);
const TOKEN_B = addressOf(11);
const INTERMEDIATE = addressOf(12);
const tokenProgram = TOKEN_PROGRAM;
const accountOf = (owner: Address, mint: Address) =>
  programs.associatedTokenAddress(owner, mint, tokenProgram);
const open = (mint: Address, owner = USER) =>
  programs.createAssociatedTokenAccount({ payer: USER, owner, mint, tokenProgram });
const move = (owner: Address, mint: Address, source: Address, destination: Address, amount: bigint) =>
  programs.transferToken({ source, mint, destination, owner, amount, decimals: 6, tokenProgram });
const pay = (to: Address, lamports: bigint, from = USER) => programs.transferSol({ from, to, lamports });
const wrapped = programs.openWrappedSol({ owner: USER, seed: 'S', lamports: 990n, rentLamports: 2_039_280n });
const close = (account: Address) => programs.closeTokenAccount({ account, owner: USER, tokenProgram });
/** Somebody's program, called with bytes that say nothing. */
const call = (programId: Address, signer = USER): Instruction => ({
  programId,
  accounts: [{ address: signer, signer: true, writable: true }],
  data: new Uint8Array([9]),
});
const swap = (amountIn = 990n) =>
  venueCall({
    owner: USER,
    source: wrapped.account,
    destination: accountOf(USER, TOKEN_A),
    amountIn,
    minOut: 500n,
  });
const raw = (programId: Address, data: readonly number[], ...accounts: readonly Address[]): Instruction => ({
  programId,
  accounts: accounts.map((address) => ({ address, signer: address === USER, writable: true })),
  data: new Uint8Array(data),
});

const BASE: SwapPolicyContext = {
  user: USER,
  mintIn: WSOL_MINT,
  mintOut: TOKEN_A,
  amount: 1_000n,
  intermediates: [],
  minOut: 500n,
  referrer: { account: REFERRER, side: 'in', units: 10n },
  lookupTables: [],
  programs: [VENUE],
  priority: { tier: 'normal' as const, capLamports: null },
  feePayer: null,
  destination: null,
  solAsToken: false,
  byAggregator: false,
};
const TOKENS: SwapPolicyContext = {
  ...BASE,
  mintIn: TOKEN_B,
  referrer: { account: accountOf(REFERRER, TOKEN_A), side: 'out', units: 5n },
};

function judge(
  own: readonly Instruction[],
  more: Partial<SwapPolicyContext> = {},
): PolicyRule | 'handed out' {
  const lookupTables = tableOf(own, USER);
  const { bytes } = createMessageCompiler().compile({
    payer: USER,
    blockhash: addressOf(99),
    instructions: own,
    lookupTables,
  });
  try {
    const seen = { held: look(bytes, USER, lookupTables), tokenAccountRent: 2_039_280n };
    assertSwapPolicy(bytes, { ...BASE, ...more, lookupTables, ...seen });
    return 'handed out';
  } catch (error) {
    return (error as { details: { rule: PolicyRule } }).details.rule;
  }
}

const [OUT, IN] = [accountOf(USER, TOKEN_A), accountOf(USER, TOKEN_B)];
const buying = (part: Instruction) => [
  pay(REFERRER, 10n),
  open(TOKEN_A),
  ...wrapped.instructions,
  part,
  close(wrapped.account),
];
const buy = buying(swap());

describe('an account that an unsigned swap closes', () => {
  const sale = (...more: readonly Instruction[]) => [
    open(TOKEN_A),
    move(USER, TOKEN_B, IN, accountOf(MAKER, TOKEN_B), 1_000n),
    move(MAKER, TOKEN_A, accountOf(MAKER, TOKEN_A), OUT, 500n),
    ...more,
  ];
  const asked = { ...TOKENS, referrer: null, closesSold: true };

  it('is that of the token sold, where the trader asked for it', () => {
    expect(judge(sale(), asked)).toBe('handed out');
    expect(judge(sale(close(IN)), asked)).toBe('handed out');
    expect(judge(sale(close(IN)), { ...asked, closesSold: false })).toBe('account-closing');
    expect(judge(sale(close(OUT)), asked)).toBe('account-closing');
  });
});

describe('what an unsigned swap may hold', () => {
  it('lets fee, wrapping, the venue’s call and unwrapping through', () => {
    expect(judge([...programs.computeBudget({ units: 200_000, microLamportsPerUnit: 5n }), ...buy])).toBe(
      'handed out',
    );
  });

  it('lets a swap between two tokens over a third through, the referrer paid in the bought one', () => {
    const intermediate = accountOf(USER, INTERMEDIATE);
    const own = [
      open(TOKEN_A),
      open(INTERMEDIATE),
      move(USER, TOKEN_B, IN, accountOf(MAKER, TOKEN_B), 1_000n),
      move(MAKER, INTERMEDIATE, accountOf(MAKER, INTERMEDIATE), intermediate, 70n),
      move(USER, INTERMEDIATE, intermediate, accountOf(MAKER, INTERMEDIATE), 70n),
      move(MAKER, TOKEN_A, accountOf(MAKER, TOKEN_A), OUT, 505n),
      close(intermediate),
      move(USER, TOKEN_A, OUT, accountOf(REFERRER, TOKEN_A), 5n),
    ];
    const context = { ...TOKENS, intermediates: [INTERMEDIATE] };
    expect(judge(own, context)).toBe('handed out');
    expect(judge(own, TOKENS)).toBe('account-opening');
    expect(judge(own, { ...context, minOut: 501n })).toBe('token-amount');
    expect(judge(own, { ...context, amount: 999n })).toBe('token-amount');
  });

  it('lets the referrer be paid in the bought token as agreed, no unit more or less', () => {
    const own = (...paid: readonly bigint[]) => [
      open(TOKEN_A),
      move(USER, TOKEN_B, IN, accountOf(MAKER, TOKEN_B), 1_000n),
      move(MAKER, TOKEN_A, accountOf(MAKER, TOKEN_A), OUT, 999n),
      ...paid.map((units) => move(USER, TOKEN_A, OUT, accountOf(REFERRER, TOKEN_A), units)),
    ];
    expect(judge(own(5n), TOKENS)).toBe('handed out');
    expect(judge(own(2n, 3n), TOKENS)).toBe('handed out');
    for (const paid of [[], [4n], [6n], [5n, 5n]]) expect(judge(own(...paid), TOKENS)).toBe('token-amount');
    expect(judge(own(), { ...TOKENS, referrer: null })).toBe('handed out');
    expect(judge(own(5n), { ...TOKENS, referrer: null })).toBe('token-destination');
  });

  it('lets a swap between two tokens pass through SOL in an account that wraps', () => {
    const none = programs.openWrappedSol({ owner: USER, seed: 'S', lamports: 0n, rentLamports: 2_039_280n });
    const own = (back: bigint) => [
      open(TOKEN_A),
      ...none.instructions,
      move(USER, TOKEN_B, IN, accountOf(MAKER, TOKEN_B), 1_000n),
      move(MAKER, WSOL_MINT, accountOf(MAKER, WSOL_MINT), none.account, 70n),
      move(USER, WSOL_MINT, none.account, accountOf(MAKER, WSOL_MINT), back),
      move(MAKER, TOKEN_A, accountOf(MAKER, TOKEN_A), OUT, 505n),
      close(none.account),
      move(USER, TOKEN_A, OUT, accountOf(REFERRER, TOKEN_A), 5n),
    ];
    const context = { ...TOKENS, intermediates: [WSOL_MINT] };
    expect(judge(own(70n), context)).toBe('handed out');
    expect(judge(own(71n), context)).toBe('token-amount');
  });

  it('lets nobody else pay for the trader’s account', () => {
    const opened = programs.createAssociatedTokenAccount({
      payer: MAKER,
      owner: USER,
      mint: TOKEN_A,
      tokenProgram,
    });
    expect(judge([buy[0], opened, ...buy.slice(2)].flatMap((one) => one ?? []))).toBe('account-opening');
  });

  it('lets the trader be the referrer', () => {
    const own = [
      open(TOKEN_A),
      move(USER, TOKEN_B, IN, accountOf(MAKER, TOKEN_B), 1_000n),
      move(MAKER, TOKEN_A, accountOf(MAKER, TOKEN_A), OUT, 505n),
      move(USER, TOKEN_A, OUT, OUT, 5n),
    ];
    expect(judge(own, { ...TOKENS, referrer: { account: OUT, side: 'out', units: 5n } })).toBe('handed out');
  });

  it.each<[string, readonly Instruction[], PolicyRule]>([
    ['a transfer of SOL to a stranger', [...buy, pay(STRANGER, 1n)], 'sol-destination'],
    ['somebody else’s SOL', [...buy, pay(REFERRER, 1n, MAKER)], 'sol-source'],
    ['the referrer paid twice', [...buy, pay(REFERRER, 10n)], 'sol-amount'],
    ['the referrer not paid', buy.slice(1), 'sol-amount'],
    ['a token sent to a stranger', [...buy, move(USER, TOKEN_A, OUT, STRANGER, 1n)], 'token-destination'],
    [
      'a token that is no part of the swap',
      [...buy, move(USER, TOKEN_B, IN, STRANGER, 1n)],
      'token-destination',
    ],
    [
      'the wallet’s own wrapped SOL',
      [...buy, move(USER, WSOL_MINT, accountOf(USER, WSOL_MINT), STRANGER, 1n)],
      'token-destination',
    ],
    ['an account opened for a stranger', [...buy, open(TOKEN_A, STRANGER)], 'account-opening'],
    ['an account of another token', [...buy, open(TOKEN_B)], 'account-opening'],
    ['a wrapped-SOL account that stays open', buy.slice(0, -1), 'account-closing'],
    ['the wallet’s own account closed', [...buy, close(OUT)], 'account-closing'],
    [
      'rent sent to a stranger',
      [...buy.slice(0, -1), raw(TOKEN_PROGRAM, [9], wrapped.account, STRANGER, USER)],
      'account-closing',
    ],
    ['a program of nobody known', [...buy, call(STRANGER, USER)], 'program'],
    [
      'an approval',
      [...buy, raw(TOKEN_PROGRAM, [4, 1, 0, 0, 0, 0, 0, 0, 0], OUT, STRANGER, USER)],
      'instruction',
    ],
    ['a change of authority', [...buy, raw(TOKEN_PROGRAM, [6, 2, 0], OUT, USER)], 'instruction'],
    ['an Assign', [...buy, raw(SYSTEM_PROGRAM, [1, 0, 0, 0, ...new Uint8Array(32)], USER)], 'instruction'],
    ['a durable nonce', [raw(SYSTEM_PROGRAM, [4, 0, 0, 0], STRANGER, USER), ...buy], 'instruction'],
    ['a memo', [...buy, programs.memo('hello')], 'memo'],
    [
      'a priority fee above the tier’s cap',
      [...programs.computeBudget({ units: 1_400_000, microLamportsPerUnit: 10n ** 12n }), ...buy],
      'priority-fee',
    ],
  ])('refuses %s', (_what, own, rule) => {
    expect(judge(own)).toBe(rule);
  });

  it('takes the priority fee of the tier that was asked for, and of no higher one', () => {
    const paying = (lamports: bigint) => [
      ...programs.computeBudget({ units: 1_000_000, microLamportsPerUnit: lamports }),
      ...buy,
    ];
    const under = (tier: 'normal' | 'fast' | 'turbo', capLamports: bigint | null, lamports: bigint) =>
      judge(paying(lamports), { priority: { tier, capLamports } });
    expect(under('normal', null, 1_000_000n)).toBe('handed out');
    expect(under('normal', null, 1_000_001n)).toBe('priority-fee');
    expect(under('fast', null, 3_000_000n)).toBe('handed out');
    expect(under('fast', null, 3_000_001n)).toBe('priority-fee');
    expect(under('turbo', null, 10_000_001n)).toBe('priority-fee');
    // A cap lowers what the tier allows and never raises it.
    expect(under('turbo', 7n, 7n)).toBe('handed out');
    expect(under('turbo', 7n, 8n)).toBe('priority-fee');
    expect(under('normal', 10_000_000n, 1_000_001n)).toBe('priority-fee');
    expect(under('fast', 0n, 1n)).toBe('priority-fee');
  });

  it('lets nobody drain a wallet through a venue that the caller excluded', () => {
    expect(judge(buy, { programs: [] })).toBe('program');
    expect(judge(buy, { programs: [PUMP_PROGRAM] })).toBe('program');
  });

  it('refuses more SOL wrapped than is sold', () => {
    expect(judge(buying(swap(890n)), { amount: 900n })).toBe('handed out');
    expect(judge(buy, { amount: 900n })).toBe('token-amount');
    const much = programs.openWrappedSol({ owner: USER, seed: 'S', lamports: 9_000_000n, rentLamports: 0n });
    expect(
      judge([buy[0], buy[1], ...much.instructions, swap(), close(much.account)].flatMap((one) => one ?? [])),
    ).toBe('account-opening');
  });

  it('lets a venue that takes lamports unwrap through a second account of its own, and no third', () => {
    const unwrap = (seed: string) => {
      const { account, instructions } = programs.openWrappedSol({
        owner: USER,
        seed,
        lamports: 0n,
        rentLamports: 2_039_280n,
      });
      return [...instructions, move(USER, WSOL_MINT, wrapped.account, account, 990n), close(account)];
    };
    const [fee, opens, ...rest] = buy;
    const around = [fee, opens, ...rest.slice(0, -2)].flatMap((one) => one ?? []);
    const bought = { owner: USER, destination: OUT, amountIn: 990n, minOut: 500n };
    const end = [lamportsCall(bought), close(wrapped.account)];
    const venues = { programs: [PUMP_PROGRAM] };
    expect(judge([...around, ...unwrap('T'), ...end], venues)).toBe('handed out');
    expect(judge([...around, ...unwrap('T'), ...unwrap('U'), ...end], venues)).toBe('account-opening');
    // Paid out of the wallet's other lamports on top.
    const twice = [...around, ...unwrap('T'), swap(1n), ...end];
    expect(judge(twice, { programs: [PUMP_PROGRAM, VENUE] })).toBe('token-amount');
  });

  it('counts wrapped SOL that joins from elsewhere as spent', () => {
    const join = (amount: bigint) =>
      move(USER, WSOL_MINT, accountOf(USER, WSOL_MINT), wrapped.account, amount);
    expect(judge([...buy.slice(0, -2), join(991n), ...buy.slice(-2)])).toBe('token-amount');
  });

  it('refuses a message that somebody else pays, and more signers than pools', () => {
    expect(judge(buy, { user: STRANGER })).toBe('signers');
    const crowd = Array.from({ length: 6 }, (_, index) => call(VENUE, addressOf(30 + index)));
    expect(judge(crowd)).toBe('signers');
  });

  it('refuses bytes that are no message', () => {
    expect(() => assertSwapPolicy(new Uint8Array([128, 1]), BASE)).toThrow('POLICY_DENIED');
  });

  describe('from an aggregator', () => {
    const foreign = { byAggregator: true, programs: [AGGREGATOR] };
    const buy = buying(call(AGGREGATOR));
    const check = (amount: bigint, account = OUT) => move(USER, TOKEN_A, account, account, amount);

    it('takes it with a check of the minimum behind its last call and nobody beside the trader', () => {
      expect(judge([...buy, check(500n)], foreign)).toBe('handed out');
      expect(judge([...buy, call(AGGREGATOR, MAKER), check(500n)], foreign)).toBe('signers');
    });

    it.each([
      ['no check', buy],
      ['a check of less', [...buy, check(499n)]],
      ['a check before the last call', [...buy, check(500n), call(AGGREGATOR)]],
      ['a check of somebody’s account', [...buy, check(500n, STRANGER)]],
    ] as const)('refuses it with %s', (_what, own) => {
      expect(judge(own, foreign)).toBe('swap-check');
    });
  });
});
