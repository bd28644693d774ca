import { VersionedMessage } from '@solana/web3.js';
import { type Address, addressBytes } from '@tradepost/solana';
import type { MessageConfig } from '../../src/engine/signing/rules/decode-message.ts';
import { addressOf } from '../engine/intents/build.ts';

const BLOCKHASH = addressOf(99);
const CONFIG: MessageConfig = {
  priorityFeeLamports: 1_000n,
  units: 600_000,
  loadedBytes: 8_388_608,
  heapBytes: null,
};

const u32 = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const u64 = (value: bigint): number[] =>
  Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));
export const maskOf = ({ priorityFeeLamports, units, loadedBytes, heapBytes }: MessageConfig): number =>
  (priorityFeeLamports === null ? 0 : 3) |
  (units === null ? 0 : 4) |
  (loadedBytes === null ? 0 : 8) |
  (heapBytes === null ? 0 : 16);

export type Version1Parts = {
  readonly blockhash?: Address;
  readonly header: readonly [number, number, number];
  readonly accounts: readonly Address[];
  readonly instructions: readonly {
    readonly program: number;
    readonly indexes: readonly number[];
    readonly data: Uint8Array;
  }[];
  readonly config?: MessageConfig;
  readonly mask?: number;
};

/** SIMD-0385, written out by hand. */
export function writeVersion1({
  header,
  accounts,
  instructions,
  blockhash = BLOCKHASH,
  config = CONFIG,
  mask = maskOf(config),
}: Version1Parts): Uint8Array {
  return Uint8Array.from([
    0x81,
    ...header,
    ...u32(mask),
    ...addressBytes(blockhash),
    instructions.length,
    accounts.length,
    ...accounts.flatMap((address) => [...addressBytes(address)]),
    ...(config.priorityFeeLamports === null ? [] : u64(config.priorityFeeLamports)),
    ...[config.units, config.loadedBytes, config.heapBytes].flatMap((one) => (one === null ? [] : u32(one))),
    ...instructions.flatMap(({ program, indexes, data }) => [
      program,
      indexes.length,
      data.length & 0xff,
      data.length >> 8,
    ]),
    ...instructions.flatMap(({ indexes, data }) => [...indexes, ...data]),
  ]);
}

/** A message of version 0 in the parts of one of version 1; it must look nothing up. */
export function partsOf(message: Uint8Array): Version1Parts {
  const { header, staticAccountKeys, compiledInstructions, recentBlockhash } =
    VersionedMessage.deserialize(message);
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  return {
    header: [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts],
    accounts: staticAccountKeys.map((key) => key.toBase58() as Address),
    blockhash: recentBlockhash as Address,
    instructions: compiledInstructions.map((one) => ({
      program: one.programIdIndex,
      indexes: [...one.accountKeyIndexes],
      data: one.data,
    })),
  };
}

/** The same message as version 1. */
export function asVersion1(message: Uint8Array): Uint8Array {
  return writeVersion1(partsOf(message));
}

/** A transaction of version 1: its signatures, in the order of the signers, behind the message. */
export function signedVersion1(
  message: Uint8Array,
  signatures: readonly (Uint8Array | undefined)[],
): Uint8Array {
  return Uint8Array.from([...message, ...signatures.flatMap((one) => [...(one ?? new Uint8Array(64))])]);
}
