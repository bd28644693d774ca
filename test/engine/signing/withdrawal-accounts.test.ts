import { type Instruction, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf, buildIntent, DESTINATION, INTENT_ID, MINT, TREASURY, WALLET } from '../intents/build.ts';

/** A transfer hook's accounts ride behind the four of a transfer, and its program runs with the wallet's signature. */
const BLOCKHASH = addressOf(99);

describe('a token withdrawal with a hook’s accounts', () => {
  const programs = createPrograms();
  const holding = programs.associatedTokenAddress(WALLET, MINT, TOKEN_2022_PROGRAM);
  const target = programs.associatedTokenAddress(DESTINATION, MINT, TOKEN_2022_PROGRAM);
  const params: IntentParams = {
    kind: 'withdraw-token',
    mint: MINT,
    tokenProgram: TOKEN_2022_PROGRAM,
    decimals: 6,
    destination: DESTINATION,
    amount: 1_000n,
    tier: 'normal',
  };
  const transfer = programs.transferToken({
    source: holding,
    mint: MINT,
    destination: target,
    owner: WALLET,
    amount: 1_000n,
    decimals: 6,
    tokenProgram: TOKEN_2022_PROGRAM,
  });
  const judged = (own: Instruction): string => {
    const { bytes } = createMessageCompiler().compile({
      payer: WALLET,
      blockhash: BLOCKHASH,
      instructions: [
        ...programs.computeBudget({ units: 50_000, microLamportsPerUnit: 1_000n }),
        programs.memo(INTENT_ID),
        programs.createAssociatedTokenAccount({
          payer: WALLET,
          owner: DESTINATION,
          mint: MINT,
          tokenProgram: TOKEN_2022_PROGRAM,
        }),
        own,
      ],
    });
    try {
      assertPolicy(bytes, {
        intent: buildIntent({ params }),
        wallet: WALLET,
        treasury: TREASURY,
        venuePrograms: [],
      });
      return 'signed';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const withMore = (count: number, writable: boolean): Instruction => ({
    ...transfer,
    accounts: [
      ...transfer.accounts,
      ...Array.from({ length: count }, (_, n) => ({ address: addressOf(100 + n), signer: false, writable })),
    ],
  });

  it('is not signed, however many there are and whatever they may be written', () => {
    expect(judged(transfer)).toBe('signed');
    for (const count of [1, 2, 3, 4]) {
      expect(judged(withMore(count, false)), `${count} to read`).toBe('POLICY_DENIED');
      expect(judged(withMore(count, true)), `${count} to write`).toBe('POLICY_DENIED');
    }
  });

  it('is not signed when an account of the wallet’s own stands behind it', () => {
    const own = { address: WALLET, signer: true, writable: true };
    expect(judged({ ...transfer, accounts: [...transfer.accounts, own] })).toBe('POLICY_DENIED');
  });
});
