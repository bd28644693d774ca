import { type Address, type Instruction, toBase58 } from '@tradepost/solana';
import { isAppError } from '../../../../src/core/errors/app-error.ts';
import { orderOf, tradeOf } from '../../../../src/engine/intents/kinds/rules.ts';
import type { Intent } from '../../../../src/engine/intents/rules/intent.ts';
import { payoutHold } from '../../../../src/engine/ledger/rules/postings.ts';
import type { PlanBuilder, PlanBuilders } from '../../../../src/engine/transactions/use/plan.ts';
import { fireKey } from '../../../../src/modules/orders/rules/machine.ts';
import type { Order } from '../../../../src/modules/orders/rules/order.ts';
import { createPrograms } from '../../../../src/platform/chain/programs.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import type { Vault } from '../../../../src/platform/ports/vault.ts';
import { committedRows } from '../../fakes/database.ts';
import type { Cluster } from '../cluster.ts';
import type { Random } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import { chainCompiler } from '../wire.ts';
import { THIEF } from './writer.ts';

const programs = createPrograms();
const SIGNATURE = new Uint8Array(64).fill(1);
const LAMPORTS = 1_000_000_000n;

/** What a lie asks the signer for, in its own words. */
export type Lie =
  | 'other terms'
  | 'another message'
  | 'an old request'
  | "another person's intent"
  | 'an ended intent'
  | 'an invented intent'
  | 'other terms of a fire'
  | 'an invented fire'
  | 'an invented payout'
  | 'a false result';

export type LieCounts = Record<Lie, { asked: number; signed: number }>;

/** The signer's calls that a worker's socket has. */
export type WorkerCalls = Pick<Vault, 'sign' | 'confirmFire'>;

type Asked = { readonly intentId: string; readonly message: Uint8Array; readonly others: number };

/**
 * A worker that lies. It has a worker's calls of the signer and a worker's rows. It asks for signatures with other terms, for a second message
 * beside a living one, for an old request again, for another person's intent, for fires and payouts that it invents, and it writes false results
 * down. What it is given it sends, at once or late, or keeps.
 */
export function createLyingWorker(run: {
  readonly raw: Database;
  readonly calls: WorkerCalls;
  readonly plans: PlanBuilders;
  readonly cluster: Cluster;
  readonly timeline: Timeline;
  readonly random: Random;
  /** Sends what it was given; else it keeps that, and nothing of it is ever seen. */
  readonly sends: boolean;
  /** One write of a worker's rights on rows. */
  readonly falsify: () => void;
  readonly onGiven: (signature: string) => void;
  /** Rows that it wrote belong to these. */
  readonly onTouched: (...ids: readonly string[]) => void;
  readonly trace: (line: string) => void;
  readonly violate: (text: string) => void;
}) {
  const { calls, cluster, random, timeline, trace } = run;
  const rows = committedRows(run.raw);
  const counts = {} as LieCounts;
  const old: Asked[] = [];
  let serial = 0;

  const anyOf = <T>(some: readonly T[]): T | null => (some.length === 0 ? null : random.pick(some));
  const inventedId = (): string => {
    serial += 1;
    return `01HOSTILE${String(serial).padStart(17, '0')}`;
  };
  const anyIntent = (): Intent | null =>
    anyOf([...rows.intents.values()].filter(({ kind }) => kind !== 'payout' && kind !== 'launch'));
  const blockhash = (): string => `hash-${cluster.height() - 2n}`;

  /** The instructions that an honest worker would ask for. */
  async function honest(intent: Intent): Promise<readonly Instruction[]> {
    const wallet = rows.wallets.get(intent.walletId);
    const build = run.plans[intent.params.kind] as PlanBuilder<never> | undefined;
    if (wallet === undefined || build === undefined) return [];
    return (await build(intent as never, wallet, `liar-${inventedId()}`)).instructions;
  }

  const payerOf = (walletId: string): Address => rows.wallets.get(walletId)?.address ?? THIEF;

  function compile(payer: Address, memo: string, instructions: readonly Instruction[]): Asked {
    const { bytes, signers } = chainCompiler.compile({
      payer,
      blockhash: blockhash(),
      instructions: [programs.memo(memo), ...instructions],
    });
    return { intentId: memo, message: bytes, others: signers.length - 1 };
  }

  /** Asks, and does with the signature as a thief would. */
  async function asks(lie: Lie, asked: Asked): Promise<void> {
    counts[lie].asked += 1;
    trace(`liar asks for ${lie} of ${asked.intentId}`);
    const signature = await calls.sign({ intentId: asked.intentId, message: asked.message, attempt: null });
    counts[lie].signed += 1;
    old.push(asked);
    run.onGiven(toBase58(signature));
    run.onTouched(asked.intentId, rows.intents.get(asked.intentId)?.userId ?? asked.intentId);
    trace(`liar was given ${toBase58(signature).slice(0, 8)}`);
    if (!run.sends) return;
    const wire = Buffer.concat([
      Buffer.from([1 + asked.others]),
      signature,
      ...Array.from({ length: asked.others }, () => SIGNATURE),
      asked.message,
    ]);
    const send = (): void => void cluster.chain.send(wire).catch(() => undefined);
    if (random.chance(0.6)) send();
    else timeline.after(random.between(1_000, 55_000), send);
  }

  /** Other accounts, other bytes, one more payment, one instruction less or twice. */
  function changed(payer: Address, instructions: readonly Instruction[]): readonly Instruction[] {
    const index = random.between(0, Math.max(0, instructions.length - 1));
    const one = instructions[index];
    const with_ = (other: Instruction): readonly Instruction[] =>
      instructions.map((each, at) => (at === index ? other : each));
    const pays = programs.transferSol({ from: payer, to: THIEF, lamports: LAMPORTS / 10n });
    if (one === undefined) return [pays];
    switch (random.between(0, 4)) {
      case 0: {
        const at = random.between(0, Math.max(0, one.accounts.length - 1));
        return with_({
          ...one,
          accounts: one.accounts.map((meta, each) => (each === at ? { ...meta, address: THIEF } : meta)),
        });
      }
      case 1: {
        const data = Uint8Array.from(one.data);
        const at = random.between(0, Math.max(0, data.length - 1));
        data[at] = (data[at] ?? 0) + random.pick([1, 7, 128]);
        return with_({ ...one, data });
      }
      case 2:
        return [...instructions, pays];
      case 3:
        return instructions.filter((_, at) => at !== index);
      default:
        return [...instructions, one];
    }
  }

  const lies: Readonly<Record<Lie, () => Promise<void>>> = {
    'other terms': async () => {
      const intent = anyIntent();
      if (intent === null) return;
      const payer = payerOf(intent.walletId);
      await asks('other terms', compile(payer, intent.id, changed(payer, await honest(intent))));
    },
    'another message': async () => {
      const intent = anyIntent();
      if (intent === null) return;
      await asks('another message', compile(payerOf(intent.walletId), intent.id, await honest(intent)));
    },
    'an old request': async () => {
      const asked = anyOf(old);
      if (asked !== null) await asks('an old request', asked);
    },
    "another person's intent": async () => {
      const [mine, theirs] = [anyIntent(), anyIntent()];
      if (mine === null || theirs === null || mine.userId === theirs.userId) return;
      // Their intent and my instructions, or mine with their wallet.
      const payer = payerOf(random.pick([mine, theirs]).walletId);
      const asked = compile(payer, random.pick([mine, theirs]).id, await honest(random.pick([mine, theirs])));
      await asks("another person's intent", { ...asked, intentId: random.pick([mine, theirs]).id });
    },
    'an ended intent': async () => {
      const intent = anyOf(
        [...rows.intents.values()].filter(({ status }) => status === 'SUCCEEDED' || status === 'FAILED'),
      );
      if (intent === null || intent.kind === 'payout') return;
      rows.intents.set(intent.id, { ...intent, status: 'ACTIVE', outcome: null });
      run.onTouched(intent.id, intent.userId ?? intent.id);
      await asks('an ended intent', compile(payerOf(intent.walletId), intent.id, await honest(intent)));
    },
    'an invented intent': async () => {
      const intent = anyIntent();
      if (intent === null) return;
      const id = inventedId();
      const params = {
        kind: 'withdraw-sol',
        destination: THIEF,
        lamports: LAMPORTS / 2n,
        everything: false,
        tier: 'normal',
      } as const;
      // With a code that was made for another request.
      const invented: Intent = {
        ...intent,
        id,
        idemKey: id,
        kind: 'withdraw-sol',
        params,
        status: 'CREATED',
        outcome: null,
      };
      rows.intents.set(id, invented);
      run.onTouched(id, intent.userId ?? id);
      await asks('an invented intent', compile(payerOf(intent.walletId), id, await honest(invented)));
    },
    'other terms of a fire': async () => {
      const fire = anyOf([...rows.intents.values()].filter(isFire));
      const trade = fire === null ? null : tradeOf(fire.params);
      const child = fire === null ? null : orderOf(fire.params);
      if (fire === null || trade === null || child === null || fire.userId === null) return;
      const n = child.n + random.pick([0, 1, 2]);
      const params = {
        ...fire.params,
        terms: {
          ...trade.terms,
          amountIn: trade.terms.amountIn * BigInt(random.pick([1, 2, 100])),
          minOut: 1n,
        },
        order: { ...child, n },
      } as Intent['params'];
      await fires('other terms of a fire', { ...fire, params, idemKey: fireKey(child.id, n) });
    },
    'an invented fire': async () => {
      const order = anyOf([...rows.orders.values()].map((stored) => stored.order));
      const intent = anyIntent();
      if (order === null || intent === null) return;
      await fires('an invented fire', { ...intent, ...inventedFire(order, random) });
    },
    'an invented payout': async () => {
      const treasury = [...rows.wallets.values()].find(({ userId }) => userId === null);
      const person = anyOf([...rows.wallets.values()].filter(({ userId }) => userId !== null));
      const intent = anyIntent();
      if (treasury === undefined || person?.userId == null || intent === null) return;
      const id = inventedId();
      const lamports = LAMPORTS / BigInt(random.pick([4, 20, 1_000]));
      const recipient = random.chance(0.5) ? THIEF : person.address;
      const items = [{ inviterId: person.userId, recipient, lamports }];
      const params = { kind: 'payout', items } as unknown as Intent['params'];
      rows.intents.set(id, {
        ...intent,
        id,
        idemKey: id,
        kind: 'payout',
        userId: null,
        walletId: treasury.id,
        params,
        confirmation: null,
        status: 'CREATED',
        outcome: null,
      });
      const hold = payoutHold({ id, createdAt: timeline.now() }, id, items);
      rows.transfers.set(hold.key, hold);
      run.onTouched(id, person.userId, 'payouts');
      const pays = programs.transferSol({ from: treasury.address, to: recipient, lamports });
      await asks('an invented payout', compile(treasury.address, id, [pays]));
    },
    'a false result': async () => {
      counts['a false result'].asked += 1;
      run.falsify();
    },
  };
  for (const lie of Object.keys(lies) as Lie[]) counts[lie] = { asked: 0, signed: 0 };

  /** Has a fire confirmed, writes its intent down and asks for its signature. */
  async function fires(lie: Lie, like: Intent): Promise<void> {
    const id = inventedId();
    const { idemKey, walletId, params, userId } = like;
    if (userId === null) return;
    counts[lie].asked += 1;
    trace(`liar asks for ${lie} (${idemKey})`);
    const confirmation = await calls.confirmFire({ id, idemKey, userId, walletId, params });
    const intent: Intent = { ...like, id, confirmation, status: 'CREATED', outcome: null, notBefore: null };
    rows.intents.set(id, intent);
    const order = orderOf(params)?.id ?? id;
    run.onTouched(id, userId, order, rows.orders.get(order)?.order.groupId ?? order);
    await asks(lie, compile(payerOf(walletId), id, await honest(intent)));
  }

  return {
    counts,
    /** One lie, as the random stream has it. A refusal in words is what it expects; anything else is a fault of the signer. */
    async act(): Promise<void> {
      const lie = random.pick(Object.keys(lies) as Lie[]);
      try {
        await lies[lie]();
      } catch (error) {
        if (isAppError(error) || error instanceof RangeError) return;
        // The liar's own reading of rows that a writer changed, or an outage of the chain it asks.
        if (error instanceof Error && /^(duplicate|foreign key|the simulated cluster)/.test(error.message))
          return;
        run.violate(
          `the signer failed by a bug at ${lie}: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
        );
      }
    },
  };
}

/** Also among rows whose kind a writer invented. */
const isFire = ({ params }: Intent): boolean =>
  (params.kind === 'buy' || params.kind === 'sell') && params.order !== undefined;

/** A fire of an order with terms of the liar's own, of which some are the order's. */
function inventedFire(
  order: Order,
  random: Random,
): Pick<Intent, 'kind' | 'params' | 'idemKey' | 'userId' | 'walletId'> {
  const amount = order.amount.kind === 'fixed' ? order.amount.units : LAMPORTS;
  const amountIn = random.pick([amount, amount / 2n, amount * 2n]);
  const n = order.fires + random.pick([1, 1, 1, 2]);
  const quotedOut = random.pick([1n, amountIn, amountIn * 2n]);
  const terms = {
    amountIn,
    quotedOut,
    minOut: random.pick([1n, quotedOut]),
    platformFeeLamports: amountIn / 100n,
    priceImpactBps: 1,
    slippageBps: order.terms.slippageBps,
    route: [],
  };
  const common = { mint: order.mint, terms, tier: order.terms.tier, order: { id: order.id, n } };
  const params =
    order.side === 'buy'
      ? { kind: 'buy' as const, lamportsIn: amountIn, ...common }
      : { kind: 'sell' as const, amountIn, ...common };
  return {
    kind: params.kind,
    params: params as unknown as Intent['params'],
    idemKey: fireKey(order.id, n),
    userId: order.userId,
    walletId: order.walletId,
  };
}
