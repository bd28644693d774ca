import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Elsewhere } from '../../../test/support/role-process.ts';
import type { TortureWorld } from '../world.ts';
import type { RoleOptions } from './crew.ts';
import type { BuiltProduct } from './product.ts';

/**
 * Two processes of the API, two workers and the signer, as an operator runs them. Those of the API and the workers may be killed. `remove`
 * deletes their folder.
 */
export async function rolesOf(of: {
  readonly product: Pick<BuiltProduct, 'roleFile' | 'mainFile'>;
  readonly world: Pick<TortureWorld, 'processOptions'>;
  readonly elsewhere: Elsewhere;
  readonly ports: { readonly open: readonly number[]; readonly keyed: readonly number[] };
  readonly apiKeySecret: Uint8Array;
}): Promise<{ readonly roles: readonly RoleOptions[]; readonly remove: () => Promise<void> }> {
  const { product, world, elsewhere, ports, apiKeySecret } = of;
  const { databaseUrl, rpcUrls, kek } = world.processOptions;
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-calls-'));
  const kekFile = join(folder, 'kek');
  await writeFile(kekFile, kek, { mode: 0o400 });
  const shared = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    LOCAL_DIR: folder,
    DATABASE_URL: databaseUrl,
    SOLANA_RPC_URL: rpcUrls.join(','),
    SIGNER_SOCKET: join(folder, 'signer', 'signer.sock'),
    API_KEY_SECRET: Buffer.from(apiKeySecret).toString('hex'),
    API_RATE_PER_SECOND: '50',
    API_RATE_BURST: '200',
    HOT_POOLS: '0',
    LOG_LEVEL: 'error',
  };
  const role = (name: string, env: Readonly<Record<string, string>>): RoleOptions => ({
    name,
    mayDie: true,
    command: [product.roleFile, JSON.stringify(elsewhere)],
    env: { ...shared, ROLES: name, ...env },
  });
  const apis = ports.open.map((open, index) =>
    role('api', { API_PORT: `${open}`, PRO_API_PORT: `${ports.keyed[index] ?? 0}`, CHARTS_PORT: '0' }),
  );
  const signer = {
    ...role('signer', { KEK_FILE: kekFile, JOURNAL_DIR: join(folder, 'journal') }),
    mayDie: false,
    command: [product.mainFile],
  };
  return {
    roles: [signer, ...apis, role('worker', {}), role('worker', {})],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
