import { AppError } from '../core/errors/app-error.ts';
import { openAwsKms } from './kms/open-aws-kms.ts';
import { type KeyEncryptionKey, type Keyring, keyring } from './vault/kek.ts';
import { awsKmsKek } from './vault/kek-aws-kms.ts';
import { kekFromText } from './vault/kek-env.ts';
import { kekFromFile } from './vault/kek-file.ts';
import { type VaultTransitOptions, vaultTransitKek } from './vault/kek-vault-transit.ts';

export type KekOptions =
  | { readonly kind: 'file'; readonly path: string; readonly create: boolean }
  | { readonly kind: 'text'; readonly text: string; readonly name: string }
  | ({ readonly kind: 'vault-transit' } & VaultTransitOptions)
  | { readonly kind: 'aws-kms'; readonly keyArn: string };

/** The configuration's choice of keys. `local` = a file beside the embedded database, made when it is missing. */
type KekChoice =
  | { readonly kind: 'local' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'env'; readonly hex: string }
  | Extract<KekOptions, { kind: 'vault-transit' | 'aws-kms' }>;

/**
 * The configured keys as they are opened: the current one first. Throws KEK_UNAVAILABLE where only the signer has them.
 */
export function kekOptions(config: {
  /** Null where another process holds it. */
  readonly kek: KekChoice | null;
  readonly olderKeks: readonly KekChoice[];
  readonly local: { readonly dir: string };
}): readonly [KekOptions, ...KekOptions[]] {
  const option = (kek: KekChoice): KekOptions => {
    switch (kek.kind) {
      case 'file':
        return { kind: 'file', path: kek.path, create: false };
      case 'env':
        return { kind: 'text', text: kek.hex, name: 'KEK' };
      case 'local':
        return { kind: 'file', path: `${config.local.dir}/kek`, create: true };
      case 'vault-transit':
      case 'aws-kms':
        return kek;
    }
  };
  if (config.kek === null) {
    throw new AppError('KEK_UNAVAILABLE', {
      cause:
        'SIGNER_SOCKET is set, so the signer alone holds it: run this with the environment of the signer (ROLES=signer)',
    });
  }
  return [option(config.kek), ...config.olderKeks.map(option)];
}

/**
 * The ring of the current key and the older ones. The same key named twice counts once. Throws KEK_UNAVAILABLE for a key that
 * cannot be had: a row under a missing older key would look like a forged one.
 */
export async function openKeyring(current: KekOptions, older: readonly KekOptions[] = []): Promise<Keyring> {
  const [first, ...others] = await Promise.all([openKek(current), ...older.map(openKek)]);
  const byId = new Map(others.map((key) => [key.id, key]));
  byId.delete(first.id);
  return keyring(first, [...byId.values()]);
}

async function openKek(options: KekOptions): Promise<KeyEncryptionKey> {
  switch (options.kind) {
    case 'file':
      return kekFromFile(options.path, { create: options.create });
    case 'text':
      return kekFromText(options.text, options.name);
    case 'vault-transit':
      return vaultTransitKek(options);
    case 'aws-kms':
      return awsKmsKek(await openAwsKms(options.keyArn), options.keyArn);
  }
}
