import { AppError } from '../../core/errors/app-error.ts';

/** `arn:aws:kms:<region>:<account>:key/<id>`; other partitions (aws-cn, aws-us-gov) alike. */
const ARN = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:(?:key|alias)\/.+$/;

/**
 * A client for the key's region, with the credentials that AWS's own chain finds (role, profile, environment). Throws
 * KEK_UNAVAILABLE with a sentence when the package is not installed or the ARN is none. Outside the vault's folder, so that
 * the signer itself reaches no package.
 */
export async function openAwsKms(keyArn: string) {
  const region = ARN.exec(keyArn)?.[1];
  if (region === undefined) {
    throw new AppError('KEK_UNAVAILABLE', {
      cause: `AWS_KMS_KEY_ARN: expected arn:aws:kms:<region>:<account>:key/<id>, got "${keyArn}"`,
    });
  }
  const sdk = await import('@aws-sdk/client-kms').catch((error: unknown) => {
    throw new AppError(
      'KEK_UNAVAILABLE',
      {
        cause:
          'AWS KMS needs the package @aws-sdk/client-kms, which is not installed: run "npm install --no-save @aws-sdk/client-kms"',
      },
      { cause: error },
    );
  });
  const client = new sdk.KMSClient({ region, maxAttempts: 3 });
  return {
    encrypt: (input: object) => client.send(new sdk.EncryptCommand(input)),
    decrypt: (input: object) => client.send(new sdk.DecryptCommand(input)),
  };
}
