import { existsSync } from 'node:fs';
import { AppError } from '../core/errors/app-error.ts';
import { openAwsKms } from '../platform/kms/open-aws-kms.ts';
import { type KeyEncryptionKey, type Keyring, keyring } from '../platform/vault/kek.ts';
import { awsKmsKek } from '../platform/vault/kek-aws-kms.ts';
import { kekFromText } from '../platform/vault/kek-env.ts';
import { kekFromFile } from '../platform/vault/kek-file.ts';
import { type VaultTransitOptions, vaultTransitKek } from '../platform/vault/kek-vault-transit.ts';

export type KekOptions =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'text'; readonly text: string; readonly name: string }
  | ({ readonly kind: 'vault-transit' } & VaultTransitOptions)
  | { readonly kind: 'aws-kms'; readonly keyArn: string };

/** The configuration's choice of keys. `local` = the file that a start with its own Postgres made; `missing` = none is named. */
type KekChoice =
  | { readonly kind: 'missing' }
  | { readonly kind: 'local' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'env'; readonly hex: string }
  | Extract<KekOptions, { kind: 'vault-transit' | 'aws-kms' }>;

/**
 * The configured keys as they are opened: the current one first. Makes none. Throws CONFIG_INVALID where none is named, and
 * KEK_UNAVAILABLE where only the signer has them.
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
        return { kind: 'file', path: kek.path };
      case 'env':
        return { kind: 'text', text: kek.hex, name: 'KEK' };
      case 'local':
        return { kind: 'file', path: localKeyFile(config.local.dir) };
      case 'missing':
        throw missing('');
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

/** Only a start with its own Postgres makes it: anywhere else an invented key would have no copy. */
function localKeyFile(dir: string): string {
  const path = `${dir}/kek`;
  if (!existsSync(path))
    throw missing(` There is no ${path} either: "npm start" makes it beside its own Postgres.`);
  return path;
}

function missing(more: string): AppError<'CONFIG_INVALID'> {
  const problem = `KEK_FILE: missing. Name the file that holds the key which sealed this database.${more}`;
  return new AppError('CONFIG_INVALID', { problems: [problem] });
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
      return kekFromFile(options.path);
    case 'text':
      return kekFromText(options.text, options.name);
    case 'vault-transit':
      return vaultTransitKek(options);
    case 'aws-kms':
      return awsKmsKek(await openAwsKms(options.keyArn), options.keyArn);
  }
}
