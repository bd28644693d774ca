import { AppError } from '../../../core/errors/app-error.ts';
import { lockTransfer } from '../../../engine/ledger/rules/point-postings.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { assertHasTraded } from '../../points/use/assert-has-traded.ts';
import { spendPoints } from '../../points/use/spend-points.ts';
import { CONVERT_MINIMUM, type ConvertEntry, phaseOf } from '../rules.ts';

export type EnterConvertInput = {
  readonly userId: string;
  readonly period: number;
  readonly points: bigint;
  /** Minted before the confirm button was shown. */
  readonly idemKey: string;
  readonly buttonId: string;
};

/**
 * Gives points in an open period: they are locked until it ends. Entry and posting are one commit, under the person's lock and
 * the period's, so that nothing comes in after the sum was taken. A repeat with the same key comes back with the first one's
 * entry. Throws BUTTON_STALE, CONVERT_CLOSED, CONVERT_MINIMUM, SHOP_NEEDS_TRADE, POINTS_SHORT.
 */
export async function enterConvert(
  deps: { readonly db: Pick<Database, 'transact'>; readonly clock: Clock; readonly ids: Ids },
  input: EnterConvertInput,
): Promise<{ readonly entry: ConvertEntry; readonly created: boolean }> {
  return deps.db.transact(async (stores) => {
    const user = await stores.users.lock(input.userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const known = await stores.convert.entryByKey(input.idemKey);
    if (known !== null) {
      if (known.userId !== user.id) throw new AppError('BUTTON_STALE', {});
      return { entry: known, created: false };
    }
    const now = deps.clock.now();
    if ((await stores.buttons.consume(input.buttonId, user.id, now)) === null) {
      throw new AppError('BUTTON_STALE', {});
    }
    const period = await stores.convert.hold(input.period);
    // A restored database may not know that the period was settled.
    if (period === null || phaseOf(period, now) !== 'open' || (await stores.flags.isSet('quarantined'))) {
      throw new AppError('CONVERT_CLOSED', {});
    }
    if (input.points < CONVERT_MINIMUM) throw new AppError('CONVERT_MINIMUM', { min: CONVERT_MINIMUM });
    await assertHasTraded(stores, user.id);
    const entry: ConvertEntry = {
      id: deps.ids.ulid(),
      period: period.number,
      userId: user.id,
      idemKey: input.idemKey,
      points: input.points,
      createdAt: now,
    };
    const transfer = lockTransfer(
      { id: deps.ids.ulid(), createdAt: now },
      { userId: user.id, period: period.number, entryId: entry.id, points: entry.points },
    );
    await spendPoints(stores, user.id, entry.points, transfer);
    await stores.convert.insertEntry(entry);
    return { entry, created: true };
  });
}
