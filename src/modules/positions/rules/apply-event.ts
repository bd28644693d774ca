import { maxBigint } from '@tradepost/solana';
import type { Position, PositionEvent } from './position.ts';

/** The change that one event made to a position, in lamports. */
export type AppliedEvent = {
  readonly position: Position;
  readonly costChange: bigint;
  readonly realizedChange: bigint;
};

/**
 * The position after one more event. Events come in the order of (slot, signature): `foldEvents` sees to it. `carriedCost` is the cost that
 * the other half of a move between own wallets carries along.
 *
 * For trades, failed attempts included: realizedChange − costChange = flowLamports, to the lamport.
 */
export function applyEvent(position: Position, event: PositionEvent, carriedCost = 0n): AppliedEvent {
  const { slot, signature } = event;
  const applied = apply(position, event, carriedCost);
  return {
    position: { ...position, ...applied, upTo: { slot, signature } },
    costChange: (applied.cost ?? position.cost) - position.cost,
    realizedChange: (applied.realized ?? position.realized) - position.realized,
  };
}

function apply(position: Position, event: PositionEvent, carriedCost: bigint): Partial<Position> {
  const { units, cost, realized } = position;
  switch (event.kind) {
    case 'buy':
      return { units: units + event.units, cost: cost - event.flowLamports, hidden: false };
    case 'sell': {
      const share = costShare(position, event.units);
      return {
        units: units - event.units,
        cost: cost - share,
        realized: realized + event.flowLamports - share,
        hidden: false,
      };
    }
    case 'failed':
      return { realized: realized - event.feeLamports, hidden: false };
    case 'own-out':
      return { units: units - event.units, cost: cost - costShare(position, event.units) };
    case 'own-in':
      return {
        units: units + event.units,
        cost: cost + carriedCost,
        hidden: position.hidden && carriedCost === 0n,
      };
    case 'received':
      return {
        units: units + event.units,
        // Older events may have a value below zero.
        cost: cost + maxBigint(0n, event.valueLamports),
        hidden: false,
        pricedAtReceipt: true,
      };
    case 'creation':
      return { units: units + event.units, cost: cost + event.costLamports, hidden: false };
    case 'withdrawn':
    case 'taken':
      return leave(position, event.kind, event.units);
    case 'airdrop':
    case 'remainder':
    case 'adjustment':
      return free(position, event.kind, event.units);
  }
}

/** Units that go for nothing: to others without a result, by the mint's authority as a loss. */
function leave(position: Position, kind: 'withdrawn' | 'taken', units: bigint): Partial<Position> {
  const share = costShare(position, units);
  const left = { units: position.units - units, cost: position.cost - share };
  return kind === 'withdrawn'
    ? {
        ...left,
        withdrawnUnits: position.withdrawnUnits + units,
        withdrawnCost: position.withdrawnCost + share,
      }
    : { ...left, realized: position.realized - share, takenUnits: position.takenUnits + units };
}

/** Units that change without any cost. */
function free(
  position: Position,
  kind: 'airdrop' | 'remainder' | 'adjustment',
  change: bigint,
): Partial<Position> {
  const units = position.units + change;
  switch (kind) {
    case 'airdrop':
      return { units };
    case 'remainder':
      return { units, hidden: false, remainderUnits: position.remainderUnits + change };
    case 'adjustment':
      return { units, hidden: false, adjustedUnits: position.adjustedUnits + change };
  }
}

/**
 * The cost of `leaving` units: ⌊cost · leaving / units⌋, and all of it when nothing remains, so that no lamport stays behind on
 * an empty position. A cost below zero (a trade that brought both) rounds down as well.
 */
export function costShare({ units, cost }: Pick<Position, 'units' | 'cost'>, leaving: bigint): bigint {
  if (leaving >= units) return cost;
  const scaled = cost * leaving;
  const share = scaled / units;
  return scaled < 0n && share * units !== scaled ? share - 1n : share;
}
