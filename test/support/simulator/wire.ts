import { type Address, toBase58 } from '../../../src/core/address/address.ts';
import { SYSTEM_PROGRAM } from '../../../src/core/address/programs.ts';
import type { MessageCompiler } from '../../../src/core/ports/chain.ts';

/** What a simulated message says: JSON of what the simulated cluster understands. */
export type Wire = {
  readonly payer: Address;
  readonly memo: string;
  readonly blockhash: string;
  readonly moves: readonly (readonly [from: Address, to: Address, lamports: string])[];
};

export const simCompiler: MessageCompiler = {
  compile({ payer, instructions, blockhash }) {
    const memo = instructions.find((one) => one.accounts.length === 0 && one.data.length === 26);
    const moves: (readonly [Address, Address, string])[] = [];
    for (const { programId, accounts, data } of instructions) {
      const [from, to] = accounts;
      if (programId !== SYSTEM_PROGRAM || from === undefined || to === undefined) continue;
      const lamports = new DataView(data.buffer, data.byteOffset).getBigUint64(4, true);
      moves.push([from.address, to.address, lamports.toString()]);
    }
    const wire: Wire = { payer, memo: new TextDecoder().decode(memo?.data), blockhash, moves };
    return {
      bytes: new TextEncoder().encode(JSON.stringify(wire)),
      signers: [payer],
      writable: [payer, ...moves.map(([, to]) => to)],
    };
  },
  assemble(message, signatures) {
    const [signature = new Uint8Array(64)] = [...signatures.values()];
    return Buffer.concat([Buffer.from([1]), signature, message.bytes]);
  },
};

export function wireOf(message: Uint8Array): Wire {
  return JSON.parse(new TextDecoder().decode(message)) as Wire;
}

export function readSigned(bytes: Uint8Array): { readonly signature: string; readonly wire: Wire } {
  return { signature: toBase58(bytes.subarray(1, 65)), wire: wireOf(bytes.subarray(65)) };
}
