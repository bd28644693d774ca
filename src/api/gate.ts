import type { Host, ProHost } from './api-deps.ts';
import { ApiError } from './errors/api-error.ts';
import { clientKey } from './limits/client-key.ts';
import { createTokenBuckets, type Verdict } from './limits/token-bucket.ts';
import type { Caller, RouteScope } from './route.ts';

/** Decides who may ask now. */
export interface Gate {
  /** Throws 401, 403 or 429; `tell` is given the limits either way, for the headers. */
  admit(request: {
    readonly ip: string;
    readonly apiKey: string | undefined;
    /** What the key must be allowed to do. */
    readonly scope: RouteScope;
    readonly tell: (verdict: Verdict) => void;
  }): Promise<Caller>;
}

/** What the specification grants on the open host. */
const OPEN_MAX_REFERRER_FEE_BPS = 300;
/** Keys tried in vain from one IP address: enough for a mistake, too few for guessing. */
const BAD_KEYS = { ratePerSecond: 1, burst: 10 };
/**
 * Files that one address, or one account of keys, may have stored: documents and pictures together. What no token points at
 * goes after a day, so this bounds what anybody can have lying here: some 300 files, or 1,500.
 */
const OPEN_FILES = { ratePerSecond: 1 / 300, burst: 10 };
const KEY_FILES = { ratePerSecond: 1 / 60, burst: 60 };

export function createGate(host: Host, now: () => number): Gate {
  const buckets = createTokenBuckets({ now });
  const files = createTokenBuckets({ now });
  const take = (
    key: string,
    allowance: Parameters<typeof buckets.take>[1],
    tell: (verdict: Verdict) => void,
  ) => {
    const verdict = buckets.take(key, allowance);
    tell(verdict);
    orRefuse(verdict);
  };
  if (host.kind === 'open') {
    return {
      admit: async ({ ip, tell }) => {
        const client = clientKey(ip);
        take(client, host, tell);
        return {
          id: `ip:${client}`,
          maxReferrerFeeBps: OPEN_MAX_REFERRER_FEE_BPS,
          takeStorage: () =>
            orRefuse(files.take(client, OPEN_FILES), 'too many files were stored for this address'),
        };
      },
    };
  }
  const tries = createTokenBuckets({ now });
  return {
    admit: async ({ ip, apiKey, scope, tell }) => {
      const key = await keyOf(host, apiKey, () => {
        orRefuse(tries.take(clientKey(ip), BAD_KEYS));
      });
      take(key.account, key, tell);
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
        key,
      };
    },
  };
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

function refused(status: number, code: string, message: string): ApiError {
  return new ApiError({ status, code, message });
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
