import { addressFromBytes } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageSize, PACKET_BYTES } from '../../../src/modules/trading/rules/message-size.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';

const key = fc.integer({ min: 1, max: 12 }).map((n) => addressFromBytes(new Uint8Array(32).fill(n)));
const payer = addressFromBytes(new Uint8Array(32).fill(200));

describe('messageSize', () => {
  it('is the size of what the compiler makes', () => {
    const compiler = createMessageCompiler();
    const instructions = fc.array(
      fc.record({
        programId: fc
          .integer({ min: 100, max: 103 })
          .map((n) => addressFromBytes(new Uint8Array(32).fill(n))),
        accounts: fc.array(fc.record({ address: key, signer: fc.boolean(), writable: fc.boolean() }), {
          maxLength: 6,
        }),
        data: fc.uint8Array({ maxLength: 140 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(instructions, (given) => {
        const size = messageSize(payer, given);
        const compile = () =>
          compiler.compile({
            payer,
            instructions: given,
            blockhash: addressFromBytes(new Uint8Array(32).fill(9)),
          });
        if (size.bytes > PACKET_BYTES) {
          expect(compile).toThrow(RangeError);
          return;
        }
        const message = compile();
        expect(1 + 64 * message.signers.length + message.bytes.length).toBe(size.bytes);
      }),
    );
  });
});
