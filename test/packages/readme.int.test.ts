import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { block, installed, manifest, ROOT, run } from './packed.ts';

const scratch = mkdtempSync(join(tmpdir(), 'tradepost-packed-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it.each(['router', 'solana', 'venues', 'tape', 'local-chain', 'local-telegram'])(
  'the example of the README of %s runs from its tarball in an empty directory, and prints what it says',
  async (name) => {
    const before = readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8');
    const folder = await installed(name, scratch);
    expect(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')).toBe(before);
    const packed = join(folder, 'node_modules', '@tradepost', name);
    const readme = readFileSync(join(packed, 'README.md'), 'utf8');
    expect(readFileSync(join(packed, 'LICENSE'), 'utf8')).toContain('Apache License');
    const { exports } = manifest.parse(JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')));
    for (const entry of Object.values(exports))
      for (const file of Object.values(entry))
        expect(readFileSync(join(packed, file), 'utf8').length).toBeGreaterThan(0);
    writeFileSync(join(folder, 'example.mjs'), block(readme, 'js'));
    expect(await run(process.execPath, ['example.mjs'], folder)).toBe(block(readme, 'text'));
  },
  600_000,
);
