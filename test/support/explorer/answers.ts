import { deathLook } from '../../../src/engine/intents/rules/death.ts';
import type { Attempt } from '../../../src/engine/intents/rules/intent.ts';
import type { IntentEvent, Landing } from '../../../src/engine/intents/rules/transition.ts';
import { isLandingLookDue, type LandingLook } from '../../../src/engine/intents/rules/verdict.ts';
import { type Bytes, bytesOf, type World } from './world.ts';

/** One endpoint's word on an attempt; `null` = it is not heard or knows nothing yet. */
type Word = 'ok' | 'err' | 'never' | null;
type Said = { readonly word: Word; readonly isLie: boolean };

const FAILURE = '{"InstructionError":[3,{"Custom":6001}]}';

/** Every list of events that a look at this attempt may come to, with the number of lies in it. */
export function looksAt(
  world: World,
  attempt: Attempt,
  endpoints: number,
): readonly { readonly label: string; readonly events: readonly IntentEvent[]; readonly lies: number }[] {
  const bytes = bytesOf(world, attempt.signature);
  if (bytes === undefined) return [];
  const honest = truthOf(bytes);
  const liar = world.left.lies > 0;
  const found = [];
  if (attempt.status !== 'CONFIRMED') {
    for (const fate of ['ok', 'err'] as const) {
      const isTrue = bytes.fate === fate;
      if (!isTrue && !liar) continue;
      found.push({
        label: `is told "confirmed ${fate}"`,
        events: [{ kind: 'confirmed' as const, ...landing(attempt, fate) }],
        lies: isTrue ? 0 : 1,
      });
    }
  }
  const first = endpoints === 1 ? sayings(honest, liar) : sayings(honest, false);
  const second = endpoints === 1 ? [{ word: null, isLie: false }] : sayings(honest, liar);
  for (const a of first) {
    for (const b of second) {
      if (a.word === null && b.word === null) continue;
      const events = hearing(world, attempt, endpoints, a.word, b.word);
      if (events.length === 0) continue;
      const lies = Number(a.isLie) + Number(b.isLie);
      found.push({ label: `hears ${a.word}${endpoints === 1 ? '' : ` and ${b.word}`}`, events, lies });
    }
  }
  return found;
}

function truthOf({ fate, isFinal, isExpired }: Bytes): Word {
  if (fate !== null) return isFinal ? fate : null;
  return isExpired ? 'never' : null;
}

function sayings(truth: Word, lies: boolean): readonly Said[] {
  const words: readonly Word[] = lies
    ? ['ok', 'err', 'never', null]
    : truth === null
      ? [null]
      : [truth, null];
  return words.map((word) => ({ word, isLie: word !== null && word !== truth }));
}

/** The events of one hearing, in the engine's order: what proves a death first. */
function hearing(
  world: World,
  attempt: Attempt,
  endpoints: number,
  ...words: readonly [Word, Word]
): readonly IntentEvent[] {
  const deaths: IntentEvent[] = [];
  const looks: LandingLook[] = [];
  const isDue = isLandingLookDue(attempt, world.now);
  words.forEach((word, index) => {
    const endpoint = index === 0 ? 'a' : 'b';
    if (word === 'never') {
      const probe = {
        endpoint,
        endpoints,
        finalizedHeight: attempt.lastValidBlockHeight + 1n,
        finalizedSlot: attempt.signedSlot + 500n,
        status: null,
        statusSlot: attempt.signedSlot + 500n,
        firstAvailableBlock: 0n,
      };
      const look = deathLook(attempt, probe, world.now);
      if (look !== null) deaths.push({ kind: 'looked', attemptId: attempt.id, look });
    } else if (word !== null && isDue) {
      const { slot, err, priceMoved } = landing(attempt, word);
      // A liar's record fits its lie: the effect alone would not give it away.
      looks.push({ endpoint, endpoints, at: world.now, slot, err, priceMoved, effect: 'shown', sums: null });
    }
  });
  const [look] = looks;
  if (look === undefined) return deaths;
  const said = landing(attempt, look.err === null ? 'ok' : 'err');
  return [...deaths, { kind: 'finalized', ...said, looks, doubts: 0 }];
}

function landing(attempt: Attempt, fate: 'ok' | 'err'): Landing {
  return {
    attemptId: attempt.id,
    slot: attempt.signedSlot + 9n,
    err: fate === 'ok' ? null : FAILURE,
    priceMoved: fate === 'err',
    receipt: null,
  };
}
