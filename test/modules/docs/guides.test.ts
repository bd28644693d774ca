import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUIDES, guideText } from '../../../src/modules/docs/api/guides.ts';
import { type Block, readMarkdown } from '../../../src/modules/docs/rules/markdown.ts';
import { type LivingService, startLivingService } from '../../packages/living-service.ts';
import { installed, run } from '../../packages/packed.ts';
import { startProgramService } from '../../packages/program-service.ts';

type Code = Extract<Block, { kind: 'code' }>;

const scratch = mkdtempSync(join(tmpdir(), 'tradepost-guides-'));
let service: LivingService;
/** Its programs trade in truth. */
let desk: Awaited<ReturnType<typeof startProgramService>>;
let folder: string;
let delivering: NodeJS.Timeout;
beforeAll(async () => {
  service = await startLivingService('guides');
  desk = await startProgramService('guides-desk');
  folder = await installed('sdk', scratch);
  await addMcp();
  // The clock of the service is in the past; who reads a guide has the same time as the service.
  writeFileSync(
    join(folder, 'clock.mjs'),
    'const { now } = Date;\nDate.now = () => now() + Number(process.env.SKEW_MS);\n',
  );
  delivering = setInterval(() => void service.api.deliver(), 100);
});
afterAll(async () => {
  clearInterval(delivering);
  await service.stop();
  await desk.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** The tools beside the SDK, with their program where npm puts it. */
async function addMcp(): Promise<void> {
  const mcp = join(await installed('mcp', scratch), 'node_modules/@tradepost/mcp');
  const target = join(folder, 'node_modules/@tradepost/mcp');
  cpSync(mcp, target, { recursive: true });
  const { bin } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  for (const [name, file] of Object.entries(bin)) {
    chmodSync(join(target, file), 0o755);
    symlinkSync(join(target, file), join(folder, 'node_modules/.bin', name));
  }
}

const codeOf = (name: string): readonly Code[] =>
  readMarkdown(guideText(name) ?? '').filter((block): block is Code => block.kind === 'code');

/** What a reader of a guide has set. */
const envOf = (guide: string): Record<string, string> =>
  guide === 'signatures'
    ? {
        KEYED: desk.url,
        MINT: desk.mint,
        PERSONAL_KEY_ID: desk.program.key.id,
        PERSONAL_KEY_SEED: desk.program.seed,
        SKEW_MS: '0',
      }
    : {
        OPEN: service.openUrl,
        KEYED: service.url,
        KEY: service.apiKey,
        WALLET: service.rig.wallet,
        WALLET_SEED: Buffer.from(service.rig.keypair.secretKey.subarray(0, 32)).toString('hex'),
        MINT: service.rig.token('PUP').mint,
        SKEW_MS: (service.api.deps.clock.now() - Date.now()).toString(),
      };

async function runBlock(guide: string, { language, text }: Code): Promise<string> {
  const env = { ...process.env, ...envOf(guide) };
  if (language === 'sh') return run('bash', ['-euo', 'pipefail', '-c', text], folder, env);
  const { code } = await transform(text, { loader: 'ts', format: 'esm' });
  writeFileSync(join(folder, 'block.mjs'), code);
  return run(process.execPath, ['--import', './clock.mjs', 'block.mjs'], folder, env);
}

describe('each block of the guides runs as it is printed', () => {
  it.each(GUIDES.map(({ name }) => name))(
    '%s',
    async (name) => {
      const blocks = codeOf(name);
      expect(blocks.length).toBeGreaterThan(0);
      let printed = '';
      for (const block of blocks) {
        expect(['sh', 'ts', 'text']).toContain(block.language);
        if (block.language === 'text') expect(printed).toBe(block.text);
        else printed = await runBlock(name, block);
      }
    },
    120_000,
  );

  it('the guides are the files of their folder', () => {
    for (const { name } of GUIDES)
      expect(guideText(name)).toBe(
        readFileSync(new URL(`../../../src/modules/docs/guides/${name}.md`, import.meta.url), 'utf8'),
      );
  });
});
