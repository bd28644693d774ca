import { type Address, type ChainAccount, readTokenAccount } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import type { LookupTable } from '../../lookup-tables/rules/lookup-table.ts';
import type { HeldAccounts } from './account-book.ts';
import type { WalletAction } from './decode-instruction.ts';
import { isCommon, readMessage } from './read-message.ts';

/**
 * The accounts that a judge of the exchange in `message` must read first. All that it names beside the wallet where only a balance can
 * prove something in it; none where the bytes prove everything. None, too, for bytes that the judge will refuse to read.
 */
export function accountsToKnow(
  message: Uint8Array,
  wallet: Address,
  tables: readonly LookupTable[] = [],
): readonly Address[] {
  try {
    const { actions, instructions } = readMessage(message, tables);
    if (!closesAlone(actions) && !actions.some((action) => rests(action, wallet))) return [];
    const named = instructions.flatMap(({ accounts }) => accounts.filter(({ writable }) => writable));
    return [...new Set(named.map(({ address }) => address))].filter((one) => one !== wallet);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** A message that only cleans up accounts, and harvests fees for that, is judged by their content; an exchange closes its own. */
function closesAlone(actions: readonly WalletAction[]): boolean {
  const own = actions.filter((action) => !isCommon(action));
  return (
    own.some(({ kind }) => CLEANS_UP.has(kind)) &&
    own.every(({ kind }) => CLEANS_UP.has(kind) || kind === 'harvest-fees')
  );
}

const CLEANS_UP: ReadonlySet<WalletAction['kind']> = new Set(['close-token-account', 'withdraw-excess']);

/** Whether only the content left in an account shows the effect of this action: a check of one, an order on a book, an unread call. */
function rests(action: WalletAction, wallet: Address): boolean {
  if (action.kind === 'foreign') return true;
  if (action.kind === 'swap-call' || action.kind === 'router-call') {
    return action.call === null || action.call.amountIn === null;
  }
  return (
    action.kind === 'transfer-token' && action.source === action.destination && action.authority === wallet
  );
}

/** The role of each of these accounts for the wallet, by its state on the chain. */
export function heldAccounts(
  wallet: Address,
  addresses: readonly Address[],
  accounts: readonly (ChainAccount | null)[],
): HeldAccounts {
  return new Map(
    addresses.map((address, index) => {
      const state = accounts[index] ?? null;
      const held = state === null ? null : readTokenAccount(state);
      return [address, held?.owner === wallet ? held : null] as const;
    }),
  );
}
