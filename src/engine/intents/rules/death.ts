import type { DeathProbe } from '../../../platform/ports/chain.ts';
import type { Attempt } from './intent.ts';
import { jsonReader } from './json-reader.ts';

/** One round of the death test that found nothing, as it is kept in the attempt's row. */
export type DeathLook = {
  readonly endpoint: string;
  readonly endpoints: number;
  readonly at: number;
  readonly finalizedHeight: bigint;
  readonly finalizedSlot: bigint;
  readonly statusSlot: bigint;
  readonly firstAvailableBlock: bigint;
};

export type DeathVerdict = 'alive' | 'dead' | 'unprovable';

export type DeathRule = {
  /** How far apart two looks at the only endpoint must be; above 0, or one look would agree with itself. */
  readonly secondLookAfterMs: number;
  /** From this age on, looks that agree without history back to the signing slot call a person instead of being repeated. */
  readonly reviewAfterMs: number;
};

const DEATH_RULE: DeathRule = { secondLookAfterMs: 10_000, reviewAfterMs: 600_000 };

type Aged = Pick<Attempt, 'lastValidBlockHeight' | 'signedSlot' | 'signedAt'>;

/**
 * The look that follows from a probe, or null when it proves nothing. It proves something only when two things hold at one endpoint. The
 * FINALIZED height has passed the last valid height: a confirmed height can be rolled back, and a "blockhash not valid" answer can come
 * from a lagging node. Afterwards a search of history, answered at that slot or later, does not know the signature: a balancer may have
 * sent the second question to a node that is behind the first.
 */
export function deathLook(attempt: Aged, probe: DeathProbe, at: number): DeathLook | null {
  if (probe.status !== null) return null;
  if (probe.finalizedHeight <= attempt.lastValidBlockHeight) return null;
  if (probe.statusSlot < probe.finalizedSlot) return null;
  const { endpoint, endpoints, finalizedHeight, finalizedSlot, statusSlot, firstAvailableBlock } = probe;
  return { endpoint, endpoints, at, finalizedHeight, finalizedSlot, statusSlot, firstAvailableBlock };
}

/**
 * Dead when two looks agree: from two different endpoints, or `secondLookAfterMs` apart where there is only one. A look counts only while
 * that endpoint's history reaches back to the signing slot, however young the attempt is: a node that was started from a snapshot, or keeps
 * minutes of history, says "not found" of a transaction from before its memory begins. When only such looks agree, the question is asked
 * again until the attempt is old; then a person must look: `unprovable` blocks new attempts.
 */
export function judgeDeath(
  attempt: Aged,
  looks: readonly DeathLook[],
  rule: DeathRule = DEATH_RULE,
): DeathVerdict {
  if (agree(looks.filter(reachesBack(attempt)), rule)) return 'dead';
  const old = looks.filter((look) => look.at - attempt.signedAt > rule.reviewAfterMs);
  return agree(old, rule) ? 'unprovable' : 'alive';
}

/** Whether this endpoint's history reaches back to the signing, so that its "not found" says something. */
export function provesDeath(attempt: Pick<Attempt, 'signedSlot'>, look: DeathLook): boolean {
  return reachesBack(attempt)(look);
}

function reachesBack({ signedSlot }: Pick<Attempt, 'signedSlot'>): (look: DeathLook) => boolean {
  return (look) => look.firstAvailableBlock <= signedSlot;
}

function agree(looks: readonly DeathLook[], rule: DeathRule): boolean {
  return looks.some((first) =>
    looks.some(
      (second) =>
        first.endpoint !== second.endpoint ||
        (Math.max(first.endpoints, second.endpoints) === 1 && second.at - first.at >= rule.secondLookAfterMs),
    ),
  );
}

/**
 * Keeps the earliest and the latest look per endpoint: a proof needs no more, and a row must not grow for hours. Looks that reach back are
 * kept apart from those that do not, because one address may serve nodes of both kinds.
 */
export function rememberLook(
  attempt: Pick<Attempt, 'signedSlot'>,
  looks: readonly DeathLook[],
  look: DeathLook,
): readonly DeathLook[] {
  const deep = reachesBack(attempt);
  const alike = (known: DeathLook): boolean => known.endpoint === look.endpoint && deep(known) === deep(look);
  return [...looks.filter((known) => !alike(known)), ...looks.filter(alike).slice(0, 1), look];
}

export function encodeLooks(looks: readonly DeathLook[]): unknown {
  return {
    looks: looks.map((look) => ({
      ...look,
      finalizedHeight: look.finalizedHeight.toString(),
      finalizedSlot: look.finalizedSlot.toString(),
      statusSlot: look.statusSlot.toString(),
      firstAvailableBlock: look.firstAvailableBlock.toString(),
    })),
  };
}

/** Looks of an attempt's `deathProof`; none when it is null. Throws CorruptRowError on anything else. */
export function decodeLooks(proof: unknown): readonly DeathLook[] {
  if (proof === null || proof === undefined) return [];
  return jsonReader(proof, 'deathProof').list('looks', (look) => ({
    endpoint: look.text('endpoint'),
    endpoints: look.integer('endpoints'),
    at: look.integer('at'),
    finalizedHeight: look.amount('finalizedHeight'),
    finalizedSlot: look.amount('finalizedSlot'),
    statusSlot: look.amount('statusSlot'),
    firstAvailableBlock: look.amount('firstAvailableBlock'),
  }));
}
