import type { Address } from '../../../core/address/address.ts';
import { WSOL_MINT } from '../../../core/address/programs.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import {
  type CloseAccountsParams,
  type EmptyAccount,
  fitting,
} from '../../../engine/intents/kinds/close-accounts/params.ts';
import { rulesOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import { assertNotPaused } from '../../../engine/switches/use/assert-not-paused.ts';
import type { CreateIntentInput } from '../../../engine/transactions/use/create-intent.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import { feeMintOf, readClosable } from '../../tokens/rules/closable-account.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';

/** The lamports that come back when a wallet's empty accounts are closed. */
export type CleanUp = {
  /** Those of one transaction. */
  readonly accounts: readonly EmptyAccount[];
  readonly rentLamports: bigint;
  /** Empty accounts in all. */
  readonly empty: number;
  /** Empty accounts that stay: another address alone may close them, or no reader can see whether they are empty. */
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
    if (state === null || !readClosable(state, wallet)) return [];
    const feeMint = feeMintOf(state);
    return [{ ...one, ...(feeMint === null ? {} : { feeMint }), lamports: state.lamports }];
  });
  const taken = fitting(closable);
  return {
    accounts: taken.map(({ lamports: _lamports, ...one }) => one),
    rentLamports: taken.reduce((sum, { lamports }) => sum + lamports, 0n),
    empty: empty.length,
    kept: empty.length - closable.length,
  };
}

/** The effect of "Clean up". WALLET_NOT_FOUND for another's wallet; NOTHING_TO_CLEAN_UP where nothing can be closed. */
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
