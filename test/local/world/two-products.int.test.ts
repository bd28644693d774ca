import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPerson } from '@tradepost/local-telegram';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signatureOf } from '../../../scripts/tour/screens.ts';
import { type ServedWorld, serveWorld } from '../../../src/local/serve-world.ts';
import { rpc } from '../../../src/local/stand-ins.ts';
import { type Program, startProgram } from '../../support/program.ts';

const root = mkdtempSync(join(tmpdir(), 'tradepost-world-'));
/** The person acts without a pause, and a busy machine may handle several actions at once: none is dropped. */
const QUICK = { CHAT_UPDATES: '1000' } as const;
let world: ServedWorld;
const programs: Program[] = [];

beforeAll(async () => {
  // Run as root, Postgres is another user, who must be able to walk here.
  await chmod(root, 0o711);
  world = await serveWorld({
    dir: join(root, 'world'),
    nodeEnv: 'test',
    chain: { port: 0, slotMs: 100, network: null, programsDir: null, provider: null },
    chatPort: 0,
  });
  for (const name of ['one', 'two'])
    programs.push(await startProgram(join(root, name), { LOCAL_WORLD: world.file, ...QUICK }));
});

afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await world.stop();
  rmSync(root, { recursive: true, force: true });
});

type Pool = { readonly mintA: string; readonly mintB: string; readonly vaultB: string };

/** Alice of this product buys for 0.1 SOL; the signature of her trade. */
async function buy(program: Program, mint: string): Promise<string> {
  const alice = await createPerson({
    url: program.run.chatUrl,
    user: { id: 101, first_name: 'Alice', language_code: 'en' },
  });
  await alice.start();
  await alice.waitFor(/Welcome/);
  await alice.tap('Create Deposit Wallet');
  await alice.waitFor(/is ready/);
  await alice.say('/deposit');
  await alice.waitFor(/Send SOL/);
  await alice.tap(/play SOL/);
  await alice.waitForToast(/are there/);
  await alice.say(mint);
  await alice.waitFor((text, message) => / · cap /.test(text) && message.reply_markup !== undefined);
  await alice.tap('🟢 0.1');
  await alice.waitFor((text, message) => /At least/.test(text) && message.reply_markup !== undefined);
  await alice.tap('Confirm buy');
  return signatureOf(await alice.waitFor(/^Bought/));
}

it('two products trade on one chain at once, each with a bot and a database of its own', async () => {
  const [one, two] = programs.map(({ run }) => run);
  expect(one?.rpcUrl).toBe(world.rpcUrl);
  expect(two?.rpcUrl).toBe(world.rpcUrl);
  expect(one?.chatUrl).not.toBe(two?.chatUrl);
  expect(one?.databaseUrl).not.toBe(two?.databaseUrl);

  const { pools } = (await (await fetch(`${world.deskUrl}/pools`)).json()) as {
    readonly pools: readonly Pool[];
  };
  const mint = pools.find((pool) => pool.mintB.startsWith('So1111'))?.mintA ?? '';
  const signatures = await Promise.all(programs.map((program) => buy(program, mint)));
  expect(new Set(signatures).size).toBe(2);
  const trades = await Promise.all(
    signatures.map((signature) =>
      rpc<{
        readonly meta: { readonly err: unknown };
        readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
      }>(world.rpcUrl, 'getTransaction', [
        signature,
        { commitment: 'confirmed', maxSupportedTransactionVersion: 1 },
      ]),
    ),
  );
  const payers = trades.map(({ transaction }) => transaction.message.accountKeys[0]);
  expect(new Set(payers).size).toBe(2);
  expect(trades.map(({ meta }) => meta.err)).toEqual([null, null]);
});

it('a product finds its bot and its chats again, and the mail of the world on its page', async () => {
  const [first] = programs;
  if (first === undefined) throw new Error('no product');
  await first.stop();
  const again = await startProgram(join(root, 'one'), { LOCAL_WORLD: world.file, ...QUICK });
  programs[0] = again;
  expect(again.run.chatUrl).toBe(first.run.chatUrl);
  const alice = await createPerson({
    url: again.run.chatUrl,
    user: { id: 101, first_name: 'Alice', language_code: 'en' },
  });
  // Only somebody whose wallet is known is told where to send.
  await alice.say('/deposit');
  await alice.waitFor(/Send SOL/);
  expect((await fetch(again.run.mailUrl)).status).toBe(200);
});
