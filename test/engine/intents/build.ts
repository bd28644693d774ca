import { type Address, addressFromBytes } from '@tradepost/solana';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { Attempt, Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { TradeTerms } from '../../../src/engine/intents/rules/terms.ts';
import type { IntentEvent, Landing } from '../../../src/engine/intents/rules/transition.ts';
import type { LandingLook } from '../../../src/engine/intents/rules/verdict.ts';

export function addressOf(seed: number): Address {
  return addressFromBytes(new Uint8Array(32).fill(seed));
}

export const NOW = 1_700_000_000_000;
export const INTENT_ID = '01J8ZQ6Y7V3M9T2K4C5D6E7F01';
export const WALLET = addressOf(1);
export const TREASURY = addressOf(2);
export const DESTINATION = addressOf(3);
export const MINT = addressOf(4);

const TERMS: TradeTerms = {
  amountIn: 500_000_000n,
  quotedOut: 1_000n,
  minOut: 950n,
  platformFeeLamports: 5_000_000n,
  priceImpactBps: 10,
  slippageBps: 500,
  route: [{ venue: 'desk', pool: addressOf(9), percent: 100, from: null, to: null }],
};

export const PARAMS = {
  withdrawSol: {
    kind: 'withdraw-sol',
    destination: DESTINATION,
    lamports: 1_000_000_000n,
    everything: false,
    tier: 'normal',
  },
  buy: { kind: 'buy', mint: MINT, lamportsIn: 500_000_000n, terms: TERMS, tier: 'normal' },
  sell: { kind: 'sell', mint: MINT, amountIn: 5_000n, terms: { ...TERMS, amountIn: 5_000n }, tier: 'normal' },
} as const satisfies Record<string, IntentParams>;

export function buildIntent(overrides: Partial<Intent> = {}): Intent {
  const params = overrides.params ?? PARAMS.withdrawSol;
  return {
    id: INTENT_ID,
    receipt: 'R-7F3K2AB',
    kind: params.kind,
    userId: 'user-1',
    walletId: 'wallet-1',
    idemKey: 'key-1',
    confirmation: null,
    params,
    status: 'CREATED',
    notBefore: null,
    leaseOwner: null,
    leaseUntil: null,
    leaseEpoch: 0,
    outcome: null,
    createdAt: NOW,
    updatedAt: NOW,
    ...overrides,
  };
}

export function buildAttempt(overrides: Partial<Attempt> = {}): Attempt {
  const n = overrides.n ?? 1;
  return {
    id: `attempt-${n}`,
    intentId: INTENT_ID,
    n,
    signedTransaction: new Uint8Array(100).fill(n),
    signature: `signature-${n}`,
    blockhash: 'hash',
    lastValidBlockHeight: 1_000n,
    signedSlot: 900n,
    signedAt: NOW,
    status: 'SIGNED',
    sendCount: 0,
    lastSentAt: null,
    landedSlot: null,
    chainError: null,
    deathProof: null,
    landingProof: null,
    terms: null,
    ...overrides,
  };
}

/** One endpoint's word that an attempt is final: one of two, with a record that bears it out. */
export function landingLook(change: Partial<LandingLook> = {}): LandingLook {
  return {
    endpoint: 'a',
    endpoints: 2,
    at: NOW,
    slot: 950n,
    err: null,
    priceMoved: false,
    effect: 'shown',
    sums: '5000/-5000/0',
    ...change,
  };
}

/** Two endpoints say the same. */
export function finalizedEvent(landing: Landing): Extract<IntentEvent, { kind: 'finalized' }> {
  const { slot, err, priceMoved } = landing;
  const looks = ['a', 'b'].map((endpoint) => landingLook({ endpoint, slot, err, priceMoved }));
  return { kind: 'finalized', ...landing, looks, doubts: 0 };
}
