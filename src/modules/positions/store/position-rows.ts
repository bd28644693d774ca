import { fromTime, toTime } from '../../../platform/db/codec.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { Position, PositionEvent } from '../rules/position.ts';
import type { OddUnits, RecordedEvent, StoredPosition } from './position-store-port.ts';

/** Rows of positions and their events, and back. Amounts travel as text: JSON numbers lose digits past 2^53. */

export const EVENT_COLUMNS = `wallet_id AS "walletId", mint, signature, kind, slot::text AS slot, at, units::text AS units,
  lamports::text AS lamports, revision, final, intent_id AS "intentId", fee_lamports::text AS "networkFeeLamports",
  platform_fee_lamports::text AS "platformFeeLamports", rent_lamports::text AS "rentLamports"`;

export type EventRow = {
  readonly walletId: string;
  readonly mint: string;
  readonly signature: string;
  readonly kind: PositionEvent['kind'];
  readonly slot: string;
  readonly at: Date;
  readonly units: string;
  readonly lamports: string;
  readonly revision: number;
  readonly final: boolean;
  readonly intentId: string | null;
  readonly networkFeeLamports: string;
  readonly platformFeeLamports: string;
  readonly rentLamports: string;
};

export const POSITION_COLUMNS = `wallet_id AS "walletId", mint, stale, units::text AS units, cost::text AS cost,
  realized::text AS realized, hidden, priced_at_receipt AS "pricedAtReceipt", remainder_units::text AS "remainderUnits",
  withdrawn_units::text AS "withdrawnUnits", withdrawn_cost::text AS "withdrawnCost", taken_units::text AS "takenUnits",
  adjusted_units::text AS "adjustedUnits", up_to_slot::text AS "upToSlot", up_to_signature AS "upToSignature",
  hidden_by_person AS "hiddenByPerson", odd_units::text AS "oddUnits", odd_since AS "oddSince",
  midnight::timestamp AT TIME ZONE 'UTC' AS midnight, midnight_units::text AS "midnightUnits",
  midnight_value::text AS "midnightValue"`;

export type PositionRow = {
  readonly walletId: string;
  readonly mint: string;
  readonly stale: boolean;
  readonly units: string;
  readonly cost: string;
  readonly realized: string;
  readonly hidden: boolean;
  readonly pricedAtReceipt: boolean;
  readonly remainderUnits: string;
  readonly withdrawnUnits: string;
  readonly withdrawnCost: string;
  readonly takenUnits: string;
  readonly adjustedUnits: string;
  readonly upToSlot: string | null;
  readonly upToSignature: string | null;
  readonly hiddenByPerson: boolean | null;
  readonly oddUnits: string | null;
  readonly oddSince: Date | null;
  readonly midnight: Date | null;
  readonly midnightUnits: string | null;
  readonly midnightValue: string | null;
};

export function encodeEvent(event: RecordedEvent): unknown {
  return {
    wallet_id: event.walletId,
    mint: event.mint,
    signature: event.signature,
    kind: event.kind,
    slot: event.slot.toString(),
    at: toTime(event.at),
    units: (event.kind === 'failed' ? 0n : event.units).toString(),
    lamports: lamportsOf(event).toString(),
    revision: event.kind === 'received' ? event.revision : 0,
    final: event.final,
    intent_id: event.intentId,
    fee_lamports: event.networkFeeLamports.toString(),
    platform_fee_lamports: event.platformFeeLamports.toString(),
    rent_lamports: event.rentLamports.toString(),
  };
}

/** The one amount of SOL that the kind has. */
function lamportsOf(event: PositionEvent): bigint {
  switch (event.kind) {
    case 'buy':
    case 'sell':
      return event.flowLamports;
    case 'failed':
      return event.feeLamports;
    case 'received':
      return event.valueLamports;
    case 'creation':
      return event.costLamports;
    case 'own-out':
    case 'own-in':
    case 'airdrop':
    case 'withdrawn':
    case 'taken':
    case 'remainder':
    case 'adjustment':
      return 0n;
  }
}

export function toEvent(row: EventRow): RecordedEvent {
  const { kind, revision } = row;
  const [units, lamports] = [BigInt(row.units), BigInt(row.lamports)];
  const facts = {
    walletId: row.walletId,
    // Written by this store from checked values.
    mint: storedAddress(row.mint),
    signature: row.signature,
    slot: BigInt(row.slot),
    at: fromTime(row.at),
    final: row.final,
    intentId: row.intentId,
    networkFeeLamports: BigInt(row.networkFeeLamports),
    platformFeeLamports: BigInt(row.platformFeeLamports),
    rentLamports: BigInt(row.rentLamports),
  };
  switch (kind) {
    case 'buy':
    case 'sell':
      return { ...facts, kind, units, flowLamports: lamports };
    case 'failed':
      return { ...facts, kind, feeLamports: lamports };
    case 'received':
      return { ...facts, kind, units, valueLamports: lamports, revision };
    case 'creation':
      return { ...facts, kind, units, costLamports: lamports };
    case 'own-out':
    case 'own-in':
    case 'airdrop':
    case 'withdrawn':
    case 'taken':
    case 'remainder':
    case 'adjustment':
      return { ...facts, kind, units };
  }
}

export function encodePosition(position: Position): unknown {
  return {
    wallet_id: position.walletId,
    mint: position.mint,
    units: position.units.toString(),
    cost: position.cost.toString(),
    realized: position.realized.toString(),
    hidden: position.hidden,
    priced_at_receipt: position.pricedAtReceipt,
    remainder_units: position.remainderUnits.toString(),
    withdrawn_units: position.withdrawnUnits.toString(),
    withdrawn_cost: position.withdrawnCost.toString(),
    taken_units: position.takenUnits.toString(),
    adjusted_units: position.adjustedUnits.toString(),
    up_to_slot: position.upTo?.slot.toString() ?? null,
    up_to_signature: position.upTo?.signature ?? null,
  };
}

export function toOdd(units: string | null, since: Date | null): OddUnits | null {
  return units === null || since === null ? null : { units: BigInt(units), since: fromTime(since) };
}

export function toPosition({
  upToSlot,
  upToSignature,
  oddUnits,
  oddSince,
  midnight,
  midnightUnits,
  midnightValue,
  ...row
}: PositionRow): StoredPosition {
  return {
    ...row,
    mint: storedAddress(row.mint),
    units: BigInt(row.units),
    cost: BigInt(row.cost),
    realized: BigInt(row.realized),
    remainderUnits: BigInt(row.remainderUnits),
    withdrawnUnits: BigInt(row.withdrawnUnits),
    withdrawnCost: BigInt(row.withdrawnCost),
    takenUnits: BigInt(row.takenUnits),
    adjustedUnits: BigInt(row.adjustedUnits),
    odd: toOdd(oddUnits, oddSince),
    midnight:
      midnight === null || midnightUnits === null || midnightValue === null
        ? null
        : { day: fromTime(midnight), units: BigInt(midnightUnits), lamports: BigInt(midnightValue) },
    upTo:
      upToSlot === null || upToSignature === null
        ? null
        : { slot: BigInt(upToSlot), signature: upToSignature },
  };
}
