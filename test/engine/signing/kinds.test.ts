import { describe, expect, it } from 'vitest';
import { SETTLEMENTS } from '../../../src/engine/intents/kinds/index.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import { INTENT_KINDS } from '../../../src/engine/intents/kinds/rules.ts';
import { assertPolicy, readsHoldings } from '../../../src/engine/signing/rules/policy.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf, buildIntent, INTENT_ID, TREASURY, WALLET } from '../intents/build.ts';

const programs = createPrograms();

/** 5 SOL to a stranger. */
const { bytes } = createMessageCompiler().compile({
  payer: WALLET,
  blockhash: addressOf(99),
  instructions: [
    programs.memo(INTENT_ID),
    programs.transferSol({ from: WALLET, to: addressOf(66), lamports: 5_000_000_000n }),
  ],
});
const judge = (params: object): unknown => {
  try {
    assertPolicy(bytes, {
      intent: buildIntent({ params: params as IntentParams }),
      wallet: WALLET,
      treasury: TREASURY,
      venuePrograms: [],
    });
    return 'signed';
  } catch (error) {
    return (error as { details?: { rule: unknown } }).details?.rule;
  }
};

describe('a kind of intent without a rule', () => {
  it.each(['burn', '', 'toString', '__proto__', 'constructor'])('is denied: %s', (kind) => {
    expect(judge({ kind, tier: 'normal' })).toBe('kind');
  });
});

describe('the list of kinds', () => {
  it('is the list that settlements and the policy have too', () => {
    expect(new Set(Object.keys(SETTLEMENTS))).toEqual(new Set(INTENT_KINDS));
    expect(INTENT_KINDS).toHaveLength(10);
    expect(INTENT_KINDS.filter((kind) => judge({ kind, tier: 'normal' }) === 'kind')).toEqual([]);
  });
});

describe('what a wallet holds', () => {
  it('is asked for where an outcome can only be proved by a balance, and nowhere else', () => {
    expect(INTENT_KINDS.filter(readsHoldings).toSorted()).toEqual(['buy', 'close-accounts', 'sell']);
  });
});
