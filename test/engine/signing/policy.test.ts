import {
  AuthorityType,
  createApproveInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
  createTransferInstruction,
} from '@solana/spl-token';
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js';
import {
  type Address,
  type Instruction,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import { decodeMessage, UndecodableMessageError } from '../../../src/engine/signing/rules/decode-message.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { toInstruction } from '../../../src/platform/chain/instruction-codec.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import {
  addressOf,
  buildIntent,
  DESTINATION,
  INTENT_ID,
  MINT,
  PARAMS,
  TREASURY,
  WALLET,
} from '../intents/build.ts';

const programs = createPrograms();
const compiler = createMessageCompiler();
const STRANGER = addressOf(66);
const MAKER = addressOf(77);
const VAULT = addressOf(78);
const VENUE = addressOf(79);
const INTERMEDIATE = addressOf(80);
const BLOCKHASH = addressOf(99);
const key = (value: Address): PublicKey => new PublicKey(value);
const raw = (instruction: TransactionInstruction): Instruction => toInstruction(instruction);

const budget = programs.computeBudget({ units: 50_000, microLamportsPerUnit: 1_000n });
const memo = programs.memo(INTENT_ID);

function compile(instructions: readonly Instruction[], payer: Address = WALLET): Uint8Array {
  return compiler.compile({ payer, instructions, blockhash: BLOCKHASH }).bytes;
}

function judge(params: IntentParams, message: Uint8Array): PolicyRule | 'signed' {
  try {
    assertPolicy(message, {
      intent: buildIntent({ params }),
      wallet: WALLET,
      treasury: TREASURY,
      venuePrograms: [VENUE],
    });
    return 'signed';
  } catch (error) {
    return (error as { details: { rule: PolicyRule } }).details.rule;
  }
}

const judged = (params: IntentParams, own: readonly Instruction[]): PolicyRule | 'signed' =>
  judge(params, compile([...budget, memo, ...own]));

const pay = (to: Address, lamports: bigint, from: Address = WALLET): Instruction =>
  programs.transferSol({ from, to, lamports });
const ata = (owner: Address, mint: Address = MINT): Instruction =>
  programs.createAssociatedTokenAccount({ payer: WALLET, owner, mint, tokenProgram: TOKEN_PROGRAM });
const ataOf = (owner: Address, mint: Address = MINT): Address =>
  programs.associatedTokenAddress(owner, mint, TOKEN_PROGRAM);
const move = (
  amount: bigint,
  patch: Partial<Parameters<typeof programs.transferToken>[0]> = {},
): Instruction =>
  programs.transferToken({
    source: ataOf(WALLET),
    mint: MINT,
    destination: ataOf(DESTINATION),
    owner: WALLET,
    amount,
    decimals: 6,
    tokenProgram: TOKEN_PROGRAM,
    ...patch,
  });

/** What a maker pays in a sale: the confirmed minimum and the fee. */
const PAID = PARAMS.sell.terms.minOut + PARAMS.sell.terms.platformFeeLamports;

/** What no kind of intent may ever contain, whatever else is right. */
const FORBIDDEN: readonly (readonly [string, Instruction, PolicyRule])[] = [
  [
    'Assign',
    raw(SystemProgram.assign({ accountPubkey: key(WALLET), programId: key(STRANGER) })),
    'instruction',
  ],
  [
    'a nonce advance (durable nonce)',
    raw(SystemProgram.nonceAdvance({ noncePubkey: key(STRANGER), authorizedPubkey: key(WALLET) })),
    'instruction',
  ],
  [
    'account creation for a stranger',
    raw(
      SystemProgram.createAccountWithSeed({
        fromPubkey: key(WALLET),
        basePubkey: key(WALLET),
        newAccountPubkey: key(STRANGER),
        seed: 'x',
        lamports: 1_000_000,
        space: 165,
        programId: key(STRANGER),
      }),
    ),
    'account-opening',
  ],
  [
    'SetAuthority',
    raw(
      createSetAuthorityInstruction(
        key(ataOf(WALLET)),
        key(WALLET),
        AuthorityType.AccountOwner,
        key(STRANGER),
      ),
    ),
    'instruction',
  ],
  [
    'Approve',
    raw(createApproveInstruction(key(ataOf(WALLET)), key(STRANGER), key(WALLET), 1n)),
    'instruction',
  ],
  ['Burn', raw(createBurnInstruction(key(ataOf(WALLET)), key(MINT), key(WALLET), 1n)), 'instruction'],
  [
    'an unchecked transfer',
    raw(createTransferInstruction(key(ataOf(WALLET)), key(STRANGER), key(WALLET), 1n)),
    'instruction',
  ],
  [
    'a close to a stranger',
    raw(createCloseAccountInstruction(key(ataOf(WALLET)), key(STRANGER), key(WALLET))),
    'account-closing',
  ],
  ['an unknown program', { programId: STRANGER, accounts: [], data: new Uint8Array([1]) }, 'program'],
  ['a second payment', pay(STRANGER, 1n), 'sol-destination'],
  ['a second memo', programs.memo(INTENT_ID), 'memo'],
  ['a second compute limit', raw(ComputeBudgetProgram.setComputeUnitLimit({ units: 1 })), 'compute-budget'],
  ['a heap request', raw(ComputeBudgetProgram.requestHeapFrame({ bytes: 65_536 })), 'instruction'],
];

const good: readonly (readonly [IntentParams['kind'], IntentParams, readonly Instruction[]])[] = [
  ['withdraw-sol', PARAMS.withdrawSol, [pay(DESTINATION, 1_000_000_000n)]],
  [
    'withdraw-token',
    {
      kind: 'withdraw-token',
      mint: MINT,
      tokenProgram: TOKEN_PROGRAM,
      decimals: 6,
      destination: DESTINATION,
      amount: 500n,
      tier: 'normal',
    },
    [ata(DESTINATION), move(300n), move(200n, { source: addressOf(55) })],
  ],
  [
    'payout',
    {
      kind: 'payout',
      items: [
        { inviterId: 'a', recipient: addressOf(31), lamports: 5n },
        { inviterId: 'b', recipient: addressOf(32), lamports: 7n },
      ],
    },
    [pay(addressOf(31), 5n), pay(addressOf(32), 7n)],
  ],
  ['buy', PARAMS.buy, buyInstructions({})],
  ['sell', PARAMS.sell, sellInstructions(5_000n)],
];

function buyInstructions(change: {
  fee?: bigint;
  spend?: bigint;
  fund?: bigint;
  close?: boolean;
  to?: Address;
}) {
  const wrapped = programs.openWrappedSol({
    owner: WALLET,
    seed: INTENT_ID,
    lamports: change.fund ?? 495_000_000n,
    rentLamports: 2_039_280n,
  });
  return [
    ata(WALLET),
    pay(TREASURY, change.fee ?? 5_000_000n),
    ...wrapped.instructions,
    move(change.spend ?? 495_000_000n, {
      source: wrapped.account,
      mint: WSOL_MINT,
      destination: VAULT,
      decimals: 9,
    }),
    move(1_000n, { source: addressOf(80), destination: change.to ?? ataOf(WALLET), owner: MAKER }),
    ...(change.close === false
      ? []
      : [
          programs.closeTokenAccount({
            account: wrapped.account,
            owner: WALLET,
            tokenProgram: TOKEN_PROGRAM,
          }),
        ]),
  ];
}

function sellInstructions(amount: bigint, mint: Address = MINT, paid = PAID): Instruction[] {
  const wrapped = programs.openWrappedSol({
    owner: WALLET,
    seed: INTENT_ID,
    lamports: 0n,
    rentLamports: 2_039_280n,
  });
  return [
    ...wrapped.instructions,
    move(amount, { mint, destination: VAULT }),
    move(paid, {
      source: addressOf(80),
      mint: WSOL_MINT,
      destination: wrapped.account,
      owner: MAKER,
      decimals: 9,
    }),
    programs.closeTokenAccount({ account: wrapped.account, owner: WALLET, tokenProgram: TOKEN_PROGRAM }),
    pay(TREASURY, 5_000_000n),
  ];
}

describe.each(good)('the signing policy for %s', (_kind, params, own) => {
  it('signs what the intent says', () => {
    expect(judged(params, own)).toBe('signed');
  });

  it.each(FORBIDDEN)('refuses it with %s added', (_title, extra, rule) => {
    const verdict = judged(params, [...own, extra]);
    const isTrade = params.kind === 'buy' || params.kind === 'sell';
    // Kinds that only send know no token accounts: all that they do not need is an instruction out of place.
    const isShared = ['program', 'memo', 'compute-budget'].includes(rule);
    const isPayment = params.kind === 'payout' && rule === 'sol-destination';
    expect(verdict).toBe(isTrade || isShared || isPayment ? rule : 'instruction');
  });

  it('refuses another payer, a foreign memo, no memo, and a legacy trick with a second signer', () => {
    expect(judge(params, compile([...budget, memo, ...own], STRANGER))).toBe('signers');
    expect(judge(params, compile([...budget, programs.memo('another intent'), ...own]))).toBe('memo');
    expect(judge(params, compile([...budget, ...own]))).toBe('memo');
    const signed = { ...memo, accounts: [{ address: WALLET, signer: true, writable: false }] };
    expect(judge(params, compile([...budget, signed, ...own]))).toBe('memo');
    const isTrade = params.kind === 'buy' || params.kind === 'sell';
    expect(judged(params, [...own, pay(WALLET, 1n, STRANGER)])).toBe(isTrade ? 'sol-source' : 'signers');
  });

  it('refuses a priority fee above the cap of the tier', () => {
    const dear = programs.computeBudget({ units: 1_400_000, microLamportsPerUnit: 1_000_000_000n });
    expect(judge(params, compile([...dear, memo, ...own]))).toBe('priority-fee');
  });

  it('refuses every message with one byte cut off or one added', () => {
    const message = compile([...budget, memo, ...own]);
    expect(judge(params, message.subarray(0, -1))).toBe('message');
    expect(judge(params, Buffer.concat([message, Buffer.from([0])]))).toBe('message');
    expect(judge(params, new Uint8Array())).toBe('message');
  });

  it('refuses to do nothing', () => {
    if (params.kind === 'buy' || params.kind === 'sell') return;
    const rules = {
      'withdraw-sol': 'instruction',
      'withdraw-token': 'token-amount',
      payout: 'sol-amount',
    } as const;
    expect(judged(params, [])).toBe(rules[params.kind as keyof typeof rules]);
  });
});

describe('the signing policy on amounts and destinations', () => {
  const [tokenParams, payoutParams] = [good[1]![1], good[2]![1]];

  it('refuses SOL to another address or in another amount', () => {
    expect(judged(PARAMS.withdrawSol, [pay(STRANGER, 1_000_000_000n)])).toBe('sol-destination');
    expect(judged(PARAMS.withdrawSol, [pay(DESTINATION, 1_000_000_001n)])).toBe('sol-amount');
    expect(judged({ ...PARAMS.withdrawSol, everything: true }, [pay(DESTINATION, 77n)])).toBe('signed');
    expect(judged({ ...PARAMS.withdrawSol, everything: true }, [pay(STRANGER, 77n)])).toBe('sol-destination');
  });

  it('refuses tokens to an account that is not proved to be the recipient’s', () => {
    expect(judged(tokenParams, [move(500n)])).toBe('token-destination');
    expect(judged(tokenParams, [ata(STRANGER), move(500n, { destination: ataOf(STRANGER) })])).toBe(
      'account-opening',
    );
    expect(judged(tokenParams, [ata(DESTINATION), move(500n, { destination: STRANGER })])).toBe(
      'token-destination',
    );
    expect(judged(tokenParams, [ata(DESTINATION), move(500n, { mint: addressOf(44) })])).toBe(
      'token-destination',
    );
    expect(judged(tokenParams, [ata(DESTINATION), move(500n, { tokenProgram: TOKEN_2022_PROGRAM })])).toBe(
      'token-destination',
    );
  });

  it('refuses more or fewer tokens than agreed', () => {
    expect(judged(tokenParams, [ata(DESTINATION), move(501n)])).toBe('token-amount');
    expect(judged(tokenParams, [ata(DESTINATION), move(499n)])).toBe('token-amount');
  });

  it('refuses a payout that pays somebody twice, less, or not at all', () => {
    const [a, b] = [addressOf(31), addressOf(32)];
    expect(judged(payoutParams, [pay(a, 5n), pay(a, 5n)])).toBe('sol-destination');
    expect(judged(payoutParams, [pay(a, 5n), pay(b, 6n)])).toBe('sol-amount');
    expect(judged(payoutParams, [pay(a, 5n)])).toBe('sol-amount');
    expect(judged(payoutParams, [pay(a, 5n), pay(b, 7n), pay(STRANGER, 1n)])).toBe('sol-destination');
  });

  it('bounds what a trade may spend, pay and open', () => {
    expect(judged(PARAMS.buy, buyInstructions({ fee: 5_000_001n }))).toBe('sol-amount');
    expect(judged(PARAMS.buy, buyInstructions({ spend: 495_000_001n }))).toBe('token-amount');
    expect(judged(PARAMS.buy, buyInstructions({ fund: 600_000_000n }))).toBe('account-opening');
    expect(judged(PARAMS.buy, buyInstructions({ close: false }))).toBe('account-closing');
    expect(judged(PARAMS.buy, buyInstructions({ to: STRANGER }))).toBe('token-destination');
    expect(judged(PARAMS.buy, buyInstructions({ fee: 4_000_000n, spend: 496_000_000n }))).toBe('signed');
    expect(judged(PARAMS.sell, sellInstructions(5_001n))).toBe('token-amount');
    expect(judged(PARAMS.sell, sellInstructions(5_000n, addressOf(45)))).toBe('token-destination');
  });

  it('lets a trade pass through the tokens of its confirmed terms only, and take out no more than came in', () => {
    const leg = PARAMS.buy.terms.route[0]!;
    const through = (...intermediates: readonly Address[]) => ({
      ...PARAMS.buy,
      terms: {
        ...PARAMS.buy.terms,
        route: intermediates.flatMap((intermediate) => [
          { ...leg, from: null, to: intermediate },
          { ...leg, from: intermediate, to: null },
        ]),
      },
    });
    const hop = (parts: { readonly out?: bigint; readonly to?: Address; readonly mint?: Address } = {}) => {
      const mint = parts.mint ?? INTERMEDIATE;
      const own = ataOf(WALLET, mint);
      return [
        ata(WALLET),
        ata(WALLET, mint),
        move(1_000n, { source: VAULT, mint, owner: MAKER, destination: parts.to ?? own }),
        move(parts.out ?? 1_000n, { source: own, mint, destination: VAULT }),
        move(1_000n, { source: VAULT, owner: MAKER, destination: ataOf(WALLET) }),
        programs.closeTokenAccount({ account: own, owner: WALLET, tokenProgram: TOKEN_PROGRAM }),
      ];
    };
    expect(judged(through(INTERMEDIATE), hop())).toBe('signed');
    expect(judged(through(INTERMEDIATE), hop({ out: 1n }))).toBe('signed');
    // A token that the wallet may hold beside the trade.
    expect(judged(through(INTERMEDIATE), hop({ out: 1_001n }))).toBe('token-amount');
    expect(judged(through(INTERMEDIATE), hop({ mint: STRANGER }))).toBe('account-opening');
    expect(judged(PARAMS.buy, hop())).toBe('account-opening');
    expect(judged(PARAMS.buy, hop().slice(2))).toBe('token-destination');
    expect(judged(through(INTERMEDIATE), hop({ to: ataOf(STRANGER, INTERMEDIATE) }))).toBe(
      'token-destination',
    );
    // Closing what the message did not open would take the rent of an account that is not the trade's.
    expect(judged(through(INTERMEDIATE, STRANGER), hop().slice(5))).toBe('account-closing');
    const elsewhere = raw(
      createCloseAccountInstruction(key(ataOf(WALLET, INTERMEDIATE)), key(STRANGER), key(WALLET)),
    );
    expect(judged(through(INTERMEDIATE), [...hop().slice(0, 5), elsewhere])).toBe('account-closing');
  });

  it('lets no call of a configured venue through whose bytes are no swap that is known, and a withdrawal none', () => {
    const call: Instruction = { programId: VENUE, accounts: [], data: new Uint8Array([9]) };
    expect(judged(PARAMS.buy, [...buyInstructions({}), call])).toBe('instruction');
    expect(judged(PARAMS.withdrawSol, [pay(DESTINATION, 1_000_000_000n), call])).toBe('program');
  });

  it('refuses address lookup tables, through which accounts would be invisible', () => {
    const table = new AddressLookupTableAccount({
      key: key(addressOf(50)),
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: [key(DESTINATION)],
      },
    });
    const message = new TransactionMessage({
      payerKey: key(WALLET),
      recentBlockhash: BLOCKHASH,
      instructions: [
        SystemProgram.transfer({ fromPubkey: key(WALLET), toPubkey: key(DESTINATION), lamports: 1 }),
      ],
    }).compileToV0Message([table]);
    expect(judge(PARAMS.withdrawSol, message.serialize())).toBe('message');
  });

  it('refuses tables for a payment even where the operator has some', () => {
    const lookupTables = [{ address: addressOf(50), entries: [DESTINATION] }];
    const { bytes } = compiler.compile({
      payer: WALLET,
      instructions: [memo, pay(DESTINATION, 1_000_000_000n)],
      blockhash: BLOCKHASH,
      lookupTables,
    });
    expect(decodeMessage(bytes, lookupTables).instructions).toHaveLength(2);
    const context = { wallet: WALLET, treasury: TREASURY, venuePrograms: [], lookupTables };
    const intent = buildIntent({ params: PARAMS.withdrawSol });
    expect(() => assertPolicy(bytes, { ...context, intent })).toThrow(
      expect.objectContaining({
        code: 'POLICY_DENIED',
        details: { rule: 'message' },
        cause: expect.any(UndecodableMessageError),
      }),
    );
  });

  it('refuses an account that somebody else pays for, in a trade that a maker signs', () => {
    const opened = programs.createAssociatedTokenAccount({
      payer: MAKER,
      owner: WALLET,
      mint: MINT,
      tokenProgram: TOKEN_PROGRAM,
    });
    expect(judged(PARAMS.buy, [opened, ...buyInstructions({}).slice(1)])).toBe('account-opening');
  });

  it('caps the fee by the tier of the intent, not of another', () => {
    // 500,000 lamports: within "normal", beyond "economy".
    const dear = programs.computeBudget({ units: 1_000_000, microLamportsPerUnit: 500_000n });
    const message = compile([...dear, memo, pay(DESTINATION, 1_000_000_000n)]);
    expect(judge(PARAMS.withdrawSol, message)).toBe('signed');
    expect(judge({ ...PARAMS.withdrawSol, tier: 'economy' }, message)).toBe('priority-fee');
  });

  it('refuses a forbidden instruction by its own rule, whatever stands before it', () => {
    const call: Instruction = { programId: STRANGER, accounts: [], data: new Uint8Array([1]) };
    const assign = raw(SystemProgram.assign({ accountPubkey: key(WALLET), programId: key(STRANGER) }));
    const whole = pay(DESTINATION, 1_000_000_000n);
    expect(judged(PARAMS.withdrawSol, [whole, call])).toBe('program');
    expect(judged(PARAMS.withdrawSol, [whole, call, assign])).toBe('instruction');
  });

  it('refuses an account for the recipient that names another payer', () => {
    const opened = ata(DESTINATION);
    const payer = { address: STRANGER, signer: false, writable: true };
    const own = [{ ...opened, accounts: opened.accounts.with(0, payer) }, move(500n)];
    expect(judged(tokenParams, own)).toBe('account-opening');
  });

  it('reads a legacy message like a v0 one', () => {
    const legacy = new TransactionMessage({
      payerKey: key(WALLET),
      recentBlockhash: BLOCKHASH,
      instructions: [...budget, memo, pay(DESTINATION, 1_000_000_000n)].map((instruction) => ({
        programId: key(instruction.programId),
        keys: instruction.accounts.map((meta) => ({
          pubkey: key(meta.address),
          isSigner: meta.signer,
          isWritable: meta.writable,
        })),
        data: Buffer.from(instruction.data),
      })),
    }).compileToLegacyMessage();
    expect(judge(PARAMS.withdrawSol, legacy.serialize())).toBe('signed');
  });
});
