import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CorruptRowError } from '../../../src/engine/intents/rules/json-reader.ts';
import {
  decodeOutcome,
  decodeTerms,
  encodeOutcome,
  encodeTerms,
} from '../../../src/engine/intents/rules/notice-parts.ts';
import { anAddress, someOutcome, someTerms } from '../../support/arbitrary-intents.ts';
import { PARAMS } from './build.ts';

type Json = Readonly<Record<string, unknown>>;
const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('terms and outcomes in a notice', () => {
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

  it('reads terms from before there were discounts or intermediates, and keeps a discount that is there', () => {
    const terms = throughText(encodeTerms({ ...PARAMS.buy.terms, feeDiscountBps: 2_500 })) as Json;
    expect(decodeTerms(terms)).toEqual({ ...PARAMS.buy.terms, feeDiscountBps: 2_500 });
    const { feeDiscountBps: _, route, ...older } = terms;
    const legs = (route as readonly Json[]).map(({ fromMint: _from, toMint: _to, ...leg }) => leg);
    expect(decodeTerms({ ...older, route: legs })).toEqual(PARAMS.buy.terms);
    expect(() => decodeTerms({ ...terms, feeDiscountBps: null })).toThrow('terms.feeDiscountBps');
  });

  it('keeps the switch of each leg, and refuses what is none', () => {
    const route = PARAMS.buy.terms.route.map((leg) => ({ ...leg, pausedBy: 'venue:raydium-clmm' as const }));
    const terms = throughText(encodeTerms({ ...PARAMS.buy.terms, route })) as Json;
    expect(route).not.toEqual([]);
    expect(decodeTerms(terms).route).toEqual(route);
    const forged = (pausedBy: unknown) => ({
      ...terms,
      route: (terms['route'] as readonly Json[]).map((leg) => ({ ...leg, pausedBy })),
    });
    for (const wrong of ['signing', 'venue:', 'venue:x y', '', null, 7])
      expect(() => decodeTerms(forged(wrong)), String(wrong)).toThrow(/pausedBy/);
  });

  it('says in which part of a row it stopped', () => {
    const from = (patch: Json) => () => decodeTerms({ ...encodeTerms(PARAMS.buy.terms), ...patch });
    const leg = encodeTerms(PARAMS.buy.terms)['route'] as readonly Json[];
    expect(from({ minOut: 5 })).toThrow('terms.minOut: expected a whole number');
    expect(from({ route: [{ ...leg[0], percent: '100' }] })).toThrow('terms.route[0].percent');
    expect(from({ route: [{ ...leg[0], fromMint: 'abc' }] })).toThrow('terms.route[0].fromMint');
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

  it.each([null, 3, 'x', []])('refuses %j as a row', (row) => {
    expect(() => decodeTerms(row)).toThrow(CorruptRowError);
    expect(() => decodeOutcome(row)).toThrow(CorruptRowError);
  });
});
