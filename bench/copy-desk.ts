/** The program of `npm start` in this process, and people of its chat: a bench asks the verbs that their taps would ask. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPerson } from '@tradepost/local-telegram';
import type { Address } from '@tradepost/solana';
import { type App, startApp } from '../src/app.ts';
import { loadConfig } from '../src/config/index.ts';
import { readRunFile } from '../src/local/run-file.ts';
import type { Copy, CopyRules } from '../src/modules/copying/rules/copy.ts';
import type { Wallet } from '../src/modules/wallets/rules/wallet.ts';

const PIN = '739154';
const PORTS = { CHAT_PORT: '0', LOCALNET_PORT: '0', API_PORT: '0', PRO_API_PORT: '0', CHARTS_PORT: '0' };
/** People here act faster than people can, and their PINs are minutes old. */
const PACE = { CHAT_UPDATES: '100000', ADDRESS_DELAY_SECONDS: '0', LONG_DELAY_SECONDS: '0' };
const API = { API_RATE_PER_SECOND: '100000', API_RATE_BURST: '100000' };

export type CopyDesk = {
  readonly product: App['product'];
  readonly urls: {
    readonly rpcUrl: string;
    readonly openApiUrl: string;
    readonly chatUrl: string;
    readonly databaseUrl: string;
  };
  readonly stop: () => Promise<void>;
};

/** A folder for one world, and its end. */
export function worldFolder(): { readonly dir: string; readonly remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-copies-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Starts these roles over the world of the folder, which keeps its chain and its database between two starts. */
export async function startCopyDesk(dir: string, roles: string): Promise<CopyDesk> {
  const config = loadConfig({ ...PORTS, ...PACE, ...API, LOCAL_DIR: dir, ROLES: roles, LOG_LEVEL: 'error' });
  const app = await startApp(config, () => undefined, new AbortController().signal);
  const run = readRunFile(dir);
  if (run === null) throw new Error('the world wrote no run.json');
  const { rpcUrl, openApiUrl, chatUrl, databaseUrl } = run;
  return {
    product: app.product,
    urls: {
      rpcUrl: rpcUrl ?? '',
      openApiUrl: openApiUrl ?? '',
      chatUrl: chatUrl ?? '',
      databaseUrl: databaseUrl ?? '',
    },
    stop: app.stop,
  };
}

/** A person of the chat with a wallet, so many lamports in it, and a PIN. */
export async function meetCopier(
  { product, urls }: CopyDesk,
  id: number,
  lamports: bigint,
): Promise<{ readonly userId: string; readonly wallet: Wallet }> {
  const { db } = product.world;
  const person = await createPerson({
    url: urls.chatUrl,
    user: { id, first_name: `P${id}`, language_code: 'en' },
  });
  await person.start();
  await person.waitFor(/Welcome/);
  await person.tap('Create Deposit Wallet');
  await person.waitFor(/is ready/);
  const user = await db.users.findByTelegramId(BigInt(id));
  const [wallet] = user === null ? [] : await db.wallets.listByUser(user.id);
  if (user === null || wallet === undefined) throw new Error('the bot made no wallet');
  await airdrop(urls.rpcUrl, wallet.address, lamports);
  const { guard } = product.services;
  const hash = await guard.hashPin({ userId: user.id, pin: PIN });
  await guard.setPin({ userId: user.id, hash, again: PIN, replaces: null });
  return { userId: user.id, wallet };
}

/** Follows a wallet, and copies it with the person's PIN: the signer seals the mandate. */
export async function copyLeader(
  { product }: CopyDesk,
  { userId, wallet }: { readonly userId: string; readonly wallet: Wallet },
  leader: Address,
  rules: CopyRules,
): Promise<Copy> {
  const { follows, copying } = product.services;
  const follow = await follows.follow({ userId, text: leader, label: leader.slice(0, 8) });
  return copying.switchOn({
    userId,
    followId: follow.id,
    walletId: wallet.id,
    version: null,
    pin: PIN,
    rules,
  });
}

/** Play SOL; resolves when the chain shows it. */
async function airdrop(rpcUrl: string, to: Address, lamports: bigint): Promise<void> {
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result } = (await response.json()) as { readonly result?: { readonly value?: unknown } };
    return result?.value;
  };
  await ask('requestAirdrop', [to, Number(lamports)]);
  while (!(Number(await ask('getBalance', [to, { commitment: 'confirmed' }])) >= Number(lamports)))
    await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Does all of them, a few at a time. */
export async function inTurns<T, R>(
  all: readonly T[],
  places: number,
  work: (one: T) => Promise<R>,
): Promise<readonly R[]> {
  const done: R[] = [];
  const waiting = all.entries();
  const walk = async (): Promise<void> => {
    for (const [at, one] of waiting) done[at] = await work(one);
  };
  await Promise.all(Array.from({ length: places }, walk));
  return done;
}
