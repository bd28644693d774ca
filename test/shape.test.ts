import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

/**
 * Numbers that only go down: what a type could say instead of a cast, and functions that do more than a screen shows. Whoever
 * lowers one writes the new number here.
 */
const MOST = { casts: 60, longFunctions: 38 };

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), 'shape-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Found = { readonly code: string; readonly filename: string };

function measured(...folders: readonly string[]): { readonly casts: number; readonly longFunctions: number } {
  const { stdout } = spawnSync(
    join(ROOT, 'node_modules/.bin/oxlint'),
    ['-c', join(ROOT, 'test/shape.oxlintrc.json'), '-f', 'json', ...folders],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Found[] };
  const count = (rule: string): number => diagnostics.filter(({ code }) => code.includes(rule)).length;
  return { casts: count('consistent-type-assertions'), longFunctions: count('max-lines-per-function') };
}

describe('the shape of the product', () => {
  it('has no more casts and long functions than it had', () => {
    const folders = ['src', ...['solana', 'venues', 'tape'].map((name) => `packages/${name}/src`)];
    const { casts, longFunctions } = measured(...folders.map((folder) => join(ROOT, folder)));
    expect(casts).toBeGreaterThan(0);
    expect(casts).toBeLessThanOrEqual(MOST.casts);
    expect(longFunctions).toBeLessThanOrEqual(MOST.longFunctions);
  });

  it('is measured by something that sees a cast and a long function', () => {
    const lines = Array.from({ length: 61 }, (_, index) => `  note(${index});`).join('\n');
    writeFileSync(
      join(scratch, 'planted.ts'),
      `export const id = given as Id;\nexport const fixed = ['a'] as const;\nexport function long() {\n${lines}\n}\n`,
    );
    expect(measured(scratch)).toEqual({ casts: 1, longFunctions: 1 });
  });
});
