import {
  type AccountMeta,
  type Address,
  DONT_FRONT,
  type Instruction,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import type { TipTerms } from '../../../src/engine/intents/rules/tip-terms.ts';
import type { TipRules } from '../../../src/engine/signing/rules/kind-policy.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { assertSwapPolicy, type SwapPolicyContext } from '../../../src/engine/signing/rules/swap-policy.ts';
import { tipPaidTo } from '../../../src/engine/signing/rules/tip-rule.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf } from '../intents/build.ts';
import { look } from './look.ts';
import { venueCall } from './venue-call.ts';

const programs = createPrograms();
const [USER, PAYER, STRANGER, TOKEN] = [addressOf(1), addressOf(5), addressOf(3), addressOf(10)];
const EIGHT = Array.from({ length: 8 }, (_, at) => addressOf(200 + at));
const [FIRST, TO] = [addressOf(200), addressOf(203)];
const [NINTH, OTHERS] = [addressOf(210), addressOf(220)];
const CAP = 5_000_000n;
const TIPS: TipRules = { accounts: { jito: EIGHT, sender: [OTHERS] }, capLamports: CAP };
const TIP: TipTerms = { sender: 'jito', protects: true, to: TO, lamports: 10_000n, atMost: 10_000n };

const pay = (to: Address, lamports: bigint, from = USER) => programs.transferSol({ from, to, lamports });
const and = (instruction: Instruction, ...more: readonly AccountMeta[]): Instruction => ({
  ...instruction,
  accounts: [...instruction.accounts, ...more],
});
const asks = (change: Partial<AccountMeta> = {}): AccountMeta => ({
  address: DONT_FRONT,
  signer: false,
  writable: false,
  ...change,
});
const tip = and(pay(TO, 10_000n), asks());

/** A purchase for 1,000 lamports that is handed out without a tip. */
function purchase(): readonly Instruction[] {
  const wrap = programs.openWrappedSol({
    owner: USER,
    seed: 'S',
    lamports: 1_000n,
    rentLamports: 2_039_280n,
  });
  const account = programs.associatedTokenAddress(USER, TOKEN, TOKEN_PROGRAM);
  return [
    programs.createAssociatedTokenAccount({
      payer: USER,
      owner: USER,
      mint: TOKEN,
      tokenProgram: TOKEN_PROGRAM,
    }),
    ...wrap.instructions,
    venueCall({ owner: USER, source: wrap.account, destination: account, amountIn: 1_000n, minOut: 500n }),
    programs.closeTokenAccount({ account: wrap.account, owner: USER, tokenProgram: TOKEN_PROGRAM }),
  ];
}

function judge(
  own: readonly Instruction[],
  more: Partial<SwapPolicyContext> = {},
): PolicyRule | 'handed out' {
  const { bytes } = createMessageCompiler().compile({
    payer: more.feePayer ?? USER,
    blockhash: addressOf(99),
    instructions: own,
  });
  try {
    assertSwapPolicy(bytes, {
      user: USER,
      feePayer: null,
      destination: null,
      solAsToken: false,
      mintIn: WSOL_MINT,
      mintOut: TOKEN,
      amount: 1_000n,
      intermediates: [],
      minOut: 500n,
      referrer: null,
      lookupTables: [],
      programs: [RAYDIUM_CPMM_PROGRAM],
      priority: { tier: 'normal', capLamports: null },
      byAggregator: false,
      associated: (...parts) => programs.associatedTokenAddress(...parts),
      held: look(bytes, USER, []),
      tokenAccountRent: 2_039_280n,
      tip: TIP,
      tips: TIPS,
      ...more,
    });
    return 'handed out';
  } catch (error) {
    return (error as { details: { rule: PolicyRule } }).details.rule;
  }
}

describe('a tip behind a swap that another person signs', () => {
  it('is handed out exactly as it was asked for, with and without the wish not to be run ahead of', () => {
    expect(judge([...purchase(), tip])).toBe('handed out');
    expect(judge([...purchase(), pay(TO, 10_000n)])).toBe('handed out');
    expect(judge(purchase(), { tip: null })).toBe('handed out');
    expect(judge([...purchase(), tip], { feePayer: PAYER })).toBe('handed out');
  });

  it.each<readonly [string, readonly Instruction[], Partial<SwapPolicyContext>]>([
    ['a ninth account', [...purchase(), pay(NINTH, 10_000n)], {}],
    ['a ninth account that was named', [...purchase(), pay(NINTH, 10_000n)], { tip: { ...TIP, to: NINTH } }],
    ['two tips', [...purchase(), tip, tip], {}],
    ['a second tip to another account of the sender', [...purchase(), pay(FIRST, 1n), tip], {}],
    ['a tip that is not the last', [tip, ...purchase()], {}],
    ['something behind the tip', [...purchase(), tip, pay(STRANGER, 1n)], {}],
    ['a tip to the other sender', [...purchase(), pay(OTHERS, 10_000n)], {}],
    [
      'the other sender’s account as its own',
      [...purchase(), pay(OTHERS, 10_000n)],
      { tip: { ...TIP, to: OTHERS } },
    ],
    ['a third account that signs', [...purchase(), and(pay(TO, 10_000n), asks({ signer: true }))], {}],
    ['a third account that is written', [...purchase(), and(pay(TO, 10_000n), asks({ writable: true }))], {}],
    [
      'a third account of another name',
      [...purchase(), and(pay(TO, 10_000n), asks({ address: STRANGER }))],
      {},
    ],
    ['one lamport more than the answer says', [...purchase(), pay(TO, 10_001n)], {}],
    ['one lamport less than the answer says', [...purchase(), pay(TO, 9_999n)], {}],
    ['no tip where the answer says one', purchase(), {}],
    ['a tip where none was asked for', [...purchase(), tip], { tip: null }],
    [
      'a tip above the cap',
      [...purchase(), pay(TO, CAP + 1n)],
      { tip: { ...TIP, lamports: CAP + 1n, atMost: CAP + 1n } },
    ],
    ['a tip while no account is stored', [...purchase(), tip], { tips: { accounts: {}, capLamports: CAP } }],
  ])('is withheld with %s', (_what, own, more) => {
    expect(judge(own, more)).toBe('swap-tip');
  });

  it('is never paid by the fee payer or by a stranger', () => {
    const byPayer = [...purchase(), and(pay(TO, 10_000n, PAYER), asks())];
    expect(judge(byPayer, { feePayer: PAYER })).toBe('swap-payer');
    expect(judge([...purchase(), pay(TO, 10_000n, STRANGER)])).toBe('swap-tip');
  });

  it('lets through nothing else that moves lamports', () => {
    expect(judge([...purchase(), pay(STRANGER, 1n), tip])).toBe('sol-destination');
  });
});

describe('what a message pays a sender', () => {
  it('is the most of its plain transfers to one of the accounts', () => {
    expect(tipPaidTo([pay(FIRST, 3n), pay(TO, 7n), pay(OTHERS, 90n), pay(STRANGER, 900n)], EIGHT)).toBe(7n);
    expect(tipPaidTo([and(pay(TO, 7n), asks())], EIGHT)).toBe(7n);
    expect(tipPaidTo(purchase(), EIGHT)).toBe(0n);
    expect(tipPaidTo([pay(TO, 7n)], [])).toBe(0n);
  });
});
