import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalChain } from '@tradepost/local-chain';
import { afterAll, expect, it } from 'vitest';
import { manualDesk } from '../../support/manual-chain.ts';

const root = mkdtempSync(join(tmpdir(), 'desk-restart-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('finds its pools in a state of a release that did not write its name down', async () => {
  const dir = join(root, 'old');
  const first = await manualDesk({ dir });
  await first.stop();
  const path = join(dir, 'snapshot.bin');
  const bytes = readFileSync(path);
  const end = bytes.indexOf(10);
  const head = bytes.toString('utf8', 0, end).replace(',"plugin":"desk"', '');
  expect(head.length).toBe(end - ',"plugin":"desk"'.length);
  writeFileSync(path, Buffer.concat([Buffer.from(head), bytes.subarray(end)]));
  const second = await manualDesk({ dir });
  expect(second.world.pools).toEqual(first.world.pools);
  expect(second.world.pools).toHaveLength(12);
});

it('is not lost from a chain that was made with it', async () => {
  const dir = join(root, 'new');
  await (await manualDesk({ dir })).stop();
  await expect(startLocalChain({ dir, slotMs: 0 })).rejects.toThrow(
    'was made with the plug-in desk and is now opened without a plug-in',
  );
});
