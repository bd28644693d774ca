import type { Address } from '../../core/address/address.ts';
import { WSOL_MINT } from '../../core/address/programs.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { readClosable } from '../../core/tokens/closable-account.ts';
import type { PriorityTier } from '../../core/users/settings.ts';
import {
  type CloseAccountsParams,
  type EmptyAccount,
  MOST_CLOSED,
} from '../../intents/close-accounts/params.ts';
import { rulesOf } from '../../intents/rules.ts';
import { networkFeeCap } from '../fees/network-fee.ts';
import { assertNotPaused } from '../switches/assert-not-paused.ts';
import type { CreateIntentInput } from '../transactions/create-intent.ts';
import { ownWallet } from '../wallets/own-wallet.ts';

/** What closing a wallet's empty accounts would bring. Lamports. */
export type CleanUp = {
  /** Those of one transaction, at most `MOST_CLOSED`. */
  readonly accounts: readonly EmptyAccount[];
  readonly rentLamports: bigint;
  /** Empty accounts in all. */
  readonly empty: number;
  /** Empty accounts that stay: fees withheld in them, or closed by somebody else only. */
  readonly kept: number;
};

export type CleanUpQuote = CleanUp & {
  /** At most. */
  readonly networkFeeLamports: bigint;
  readonly params: CloseAccountsParams;
};

/** A wallet's empty token accounts as the chain has them now. Wrapped SOL is money and never among them. Throws CHAIN_UNREACHABLE. */
export async function findEmptyAccounts(
  { chain }: { readonly chain: Pick<Chain, 'accounts' | 'holdings'> },
  wallet: Address,
): Promise<CleanUp> {
  const empty = (await chain.holdings(wallet))
    .filter(({ mint }) => mint !== WSOL_MINT)
    .flatMap(({ accounts, tokenProgram }) =>
      accounts
        .filter(({ amount }) => amount === 0n)
        .map(({ address: account }) => ({ account, tokenProgram })),
    );
  if (empty.length === 0) return { accounts: [], rentLamports: 0n, empty: 0, kept: 0 };
  const { accounts: states } = await chain.accounts(empty.map(({ account }) => account));
  const closable = empty.flatMap((one, index) => {
    const state = states[index] ?? null;
    return state !== null && readClosable(state, wallet) ? [{ ...one, lamports: state.lamports }] : [];
  });
  const taken = closable.slice(0, MOST_CLOSED);
  return {
    accounts: taken.map(({ account, tokenProgram }) => ({ account, tokenProgram })),
    rentLamports: taken.reduce((sum, { lamports }) => sum + lamports, 0n),
    empty: empty.length,
    kept: empty.length - closable.length,
  };
}

/** What "Clean up" would do. WALLET_NOT_FOUND for another's wallet; NOTHING_TO_CLEAN_UP where nothing can be closed. */
export async function quoteCleanUp(
  deps: { readonly chain: Pick<Chain, 'accounts' | 'holdings'>; readonly db: Pick<Stores, 'wallets'> },
  input: { readonly userId: string; readonly walletId: string; readonly tier: PriorityTier },
): Promise<CleanUpQuote> {
  const wallet = await ownWallet(deps.db.wallets, input);
  const found = await findEmptyAccounts(deps, wallet.address);
  if (found.accounts.length === 0) throw new AppError('NOTHING_TO_CLEAN_UP', {});
  const { accounts, rentLamports } = found;
  return {
    ...found,
    networkFeeLamports: networkFeeCap(input.tier),
    params: { kind: 'close-accounts', accounts, rentLamports, tier: input.tier },
  };
}

export type ConfirmCleanUpInput = Omit<CreateIntentInput, 'params' | 'judge'> & {
  readonly params: CloseAccountsParams;
};

/** Turns what was agreed into an intent, once: a repeated key returns the intent that exists. Throws PAUSED and what `createIntent` throws. */
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
