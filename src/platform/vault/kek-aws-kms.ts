import { createHash } from 'node:crypto';
import { AppError } from '../../core/errors/app-error.ts';
import type { KeyEncryptionKey } from './kek.ts';

/** The two calls of AWS KMS that wrapping needs, as the service defines them. */
export interface KmsClient {
  encrypt(input: {
    readonly KeyId: string;
    readonly Plaintext: Uint8Array;
    readonly EncryptionContext: Readonly<Record<string, string>>;
  }): Promise<{ readonly CiphertextBlob?: Uint8Array | undefined }>;
  decrypt(input: {
    readonly KeyId: string;
    readonly CiphertextBlob: Uint8Array;
    readonly EncryptionContext: Readonly<Record<string, string>>;
  }): Promise<{ readonly Plaintext?: Uint8Array | undefined }>;
}

/**
 * A key of AWS KMS, named by its ARN. The additional data is the request's EncryptionContext, which is readable in CloudTrail: only a
 * digest of it goes there, which binds the box to its row and reveals nothing. `KeyId` is named for decryption too, or KMS would open a box
 * of any key the account may use.
 */
export function awsKmsKek(client: KmsClient, keyArn: string): KeyEncryptionKey {
  const context = (aad: Uint8Array) => ({ row: createHash('sha256').update(aad).digest('hex') });
  return {
    id: `aws-kms:${keyArn}`,
    wrap: async (dek, aad) => {
      const { CiphertextBlob } = await asking('encrypt', () =>
        client.encrypt({ KeyId: keyArn, Plaintext: dek, EncryptionContext: context(aad) }),
      );
      return CiphertextBlob ?? missing('CiphertextBlob');
    },
    unwrap: async (box, aad) => {
      const { Plaintext } = await asking('decrypt', () =>
        client.decrypt({ KeyId: keyArn, CiphertextBlob: box, EncryptionContext: context(aad) }),
      );
      return Plaintext ?? missing('Plaintext');
    },
  };
}

/** KMS's words for "this is not a box of that key under that context". Everything else is about reaching the key. */
const NOT_ITS_BOX = ['InvalidCiphertextException', 'IncorrectKeyException'];

async function asking<T>(operation: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown';
    if (NOT_ITS_BOX.includes(name)) throw error;
    throw new AppError(
      'KEK_UNAVAILABLE',
      { cause: `AWS KMS refused to ${operation}: ${name}` },
      { cause: error },
    );
  }
}

function missing(field: string): never {
  throw new AppError('KEK_UNAVAILABLE', { cause: `the answer of AWS KMS holds no ${field}` });
}
