import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  type Address,
  type ChainPlugin,
  deriveKey,
  readTokenAccount,
  startLocalChain,
} from '../src/index.ts';
import { WSOL_MINT } from '../src/programs.ts';
import { manualChain } from './support/start.ts';

const root = mkdtempSync(join(tmpdir(), 'local-chain-plugin-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Purse = { readonly purse: Address; readonly sol: Address };

/** Keeps 5 units of the first token and 7 lamports, and answers with them. */
const PURSE: ChainPlugin<Purse> = {
  name: 'purse',
  genesis: ({ seed, tokens, give }) => {
    const owner = deriveKey(seed, 'purse').address;
    const [token] = tokens;
    if (token === undefined) throw new Error('no token');
    return { purse: give(owner, token.mint, 5n), sol: give(owner, WSOL_MINT, 7n) };
  },
  open: ({ chain, world }) => ({
    'GET held': () => ({
      status: 200,
      body: [world.purse, world.sol].map((one) => String(readTokenAccount(chain.account(one))?.amount)),
    }),
    'POST echo': (body) => ({ status: 418, body: { body } }),
  }),
};

const withPurse = (dir?: string) =>
  startLocalChain({
    plugin: PURSE,
    slotMs: 0,
    wsPort: null,
    seed: 'test',
    ...(dir === undefined ? {} : { dir }),
  });

it('a plug-in has money from genesis on, answers under its name, and finds what it kept after a restart', async () => {
  const dir = join(root, 'kept');
  const first = await withPurse(dir);
  await first.stop();
  const second = await withPurse(dir);
  expect(second.world).toEqual(first.world);
  const held = await fetch(`${second.rpcUrl}/purse/held`);
  expect(await held.json()).toEqual(['5', '7']);
  const echo = await fetch(`${second.rpcUrl}/purse/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '"x"',
  });
  expect([echo.status, await echo.json()]).toEqual([418, { body: '"x"' }]);
  const elsewhere = await fetch(`${second.rpcUrl}/purse/held`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(elsewhere.status).toBe(404);
  const paths = await elsewhere.text();
  expect(paths).toMatch(/^Expected POST \/, /);
  expect(paths).toMatch(/, GET \/purse\/held, POST \/purse\/echo\.\n$/);
  await second.stop();
});

it('neither joins a chain that was made without it nor leaves one', async () => {
  const [bare, filled] = [join(root, 'bare'), join(root, 'filled')];
  await (await manualChain({ dir: bare })).stop();
  await expect(withPurse(bare)).rejects.toThrow(
    `The local chain's state in ${bare} was made without a plug-in and is now opened with the plug-in purse. To start afresh, remove that folder.`,
  );
  await (await withPurse(filled)).stop();
  await expect(manualChain({ dir: filled, resetHint: 'Run: reset' })).rejects.toThrow(
    'was made with the plug-in purse and is now opened without a plug-in. Run: reset',
  );
});

it('cannot give what there is not', async () => {
  const greedy = (mint: Address | null, units: bigint): ChainPlugin => ({
    name: 'greedy',
    genesis: ({ tokens, give, seed }) => {
      give(deriveKey(seed, 'greedy').address, mint ?? tokens[0]?.mint ?? WSOL_MINT, units);
      return {};
    },
    open: () => ({}),
  });
  await expect(manualChain({ plugin: greedy(null, 10n ** 18n) })).rejects.toThrow(
    'Genesis has 1000000000000000 units of USDC, not 1000000000000000000.',
  );
  const unknown = deriveKey(new Uint8Array(32), 'x').address;
  await expect(manualChain({ plugin: greedy(unknown, 1n) })).rejects.toThrow(
    `Genesis knows no token ${unknown}.`,
  );
});
