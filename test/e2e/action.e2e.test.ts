import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { describeInBrowser, openPage } from './support/browser.ts';
import { type Chain, readChain } from './support/chain.ts';
import { screen } from './support/screens.ts';

/**
 * A client of Solana Actions by their public specification: it finds the action behind a link by the rules of the link's host, draws the
 * card, posts the wallet's address, and has the wallet sign and send. It shares no code with the product.
 */
const CLIENT = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>A feed</title>
<style>
body { margin: 0; padding: 24px; background: #eef0f3; font: 16px/1.45 system-ui, sans-serif; color: #14171a }
article { max-width: 420px; margin: auto; background: #fff; border: 1px solid #d5dae0; border-radius: 16px; overflow: hidden }
img { display: block; width: 100% } section { padding: 16px } h1 { font-size: 20px; margin: 0 0 8px } p { margin: 0 0 16px; overflow-wrap: anywhere }
div { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 8px } button { flex: 1; font: inherit; padding: 10px; border: 0; border-radius: 10px; background: #14171a; color: #fff }
input { flex: 2; min-width: 0; font: inherit; padding: 10px; border: 1px solid #8a939c; border-radius: 10px }
</style><main></main><script type="module">
const link = new URL(decodeURIComponent(location.hash.slice(1)));
const json = async (url, init) => {
  const response = await fetch(url, init);
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  return body;
};
const { rules } = await json(new URL('/actions.json', link));
const rule = rules.map(({ pathPattern, apiPath }) => {
  const found = new RegExp('^' + pathPattern.replace('**', '(.+)').replace('*', '([^/]+)') + '$').exec(link.pathname);
  return found && apiPath.replace(/[*]+/, found[1]);
}).find(Boolean);
const card = await json(new URL(rule, link));
const element = (name, more = {}, ...children) => {
  const made = Object.assign(document.createElement(name), more);
  made.append(...children);
  return made;
};
const said = element('p', { role: 'status' });
const press = async (href) => {
  try {
    const { transaction, message } = await json(new URL(href, link), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: await walletAddress() }),
    });
    await walletSignAndSend(transaction);
    said.textContent = message;
  } catch (error) {
    said.textContent = error.message;
  }
};
const rows = card.links.actions.map(({ label, href, parameters = [] }) => {
  const fields = parameters.map(({ name, label: placeholder, pattern, required }) =>
    element('input', { name, placeholder, pattern, required, ariaLabel: placeholder }));
  const filled = () => fields.reduce((path, { name, value }) => path.replace('{' + name + '}', encodeURIComponent(value)), href);
  return [fields, element('button', { textContent: label, onclick: () => press(filled()), disabled: card.disabled })];
});
const plain = rows.filter(([fields]) => fields.length === 0).map(([, button]) => button);
const typed = rows.filter(([fields]) => fields.length > 0).map(([fields, button]) => element('div', {}, ...fields, button));
const picture = element('img', { src: card.icon, alt: card.title });
document.querySelector('main').append(element('article', {}, picture,
  element('section', {}, element('h1', { textContent: card.title }), element('p', { textContent: card.description }),
    element('div', {}, ...plain), ...typed, said)));
await picture.decode();
document.body.dataset.ready = 'yes';
</script></html>`;

async function startFeed(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(CLIENT);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describeInBrowser('an action in a client of another origin', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-action-'));
  const wallet = Keypair.generate();
  let program: Program;
  let chain: Chain;
  let feed: Awaited<ReturnType<typeof startFeed>>;
  let mint = '';

  const rpc = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(program.run.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as { readonly result?: unknown }).result;
  };
  beforeAll(async () => {
    program = await startProgram(dir);
    chain = readChain(program.run.rpcUrl);
    feed = await startFeed();
    mint = await chain.anyMint();
    await rpc('requestAirdrop', [wallet.publicKey.toBase58(), 3_000_000_000]);
  });
  afterAll(async () => {
    feed?.server.close();
    await program?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** As a wallet does: the key stays out of the page, and the signed bytes go to the wallet's own node. */
  async function lendWallet(page: Page): Promise<void> {
    await page.exposeFunction('walletAddress', () => wallet.publicKey.toBase58());
    await page.exposeFunction('walletSignAndSend', async (bytes: string) => {
      const transaction = VersionedTransaction.deserialize(Buffer.from(bytes, 'base64'));
      transaction.sign([wallet]);
      await rpc('sendTransaction', [
        Buffer.from(transaction.serialize()).toString('base64'),
        { encoding: 'base64' },
      ]);
    });
  }
  const unitsHeld = () => chain.units(wallet.publicKey.toBase58(), mint);

  it('is found behind a link to a token, shown, pressed, signed and landed; a typed amount and a refusal too', async () => {
    const { page, watch, close } = await openPage('about:blank');
    try {
      await expect
        .poll(() => chain.lamports(wallet.publicKey.toBase58()), { timeout: 20_000 })
        .toBeGreaterThan(0n);
      await lendWallet(page);
      const link = `${program.run.openApiUrl.replace(/\/$/, '')}/token/${mint}`;
      await page.goto(`${feed.url}#${encodeURIComponent(link)}`);
      await page.locator('body[data-ready]').waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      await screen('action-narrow', page);
      await page.setViewportSize({ width: 1440, height: 900 });
      await screen('action', page);
      await page.getByRole('button', { name: '0.1 SOL' }).click();
      await expect.poll(unitsHeld, { timeout: 30_000 }).toBeGreaterThan(0n);
      const first = await unitsHeld();
      await page.getByLabel('SOL to spend').fill('0.25');
      await page.getByRole('button', { name: 'Buy', exact: true }).click();
      await expect.poll(unitsHeld, { timeout: 30_000 }).toBeGreaterThan(first);
      await page.getByLabel('SOL to spend').fill('0');
      await page.getByRole('button', { name: 'Buy', exact: true }).click();
      await page.getByText('expected a number of SOL above 0').waitFor();
      expect(watch.problems.filter((problem) => !problem.includes('status of 400'))).toEqual([]);
    } finally {
      await close();
    }
  });
});
