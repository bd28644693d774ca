import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/index.ts';
import { isAppError } from '../../../src/core/errors/app-error.ts';
import { attachWorld } from '../../../src/local/attach-world.ts';
import { type ServedWorld, serveWorld } from '../../../src/local/serve-world.ts';
import type { WorldOptions } from '../../../src/local/world.ts';

const root = mkdtempSync(join(tmpdir(), 'tradepost-attach-'));
let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({
    dir: join(root, 'world'),
    nodeEnv: 'test',
    chain: { port: 0, slotMs: 0, network: null, programsDir: null, provider: null },
    chatPort: 0,
  });
});
afterAll(async () => {
  await served.stop();
  rmSync(root, { recursive: true, force: true });
});

/** A product of its own folder that brings its database along. */
const product = (name: string, change: Partial<WorldOptions> = {}): WorldOptions => ({
  dir: join(root, name),
  nodeEnv: 'test',
  chain: { port: 0, slotMs: 0, network: null, programsDir: null, provider: null },
  postgres: false,
  cluster: { rpcUrl: null, mayBeMainnet: false },
  mail: true,
  telegram: { port: 0, databaseUrl: null, rpcUrl: null, hasProductionMasterKey: false },
  ...change,
});

/** The world file with something else in it. */
function altered(name: string, change: (file: Record<string, unknown>) => unknown): string {
  const path = join(root, name);
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(served.file, 'utf8')))));
  return path;
}

/** The one sentence with which a product does not start. */
async function refusal(file: string, options: WorldOptions = product('p')): Promise<string> {
  try {
    await attachWorld(options, file);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'CONFIG_INVALID') throw error;
    const { problems } = error.details as { readonly problems: readonly string[] };
    expect(problems).toHaveLength(1);
    return problems[0] ?? '';
  }
  throw new Error('the product attached itself');
}

describe('LOCAL_WORLD', () => {
  it('gives each product a bot of its own on the one chain, and the same one when it comes back', async () => {
    const [one, two, again] = await Promise.all(
      ['one', 'two', 'one'].map((name) => attachWorld(product(name), served.file)),
    );
    expect(one?.chain?.rpcUrl).toBe(two?.chain?.rpcUrl);
    expect(one?.telegram?.token).not.toBe(two?.telegram?.token);
    expect(again?.telegram).toEqual(one?.telegram);
    expect(one?.mail?.smtpUrl).toBe(two?.mail?.smtpUrl);
    const me = (await (
      await fetch(`${two?.telegram?.botApiUrl}/bot${two?.telegram?.token}/getMe`)
    ).json()) as { readonly ok: boolean };
    expect(me.ok).toBe(true);
  });

  it('gives only what the configuration did not replace', async () => {
    const world = await attachWorld(product('three', { chain: null, telegram: null }), served.file);
    expect([world.chain, world.telegram, world.mail, world.databaseUrl]).toEqual([null, null, null, null]);
  });

  it('is a file for its owner alone: it holds the secret', () => {
    expect(statSync(served.file).mode & 0o777).toBe(0o600);
  });

  it('says that there is no such file', async () => {
    expect(await refusal(join(root, 'nowhere.json'))).toBe(
      `LOCAL_WORLD: there is no world file ${join(root, 'nowhere.json')}. Start a world with "npm run world": it says which file to name.`,
    );
  });

  it.each([
    ['is not JSON', 'text', () => 'text'],
    ['is of another release', 'old', (file: Record<string, unknown>) => ({ ...file, format: 0 })],
    ['lacks something', 'short', (file: Record<string, unknown>) => ({ ...file, chain: undefined })],
  ])('says that a file %s', async (_, name, change) => {
    const path = altered(name, change);
    if (name === 'text') writeFileSync(path, '{');
    const sentence = await refusal(path);
    expect(sentence.startsWith(`LOCAL_WORLD: ${path} is no world file of this release`)).toBe(true);
    expect(sentence.endsWith('Start a world with "npm run world".')).toBe(true);
  });

  it.each(['controlUrl', 'smtpUrl'])('believes no %s of another machine', async (name) => {
    const path = altered(`foreign-${name}`, (file) => ({ ...file, [name]: 'http://10.0.0.7:4401' }));
    expect(await refusal(path)).toContain(`(${name}: is not on this machine)`);
  });

  it('believes no chain of another machine', async () => {
    const path = altered('foreign-chain', (file) => ({
      ...file,
      chain: { ...(file['chain'] as object), rpcUrl: 'http://127.0.0.1.example.org:4401' },
    }));
    expect(await refusal(path)).toContain('(chain.rpcUrl: is not on this machine)');
  });

  it('says that the world runs no more, or that nothing of it answers', async () => {
    // The largest number that a process can have is not in use.
    const dead = altered('dead', (file) => ({ ...file, pid: 4_194_304 }));
    expect(await refusal(dead)).toBe(
      `LOCAL_WORLD: the world of ${dead} (process 4194304) runs no more. Start it again with "npm run world".`,
    );
    const deaf = altered('deaf', (file) => ({ ...file, controlUrl: 'http://127.0.0.1:1' }));
    expect(await refusal(deaf)).toContain('does not answer at http://127.0.0.1:1');
    const gone = altered('gone', (file) => ({
      ...file,
      chain: { ...(file['chain'] as object), rpcUrl: 'http://127.0.0.1:1' },
    }));
    expect(await refusal(gone)).toContain('does not answer at http://127.0.0.1:1');
  });

  it('notices another chain at the port, and another world behind the file', async () => {
    const other = altered('other', (file) => ({ ...file, genesisHash: 'another' }));
    expect(await refusal(other)).toContain('answers another chain than');
    const forged = altered('forged', (file) => ({ ...file, secret: 'x'.repeat(64) }));
    expect(await refusal(forged)).toContain('gives no Telegram: the secret of the world file is another one');
  });

  it('never lends its Telegram to what looks like production', async () => {
    const telegram = { port: 0, databaseUrl: null, rpcUrl: null, hasProductionMasterKey: false };
    expect(
      await refusal(
        served.file,
        product('real', { telegram: { ...telegram, databaseUrl: 'postgresql://db.example.org/desk' } }),
      ),
    ).toMatch(/never runs on a database of another machine/);
    expect(
      await refusal(
        served.file,
        product('real', { telegram: { ...telegram, hasProductionMasterKey: true } }),
      ),
    ).toMatch(/never runs with a production master key/);
    expect(await refusal(served.file, product('real', { nodeEnv: 'production' }))).toMatch(
      /never runs with NODE_ENV=production/,
    );
  });

  it('is refused in production with a sentence, and no world is served there', async () => {
    const problems = ((): readonly string[] => {
      try {
        loadConfig({ NODE_ENV: 'production', LOCAL_WORLD: served.file });
      } catch (error) {
        if (isAppError(error)) return (error.details as { readonly problems: readonly string[] }).problems;
      }
      return [];
    })();
    expect(problems).toContain(
      'LOCAL_WORLD: names a world of stand-ins, in which anybody at this machine may speak as any user. Remove it.',
    );
    await expect(
      serveWorld({
        dir: join(root, 'p'),
        nodeEnv: 'production',
        chain: { port: 0, slotMs: 0, network: null, programsDir: null, provider: null },
        chatPort: 0,
      }),
    ).rejects.toThrow('A world of stand-ins never runs with NODE_ENV=production.');
  });
});
