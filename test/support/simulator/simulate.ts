import { createHash } from 'node:crypto';
import { jobHandlers } from '../../../src/compose/create-worker.ts';
import { feesOf } from '../../../src/engine/fees/rules/fee-table.ts';
import { SETTLEMENTS } from '../../../src/engine/intents/kinds/index.ts';
import { INTENT_KINDS, orderOf } from '../../../src/engine/intents/kinds/rules.ts';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { isOpen } from '../../../src/engine/intents/rules/machine.ts';
import { PACE, type Pace } from '../../../src/engine/intents/rules/pace.ts';
import { cancelIntent } from '../../../src/engine/transactions/use/cancel-intent.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { createDeliverNotice } from '../../../src/engine/transactions/use/deliver-notice.ts';
import type { TransactionDeps } from '../../../src/engine/transactions/use/deps.ts';
import { createRelay } from '../../../src/engine/transactions/use/relay-outbox.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { sweep } from '../../../src/engine/transactions/use/sweep.ts';
import { createHearNews } from '../../../src/engine/watch/use/hear-news.ts';
import { createWatch } from '../../../src/engine/watch/use/watch-attempts.ts';
import { decodeOrderNotice } from '../../../src/modules/orders/rules/order-notice.ts';
import { collectPayouts } from '../../../src/modules/referrals/use/collect-payouts.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { type CrashPoint, withCrashPoints } from '../chaos/crash-points.ts';
import { commitHistory } from '../fakes/commit-history.ts';
import { fakeDatabase } from '../fakes/database.ts';
import { fakeIds } from '../fakes/ids.ts';
import { CONFIRMS } from '../signer.ts';
import { createCluster } from './cluster.ts';
import { createCopyStory } from './copies/copy-story.ts';
import { watchCopiesIn } from './copies/copy-watching.ts';
import { createSimSigner } from './failover.ts';
import { CALM, stormOf } from './fault-levels.ts';
import { remoteChain, remoteDatabase } from './faulty-ports.ts';
import { createCertifiedRows, createHostileHands } from './hostile/hands.ts';
import { createInvariants } from './invariants.ts';
import { createJobTable, type JobWorker } from './job-table.ts';
import { createOrderStory, orderKindsOf } from './orders/order-story.ts';
import { watchOrdersIn } from './orders/order-watching.ts';
import { addPerson, addWallet, requestOf, tokensOf, walletOf } from './people.ts';
import { simulatedPlans, TREASURY, VENUE } from './plans.ts';
import { checkPositions } from './position-invariants.ts';
import { createProcess, KilledError, type SimProcess } from './process.ts';
import { jobsHere, keepWatching } from './process-loops.ts';
import { seededRandom } from './random.ts';
import { recording } from './recording.ts';
import { createSignalStory } from './signals/signal-story.ts';
import { watchSignalsIn } from './signals/signal-watching.ts';
import type { SimKind, SimOptions, SimResult } from './sim-options.ts';
import { createTimeline } from './timeline.ts';
import { chainCompiler, simCompiler } from './wire.ts';

/** Two blockhash windows, and what is left of finality, leases and the sweeper's round. */
const SETTLE_MS = 180_000;
const LAMPORTS = 1_000_000_000n;
/** Commits that a promotion may lose. */
const MOST_LOST = 12;
const SIM_PACE: Pace = {
  ...PACE,
  observe: [
    [15_000, 1_000],
    [Number.POSITIVE_INFINITY, 2_500],
  ],
  untilFinalMs: 4_000,
};
const KINDS: readonly SimKind[] = INTENT_KINDS;
const VOIDED: ReadonlySet<Intent['status']> = new Set(['FAILED', 'REJECTED', 'EXPIRED', 'CANCELLED']);

/** One run of the whole money engine on virtual time, decided by its seed alone. */
export async function simulate(options: SimOptions): Promise<SimResult> {
  const random = seededRandom(options.seed);
  const timeline = createTimeline(random);
  const storm = options.levels ?? stormOf(random);
  const stormMs = options.stormMs ?? random.between(30_000, 100_000);
  let levels = options.stormAtPayout === true ? CALM : storm;
  const hash = createHash('sha256');
  const trace = (text: string): void => {
    const line = `${String(timeline.elapsed()).padStart(7)} ${text}`;
    hash.update(line);
    options.trace?.(line);
  };

  const ids = new Set<string>();
  const requests = new Map<string, Intent['params']>();
  let payoutSeen = false;
  const history = commitHistory(MOST_LOST);
  const kept = options.failovers === undefined ? {} : { history };
  const raw = fakeDatabase({ trusting: true, ...kept });
  const certified =
    options.hostile === undefined ? null : createCertifiedRows(raw, (row) => trace(`not believed: ${row}`));
  const db = recording(certified?.db ?? raw, (intent) => {
    ids.add(intent.id);
    requests.set(intent.id, intent.params);
    story?.onIntent(intent);
    copying?.onIntent(intent);
    if (intent.kind === 'payout') payoutSeen = true;
    trace(`insert ${intent.kind} ${intent.id}`);
  });
  const invariants = createInvariants(raw, timeline.now, {
    excuses: (text) => hands?.excuses(text) === true,
    hasTokens: options.hostile !== undefined,
  });
  const cluster = createCluster(timeline, random, random.pick([1, 2, 3]), {
    tokensOf: (memo, payer) => {
      const params = requests.get(memo);
      return params === undefined ? [] : tokensOf(params, payer);
    },
    onWire: (signature, wire, height) => {
      trace(`wire ${wire.memo} ${signature.slice(0, 8)} at ${height}`);
      invariants.onWire(signature, wire, height);
    },
    onLanded: (landing) => {
      trace(`landed ${landing.memo} ${landing.signature.slice(0, 8)} ${landing.err ?? 'ok'}`);
      invariants.onLanded(landing);
      hands?.onLanded(landing);
    },
    onTakenBack: (landing) => {
      trace(`taken back ${landing.memo} ${landing.signature.slice(0, 8)}`);
      invariants.onTakenBack(landing);
      hands?.onTakenBack(landing);
    },
  });
  cluster.venues.add(VENUE);
  cluster.setFaults(levels);
  cluster.balances.set(TREASURY, 10n * LAMPORTS);
  const signer =
    options.failovers === undefined
      ? null
      : createSimSigner({ db, history, timeline, cluster }, options.failovers, trace);
  await signer?.start();
  const hands =
    certified === null || options.hostile === undefined
      ? null
      : await createHostileHands({
          seed: options.seed,
          options: options.hostile,
          rows: certified,
          timeline,
          cluster,
          trace,
          breach: invariants.breach,
          isStorm: () => isStorm(),
        });
  /** Where a run writes its people. */
  const arrivals = hands === null ? db : hands.arrivals(db);
  const jobs = createJobTable(timeline, random, () => levels);

  const orderKinds = options.orders ?? (options.kinds === undefined ? orderKindsOf(options.seed) : []);
  const copies = options.copies ?? 0;
  const story =
    orderKinds.length === 0 && copies === 0
      ? null
      : createOrderStory({
          seed: options.seed,
          timeline,
          random,
          levels: () => levels,
          cluster,
          db: arrivals,
          books: raw,
          landed: () => invariants.landed(),
          violate: (text) => invariants.violate(text),
          kinds: orderKinds,
          ...(hands === null ? {} : { certify: hands.certify }),
        });

  const copying =
    story === null || copies === 0
      ? null
      : createCopyStory({
          seed: options.seed,
          timeline,
          cluster,
          db,
          market: story.world,
          endow: story.endow,
          landed: () => invariants.landed(),
          violate: (text) => invariants.violate(text),
          count: copies,
        });

  const signalling =
    (options.signals ?? 0) === 0
      ? null
      : createSignalStory({
          seed: options.seed,
          timeline,
          levels: () => levels,
          db,
          violate: (text) => invariants.violate(text),
          count: options.signals ?? 0,
        });

  let kills = 0;
  let crashed = false;
  const wantsPayout = options.kinds?.includes('payout') === true;
  const payoutPoint = options.crashAt?.includes('payout') === true;
  const reachAs =
    (process: SimProcess) =>
    (point: CrashPoint): void => {
      if (crashed || point !== options.crashAt || (wantsPayout && !payoutSeen && !payoutPoint)) return;
      crashed = true;
      trace(`crash at ${point}`);
      process.kill();
      throw new KilledError();
    };

  let serial = 0;
  const programs = createPrograms();
  const world = { timeline, random, levels: () => levels };
  const delivered: string[] = [];

  /** Everything one process holds in memory; a restart makes a new one. */
  function boot(name: string, isWorker = true) {
    serial += 1;
    const process = createProcess(`${name}-${serial}`, timeline);
    const processIds = fakeIds(options.seed * 97 + serial);
    const ports = withCrashPoints(
      {
        db: remoteDatabase(world, process, db),
        chain: remoteChain(world, process, cluster.chain),
        vault: {
          sign: (asked) =>
            (hands?.desk ?? signer)?.sign(asked) ??
            Promise.resolve(createHash('sha512').update(asked.message).digest()),
        },
        queue: jobs.queue,
      },
      reachAs(process),
    );
    const { chain, queue } = ports;
    const { clock } = timeline;
    const relay = createRelay({ db: ports.db, queue, clock });
    const own: TransactionDeps = {
      ...ports,
      compiler: hands === null ? simCompiler : chainCompiler,
      programs,
      clock,
      ids: processIds,
      plans: hands?.plans(chain, processIds) ?? simulatedPlans(chain, programs, processIds),
      treasury: {
        id: 'treasury',
        userId: null,
        name: 'Treasury',
        address: TREASURY,
        createdAt: 0,
        deletedAt: null,
        origin: 'made',
        confirmedAt: null,
        payoutFrom: null,
      },
      fees: feesOf(),
      settlements: SETTLEMENTS,
      relay,
      log: { info: () => undefined, warn: () => undefined },
      pause: process.sleep,
      owner: process.name,
      pace: options.pace ?? SIM_PACE,
    };
    const deps = options.sabotage?.(own) ?? own;
    const step = createStepIntent(deps, { stretchMs: 0 });
    const sweepNow = (): Promise<void> => sweep({ db: ports.db, queue, clock, relay });
    const watch = createWatch({
      ...deps,
      step,
      onNews: createHearNews({
        clock,
        log: deps.log,
        isFirst: () => watch.isFirst(),
        sweep: sweepNow,
        wakeOrders: () => orders?.wake(),
        wakeSubmissions: () => undefined,
      }),
    });
    const orders =
      story === null || !isWorker
        ? null
        : watchOrdersIn(story.world, process, { ...deps, db: ports.db }, story.feed, hands?.desk);
    if (copying !== null && isWorker) watchCopiesIn(copying.world, process, { ...deps, db: ports.db });
    if (signalling !== null && isWorker) watchSignalsIn(signalling.world, process, deps);
    const handlers = jobHandlers({
      services: {
        stepIntent: async (intentId) => {
          const result = await step(intentId);
          return watch.follow(intentId, result) ? { kind: 'done' } : result;
        },
        sendMail: async () => ({ kind: 'done' }),
        sweepMails: async () => undefined,
        deliverNotice: createDeliverNotice({
          db: ports.db,
          clock,
          notifier: {
            deliver: async (told) => {
              const { notice } = told;
              if (random.chance(levels.noticeRetry)) return { kind: 'retry', afterMs: 2_000 };
              if (notice.kind === 'signal') await signalling?.tell(told);
              const event = notice.kind === 'order' ? `-${decodeOrderNotice(notice.payload).event}` : '';
              delivered.push(`${notice.kind}${event} ${notice.intentId ?? ''}`);
              return { kind: 'delivered' };
            },
          },
        }),
        collectPayouts: () => collectPayouts({ ...deps, minimumLamports: 0n }),
        refreshPools: async () => undefined,
        watchBuilds: async () => undefined,
        judgeTrades: async () => undefined,
        moveMarketWindows: async () => undefined,
        indexTokens: async () => undefined,
        workOutTrending: async () => undefined,
        keepTape: async () => undefined,
        watchLaunches: async () => undefined,
        settlePoints: async () => undefined,
        keepPositions: async () => undefined,
        cleanUp: async () => undefined,
        sweep: sweepNow,
      },
      log: {
        warn: () => undefined,
        error: ({ err, data }: { err?: unknown; data?: unknown }) => {
          if (err instanceof KilledError || (err instanceof Error && err.name === 'AppError')) return;
          invariants.violate(
            `a job failed by a bug: ${JSON.stringify(data)} ${err instanceof Error ? (err.stack ?? '') : String(err)}`,
          );
        },
      } as Parameters<typeof jobHandlers>[0]['log'],
    });
    if (isWorker) {
      keepWatching(watch, process);
      // Some carry out what they commit themselves, some leave all of it to the outbox.
      if (random.chance(0.5)) relay.here = jobsHere({ timeline, process, handlers, queue });
    }
    return { process, deps, db: ports.db, worker: { ...process, handlers } satisfies JobWorker };
  }

  const slots = [0, 1, 2].map((index) => boot(`worker${index}`));
  const employ = (): void => jobs.employ(slots.map((slot) => slot.worker));
  employ();
  const replace = (index: number): void => {
    slots[index] = boot(`worker${index}`);
    employ();
  };
  const isStorm = (): boolean =>
    levels === storm && (options.mode === 'safety' || timeline.elapsed() < stormMs);

  // A supervisor: what is dead is started again.
  const supervise = (): void => {
    slots.forEach((slot, index) => {
      if (!slot.process.isAlive()) replace(index);
    });
    timeline.after(random.between(500, 3_000), supervise);
  };
  timeline.after(1_000, supervise);
  const every = (ms: number, job: 'sweep.run' | 'payout.collect'): void => {
    const ready = slots.filter((slot) => slot.process.isRunning());
    if (ready.length > 0)
      random
        .pick(ready)
        .worker.handlers[job]({})
        .catch(() => undefined);
    timeline.after(ms, () => every(ms, job));
  };
  timeline.after(5_000, () => every(60_000, 'sweep.run'));
  timeline.after(10_000, () => every(20_000, 'payout.collect'));

  if (options.kills !== false) {
    const meanMs = random.pick([4_000, 10_000, 30_000]);
    const strike = (): void => {
      if (!isStorm()) return;
      const victim = random.pick(slots);
      if (random.chance(0.6)) {
        kills += 1;
        trace(`kill ${victim.process.name}`);
        victim.process.kill();
      } else {
        const ms = random.between(500, 60_000);
        trace(`stop ${victim.process.name} for ${ms}`);
        victim.process.stop(ms);
      }
      if (random.chance(0.1)) jobs.flush();
      timeline.after(random.between(1, 2 * meanMs), strike);
    };
    timeline.after(random.between(1, 2 * meanMs), strike);
  }

  await addWallet(arrivals, { id: 'treasury', userId: null, address: TREASURY });
  const inviter = {
    id: await addPerson(arrivals, { index: 0, inviterId: null }),
    wallet: walletOf(0),
    initial: LAMPORTS,
  };
  cluster.balances.set(inviter.wallet, inviter.initial);

  // What people ask for, through a process that dies and comes back like any other.
  let client = boot('client', false);
  const kinds = options.kinds ?? Array.from({ length: random.between(1, 5) }, () => random.pick(KINDS));
  const asked: { id: string | null; readonly userId: string }[] = [];
  for (const [index, kind] of kinds.entries()) {
    const person = index + 1;
    await addPerson(arrivals, { index: person, inviterId: kind === 'payout' ? inviter.id : null });
    cluster.balances.set(walletOf(person), options.poor === true ? 1_000_000n : 5n * LAMPORTS);
    const request = requestOf(person, kind);
    hands?.book(request);
    const slot = { id: null as string | null, userId: request.userId };
    asked.push(slot);
    const ask = (): void => {
      const mine = client;
      createIntent(
        { ...mine.deps, vault: hands?.desk ?? CONFIRMS },
        { ...request, idemKey: `request-${index}` },
      ).then(
        ({ intent }) => {
          if (slot.id !== null && slot.id !== intent.id)
            invariants.violate(`one request made two intents: ${slot.id}, ${intent.id}`);
          slot.id = intent.id;
        },
        () => {
          if (!mine.process.isAlive() && mine === client) client = boot('client', false);
          timeline.after(random.between(200, 3_000), ask);
        },
      );
    };
    const startMs = options.kinds === undefined ? random.between(0, 40_000) : 10;
    timeline.after(startMs, ask);
    if (random.chance(0.3)) timeline.after(startMs + random.between(0, 2_000), ask);
    const cancelMs =
      options.cancelAfterMs ??
      (options.kinds === undefined && random.chance(0.1) ? random.between(0, 5_000) : null);
    if (cancelMs !== null) {
      const cancel = (): void => {
        if (slot.id === null) {
          timeline.after(1, cancel);
          return;
        }
        const mine = client;
        cancelIntent(mine.deps, { intentId: slot.id, userId: request.userId }).catch(() => {
          if (!mine.process.isAlive() && mine === client) client = boot('client', false);
          timeline.after(1_000, cancel);
        });
      };
      timeline.after(startMs + cancelMs, cancel);
    }
  }

  await story?.place(() => {
    if (!client.process.isAlive()) client = boot('client', false);
    return { ...client.deps, db: client.db, process: client.process };
  });

  await copying?.place(() => {
    if (!client.process.isAlive()) client = boot('client', false);
    return { ...client.deps, db: client.db };
  });

  await signalling?.place();

  await hands?.greed(arrivals, () => {
    if (!client.process.isAlive()) client = boot('client', false);
    return client.deps;
  });
  hands?.start();

  const auditor = (): void => {
    invariants.checkEnds(ids).catch((error: unknown) => invariants.violate(String(error)));
    timeline.after(7_000, auditor);
  };
  timeline.after(7_000, auditor);

  const openAmong = async (some: Iterable<string>): Promise<readonly string[]> => {
    const open: string[] = [];
    for (const id of some) {
      const intent = await db.intents.find(id);
      if (intent === null || !isOpen(intent.status)) continue;
      if (hands?.isTouched(intent) !== true && hands?.waits(intent) !== true) open.push(id);
    }
    return open;
  };

  const hasPayout = async (): Promise<boolean> => {
    for (const id of ids) if ((await db.intents.find(id))?.kind === 'payout') return true;
    return false;
  };
  if (options.stormAtPayout === true) {
    await timeline.play(() => payoutSeen || timeline.elapsed() > SETTLE_MS);
    levels = storm;
    cluster.setFaults(storm);
  }
  const stormEnds = timeline.elapsed() + stormMs;
  await timeline.play(() => timeline.elapsed() >= stormEnds);
  let settledAfterMs: number | null = null;
  if (options.mode === 'liveness') {
    levels = { ...CALM };
    cluster.setFaults(CALM);
    copying?.settle();
    signalling?.settle();
    const pricesMs = orderKinds.length === 0 ? 0 : (story?.settle() ?? 0);
    const calmAt = timeline.elapsed();
    // The rounds of this loop are part of the run, so that its digest stays the same.
    for (;;) {
      if (signer?.isFenced() === true || hands?.isFenced() === true) break;
      const until = timeline.elapsed() + 1_000;
      await timeline.play(() => timeline.elapsed() >= until);
      const isExcused = (text: string): boolean => hands?.excuses(text) === true;
      const unasked = asked.some((slot) => slot.id === null && !isExcused(slot.userId));
      const open = await openAmong(ids);
      const told = await db.notices.undelivered(timeline.now() + 1, 1);
      // Where results may be false none is due for sure.
      const payoutDue = wantsPayout && options.poor !== true && hands === null && !(await hasPayout());
      const waiting = [story, copying, signalling].map(async (one) => (await one?.stuck()) ?? []);
      const stuck = (await Promise.all(waiting)).flat().filter((text) => !isExcused(text));
      if (!unasked && open.length === 0 && told.length === 0 && !payoutDue && stuck.length === 0) {
        settledAfterMs = timeline.elapsed() - calmAt;
        break;
      }
      // Prices come one after the other, and each ends in an intent of its own.
      if (timeline.elapsed() - calmAt < pricesMs + (payoutSeen ? 2 : 1) * SETTLE_MS) continue;
      invariants.violate(
        `not settled ${timeline.elapsed() - calmAt} ms after the faults: ${[...open, ...stuck].join(', ')}; untold ${told.length}`,
      );
      break;
    }
  } else {
    await timeline.play(() => timeline.elapsed() >= 1.5 * stormMs);
  }

  hands?.checkSums();
  if (signer !== null && (signer.wentBack() > 0 || signer.isFenced())) return afterFailover();
  await invariants.checkEnds(ids);
  await invariants.checkBooks(ids, cluster, [inviter]);
  for (const text of await checkPositions(raw, ids, invariants.landed())) invariants.violate(text);
  const intents: Intent[] = [];
  for (const id of ids) {
    const intent = await db.intents.find(id);
    // Of a kind that a writer invented nothing can be asked.
    if (intent === null || !KINDS.includes(intent.params.kind)) continue;
    intents.push(intent);
    trace(`end ${intent.kind} ${id} ${intent.status} ${intent.outcome?.reason ?? ''}`);
    // Of a first half that is done, the second is what its owner hears of.
    const isSilent =
      intent.userId === null ||
      isOpen(intent.status) ||
      (intent.kind === 'prepare-token' && intent.status === 'SUCCEEDED');
    // Of a fire without effect its order tells.
    const isVoided = orderOf(intent.params) !== null && VOIDED.has(intent.status);
    const told = isVoided ? `order-voided ${id}` : `final ${id}`;
    if (options.mode === 'liveness' && !isSilent && !delivered.includes(told)) {
      invariants.violate(`nobody was told how ${id} ended`);
    }
  }
  await story?.checkBooks(intents);
  await copying?.checkBooks(intents);
  await signalling?.checkBooks({ isSettled: settledAfterMs !== null });
  return report(intents);

  /** What went back may say anything where it is fenced off; else books and chain are one, and never is anything paid twice. */
  async function afterFailover(): Promise<SimResult> {
    const isDouble = (text: string): boolean => text.startsWith('paid twice');
    const doubles = invariants.violations.filter(isDouble);
    invariants.violations.length = 0;
    if (signer?.isFenced() === false && options.mode === 'liveness') {
      for (const [memo, all] of invariants.landed())
        if ((await db.intents.find(memo)) === null && all.some((one) => one.err === null))
          invariants.violate(`${memo} was paid, is in no book, and no fence is up`);
      await invariants.checkBooks(ids, cluster, [inviter]);
    }
    invariants.violations.push(...doubles);
    const known: Intent[] = [];
    for (const id of ids) {
      const intent = await db.intents.find(id);
      if (intent !== null) known.push(intent);
    }
    return report(known);
  }

  function report(known: readonly Intent[]): SimResult {
    for (const text of invariants.violations) trace(`VIOLATION ${text}`);
    return {
      violations: invariants.violations,
      digest: hash.digest('hex'),
      intents: known.map(({ id, kind, status }) => ({ id, kind, status })),
      kills,
      landed: cluster.landings.size,
      settledAfterMs,
      crashed,
      fenced: signer?.isFenced() ?? hands?.isFenced() ?? false,
      forgotten: signer?.wentBack() ?? 0,
      hostile: hands?.counts(known) ?? null,
      signals: signalling?.sums() ?? null,
    };
  }
}
