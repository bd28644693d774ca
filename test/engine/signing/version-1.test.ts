import { type MessageV1, VersionedMessage } from '@solana/web3.js';
import { COMPUTE_BUDGET_PROGRAM, toBase58 } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  decodeMessage,
  decodeUnresolved,
  lookupTablesOf,
  type MessageConfig,
  UndecodableMessageError,
} from '../../../src/engine/signing/rules/decode-message.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import {
  firstSignature,
  messageOf,
  unsignedTransaction,
} from '../../../src/engine/signing/rules/wire-transaction.ts';
import { PRIORITY_TIERS } from '../../../src/modules/settings/rules/settings.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { maskOf, partsOf, type Version1Parts, writeVersion1 as write } from '../../support/version-1.ts';
import {
  addressOf,
  buildIntent,
  DESTINATION,
  INTENT_ID,
  PARAMS,
  TREASURY,
  WALLET,
} from '../intents/build.ts';

const programs = createPrograms();
const BLOCKHASH = addressOf(99);
const CONFIG: MessageConfig = {
  priorityFeeLamports: 1_000n,
  units: 50_000,
  loadedBytes: 65_536,
  heapBytes: null,
};

/** A withdrawal that the policy signs, as version 1. */
function withdrawal(
  more: Partial<Version1Parts> = {},
  extra: readonly ReturnType<typeof programs.memo>[] = [],
): Uint8Array {
  const { lamports } = PARAMS.withdrawSol;
  const own = [
    programs.memo(INTENT_ID),
    programs.transferSol({ from: WALLET, to: DESTINATION, lamports }),
    ...extra,
  ];
  const { bytes } = createMessageCompiler().compile({
    payer: WALLET,
    instructions: own,
    blockhash: BLOCKHASH,
  });
  return write({ ...partsOf(bytes), ...more });
}

function judged(message: Uint8Array): string {
  try {
    assertPolicy(message, {
      intent: buildIntent({ params: PARAMS.withdrawSol }),
      wallet: WALLET,
      treasury: TREASURY,
      venuePrograms: [],
    });
    return 'signed';
  } catch (error) {
    return (error as { readonly details: { readonly rule: string } }).details.rule;
  }
}

const parts = (more: Partial<Version1Parts> = {}): Uint8Array =>
  write({
    header: [2, 1, 1],
    accounts: [1, 2, 3, 4].map(addressOf),
    instructions: [{ program: 3, indexes: [0, 2], data: Uint8Array.of(7) }],
    ...more,
  });
const refused = (bytes: Uint8Array) => expect(() => decodeMessage(bytes));

describe('a message of version 1', () => {
  it.each([
    { priorityFeeLamports: 1_000n, units: 50_000, loadedBytes: 65_536, heapBytes: null },
    { priorityFeeLamports: null, units: 1, loadedBytes: 2, heapBytes: 3 },
    { priorityFeeLamports: 2n ** 53n - 1n, units: null, loadedBytes: null, heapBytes: 2 ** 32 - 1 },
    { priorityFeeLamports: null, units: null, loadedBytes: null, heapBytes: null },
  ])('is read as the vendor reads it, config included (%#)', (config) => {
    const bytes = parts({ config });
    const vendor = VersionedMessage.deserialize(bytes) as MessageV1;
    const read = decodeMessage(bytes);
    expect(read).toMatchObject({ version: 1, config, blockhash: vendor.recentBlockhash });
    expect(read.instructions).toEqual(
      vendor.compiledInstructions.map((one) => ({
        programId: String(vendor.staticAccountKeys[one.programIdIndex]),
        accounts: one.accountKeyIndexes.map((index) => ({
          address: String(vendor.staticAccountKeys[index]),
          signer: vendor.isAccountSigner(index),
          writable: vendor.isAccountWritable(index),
        })),
        data: one.data,
      })),
    );
    expect(lookupTablesOf(bytes)).toEqual([]);
    expect(decodeUnresolved(bytes).lookedUp.size).toBe(0);
  });

  it('is refused cut at every byte, with a byte behind it, and with a later version', () => {
    const bytes = parts();
    for (let length = 0; length < bytes.length; length += 1)
      refused(bytes.subarray(0, length)).toThrow(UndecodableMessageError);
    refused(Uint8Array.of(...bytes, 0)).toThrow(/bytes follow/);
    refused(Uint8Array.of(0x82, ...bytes.subarray(1))).toThrow(/version is unknown/);
  });

  it('is refused with a mask that nothing defines, and with half of the priority fee', () => {
    for (const mask of [0b100_000, 2 ** 31, 0b01, 0b10, 0b1101])
      refused(parts({ mask })).toThrow(/config mask|ends too early|bytes follow/);
    refused(parts({ mask: maskOf(CONFIG) | 0b100_000 })).toThrow(/config mask/);
  });

  it('is refused with an account twice, with 65 accounts, with 13 signers, and beyond 4,096 bytes', () => {
    const accounts = Array.from({ length: 65 }, (_, index) => addressOf(index + 1));
    refused(parts({ accounts: [1, 2, 3, 3].map(addressOf) })).toThrow(/twice/);
    refused(parts({ accounts })).toThrow(/too many accounts/);
    refused(parts({ header: [13, 0, 1], accounts: accounts.slice(0, 20) })).toThrow(/larger than/);
    const data = new Uint8Array(4_000);
    const long = { program: 3, indexes: [0], data };
    refused(parts({ instructions: [long] })).toThrow(/larger than/);
    expect(decodeMessage(parts({ instructions: [{ ...long, data: data.subarray(0, 3_600) }] })).version).toBe(
      1,
    );
    refused(parts({ header: [2, 2, 1] })).toThrow(/header does not fit/);
  });
});

describe('the signing policy over version 1', () => {
  it('signs what it would sign as version 0', () => {
    expect(judged(withdrawal())).toBe('signed');
  });

  it('reads the fee in the config, and nowhere else', () => {
    const cap = PRIORITY_TIERS.normal.capLamports;
    expect(judged(withdrawal({ config: { ...CONFIG, priorityFeeLamports: cap } }))).toBe('signed');
    expect(judged(withdrawal({ config: { ...CONFIG, priorityFeeLamports: cap + 1n } }))).toBe('priority-fee');
    // Five SOL in the config, beside an instruction that says next to nothing.
    const cheap = programs.computeBudget({ units: 50_000, microLamportsPerUnit: 1n });
    expect(judged(withdrawal({ config: { ...CONFIG, priorityFeeLamports: 5_000_000_000n } }, cheap))).toBe(
      'compute-budget',
    );
    for (const one of [...cheap, { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(1) }])
      expect(judged(withdrawal({}, [one]))).toBe('compute-budget');
  });

  it.each([{ units: null }, { units: 0 }, { loadedBytes: null }, { loadedBytes: 0 }])(
    'signs none that leaves out its units or its loaded bytes: %j',
    (without) => {
      expect(judged(withdrawal({ config: { ...CONFIG, ...without } }))).toBe('compute-budget');
    },
  );

  it('judges everything else as before', () => {
    const stray = programs.transferSol({ from: WALLET, to: addressOf(66), lamports: 1n });
    expect(judged(withdrawal({}, [stray]))).not.toBe('signed');
    expect(judged(Uint8Array.of(...withdrawal(), 0))).toBe('message');
  });
});

describe('a transaction on the wire', () => {
  it('has its signatures behind the message in version 1, and before it in the others', () => {
    const message = parts();
    const wire = unsignedTransaction(message);
    expect(wire.length).toBe(message.length + 128);
    const signature = new Uint8Array(64).fill(5);
    wire.set(signature, message.length);
    expect(messageOf(wire)).toEqual(message);
    expect(toBase58(firstSignature(wire))).toBe(toBase58(signature));
    const older = createMessageCompiler().compile({
      payer: WALLET,
      instructions: [programs.memo('x')],
      blockhash: BLOCKHASH,
    }).bytes;
    const before = unsignedTransaction(older);
    expect(before[0]).toBe(1);
    before.set(signature, 1);
    expect(messageOf(before)).toEqual(older);
    expect(firstSignature(before)).toEqual(signature);
    expect(firstSignature(new Uint8Array())).toEqual(new Uint8Array());
  });
});
