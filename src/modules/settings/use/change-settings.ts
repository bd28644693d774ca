import { AppError } from '../../../core/errors/app-error.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { locked } from '../../guard/rules/unlock.ts';
import { type GateDeps, passGate } from '../../guard/use/pass-gate.ts';
import { lockWith } from '../../guard/use/unlock-trades.ts';
import { verifyPin } from '../../guard/use/verify-pin.ts';
import type { Settings } from '../rules/settings.ts';
import { settingsAct } from '../rules/settings-act.ts';

/**
 * Changes some of a person's settings and returns all of them. Reads and writes under the person's lock, so that two changes at once both
 * hold. Another language locks trades: a person who cannot read the notices is not the owner. Throws the errors of `passGate`: PIN_REQUIRED
 * where the change takes the PIN; and those of `verifyPin` where it was typed.
 */
export async function changeSettings(
  deps: GateDeps & {
    readonly db: Pick<Database, 'transact'>;
    readonly ids: Ids;
    readonly vault: Pick<Vault, 'verifyPin'>;
  },
  input: { readonly userId: string; readonly change: Partial<Settings>; readonly pin?: string },
): Promise<Settings> {
  const { userId, change, pin } = input;
  const proof = pin === undefined ? null : await verifyPin(deps, { userId, pin });
  return deps.db.transact(async (stores) => {
    const user = await stores.users.lock(userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const settings = { ...user.settings, ...change };
    const act = settingsAct(user.settings, settings);
    const passed = await passGate(stores, deps, { act, userId, proof });
    if (act === 'language') await lockWith(stores, { userId, change: locked, passed });
    await stores.users.update(user.id, { settings });
    return settings;
  });
}
