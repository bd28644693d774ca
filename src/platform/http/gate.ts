import type { Host, ProHost } from '../../compose/api-deps.ts';
import { steadyOf } from '../../core/time/elapsed.ts';
import type { ApiKey } from '../../modules/keys/store/api-key-store-port.ts';
import type { Clock } from '../../platform/ports/clock.ts';
import type { ApiTake } from '../ports/api-limiter.ts';
import { ApiError } from './errors/api-error.ts';
import type { ApiCode } from './errors/catalogue.ts';
import { clientKey } from './limits/client-key.ts';
import { type Allowance, createTokenBuckets, type Verdict } from './limits/token-bucket.ts';
import type { Caller, RouteScope } from './route.ts';

/** Decides who may ask now. */
export interface Gate {
  /**
   * Throws 401, 403 or 429; `tell` is given the limits either way, for the headers. `recognise` is given a key that is good, also
   * when it may not ask now.
   */
  admit(request: {
    readonly ip: string;
    /** Counted in this allowance instead of the host's, where the caller has no key. `name` is of the allowance. */
    readonly allowance?: (Allowance & { readonly name: string }) | undefined;
    readonly apiKey: string | undefined;
    /** The scope that the key must have. */
    readonly scope: RouteScope;
    readonly tell: (verdict: Verdict, quotaRemaining: number | null) => void;
    readonly recognise: (key: Pick<ApiKey, 'id' | 'account'>) => void;
  }): Promise<Caller>;
}

/** The limit that the specification grants on the open host. */
const OPEN_MAX_REFERRER_FEE_BPS = 300;
/** Keys tried in vain from one IP address: enough for a mistake, too few for guessing. */
const BAD_KEYS = { ratePerSecond: 1, burst: 10 };
/**
 * Files that one address, or one account of keys, may have stored: documents and pictures together. A file that no token points at goes
 * after a day. So this bounds the files that one caller can have lying here: some 300, or 1,500.
 */
const OPEN_FILES = { ratePerSecond: 1 / 300, burst: 10 };
const KEY_FILES = { ratePerSecond: 1 / 60, burst: 60 };
/** On the charts' own host, for routes without an allowance of their own. */
const CHARTS = { ratePerSecond: 1, burst: 2 };
const DAY_MS = 86_400_000;

export function createGate(host: Host, clock: Clock): Gate {
  const files = createTokenBuckets({ steadyMs: steadyOf(clock) });
  if (host.kind !== 'pro') {
    const buckets = createTokenBuckets({ steadyMs: steadyOf(clock) });
    return {
      admit: async ({ ip, allowance, tell }) => {
        const client = clientKey(ip);
        const own = allowance ?? (host.kind === 'open' ? host : CHARTS);
        const verdict = buckets.take(allowance === undefined ? client : `${allowance.name} ${client}`, own);
        tell(verdict, null);
        orRefuse(verdict);
        return {
          id: `ip:${client}`,
          maxReferrerFeeBps: OPEN_MAX_REFERRER_FEE_BPS,
          takeStorage: () =>
            orRefuse(files.take(client, OPEN_FILES), 'too many files were stored for this address'),
        };
      },
    };
  }
  const tries = createTokenBuckets({ steadyMs: steadyOf(clock) });
  const keyless = createTokenBuckets({ steadyMs: steadyOf(clock) });
  return {
    admit: async ({ ip, allowance = CHARTS, apiKey, scope, tell, recognise }) => {
      if (scope === 'none') {
        const verdict = keyless.take(clientKey(ip), allowance);
        tell(verdict, null);
        orRefuse(verdict);
        return { id: `ip:${clientKey(ip)}`, maxReferrerFeeBps: 0, takeStorage: () => undefined };
      }
      const key = await keyOf(host, apiKey, () => {
        orRefuse(tries.take(clientKey(ip), BAD_KEYS));
      });
      recognise(key);
      const askedAt = clock.now();
      const taken = await host.limiter.take(key.account, key, askedAt);
      const verdict = verdictOf(key, taken);
      tell(verdict, key.dayQuota === null ? null : Math.max(0, key.dayQuota - taken.usedToday));
      if (taken.refusedBy === 'quota') throw quotaUsedUp(key.dayQuota ?? 0, askedAt);
      orRefuse(verdict);
      if (scope !== 'any' && !key.scopes.includes(scope)) {
        const message = `this path needs the scope "${scope}", which this key lacks; ask the operator for a key with it`;
        throw refused(403, 'KEY_SCOPE', message);
      }
      const { id, account, maxReferrerFeeBps } = key;
      return {
        id: `key:${id}`,
        maxReferrerFeeBps,
        takeStorage: () =>
          orRefuse(files.take(account, KEY_FILES), 'too many files were stored for this account'),
        mayStay: async () => (await host.checkKey(apiKey ?? '')).kind === 'valid',
        key,
      };
    },
  };
}

/** The count, in the words of the headers. */
function verdictOf(key: ApiKey, { refusedBy, tokens }: ApiTake): Verdict {
  const allowed = refusedBy === null;
  return {
    allowed,
    limit: key.burst,
    remaining: Math.floor(tokens + 1e-9),
    resetSeconds: Math.ceil((key.burst - tokens) / key.ratePerSecond),
    retrySeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / key.ratePerSecond)),
  };
}

/** Days are counted in UTC. */
function quotaUsedUp(quota: number, now: number): ApiError {
  const retrySeconds = Math.ceil((DAY_MS - (now % DAY_MS)) / 1_000);
  return new ApiError({
    status: 429,
    code: 'QUOTA_USED_UP',
    message: `the ${quota} requests of this day (UTC) are used up; ask again in ${retrySeconds} s`,
    retryable: true,
    headers: { 'retry-after': String(retrySeconds) },
  });
}

async function keyOf(host: ProHost, text: string | undefined, onBadKey: () => void) {
  if (text === undefined || text === '') {
    throw refused(401, 'KEY_MISSING', 'this host needs a key in the header x-api-key');
  }
  const check = await host.checkKey(text);
  switch (check.kind) {
    case 'valid':
      return check.key;
    case 'revoked':
      throw refused(403, 'KEY_REVOKED', 'this key was revoked; ask the operator for another');
    case 'expired':
      throw refused(403, 'KEY_EXPIRED', 'this key has expired; ask the operator for another');
    case 'unknown':
      onBadKey();
      throw refused(
        401,
        'KEY_INVALID',
        'this key is not known; expected the whole text that you were given once',
      );
  }
}

/** A browser and a client library read from the header which kind of key a 401 asks for. */
const CHALLENGE = { 'www-authenticate': 'ApiKey realm="tradepost"' };

function refused(status: number, code: ApiCode, message: string): ApiError {
  return new ApiError({ status, code, message, ...(status === 401 ? { headers: CHALLENGE } : {}) });
}

/** Throws 429 unless the bucket allowed it. */
function orRefuse({ allowed, retrySeconds }: Verdict, cause = 'too many requests'): void {
  if (allowed) return;
  throw new ApiError({
    status: 429,
    code: 'RATE_LIMITED',
    message: `${cause}; ask again in ${retrySeconds} s`,
    retryable: true,
    headers: { 'retry-after': String(retrySeconds) },
  });
}
