import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOL } from '../api/build-api.ts';
import { signMessage } from '../modules/trading/desk-rig.ts';
import { type LivingService, startLivingService } from './living-service.ts';
import { block, installed, ROOT, run } from './packed.ts';

/** All that the SDK may use of its surroundings; a context of `node:vm` has the language beside it, and nothing of Node. */
const { fetch, URL, URLSearchParams, crypto, performance, AbortController, setTimeout, clearTimeout } =
  globalThis;
const WEB = {
  fetch,
  URL,
  URLSearchParams,
  crypto,
  performance,
  AbortController,
  setTimeout,
  clearTimeout,
  atob,
  btoa,
};

const scratch = mkdtempSync(join(tmpdir(), 'tradepost-sdk-'));
let service: LivingService;
let folder: string;
beforeAll(async () => {
  service = await startLivingService('sdk-packed');
  folder = await installed('sdk', scratch);
});
afterAll(async () => {
  await service.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const packed = (file: string): string =>
  readFileSync(join(folder, 'node_modules', '@tradepost', 'sdk', file), 'utf8');

describe('the packed SDK', () => {
  it('runs the example of its README in Node, against a service, and prints what it says', async () => {
    const readme = packed('README.md');
    writeFileSync(join(folder, 'example.mjs'), block(readme, 'js'));
    const env = {
      ...process.env,
      TRADEPOST_URL: service.url,
      TRADEPOST_KEY: service.apiKey,
      WALLET: service.rig.wallet,
      WALLET_SEED: Buffer.from(service.rig.keypair.secretKey.subarray(0, 32)).toString('hex'),
      MINT: service.rig.token('PUP').mint,
    };
    expect(await run(process.execPath, ['example.mjs'], folder, env)).toBe(block(readme, 'text'));
    expect(service.api.submissions.history.size).toBe(1);
  });

  it('follows a swap in a context with nothing of Node, from a bundle of one file', async () => {
    const { code, bytes } = await bundle();
    expect(bytes).toBeLessThan(16_000);
    const context = createContext({ ...WEB });
    runInContext(`${code}; globalThis.sdk = sdk`, context);
    const { sdk } = context as unknown as { sdk: typeof import('../../packages/sdk/src/index.ts') };
    const desk = sdk.createTradepost({ baseUrl: service.url, apiKey: service.apiKey });
    const { record } = await desk.swapAndFollow(
      {
        userWalletAddress: service.rig.wallet,
        amount: '10000000',
        fromTokenAddress: SOL,
        toTokenAddress: service.rig.token('PUP').mint,
      },
      (transaction) =>
        sdk.withSignature(
          transaction,
          service.rig.wallet,
          signMessage(service.rig.keypair, Uint8Array.from(sdk.messageOf(transaction))),
        ),
    );
    expect(record.status).toBe('finalized');
  });

  it('has types that a strict program of its own compiles with, without those of Node', async () => {
    writeFileSync(
      join(folder, 'strict.mts'),
      `import { createTradepost, isRefusal, type Code } from '@tradepost/sdk';
const desk = createTradepost({ baseUrl: 'https://api.example.org' });
const { toTokenAmount }: { readonly toTokenAmount: string } = await desk.quoteSwap({
  fromTokenAddress: 'a', toTokenAddress: 'b', amount: '1',
});
const error: unknown = toTokenAmount;
if (isRefusal(error, 'quoteSwap')) { const code: Code<'quoteSwap'> = error.code; void code; }
// @ts-expect-error a quote needs an amount
void desk.quoteSwap({ fromTokenAddress: 'a', toTokenAddress: 'b' });
// @ts-expect-error an unknown field
void desk.showUsage({ nothing: 1 });
`,
    );
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--types', ''];
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const given = [...options, '--exactOptionalPropertyTypes', '--lib', 'es2022,dom', 'strict.mts'];
    expect(await run(process.execPath, [tsc, ...given], folder)).toBe('');
  }, 60_000);
});

async function bundle(): Promise<{ readonly code: string; readonly bytes: number }> {
  const entry = join(folder, 'bundle.mjs');
  writeFileSync(entry, "export * from '@tradepost/sdk';\n");
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'sdk',
    platform: 'neutral',
    write: false,
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  return { code, bytes: code.length };
}
