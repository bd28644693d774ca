import type { Address } from '../address/address.ts';
import { jsonReader } from '../intents/json-reader.ts';

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
};

export function encodeDeposit({ walletId, mint, units, known, signature }: DepositNotice): unknown {
  return { walletId, mint, units: units.toString(), known, signature };
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
  };
}
