import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const manifest = z.object({
  version: z.string(),
  exports: z.record(z.string(), z.object({ types: z.string(), default: z.string() })),
  dependencies: z.record(z.string(), z.string()).default({}),
});

/** Runs a program to its end; its standard output. Rejects with everything it wrote when it fails. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
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
export function block(readme: string, language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1];
  if (found === undefined) throw new Error(`the README has no block of ${language}`);
  return found;
}

/** A folder with the packed package and the packages that it names as its dependencies, and nothing else. */
export async function installed(name: string, scratch: string): Promise<string> {
  const empty = join(scratch, name);
  mkdirSync(join(empty, 'node_modules'), { recursive: true });
  await unpack(name, empty);
  return empty;
}

/** Puts a packed package into the folder's node_modules. Its dependencies come too: those of this repository packed, others as links. */
async function unpack(name: string, empty: string): Promise<void> {
  const target = join(empty, 'node_modules', '@tradepost', name);
  if (existsSync(target)) return;
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
    if (dependency.startsWith('@tradepost/')) await unpack(dependency.slice('@tradepost/'.length), empty);
    else if (!existsSync(link)) {
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', dependency), link);
    }
  }
}
