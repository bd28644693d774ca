import {
  AddressLookupTableAccount,
  PACKET_DATA_SIZE,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js';
import type { Address } from '../../core/address/address.ts';
import type { LookupTable } from '../../core/lookup-tables/lookup-table.ts';
import type { MessageCompiler } from '../../core/ports/chain.ts';
import { publicKey, toAddress } from './instruction-codec.ts';

const SIGNATURE_BYTES = 64;
/** Solana refuses a transaction that locks more accounts than this. */
const MAX_ACCOUNTS = 64;

/** As large as a number can say "never closed": the caller has judged the tables by the chain's state. */
const NEVER_CLOSED = 0xffff_ffff_ffff_ffffn;

/** Compiles v0 messages. */
export function createMessageCompiler(): MessageCompiler {
  return {
    compile: ({ payer, instructions, blockhash, lookupTables = [] }) => {
      const message = new TransactionMessage({
        payerKey: publicKey(payer),
        recentBlockhash: blockhash,
        instructions: instructions.map(
          (instruction) =>
            new TransactionInstruction({
              programId: publicKey(instruction.programId),
              keys: instruction.accounts.map((meta) => ({
                pubkey: publicKey(meta.address),
                isSigner: meta.signer,
                isWritable: meta.writable,
              })),
              data: Buffer.from(instruction.data),
            }),
        ),
      }).compileToV0Message(lookupTables.map(toTableAccount));
      const looked = message.addressTableLookups.flatMap(
        ({ writableIndexes, readonlyIndexes, accountKey }) => {
          const entries =
            lookupTables.find(({ address }) => address === toAddress(accountKey))?.entries ?? [];
          const named = (indexes: readonly number[]) => indexes.flatMap((index) => entries[index] ?? []);
          return [{ writable: named(writableIndexes), readonly: named(readonlyIndexes) }];
        },
      );
      const locks = looked.reduce(
        (sum, { writable, readonly }) => sum + writable.length + readonly.length,
        message.staticAccountKeys.length,
      );
      if (locks > MAX_ACCOUNTS) {
        throw new RangeError(`a transaction locks at most ${MAX_ACCOUNTS} accounts`);
      }
      const bytes = serialize(() => message.serialize());
      const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
      const size = 1 + signers.length * SIGNATURE_BYTES + bytes.length;
      if (size > PACKET_DATA_SIZE) throw tooLarge(`${size} bytes`);
      return {
        bytes,
        signers: signers.map(toAddress),
        writable: [
          ...message.staticAccountKeys.filter((_, index) => message.isAccountWritable(index)).map(toAddress),
          ...looked.flatMap(({ writable }) => writable),
        ],
      };
    },

    assemble: (message, signatures) => {
      const given = new Set<Address>(signatures.keys());
      const wire = new Uint8Array(1 + message.signers.length * SIGNATURE_BYTES + message.bytes.length);
      // At most 19 signatures fit a packet, so the compact length is always one byte.
      wire[0] = message.signers.length;
      message.signers.forEach((signer, index) => {
        const signature = signatures.get(signer);
        if (signature === undefined) throw new RangeError(`no signature of ${signer}`);
        if (signature.length !== SIGNATURE_BYTES) {
          throw new RangeError(`a signature has ${SIGNATURE_BYTES} bytes, not ${signature.length}`);
        }
        wire.set(signature, 1 + index * SIGNATURE_BYTES);
        given.delete(signer);
      });
      const [stranger] = given;
      if (stranger !== undefined) throw new RangeError(`${stranger} does not sign this message`);
      wire.set(message.bytes, 1 + message.signers.length * SIGNATURE_BYTES);
      return wire;
    },
  };
}

function toTableAccount({ address, entries }: LookupTable): AddressLookupTableAccount {
  return new AddressLookupTableAccount({
    key: publicKey(address),
    state: {
      deactivationSlot: NEVER_CLOSED,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: entries.map(publicKey),
    },
  });
}

/** web3.js writes into a buffer of one packet and overruns it with errors of several kinds. */
function serialize(write: () => Uint8Array): Uint8Array {
  try {
    return write();
  } catch (cause) {
    throw tooLarge('more than a packet', cause);
  }
}

function tooLarge(size: string, cause?: unknown): RangeError {
  return new RangeError(`the transaction needs ${size}; a packet holds ${PACKET_DATA_SIZE} bytes`, { cause });
}
