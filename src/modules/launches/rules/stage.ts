import type { Address } from '@tradepost/solana';
import type { CreatedLaunch, CurveLook, CurveState, RisenLaunch } from '@tradepost/venues';
import { ageAt } from '../../../core/time/age.ts';

/** From its creation to its pool. */
export const STAGES = ['new', 'near', 'complete', 'graduated'] as const;
export type Stage = (typeof STAGES)[number];

/** A curve that has sold this share is near its end. */
export const NEAR_BPS = 8_000;
const ALL_BPS = 10_000;
const DAY_MS = 86_400_000;

/** A launched token as the feed has seen it. */
export type SeenLaunch = Omit<CreatedLaunch, 'kind' | 'slot' | 'at'> & {
  /** Key of the launchpad. */
  readonly pad: string;
  readonly createdSlot: bigint;
  readonly createdAt: number;
  readonly stage: Stage;
  /** The slot at which each stage beyond the first was seen first; null for one that was not reached, or was passed over. */
  readonly slots: { readonly [S in Exclude<Stage, 'new'>]: bigint | null };
  readonly soldBps: number;
  readonly pool: Address | null;
  /** A fork had its creation. */
  readonly takenBack: boolean;
  readonly lookedAt: number;
  /** When its curve was seen to move last: it trades. */
  readonly movedAt: number;
};

const NO_SLOTS: SeenLaunch['slots'] = { near: null, complete: null, graduated: null };

/** The row of a creation, before its curve was looked at. */
export function newLaunch(event: CreatedLaunch, pad: string, now: number): SeenLaunch {
  const { kind: _, slot, at, ...facts } = event;
  return {
    ...facts,
    pad,
    createdSlot: slot,
    createdAt: at,
    stage: 'new',
    slots: NO_SLOTS,
    soldBps: 0,
    pool: null,
    takenBack: false,
    lookedAt: 0,
    movedAt: now,
  };
}

/** The highest stage that a curve proves by itself. */
export function stageOf({ soldBps, complete, moved }: CurveState): Stage {
  if (moved !== null) return 'graduated';
  if (complete) return 'complete';
  return soldBps >= NEAR_BPS ? 'near' : 'new';
}

const rank = (stage: Stage): number => STAGES.indexOf(stage);

/** Whether one stage is beyond another. */
export const isBeyond = (stage: Stage, other: Stage): boolean => rank(stage) > rank(other);

/**
 * The launch after a look at its curve at `slot`. A stage whose slot is final never falls. One that is not final falls where a later look
 * no longer shows it: a fork took it back. `finalSlot`: the newest final slot of the node.
 */
export function afterLook(
  launch: SeenLaunch,
  seen: {
    readonly look: CurveLook;
    readonly slot: bigint;
    readonly finalSlot: bigint;
    readonly now: number;
  },
): SeenLaunch {
  const { look, slot, finalSlot, now } = seen;
  if (look === 'unknown') return { ...launch, lookedAt: now };
  if (look === 'absent') {
    // A node that is behind the creation shows no account either.
    const isGone = !launch.takenBack && launch.createdSlot > finalSlot && slot >= launch.createdSlot;
    return isGone ? takenBack(launch, now) : { ...launch, lookedAt: now };
  }
  const shown = stageOf(look);
  const kept = standing(launch.slots, shown, { slot, finalSlot });
  const held = highestOf(kept);
  const rises = isBeyond(shown, held);
  const stage = rises ? shown : held;
  const soldBps = stage === 'complete' || stage === 'graduated' ? ALL_BPS : look.soldBps;
  return {
    ...launch,
    takenBack: false,
    stage,
    slots: rises && shown !== 'new' ? { ...kept, [shown]: slot } : kept,
    soldBps,
    pool: stage === 'graduated' ? (look.moved?.pool ?? launch.pool) : null,
    lookedAt: now,
    movedAt: soldBps === launch.soldBps && !launch.takenBack ? launch.movedAt : now,
  };
}

/** The stages that stay when a curve shows no more than `shown`: the final ones, and those that the look is too old for. */
function standing(
  slots: SeenLaunch['slots'],
  shown: Stage,
  { slot, finalSlot }: { readonly slot: bigint; readonly finalSlot: bigint },
): SeenLaunch['slots'] {
  const stays = (stage: keyof SeenLaunch['slots']): bigint | null => {
    const at = slots[stage];
    return at !== null && at > finalSlot && slot >= at && isBeyond(stage, shown) ? null : at;
  };
  return { near: stays('near'), complete: stays('complete'), graduated: stays('graduated') };
}

/** The launch after an event of its pad: a stage that is known, or passed, changes nothing. */
export function afterEvent(launch: SeenLaunch, event: RisenLaunch, now: number): SeenLaunch {
  const { kind, slot } = event;
  const pool = kind === 'graduated' ? (event.pool ?? launch.pool) : launch.pool;
  if (launch.takenBack || !isBeyond(kind, launch.stage)) return { ...launch, pool };
  return {
    ...launch,
    stage: kind,
    slots: { ...launch.slots, [kind]: slot },
    soldBps: ALL_BPS,
    pool,
    movedAt: now,
  };
}

/** The launch after its creation was read again: a fork may have put it into another slot, or brought it back. */
export function createdAgain(launch: SeenLaunch, event: CreatedLaunch, now: number): SeenLaunch {
  const { slot, at, signature } = event;
  if (!launch.takenBack && launch.createdSlot === slot && launch.signature === signature) return launch;
  const movedAt = launch.takenBack ? now : launch.movedAt;
  return { ...launch, takenBack: false, createdSlot: slot, createdAt: at, signature, movedAt };
}

function takenBack(launch: SeenLaunch, now: number): SeenLaunch {
  return {
    ...launch,
    takenBack: true,
    stage: 'new',
    slots: NO_SLOTS,
    soldBps: 0,
    pool: null,
    lookedAt: now,
    movedAt: now,
  };
}

function highestOf(slots: SeenLaunch['slots']): Stage {
  return STAGES.findLast((stage) => stage !== 'new' && slots[stage] !== null) ?? 'new';
}

/** No trade for a day, and no pool: it is looked at no more and listed no more. */
export function isDead({ stage, movedAt }: Pick<SeenLaunch, 'stage' | 'movedAt'>, now: number): boolean {
  return stage !== 'graduated' && ageAt(movedAt, now) >= DAY_MS;
}
