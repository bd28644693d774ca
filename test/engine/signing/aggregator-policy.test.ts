import { type Address, type Instruction, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf, buildIntent, INTENT_ID, MINT, PARAMS, TREASURY, WALLET } from '../intents/build.ts';
import { look } from './look.ts';

const programs = createPrograms();
const MAKER = addressOf(77);
const AGGREGATOR = addressOf(80);
const ACCOUNT = programs.associatedTokenAddress(WALLET, MINT, TOKEN_PROGRAM);
const open = programs.createAssociatedTokenAccount({
  payer: WALLET,
  owner: WALLET,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM,
});

describe('the policy on an aggregator’s swap', () => {
  const swap: Instruction = {
    programId: AGGREGATOR,
    accounts: [{ address: WALLET, signer: true, writable: true }],
    data: new Uint8Array([1]),
  };
  const check = (amount: bigint, account: Address = ACCOUNT, mint: Address = MINT): Instruction =>
    programs.transferToken({
      source: account,
      destination: account,
      mint,
      amount,
      owner: WALLET,
      decimals: 6,
      tokenProgram: TOKEN_PROGRAM,
    });
  const message = (own: readonly Instruction[]) =>
    createMessageCompiler().compile({
      payer: WALLET,
      blockhash: addressOf(99),
      instructions: [programs.memo(INTENT_ID), ...own],
    }).bytes;
  const judgeBuy = (own: readonly Instruction[], on = true): PolicyRule | 'signed' => {
    try {
      assertPolicy(message(own), {
        intent: buildIntent({ params: PARAMS.buy }),
        wallet: WALLET,
        treasury: TREASURY,
        venuePrograms: [],
        aggregatorPrograms: on ? [AGGREGATOR] : [],
        tokenAccountRent: 2_039_280n,
        held: look(message(own), WALLET, []),
      });
      return 'signed';
    } catch (error) {
      return (error as { details: { rule: PolicyRule } }).details.rule;
    }
  };
  const least = PARAMS.buy.terms.minOut;

  it('signs it when a check of at least the confirmed minimum stands behind it', () => {
    expect(judgeBuy([open, swap, check(least)])).toBe('signed');
  });

  it('refuses it while the aggregator is switched off', () => {
    expect(judgeBuy([open, swap, check(least)], false)).toBe('program');
  });

  it.each([
    ['no check', [open, swap]],
    ['the check before it', [open, check(least), swap]],
    ['a check between two of them', [open, swap, check(least), swap]],
    ['a check of less', [open, swap, check(least - 1n)]],
    ['a check of another account', [open, swap, check(least, addressOf(66))]],
    ['a check of another token', [open, swap, check(least, ACCOUNT, WSOL_MINT)]],
  ] as const)('refuses it with %s', (_title, own) => {
    expect(judgeBuy(own)).toBe('swap-check');
  });

  it('refuses it beside a second signer', () => {
    const cosigned = {
      ...swap,
      accounts: [...swap.accounts, { address: MAKER, signer: true, writable: false }],
    };
    expect(judgeBuy([open, cosigned, check(least)])).toBe('signers');
  });
});
