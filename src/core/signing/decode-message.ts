import { type Address, addressFromBytes } from '../address/address.ts';
import type { Instruction } from '../instruction.ts';

/** A transaction message as the signing policy reads it: every account with the rights the message itself gives it. */
export type DecodedMessage = {
  readonly version: 'legacy' | 0;
  /** Required signers in order; the first pays the fee. */
  readonly signers: readonly Address[];
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
};

/** Bytes that are not exactly one message this decoder understands. The text says what was wrong, never any content. */
export class UndecodableMessageError extends Error {
  constructor(problem: string) {
    super(`message cannot be decoded: ${problem}`);
    this.name = 'UndecodableMessageError';
  }
}

/**
 * Decodes a legacy or version-0 message, all of it: trailing bytes, lengths in more than their shortest form, unknown
 * versions and indexes out of range are refused, because what the signer does not read another reader might. Address
 * lookup tables are refused too: the accounts they name are invisible here, so a rule could be evaded through them.
 * Source of truth: solana-sdk `message::legacy::Message` and `message::v0::Message`.
 */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  let offset = 0;
  const take = (length: number): Uint8Array => {
    if (offset + length > bytes.length) throw new UndecodableMessageError('it ends too early');
    offset += length;
    return bytes.subarray(offset - length, offset);
  };
  const u8 = (): number => take(1)[0] ?? 0;
  const shortVec = (): number => {
    let value = 0;
    for (let index = 0; index < 3; index++) {
      const byte = u8();
      if (index > 0 && byte === 0) throw new UndecodableMessageError('a length is not in its shortest form');
      value |= (byte & 0x7f) << (7 * index);
      if ((byte & 0x80) === 0) {
        if (value > 0xffff) break;
        return value;
      }
    }
    throw new UndecodableMessageError('a length is too large');
  };

  const first = u8();
  const versioned = (first & 0x80) !== 0;
  if (versioned && (first & 0x7f) !== 0) throw new UndecodableMessageError('its version is unknown');
  const signerCount = versioned ? u8() : first;
  const readonlySigners = u8();
  const readonlyOthers = u8();

  const accounts = Array.from({ length: shortVec() }, () => addressFromBytes(take(32)));
  if (signerCount === 0 || signerCount > accounts.length || readonlySigners >= signerCount) {
    throw new UndecodableMessageError('its header does not fit its accounts');
  }
  if (readonlyOthers > accounts.length - signerCount) {
    throw new UndecodableMessageError('its header does not fit its accounts');
  }
  if (new Set(accounts).size !== accounts.length) {
    throw new UndecodableMessageError('an account is listed twice');
  }
  const blockhash = addressFromBytes(take(32));

  const isWritable = (index: number): boolean =>
    index < signerCount ? index < signerCount - readonlySigners : index < accounts.length - readonlyOthers;
  const accountAt = (index: number): Address => {
    const found = accounts[index];
    if (found === undefined)
      throw new UndecodableMessageError('an instruction names an account beyond the list');
    return found;
  };
  const instructions = Array.from({ length: shortVec() }, (): Instruction => {
    const programId = accountAt(u8());
    const indexes = [...take(shortVec())];
    return {
      programId,
      accounts: indexes.map((index) => ({
        address: accountAt(index),
        signer: index < signerCount,
        writable: isWritable(index),
      })),
      data: take(shortVec()).slice(),
    };
  });
  if (versioned && shortVec() !== 0) throw new UndecodableMessageError('it uses address lookup tables');
  if (offset !== bytes.length) throw new UndecodableMessageError('bytes follow its end');
  return {
    version: versioned ? 0 : 'legacy',
    signers: accounts.slice(0, signerCount),
    blockhash,
    instructions,
  };
}
