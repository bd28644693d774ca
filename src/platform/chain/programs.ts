import { createHash } from 'node:crypto';
import {
  ACCOUNT_SIZE,
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createHarvestWithheldTokensToMintInstruction,
  createInitializeAccount3Instruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { ComputeBudgetProgram, PublicKey, SystemProgram } from '@solana/web3.js';
import { type Address, MEMO_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import type { Programs } from '../ports/programs.ts';
import { publicKey, toAddress, toInstruction } from './instruction-codec.ts';
import { metadataAddress } from './metadata-layout.ts';

/** The system program's own limit for a seed. */
const MAX_SEED_BYTES = 32;
/** `TokenInstruction::WithdrawExcessLamports` of both token programs, which the client has no builder for. */
const WITHDRAW_EXCESS_LAMPORTS = 38;
const DERIVED_CAPACITY = 5_000;

/** `Programs` over the vendors' own clients: @solana/web3.js and @solana/spl-token. */
export function createPrograms(): Programs {
  const associatedTokenAddress = derivingOnce();
  return {
    associatedTokenAddress,

    metadataRecordAddress: metadataAddress,

    createAssociatedTokenAccount: ({ payer, owner, mint, tokenProgram }) => {
      return toInstruction(
        createAssociatedTokenAccountIdempotentInstruction(
          publicKey(payer),
          publicKey(associatedTokenAddress(owner, mint, tokenProgram)),
          publicKey(owner),
          publicKey(mint),
          publicKey(tokenProgram),
        ),
      );
    },

    transferSol: ({ from, to, lamports }) =>
      toInstruction(
        SystemProgram.transfer({ fromPubkey: publicKey(from), toPubkey: publicKey(to), lamports }),
      ),

    transferToken,

    openWrappedSol,

    harvestWithheldFees: ({ mint, accounts }) =>
      toInstruction(
        createHarvestWithheldTokensToMintInstruction(
          publicKey(mint),
          accounts.map(publicKey),
          publicKey(TOKEN_2022_PROGRAM),
        ),
      ),

    closeTokenAccount: ({ account, owner, tokenProgram }) =>
      toInstruction(
        createCloseAccountInstruction(
          publicKey(account),
          publicKey(owner),
          publicKey(owner),
          [],
          publicKey(tokenProgram),
        ),
      ),

    withdrawExcess,

    memo: (text) => ({ programId: MEMO_PROGRAM, accounts: [], data: new TextEncoder().encode(text) }),

    computeBudget: ({ units, microLamportsPerUnit }) => [
      toInstruction(ComputeBudgetProgram.setComputeUnitLimit({ units })),
      toInstruction(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: microLamportsPerUnit })),
    ],
  };
}

/** Associated accounts, each derived once: some derivations search long for an address off the curve, and the same few come back. */
export function derivingOnce(): Programs['associatedTokenAddress'] {
  const derived = new Map<string, Address>();
  return (owner, mint, tokenProgram) => {
    const key = `${owner} ${mint} ${tokenProgram}`;
    const known = derived.get(key);
    if (known !== undefined) return known;
    const account = toAddress(
      getAssociatedTokenAddressSync(publicKey(mint), publicKey(owner), true, publicKey(tokenProgram)),
    );
    if (derived.size >= DERIVED_CAPACITY)
      for (const oldest of derived.keys()) if (derived.delete(oldest)) break;
    derived.set(key, account);
    return account;
  };
}

const transferToken: Programs['transferToken'] = ({
  source,
  mint,
  destination,
  owner,
  amount,
  decimals,
  tokenProgram,
}) =>
  toInstruction(
    createTransferCheckedInstruction(
      publicKey(source),
      publicKey(mint),
      publicKey(destination),
      publicKey(owner),
      amount,
      decimals,
      [],
      publicKey(tokenProgram),
    ),
  );

const openWrappedSol: Programs['openWrappedSol'] = ({ owner, seed, lamports, rentLamports }) => {
  if (Buffer.byteLength(seed) > MAX_SEED_BYTES) {
    throw new RangeError(`a wrapped-SOL seed holds at most ${MAX_SEED_BYTES} bytes`);
  }
  const account = seededAddress(publicKey(owner), seed);
  const opening = SystemProgram.createAccountWithSeed({
    fromPubkey: publicKey(owner),
    basePubkey: publicKey(owner),
    newAccountPubkey: account,
    seed,
    lamports: 0,
    space: ACCOUNT_SIZE,
    programId: publicKey(TOKEN_PROGRAM),
  });
  // web3.js takes this one as a number, which is exact up to nine million SOL only: it is written in full here.
  opening.data.writeBigUInt64LE(lamports + rentLamports, LAMPORTS_AT + Buffer.byteLength(seed));
  return {
    account: toAddress(account),
    instructions: [
      toInstruction(opening),
      // The wrapped amount of a native account is its lamports less the rent, read at this instruction.
      toInstruction(
        createInitializeAccount3Instruction(
          account,
          publicKey(WSOL_MINT),
          publicKey(owner),
          publicKey(TOKEN_PROGRAM),
        ),
      ),
    ],
  };
};

/** Before the seed's own bytes: number of the instruction, base, length of the seed. */
const LAMPORTS_AT = 4 + 32 + 8;

/** sha256(base ‖ seed ‖ owner program), as the system program derives it. Synchronous: web3.js's own is a promise. */
function seededAddress(base: PublicKey, seed: string): PublicKey {
  return new PublicKey(
    createHash('sha256')
      .update(base.toBytes())
      .update(seed)
      .update(publicKey(TOKEN_PROGRAM).toBytes())
      .digest(),
  );
}

const withdrawExcess: Programs['withdrawExcess'] = ({ account, owner, tokenProgram }) => ({
  programId: tokenProgram,
  accounts: [
    { address: account, signer: false, writable: true },
    { address: owner, signer: false, writable: true },
    { address: owner, signer: true, writable: false },
  ],
  data: Uint8Array.of(WITHDRAW_EXCESS_LAMPORTS),
});
