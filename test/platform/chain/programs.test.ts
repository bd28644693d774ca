import { Keypair, PublicKey, SystemInstruction, TransactionInstruction } from '@solana/web3.js';
import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  type Instruction,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { createPrograms } from '../../../src/platform/chain/programs.ts';

const programs = createPrograms();
const fresh = () => Keypair.generate().publicKey.toBase58() as Address;

function web3(instruction: Instruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(instruction.programId),
    keys: instruction.accounts.map((meta) => ({
      pubkey: new PublicKey(meta.address),
      isSigner: meta.signer,
      isWritable: meta.writable,
    })),
    data: Buffer.from(instruction.data),
  });
}

describe('createPrograms', () => {
  it('derives the associated account under the token program it is given', () => {
    const [owner, mint] = [fresh(), fresh()];
    const derive = (program: string) =>
      PublicKey.findProgramAddressSync(
        [new PublicKey(owner).toBytes(), new PublicKey(program).toBytes(), new PublicKey(mint).toBytes()],
        new PublicKey(ASSOCIATED_TOKEN_PROGRAM),
      )[0].toBase58();
    expect(programs.associatedTokenAddress(owner, mint, TOKEN_PROGRAM)).toBe(derive(TOKEN_PROGRAM));
    expect(programs.associatedTokenAddress(owner, mint, TOKEN_2022_PROGRAM)).toBe(derive(TOKEN_2022_PROGRAM));
  });

  it('creates an associated account idempotently', () => {
    const built = programs.createAssociatedTokenAccount({
      payer: fresh(),
      owner: fresh(),
      mint: fresh(),
      tokenProgram: TOKEN_PROGRAM,
    });
    expect(built.programId).toBe(ASSOCIATED_TOKEN_PROGRAM);
    expect([...built.data]).toEqual([1]);
  });

  it('opens wrapped SOL at the address the system program derives, funded with rent and amount', async () => {
    const owner = fresh();
    const seed = '01J8ZQ6Y7V3M9T2K4C5D6E7F8G';
    const opened = programs.openWrappedSol({ owner, seed, lamports: 7n, rentLamports: 2_039_280n });
    const expected = await PublicKey.createWithSeed(new PublicKey(owner), seed, new PublicKey(TOKEN_PROGRAM));
    expect(opened.account).toBe(expected.toBase58());
    const [create, initialize] = opened.instructions.map(web3);
    const decoded = SystemInstruction.decodeCreateWithSeed(create!);
    expect(decoded.lamports).toBe(2_039_287);
    expect(decoded.space).toBe(165);
    expect(decoded.seed).toBe(seed);
    expect(decoded.programId.toBase58()).toBe(TOKEN_PROGRAM);
    expect(initialize?.data[0]).toBe(18);
    expect(
      opened.instructions[0]?.accounts.filter((meta) => meta.signer).map((meta) => meta.address),
    ).toEqual([owner]);
  });

  it('funds it exactly, also with more than a double counts', () => {
    const seed = '01J8ZQ6Y7V3M9T2K4C5D6E7F8G';
    const lamports = 2n ** 53n + 1n;
    const opened = programs.openWrappedSol({ owner: fresh(), seed, lamports, rentLamports: 2n });
    const [create] = opened.instructions.map(web3);
    expect(create?.data.readBigUInt64LE(4 + 32 + 8 + seed.length)).toBe(lamports + 2n);
    expect(SystemInstruction.decodeCreateWithSeed(create!).space).toBe(165);
  });

  it('refuses a seed the system program would refuse', () => {
    expect(() =>
      programs.openWrappedSol({ owner: fresh(), seed: 'x'.repeat(33), lamports: 1n, rentLamports: 1n }),
    ).toThrow(RangeError);
  });

  it('moves lamports above 2^53 exactly', () => {
    const instruction = programs.transferSol({ from: fresh(), to: fresh(), lamports: 2n ** 63n + 1n });
    expect(instruction.programId).toBe(SYSTEM_PROGRAM);
    expect(SystemInstruction.decodeTransfer(web3(instruction)).lamports).toBe(2n ** 63n + 1n);
  });

  it('checks amount and decimals in a token transfer', () => {
    const built = programs.transferToken({
      source: fresh(),
      mint: fresh(),
      destination: fresh(),
      owner: fresh(),
      amount: 2n ** 64n - 1n,
      decimals: 9,
      tokenProgram: TOKEN_2022_PROGRAM,
    });
    expect(built.programId).toBe(TOKEN_2022_PROGRAM);
    expect([...built.data]).toEqual([12, 255, 255, 255, 255, 255, 255, 255, 255, 9]);
  });
});
