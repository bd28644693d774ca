import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../../src/engine/intents/kinds/rules.ts';
import type { DeathLook } from '../../../src/engine/intents/rules/death.ts';
import { isLive, isOpen, nextAction, reduce } from '../../../src/engine/intents/rules/machine.ts';
import type { IntentEffect, IntentEvent, IntentState } from '../../../src/engine/intents/rules/transition.ts';
import { buildAttempt, buildIntent, finalizedEvent, NOW, PARAMS } from './build.ts';

const look = (endpoint: string, at = NOW): DeathLook => ({
  endpoint,
  endpoints: 2,
  at,
  finalizedHeight: 2_000n,
  finalizedSlot: 2_100n,
  statusSlot: 2_100n,
  firstAvailableBlock: 0n,
});

function landing(attemptId: string, err: string | null = null, priceMoved = false) {
  return { attemptId, slot: 950n, err, priceMoved, receipt: null };
}

/** Plays events from CREATED and returns the last state with all effects. */
function play(state: IntentState, events: readonly IntentEvent[], now = NOW) {
  const effects: IntentEffect[] = [];
  let current = state;
  for (const event of events) {
    const transition = reduce(current, event, now);
    current = transition.state;
    effects.push(...transition.effects);
  }
  return { ...current, effects };
}

const created: IntentState = { intent: buildIntent(), attempts: [] };
const aBuy: IntentState = { intent: buildIntent({ params: PARAMS.buy }), attempts: [] };
const signed = (n = 1): IntentEvent => ({ kind: 'signed', attempt: buildAttempt({ n }) });
const sent = (n = 1): IntentEvent => ({ kind: 'sent', attemptId: `attempt-${n}` });

describe('the intent machine', () => {
  it('goes from signed through confirmed to final, and tells each once', () => {
    const end = play(created, [
      signed(),
      sent(),
      sent(),
      { kind: 'seen', attemptId: 'attempt-1', slot: 950n },
      { kind: 'confirmed', ...landing('attempt-1') },
      { kind: 'confirmed', ...landing('attempt-1') },
      finalizedEvent(landing('attempt-1')),
    ]);
    expect(end.intent.status).toBe('SUCCEEDED');
    expect(end.attempts).toMatchObject([{ status: 'FINALIZED', sendCount: 2 }]);
    expect(end.effects.map((effect) => (effect.kind === 'notify' ? effect.notice : effect.kind))).toEqual([
      'progress',
      'confirmed',
      'capture',
      'final',
    ]);
  });

  it('writes the intent before the attempt, so that a cancelled one is never signed for', () => {
    const { writes } = reduce(created, signed(), NOW);
    expect(writes.map((write) => write.kind)).toEqual(['update-intent', 'insert-attempt']);
    expect(writes[0]).toMatchObject({ expect: ['CREATED', 'ACTIVE'], patch: { status: 'ACTIVE' } });
  });

  it('cancels what is not signed and leaves alone what is', () => {
    expect(play(created, [{ kind: 'cancelled' }]).intent.status).toBe('CANCELLED');
    expect(play(created, [signed(), { kind: 'cancelled' }]).intent.status).toBe('ACTIVE');
    const { writes } = reduce(created, { kind: 'cancelled' }, NOW);
    expect(writes).toMatchObject([{ kind: 'update-intent', expect: ['CREATED'] }]);
  });

  it('falls back to signed when the fork that held it dies, and never below confirmed', () => {
    const seen: IntentEvent = { kind: 'seen', attemptId: 'attempt-1', slot: 950n };
    const gone: IntentEvent = { kind: 'seen', attemptId: 'attempt-1', slot: null };
    expect(play(created, [signed(), sent(), seen]).attempts[0]?.status).toBe('SEEN');
    expect(play(created, [signed(), sent(), seen, gone]).attempts[0]?.status).toBe('SIGNED');
    const confirmed: IntentEvent = { kind: 'confirmed', ...landing('attempt-1') };
    expect(play(created, [signed(), sent(), confirmed, gone, seen]).attempts[0]?.status).toBe('CONFIRMED');
  });

  it('answers a refusal by what went before it: rejected, expired or failed', () => {
    const refused: IntentEvent = { kind: 'refused', code: 'PRICE_MOVED', details: null };
    const dead: IntentEvent[] = ['a', 'b'].map((endpoint) => ({
      kind: 'looked',
      attemptId: 'attempt-1',
      look: look(endpoint),
    }));
    expect(play(aBuy, [refused]).intent).toMatchObject({
      status: 'REJECTED',
      outcome: { reason: 'PRICE_MOVED' },
    });
    expect(play(aBuy, [signed(), sent(), ...dead, refused]).intent.status).toBe('EXPIRED');
    const slipped: IntentEvent = finalizedEvent(landing('attempt-1', '{"Custom":1}', true));
    expect(play(aBuy, [signed(), sent(), slipped, refused]).intent).toMatchObject({
      status: 'FAILED',
      outcome: { reason: '{"Custom":1}' },
    });
  });

  it('tries a trade once more after a landed price failure, and no withdrawal', () => {
    const slipped = (n: number): IntentEvent => finalizedEvent(landing(`attempt-${n}`, '{"Custom":1}', true));
    const once = play(aBuy, [signed(), sent(), slipped(1)]);
    expect(once.intent.status).toBe('ACTIVE');
    expect(nextAction(once, NOW)).toEqual({ kind: 'build', n: 2 });
    expect(play(once, [signed(2), sent(2), slipped(2)]).intent.status).toBe('FAILED');
    expect(play(created, [signed(), sent(), slipped(1)]).intent.status).toBe('FAILED');
  });

  it('says nothing about a confirmed price failure that it will answer with another attempt', () => {
    const end = play(aBuy, [signed(), sent(), { kind: 'confirmed', ...landing('attempt-1', 'x', true) }]);
    expect(end.effects.filter((effect) => effect.kind === 'notify' && effect.notice === 'confirmed')).toEqual(
      [],
    );
  });

  it('blocks everything when a fate cannot be proved, and releases nothing', () => {
    const late = NOW + 700_000;
    const unprovable = ['a', 'b'].map(
      (endpoint): IntentEvent => ({
        kind: 'looked',
        attemptId: 'attempt-1',
        look: { ...look(endpoint, late), firstAvailableBlock: 1_500n },
      }),
    );
    const end = play(created, [signed(), sent(), ...unprovable], late);
    expect(end.intent.status).toBe('NEEDS_REVIEW');
    expect(end.attempts[0]?.status).toBe('UNKNOWN');
    expect(end.effects.some((effect) => effect.kind === 'void')).toBe(false);
  });

  it('sends the committed bytes first when it finds an attempt that was never sent', () => {
    const state: IntentState = { intent: buildIntent({ status: 'ACTIVE' }), attempts: [buildAttempt()] };
    expect(nextAction(state, NOW + 3_600_000)).toMatchObject({ kind: 'broadcast' });
  });

  it('lets a request lapse that nobody could carry out in time', () => {
    const late = NOW + RULES.buy.retry.wantedForMs + 1;
    expect(nextAction(aBuy, late)).toEqual({ kind: 'lapse' });
    expect(play(aBuy, [{ kind: 'lapsed' }], late).intent.status).toBe('EXPIRED');
  });

  it('waits until its time has come', () => {
    const state: IntentState = { intent: buildIntent({ notBefore: NOW + 5 }), attempts: [] };
    expect(nextAction(state, NOW)).toEqual({ kind: 'wait', until: NOW + 5 });
    expect(nextAction(state, NOW + 5)).toEqual({ kind: 'build', n: 1 });
  });

  it('throws when a second attempt is signed beside a live one', () => {
    const state = play(created, [signed()]);
    expect(() => reduce(state, signed(2), NOW)).toThrow(RangeError);
  });

  it('keeps its promises over any sequence of events', () => {
    const step = fc.record({
      what: fc.constantFrom('act', 'seen', 'gone', 'confirm', 'final', 'look', 'refuse', 'cancel', 'resend'),
      err: fc.boolean(),
      priceMoved: fc.boolean(),
      endpoint: fc.constantFrom('a', 'b'),
      elapsedMs: fc.nat(60_000),
      pruned: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.boolean(), fc.array(step, { maxLength: 40 }), (isTrade, steps) => {
        let state: IntentState = isTrade ? aBuy : created;
        let now = NOW;
        const effects: IntentEffect[] = [];
        const bytes = new Map<string, Uint8Array>();
        for (const { what, err, priceMoved, endpoint, elapsedMs, pruned } of steps) {
          now += elapsedMs;
          const live = state.attempts.find(isLive);
          const event = eventFor(state, what, { err, priceMoved, endpoint, pruned, now });
          if (event === null) continue;
          const before = state;
          const transition = reduce(state, event, now);
          state = transition.state;
          effects.push(...transition.effects);
          expect(state.attempts.filter(isLive).length).toBeLessThanOrEqual(1);
          if (!isOpen(before.intent.status)) expect(state).toBe(before);
          if (live !== undefined && event.kind === 'signed') throw new Error('signed beside a live attempt');
          for (const attempt of state.attempts) {
            expect(bytes.get(attempt.id) ?? attempt.signedTransaction).toBe(attempt.signedTransaction);
            bytes.set(attempt.id, attempt.signedTransaction);
          }
          expect(state.attempts.map((attempt) => attempt.n)).toEqual(
            state.attempts.map((_, index) => index + 1),
          );
        }
        checkEnd(state, effects);
      }),
      { numRuns: 2_000 },
    );
  });
});

function eventFor(
  state: IntentState,
  what: string,
  chance: { err: boolean; priceMoved: boolean; endpoint: string; pruned: boolean; now: number },
): IntentEvent | null {
  const live = state.attempts.find(isLive);
  const { now } = chance;
  if (what === 'cancel') return { kind: 'cancelled' };
  if (live === undefined) {
    const action = nextAction(state, now);
    if (action.kind === 'lapse') return { kind: 'lapsed' };
    if (action.kind !== 'build') return null;
    if (what === 'refuse') return { kind: 'refused', code: 'PRICE_MOVED', details: null };
    return { kind: 'signed', attempt: buildAttempt({ n: action.n, signedAt: now }) };
  }
  const attemptId = live.id;
  const at = landing(attemptId, chance.err ? 'err' : null, chance.priceMoved);
  switch (what) {
    case 'act':
    case 'resend':
      return { kind: 'sent', attemptId };
    case 'seen':
      return { kind: 'seen', attemptId, slot: 950n };
    case 'gone':
      return { kind: 'seen', attemptId, slot: null };
    case 'confirm':
      return { kind: 'confirmed', ...at };
    case 'final':
      return finalizedEvent(at);
    case 'look':
      return {
        kind: 'looked',
        attemptId,
        look: { ...look(chance.endpoint, now), firstAvailableBlock: chance.pruned ? 5_000n : 0n },
      };
    default:
      return null;
  }
}

function checkEnd({ intent, attempts }: IntentState, effects: readonly IntentEffect[]): void {
  const count = (kind: string) => effects.filter((effect) => effect.kind === kind).length;
  const finals = effects.filter((effect) => effect.kind === 'notify' && effect.notice === 'final').length;
  const finalized = attempts.filter((attempt) => attempt.status === 'FINALIZED').length;
  expect(finalized).toBe(intent.status === 'SUCCEEDED' ? 1 : 0);
  expect(count('capture')).toBe(finalized);
  expect(finals).toBe(isOpen(intent.status) ? 0 : 1);
  const voids = !isOpen(intent.status) && intent.status !== 'SUCCEEDED' && intent.status !== 'NEEDS_REVIEW';
  expect(count('void')).toBe(voids ? 1 : 0);
  if (intent.status === 'REJECTED' || intent.status === 'CANCELLED') expect(attempts).toEqual([]);
  if (intent.status === 'EXPIRED') {
    expect(attempts.every((attempt) => attempt.status === 'DEAD')).toBe(true);
  }
  if (intent.status === 'FAILED') {
    expect(attempts.some((attempt) => attempt.status === 'LANDED_ERR')).toBe(true);
  }
  expect(attempts.length).toBeLessThanOrEqual(RULES[intent.kind].retry.maxAttempts);
}
