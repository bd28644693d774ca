import { describe, expect, it } from 'vitest';
import { signingKey, signMessage } from '../../../src/adapters/vault/sign.ts';

describe('the signer', () => {
  it('agrees with RFC 8032, test 1', () => {
    const key = signingKey(
      Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'),
    );
    expect(Buffer.from(signMessage(key, new Uint8Array())).toString('hex')).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
  });
});
