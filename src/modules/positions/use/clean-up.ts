import {
  type Address,
  type ChainAccount,
  isWrappedLamports,
  readTokenAccount,
  WSOL_MINT,
} from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import {
  type CloseAccountsParams,
  type EmptyAccount,
  type ExcessAccount,
  fitting,
  MOST_CLOSED,
  roomOf,
} from '../../../engine/intents/kinds/close-accounts/params.ts';
import { rulesOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import { assertNotPaused } from '../../../engine/switches/use/assert-not-paused.ts';
import type { CreateIntentInput } from '../../../engine/transactions/use/create-intent.ts';
import type { Chain, MessageCompiler } from '../../../platform/ports/chain.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import { feeMintOf, readClosable } from '../../tokens/rules/closable-account.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';

/** The lamports that come back when a wallet's accounts are cleaned up: empty ones are closed, others give the lamports above their rent. */
export type CleanUp = {
  /** Those of one transaction. */
  readonly accounts: readonly EmptyAccount[];
  readonly excess: readonly ExcessAccount[];
  /** From both together. */
  readonly rentLamports: bigint;
  /** Empty accounts in all. */
  readonly empty: number;
  /** Empty accounts that stay: another address alone may close them, or no reader can see whether they are empty. */
  readonly kept: number;
  /** Accounts of either kind that are left for the next transaction. */
  readonly later: number;
};

export type CleanUpQuote = CleanUp & {
  /** At most. */
  readonly networkFeeLamports: bigint;
  readonly params: CloseAccountsParams;
};

/** Less than this in an account is not worth its place in a transaction. */
const LEAST_EXCESS = 50_000n;

/** An account as the chain has it. */
type Seen = { readonly account: Address; readonly tokenProgram: Address; readonly state: ChainAccount };
type Closable = EmptyAccount & { readonly lamports: bigint };
type Above = ExcessAccount & { readonly lamports: bigint };
type Look = Pick<CleanUp, 'empty' | 'kept'> & {
  readonly closable: readonly Closable[];
  readonly above: readonly Above[];
};
type LookDeps = { readonly chain: Pick<Chain, 'accounts' | 'holdings' | 'rentExemption'> };

/**
 * What a wallet's token accounts would give back as the chain has them now. Wrapped SOL is money and never among them. Throws
 * CHAIN_UNREACHABLE.
 */
export async function findEmptyAccounts(deps: LookDeps, wallet: Address): Promise<CleanUp> {
  return cleanUpOf(await lookAtAccounts(deps, wallet));
}

async function lookAtAccounts({ chain }: LookDeps, wallet: Address): Promise<Look> {
  const own = (await chain.holdings(wallet))
    .filter(({ mint }) => mint !== WSOL_MINT)
    .flatMap(({ accounts, tokenProgram }) =>
      accounts.map(({ address: account, amount }) => ({ account, tokenProgram, amount })),
    );
  if (own.length === 0) return { closable: [], above: [], empty: 0, kept: 0 };
  const { accounts: states } = await chain.accounts(own.map(({ account }) => account));
  const seen = own.flatMap(({ account, tokenProgram }, index): readonly Seen[] => {
    const state = states[index] ?? null;
    return state === null ? [] : [{ account, tokenProgram, state }];
  });
  const closable = seen.flatMap(({ state, ...one }): readonly Closable[] => {
    if (!readClosable(state, wallet)) return [];
    const feeMint = feeMintOf(state);
    return [{ ...one, ...(feeMint === null ? {} : { feeMint }), lamports: state.lamports }];
  });
  const staying = seen.filter(({ state }) => !readClosable(state, wallet) && mayGive(state, wallet));
  const above = await Promise.all(
    staying.map(async ({ state, ...one }) => ({
      ...one,
      // The network's rent may have fallen since it was opened.
      lamports: state.lamports - (await chain.rentExemption(state.data.length)),
    })),
  );
  const empty = own.filter(({ amount }) => amount === 0n).length;
  return {
    closable,
    above: above.filter(({ lamports }) => lamports >= LEAST_EXCESS),
    empty,
    kept: empty - closable.length,
  };
}

/** The wallet's own, and neither frozen nor wrapped SOL: such a one refuses. */
function mayGive(state: ChainAccount, wallet: Address): boolean {
  const held = readTokenAccount(state);
  return held !== null && held.owner === wallet && !held.frozen && !isWrappedLamports(state);
}

/** The part of a look that fits one transaction: empty accounts first, which give back more. */
function cleanUpOf({ closable, above, empty, kept }: Look): CleanUp {
  const closed = fitting(closable);
  const taken = above.slice(0, MOST_CLOSED - roomOf(closed));
  return {
    accounts: closed.map(({ lamports: _lamports, ...one }) => one),
    excess: taken.map(({ lamports: _lamports, ...one }) => one),
    rentLamports: [...closed, ...taken].reduce((sum, { lamports }) => sum + lamports, 0n),
    empty,
    kept,
    later: closable.length + above.length - closed.length - taken.length,
  };
}

export type QuoteCleanUpDeps = {
  readonly chain: LookDeps['chain'] & Pick<Chain, 'simulate' | 'latestBlockhash'>;
  readonly programs: Pick<Programs, 'withdrawExcess'>;
  readonly compiler: Pick<MessageCompiler, 'compile'>;
  readonly db: Pick<Stores, 'wallets'>;
};

/** The effect of "Clean up". WALLET_NOT_FOUND for another's wallet; NOTHING_TO_CLEAN_UP where nothing would come back. */
export async function quoteCleanUp(
  deps: QuoteCleanUpDeps,
  input: { readonly userId: string; readonly walletId: string; readonly tier: PriorityTier },
): Promise<CleanUpQuote> {
  const wallet = await ownWallet(deps.db.wallets, input);
  const look = await lookAtAccounts(deps, wallet.address);
  const all = cleanUpOf(look);
  const found = (await givesBack(deps, wallet.address, all.excess)) ? all : cleanUpOf({ ...look, above: [] });
  const { accounts, excess, rentLamports } = found;
  if (accounts.length + excess.length === 0) throw new AppError('NOTHING_TO_CLEAN_UP', {});
  const agreed = excess.length === 0 ? { accounts } : { accounts, excess };
  return {
    ...found,
    networkFeeLamports: networkFeeCap(input.tier),
    params: { kind: 'close-accounts', ...agreed, rentLamports, tier: input.tier },
  };
}

/** Whether the network's token programs give excess back: one simulation, since older ones do not know the instruction. */
async function givesBack(
  deps: Pick<QuoteCleanUpDeps, 'chain' | 'programs' | 'compiler'>,
  wallet: Address,
  excess: readonly ExcessAccount[],
): Promise<boolean> {
  if (excess.length === 0) return true;
  const { blockhash } = await deps.chain.latestBlockhash();
  const instructions = excess.map((one) => deps.programs.withdrawExcess({ ...one, owner: wallet }));
  const message = deps.compiler.compile({ payer: wallet, blockhash, instructions });
  return (await deps.chain.simulate(message.bytes, [])).err === null;
}

export type ConfirmCleanUpInput = Omit<CreateIntentInput, 'params' | 'judge'> & {
  readonly params: CloseAccountsParams;
};

/**
 * Turns the agreed terms into an intent, once: a repeated key returns the intent that exists. Throws PAUSED and the errors of
 * `createIntent`.
 */
export async function confirmCleanUp(
  deps: {
    readonly db: Pick<Stores, 'intents' | 'flags'>;
    readonly createIntent: (input: Omit<CreateIntentInput, 'judge'>) => Promise<{
      readonly intent: Intent;
      readonly created: boolean;
    }>;
  },
  input: ConfirmCleanUpInput,
): Promise<{ readonly intent: Intent; readonly created: boolean }> {
  const known = await deps.db.intents.findByKey(input.idemKey);
  if (known === null) await assertNotPaused(deps.db.flags, rulesOf(input.params.kind).stoppedBy);
  return deps.createIntent(input);
}
