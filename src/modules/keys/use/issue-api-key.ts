import type { ApiKeySecrets } from '../../../platform/ports/api-key-secrets.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Passed } from '../../guard/rules/passed.ts';
import type { ApiKey, ApiKeyStore, KeyMaking } from '../store/api-key-store-port.ts';

const ID_LENGTH = 12;
/** 43 characters of 62: more than 255 bits. */
const SECRET_LENGTH = 43;

/**
 * Makes a key and stores its hash. The text is returned once and cannot be had again; only who holds it can use the key.
 */
export async function issueApiKey(
  deps: { readonly keys: ApiKeyStore; readonly secrets: ApiKeySecrets; readonly clock: Clock },
  passed: Passed<KeyMaking>,
  grant: Omit<ApiKey, 'id' | 'hash' | 'createdAt' | 'revokedAt' | 'replacedBy' | 'dayQuota' | 'email'> &
    Partial<Pick<ApiKey, 'dayQuota' | 'email'>>,
): Promise<{ readonly text: string; readonly key: ApiKey }> {
  for (;;) {
    const id = deps.secrets.random(ID_LENGTH);
    const text = `dx_live_${id}_${deps.secrets.random(SECRET_LENGTH)}`;
    const key: ApiKey = {
      dayQuota: null,
      email: null,
      ...grant,
      id,
      hash: deps.secrets.hash(text),
      createdAt: deps.clock.now(),
      revokedAt: null,
      replacedBy: null,
    };
    if (await deps.keys.insert(passed, key)) return { text, key };
  }
}
