import { describe, expect, it } from 'vitest';
import { RULES } from '../../../src/engine/intents/kinds/rules.ts';
import { type DeathLook, encodeLooks } from '../../../src/engine/intents/rules/death.ts';
import type {
  Attempt,
  AttemptStatus,
  Intent,
  IntentOutcome,
  LandedReceipt,
} from '../../../src/engine/intents/rules/intent.ts';
import { isLive, isOpen, nextAction, reduce } from '../../../src/engine/intents/rules/machine.ts';
import type {
  IntentEvent,
  IntentState,
  Landing,
  Transition,
} from '../../../src/engine/intents/rules/transition.ts';
import { encodeLandingLooks, LANDING_RULE } from '../../../src/engine/intents/rules/verdict.ts';
import { buildAttempt, buildIntent, finalizedEvent, landingLook, NOW, PARAMS } from './build.ts';

const LATER = NOW + 1_234;
const receipt: LandedReceipt = {
  signature: 'signature-1',
  slot: 950n,
  landedAt: NOW,
  feeLamports: 7_000n,
  baseFeeLamports: 5_000n,
  priorityFeeLamports: 2_000n,
  walletLamportsDelta: -7_000n,
  tokenDeltas: [],
  rentLamports: 0n,
  platformFeeLamports: 0n,
};
const look = (endpoint: string, change: Partial<DeathLook> = {}): DeathLook => ({
  endpoint,
  endpoints: 2,
  at: LATER,
  finalizedHeight: 2_000n,
  finalizedSlot: 2_100n,
  statusSlot: 2_100n,
  firstAvailableBlock: 0n,
  ...change,
});
const landing = (change: Partial<Landing> = {}): Landing => ({
  attemptId: 'attempt-1',
  slot: 950n,
  err: null,
  priceMoved: false,
  receipt,
  ...change,
});
const stateOf = (intent: Partial<Intent>, ...attempts: readonly Partial<Attempt>[]): IntentState => ({
  intent: buildIntent(intent),
  attempts: attempts.map((attempt, index) => buildAttempt({ n: index + 1, ...attempt })),
});
const withdrawal = (...attempts: readonly Partial<Attempt>[]) => stateOf({ status: 'ACTIVE' }, ...attempts);
const trade = (...attempts: readonly Partial<Attempt>[]) =>
  stateOf({ status: 'ACTIVE', params: PARAMS.buy }, ...attempts);
const CREATED = stateOf({});
const SENT: Partial<Attempt> = { sendCount: 1, lastSentAt: NOW };
const nothing: IntentOutcome = { reason: null, details: null, receipt: null };

/** What the database would hold after the writes, each expectation checked as the stores check it. */
function stored(before: IntentState, { writes }: Transition): IntentState {
  let { intent } = before;
  let attempts = [...before.attempts];
  for (const write of writes) {
    if (write.kind === 'insert-attempt') attempts.push(write.attempt);
    else if (write.kind === 'update-intent') {
      expect(write.expect).toContain(intent.status);
      intent = { ...intent, ...write.patch };
    } else {
      expect(write.expect).toContain(attempts.find((attempt) => attempt.id === write.id)?.status);
      attempts = attempts.map((attempt) =>
        attempt.id === write.id ? { ...attempt, ...write.patch } : attempt,
      );
    }
  }
  return { intent, attempts };
}

const slipped = landing({ err: 'slip', priceMoved: true });
const CASES: readonly (readonly [string, IntentState, IntentEvent])[] = [
  ['a refusal at first', CREATED, { kind: 'refused', code: 'PRICE_MOVED', details: { by: '3' } }],
  ['a lapse', CREATED, { kind: 'lapsed' }],
  ['a cancellation', CREATED, { kind: 'cancelled' }],
  ['a signature', CREATED, { kind: 'signed', attempt: buildAttempt() }],
  ['the first sending', withdrawal({}), { kind: 'sent', attemptId: 'attempt-1' }],
  ['another sending', withdrawal(SENT), { kind: 'sent', attemptId: 'attempt-1' }],
  ['a sight', withdrawal(SENT), { kind: 'seen', attemptId: 'attempt-1', slot: 5n }],
  [
    'a lost fork',
    withdrawal({ ...SENT, status: 'SEEN', landedSlot: 5n }),
    { kind: 'seen', attemptId: 'attempt-1', slot: null },
  ],
  ['a confirmation', withdrawal(SENT), { kind: 'confirmed', ...landing() }],
  ['a confirmed failure', withdrawal(SENT), { kind: 'confirmed', ...slipped }],
  ['a final success', withdrawal(SENT), finalizedEvent(landing())],
  ['a final failure', withdrawal(SENT), finalizedEvent(slipped)],
  ['a final failure that is tried again', trade(SENT), finalizedEvent(slipped)],
  ['a first look', withdrawal(SENT), { kind: 'looked', attemptId: 'attempt-1', look: look('a') }],
];

describe('a transition of the intent machine', () => {
  it.each(CASES)(
    'writes the whole difference between the two states, and only under the old one: %s',
    (_, before, event) => {
      const transition = reduce(before, event, LATER);
      expect(transition.writes.length).toBeGreaterThan(0);
      expect(stored(before, transition)).toEqual(transition.state);
    },
  );

  it('writes a proven death and an unprovable fate in the same way, each as what it is', () => {
    const looked = (change: Partial<DeathLook>, status: 'withdrawal' | 'old') => {
      let state = stateOf({ status: 'ACTIVE', ...(status === 'old' ? { createdAt: 0 } : {}) }, SENT);
      let last: Transition | null = null;
      for (const endpoint of ['a', 'b']) {
        const event: IntentEvent = { kind: 'looked', attemptId: 'attempt-1', look: look(endpoint, change) };
        last = reduce(state, event, LATER);
        expect(stored(state, last)).toEqual(last.state);
        state = last.state;
      }
      return { ...state, effects: last?.effects ?? [] };
    };
    const again = looked({}, 'withdrawal');
    expect(again).toMatchObject({
      intent: { status: 'ACTIVE' },
      attempts: [{ status: 'DEAD' }],
      effects: [],
    });
    const over = looked({}, 'old');
    expect(over.intent).toMatchObject({ status: 'EXPIRED', outcome: nothing, updatedAt: LATER });
    expect(over.effects).toEqual([
      { kind: 'void', landedError: false, receipt: null },
      { kind: 'notify', notice: 'final', attempt: over.attempts[0], outcome: nothing },
    ]);
    const unknown = looked({ at: NOW + 700_000, firstAvailableBlock: 5_000n }, 'withdrawal');
    expect(unknown).toMatchObject({
      intent: { status: 'NEEDS_REVIEW', outcome: nothing },
      attempts: [{ status: 'UNKNOWN' }],
    });
    expect(unknown.effects).toEqual([
      { kind: 'notify', notice: 'final', attempt: unknown.attempts[0], outcome: nothing },
    ]);
  });

  it('writes a dispute whole, with the look that brought it', () => {
    const confirmed = withdrawal({ ...SENT, status: 'CONFIRMED', landedSlot: 950n });
    const heard = reduce(confirmed, { ...finalizedEvent(landing()), looks: [landingLook()] }, LATER).state;
    const death: IntentEvent = { kind: 'looked', attemptId: 'attempt-1', look: look('b') };
    const end = reduce(heard, death, LATER);
    expect(stored(heard, end)).toEqual(end.state);
    expect(end.state).toMatchObject({
      intent: { status: 'NEEDS_REVIEW', outcome: { details: { disputed: true, corrected: true } } },
      attempts: [{ status: 'UNKNOWN', deathProof: encodeLooks([look('b')]) }],
    });
  });

  it('writes nothing when nobody says anything, and calls a person without a new word', () => {
    const state = withdrawal({ ...SENT, landingProof: encodeLandingLooks([landingLook()]) });
    const silent = (doubts: number, now: number) =>
      reduce(state, { ...finalizedEvent(landing()), looks: [], doubts }, now);
    expect(silent(1, LATER)).toEqual({ state, writes: [], effects: [] });
    expect(silent(1, NOW + LANDING_RULE.reviewAfterMs).writes).toMatchObject([
      { kind: 'update-attempt', patch: { status: 'UNKNOWN' } },
      { kind: 'update-intent', patch: { status: 'NEEDS_REVIEW' } },
    ]);
    expect(silent(1, NOW + LANDING_RULE.reviewAfterMs).writes[0]).toHaveProperty('patch', {
      status: 'UNKNOWN',
    });
  });

  it('corrects what was told only when the end is another', () => {
    const told = (chainError: string | null) =>
      withdrawal({ ...SENT, status: 'CONFIRMED', landedSlot: 950n, chainError });
    const detailsOf = (chainError: string | null, err: string | null) =>
      reduce(told(chainError), finalizedEvent(landing({ err })), LATER).state.intent.outcome?.details;
    expect(detailsOf(null, null)).toBeNull();
    expect(detailsOf('no', null)).toEqual({ corrected: true });
    expect(detailsOf('no', 'no')).toEqual({ priceMoved: false });
    expect(detailsOf(null, 'no')).toEqual({ priceMoved: false, corrected: true });
    // Nothing was told of what had only been sent.
    expect(
      reduce(withdrawal(SENT), finalizedEvent(landing({ err: 'no' })), LATER).state.intent.outcome?.details,
    ).toEqual({ priceMoved: false });
  });

  it('corrects a result that was told and then died, unless the next attempt brings it about', () => {
    const taken = { status: 'DEAD', landedSlot: 950n } as const;
    const refused = (details: unknown, dead: Partial<Attempt> = taken) =>
      reduce(trade(dead), { kind: 'refused', code: 'X', details }, LATER).state.intent.outcome?.details;
    expect(refused({ by: '3' })).toEqual({ by: '3', corrected: true });
    expect(refused(null)).toEqual({ corrected: true });
    expect(refused('by 3')).toEqual({ cause: 'by 3', corrected: true });
    // It was told as a failure, or never.
    expect(refused(null, { ...taken, chainError: 'no' })).toBeNull();
    expect(refused(null, { status: 'DEAD' })).toBeNull();
    const second = reduce(trade(taken, SENT), finalizedEvent(landing({ attemptId: 'attempt-2' })), LATER);
    expect(second.state.intent).toMatchObject({ status: 'SUCCEEDED', outcome: { details: null } });
  });

  it('changes one attempt by its name and no other', () => {
    const before = trade({ status: 'DEAD' }, { status: 'LANDED_ERR' }, SENT);
    const { state, writes } = reduce(before, { kind: 'sent', attemptId: 'attempt-3' }, LATER);
    expect(state.attempts.slice(0, 2)).toEqual(before.attempts.slice(0, 2));
    expect(writes).toEqual([
      {
        kind: 'update-attempt',
        id: 'attempt-3',
        expect: ['SIGNED'],
        patch: { sendCount: 2, lastSentAt: LATER },
      },
    ]);
  });

  it('tells of the first sending with the attempt as it then is, and of no other', () => {
    const first = reduce(withdrawal({}), { kind: 'sent', attemptId: 'attempt-1' }, LATER);
    const attempt = buildAttempt({ sendCount: 1, lastSentAt: LATER });
    expect(first.effects).toEqual([{ kind: 'notify', notice: 'progress', attempt, outcome: null }]);
    expect(reduce(first.state, { kind: 'sent', attemptId: 'attempt-1' }, LATER + 5).effects).toEqual([]);
  });

  it('tells a confirmed result with its receipt, once', () => {
    const told = reduce(withdrawal(SENT), { kind: 'confirmed', ...landing() }, LATER);
    const attempt = buildAttempt({ ...SENT, status: 'CONFIRMED', landedSlot: 950n });
    expect(told.effects).toEqual([
      { kind: 'notify', notice: 'confirmed', attempt, outcome: { reason: null, details: null, receipt } },
    ]);
    const again = reduce(told.state, { kind: 'confirmed', ...landing() }, LATER);
    expect(again).toEqual({ state: told.state, writes: [], effects: [] });
  });

  it('tells a confirmed failure that will not be tried again, and stays silent about one that will', () => {
    const failed = { reason: 'slip', details: { priceMoved: true }, receipt };
    const final = reduce(withdrawal(SENT), { kind: 'confirmed', ...slipped }, LATER);
    expect(final.effects).toMatchObject([{ notice: 'confirmed', outcome: failed }]);
    expect(reduce(trade(SENT), { kind: 'confirmed', ...slipped }, LATER).effects).toEqual([]);
    // The second failure of a price is the last one.
    const second = trade({ status: 'LANDED_ERR' }, SENT);
    const told = reduce(second, { kind: 'confirmed', ...slipped, attemptId: 'attempt-2' }, LATER);
    expect(told.effects).toMatchObject([{ notice: 'confirmed' }]);
  });

  it('tells a success whose log speaks of a price as a success', () => {
    const spoken = landing({ priceMoved: true });
    const told = reduce(trade(SENT), { kind: 'confirmed', ...spoken }, LATER);
    expect(told.effects).toMatchObject([
      { notice: 'confirmed', outcome: { reason: null, details: null, receipt } },
    ]);
    expect(reduce(trade(SENT), finalizedEvent(spoken), LATER).state.intent.status).toBe('SUCCEEDED');
  });

  it('captures a final success and gives nothing back', () => {
    const event = finalizedEvent(landing());
    const done = reduce(withdrawal(SENT), event, LATER);
    const landingProof = encodeLandingLooks(event.looks);
    const attempt = buildAttempt({ ...SENT, status: 'FINALIZED', landedSlot: 950n, landingProof });
    const outcome = { reason: null, details: null, receipt };
    expect(done.effects).toEqual([
      { kind: 'capture', attempt, receipt },
      { kind: 'notify', notice: 'final', attempt, outcome },
    ]);
    expect(done.state.intent).toMatchObject({ status: 'SUCCEEDED', outcome, updatedAt: LATER });
  });

  it('gives back after a final failure, saying that a fee was burnt', () => {
    const done = reduce(withdrawal(SENT), finalizedEvent(landing({ err: 'no' })), LATER);
    const outcome = { reason: 'no', details: { priceMoved: false }, receipt };
    expect(done.effects).toMatchObject([
      { kind: 'burnt', attempt: { id: 'attempt-1', status: 'LANDED_ERR' }, receipt },
      { kind: 'void', landedError: true, receipt },
      { kind: 'notify', notice: 'final', outcome },
    ]);
  });

  it('keeps the burnt fee of an earlier attempt on the receipt of the last', () => {
    const once = reduce(trade(SENT), finalizedEvent(slipped), LATER);
    // Nobody is told, and the fee is gone all the same.
    expect(once.effects).toMatchObject([{ kind: 'burnt', attempt: { status: 'LANDED_ERR' }, receipt }]);
    expect(once.effects).toHaveLength(1);
    expect(once.state.intent).toMatchObject({
      status: 'ACTIVE',
      updatedAt: LATER,
      outcome: { reason: 'slip', receipt },
    });
    const next = buildAttempt({ n: 2, ...SENT });
    const running = reduce(once.state, { kind: 'signed', attempt: next }, LATER).state;
    const end = (change: Partial<Landing>) =>
      reduce(running, finalizedEvent(landing({ attemptId: 'attempt-2', ...change })), LATER).state.intent;
    expect(end({})).toMatchObject({ status: 'SUCCEEDED', outcome: { details: { lostFeeLamports: '7000' } } });
    expect(end({}).outcome?.details).toEqual({ lostFeeLamports: '7000' });
    expect(end({ err: 'x' }).outcome?.details).toEqual({ priceMoved: false, lostFeeLamports: '7000' });
  });

  it('has no burnt fee to tell when the receipt of the failure never came', () => {
    const state = stateOf(
      { status: 'ACTIVE', params: PARAMS.buy, outcome: { ...nothing, reason: 'slip' } },
      { status: 'LANDED_ERR' },
      SENT,
    );
    const end = reduce(state, finalizedEvent(landing({ attemptId: 'attempt-2' })), LATER);
    expect(end.state.intent.outcome?.details).toBeNull();
    const bare = reduce(
      { ...state, intent: { ...state.intent, outcome: null } },
      finalizedEvent(landing({ attemptId: 'attempt-2' })),
      LATER,
    );
    expect(bare.state.intent.outcome?.details).toBeNull();
  });

  it('ends a request that failed on chain as failed, whether it then lapses or is refused', () => {
    const kept = { reason: 'slip', details: null, receipt };
    const state = stateOf({ status: 'ACTIVE', params: PARAMS.buy, outcome: kept }, { status: 'LANDED_ERR' });
    for (const event of [{ kind: 'lapsed' }, { kind: 'refused', code: 'X', details: null }] as const) {
      const end = reduce(state, event, LATER);
      expect(end.state.intent).toMatchObject({ status: 'FAILED', outcome: kept });
      expect(end.effects[0]).toEqual({ kind: 'void', landedError: true, receipt });
    }
    const lost = { ...state, intent: { ...state.intent, outcome: null } };
    expect(reduce(lost, { kind: 'lapsed' }, LATER).state.intent.outcome).toEqual(nothing);
    expect(reduce(lost, { kind: 'refused', code: 'X', details: 1 }, LATER).state.intent.outcome).toEqual({
      reason: 'X',
      details: 1,
      receipt: null,
    });
  });

  it('ends a lapse and a cancellation with nothing to say, and gives back', () => {
    for (const kind of ['lapsed', 'cancelled'] as const) {
      const end = reduce(CREATED, { kind }, LATER);
      expect(end.state.intent).toMatchObject({ outcome: nothing, updatedAt: LATER });
      expect(end.effects).toEqual([
        { kind: 'void', landedError: false, receipt: null },
        { kind: 'notify', notice: 'final', attempt: null, outcome: nothing },
      ]);
    }
  });

  it('cancels nothing that has an attempt, in whatever state its row says', () => {
    const state = stateOf({ status: 'CREATED' }, { status: 'DEAD' });
    expect(reduce(state, { kind: 'cancelled' }, LATER)).toEqual({ state, writes: [], effects: [] });
    const active = stateOf({ status: 'ACTIVE' });
    expect(reduce(active, { kind: 'cancelled' }, LATER).writes).toEqual([]);
  });

  it('changes nothing that has ended: an intent, or an attempt', () => {
    const ended = stateOf({ status: 'FAILED' }, { status: 'LANDED_ERR' });
    expect(reduce(ended, { kind: 'lapsed' }, LATER)).toEqual({ state: ended, writes: [], effects: [] });
    const dead = withdrawal({ status: 'DEAD' });
    for (const event of [{ kind: 'sent', attemptId: 'attempt-1' }, finalizedEvent(landing())] as const) {
      expect(reduce(dead, event, LATER)).toEqual({ state: dead, writes: [], effects: [] });
    }
  });

  it('throws at what only a bug can bring: a stranger’s attempt, a gap, a second live one', () => {
    expect(() => reduce(withdrawal(SENT), { kind: 'sent', attemptId: 'other' }, LATER)).toThrow(
      'event sent names an attempt of another intent',
    );
    const sign = (attempt: Partial<Attempt>) => () =>
      reduce(CREATED, { kind: 'signed', attempt: buildAttempt(attempt) }, LATER);
    expect(sign({ n: 2 })).toThrow('attempt 2 does not follow 0');
    expect(sign({ intentId: 'other' })).toThrow('attempt 1 does not follow 0');
    for (const event of [{ kind: 'lapsed' }, { kind: 'refused', code: 'X', details: null }] as const) {
      expect(() => reduce(withdrawal(SENT), event, LATER)).toThrow('an attempt is still alive');
    }
  });
});

describe('a status', () => {
  it('is open until its end is known', () => {
    const ends = ['SUCCEEDED', 'FAILED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'NEEDS_REVIEW'] as const;
    expect((['CREATED', 'ACTIVE'] as const).map(isOpen)).toEqual([true, true]);
    expect(ends.filter(isOpen)).toEqual([]);
  });

  it('of an attempt is alive while its bytes may land or may have landed', () => {
    const of = (status: AttemptStatus) => isLive(buildAttempt({ status }));
    expect((['SIGNED', 'SEEN', 'CONFIRMED', 'UNKNOWN'] as const).map(of)).toEqual([true, true, true, true]);
    expect((['FINALIZED', 'LANDED_ERR', 'DEAD'] as const).map(of)).toEqual([false, false, false]);
  });
});

describe('the next action', () => {
  it('is nothing for what has ended, watching for what was sent, sending for what was not', () => {
    expect(nextAction(stateOf({ status: 'SUCCEEDED' }, { status: 'FINALIZED' }), NOW)).toEqual({
      kind: 'done',
    });
    const unsent = withdrawal({});
    expect(nextAction(unsent, NOW)).toEqual({ kind: 'broadcast', attempt: unsent.attempts[0] });
    const sent = withdrawal(SENT);
    expect(nextAction(sent, NOW)).toEqual({ kind: 'observe', attempt: sent.attempts[0] });
  });

  it('counts patience from when a request was due', () => {
    const due = stateOf({ notBefore: NOW + 60_000_000 });
    const last = NOW + 60_000_000 + RULES['withdraw-sol'].retry.wantedForMs;
    expect(nextAction(due, last)).toEqual({ kind: 'build', n: 1 });
    expect(nextAction(due, last + 1)).toEqual({ kind: 'lapse' });
  });
});

describe('what is sent again and again', () => {
  it('is told at the first send, and once more when it is late', () => {
    let state: IntentState = {
      intent: buildIntent({ status: 'ACTIVE' }),
      attempts: [buildAttempt({ sendCount: 0 })],
    };
    const told: number[] = [];
    for (let n = 1; n <= 40; n += 1) {
      const [attempt] = state.attempts;
      const next = reduce(state, { kind: 'sent', attemptId: attempt?.id ?? '' }, NOW + 2_000 * n);
      if (next.effects.some((effect) => effect.kind === 'notify')) told.push(n);
      state = next.state;
    }
    expect(told).toEqual([1, 6]);
  });
});
