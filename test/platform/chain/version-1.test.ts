import {
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  createTransactionMessage,
  getCompiledTransactionMessageEncoder,
  type Address as KitAddress,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { type Address, addressFromBytes, type Instruction } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage } from '../../../src/engine/signing/rules/decode-message.ts';
import { partsOf } from '../../../src/engine/signing/rules/wire-transaction.ts';
import { version1Size } from '../../../src/modules/trading/rules/message-size.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';

const compiler = createMessageCompiler();
const programs = createPrograms();
const at = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const PAYER = at(200);
const BLOCKHASH = at(9);
const LOADED = 98_304;
const FEE = { units: 300_000, microLamportsPerUnit: 12_345n };

/** The same message by the vendor's library, its accounts in the vendor's order. */
function byVendor(instructions: readonly Instruction[], priorityFeeLamports: bigint): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (one) => setTransactionMessageFeePayer(PAYER as string as KitAddress, one),
    (one) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: BLOCKHASH as never, lastValidBlockHeight: 1n },
        one,
      ),
    (one) =>
      setTransactionMessageConfig(
        {
          ...(priorityFeeLamports === 0n ? {} : { priorityFeeLamports }),
          computeUnitLimit: FEE.units,
          loadedAccountsDataSizeLimit: LOADED,
        },
        one,
      ),
    (one) =>
      appendTransactionMessageInstructions(
        instructions.map(({ programId, accounts, data }) => ({
          programAddress: programId as string as KitAddress,
          accounts: accounts.map(({ address, signer, writable }) => ({
            address: address as string as KitAddress,
            role: (signer ? 2 : 0) + (writable ? 1 : 0),
          })),
          data,
        })),
        one,
      ),
  );
  return new Uint8Array(getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(message)));
}

const someInstructions = fc.array(
  fc.record({
    programId: fc.integer({ min: 100, max: 103 }).map(at),
    accounts: fc.array(
      fc.record({
        address: fc.integer({ min: 1, max: 30 }).map(at),
        signer: fc.boolean(),
        writable: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
    data: fc.uint8Array({ maxLength: 300 }),
  }),
  { minLength: 1, maxLength: 5 },
);

const compile = (instructions: readonly Instruction[], price = FEE.microLamportsPerUnit) =>
  compiler.compile({
    payer: PAYER,
    blockhash: BLOCKHASH,
    instructions: [
      ...programs.computeBudget({ units: FEE.units, microLamportsPerUnit: price }),
      ...instructions,
    ],
    version1: { loadedBytes: LOADED },
  });

const fits = (instructions: readonly Instruction[]): boolean => {
  const { bytes } = version1Size(PAYER, instructions);
  const signers = new Set(
    instructions.flatMap(({ accounts }) =>
      accounts.filter(({ signer }) => signer).map(({ address }) => address),
    ),
  );
  return bytes <= 4_096 && signers.size < 12;
};

describe('a message of version 1', () => {
  it('says the same as the message that the vendor’s library makes, in as many bytes', () => {
    fc.assert(
      fc.property(someInstructions.filter(fits), fc.boolean(), (instructions, isPriced) => {
        const price = isPriced ? FEE.microLamportsPerUnit : 0n;
        const fee = (BigInt(FEE.units) * price + 999_999n) / 1_000_000n;
        const ours = compile(instructions, price);
        const theirs = byVendor(instructions, fee);
        expect(ours.bytes.length).toBe(theirs.length);
        const [a, b] = [decodeMessage(ours.bytes), decodeMessage(theirs)];
        // Equal rights, and the payer first: the order within a group is free.
        const inOrder = ({ signers, ...rest }: typeof a) => ({
          ...rest,
          payer: signers[0],
          signers: signers.toSorted(),
        });
        expect(inOrder(a)).toEqual(inOrder(b));
        expect(a.config).toEqual({
          priorityFeeLamports: isPriced ? fee : null,
          units: FEE.units,
          loadedBytes: LOADED,
          heapBytes: null,
        });
        expect(ours.dropped).toBe(2);
      }),
    );
  });

  it('is as large as its size says, with a priority fee', () => {
    fc.assert(
      fc.property(someInstructions.filter(fits), (instructions) => {
        const { bytes, signers } = compile(instructions);
        expect(bytes.length + 64 * signers.length).toBe(version1Size(PAYER, instructions).bytes);
      }),
    );
  });

  it('is assembled with its signatures behind it', () => {
    const message = compile([{ programId: at(100), accounts: [], data: new Uint8Array([1]) }]);
    const signature = new Uint8Array(64).fill(5);
    const wire = compiler.assemble(message, new Map([[PAYER, signature]]));
    expect(partsOf(wire)).toEqual({ message: message.bytes, signatures: [signature] });
  });

  const call = (accounts: number, data = 0): Instruction => ({
    programId: at(100),
    accounts: Array.from({ length: accounts }, (_, n) => ({
      address: at(n + 1),
      signer: false,
      writable: true,
    })),
    data: new Uint8Array(data),
  });

  it('names 64 accounts at most', () => {
    expect(compile([call(62)]).bytes[0]).toBe(0x81);
    expect(() => compile([call(63)])).toThrow(RangeError);
  });

  it('has 4,096 bytes at most, with its signatures', () => {
    const { bytes } = version1Size(PAYER, [call(1)]);
    expect(compile([call(1, 4_096 - bytes)]).bytes.length + 64).toBe(4_096);
    expect(() => compile([call(1, 4_097 - bytes)])).toThrow(RangeError);
  });

  it('is refused without a limit of units, and with a request of the budget that it cannot carry', () => {
    const [limit, price] = programs.computeBudget(FEE);
    const of = (instructions: readonly (Instruction | undefined)[]) => () =>
      compiler.compile({
        payer: PAYER,
        blockhash: BLOCKHASH,
        instructions: [...instructions.filter((one) => one !== undefined), call(1)],
        version1: { loadedBytes: LOADED },
      });
    expect(of([limit])().dropped).toBe(1);
    expect(of([price])).toThrow(RangeError);
    const heap = limit === undefined ? undefined : { ...limit, data: new Uint8Array([1, 0, 0, 1, 0]) };
    expect(of([limit, heap])).toThrow(RangeError);
  });
});
