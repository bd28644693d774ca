import { hasAged } from '../../../core/time/age.ts';
import { type DeathLook, provesDeath } from './death.ts';
import type { Attempt } from './intent.ts';
import { jsonReader } from './json-reader.ts';

/**
 * Whether the transaction's own record bears its status out: it does, it says something else, or the endpoint has no record.
 */
export type Effect = 'shown' | 'contradicted' | 'unserved';

/** One endpoint's word that an attempt is final, as it is kept in the attempt's row. */
export type LandingLook = {
  readonly endpoint: string;
  readonly endpoints: number;
  readonly at: number;
  readonly slot: bigint;
  /** The chain's error as JSON text, null when it worked. */
  readonly err: string | null;
  readonly priceMoved: boolean;
  readonly effect: Effect;
  /** The record's sums that money is booked by; null when there is no record. */
  readonly sums: string | null;
};

export type LandingVerdict =
  /** Not enough is known yet. */
  | { readonly kind: 'open' }
  | { readonly kind: 'agreed'; readonly err: string | null; readonly priceMoved: boolean }
  /** An endpoint lies or is confused, and nothing here shows which. */
  | { readonly kind: 'disputed' };

export type LandingRule = {
  /** How far apart two looks at the only endpoint must be; above 0, or one look would agree with itself. */
  readonly secondLookAfterMs: number;
  /** A person is called when endpoints still answer this long after the first look without bearing it out. */
  readonly reviewAfterMs: number;
};

export const LANDING_RULE: LandingRule = { secondLookAfterMs: 2_000, reviewAfterMs: 600_000 };

type Signed = Pick<Attempt, 'signedSlot'>;

/**
 * The verdict on the looks so far. Agreed when two endpoints say that it landed in the same way and the transaction's record shows the
 * effect. A single endpoint must say so twice, `secondLookAfterMs` apart. Disputed, without regard to other facts, in four cases. Two looks
 * differ; a record contradicts its status; two records differ in the booked amounts; or another endpoint's look proves a death. A final
 * result cannot change, so one of them is wrong. An endpoint that later finds an unknown transaction has made up its mind.
 */
export function judgeLanding(
  attempt: Signed,
  looks: readonly LandingLook[],
  deaths: readonly DeathLook[],
  rule: LandingRule = LANDING_RULE,
): LandingVerdict {
  if (isDisputed(attempt, looks, deaths)) return { kind: 'disputed' };
  for (const second of looks) {
    const first = looks.find((other) => bearsOut(other, second, rule));
    if (first === undefined) continue;
    return { kind: 'agreed', err: second.err, priceMoved: first.priceMoved && second.priceMoved };
  }
  return { kind: 'open' };
}

function bearsOut(first: LandingLook, second: LandingLook, rule: LandingRule): boolean {
  if (first.endpoint !== second.endpoint) return true;
  if (Math.max(first.endpoints, second.endpoints) > 1) return false;
  return second.effect === 'shown' && second.at - first.at >= rule.secondLookAfterMs;
}

function isDisputed(attempt: Signed, looks: readonly LandingLook[], deaths: readonly DeathLook[]): boolean {
  if (looks.some((look) => look.effect === 'contradicted')) return true;
  if (new Set(looks.map((look) => look.err === null)).size > 1) return true;
  if (new Set(looks.flatMap(({ sums }) => sums ?? [])).size > 1) return true;
  return deaths
    .filter((death) => provesDeath(attempt, death))
    .some((death) => looks.some((look) => look.endpoint !== death.endpoint || look.at < death.at));
}

/** Whether endpoints are to be asked again: a look that follows another at once proves no more than the first. */
export function isLandingLookDue(
  attempt: Pick<Attempt, 'landingProof'>,
  now: number,
  rule: LandingRule = LANDING_RULE,
): boolean {
  return decodeLandingLooks(attempt.landingProof).every((look) =>
    hasAged(look.at, rule.secondLookAfterMs, now),
  );
}

/** Whether endpoints that answer leave the first look alone for too long. */
export function isOverdue(
  looks: readonly LandingLook[],
  now: number,
  rule: LandingRule = LANDING_RULE,
): boolean {
  return looks.some((look) => hasAged(look.at, rule.reviewAfterMs, now));
}

/** Keeps the earliest and the latest look per endpoint: a proof needs no more, and a row must not grow for hours. */
export function rememberLanding(looks: readonly LandingLook[], look: LandingLook): readonly LandingLook[] {
  const same = looks.filter((known) => known.endpoint === look.endpoint);
  return [...looks.filter((known) => known.endpoint !== look.endpoint), ...same.slice(0, 1), look];
}

export function encodeLandingLooks(looks: readonly LandingLook[]): unknown {
  return { looks: looks.map((look) => ({ ...look, slot: look.slot.toString() })) };
}

/** Looks of an attempt's `landingProof`; none when it is null. Throws CorruptRowError on anything else. */
export function decodeLandingLooks(proof: unknown): readonly LandingLook[] {
  if (proof === null || proof === undefined) return [];
  return jsonReader(proof, 'landingProof').list('looks', (look) => ({
    endpoint: look.text('endpoint'),
    endpoints: look.integer('endpoints'),
    at: look.integer('at'),
    slot: look.amount('slot'),
    err: look.textOrNull('err'),
    priceMoved: look.flag('priceMoved'),
    sums: look.textOrNull('sums'),
    effect: look.oneOf('effect', ['shown', 'contradicted', 'unserved'] as const),
  }));
}
