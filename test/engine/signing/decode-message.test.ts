import { type MessageV0, VersionedMessage } from '@solana/web3.js';
import { addressFromBytes, type Instruction } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeMessage,
  decodeUnresolved,
  UndecodableMessageError,
} from '../../../src/engine/signing/rules/decode-message.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { addressOf } from '../intents/build.ts';

const compiler = createMessageCompiler();
const anAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressFromBytes);
const anInstruction: fc.Arbitrary<Instruction> = fc.record({
  programId: anAddress,
  accounts: fc.array(fc.record({ address: anAddress, signer: fc.boolean(), writable: fc.boolean() }), {
    maxLength: 3,
  }),
  // Three of these with every key different and signing still fit one packet: the compiler refuses what does not.
  data: fc.uint8Array({ maxLength: 30 }),
});

const PAYER = addressOf(1);
const someMessage = fc.array(anInstruction, { minLength: 1, maxLength: 3 }).map((instructions) => ({
  instructions,
  bytes: compiler.compile({ payer: PAYER, instructions, blockhash: addressOf(9) }).bytes,
}));

describe('decodeMessage', () => {
  it('reads back what the vendor’s compiler wrote, account rights included', () => {
    fc.assert(
      fc.property(someMessage, ({ instructions, bytes }) => {
        const decoded = decodeMessage(bytes);
        const vendor = VersionedMessage.deserialize(bytes) as MessageV0;
        expect(decoded.signers).toEqual(
          vendor.staticAccountKeys.slice(0, vendor.header.numRequiredSignatures).map(String),
        );
        expect(decoded.instructions.map(({ programId, data }) => ({ programId, data }))).toEqual(
          instructions.map(({ programId, data }) => ({ programId, data })),
        );
        vendor.compiledInstructions.forEach((compiled, at) => {
          expect(decoded.instructions[at]?.accounts).toEqual(
            compiled.accountKeyIndexes.map((index) => ({
              address: String(vendor.staticAccountKeys[index]),
              signer: vendor.isAccountSigner(index),
              writable: vendor.isAccountWritable(index),
            })),
          );
        });
      }),
    );
  });

  it('never fails otherwise than by saying that it cannot decode', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.tuple(someMessage, fc.nat(), fc.nat(255)).map(([{ bytes }, at, value]) => {
            const changed = bytes.slice();
            changed[at % changed.length] = value;
            return changed;
          }),
        ),
        (bytes) => {
          try {
            decodeMessage(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(UndecodableMessageError);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('decodeUnresolved', () => {
  it('says what the message says by itself, and stands in for whatever a table would', () => {
    fc.assert(
      fc.property(
        fc.array(anInstruction, { minLength: 1, maxLength: 3 }),
        fc.nat(3),
        (instructions, skip) => {
          const named = instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address));
          // Every entry from one on, so that messages look up some accounts, all or none.
          const table = { address: addressOf(3), entries: [...new Set(named)].slice(skip) };
          const { bytes } = compiler.compile({
            payer: PAYER,
            instructions,
            blockhash: addressOf(9),
            lookupTables: [table],
          });
          const whole = decodeMessage(bytes, [table]);
          const own = decodeUnresolved(bytes);
          expect(own.signers).toEqual(whole.signers);
          const meaning = new Map<string, string>();
          own.instructions.forEach(({ programId, accounts, data }, at) => {
            const full = whole.instructions[at];
            expect({ programId, data }).toEqual({ programId: full?.programId, data: full?.data });
            accounts.forEach((account, index) => {
              const real = full?.accounts[index];
              expect({ ...account, address: null }).toEqual({ ...real, address: null });
              if (!own.lookedUp.has(account.address)) expect(account.address).toBe(real?.address);
              else {
                expect(table.entries).toContain(real?.address);
                // One stand-in, one account.
                expect(meaning.get(account.address) ?? real?.address).toBe(real?.address);
                meaning.set(account.address, real?.address ?? '');
              }
            });
          });
        },
      ),
    );
  });
});
