import {
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { type Address, addressFromBytes } from '../address.ts';
import type { DeskPool } from '../desk/pool.ts';
import { deriveKey } from '../keys.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '../programs.ts';
import type { Svm } from '../svm.ts';
import { createMint } from './create-mint.ts';
import { runInstructions } from './run-instructions.ts';
import { POOL_PLANS, type PoolPlan, TOKEN_PLANS, type World, type WorldToken } from './world.ts';

export const FAUCET_KEY = 'faucet';
const TREASURY_KEY = 'treasury';
const LAMPORTS_PER_SOL = 1_000_000_000n;
const FAUCET_SOL = 400_000_000n;
const TREASURY_SOL = 1_000_000n;

const SOL: WorldToken = {
  symbol: 'SOL',
  name: 'Wrapped SOL',
  mint: WSOL_MINT,
  program: TOKEN_PROGRAM,
  decimals: 9,
};

/** Fills an empty machine with a faucet, tokens and desk pools. The same seed gives the same addresses. */
export function createWorld(svm: Svm, seed: Uint8Array): World {
  const faucet = deriveKey(seed, FAUCET_KEY).address;
  const treasury = deriveKey(seed, TREASURY_KEY).address;
  fund(svm, faucet, FAUCET_SOL);
  fund(svm, treasury, TREASURY_SOL);
  const tokens = TOKEN_PLANS.map((plan) => createMint({ svm, seed, treasury }, plan));
  const bySymbol = new Map([SOL, ...tokens].map((token) => [token.symbol, token]));
  const pools = POOL_PLANS.map((plan) => createPool(svm, seed, treasury, bySymbol, plan));
  for (const [i, plan] of TOKEN_PLANS.entries()) {
    const token = tokens[i];
    if (token === undefined) continue;
    const pooled = POOL_PLANS.flatMap((one) => [one.a, one.b])
      .filter((side) => side.symbol === plan.symbol)
      .reduce((sum, side) => sum + side.vault, 0n);
    const rest = (plan.supply - pooled) * 10n ** BigInt(plan.decimals);
    runInstructions(svm, treasury, [
      ...mintTo(token, treasury, treasury, rest),
      ...(plan.keepMintAuthority === true ? [] : [dropMintAuthority(token, treasury)]),
    ]);
  }
  return { tokens, pools, faucet };
}

function createPool(
  svm: Svm,
  seed: Uint8Array,
  treasury: Address,
  tokens: ReadonlyMap<string, WorldToken>,
  plan: PoolPlan,
): DeskPool {
  const keyLabel = `maker:${plan.desk}:${plan.a.symbol}/${plan.b.symbol}`;
  const maker = deriveKey(seed, keyLabel).address;
  const [a, b] = [plan.a, plan.b].map((side) => {
    const token = tokens.get(side.symbol);
    if (token === undefined) throw new Error(`Pool ${keyLabel} names the unknown token ${side.symbol}.`);
    const scale = 10n ** BigInt(token.decimals);
    const amount = side.vault * scale;
    runInstructions(
      svm,
      treasury,
      token.mint === WSOL_MINT ? wrap(treasury, maker, amount) : mintTo(token, treasury, maker, amount),
    );
    return { token, vault: associatedAccount(token, maker), virtual: (side.virtual ?? 0n) * scale };
  });
  if (a === undefined || b === undefined) throw new Error(`Pool ${keyLabel} needs two sides.`);
  return {
    id: maker,
    desk: plan.desk,
    kind: plan.kind,
    mintA: a.token.mint,
    mintB: b.token.mint,
    vaultA: a.vault,
    vaultB: b.vault,
    programA: a.token.program,
    programB: b.token.program,
    decimalsA: a.token.decimals,
    decimalsB: b.token.decimals,
    feeBps: plan.feeBps,
    virtualA: a.virtual,
    virtualB: b.virtual,
    keyLabel,
  };
}

function fund(svm: Svm, account: Address, sol: bigint): void {
  svm.setAccount(account, {
    lamports: sol * LAMPORTS_PER_SOL,
    data: new Uint8Array(),
    owner: SYSTEM_PROGRAM,
    executable: false,
  });
}

function associatedAccount(token: WorldToken, owner: Address): Address {
  const account = getAssociatedTokenAddressSync(
    new PublicKey(token.mint),
    new PublicKey(owner),
    false,
    new PublicKey(token.program),
  );
  return addressFromBytes(account.toBytes());
}

function openAccount(token: WorldToken, payer: Address, owner: Address): TransactionInstruction {
  return createAssociatedTokenAccountIdempotentInstruction(
    new PublicKey(payer),
    new PublicKey(associatedAccount(token, owner)),
    new PublicKey(owner),
    new PublicKey(token.mint),
    new PublicKey(token.program),
  );
}

function mintTo(
  token: WorldToken,
  treasury: Address,
  owner: Address,
  amount: bigint,
): TransactionInstruction[] {
  return [
    openAccount(token, treasury, owner),
    createMintToInstruction(
      new PublicKey(token.mint),
      new PublicKey(associatedAccount(token, owner)),
      new PublicKey(treasury),
      amount,
      [],
      new PublicKey(token.program),
    ),
  ];
}

function wrap(treasury: Address, owner: Address, lamports: bigint): TransactionInstruction[] {
  const account = new PublicKey(associatedAccount(SOL, owner));
  return [
    openAccount(SOL, treasury, owner),
    SystemProgram.transfer({ fromPubkey: new PublicKey(treasury), toPubkey: account, lamports }),
    createSyncNativeInstruction(account),
  ];
}

function dropMintAuthority(token: WorldToken, treasury: Address): TransactionInstruction {
  return createSetAuthorityInstruction(
    new PublicKey(token.mint),
    new PublicKey(treasury),
    AuthorityType.MintTokens,
    null,
    [],
    new PublicKey(token.program),
  );
}
