import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Call, type Case, type Event, judge } from '../../scripts/torture/calls/judge.ts';
import { PLANTS, type Plant, planted } from '../../scripts/torture/calls/plants.ts';

/** Slot 100 is final, its height is 60, and the tip is 32 slots further on. */
const NOW = { finalizedSlot: 100, finalizedHeight: 60, tipHeight: 92 };
/** May land until height 55, so that its time is over. */
const signed = (signature: string, more: Partial<Call['signings'][number]> = {}) => ({
  signature,
  lastHeight: 55,
  at: NOW,
  ...more,
});
const heard = (signature: string, word: Call['heard'][number]['word'], at = NOW) => ({ signature, word, at });
const call = (more: Partial<Call>): Call => ({
  n: 1,
  kind: 'transfer',
  signings: [signed('a')],
  heard: [heard('a', 'finalized')],
  ended: 'finalized',
  why: null,
  ...more,
});
const event = (more: Partial<Event> = {}): Event => ({
  id: 'transaction.finalized.a',
  signature: 'a',
  word: 'finalized',
  body: '{}',
  ...more,
});
const LANDED: Case['landed'] = new Map([['a', { slot: 90, payer: 'p', err: null }]]);
const rulesOf = (of: Partial<Case>): readonly string[] =>
  judge({
    calls: [call({})],
    landed: LANDED,
    payers: new Set(['p']),
    events: [],
    hooked: new Set(),
    liedAbout: new Set(),
    ...of,
  }).map(({ rule }) => rule);

describe('the judge of the calls', () => {
  it('finds nothing where each word is what the blocks hold', () => {
    const failed = new Map([['a', { slot: 90, payer: 'p', err: { InstructionError: [0, 'Custom'] } }]]);
    expect(rulesOf({})).toEqual([]);
    expect(
      rulesOf({ landed: failed, calls: [call({ heard: [heard('a', 'failed')], ended: 'failed' })] }),
    ).toEqual([]);
    const expired = call({ heard: [heard('a', 'expired')], ended: 'expired' });
    expect(rulesOf({ landed: new Map(), calls: [expired] })).toEqual([]);
  });

  it.each(['failed', 'expired'] as const)('names %s of a transaction that worked', (word) => {
    expect(rulesOf({ calls: [call({ heard: [heard('a', word)], ended: word })] })).toEqual(['wrong-word']);
  });

  it('names a success that no block holds', () => {
    expect(rulesOf({ landed: new Map() })).toEqual(['wrong-word', 'word-before-finality']);
  });

  it('names a right word that came before its block was final', () => {
    const early = heard('a', 'finalized', { ...NOW, finalizedSlot: 89 });
    expect(rulesOf({ calls: [call({ heard: [early] })] })).toEqual(['word-before-finality']);
  });

  it('names an end that was told while the transaction could still land, though it never did', () => {
    const early = heard('a', 'expired', { ...NOW, finalizedHeight: 54 });
    const alive = call({ heard: [early], ended: 'expired' });
    expect(rulesOf({ landed: new Map(), calls: [alive] })).toEqual(['word-before-finality']);
  });

  it('names a final word that changes', () => {
    const both = [heard('a', 'finalized'), heard('a', 'expired')];
    expect(rulesOf({ calls: [call({ heard: both })] })).toEqual(['wrong-word', 'two-words']);
  });

  it('names a call that was built anew while its first transaction lived, and one that had two effects', () => {
    const twice = call({
      signings: [signed('a', { at: { ...NOW, finalizedSlot: 80 } }), signed('b')],
      heard: [heard('a', 'finalized'), heard('b', 'finalized')],
    });
    const landed = new Map([...LANDED, ['b', { slot: 95, payer: 'p', err: null }] as const]);
    expect(rulesOf({ landed, calls: [{ ...twice, heard: [heard('b', 'finalized')] }] })).toEqual([
      'twice',
      'built-anew-too-early',
    ]);
    // The first one never landed, and its time was not over when the second one was signed.
    const early = [signed('a', { lastHeight: 61 }), signed('b')];
    const alone = new Map([['b', { slot: 95, payer: 'p', err: null }] as const]);
    const once = call({ signings: early, heard: [heard('b', 'finalized')] });
    expect(rulesOf({ landed: alone, calls: [once] })).toEqual(['built-anew-too-early']);
    // Its time was over: a second build is right.
    const late = call({ signings: [signed('a'), signed('b')], heard: [heard('b', 'finalized')] });
    expect(rulesOf({ landed: alone, calls: [late] })).toEqual([]);
  });

  it('names a call without a word, but not a dispute about which a node lied', () => {
    expect(rulesOf({ calls: [call({ heard: [], ended: 'open' })] })).toEqual(['no-word']);
    const disputed = call({ heard: [], ended: 'disputed' });
    expect(rulesOf({ calls: [disputed] })).toEqual(['no-word']);
    expect(rulesOf({ calls: [disputed], liedAbout: new Set(['a']) })).toEqual([]);
    // An end that no answer told.
    expect(rulesOf({ calls: [call({ heard: [] })] })).toEqual(['no-word']);
  });

  it('names a refused transaction that landed, and one of a caller that no call knows', () => {
    expect(rulesOf({ calls: [call({ heard: [], ended: 'refused' })] })).toEqual(['refused-but-landed']);
    expect(rulesOf({ calls: [] })).toEqual(['stray']);
  });

  it('names an event that is missing, wrong, told twice under two ids, or changed between two tries', () => {
    const hooked = new Set(['a']);
    expect(rulesOf({ hooked, events: [event(), event()] })).toEqual([]);
    expect(rulesOf({ hooked })).toEqual(['event-missing']);
    expect(rulesOf({ hooked, events: [event({ word: 'expired' })] })).toEqual(['event-wrong']);
    expect(rulesOf({ hooked, events: [event(), event({ id: 'other' })] })).toEqual(['event-changed']);
    expect(rulesOf({ hooked, events: [event(), event({ body: '{"x":1}' })] })).toEqual(['event-changed']);
  });
});

/** `npm run torture -- --calls 300 --plant NAME` runs the product with the fault in it. */
describe('a fault for the torture of the calls', () => {
  it.each(Object.entries<Plant>(PLANTS))('%s still fits the sources that it changes', (_, plant) => {
    for (const { path } of plant.changes) {
      const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
      expect(planted(plant, path, text)).not.toBe(text);
    }
  });

  it('does not fit a source that has changed', () => {
    expect(() =>
      planted(PLANTS['sent-before-kept'], PLANTS['sent-before-kept'].changes[0].path, 'else'),
    ).toThrow(/expected once/);
  });
});
