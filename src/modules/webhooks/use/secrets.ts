import type { ApiKeySecrets } from '../../../platform/ports/api-key-secrets.ts';

/** The secret of one generation of a webhook: 32 bytes that are worked out from the service's own secret and stored nowhere. */
export function webhookSecret(
  secrets: Pick<ApiKeySecrets, 'hash'>,
  webhookId: string,
  generation: number,
): Uint8Array {
  return secrets.hash(`webhook\0${webhookId}\0${generation}`);
}

/** As its owner gets it: `whsec_` and base64. */
export function secretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}
