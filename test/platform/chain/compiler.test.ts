import { createPrivateKey, sign } from 'node:crypto';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';

const compiler = createMessageCompiler();
const programs = createPrograms();
const blockhash = Keypair.generate().publicKey.toBase58();
const addressOf = (keypair: Keypair) => keypair.publicKey.toBase58() as Address;

function signature(keypair: Keypair, message: Uint8Array): Uint8Array {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({
    key: Buffer.concat([prefix, keypair.secretKey.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  });
  return sign(null, message, key);
}

describe('createMessageCompiler', () => {
  it('puts the payer first, lists signers and writables, and assembles bytes that web3.js reads back', () => {
    const [payer, other, to] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
    const compiled = compiler.compile({
      payer: addressOf(payer),
      blockhash,
      instructions: [
        programs.memo('hello'),
        programs.transferSol({ from: addressOf(other), to: addressOf(to), lamports: 5n }),
      ],
    });
    expect(compiled.signers).toEqual([addressOf(payer), addressOf(other)]);
    expect(new Set(compiled.writable)).toEqual(new Set([payer, other, to].map(addressOf)));
    const wire = compiler.assemble(
      compiled,
      new Map([
        [addressOf(other), signature(other, compiled.bytes)],
        [addressOf(payer), signature(payer, compiled.bytes)],
      ]),
    );
    const read = VersionedTransaction.deserialize(wire);
    expect(read.version).toBe(0);
    expect(read.message.recentBlockhash).toBe(blockhash);
    const signed = new VersionedTransaction(read.message);
    signed.sign([payer, other]);
    expect(Buffer.from(wire)).toEqual(Buffer.from(signed.serialize()));
  });

  it('refuses missing, foreign and malformed signatures', () => {
    const payer = Keypair.generate();
    const compiled = compiler.compile({
      payer: addressOf(payer),
      blockhash,
      instructions: [programs.memo('x')],
    });
    const good = signature(payer, compiled.bytes);
    expect(() => compiler.assemble(compiled, new Map())).toThrow(/no signature of/);
    expect(() => compiler.assemble(compiled, new Map([[addressOf(payer), good.subarray(1)]]))).toThrow(
      /64 bytes/,
    );
    expect(() =>
      compiler.assemble(
        compiled,
        new Map([
          [addressOf(payer), good],
          [addressOf(Keypair.generate()), good],
        ]),
      ),
    ).toThrow(/does not sign/);
  });

  it('throws a RangeError when the packet is too small, just above the limit and far above it', () => {
    const payer = addressOf(Keypair.generate());
    const withMemo = (length: number) =>
      compiler.compile({ payer, blockhash, instructions: [programs.memo('m'.repeat(length))] });
    let largest = 0;
    for (let length = 900; length < 1_232; length++) {
      try {
        withMemo(length);
        largest = length;
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
    const fits = withMemo(largest);
    expect(1 + 64 + fits.bytes.length).toBe(1_232);
    expect(() => withMemo(largest + 1)).toThrow(RangeError);
    expect(() => withMemo(5_000)).toThrow(RangeError);
  });
});
