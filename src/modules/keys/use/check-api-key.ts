import { isWithin } from '../../../core/time/span.ts';
import type { ApiKeySecrets } from '../../../platform/ports/api-key-secrets.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { ApiKey, ApiKeyStore } from '../store/api-key-store-port.ts';

/** `unknown` covers malformed, unknown and wrong alike: a caller learns nothing by trying. */
export type KeyCheck =
  | { readonly kind: 'valid'; readonly key: ApiKey }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'expired' };

const SHAPE = /^dx_live_([A-Za-z0-9]{12})_[A-Za-z0-9]{43}$/;

/** Whether this text is a key that may be used now. Only its holder learns that it is revoked. */
export async function checkApiKey(
  deps: { readonly keys: Pick<ApiKeyStore, 'find'>; readonly secrets: ApiKeySecrets; readonly clock: Clock },
  text: string,
): Promise<KeyCheck> {
  const id = SHAPE.exec(text)?.[1];
  if (id === undefined) return { kind: 'unknown' };
  const key = await deps.keys.find(id);
  if (key === null || !deps.secrets.equal(key.hash, deps.secrets.hash(text))) return { kind: 'unknown' };
  if (key.revokedAt !== null) return { kind: 'revoked' };
  const { createdAt, expiresAt } = key;
  if (expiresAt !== null && !isWithin({ from: createdAt, until: expiresAt }, deps.clock))
    return { kind: 'expired' };
  return { kind: 'valid', key };
}
