import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBundle } from '../../bundle.mjs';
import { PLANTS, type PlantName, planted } from './plants.ts';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

export type Sdk = typeof import('../../../packages/sdk/src/index.ts');

export type BuiltProduct = {
  /** The file that runs one role beside stand-ins that run elsewhere. */
  readonly roleFile: string;
  /** The entry of the product, which the signer has in production. */
  readonly mainFile: string;
  readonly sdk: Sdk;
  /** Removes the written bundles. */
  readonly remove: () => void;
};

let builds = 0;

/** The product's roles and its SDK as files, with a planted fault where one is named. Each build has a folder of its own. */
export async function buildProduct(plant: PlantName | null): Promise<BuiltProduct> {
  builds += 1;
  const outdir = join('dist', 'torture', `calls-${process.pid}-${builds}`);
  const change = (path: string, text: string): string =>
    plant === null ? text : planted(PLANTS[plant], path, text);
  await Promise.all([
    writeBundle('test/support/role-process.ts', join(outdir, 'roles'), root, change),
    writeBundle('src/main.ts', join(outdir, 'main'), root, change),
    writeBundle('packages/sdk/src/index.ts', join(outdir, 'sdk'), root, change),
  ]);
  const sdk: Sdk = await import(join(root, outdir, 'sdk', 'index.js'));
  return {
    roleFile: join(root, outdir, 'roles', 'role-process.js'),
    mainFile: join(root, outdir, 'main', 'main.js'),
    sdk,
    remove: () => rmSync(join(root, outdir), { recursive: true, force: true }),
  };
}
