import {
  type AccountMeta,
  type Address,
  DONT_FRONT,
  type Instruction,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import { type TipTerms, tipOfAttempt } from '../../../src/engine/intents/rules/tip-terms.ts';
import type { TipRules } from '../../../src/engine/signing/rules/kind-policy.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf, buildIntent, INTENT_ID, MINT, PARAMS, TREASURY, WALLET } from '../intents/build.ts';

const programs = createPrograms();
const compiler = createMessageCompiler();
const EIGHT = Array.from({ length: 8 }, (_, at) => addressOf(200 + at));
const NINTH = addressOf(210);
const OTHERS = addressOf(220);
const MAKER = addressOf(77);
const STRANGER = addressOf(66);
const CAP = 5_000_000n;
const RULES: TipRules = { accounts: { jito: EIGHT, sender: [OTHERS] }, capLamports: CAP };
const TIP: TipTerms = {
  sender: 'jito',
  protects: true,
  to: addressOf(203),
  lamports: 10_000n,
  atMost: 20_000n,
};

const ata = (owner: Address, mint = MINT): Address =>
  programs.associatedTokenAddress(owner, mint, TOKEN_PROGRAM);
const pay = (to: Address, lamports: bigint, from: Address = WALLET): Instruction =>
  programs.transferSol({ from, to, lamports });
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

/** A sale to a maker for the confirmed minimum: what the policy signs without a tip. */
function sale(): readonly Instruction[] {
  const wrapped = programs.openWrappedSol({
    owner: WALLET,
    seed: 'attempt',
    lamports: 0n,
    rentLamports: 2_039_280n,
  });
  const { terms, amountIn } = PARAMS.sell;
  const units = { decimals: 6, tokenProgram: TOKEN_PROGRAM } as const;
  return [
    ...wrapped.instructions,
    programs.transferToken({
      ...units,
      source: ata(WALLET),
      mint: MINT,
      destination: addressOf(78),
      owner: WALLET,
      amount: amountIn,
    }),
    programs.transferToken({
      ...units,
      source: addressOf(80),
      mint: WSOL_MINT,
      destination: wrapped.account,
      owner: MAKER,
      amount: terms.minOut + terms.platformFeeLamports,
      decimals: 9,
    }),
    programs.closeTokenAccount({ account: wrapped.account, owner: WALLET, tokenProgram: TOKEN_PROGRAM }),
    pay(TREASURY, terms.platformFeeLamports),
  ];
}

function judged(
  own: readonly Instruction[],
  params: IntentParams = { ...PARAMS.sell, tip: TIP },
  tips: TipRules | null = RULES,
): PolicyRule | 'signed' {
  const budget = programs.computeBudget({ units: 50_000, microLamportsPerUnit: 1_000n });
  const instructions = [...budget, programs.memo(INTENT_ID), ...own];
  const { bytes } = compiler.compile({ payer: WALLET, instructions, blockhash: addressOf(99) });
  const intent = buildIntent({ params });
  const venuePrograms: readonly Address[] = [];
  const context = { intent, wallet: WALLET, treasury: TREASURY, venuePrograms };
  try {
    assertPolicy(bytes, tips === null ? context : { ...context, tips });
    return 'signed';
  } catch (error) {
    return (error as { details: { rule: PolicyRule } }).details.rule;
  }
}

describe('the policy’s rule for a tip', () => {
  it('signs the confirmed tip at the end, to any amount up to what was confirmed, and none', () => {
    expect(judged([...sale(), pay(TIP.to, 10_000n)])).toBe('signed');
    expect(judged([...sale(), pay(TIP.to, 20_000n)])).toBe('signed');
    expect(judged(sale())).toBe('signed');
  });

  it('signs a third account that asks not to be run ahead of', () => {
    expect(judged([...sale(), and(pay(TIP.to, 10_000n), asks())])).toBe('signed');
  });

  it.each<readonly [string, readonly Instruction[]]>([
    ['one lamport more than was confirmed', [...sale(), pay(TIP.to, 20_001n)]],
    ['a third account that signs', [...sale(), and(pay(TIP.to, 10_000n), asks({ signer: true }))]],
    ['a third account that is written', [...sale(), and(pay(TIP.to, 10_000n), asks({ writable: true }))]],
    ['a third account of another name', [...sale(), and(pay(TIP.to, 10_000n), asks({ address: STRANGER }))]],
    ['a fourth account', [...sale(), and(pay(TIP.to, 10_000n), asks(), asks({ address: STRANGER }))]],
    ['two tips', [...sale(), pay(TIP.to, 10_000n), pay(TIP.to, 10_000n)]],
    ['a second tip to another account of the sender', [...sale(), pay(EIGHT[0]!, 1n), pay(TIP.to, 10_000n)]],
    ['a tip to another account than the confirmed', [...sale(), pay(EIGHT[0]!, 10_000n)]],
    ['a tip to the account of another sender', [...sale(), pay(OTHERS, 10_000n)]],
    ['a tip that is not the last instruction', [pay(TIP.to, 10_000n), ...sale()]],
  ])('refuses %s', (_title, own) => {
    expect(judged(own)).toBe('tip');
  });

  it('refuses a tip of somebody else, who would have to sign', () => {
    expect(judged([...sale(), pay(TIP.to, 10_000n, STRANGER)])).toBe('tip');
  });

  it('refuses a ninth account, which the operator’s list does not have, though the row names it', () => {
    const params = { ...PARAMS.sell, tip: { ...TIP, to: NINTH } };
    expect(judged([...sale(), pay(NINTH, 10_000n)], params)).toBe('tip');
    expect(judged([...sale(), pay(OTHERS, 10_000n)], { ...PARAMS.sell, tip: { ...TIP, to: OTHERS } })).toBe(
      'tip',
    );
  });

  it('refuses more than the operator’s cap, though the row allows it, and every tip where no cap is known', () => {
    const params = { ...PARAMS.sell, tip: { ...TIP, atMost: CAP * 10n } };
    expect(judged([...sale(), pay(TIP.to, CAP)], params)).toBe('signed');
    expect(judged([...sale(), pay(TIP.to, CAP + 1n)], params)).toBe('tip');
    expect(judged([...sale(), pay(TIP.to, 1n)], params, null)).toBe('tip');
  });

  it('refuses a tip where none was confirmed, and on a withdrawal', () => {
    expect(judged([...sale(), pay(TIP.to, 1n)], PARAMS.sell)).toBe('tip');
    const { destination, lamports } = PARAMS.withdrawSol;
    expect(judged([pay(destination, lamports)], PARAMS.withdrawSol)).toBe('signed');
    expect(judged([pay(destination, lamports), pay(TIP.to, 1n)], PARAMS.withdrawSol)).toBe('tip');
    const smuggled = { ...PARAMS.withdrawSol, tip: TIP } as IntentParams;
    expect(judged([pay(destination, lamports), pay(TIP.to, 1n)], smuggled)).toBe('tip');
  });

  it('still judges the rest: a sale that brings too little is refused with a right tip', () => {
    const poor = sale().filter((_, at) => at !== 3);
    expect(judged([...poor, pay(TIP.to, 10_000n)])).toBe('token-amount');
  });
});

describe('the tip of an attempt', () => {
  it('is half as much again with each attempt, and never above what was confirmed', () => {
    expect([1, 2, 3, 40].map((n) => tipOfAttempt(TIP, n))).toEqual([10_000n, 15_000n, 20_000n, 20_000n]);
  });
});
