import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { lockTrades } from '../../guard/use/unlock-trades.ts';
import type { ReferralAccount } from '../../referrals/rules/reward.ts';
import { DEFAULT_SETTINGS } from '../rules/settings.ts';
import type { User } from '../rules/user.ts';
import type { Comer } from '../store-port.ts';

export type StartUserDeps = {
  readonly db: Pick<Database, 'users' | 'guards' | 'referrals' | 'transact'>;
  /** Names a person who is new, and certifies the name. */
  readonly vault: Pick<Vault, 'openPerson'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Wakes the relay after a commit that left an outbox row; may be lost without harm. */
  readonly nudge?: () => void;
};

export type Arrival = {
  readonly telegramId: bigint;
  readonly firstName: string;
  readonly language: string | null;
  /** The code of the link they came through, or null. Counts at the very first contact only. */
  readonly inviteCode: string | null;
  /** The campaign of that link; counts together with the inviter or not at all. */
  readonly campaignTag?: string | null;
  /** The state behind the tapped button. */
  readonly buttonId?: string | null;
};

export type StartedUser = {
  readonly user: User;
  readonly created: boolean;
  /** The code that was attached just now; null for a known person, and when the code has no owner. */
  readonly attachedCode: string | null;
} & Omit<Comer, 'user'>;

/**
 * The person's row, created at their first contact under a name that the signer certifies. Throws SIGNER_UNAVAILABLE then. The inviter is
 * written in that same commit or never: a link opened later, a link of one's own and an unknown code attach no inviter. So inviters cannot
 * be swapped and circles cannot form. The inviter gets a notice of the same commit. A known person's name and language follow Telegram, and
 * they count as back when they had blocked the bot. A changed language and coming back lock trades again.
 */
export async function startUser(deps: StartUserDeps, arrival: Arrival): Promise<StartedUser> {
  const known = await deps.db.users.arrive(arrival.telegramId, arrival.buttonId ?? null, deps.clock.now());
  if (known !== null) {
    const { user, wallet, button } = known;
    return { user: await refresh(deps, user, arrival), created: false, attachedCode: null, wallet, button };
  }
  const inviter =
    arrival.inviteCode === null ? null : await deps.db.referrals.accountByCode(arrival.inviteCode);
  const { telegramId } = arrival;
  // Before the transaction: nothing waits for the signer while it holds a row.
  const opened = await deps.vault.openPerson({ telegramId, inviterId: inviter?.userId ?? null });
  const started = await deps.db.transact((stores) => create(deps, stores, { arrival, inviter, ...opened }));
  if (started.attachedCode !== null) deps.nudge?.();
  return { ...started, wallet: null, button: null };
}

async function create(
  deps: StartUserDeps,
  stores: Stores,
  {
    arrival,
    inviter,
    userId,
    certificate,
  }: {
    readonly arrival: Arrival;
    readonly inviter: ReferralAccount | null;
    readonly userId: string;
    readonly certificate: string;
  },
): Promise<Omit<StartedUser, keyof Omit<Comer, 'user'>>> {
  const row: User = {
    id: userId,
    telegramId: arrival.telegramId,
    firstName: arrival.firstName,
    telegramLanguage: arrival.language,
    settings: DEFAULT_SETTINGS,
    activeWalletId: null,
    inviterId: inviter?.userId ?? null,
    screenMessageId: null,
    blockedAt: null,
    createdAt: deps.clock.now(),
  };
  const { user, created } = await stores.users.insert(row, certificate);
  // Two first contacts at once: the other one made the row, with its inviter.
  if (!created || inviter === null) return { user, created, attachedCode: null };

  const tag = arrival.campaignTag ?? null;
  if (tag !== null) {
    await stores.referrals.addArrival({ inviteeId: user.id, inviterId: inviter.userId, tag });
  }
  await addNotices(deps, stores, [
    { userId: inviter.userId, intentId: null, kind: 'invitee-joined', payload: {} },
  ]);
  return { user, created, attachedCode: inviter.code };
}

async function refresh(deps: StartUserDeps, user: User, arrival: Arrival): Promise<User> {
  const same =
    user.firstName === arrival.firstName &&
    user.telegramLanguage === arrival.language &&
    user.blockedAt === null;
  if (same) return user;
  const patch = { firstName: arrival.firstName, telegramLanguage: arrival.language, blockedAt: null };
  await deps.db.users.update(user.id, patch);
  // Telegram gives a bot no facts about devices; another language of the app, or coming back after a block, is as near as it gets.
  if (user.telegramLanguage !== arrival.language || user.blockedAt !== null) {
    await lockTrades(deps, { userId: user.id });
  }
  return { ...user, ...patch };
}
