/**
 * `npm run localnet:move -- --mint M --to 0.8x`: moves the price of a token on the local world of a running `npm start`, so that orders,
 * alerts and charts can be tried. The moves are real trades of a wallet of its own. The wallet's key stays in the state folder: it sells on
 * the way down the tokens that it bought on the way up.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isAddress } from '@tradepost/solana';
import { readRunFile } from '../src/local/run-file.ts';
import { movePrice } from './tour/move-price.ts';
import { createRestTrader } from './tour/rest-swap.ts';

const USAGE =
  'usage: npm run localnet:move -- --mint ADDRESS --to FACTOR   (0.8x: a fifth cheaper; 2x: twice as dear)';
const FAUCET_LAMPORTS = 500_000_000_000n;
const LEAST = 0.05;
const MOST = 20;

const dir = resolve(process.env['LOCAL_DIR'] || '.local');
const { mint, factor } = options();
const run = readRunFile(dir);
if (run?.rpcUrl == null || run.openApiUrl === null) {
  stop(`No local world runs on ${dir}: start one with "npm start".`);
}
try {
  const urls = { rpcUrl: run.rpcUrl, openApiUrl: run.openApiUrl };
  const trader = await createRestTrader(urls, FAUCET_LAMPORTS, moverKey());
  const { from, to, trades } = await movePrice(trader, mint, factor);
  console.log(
    `${mint}: ${(to / from).toFixed(3)} of its former price, after ${trades} trades of ${trader.address}`,
  );
} catch (error) {
  stop(error instanceof Error ? error.message : String(error), 1);
}

function options(): { readonly mint: string; readonly factor: number } {
  const { values } = parse();
  const to = /^(\d+(?:\.\d+)?)x?$/.exec(values.to ?? '');
  const factor = Number(to?.[1]);
  const mint = values.mint ?? '';
  if (!isAddress(mint)) stop(`--mint: expected a token address\n${USAGE}`);
  if (to === null || factor < LEAST || factor > MOST) {
    stop(`--to: expected a factor from ${LEAST} to ${MOST}, as 0.8x, got "${values.to ?? ''}"\n${USAGE}`);
  }
  return { mint, factor };
}

function parse() {
  try {
    return parseArgs({ options: { mint: { type: 'string' }, to: { type: 'string' } } });
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

function moverKey(): KeyObject {
  const path = join(dir, 'mover.pem');
  if (!existsSync(path)) {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(path, pem, { mode: 0o600 });
  }
  return createPrivateKey(readFileSync(path));
}

function stop(why: string, code = 2): never {
  console.error(why);
  process.exit(code);
}
