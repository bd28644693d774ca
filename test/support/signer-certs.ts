import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TlsFiles } from '../../src/platform/signer/tls-identity.ts';

const run = promisify(execFile);

/** Certificates of signers need openssl: without it their tests are skipped with a sentence, unless REQUIRE_ALL=1 says that none may. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl && process.env['REQUIRE_ALL'] === '1')
  throw new Error('REQUIRE_ALL=1, but openssl is missing');
if (!hasOpenssl) process.stdout.write('Tests of signers on the network are skipped: openssl is missing.\n');

/** Made by the script that operators run. `hosts` and `roles` by commas. */
export async function makeCerts(
  folder: string,
  name: string,
  hosts: string,
  roles: string,
): Promise<TlsFiles> {
  await run('deploy/make-signer-certs.sh', [folder, name, hosts, roles]);
  return certsOf(folder, name);
}

export function certsOf(folder: string, name: string): TlsFiles {
  return { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`), ca: join(folder, 'ca.crt') };
}
