import { limitsOf } from '../rules/key-limits.ts';
import { DEFAULT_REFERRER_FEE_BPS, type KeyGrant, type KeyRequest } from '../rules/key-request.ts';
import type { ApiKey } from '../store/api-key-store-port.ts';

const DAY_MS = 86_400_000;

/** The grant that follows from the request's own numbers, before an operator changes it. */
export function proposedGrant(
  request: Pick<KeyRequest, 'perDay' | 'peakPerSecond' | 'scopes'>,
  maxRate: number,
): KeyGrant {
  return {
    ...limitsOf(request, maxRate),
    maxReferrerFeeBps: DEFAULT_REFERRER_FEE_BPS,
    scopes: request.scopes,
    days: null,
  };
}

/** The key that a granted request gives when it is made now. Its account is the request: keys made in its place share it. */
export function grantOf(
  request: KeyRequest,
  now: number,
): Omit<ApiKey, 'id' | 'hash' | 'createdAt' | 'revokedAt' | 'replacedBy'> {
  if (request.granted === null) throw new Error(`request ${request.id} was not granted`);
  const { days, ...granted } = request.granted;
  return {
    ...granted,
    account: request.id,
    email: request.email,
    expiresAt: days === null ? null : now + days * DAY_MS,
  };
}

/** `5 requests per second, 10 at once, 15,000 a day; for swap, token`. */
export function limitsText({ ratePerSecond, burst, dayQuota, scopes }: KeyGrant): string {
  const quota = dayQuota === null ? '' : `, ${dayQuota.toLocaleString('en-US')} a day`;
  return `${ratePerSecond} ${ratePerSecond === 1 ? 'request' : 'requests'} per second, ${burst} at once${quota}; for ${scopes.join(', ')}`;
}
