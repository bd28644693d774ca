import { AppError } from '../../../core/errors/app-error.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { openReferralAccount } from '../../referrals/use/open-referral-account.ts';
import { displayName } from '../../tokens/rules/display-name.ts';
import type { Group } from '../rules/group.ts';

type Creator = {
  readonly groupId: bigint;
  readonly user: { readonly id: string; readonly telegramId: bigint; readonly firstName: string };
  /** Telegram's id of the group's creator; null where Telegram names none to the bot. */
  readonly creatorId: bigint | null;
};

/**
 * The choices for a group, as its creator sees and changes them; defaults before the first change. Throws GROUP_NOT_YOURS for each person
 * but the creator.
 */
export async function ownGroup(
  { db, clock }: { readonly db: Pick<Database, 'groups'>; readonly clock: Clock },
  { groupId, user, creatorId }: Creator,
): Promise<Group> {
  if (creatorId !== user.telegramId) throw new AppError('GROUP_NOT_YOURS', {});
  const known = await db.groups.find(groupId);
  const ownerName = displayName(user.firstName) ?? '…';
  const isSame = known?.ownerId === user.id;
  return {
    id: groupId,
    ownerId: user.id,
    ownerName,
    // An earlier creator's word is not this one's.
    carriesCode: isSame && known.carriesCode,
    language: known?.language ?? 'en',
    changedAt: known?.changedAt ?? clock.now(),
  };
}

/**
 * Changes a choice of the creator's. Links that carry a code have the creator's own, which is opened here where there is none. Throws as
 * `ownGroup`; then nothing is written.
 */
export async function changeGroup(
  deps: { readonly db: Pick<Database, 'groups' | 'referrals'>; readonly clock: Clock; readonly ids: Ids },
  input: Creator & { readonly change: { readonly carriesCode: boolean } | { readonly language: string } },
): Promise<Group> {
  const group = await ownGroup(deps, input);
  const changed: Group = { ...group, ...input.change, changedAt: deps.clock.now() };
  if (changed.carriesCode)
    await openReferralAccount({ ...deps, referrals: deps.db.referrals }, changed.ownerId);
  await deps.db.groups.save(changed);
  return changed;
}

/** The code in a group's links; null where its creator chose none. */
export async function groupCode(
  { db }: { readonly db: Pick<Database, 'referrals'> },
  group: Group | null,
): Promise<string | null> {
  if (group === null || !group.carriesCode) return null;
  return (await db.referrals.account(group.ownerId))?.code ?? null;
}
