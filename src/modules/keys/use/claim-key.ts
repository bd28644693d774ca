import { isStill } from '../../../core/time/due.ts';
import { accountAct } from '../../../engine/audit/rules.ts';
import type { ApiKeySecrets } from '../../../platform/ports/api-key-secrets.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { type GateDeps, type GateStores, passGate } from '../../guard/use/pass-gate.ts';
import type { ApiKey } from '../store/api-key-store-port.ts';
import type { OneTimeLink } from '../store/one-time-link-store-port.ts';
import { type LinkDeps, liveLink } from './confirm-request.ts';
import { grantOf } from './grant-of.ts';
import { issueApiKey } from './issue-api-key.ts';
import { revokeOwn } from './revoke-own.ts';
import { OVERLAP_MS, replaceKey } from './rotate-key.ts';

export type ClaimDeps = LinkDeps & GateDeps & { readonly secrets: ApiKeySecrets };

export type ClaimLook =
  /** The button makes the key. `replaces`: the key in whose place it is made. */
  | { readonly kind: 'ready'; readonly replaces: string | null }
  | { readonly kind: 'used'; readonly at: number; readonly keyId: string; readonly isRevoked: boolean }
  | { readonly kind: 'gone' };

const GONE: ClaimLook = { kind: 'gone' };

/** The effect of the button behind a link. Changes nothing, however often it is asked: mail scanners open links. */
export async function lookAtClaim(deps: LinkDeps, token: string): Promise<ClaimLook> {
  const link = await deps.db.links.find(deps.tokens.hash(token));
  if (link === null) return GONE;
  if (link.purpose === 'claim') return lookAtRequest(deps, link);
  return link.purpose === 'rotate' ? lookAtRotation(deps, link) : GONE;
}

async function lookAtRequest(deps: LinkDeps, link: OneTimeLink): Promise<ClaimLook> {
  const request = await deps.db.keyRequests.find(link.subject);
  if (request?.status === 'claimed' && request.keyId !== null && request.claimedAt !== null)
    return used(deps, request.keyId, request.claimedAt);
  const isReady =
    request?.status === 'granted' && link.usedAt === null && isStill(link.expiresAt, deps.clock);
  return isReady ? { kind: 'ready', replaces: null } : GONE;
}

async function lookAtRotation(deps: LinkDeps, link: OneTimeLink): Promise<ClaimLook> {
  const old = await deps.db.apiKeys.find(link.subject);
  if (old === null) return GONE;
  if (old.replacedBy !== null) {
    const successor = await deps.db.apiKeys.find(old.replacedBy);
    return successor === null ? GONE : used(deps, successor.id, successor.createdAt);
  }
  const isLive = old.revokedAt === null && (old.expiresAt === null || isStill(old.expiresAt, deps.clock));
  return isLive && link.usedAt === null && isStill(link.expiresAt, deps.clock)
    ? { kind: 'ready', replaces: old.id }
    : GONE;
}

async function used({ db, clock }: LinkDeps, keyId: string, at: number): Promise<ClaimLook> {
  const key = await db.apiKeys.find(keyId);
  const isRevoked =
    key === null || key.revokedAt !== null || (key.expiresAt !== null && !isStill(key.expiresAt, clock));
  return { kind: 'used', at, keyId, isRevoked };
}

/**
 * Makes the key of a link and returns its text, to the first press of the button only: of any number at the same time one gets the key. The
 * others get the present state of the page. Throws the gate's errors, and then the link still works.
 */
export async function claimKey(
  deps: ClaimDeps,
  token: string,
): Promise<{ readonly kind: 'made'; readonly text: string; readonly key: ApiKey } | ClaimLook> {
  const link = await liveLink(deps, token, ['claim', 'rotate']);
  if (link === null) return lookAtClaim(deps, token);
  const made = await deps.db.transact(async (stores) => {
    if (!(await stores.links.use(link.hash, deps.clock.now()))) return null;
    return link.purpose === 'claim'
      ? makeGranted(deps, stores, link.subject)
      : rotate(deps, stores, link.subject);
  });
  return made === null ? lookAtClaim(deps, token) : { kind: 'made', ...made };
}

async function rotate(
  deps: ClaimDeps,
  stores: GateStores & Pick<Stores, 'apiKeys' | 'auditLog'>,
  replaced: string,
) {
  const email = (await stores.apiKeys.find(replaced))?.email ?? null;
  const passed = await passGate(stores, deps, { act: 'api-key-rotate', userId: null, account: email });
  const made = await replaceKey({ ...deps, keys: stores.apiKeys }, passed, replaced, OVERLAP_MS);
  if (made === null) return null;
  const { id: keyId, account } = made.key;
  await stores.auditLog.record(accountAct(account, deps.clock.now(), 'api-key-rotated', { keyId, replaced }));
  return made;
}

async function makeGranted(
  deps: ClaimDeps,
  stores: GateStores & Pick<Stores, 'keyRequests' | 'apiKeys' | 'auditLog'>,
  id: string,
) {
  const now = deps.clock.now();
  const request = await stores.keyRequests.change(id, ['granted'], { status: 'claimed', claimedAt: now });
  // Another link of the same request was first: a mail that was sent twice.
  if (request === null) return null;
  const account = request.email;
  const passed = await passGate(stores, deps, { act: 'api-key-claim', userId: null, account });
  const issued = await issueApiKey({ ...deps, keys: stores.apiKeys }, passed, grantOf(request, now));
  const { id: keyId } = issued.key;
  await stores.keyRequests.change(id, ['claimed'], { keyId });
  await stores.auditLog.record(
    accountAct(issued.key.account, now, 'api-key-claimed', { keyId, requestId: id }),
  );
  return issued;
}

/** Revokes the key that a link made, for a holder of the mail who did not press the button. False when there is none to revoke. */
export async function revokeClaimed(deps: ClaimDeps, token: string): Promise<boolean> {
  const look = await lookAtClaim(deps, token);
  return look.kind === 'used' && revokeOwn(deps, look.keyId);
}
