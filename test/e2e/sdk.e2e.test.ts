import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messageOf, withSignature } from '../../packages/sdk/src/index.ts';
import { SOL } from '../api/build-api.ts';
import { signMessage } from '../modules/trading/desk-rig.ts';
import { type LivingService, startLivingService } from '../packages/living-service.ts';
import { describeInBrowser, openPage } from './support/browser.ts';

const PAGE = `<!doctype html><link rel="icon" href="data:,"><title>A shop</title><h1>A shop</h1>
<script type="module">import * as sdk from '/sdk.js'; globalThis.sdk = sdk;</script>`;

/** A page of another origin that imports the SDK as one module. */
async function startShop(): Promise<{ readonly url: string; readonly server: Server }> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../packages/sdk/src/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const server = createServer((request, response) => {
    const isModule = request.url === '/sdk.js';
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html');
    response.end(isModule ? outputFiles[0]?.text : PAGE);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describeInBrowser('the SDK in a page of another origin', () => {
  let service: LivingService;
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    service = await startLivingService('sdk-browser');
    shop = await startShop();
  });
  afterAll(async () => {
    shop.server.close();
    await service.stop();
  });

  it('quotes, builds, has the wallet sign, submits and follows', async () => {
    const { page, watch, close } = await openPage(shop.url);
    try {
      await page.waitForFunction(() => 'sdk' in globalThis);
      // As a wallet does: bytes in, signed bytes out, and the key never in the page.
      await page.exposeFunction('walletSign', (bytes: readonly number[]) => {
        const transaction = Uint8Array.from(bytes);
        const signature = signMessage(service.rig.keypair, messageOf(transaction));
        return [...withSignature(transaction, service.rig.wallet, signature)];
      });
      const given = {
        // Without a key: a page can keep no secret.
        baseUrl: service.openUrl,
        swap: {
          userWalletAddress: service.rig.wallet,
          amount: '10000000',
          fromTokenAddress: SOL,
          toTokenAddress: service.rig.token('PUP').mint,
        },
      };
      const seen = await page.evaluate(async ({ baseUrl, swap }) => {
        const { sdk, walletSign } = globalThis as unknown as {
          sdk: typeof import('../../packages/sdk/src/index.ts');
          walletSign: (bytes: number[]) => Promise<number[]>;
        };
        const desk = sdk.createTradepost({ baseUrl });
        const { userWalletAddress: _, ...quoted } = swap;
        const quote = await desk.quoteSwap(quoted);
        const { record } = await desk.swapAndFollow(swap, async (bytes) =>
          Uint8Array.from(await walletSign([...bytes])),
        );
        const refusal = await desk
          .createSwapTransaction({ ...swap, amount: '99000000000000' })
          .catch((error: unknown) => (sdk.isRefusal(error, 'createSwapTransaction') ? error.code : null));
        return { sold: quote.fromTokenAmount, status: record.status, refusal };
      }, given);
      expect(seen).toEqual({ sold: '10000000', status: 'finalized', refusal: 'INSUFFICIENT_LAMPORTS' });
      expect(watch.problems.filter((problem) => !problem.includes('status of 400'))).toEqual([]);
    } finally {
      await close();
    }
  });
});
