import { AddressLookupTableProgram } from '@solana/web3.js';
import type { LookupTableProgram } from '../ports/lookup-table-program.ts';
import { publicKey, toAddress, toInstruction } from './instruction-codec.ts';

/** `LookupTableProgram` over the vendor's client. */
export function createLookupTableProgram(): LookupTableProgram {
  return {
    create: (owner, slot) => {
      const authority = publicKey(owner);
      const [instruction, table] = AddressLookupTableProgram.createLookupTable({
        authority,
        payer: authority,
        recentSlot: slot,
      });
      return { table: toAddress(table), instruction: toInstruction(instruction) };
    },
    extend: (owner, table, entries) => {
      const authority = publicKey(owner);
      return toInstruction(
        AddressLookupTableProgram.extendLookupTable({
          lookupTable: publicKey(table),
          authority,
          payer: authority,
          addresses: entries.map(publicKey),
        }),
      );
    },
    deactivate: (owner, table) =>
      toInstruction(
        AddressLookupTableProgram.deactivateLookupTable({
          lookupTable: publicKey(table),
          authority: publicKey(owner),
        }),
      ),
    close: (owner, table) =>
      toInstruction(
        AddressLookupTableProgram.closeLookupTable({
          lookupTable: publicKey(table),
          authority: publicKey(owner),
          recipient: publicKey(owner),
        }),
      ),
  };
}
