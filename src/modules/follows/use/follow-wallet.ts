import type { Address } from '@tradepost/solana';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import { walletName } from '../../wallets/rules/wallet-name.ts';
import { plainWallet } from '../../withdrawals/use/withdrawal-recipient.ts';
import { FOLLOW_LIMITS, type Follow } from '../rules/follow.ts';

export type FollowDeps = {
  readonly db: Database;
  readonly chain: Pick<Chain, 'accounts'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Followed wallets have changed: the reader of the tape looks at once. */
  readonly followsChanged: () => void;
};

/** The address of a wallet that could be followed. Throws ADDRESS_INVALID, and FOLLOW_REFUSED for an address that is no wallet. Stores nothing. */
export async function leaderOf({ chain }: Pick<FollowDeps, 'chain'>, text: string): Promise<Address> {
  try {
    return (await plainWallet(chain, text)).address;
  } catch (error) {
    if (
      hasCode(error, 'RECIPIENT_IS_MINT') ||
      hasCode(error, 'RECIPIENT_IS_TOKEN_ACCOUNT') ||
      hasCode(error, 'RECIPIENT_IS_PROGRAM') ||
      hasCode(error, 'RECIPIENT_OFF_CURVE')
    )
      throw new AppError('FOLLOW_REFUSED', { kind: 'no-wallet', max: FOLLOW_LIMITS.perPerson });
    throw error;
  }
}

/**
 * Follows a wallet from now on, with all notices. Throws the errors of `leaderOf`, TEXT_INVALID for the label, and FOLLOW_REFUSED for a wallet
 * of the person's own, one that is followed already, and the 21st; then nothing is stored.
 */
export async function followWallet(
  deps: FollowDeps,
  input: { readonly userId: string; readonly text: string; readonly label: string },
): Promise<Follow> {
  const { userId } = input;
  const { perPerson: max } = FOLLOW_LIMITS;
  const leader = await leaderOf(deps, input.text);
  const follow: Follow = {
    id: deps.ids.ulid(),
    userId,
    leader,
    label: walletName(input.label),
    minLamports: 0n,
    notices: true,
    hourAt: null,
    hourTold: 0,
    hourHeld: 0,
    createdAt: deps.clock.now(),
  };
  await deps.db.transact(async (stores) => {
    // One after the other: the count is judged under the person's lock.
    await stores.guards.lock(userId);
    const own = await stores.wallets.listByUser(userId, { deleted: true });
    if (own.some(({ address }) => address === leader))
      throw new AppError('FOLLOW_REFUSED', { kind: 'own', max });
    const before = await stores.follows.listByUser(userId);
    if (before.some((one) => one.leader === leader))
      throw new AppError('FOLLOW_REFUSED', { kind: 'twice', max });
    if (before.length >= max) throw new AppError('FOLLOW_REFUSED', { kind: 'too-many', max });
    await stores.follows.insert(follow);
  });
  deps.followsChanged();
  return follow;
}

/** A person's own follow. Throws FOLLOW_NOT_FOUND for a stranger's and for one that is no more. */
export async function ownFollow(
  { db }: { readonly db: Pick<Database, 'follows'> },
  { userId, followId }: { readonly userId: string; readonly followId: string },
): Promise<Follow> {
  const follow = await db.follows.find(followId);
  if (follow?.userId !== userId) throw new AppError('FOLLOW_NOT_FOUND', {});
  return follow;
}

/** The follow with another label, bar or with its notices on or off. Throws FOLLOW_NOT_FOUND, TEXT_INVALID. */
export async function changeFollow(
  deps: Pick<FollowDeps, 'db'>,
  input: {
    readonly userId: string;
    readonly followId: string;
    readonly change: Partial<Pick<Follow, 'label' | 'minLamports' | 'notices'>>;
  },
): Promise<Follow> {
  const { change } = input;
  const label = change.label === undefined ? {} : { label: walletName(change.label) };
  return deps.db.transact(async (stores) => {
    const changed = { ...(await ownFollow({ db: stores }, input)), ...change, ...label };
    await stores.follows.change(changed);
    return changed;
  });
}

/** Follows the wallet no more, and ends its copy. Messages that were sent stay. Throws FOLLOW_NOT_FOUND. */
export async function unfollow(
  deps: Pick<FollowDeps, 'db' | 'followsChanged'>,
  input: { readonly userId: string; readonly followId: string },
): Promise<void> {
  await deps.db.transact(async (stores) => {
    await stores.guards.lock(input.userId);
    const { id, leader } = await ownFollow({ db: stores }, input);
    await stores.paperCopies.end({ userId: input.userId, leader });
    // A wallet that is not watched any more cannot be copied.
    for (const copy of await stores.copies.listByUser(input.userId))
      if (copy.followId === id)
        await stores.copies.save(passFree('copy-stop', input.userId), {
          ...copy,
          status: 'ENDED',
          reason: null,
        });
    await stores.follows.remove(id);
  });
  deps.followsChanged();
}
