import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressFromBytes } from '../../../src/core/address/address.ts';
import type { IntentOutcome } from '../../../src/core/intents/intent.ts';
import { CorruptRowError } from '../../../src/core/intents/json-reader.ts';
import type { IntentParams, TradeTerms } from '../../../src/core/intents/params.ts';
import {
  decodeOutcome,
  decodeParams,
  decodeTerms,
  encodeOutcome,
  encodeParams,
  encodeTerms,
} from '../../../src/core/intents/params-codec.ts';
import type { TokenSpec } from '../../../src/core/mint/token-spec.ts';
import { PARAMS } from './build.ts';

const anAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressFromBytes);
const anAmount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const aDelta = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n });
const aTier = fc.constantFrom('economy' as const, 'normal' as const, 'fast' as const, 'turbo' as const);
const someTerms: fc.Arbitrary<TradeTerms> = fc.record({
  amountIn: anAmount,
  quotedOut: anAmount,
  minOut: anAmount,
  platformFeeLamports: anAmount,
  priceImpactBps: fc.nat(10_000),
  slippageBps: fc.nat(10_000),
  route: fc.array(
    fc.record({
      venue: fc.string(),
      pool: anAddress,
      percent: fc.nat(100),
      from: fc.option(anAddress),
      to: fc.option(anAddress),
    }),
    { maxLength: 3 },
  ),
});
const someSpec: fc.Arbitrary<TokenSpec> = fc.record({
  program: fc.constantFrom('token' as const, 'token2022' as const),
  name: fc.string(),
  symbol: fc.string(),
  decimals: fc.nat(18),
  supply: anAmount,
  mintTo: anAddress,
  mintAuthority: fc.boolean(),
  freezeAuthority: fc.boolean(),
  updateAuthority: fc.boolean(),
  extensions: fc.record({
    transferFee: fc.option(
      fc.record({
        configAuthority: anAddress,
        withdrawalAuthority: anAddress,
        bps: fc.nat(10_000),
        maximum: anAmount,
      }),
    ),
    permanentDelegate: fc.option(anAddress),
    defaultAccountState: fc.option(fc.constantFrom('initialized' as const, 'frozen' as const)),
    interest: fc.option(fc.record({ authority: anAddress, bps: fc.nat(10_000) })),
    mintCloseAuthority: fc.option(anAddress),
    nonTransferable: fc.boolean(),
  }),
});
const someParams: fc.Arbitrary<IntentParams> = fc.oneof(
  fc.record({
    kind: fc.constant('withdraw-sol' as const),
    destination: anAddress,
    lamports: anAmount,
    everything: fc.boolean(),
    tier: aTier,
  }),
  fc.record({
    kind: fc.constant('withdraw-token' as const),
    mint: anAddress,
    tokenProgram: anAddress,
    decimals: fc.nat(255),
    destination: anAddress,
    amount: anAmount,
    tier: aTier,
  }),
  fc.record({
    kind: fc.constant('buy' as const),
    mint: anAddress,
    lamportsIn: anAmount,
    terms: someTerms,
    tier: aTier,
  }),
  fc.record({
    kind: fc.constant('sell' as const),
    mint: anAddress,
    amountIn: anAmount,
    terms: someTerms,
    tier: aTier,
  }),
  fc.record({
    kind: fc.constant('payout' as const),
    items: fc.array(fc.record({ inviterId: fc.string(), recipient: anAddress, lamports: anAmount })),
  }),
  fc.record({
    kind: fc.constant('create-token' as const),
    spec: someSpec,
    way: fc.constantFrom('native' as const, 'metaplex' as const, 'none' as const),
    uri: fc.string(),
    metadataHash: fc.option(fc.string()),
    recordLamports: anAmount,
    mintRentLamports: anAmount,
    holdingRentLamports: anAmount,
    feeLamports: anAmount,
    tier: aTier,
  }),
  fc.record({
    kind: fc.constant('revoke-authority' as const),
    mint: anAddress,
    tokenProgram: anAddress,
    authority: fc.constantFrom('mint' as const, 'freeze' as const, 'update' as const),
    record: fc.option(anAddress),
    tier: aTier,
  }),
  fc.record({
    kind: fc.constant('launch' as const),
    pad: fc.string(),
    program: fc.option(anAddress),
    config: fc.option(anAddress),
    spec: someSpec,
    uri: fc.string(),
    metadataHash: fc.option(fc.string()),
    firstBuy: fc.option(
      fc.record({
        lamports: anAmount,
        quotedTokens: anAmount,
        minTokens: anAmount,
        slippageBps: fc.nat(10_000),
      }),
    ),
    costLamports: anAmount,
    feeLamports: anAmount,
    tier: aTier,
  }),
);
const someOutcome: fc.Arbitrary<IntentOutcome> = fc.record({
  reason: fc.option(fc.string()),
  details: fc.oneof(fc.constant(null), fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string())),
  receipt: fc.option(
    fc.record({
      signature: fc.string(),
      slot: anAmount,
      landedAt: fc.option(fc.nat()),
      feeLamports: anAmount,
      baseFeeLamports: anAmount,
      priorityFeeLamports: anAmount,
      walletLamportsDelta: aDelta,
      tokenDeltas: fc.array(fc.record({ mint: anAddress, delta: aDelta })),
      rentLamports: anAmount,
      platformFeeLamports: anAmount,
    }),
  ),
});

type Json = Readonly<Record<string, unknown>>;
const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('params codec', () => {
  it('gives back every intent after a trip through JSON text', () => {
    fc.assert(
      fc.property(someParams, (params) => {
        expect(decodeParams(throughText(encodeParams(params)))).toEqual(params);
      }),
    );
  });

  it('gives back terms and outcomes after a trip through JSON text', () => {
    fc.assert(
      fc.property(someTerms, someOutcome, (terms, outcome) => {
        expect(decodeTerms(throughText(encodeTerms(terms)))).toEqual(terms);
        const back = decodeOutcome(throughText(encodeOutcome(outcome)));
        expect(back).toEqual(outcome);
      }),
    );
  });

  it('keeps the mint of a creation in its receipt', () => {
    fc.assert(
      fc.property(someOutcome, anAddress, (outcome, createdMint) => {
        const receipt = outcome.receipt === null ? null : { ...outcome.receipt, createdMint };
        expect(decodeOutcome(throughText(encodeOutcome({ ...outcome, receipt })))).toEqual({
          ...outcome,
          receipt,
        });
      }),
    );
  });

  it('refuses a row that misses any one field, and names it', () => {
    fc.assert(
      fc.property(someParams, fc.nat(), (params, pick) => {
        const row = throughText(encodeParams(params)) as Record<string, unknown>;
        const keys = Object.keys(row);
        const key = keys[pick % keys.length]!;
        delete row[key];
        expect(() => decodeParams(row)).toThrow(new RegExp(`params\\.${key}`));
      }),
    );
  });

  it('reads terms from before there were discounts or middles, and keeps a discount that is there', () => {
    const terms = throughText(encodeTerms({ ...PARAMS.buy.terms, feeDiscountBps: 2_500 })) as Json;
    expect(decodeTerms(terms)).toEqual({ ...PARAMS.buy.terms, feeDiscountBps: 2_500 });
    const { feeDiscountBps: _, route, ...older } = terms;
    const legs = (route as readonly Json[]).map(({ fromMint: _from, toMint: _to, ...leg }) => leg);
    expect(decodeTerms({ ...older, route: legs })).toEqual(PARAMS.buy.terms);
    expect(() => decodeTerms({ ...terms, feeDiscountBps: null })).toThrow('terms.feeDiscountBps');
  });

  it('says in which part of a row it stopped', () => {
    const from = (patch: Json) => () => decodeTerms({ ...encodeTerms(PARAMS.buy.terms), ...patch });
    const leg = encodeTerms(PARAMS.buy.terms)['route'] as readonly Json[];
    expect(from({ minOut: 5 })).toThrow('terms.minOut: expected a whole number');
    expect(from({ route: [{ ...leg[0], percent: '100' }] })).toThrow('terms.route[0].percent');
    expect(from({ route: [{ ...leg[0], fromMint: 'abc' }] })).toThrow('terms.route[0].fromMint');
    expect(() => decodeParams({ ...encodeParams(PARAMS.buy), terms: null })).toThrow('params.terms');
    expect(() => decodeOutcome({ reason: null, receipt: {} })).toThrow('outcome.receipt.signature');
    expect(() => decodeOutcome({ reason: 5, receipt: null })).toThrow(
      'outcome.reason: expected text or null',
    );
  });

  it('takes an outcome without details for one that has none', () => {
    expect(decodeOutcome({ reason: 'X', receipt: null })).toEqual({
      reason: 'X',
      details: null,
      receipt: null,
    });
    expect(encodeOutcome({ reason: null, details: undefined, receipt: null })).toEqual({
      reason: null,
      details: null,
      receipt: null,
    });
  });

  it.each([
    ['a number where a decimal string belongs', { lamports: 5 }],
    ['an exponent', { lamports: '1e9' }],
    ['a leading zero', { lamports: '007' }],
    ['a short address', { destination: 'abc' }],
    ['an unknown tier', { tier: 'warp' }],
    ['an unknown kind', { kind: 'drain' }],
    ['text for a flag', { everything: 'true' }],
  ])('refuses %s', (_title, patch) => {
    const row = {
      kind: 'withdraw-sol',
      destination: addressFromBytes(new Uint8Array(32).fill(7)),
      lamports: '5',
      everything: false,
      tier: 'normal',
    };
    expect(decodeParams(row)).toMatchObject({ lamports: 5n });
    expect(() => decodeParams({ ...row, ...patch })).toThrow(CorruptRowError);
  });

  it.each([null, 3, 'x', []])('refuses %j as a row', (row) => {
    expect(() => decodeParams(row)).toThrow(CorruptRowError);
    expect(() => decodeTerms(row)).toThrow(CorruptRowError);
    expect(() => decodeOutcome(row)).toThrow(CorruptRowError);
  });
});
