import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { assertNotProduction, hostIsLocal, type LocalTelegram } from '@tradepost/local-telegram';
import { z } from 'zod';
import { startLocalMail } from './mail/index.ts';
import { addressesOf, type ChainSettings, rpc, startChain, startTelegram } from './stand-ins.ts';
import { prepareStateFolder } from './state-folder.ts';
import { removeWorldFile, writeWorldFile } from './world-file.ts';

export type ServeWorldOptions = {
  readonly dir: string;
  readonly nodeEnv: string;
  readonly chain: ChainSettings;
  /** Of the first product's chat page; every other takes a free port. */
  readonly chatPort: number;
};

export type ServedWorld = {
  /** The value for LOCAL_WORLD. */
  readonly file: string;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly deskUrl: string;
  readonly stop: () => Promise<void>;
};

const MAX_BODY_BYTES = 1_000;
/** A product's own name: a hash of its state folder. */
const PRODUCT = /^[0-9a-f]{16}$/;

/**
 * Starts the chain and the mail server, and a Telegram for each product that asks: a bot is one program's, so each has its own,
 * with chats of its own that are there again when it comes back. Writes the world file last, when everything answers.
 */
export async function serveWorld(options: ServeWorldOptions): Promise<ServedWorld> {
  assertNotProduction(options.nodeEnv, 'A world of stand-ins');
  const dir = resolve(options.dir);
  await prepareStateFolder(dir);
  const file = join(dir, 'world.json');
  const stops: (() => Promise<void>)[] = [];
  const track = <T extends { stop(): Promise<void> }>(server: T): T => {
    stops.push(() => server.stop());
    return server;
  };
  const stop = async (): Promise<void> => {
    removeWorldFile(file);
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const chain = track(await startChain(options.chain, join(dir, 'chain')));
    const mail = track(await startLocalMail({ nodeEnv: options.nodeEnv }));
    const genesisHash = await rpc<string>(chain.directUrl, 'getGenesisHash', []);
    const telegrams = new Map<string, Promise<LocalTelegram>>();
    const telegramOf = (product: string): Promise<LocalTelegram> => {
      const known = telegrams.get(product);
      if (known !== undefined) return known;
      const started = startTelegram({
        port: telegrams.size === 0 ? options.chatPort : 0,
        dir: join(dir, 'telegram', product),
        refuse: { nodeEnv: options.nodeEnv, genesisHash },
        rpcUrl: chain.rpcUrl,
        mail,
      }).then(track);
      telegrams.set(product, started);
      // One that could not start is tried again when its product is.
      started.catch(() => telegrams.delete(product));
      return started;
    };
    const secret = randomBytes(32).toString('hex');
    const control = track(await serveControl(secret, telegramOf));
    const addresses = addressesOf(chain);
    writeWorldFile(file, {
      pid: process.pid,
      controlUrl: control.url,
      secret,
      genesisHash,
      smtpUrl: mail.smtpUrl,
      chain: { ...addresses, tokens: [...addresses.tokens] },
    });
    return { file, rpcUrl: chain.rpcUrl, wsUrl: chain.wsUrl, deskUrl: chain.deskUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Control = { readonly url: string; readonly stop: () => Promise<void> };

/** `POST /telegram` `{ "product": "<16 hex digits>" }`: the Telegram of that product, started if it is not there. */
async function serveControl(
  secret: string,
  telegramOf: (product: string) => Promise<LocalTelegram>,
): Promise<Control> {
  const server: Server = createServer((request, response) => {
    answer(request, response, portOf(server), secret, telegramOf).catch((error: unknown) => {
      json(response, 500, { error: error instanceof Error ? error.message : String(error) });
    });
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  secret: string,
  telegramOf: (product: string) => Promise<LocalTelegram>,
): Promise<void> {
  if (!hostIsLocal(request, port)) return json(response, 403, { error: 'Host is not this machine.' });
  if (!isSame(request.headers.authorization ?? '', `Bearer ${secret}`))
    return json(response, 401, { error: 'the secret of the world file is another one' });
  if (request.method !== 'POST' || request.url !== '/telegram')
    return json(response, 404, { error: 'Expected POST /telegram.' });
  const product = productOf(await textOf(request));
  if (product === null)
    return json(response, 400, { error: 'Expected { "product": "<16 hexadecimal digits>" }.' });
  const { botApiUrl, chatUrl, token, operator } = await telegramOf(product);
  json(response, 200, { botApiUrl, chatUrl, token, operator: operator.toString() });
}

function productOf(text: string): string | null {
  try {
    return z.looseObject({ product: z.string().regex(PRODUCT) }).parse(JSON.parse(text)).product;
  } catch {
    return null;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) return '';
  }
  return text;
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
