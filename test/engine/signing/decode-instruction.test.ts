import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  addressBytes,
  COMPUTE_BUDGET_PROGRAM,
  type Instruction,
  MEMO_PROGRAM,
  ROUTER_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import { concat, u64 } from '@tradepost/solana/bytes';
import { describe, expect, it } from 'vitest';
import {
  decodeInstruction,
  type WalletAction,
} from '../../../src/engine/signing/rules/decode-instruction.ts';
import { addressOf } from '../intents/build.ts';
import { venueCall } from './venue-call.ts';

const [A, B, C, D, E, F, G] = [1, 2, 3, 4, 5, 6, 7].map(addressOf) as unknown as readonly [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const call = (
  programId: Address,
  data: readonly number[] | Uint8Array,
  ...accounts: readonly Address[]
): Instruction => ({
  programId,
  accounts: accounts.map((address) => ({ address, signer: false, writable: true })),
  data: Uint8Array.from(data),
});
const ANYTHING = 0x0102_0304_0506_0708n;

/** As the system program reads CreateAccountWithSeed: base, seed with its length, lamports, space, owner. */
const seeded = (seed: string, length = BigInt(seed.length)): Uint8Array =>
  concat(
    Uint8Array.of(3, 0, 0, 0),
    addressBytes(C),
    u64(length),
    new TextEncoder().encode(seed),
    u64(ANYTHING),
    u64(165n),
    addressBytes(TOKEN_PROGRAM),
  );
const transferSol = concat(Uint8Array.of(2, 0, 0, 0), u64(ANYTHING));
const transferToken = concat(Uint8Array.of(12), u64(ANYTHING), Uint8Array.of(6));
const openToken = concat(Uint8Array.of(18), addressBytes(C));
const associatedOf = (program: Address) => [A, B, C, D, SYSTEM_PROGRAM, program] as const;

const known: readonly (readonly [string, Instruction, WalletAction])[] = [
  [
    'the compute limit',
    call(COMPUTE_BUDGET_PROGRAM, [2, 0x40, 0x0d, 0x03, 0]),
    { kind: 'compute-limit', units: 200_000 },
  ],
  [
    'the compute price',
    call(COMPUTE_BUDGET_PROGRAM, concat(Uint8Array.of(3), u64(ANYTHING))),
    { kind: 'compute-price', microLamports: ANYTHING },
  ],
  ['a memo', call(MEMO_PROGRAM, [0x20, 0x41, 0x7e]), { kind: 'memo', text: ' A~', signers: 0 }],
  ['a signed memo', call(MEMO_PROGRAM, [0x41], A), { kind: 'memo', text: 'A', signers: 1 }],
  [
    'a transfer of SOL',
    call(SYSTEM_PROGRAM, transferSol, A, B),
    { kind: 'transfer-sol', from: A, to: B, lamports: ANYTHING },
  ],
  ...['', 'S', 'x'.repeat(32)].map(
    (seed) =>
      [
        `an account derived with a seed of ${seed.length} bytes`,
        call(SYSTEM_PROGRAM, seeded(seed), A, B),
        {
          kind: 'create-seeded',
          payer: A,
          account: B,
          base: C,
          lamports: ANYTHING,
          space: 165n,
          owner: TOKEN_PROGRAM,
        },
      ] as const,
  ),
  ...[TOKEN_PROGRAM, TOKEN_2022_PROGRAM].flatMap((program) => [
    [
      `an associated account of ${program}`,
      call(ASSOCIATED_TOKEN_PROGRAM, [1], ...associatedOf(program)),
      { kind: 'create-associated', payer: A, account: B, owner: C, mint: D, tokenProgram: program },
    ] as const,
    [
      `an initialization by ${program}`,
      call(program, openToken, A, B),
      { kind: 'open-token-account', account: A, mint: B, owner: C },
    ] as const,
    [
      `a close by ${program}`,
      call(program, [9], A, B, C),
      { kind: 'close-token-account', account: A, destination: B, authority: C },
    ] as const,
    [
      `an excess taken by ${program}`,
      call(program, [38], A, B, C),
      { kind: 'withdraw-excess', account: A, destination: B, authority: C },
    ] as const,
    [
      `a checked transfer by ${program}`,
      call(program, transferToken, A, B, C, D),
      {
        kind: 'transfer-token',
        tokenProgram: program,
        source: A,
        mint: B,
        destination: C,
        authority: D,
        amount: ANYTHING,
        extraAccounts: 0,
      },
    ] as const,
  ]),
];

describe('an instruction that a wallet signs', () => {
  it.each(known)('is read whole: %s', (_what, given, action) => {
    expect(decodeInstruction(given)).toEqual(action);
  });

  it.each(known)('is read the same out of a longer buffer: %s', (_what, given, action) => {
    const within = new Uint8Array([255, ...given.data, 255]).subarray(1, -1);
    expect(decodeInstruction({ ...given, data: within })).toEqual(action);
  });

  it.each(known.filter(([, { programId }]) => programId !== MEMO_PROGRAM))(
    'is none with a byte more or less, or a byte of its tag changed: %s',
    (_what, given) => {
      const odd = { kind: 'forbidden', programId: given.programId };
      const { data } = given;
      expect(decodeInstruction({ ...given, data: Uint8Array.of(...data, 0) })).toEqual(odd);
      expect(decodeInstruction({ ...given, data: data.subarray(0, -1) })).toEqual(odd);
      expect(decodeInstruction({ ...given, data: data.with(0, (data[0] ?? 0) ^ 0x20) })).toEqual(odd);
    },
  );

  it.each(known.filter(([, { accounts }]) => accounts.length > 1))(
    'is none with an account less: %s',
    (_what, given) => {
      const odd = { kind: 'forbidden', programId: given.programId };
      for (let count = 0; count < given.accounts.length; count++) {
        expect(decodeInstruction({ ...given, accounts: given.accounts.slice(0, count) })).toEqual(odd);
      }
    },
  );

  it('is none with an account more, but says so of a transfer, for the judge', () => {
    const odd = (programId: Address) => ({ kind: 'forbidden', programId });
    expect(decodeInstruction(call(SYSTEM_PROGRAM, transferSol, A, B, C))).toEqual(odd(SYSTEM_PROGRAM));
    expect(decodeInstruction(call(ASSOCIATED_TOKEN_PROGRAM, [1], ...associatedOf(TOKEN_PROGRAM), G))).toEqual(
      odd(ASSOCIATED_TOKEN_PROGRAM),
    );
    expect(decodeInstruction(call(TOKEN_PROGRAM, openToken, A, B, C))).toEqual(odd(TOKEN_PROGRAM));
    expect(decodeInstruction(call(TOKEN_PROGRAM, [9], A, B, C, D))).toEqual(odd(TOKEN_PROGRAM));
    expect(decodeInstruction(call(TOKEN_PROGRAM, transferToken, A, B, C, D, E, F))).toMatchObject({
      kind: 'transfer-token',
      extraAccounts: 2,
    });
  });
});

describe('an instruction that no wallet signs', () => {
  it.each<[string, Instruction]>([
    // The first is the one that fails when the account is there; only the second proves whose it is each time.
    ['Create of the associated program', call(ASSOCIATED_TOKEN_PROGRAM, [0], ...associatedOf(TOKEN_PROGRAM))],
    ['the same without data', call(ASSOCIATED_TOKEN_PROGRAM, [], ...associatedOf(TOKEN_PROGRAM))],
    ['RecoverNested', call(ASSOCIATED_TOKEN_PROGRAM, [2], ...associatedOf(TOKEN_PROGRAM))],
    [
      'an associated account with a stranger for the system program',
      call(ASSOCIATED_TOKEN_PROGRAM, [1], A, B, C, D, E, TOKEN_PROGRAM),
    ],
    [
      'an associated account under a program that is no token program',
      call(ASSOCIATED_TOKEN_PROGRAM, [1], ...associatedOf(F)),
    ],
    ['a seed that is longer than any', call(SYSTEM_PROGRAM, seeded('x'.repeat(33)), A, B)],
    ['a seed shorter than it says', call(SYSTEM_PROGRAM, seeded('SS', 1n), A, B)],
    ['a seed longer than it says', call(SYSTEM_PROGRAM, seeded('S', 2n), A, B)],
    ['a seed of a length beyond any number', call(SYSTEM_PROGRAM, seeded('S', 2n ** 64n - 1n), A, B)],
    [
      'a creation cut off behind the length of its seed',
      call(SYSTEM_PROGRAM, seeded('').subarray(0, 44), A, B),
    ],
    ['a creation cut off before it', call(SYSTEM_PROGRAM, seeded('').subarray(0, 43), A, B)],
    ['a tag cut short', call(SYSTEM_PROGRAM, [2, 0, 0], A, B)],
    ['nothing but a tag', call(SYSTEM_PROGRAM, [2, 0, 0, 0], A, B)],
    ['no data', call(SYSTEM_PROGRAM, [], A, B)],
    [
      'a tag that is a transfer’s in its first byte alone',
      call(SYSTEM_PROGRAM, transferSol.with(3, 1), A, B),
    ],
    ['CreateAccount', call(SYSTEM_PROGRAM, concat(Uint8Array.of(0, 0, 0, 0), new Uint8Array(48)), A, B)],
    ['Assign with the length of a transfer', call(SYSTEM_PROGRAM, transferSol.with(0, 1), A, B)],
    ['TransferWithSeed with the length of a creation', call(SYSTEM_PROGRAM, seeded('').with(0, 11), A, B)],
    ['Burn with the length of a transfer', call(TOKEN_PROGRAM, transferToken.with(0, 15), A, B, C, D)],
    ['ThawAccount', call(TOKEN_PROGRAM, [11], A, B, C)],
    ['InitializeMint2 with the length of an account’s', call(TOKEN_PROGRAM, openToken.with(0, 20), A, B)],
    ['a heap request', call(COMPUTE_BUDGET_PROGRAM, [1, 0, 0, 1, 0])],
    ['a price with the length of a limit', call(COMPUTE_BUDGET_PROGRAM, [3, 0, 0, 0, 0])],
    ['a limit with the length of a price', call(COMPUTE_BUDGET_PROGRAM, concat(Uint8Array.of(2), u64(0n)))],
    ['a budget without data', call(COMPUTE_BUDGET_PROGRAM, [])],
  ])('is forbidden: %s', (_what, given) => {
    expect(decodeInstruction(given)).toEqual({ kind: 'forbidden', programId: given.programId });
  });

  it('is somebody’s, with what it may write and no more', () => {
    const accounts = [
      { address: B, signer: true, writable: false },
      { address: C, signer: false, writable: true },
      { address: D, signer: true, writable: true },
    ];
    const data = Uint8Array.of(1);
    expect(decodeInstruction({ programId: G, accounts, data })).toEqual({
      kind: 'foreign',
      programId: G,
      writes: [C, D],
    });
    expect(decodeInstruction({ programId: ROUTER_PROGRAM, accounts, data })).toEqual({
      kind: 'router-call',
      programId: ROUTER_PROGRAM,
      call: null,
      writes: [C, D],
    });
  });

  it('is a venue’s swap where its bytes say all, whatever the venue is', () => {
    const given = venueCall({ owner: A, source: B, destination: C, amountIn: 9n, minOut: 4n });
    const action = decodeInstruction(given);
    expect(action).toMatchObject({
      kind: 'swap-call',
      programId: given.programId,
      call: { owner: A, source: B, destination: C, amountIn: 9n, minOut: 4n },
    });
    expect((action as { writes: readonly Address[] }).writes).toEqual(
      given.accounts.filter(({ writable }) => writable).map(({ address }) => address),
    );
  });

  it.each([[[0x1f]], [[0x7f]], [[0x41, 0x80]], [[0xc3, 0xa9]], [[0x0a, 0x41]]])(
    'is a memo without a text: bytes %j are no id',
    (data) => {
      expect(decodeInstruction(call(MEMO_PROGRAM, data))).toEqual({ kind: 'memo', text: null, signers: 0 });
    },
  );
});
