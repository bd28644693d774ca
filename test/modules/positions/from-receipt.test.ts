import { WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { CreateTokenParams } from '../../../src/engine/intents/kinds/create-token/params.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import { foldEvents } from '../../../src/modules/positions/rules/fold-events.ts';
import { eventsOfReceipt, type ReceiptFacts } from '../../../src/modules/positions/rules/from-receipt.ts';
import { addressOf, DESTINATION, MINT, PARAMS } from '../../engine/intents/build.ts';

const INTERMEDIATE = addressOf(50);
const receipt = (change: Partial<LandedReceipt> = {}): LandedReceipt => ({
  signature: 'sig',
  slot: 5n,
  landedAt: 1_700_000_000_000,
  feeLamports: 6_000n,
  baseFeeLamports: 5_000n,
  priorityFeeLamports: 1_000n,
  walletLamportsDelta: -510_000_000n,
  tokenDeltas: [{ mint: MINT, delta: 700n }],
  rentLamports: 2_039_280n,
  platformFeeLamports: 5_000_000n,
  ...change,
});
const events = (params: IntentParams, more: Partial<LandedReceipt> = {}, facts: Partial<ReceiptFacts> = {}) =>
  eventsOfReceipt({
    intent: { id: 'intent', params, walletId: 'main' },
    terms: null,
    receipt: receipt(more),
    failed: false,
    final: true,
    now: 9,
    ownRecipient: null,
    ...facts,
  });

describe('events of a receipt', () => {
  it('cost a buy what left the wallet less the rent that comes back', () => {
    expect(events(PARAMS.buy)).toEqual([
      {
        walletId: 'main',
        mint: MINT,
        signature: 'sig',
        slot: 5n,
        at: 1_700_000_000_000,
        final: true,
        kind: 'buy',
        units: 700n,
        flowLamports: -507_960_720n,
        intentId: 'intent',
        networkFeeLamports: 6_000n,
        platformFeeLamports: 5_000_000n,
        rentLamports: 2_039_280n,
      },
    ]);
  });

  it('have no profit from the rent of an account that the sale closed', () => {
    const bought = events(PARAMS.buy);
    const sold = events(PARAMS.sell, {
      signature: 'sig2',
      slot: 6n,
      tokenDeltas: [{ mint: MINT, delta: -700n }],
      // As much as the purchase took, and the rent.
      walletLamportsDelta: 510_000_000n,
      rentLamports: -2_039_280n,
    });
    const [position] = [...foldEvents([...bought, ...sold]).positions.values()];
    expect(position).toMatchObject({ units: 0n, cost: 0n, realized: 0n });
  });

  it('cost a failed attempt its fee, and a failed withdrawal nothing that a position shows', () => {
    const failure = {
      walletLamportsDelta: -6_000n,
      tokenDeltas: [],
      rentLamports: 0n,
      platformFeeLamports: 0n,
    };
    expect(events(PARAMS.sell, failure, { failed: true })).toMatchObject([
      { kind: 'failed', feeLamports: 6_000n },
    ]);
    expect(events(PARAMS.withdrawSol, failure, { failed: true })).toEqual([]);
  });

  it('mark what a trade left over on its way, and take no wrapped SOL for a position', () => {
    const leg = { venue: 'desk', pool: addressOf(9), percent: 100 };
    const terms = {
      ...PARAMS.buy.terms,
      route: [
        { ...leg, from: null, to: INTERMEDIATE },
        { ...leg, from: INTERMEDIATE, to: WSOL_MINT },
        { ...leg, from: WSOL_MINT, to: null },
      ],
    };
    const tokenDeltas = [
      { mint: MINT, delta: 700n },
      { mint: INTERMEDIATE, delta: 3n },
      { mint: WSOL_MINT, delta: 5n },
    ];
    expect(events(PARAMS.buy, { tokenDeltas }, { terms })).toMatchObject([
      { kind: 'buy', mint: MINT, networkFeeLamports: 6_000n },
      { kind: 'remainder', mint: INTERMEDIATE, units: 3n, networkFeeLamports: 0n, platformFeeLamports: 0n },
    ]);
  });

  it('take the cost along in a transfer between own wallets, and only what arrived', () => {
    const params = {
      kind: 'withdraw-token',
      mint: MINT,
      tokenProgram: addressOf(90),
      decimals: 6,
      destination: DESTINATION,
      amount: 700n,
      tier: 'normal',
    } as const;
    const moved = { signature: 'sig2', slot: 6n, tokenDeltas: [{ mint: MINT, delta: -700n }] };
    const own = events(params, { ...moved, arrivedUnits: 693n }, { ownRecipient: { walletId: 'side' } });
    expect(own).toMatchObject([
      { kind: 'own-out', walletId: 'main', units: 700n },
      { kind: 'own-in', walletId: 'side', units: 693n },
    ]);
    const { positions, costUnderway } = foldEvents([...events(PARAMS.buy), ...own]);
    expect(costUnderway).toBe(0n);
    expect([...positions.values()].map(({ units, cost }) => [units, cost])).toEqual([
      [0n, 0n],
      [693n, 507_960_720n],
    ]);
    expect(events(params, moved)).toMatchObject([{ kind: 'withdrawn', units: 700n }]);
    expect(events(params, moved, { ownRecipient: { walletId: 'main' } })).toHaveLength(1);
  });

  it('cost a creation what does not come back, its first half included', () => {
    const params: CreateTokenParams = {
      kind: 'create-token',
      prepared: { mint: MINT, rentLamports: 1_461_600n, feeLamports: 5_000n },
      spec: {} as CreateTokenParams['spec'],
      way: 'native',
      uri: 'https://x.example',
      metadataHash: null,
      recordLamports: 0n,
      mintRentLamports: 1_461_600n,
      holdingRentLamports: 2_039_280n,
      feeLamports: 0n,
      tier: 'normal',
    };
    const landed = { walletLamportsDelta: -7_050_280n, rentLamports: 2_039_280n, createdMint: MINT };
    expect(events(params, landed)).toMatchObject([
      { kind: 'creation', units: 700n, costLamports: 5_011_000n + 1_466_600n },
    ]);
    // The supply went to somebody else.
    expect(events(params, { ...landed, tokenDeltas: [] })).toEqual([]);
  });
});
