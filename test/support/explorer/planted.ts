import { isLive, nextAction, reduce } from '../../../src/engine/intents/rules/machine.ts';
import type { IntentEvent, IntentState, Transition } from '../../../src/engine/intents/rules/transition.ts';
import { COMMIT_RULES } from '../fakes/commit-rules.ts';
import { ENGINE, type Engine } from './world.ts';

/** Faults of which each must be found, or the explorer looks away. */
export type Planted = { readonly engine: Engine; readonly words: RegExp };

/** The event as if a second endpoint had said the same. */
function seconded(event: IntentEvent): readonly IntentEvent[] {
  if (event.kind === 'looked') return [event, { ...event, look: { ...event.look, endpoint: 'nobody' } }];
  if (event.kind !== 'finalized') return [event];
  return [{ ...event, looks: event.looks.flatMap((look) => [look, { ...look, endpoint: 'nobody' }]) }];
}

function believing(kind: 'finalized' | 'looked'): Engine['reduce'] {
  return (state, event, now) => {
    const [first = event, ...more] = event.kind === kind ? seconded(event) : [event];
    let transition = reduce(state, first, now);
    for (const next of more) {
      const after = reduce(transition.state, next, now);
      transition = {
        state: after.state,
        writes: [...transition.writes, ...after.writes],
        effects: [...transition.effects, ...after.effects],
      };
    }
    return transition;
  };
}

function alsoGivesBack(transition: Transition): Transition {
  if (transition.state.intent.status !== 'NEEDS_REVIEW') return transition;
  return {
    ...transition,
    effects: [...transition.effects, { kind: 'void', landedError: false, receipt: null }],
  };
}

const withoutEpoch: Engine['rules'] = {
  ...COMMIT_RULES,
  mayUpdateIntent: (intent, { statuses }) => COMMIT_RULES.mayUpdateIntent(intent, { statuses }),
};
const unfencedAttempts: Engine['rules'] = {
  ...COMMIT_RULES,
  mayUpdateAttempt: (intent, attempt, { statuses }) =>
    COMMIT_RULES.mayUpdateAttempt(intent, attempt, { statuses }),
};
const claimsAnyEpoch: Engine['rules'] = {
  ...COMMIT_RULES,
  mayClaim: (intent, _, now) => COMMIT_RULES.mayClaim(intent, intent.leaseEpoch, now),
};
const insertsAll: Engine['rules'] = { ...COMMIT_RULES, mayInsertAttempt: () => true };

/** Takes a live attempt that was sent for dead. */
const blind = (state: IntentState): IntentState => ({
  ...state,
  attempts: state.attempts.map((one) =>
    one.sendCount > 0 && isLive(one) ? { ...one, status: 'DEAD' as const } : one,
  ),
});

const BLIND: Engine = {
  ...ENGINE,
  next: (state, now) => nextAction(blind(state), now),
  reduce: (state, event, now) => {
    if (event.kind === 'signed') return reduce(blind(state), event, now);
    const isRefusal = event.kind === 'refused' || event.kind === 'lapsed';
    return isRefusal && state.attempts.some(isLive)
      ? { state, writes: [], effects: [] }
      : reduce(state, event, now);
  },
};

export const PLANTED: Readonly<Record<string, Planted>> = {
  'no check of the lease epoch': {
    engine: { ...ENGINE, rules: withoutEpoch },
    words: /a false word/,
  },
  'no check of the epoch where only an attempt is written': {
    engine: { ...ENGINE, rules: unfencedAttempts },
    words: /an attempt is written by who does not know it as it is/,
  },
  'no check of the epoch where a landing is committed without the lease': {
    engine: { ...ENGINE, rules: claimsAnyEpoch },
    words: /rows that somebody has leased since/,
  },
  'no check of a live attempt': {
    engine: { ...BLIND, rules: insertsAll },
    words: /two landed effects/,
  },
  'attempts that are read before the lease is taken': {
    engine: { ...ENGINE, readsFirst: true },
    words: /a false word/,
  },
  'one endpoint that is believed': {
    engine: { ...ENGINE, reduce: believing('finalized') },
    words: /a false word/,
  },
  'one endpoint whose "not found" is a death': {
    engine: { ...ENGINE, reduce: believing('looked') },
    words: /a false word|two landed effects/,
  },
  'a debt that is given back while a person looks': {
    engine: { ...ENGINE, reduce: (state, event, now) => alsoGivesBack(reduce(state, event, now)) },
    words: /a debt that was paid is owed again/,
  },
  'bytes that leave before they are committed': {
    engine: { ...ENGINE, sendsEarly: true },
    words: /two landed effects|a false word/,
  },
};

/** Faults that another rule makes up for: each alone must change nothing. */
export const HARMLESS: Readonly<Record<string, Engine>> = {
  'a worker that is blind to live attempts': BLIND,
  'a landing that is committed while somebody holds the lease': {
    ...ENGINE,
    rules: {
      ...COMMIT_RULES,
      mayClaim: (intent, epoch, now) => COMMIT_RULES.mayClaim({ ...intent, leaseUntil: null }, epoch, now),
    },
  },
  'a lease that is given while another is held': {
    ...ENGINE,
    rules: {
      ...COMMIT_RULES,
      mayLease: (intent, now) => COMMIT_RULES.mayLease({ ...intent, leaseUntil: null }, now),
    },
  },
};
