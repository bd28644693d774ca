import {
  AuthorityType,
  createApproveInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
} from '@solana/spl-token';
import { ComputeBudgetProgram, PublicKey, SystemProgram } from '@solana/web3.js';
import { type Address, type Instruction, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  AggregatorSwapError,
  onAccounts,
  takeAggregatorSwap,
} from '../../../src/modules/trading/rules/aggregator-swap.ts';
import { toInstruction } from '../../../src/platform/chain/instruction-codec.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf, MINT, WALLET } from '../../engine/intents/build.ts';

const programs = createPrograms();
const PROGRAM = addressOf(60);
const STRANGER = addressOf(61);
const AMOUNT = 1_000_000n;
const key = (value: Address) => new PublicKey(value);
const ata = (mint: Address) => programs.associatedTokenAddress(WALLET, mint, TOKEN_PROGRAM);
const SOURCE = ata(WSOL_MINT);
const DESTINATION = ata(MINT);

const swap: Instruction = {
  programId: PROGRAM,
  accounts: [
    { address: WALLET, signer: true, writable: false },
    { address: SOURCE, signer: false, writable: true },
    { address: DESTINATION, signer: false, writable: true },
    { address: addressOf(62), signer: false, writable: true },
  ],
  data: new Uint8Array([1, 2, 3]),
};

const take = (instructions: readonly Instruction[]) =>
  takeAggregatorSwap(instructions, {
    mintIn: WSOL_MINT,
    mintOut: MINT,
    amountIn: AMOUNT,
    user: WALLET,
    source: SOURCE,
    destination: DESTINATION,
    programs: [PROGRAM],
  });

function refusal(...instructions: readonly Instruction[]): string {
  try {
    take(instructions);
    return 'taken';
  } catch (error) {
    if (error instanceof AggregatorSwapError) return error.problem;
    throw error;
  }
}

const create = (owner: Address, mint: Address) =>
  programs.createAssociatedTokenAccount({ payer: WALLET, owner, mint, tokenProgram: TOKEN_PROGRAM });
const pay = (to: Address, lamports: bigint) => programs.transferSol({ from: WALLET, to, lamports });

describe('takeAggregatorSwap', () => {
  it('keeps the swap alone and leaves out what stands around it', () => {
    const around = [
      toInstruction(ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 })),
      create(WALLET, WSOL_MINT),
      create(WALLET, MINT),
      pay(SOURCE, AMOUNT),
      toInstruction(createSyncNativeInstruction(key(SOURCE))),
      swap,
      toInstruction(createCloseAccountInstruction(key(SOURCE), key(WALLET), key(WALLET))),
    ];
    expect(take(around)).toEqual([swap]);
  });

  it.each([
    ['a tip', pay(STRANGER, 1n), 'instruction'],
    ['wrapping more than is sold', pay(SOURCE, AMOUNT + 1n), 'instruction'],
    ['an account for a stranger', create(STRANGER, MINT), 'instruction'],
    ['an account of an intermediate token', create(WALLET, addressOf(5)), 'instruction'],
    [
      'a close to a stranger',
      toInstruction(createCloseAccountInstruction(key(SOURCE), key(STRANGER), key(WALLET))),
      'instruction',
    ],
    [
      'a close of the bought token',
      toInstruction(createCloseAccountInstruction(key(DESTINATION), key(WALLET), key(WALLET))),
      'instruction',
    ],
    [
      'an approval',
      toInstruction(createApproveInstruction(key(SOURCE), key(STRANGER), key(WALLET), 1n)),
      'instruction',
    ],
    [
      'a change of authority',
      toInstruction(
        createSetAuthorityInstruction(key(SOURCE), key(WALLET), AuthorityType.AccountOwner, key(STRANGER)),
      ),
      'instruction',
    ],
    [
      'a burn',
      toInstruction(createBurnInstruction(key(DESTINATION), key(MINT), key(WALLET), 1n)),
      'instruction',
    ],
    [
      'an assignment of the wallet',
      toInstruction(SystemProgram.assign({ accountPubkey: key(WALLET), programId: key(STRANGER) })),
      'instruction',
    ],
    ['a memo', programs.memo('hello'), 'instruction'],
    ['a program that is not on the list', { ...swap, programId: STRANGER }, 'program'],
    [
      'a second signer',
      { ...swap, accounts: [...swap.accounts, { address: STRANGER, signer: true, writable: false }] },
      'signer',
    ],
  ] as const)('refuses %s, before or after the swap', (_title, instruction, problem) => {
    expect(refusal(instruction, swap)).toBe(problem);
    expect(refusal(swap, instruction)).toBe(problem);
  });

  it('refuses a transaction without a swap, with too many, or with one that is not between the two accounts', () => {
    expect(refusal()).toBe('count');
    expect(refusal(swap, swap, swap, swap)).toBe('count');
    for (const missing of [SOURCE, DESTINATION]) {
      const accounts = swap.accounts.map((meta) =>
        meta.address === missing ? { ...meta, writable: false } : meta,
      );
      expect(refusal({ ...swap, accounts })).toBe('accounts');
    }
  });

  it('moves a swap to the accounts of this trade and changes nothing else', () => {
    const [moved] = onAccounts([swap], new Map([[SOURCE, addressOf(70)]]));
    expect(moved).toEqual({
      ...swap,
      accounts: swap.accounts.map((meta) =>
        meta.address === SOURCE ? { ...meta, address: addressOf(70) } : meta,
      ),
    });
  });
});
