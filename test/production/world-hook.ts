import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChainProcess } from './stand-in-process.ts';

/**
 * The one thing of the program that is not as it ships: the exchange of the local chain has a server of its own, which only a
 * local world names, and production never opens a local world. So `src/compose/open-world.ts` alone is replaced, by one that names the
 * chain that runs elsewhere. Writes the hook into `folder`; the answer is the module to `--import`.
 */
export function writeWorldHook(folder: string, chain: ChainProcess): string {
  const world = {
    chain: { ...chain, tokens: chain.tokens.map(({ mint }) => mint) },
    databaseUrl: null,
    telegram: null,
    mail: null,
  };
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o644 });
    return pathToFileURL(join(folder, name)).href;
  };
  const replacement = file(
    'open-world.mjs',
    `const world = ${JSON.stringify(world)};
world.chain.airdrop = async () => ({ signature: '' });
world.publish = () => undefined;
world.stop = async () => undefined;
export const openWorld = async () => ({ ready: Promise.resolve(world) });
`,
  );
  const hook = file(
    'world-hook.mjs',
    `export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return /\\/(src\\/open-world\\.ts|dist\\/open-world-\\w+\\.js)(\\?|$)/.test(found.url) ? { url: ${JSON.stringify(replacement)}, shortCircuit: true } : found;
}
`,
  );
  return file('world.mjs', `import { register } from 'node:module';\nregister(${JSON.stringify(hook)});\n`);
}
