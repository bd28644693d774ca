import { randomBytes } from 'node:crypto';
import { startLocalTelegram } from '@tradepost/local-telegram';
import { createPrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { elsewhereOf } from '../../../test/support/elsewhere.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { type Random, seededRandom } from '../../../test/support/simulator/random.ts';
import { startWorld, type TortureWorld } from '../world.ts';
import { type ChainBook, openChainBook } from './chain-book.ts';
import { createRoles, type Roles } from './crew.ts';
import { type Front, startFront } from './front.ts';
import { FINAL_EVENTS, type Hooks, startHooks } from './hooks.ts';
import { type Integrator, settleIntegrators } from './integrators.ts';
import type { BuiltProduct } from './product.ts';
import { rolesOf } from './roles.ts';

const SLOT_MS = 200;
/** History must reach further back than a blockhash can. */
const FIRST_SLOTS = 1_100;
/** Of 1: statuses and heights that the third node lies about. */
const STATUS_LIES = 0.004;
const HEIGHT_LIES = 0.5;
/** Of 1: events whose first answer is lost. */
const LOST_EVENTS = 0.1;
const ACCOUNTS = Array.from({ length: 8 }, (_, n) => `caller-${n}`);

/** Everything that a run needs, at work and in fair weather. */
export type CallsRig = {
  readonly world: TortureWorld;
  readonly book: ChainBook;
  readonly integrators: readonly Integrator[];
  readonly crew: Roles;
  readonly fronts: Readonly<Record<'open' | 'keyed', Front>>;
  readonly hooks: Hooks;
  /** Signatures that the third node lied about. */
  readonly liedAbout: ReadonlySet<string>;
  readonly random: Random;
  /** Bought by all swaps. */
  readonly mint: string;
};

/** Opens chain, database, the product's processes and the callers. What it opened is ended by `closing`, the last one first. */
export async function openRig(
  { callers, seed }: { readonly callers: number; readonly seed: number },
  product: BuiltProduct,
  closing: (() => Promise<unknown>)[],
): Promise<CallsRig> {
  const liedAbout = new Set<string>();
  const world = await startWorld({
    slotMs: SLOT_MS,
    seed: `calls-${seed}`,
    redisUrl: null,
    committed: 'submissions',
    lies: {
      chance: STATUS_LIES,
      heightChance: HEIGHT_LIES,
      onLie: (signature) => liedAbout.add(signature),
    },
  });
  closing.push(() => world.stop());
  world.chain.advanceSlots(FIRST_SLOTS);
  const book = openChainBook(world.chain);
  const random = seededRandom(seed);
  const apiKeySecret = new Uint8Array(randomBytes(32));
  const db = await createPrismaDatabase({ url: world.processOptions.databaseUrl });
  const integrators = await settleIntegrators({
    count: callers,
    accounts: ACCOUNTS,
    db,
    apiKeySecret,
    world,
  });
  await db.close();
  const { crew, fronts } = await startProduct({ world, product, apiKeySecret, seed }, closing);
  const hooks = await hookAll({ product, integrators, fronts, random }, closing);
  const mint = world.chain.world.tokens.find(({ symbol }) => symbol === 'PUP')?.mint ?? '';
  return { world, book, integrators, crew, fronts, hooks, liedAbout, random, mint };
}

async function startProduct(
  of: {
    readonly world: TortureWorld;
    readonly product: BuiltProduct;
    readonly apiKeySecret: Uint8Array;
    readonly seed: number;
  },
  closing: (() => Promise<unknown>)[],
): Promise<Pick<CallsRig, 'crew' | 'fronts'>> {
  const { world, product, apiKeySecret, seed } = of;
  const telegram = await startLocalTelegram({});
  closing.push(() => telegram.stop());
  const ports = { open: [await freePort(), await freePort()], keyed: [await freePort(), await freePort()] };
  const elsewhere = elsewhereOf(world.chain, telegram);
  const { roles, remove } = await rolesOf({ product, world, elsewhere, ports, apiKeySecret });
  closing.push(remove);
  const crew = createRoles(roles);
  closing.push(() => crew.close());
  const fronts = {
    open: await startFront(ports.open, seededRandom(seed + 1)),
    keyed: await startFront(ports.keyed, seededRandom(seed + 2)),
  };
  closing.push(
    () => fronts.open.stop(),
    () => fronts.keyed.stop(),
  );
  await crew.ready();
  return { crew, fronts };
}

/** A webhook for each account, which hears of the ends. */
async function hookAll(
  of: Pick<CallsRig, 'integrators' | 'fronts' | 'random'> & { readonly product: BuiltProduct },
  closing: (() => Promise<unknown>)[],
): Promise<Hooks> {
  const { product, integrators, fronts, random } = of;
  const hooks = await startHooks(product.sdk, () => random.chance(LOST_EVENTS));
  closing.push(hooks.stop);
  for (const account of new Set(integrators.map((one) => one.account))) {
    const apiKey = integrators.find((one) => one.account === account)?.apiKey;
    const desk = product.sdk.createTradepost({ baseUrl: fronts.keyed.url, apiKey });
    const { secret } = await desk.registerWebhook({ url: hooks.urlOf(account), events: [...FINAL_EVENTS] });
    hooks.learn(account, secret);
  }
  return hooks;
}
