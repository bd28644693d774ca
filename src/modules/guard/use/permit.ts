import { AppError } from '../../../core/errors/app-error.ts';
import type { Button } from '../../../platform/ports/button-store.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { Act } from '../rules/acts.ts';
import type { Guard } from '../rules/guard.ts';
import { asksPin } from '../rules/judge-act.ts';
import type { RightPin } from '../rules/right-pin.ts';
import { assertMayAct, type GateDeps } from './pass-gate.ts';
import { verifyPin } from './verify-pin.ts';

/** So long a PIN that was right opens the question after it. */
const PERMIT_MS = 15 * 60_000;
/** No button's: nothing that is tapped finds it. */
const actionOf = (act: Act): string => `permit:${act}`;

/** In the shape of every button's payload. */
const VERSION = 1;
const payloadOf = (lockEpoch: number) => ({ v: VERSION, d: { lockEpoch } });

/** Of this act, and of this side of the last freeze, Lock now, new PIN or authenticator. */
function isPermitOf(found: Button | null, act: Act, { lockEpoch }: Pick<Guard, 'lockEpoch'>): boolean {
  return found?.action === actionOf(act) && epochIn(found.payload) === lockEpoch;
}

function epochIn(payload: unknown): unknown {
  const data = typeof payload === 'object' && payload !== null && 'd' in payload ? payload.d : null;
  return typeof data === 'object' && data !== null && 'lockEpoch' in data ? data.lockEpoch : null;
}

export type PermitDeps = GateDeps & {
  readonly db: Pick<Database, 'guards' | 'flags' | 'buttons'>;
  readonly vault: Pick<Vault, 'verifyPin'>;
};

/**
 * For an act whose PIN is asked before something else that is secret: a row that says that the PIN was right, used up by the act. A
 * freeze, Lock now, a new PIN and a new authenticator end it.
 * Throws the errors of `judgeAct` and `verifyPin`.
 */
export async function givePermit(
  deps: PermitDeps,
  { userId, pin, act }: { readonly userId: string; readonly pin: string; readonly act: Act },
): Promise<string> {
  await assertMayAct(deps.db, deps, { act, userId });
  // Before the PIN is compared: what ends it meanwhile ends it.
  const { lockEpoch } = await deps.db.guards.find(userId);
  await verifyPin(deps, { userId, pin });
  const id = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
  const expiresAt = deps.clock.now() + PERMIT_MS;
  await deps.db.buttons.insert([
    { id, userId, action: actionOf(act), payload: payloadOf(lockEpoch), expiresAt, usedAt: null },
  ]);
  return id;
}

/** Throws the refusal of the act with this permit now, and uses nothing up. Null = the person has none. */
export async function assertPermitted(
  deps: Omit<PermitDeps, 'vault'>,
  { userId, act, permit }: { readonly userId: string; readonly act: Act; readonly permit: string | null },
): Promise<void> {
  await assertMayAct(deps.db, deps, { act, userId });
  const guard = await deps.db.guards.find(userId);
  if (!asksPin(act, guard)) return;
  if (permit === null) throw new AppError('PIN_REQUIRED', {});
  const found = await deps.db.buttons.peek(permit, userId, deps.clock.now());
  if (!isPermitOf(found, act, guard)) throw new AppError('BUTTON_STALE', {});
}

/** Uses the permit up, in the transaction of its act. Null where there is none: the gate says whether that is enough. */
export async function usePermit(
  stores: Pick<Stores, 'buttons' | 'guards'>,
  input: {
    readonly userId: string;
    readonly act: Act;
    readonly permit: string | null;
    readonly now: number;
  },
): Promise<RightPin | null> {
  const { userId, act, permit, now } = input;
  if (permit === null) return null;
  const found = await stores.buttons.consume(permit, userId, now);
  return isPermitOf(found, act, await stores.guards.lock(userId)) ? ({ userId } as RightPin) : null;
}
