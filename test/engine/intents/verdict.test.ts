import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeathLook } from '../../../src/engine/intents/rules/death.ts';
import { nextAction, reduce } from '../../../src/engine/intents/rules/machine.ts';
import type { IntentState } from '../../../src/engine/intents/rules/transition.ts';
import {
  decodeLandingLooks,
  encodeLandingLooks,
  isLandingLookDue,
  isOverdue,
  judgeLanding,
  LANDING_RULE,
  type LandingLook,
  rememberLanding,
} from '../../../src/engine/intents/rules/verdict.ts';
import { buildAttempt, buildIntent, finalizedEvent, landingLook, NOW, PARAMS } from './build.ts';

const attempt = buildAttempt();
const ERR = '{"Custom":1}';
const later = LANDING_RULE.secondLookAfterMs;
const alone = (at: number, change: Partial<LandingLook> = {}): LandingLook =>
  landingLook({ endpoints: 1, at, ...change });
const at = (endpoint: string, change: Partial<LandingLook> = {}): LandingLook =>
  landingLook({ endpoint, ...change });
const death = (endpoint: string, change: Partial<DeathLook> = {}): DeathLook => ({
  endpoint,
  endpoints: 2,
  at: NOW,
  finalizedHeight: 2_000n,
  finalizedSlot: 2_100n,
  statusSlot: 2_100n,
  firstAvailableBlock: 0n,
  ...change,
});
const judged = (looks: readonly LandingLook[], deaths: readonly DeathLook[] = []) =>
  judgeLanding(attempt, looks, deaths).kind;

describe('the verdict on a landing', () => {
  it('wants two endpoints, however often one of several repeats itself', () => {
    expect(judged([])).toBe('open');
    expect(judged([at('a')])).toBe('open');
    expect(judged([at('a'), at('a', { at: NOW + 900_000 })])).toBe('open');
    expect(judged([at('a'), at('b')])).toBe('agreed');
    expect(judged([at('a', { effect: 'unserved', sums: null }), at('b')])).toBe('agreed');
  });

  it('wants two looks apart in time and the effect where there is one endpoint', () => {
    expect(judged([alone(NOW)])).toBe('open');
    expect(judged([alone(NOW), alone(NOW + later - 1)])).toBe('open');
    expect(judged([alone(NOW), alone(NOW + later)])).toBe('agreed');
    expect(judged([alone(NOW + later), alone(NOW)])).toBe('agreed');
    const unserved = { effect: 'unserved', sums: null } as const;
    expect(judged([alone(NOW), alone(NOW + later, unserved)])).toBe('open');
    expect(judged([alone(NOW, unserved), alone(NOW + later)])).toBe('agreed');
    // It was one of several when it was first asked.
    expect(judged([landingLook({ endpoints: 2 }), alone(NOW + later)])).toBe('open');
  });

  it('is disputed when results, records or sums differ, whatever else agrees', () => {
    expect(judged([at('a'), at('b', { err: ERR })])).toBe('disputed');
    expect(judged([alone(NOW), alone(NOW + later, { err: ERR })])).toBe('disputed');
    expect(judged([at('a'), at('b'), at('c', { err: ERR })])).toBe('disputed');
    expect(judged([at('a', { effect: 'contradicted' })])).toBe('disputed');
    expect(judged([at('a'), at('b'), at('c', { effect: 'contradicted' })])).toBe('disputed');
    expect(judged([at('a'), at('b', { sums: '5000/-5000/1' })])).toBe('disputed');
    // Nodes may word one failure differently.
    expect(judged([at('a', { err: ERR }), at('b', { err: '"AccountInUse"' })])).toBe('agreed');
  });

  it('is disputed by a proof of death from elsewhere, and by the same endpoint only when it takes its word back', () => {
    expect(judged([at('a')], [death('b')])).toBe('disputed');
    expect(judged([at('a'), at('b')], [death('c')])).toBe('disputed');
    expect(judged([at('a', { at: NOW + 1 })], [death('a')])).toBe('open');
    expect(judged([at('a')], [death('a')])).toBe('open');
    expect(judged([at('a')], [death('a', { at: NOW + 1 })])).toBe('disputed');
    // A node whose history begins later knows nothing of it.
    expect(judged([at('a'), at('b')], [death('c', { firstAvailableBlock: 901n })])).toBe('agreed');
    expect(judged([at('a')], [death('b', { firstAvailableBlock: 900n })])).toBe('disputed');
  });

  it('calls a price moved only when both say so', () => {
    const both = [true, true, false].map((priceMoved) => ({ err: ERR, priceMoved }));
    expect(judgeLanding(attempt, [at('a', both[0]), at('b', both[1])], [])).toEqual({
      kind: 'agreed',
      err: ERR,
      priceMoved: true,
    });
    expect(judgeLanding(attempt, [at('a', both[0]), at('b', both[2])], [])).toMatchObject({
      priceMoved: false,
    });
  });

  it('asks again after a pause, and calls a person when doubts last', () => {
    const proof = { landingProof: encodeLandingLooks([at('a'), at('b', { at: NOW + 5 })]) };
    expect(isLandingLookDue({ landingProof: null }, NOW)).toBe(true);
    expect(isLandingLookDue(proof, NOW + 5 + later - 1)).toBe(false);
    expect(isLandingLookDue(proof, NOW + 5 + later)).toBe(true);
    expect(isOverdue([at('a')], NOW + LANDING_RULE.reviewAfterMs - 1)).toBe(false);
    expect(isOverdue([at('a')], NOW + LANDING_RULE.reviewAfterMs)).toBe(true);
    expect(isOverdue([], NOW * 2)).toBe(false);
  });

  it('keeps the first and the last word of each endpoint, through the row and back', () => {
    const looks = [1, 2, 3].flatMap((n) => ['a', 'b'].map((endpoint) => at(endpoint, { at: NOW + n })));
    const kept = looks.reduce(rememberLanding, [] as readonly LandingLook[]);
    expect(kept.map((look) => [look.endpoint, look.at - NOW])).toEqual([
      ['a', 1],
      ['a', 3],
      ['b', 1],
      ['b', 3],
    ]);
    const mixed = [...kept, at('c', { err: ERR, priceMoved: true, effect: 'unserved', sums: null })];
    expect(decodeLandingLooks(JSON.parse(JSON.stringify(encodeLandingLooks(mixed))))).toEqual(mixed);
    expect(decodeLandingLooks(null)).toEqual([]);
    expect(decodeLandingLooks(undefined)).toEqual([]);
    expect(() => decodeLandingLooks('x')).toThrow('stored value at landingProof: expected an object');
    expect(() => decodeLandingLooks({ looks: [{ ...at('a'), slot: '1', effect: 'seen' }] })).toThrow(
      'landingProof.looks[0].effect',
    );
  });

  it('never rests on one endpoint of several, and never on a word that another takes back', () => {
    const look = fc.record({
      endpoint: fc.constantFrom('a', 'b', 'c'),
      isError: fc.boolean(),
      at: fc.integer({ min: NOW, max: NOW + 9_000 }),
    });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 6 }), (said) => {
        const looks = said.map((one) => at(one.endpoint, { at: one.at, err: one.isError ? ERR : null }));
        const verdict = judgeLanding(attempt, looks, []);
        const names = new Set(said.map(({ endpoint }) => endpoint));
        const results = new Set(said.map(({ isError }) => isError));
        expect(verdict.kind).toBe(results.size > 1 ? 'disputed' : names.size > 1 ? 'agreed' : 'open');
      }),
    );
  });
});

describe('an intent whose endpoints disagree', () => {
  const active = (params: IntentState['intent']['params'] = PARAMS.buy): IntentState => ({
    intent: buildIntent({ status: 'ACTIVE', params }),
    attempts: [buildAttempt({ sendCount: 1, lastSentAt: NOW })],
  });
  const slipped = { attemptId: 'attempt-1', slot: 950n, err: ERR, priceMoved: true, receipt: null };
  const said = (...looks: readonly LandingLook[]) => ({ ...finalizedEvent(slipped), looks });

  it('waits after one failure by price, and signs again only after the second endpoint confirms it', () => {
    const first = reduce(active(), said(at('a', { err: ERR, priceMoved: true })), NOW);
    expect(first.state.intent.status).toBe('ACTIVE');
    expect(first.effects).toEqual([]);
    expect(nextAction(first.state, NOW)).toMatchObject({ kind: 'observe' });
    const second = reduce(first.state, said(at('b', { err: ERR, priceMoved: true })), NOW);
    expect(second.state.attempts).toMatchObject([{ status: 'LANDED_ERR' }]);
    expect(nextAction(second.state, NOW)).toEqual({ kind: 'build', n: 2 });
  });

  it('is left to a person, with its attempt alive, nothing given back and nothing signed', () => {
    const first = reduce(active(), said(at('a', { err: ERR, priceMoved: true })), NOW);
    const end = reduce(first.state, said(at('b')), NOW);
    expect(end.state.intent).toMatchObject({
      status: 'NEEDS_REVIEW',
      outcome: { reason: null, details: { disputed: true }, receipt: null },
    });
    expect(end.state.attempts).toMatchObject([{ status: 'UNKNOWN' }]);
    expect(end.effects.map((effect) => effect.kind)).toEqual(['notify']);
    expect(nextAction(end.state, NOW)).toEqual({ kind: 'done' });
  });

  it('is left to a person when one proves a death and another says that it landed, in either order', () => {
    const looked = { kind: 'looked', attemptId: 'attempt-1', look: death('b', { at: NOW + 1 }) } as const;
    for (const events of [
      [said(at('a')), looked],
      [looked, said(at('a', { at: NOW + 2 }))],
    ] as const) {
      let state = active();
      for (const event of events) ({ state } = reduce(state, event, NOW));
      expect(state.intent.status).toBe('NEEDS_REVIEW');
    }
  });

  it('calls a person when the others answer for ten minutes and do not bear the first out', () => {
    const first = reduce(active(), said(at('a')), NOW).state;
    const doubted = (doubts: number, now: number) =>
      reduce(first, { ...said(), doubts }, now).state.intent.status;
    const long = NOW + LANDING_RULE.reviewAfterMs;
    expect(doubted(1, long - 1)).toBe('ACTIVE');
    expect(doubted(0, long)).toBe('ACTIVE');
    expect(doubted(1, long)).toBe('NEEDS_REVIEW');
  });

  it('says that it corrects what a confirmed result told, and nothing of it otherwise', () => {
    const confirmed = reduce(active(), { kind: 'confirmed', ...slipped, err: null, priceMoved: false }, NOW);
    const failed = reduce(confirmed.state, finalizedEvent({ ...slipped, priceMoved: false }), NOW).state
      .intent;
    expect(failed).toMatchObject({ status: 'FAILED', outcome: { details: { corrected: true } } });
    const gone = ['a', 'b'].reduce(
      (state, endpoint) =>
        reduce(state, { kind: 'looked', attemptId: 'attempt-1', look: death(endpoint) }, NOW + 999_999).state,
      confirmed.state,
    );
    expect(gone.intent).toMatchObject({ status: 'EXPIRED', outcome: { details: { corrected: true } } });
    const plain = reduce(active(), finalizedEvent({ ...slipped, priceMoved: false }), NOW).state.intent;
    expect(plain.outcome?.details).toEqual({ priceMoved: false });
  });
});
