import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { awsKmsKek, type KmsClient } from '../../../src/platform/vault/kek-aws-kms.ts';

const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd';
const AAD = Buffer.from('user-1 wallet-1');
/** A service whose two calls do as given. */
const service = (call: () => Promise<Record<string, never>>): KmsClient => ({ encrypt: call, decrypt: call });
const both = (client: KmsClient) => {
  const kek = awsKmsKek(client, ARN);
  return [
    ['encrypt', () => kek.wrap(new Uint8Array(32), AAD)],
    ['decrypt', () => kek.unwrap(new Uint8Array(32), AAD)],
  ] as const;
};

describe('AWS KMS', () => {
  it('is asked under the key’s whole name and a digest of the row, for both directions alike', async () => {
    const asked: unknown[] = [];
    const kek = awsKmsKek(
      {
        encrypt: async (input) => {
          asked.push(input);
          return { CiphertextBlob: new Uint8Array([1, 2]) };
        },
        decrypt: async (input) => {
          asked.push(input);
          return { Plaintext: new Uint8Array([3]) };
        },
      },
      ARN,
    );
    expect(kek.id).toBe(`aws-kms:${ARN}`);
    expect(await kek.wrap(new Uint8Array([3]), AAD)).toEqual(new Uint8Array([1, 2]));
    expect(await kek.unwrap(new Uint8Array([1, 2]), AAD)).toEqual(new Uint8Array([3]));
    const common = { KeyId: ARN, EncryptionContext: { row: createHash('sha256').update(AAD).digest('hex') } };
    expect(asked).toEqual([
      { ...common, Plaintext: new Uint8Array([3]) },
      { ...common, CiphertextBlob: new Uint8Array([1, 2]) },
    ]);
  });

  it('that cannot be asked is unavailable, and its own word for it is passed on', async () => {
    const failure = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    for (const [operation, ask] of both(service(() => Promise.reject(failure)))) {
      await expect(ask()).rejects.toMatchObject({
        code: 'KEK_UNAVAILABLE',
        details: { cause: `AWS KMS refused to ${operation}: ThrottlingException` },
        cause: failure,
      });
    }
    for (const [operation, ask] of both(service(() => Promise.reject('gone')))) {
      await expect(ask()).rejects.toMatchObject({
        details: { cause: `AWS KMS refused to ${operation}: unknown` },
      });
    }
  });

  it.each(['InvalidCiphertextException', 'IncorrectKeyException'])(
    'that says %s is there: the box is not its own',
    async (name) => {
      const refusal = Object.assign(new Error('no'), { name });
      const kek = awsKmsKek(
        service(() => Promise.reject(refusal)),
        ARN,
      );
      await expect(kek.unwrap(new Uint8Array(32), AAD)).rejects.toBe(refusal);
    },
  );

  it('that answers without what was asked for is unavailable', async () => {
    const missing = ['CiphertextBlob', 'Plaintext'];
    for (const [index, [, ask]] of both(service(async () => ({}))).entries()) {
      await expect(ask()).rejects.toMatchObject({
        code: 'KEK_UNAVAILABLE',
        details: { cause: `the answer of AWS KMS holds no ${missing[index]}` },
      });
    }
  });
});
