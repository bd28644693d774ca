import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KmsClient } from '../../../src/platform/vault/kek-aws-kms.ts';

/** AWS KMS as its API reference describes it: symmetric keys, boxes that name their key, the context as additional data. */
export function fakeKms(arns: readonly string[]) {
  const keys = new Map(arns.map((arn) => [arn, randomBytes(32)]));
  const contexts: Readonly<Record<string, string>>[] = [];
  let outage: string | null = null;

  function keyOf(arn: string): Buffer {
    if (outage !== null) throw named(outage);
    return keys.get(arn) ?? fail('NotFoundException');
  }
  const bytesOf = (context: Readonly<Record<string, string>>): Buffer => {
    contexts.push(context);
    return Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));
  };

  const client: KmsClient = {
    encrypt: async ({ KeyId, Plaintext, EncryptionContext }) => {
      const key = keyOf(KeyId);
      if (Plaintext.length > 4_096) throw named('ValidationException');
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
      cipher.setAAD(bytesOf(EncryptionContext));
      const id = Buffer.from(KeyId);
      return {
        CiphertextBlob: Buffer.concat([
          Buffer.from([id.length]),
          id,
          iv,
          cipher.update(Plaintext),
          cipher.final(),
          cipher.getAuthTag(),
        ]),
      };
    },
    decrypt: async ({ KeyId, CiphertextBlob, EncryptionContext }) => {
      const key = keyOf(KeyId);
      const blob = Buffer.from(CiphertextBlob);
      const length = blob[0] ?? 0;
      const [id, box] = [blob.subarray(1, 1 + length).toString(), blob.subarray(1 + length)];
      if (!keys.has(id) || box.length < 28) throw named('InvalidCiphertextException');
      if (id !== KeyId) throw named('IncorrectKeyException');
      const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12), { authTagLength: 16 });
      decipher.setAAD(bytesOf(EncryptionContext)).setAuthTag(box.subarray(-16));
      try {
        return { Plaintext: Buffer.concat([decipher.update(box.subarray(12, -16)), decipher.final()]) };
      } catch {
        throw named('InvalidCiphertextException');
      }
    },
  };
  return {
    client,
    contexts,
    cut: (name: string) => {
      outage = name;
    },
  };
}

function fail(name: string): never {
  throw named(name);
}

function named(name: string): Error {
  return Object.assign(new Error(name), { name });
}
