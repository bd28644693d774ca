import type { Address } from '@tradepost/solana';
import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';

/** Payload of a `deposit` notice. */
export type DepositNotice = {
  readonly walletId: string;
  /** Null = SOL. */
  readonly mint: Address | null;
  /** Lamports, or units of the mint. */
  readonly units: bigint;
  /** The person bought or made this token here; true for SOL. */
  readonly known: boolean;
  readonly signature: string;
  /** One node alone has seen it. Absent = two have. */
  readonly seenByOne?: true;
  /** In a correction: the former figure; `units` is the true one. Absent in the first report. */
  readonly was?: bigint;
};

export function encodeDeposit({ walletId, mint, units, known, signature, ...more }: DepositNotice): unknown {
  return {
    walletId,
    mint,
    units: units.toString(),
    known,
    signature,
    ...(more.seenByOne === true ? { seenByOne: true } : {}),
    ...(more.was === undefined ? {} : { was: more.was.toString() }),
  };
}

/** Throws CorruptRowError when the payload is not one that `encodeDeposit` made. */
export function decodeDeposit(payload: unknown): DepositNotice {
  const read = jsonReader(payload, 'notice');
  return {
    walletId: read.text('walletId'),
    mint: read.raw('mint') === null ? null : read.address('mint'),
    units: read.amount('units'),
    known: read.raw('known') === true,
    signature: read.text('signature'),
    ...(read.raw('seenByOne') === true ? { seenByOne: true as const } : {}),
    ...(read.raw('was') === undefined ? {} : { was: read.amount('was') }),
  };
}
