import {
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
} from '@solana/spl-token';
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../address.ts';
import { associatedAccount } from '../associated-account.ts';
import { deriveKey } from '../keys.ts';
import type { ChainPlugin } from '../plugin.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '../programs.ts';
import type { Svm } from '../svm.ts';
import { createMint } from './create-mint.ts';
import { runInstructions } from './run-instructions.ts';
import { TOKEN_PLANS, type TokenPlan, type World, type WorldToken } from './world.ts';

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

/**
 * Fills an empty machine with a faucet, tokens and the plug-in's additions. The same seed and plug-in give the same addresses. The supply
 * that is left goes to the treasury, which mints no more of most tokens.
 */
export function createWorld<Kept extends object>(
  svm: Svm,
  seed: Uint8Array,
  plugin: ChainPlugin<Kept> | null,
): World & Kept {
  const faucet = deriveKey(seed, FAUCET_KEY).address;
  const treasury = deriveKey(seed, TREASURY_KEY).address;
  fund(svm, faucet, FAUCET_SOL);
  fund(svm, treasury, TREASURY_SOL);
  const tokens = TOKEN_PLANS.map((plan) => createMint({ svm, seed, treasury }, plan));
  const purse = createPurse(svm, treasury, tokens);
  // Without a plug-in no caller can expect anything of it.
  const kept = plugin?.genesis({ seed, tokens, give: purse.give }) ?? ({} as Kept);
  for (const [i, plan] of TOKEN_PLANS.entries()) {
    const token = tokens[i];
    if (token === undefined) continue;
    purse.give(treasury, token.mint, purse.leftOf(token.mint));
    if (plan.keepMintAuthority !== true) runInstructions(svm, treasury, [dropMintAuthority(token, treasury)]);
  }
  return { ...kept, tokens, faucet, plugin: plugin?.name ?? null };
}

/** The supplies of the plans, as far as they are not given away yet. */
function createPurse(svm: Svm, treasury: Address, tokens: readonly WorldToken[]) {
  const known = new Map([SOL, ...tokens].map((token) => [token.mint, token]));
  const left = new Map<Address, bigint>([[SOL.mint, (TREASURY_SOL / 2n) * LAMPORTS_PER_SOL]]);
  for (const [i, token] of tokens.entries()) left.set(token.mint, supplyOf(TOKEN_PLANS[i], token));
  const leftOf = (mint: Address): bigint => left.get(mint) ?? 0n;
  return {
    leftOf,
    give: (owner: Address, mint: Address, units: bigint): Address => {
      const token = known.get(mint);
      if (token === undefined) throw new Error(`Genesis knows no token ${mint}.`);
      if (units > leftOf(mint))
        throw new Error(`Genesis has ${leftOf(mint)} units of ${token.symbol}, not ${units}.`);
      left.set(mint, leftOf(mint) - units);
      const isSol = mint === SOL.mint;
      runInstructions(
        svm,
        treasury,
        isSol ? wrap(treasury, owner, units) : mintTo(token, treasury, owner, units),
      );
      return associatedAccount(token.mint, owner, token.program);
    },
  };
}

function supplyOf(plan: TokenPlan | undefined, token: WorldToken): bigint {
  return (plan?.supply ?? 0n) * 10n ** BigInt(token.decimals);
}

function fund(svm: Svm, account: Address, sol: bigint): void {
  svm.setAccount(account, {
    lamports: sol * LAMPORTS_PER_SOL,
    data: new Uint8Array(),
    owner: SYSTEM_PROGRAM,
    executable: false,
  });
}

function openAccount(token: WorldToken, payer: Address, owner: Address): TransactionInstruction {
  return createAssociatedTokenAccountIdempotentInstruction(
    new PublicKey(payer),
    new PublicKey(associatedAccount(token.mint, owner, token.program)),
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
      new PublicKey(associatedAccount(token.mint, owner, token.program)),
      new PublicKey(treasury),
      amount,
      [],
      new PublicKey(token.program),
    ),
  ];
}

function wrap(treasury: Address, owner: Address, lamports: bigint): TransactionInstruction[] {
  const account = new PublicKey(associatedAccount(SOL.mint, owner, SOL.program));
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
