import { type Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { PayoutParams } from '../../../src/engine/intents/kinds/payout/params.ts';
import { policy as payoutPolicy } from '../../../src/engine/intents/kinds/payout/policy.ts';
import { policy as withdrawSolPolicy } from '../../../src/engine/intents/kinds/withdraw-sol/policy.ts';
import type { WithdrawTokenParams } from '../../../src/engine/intents/kinds/withdraw-token/params.ts';
import { policy as withdrawTokenPolicy } from '../../../src/engine/intents/kinds/withdraw-token/policy.ts';
import type { WalletAction } from '../../../src/engine/signing/rules/decode-instruction.ts';
import type { PolicyContext } from '../../../src/engine/signing/rules/kind-policy.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { checkFee, isCommon } from '../../../src/engine/signing/rules/read-message.ts';
import { PRIORITY_TIERS, type PriorityTier } from '../../../src/modules/settings/rules/settings.ts';
import { addressOf, buildIntent, DESTINATION, MINT, PARAMS, TREASURY, WALLET } from '../intents/build.ts';

const [ACCOUNT, STRANGER, PROGRAM] = [addressOf(40), addressOf(66), addressOf(80)];
const CONTEXT: PolicyContext = {
  intent: buildIntent({}),
  wallet: WALLET,
  treasury: TREASURY,
  venuePrograms: [],
};
/** What these kinds look at. */
const part = (actions: readonly WalletAction[]) => ({ signers: [WALLET], instructions: [], actions });
type Of<K extends WalletAction['kind']> = Extract<WalletAction, { kind: K }>;

const pay = (to: Address, lamports: bigint): WalletAction => ({
  kind: 'transfer-sol',
  from: WALLET,
  to,
  lamports,
});
const opened = (change: Partial<Of<'create-associated'>> = {}): WalletAction => ({
  kind: 'create-associated',
  payer: WALLET,
  account: ACCOUNT,
  owner: DESTINATION,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM,
  ...change,
});
const moved = (amount: bigint, change: Partial<Of<'transfer-token'>> = {}): WalletAction => ({
  kind: 'transfer-token',
  tokenProgram: TOKEN_PROGRAM,
  source: addressOf(41),
  mint: MINT,
  destination: ACCOUNT,
  authority: WALLET,
  amount,
  extraAccounts: 0,
  ...change,
});
const foreign: WalletAction = { kind: 'foreign', programId: PROGRAM, writes: [] };
const router: WalletAction = { kind: 'router-call', programId: PROGRAM, call: null, writes: [] };
const close: WalletAction = {
  kind: 'close-token-account',
  account: ACCOUNT,
  destination: WALLET,
  authority: WALLET,
};

const ruleOf = (judge: () => void): PolicyRule | 'signed' => {
  try {
    judge();
    return 'signed';
  } catch (error) {
    const { code, details } = error as { code: string; details: { rule: PolicyRule } };
    expect(code).toBe('POLICY_DENIED');
    return details.rule;
  }
};

type Case = readonly [string, readonly WalletAction[], PolicyRule | 'signed'];

describe('a withdrawal of SOL', () => {
  const { withdrawSol } = PARAMS;
  const whole = pay(DESTINATION, withdrawSol.lamports);

  it.each<Case>([
    ['the payment', [whole], 'signed'],
    ['another amount', [pay(DESTINATION, withdrawSol.lamports - 1n)], 'sol-amount'],
    ['another recipient', [pay(STRANGER, withdrawSol.lamports)], 'sol-destination'],
    ['nothing', [], 'instruction'],
    ['a second payment', [whole, whole], 'instruction'],
    ['a program’s call behind it', [whole, foreign], 'program'],
    ['the router’s call behind it', [whole, router], 'program'],
    ['a close behind it', [whole, close], 'instruction'],
    ['a program’s call before it', [foreign, whole], 'program'],
    ['a close before it', [close, foreign], 'instruction'],
    ['a program’s call alone', [foreign], 'program'],
    ['a close alone', [close], 'instruction'],
  ])('with %s', (_what, actions, rule) => {
    expect(ruleOf(() => withdrawSolPolicy.judge(part(actions), withdrawSol, CONTEXT))).toBe(rule);
  });

  it('of everything leaves the amount open, and the recipient not', () => {
    const all = { ...withdrawSol, everything: true };
    expect(ruleOf(() => withdrawSolPolicy.judge(part([pay(DESTINATION, 7n)]), all, CONTEXT))).toBe('signed');
    expect(ruleOf(() => withdrawSolPolicy.judge(part([pay(STRANGER, 7n)]), all, CONTEXT))).toBe(
      'sol-destination',
    );
  });
});

describe('a withdrawal of tokens', () => {
  const params: WithdrawTokenParams = {
    kind: 'withdraw-token',
    mint: MINT,
    tokenProgram: TOKEN_PROGRAM,
    decimals: 6,
    destination: DESTINATION,
    amount: 500n,
    tier: 'normal',
  };

  it.each<Case>([
    ['all of it at once', [opened(), moved(500n)], 'signed'],
    ['all of it from two accounts', [opened(), moved(200n), moved(300n)], 'signed'],
    ['too much', [opened(), moved(501n)], 'token-amount'],
    ['too little', [opened(), moved(499n)], 'token-amount'],
    ['an account and no transfer', [opened()], 'token-amount'],
    ['nothing', [], 'token-amount'],
    ['an account that nothing proves', [moved(500n)], 'token-destination'],
    ['the proof behind the transfer', [moved(500n), opened()], 'token-destination'],
    ['a stranger’s account', [opened({ owner: STRANGER }), moved(500n)], 'account-opening'],
    ['an account of another token', [opened({ mint: STRANGER }), moved(500n)], 'account-opening'],
    [
      'an account of another program',
      [opened({ tokenProgram: TOKEN_2022_PROGRAM }), moved(500n)],
      'account-opening',
    ],
    ['another destination', [opened(), moved(500n, { destination: STRANGER })], 'token-destination'],
    ['another token', [opened(), moved(500n, { mint: STRANGER })], 'token-destination'],
    [
      'another token program',
      [opened(), moved(500n, { tokenProgram: TOKEN_2022_PROGRAM })],
      'token-destination',
    ],
    ['somebody else’s tokens', [opened(), moved(500n, { authority: STRANGER })], 'instruction'],
    ['an account for a hook', [opened(), moved(500n, { extraAccounts: 1 })], 'instruction'],
    ['a program’s call', [opened(), moved(500n), foreign], 'program'],
    ['the router’s call', [opened(), moved(500n), router], 'program'],
    ['a close', [opened(), moved(500n), close], 'instruction'],
    ['a payment', [opened(), moved(500n), pay(DESTINATION, 1n)], 'instruction'],
  ])('with %s', (_what, actions, rule) => {
    expect(ruleOf(() => withdrawTokenPolicy.judge(part(actions), params, CONTEXT))).toBe(rule);
  });
});

describe('a payout', () => {
  const [A, B] = [addressOf(31), addressOf(32)];
  const params: PayoutParams = {
    kind: 'payout',
    items: [
      { inviterId: 'a', recipient: A, lamports: 5n },
      { inviterId: 'b', recipient: B, lamports: 7n },
      { inviterId: 'c', recipient: A, lamports: 9n },
    ],
  };
  const whole = [pay(A, 5n), pay(B, 7n), pay(A, 9n)];

  it.each<Case>([
    ['each debt', whole, 'signed'],
    ['each debt in another order', whole.toReversed(), 'signed'],
    ['one debt not paid', whole.slice(1), 'sol-amount'],
    ['one debt paid twice in another’s place', [pay(A, 5n), pay(B, 7n), pay(A, 5n)], 'sol-amount'],
    ['two debts paid as one', [pay(A, 14n), pay(B, 7n)], 'sol-amount'],
    ['one inviter’s amount paid to the other', [pay(A, 7n), pay(B, 5n), pay(A, 9n)], 'sol-amount'],
    ['a debt paid once more', [...whole, pay(B, 7n)], 'sol-destination'],
    ['a stranger paid', [...whole, pay(STRANGER, 7n)], 'sol-destination'],
    ['a stranger paid what is owed', [pay(STRANGER, 7n), ...whole], 'sol-destination'],
    ['nothing', [], 'sol-amount'],
    ['a program’s call', [...whole, foreign], 'program'],
    ['the router’s call', [...whole, router], 'program'],
    ['a close', [...whole, close], 'instruction'],
  ])('with %s', (_what, actions, rule) => {
    expect(ruleOf(() => payoutPolicy.judge(part(actions), params, CONTEXT))).toBe(rule);
  });
});

describe('the fee of a message', () => {
  const limit = (units: number): WalletAction => ({ kind: 'compute-limit', units });
  const price = (microLamports: bigint): WalletAction => ({ kind: 'compute-price', microLamports });
  const judged = (actions: readonly WalletAction[], tier: PriorityTier = 'normal') =>
    ruleOf(() => checkFee({ actions, config: null, instructions: [] }, tier));

  it.each(['economy', 'normal', 'fast', 'turbo'] as const)(
    'is at most what %s allows, rounded up',
    (tier) => {
      const cap = PRIORITY_TIERS[tier].capLamports;
      expect(judged([limit(1_000_000), price(cap)], tier)).toBe('signed');
      expect(judged([limit(1_000_000), price(cap + 1n)], tier)).toBe('priority-fee');
      expect(judged([limit(1), price(cap * 1_000_000n)], tier)).toBe('signed');
      expect(judged([limit(1), price(cap * 1_000_000n + 1n)], tier)).toBe('priority-fee');
    },
  );

  it('is counted by the chain’s own limit for each instruction where the message sets none', () => {
    // Five instructions, the price among them: a million units.
    const four = [pay(DESTINATION, 1n), close, foreign, router];
    const cap = PRIORITY_TIERS.normal.capLamports;
    expect(judged([...four, price(cap)])).toBe('signed');
    expect(judged([...four, price(cap + 1n)])).toBe('priority-fee');
    expect(judged(four)).toBe('signed');
    expect(judged([limit(1_400_000)])).toBe('signed');
  });

  it('is set once', () => {
    expect(judged([limit(1), limit(1)])).toBe('compute-budget');
    expect(judged([price(1n), price(1n)])).toBe('compute-budget');
  });

  it('and the memo are all that no rule of a kind sees', () => {
    expect(isCommon(limit(1))).toBe(true);
    expect(isCommon(price(1n))).toBe(true);
    expect(isCommon({ kind: 'memo', text: null, signers: 0 })).toBe(true);
    for (const one of [pay(DESTINATION, 1n), opened(), moved(1n), foreign, router, close]) {
      expect(isCommon(one)).toBe(false);
    }
  });
});
