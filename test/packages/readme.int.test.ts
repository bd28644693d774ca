import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'tradepost-packed-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const manifest = z.object({
  version: z.string(),
  exports: z.record(z.string(), z.object({ types: z.string(), default: z.string() })),
  dependencies: z.record(z.string(), z.string()).default({}),
});

/** Runs a program to its end; its standard output. Rejects with everything it wrote when it fails. */
function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part;
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      err += part;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${out}${err}`));
    });
  });
}

/** The first block of this language in the text. */
function block(readme: string, language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1];
  if (found === undefined) throw new Error(`the README has no block of ${language}`);
  return found;
}

/** A folder with the packed package and the packages that it names as its dependencies, and nothing else. */
async function installed(name: string): Promise<string> {
  const empty = join(scratch, name);
  const target = join(empty, 'node_modules', '@tradepost', name);
  mkdirSync(target, { recursive: true });
  await run('npm', ['pack', '--silent', '--pack-destination', empty], join(ROOT, 'packages', name));
  const before = manifest.shape.version.parse(
    (JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as { version: unknown })
      .version,
  );
  await run(
    'tar',
    ['-xzf', join(empty, `tradepost-${name}-${before}.tgz`), '-C', target, '--strip-components=1'],
    empty,
  );
  const { dependencies } = manifest.parse(JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')));
  for (const dependency of Object.keys(dependencies)) {
    const link = join(empty, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', dependency), link);
  }
  return empty;
}

it.each(['router', 'local-chain', 'local-telegram'])(
  'the example of the README of %s runs from its tarball in an empty directory, and prints what it says',
  async (name) => {
    const before = readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8');
    const folder = await installed(name);
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
  120_000,
);
