import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PROBE = fileURLToPath(new URL('./memory-probe.ts', import.meta.url));

/** Copies of the seed that a process of its own holds after many signatures, read from its memory as an attacker would. */
function copiesAfter(mode: 'vault' | 'planted'): { readonly copies: number; readonly baseline: number } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', './scripts/register.mjs', PROBE, mode],
    {
      encoding: 'utf8',
    },
  );
  try {
    return JSON.parse(stdout) as { copies: number; baseline: number };
  } catch {
    throw new Error(`the probe failed:\n${stderr}`);
  }
}

describe.skipIf(!existsSync('/proc/self/mem'))('the memory of a process that signs', () => {
  it('holds no copy of a seed after 1,000 signatures, by a search that finds a planted one', () => {
    expect(copiesAfter('planted').copies).toBeGreaterThan(0);
    const { copies, baseline } = copiesAfter('vault');
    expect(copies).toBeLessThanOrEqual(baseline);
  });
});
