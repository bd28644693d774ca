import type { Asker } from './ask.ts';
import type { Audit } from './audit.ts';
import type { EventFindings } from './audit-events.ts';
import type { MoveFindings } from './audit-moves.ts';
import type { OrderFindings } from './audit-orders.ts';
import type { SignerFindings } from './audit-signers.ts';
import type { LyingWorker } from './liars.ts';
import type { TortureOptions } from './options.ts';
import type { PlacedOrders } from './order-people.ts';
import type { Recoveries } from './recoveries.ts';
import type { TortureSigner } from './signer.ts';
import type { StormReport } from './storm.ts';
import type { Crew } from './workers.ts';
import type { TortureWorld } from './world.ts';
import type { TortureWriter } from './writer.ts';

export type TortureReport = {
  readonly options: TortureOptions;
  readonly storm: StormReport;
  readonly settledMs: number;
  /** The same fixed work beside each time: the machine's speed in that minute. */
  readonly yardsticks: Readonly<Record<'settled' | 'recovered', number>>;
  readonly recoveries: Recoveries;
  readonly found: Audit;
  readonly orders: OrderFindings;
  readonly events: EventFindings;
  /** Orders that were open in fair weather though their price was there. */
  readonly forgotten: readonly string[];
  readonly placed: PlacedOrders;
  readonly asker: Asker;
  readonly crew: Crew;
  readonly world: TortureWorld;
  /** Hands that were against the run; null where there were none. */
  readonly hostile: HostileFindings | null;
};

export type HostileFindings = {
  readonly moves: MoveFindings;
  readonly writer: TortureWriter['counts'] | null;
  readonly liar: Pick<LyingWorker, 'refused' | 'given'> | null;
  readonly signer: Pick<TortureSigner, 'counts' | 'problems'>;
  /** Null with one signer. */
  readonly signers: SignerFindings | null;
  /** Ids of victims and of all that is theirs. */
  readonly excused: ReadonlySet<string>;
};

/** Lies and writes below this number have tried nothing. */
const LEAST_LIES = 20;
const LEAST_WRITES = 20;
/** Each kind of harm once. */
const LEAST_HARMS = 5;

/** Goal G1's weather, as shares of all sends. */
const LEAST_SHARES = { 'lose-answer': 0.3, drop: 0.2, late: 0.1 } as const;
/** Of the groups that are placed, so many have a fire at least: else the price hardly moved, and nothing was tried. */
const LEAST_FIRED = 0.2;
/** Of so many groups some wait for each event: else a kind of exit is refused, and was never tried. */
const ENOUGH_GROUPS = 60;
/** Below this many sends the shares say nothing. */
const ENOUGH_SENDS = 1_000;

/**
 * Why the run failed, one sentence each; empty when it proves its claims. No time is among them: how long something takes is the machine's
 * affair, that it ends is ours.
 */
export function problemsOf(report: TortureReport): readonly string[] {
  const { options, storm, found, orders, forgotten, placed, asker, crew, world } = report;
  const { oracles } = world.faults.report();
  const { hostile } = report;
  const given = new Set(hostile?.liar?.given.map(({ signature }) => signature));
  /** What a hand did to its victims, and bytes of a liar that no row has. */
  const isExcused = (problem: string): boolean =>
    problem.split(/[^\w]+/).some((word) => hostile?.excused.has(word) === true);
  const problems = [
    ...orders.problems,
    ...report.events.problems.map(({ rule, what }) => `${rule}: ${what}`),
    ...forgotten,
    ...oracles.violations
      .filter(
        ({ rule, signatures }) =>
          rule !== 'bytes-before-commit' || !signatures.every((one) => given.has(one)),
      )
      .map((one) => JSON.stringify(one)),
    ...found.contradictions,
    ...found.stuck.map((one) => `stuck: ${one}`),
    ...found.ledgerProblems,
    ...crew.counts.bugs,
  ].filter((problem) => !isExcused(problem));
  if (hostile !== null) problems.push(...hostileProblems(hostile, storm));
  const must = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  must(found.lost === 0, `${found.lost} confirmed intents are lost`);
  must(asker.counts.doubles === 0, `${asker.counts.doubles} double taps made two intents`);
  const lies = Object.values(world.liar.counts).reduce((sum, count) => sum + count, 0);
  must(storm.sends.calls < ENOUGH_SENDS || lies > 0, 'no endpoint lied');
  must(oracles.checked > 0, 'the write-ahead oracle was never asked');
  must(
    asker.confirmed.length + asker.counts.victims >= options.intents,
    `only ${asker.confirmed.length} of ${options.intents} intents were confirmed before nothing went on any more`,
  );
  must(
    storm.kills >= options.kills,
    `only ${storm.kills} of ${options.kills} kills were done before nothing went on any more`,
  );
  must(
    placed.groups.length >= options.orders,
    `only ${placed.groups.length} of ${options.orders} groups of orders were placed before nothing went on any more`,
  );
  must(
    orders.settled >= options.orders * LEAST_FIRED,
    `only ${orders.settled} fires of ${options.orders} groups of orders traded`,
  );
  for (const [type, count] of Object.entries(report.events.placed))
    must(placed.groups.length < ENOUGH_GROUPS || count > 0, `no exit of the type ${type} was placed`);
  if (storm.sends.calls >= ENOUGH_SENDS) {
    for (const [kind, least] of Object.entries(LEAST_SHARES)) {
      const share = (storm.sends.fired[kind] ?? 0) / storm.sends.calls;
      must(share >= least, `${kind} hit ${(share * 100).toFixed(1)} % of the sends, not ${least * 100} %`);
    }
  }
  return problems;
}

/** Nothing excuses a move that no person confirmed, nor two signers that sign side by side. */
function hostileProblems(
  { moves, writer, liar, signer, signers }: HostileFindings,
  { signerHarms, seconds }: StormReport,
): readonly string[] {
  const lies = Object.values(liar?.refused ?? {}).reduce((sum, n) => sum + n, liar?.given.length ?? 0);
  const writes = writer === null ? 0 : writer.changed + writer.terms;
  return [
    ...moves.problems.map(({ rule, what }) => `${rule}: ${what}`),
    ...signer.problems(),
    ...(signers?.problems.map(({ rule, what }) => `${rule}: ${what}`) ?? []),
    ...(signers === null ? [] : weakHarms(signers, signerHarms, seconds)),
    ...(moves.judged > 0 ? [] : ['no move was judged']),
    ...(liar === null || lies >= LEAST_LIES ? [] : [`the lying worker asked ${lies} times only`]),
    ...(writer === null || writes >= LEAST_WRITES ? [] : [`the writer changed ${writes} rows only`]),
  ];
}

/** A storm that hardly harmed two signers, or in which none took over, has tried nothing. */
function weakHarms({ terms }: SignerFindings, harms: number, seconds: number): readonly string[] {
  return [
    ...(harms >= LEAST_HARMS ? [] : [`only ${harms} harms befell the two signers in ${seconds} s`]),
    ...(terms > 0 ? [] : ['no signer took over from the other one']),
  ];
}

export function printReport(report: TortureReport): void {
  const { options, storm, found, orders, placed, asker, crew, world } = report;
  const { calls, fired, oracles } = world.faults.report();
  const share = (count: number): string => `${((100 * count) / Math.max(1, storm.sends.calls)).toFixed(1)} %`;
  console.log(
    JSON.stringify(
      {
        seed: options.seed,
        queue: options.redisUrl === null ? 'postgres' : 'redis',
        workers: options.workers,
        seconds: Math.round(performance.now() / 1_000),
        stormSeconds: storm.seconds,
        intents: found.intents,
        byEnd: found.byEnd,
        ...asker.counts,
        orders: {
          groups: placed.groups.length,
          ...placed.counts,
          ...orders.byStatus,
          fires: orders.fires,
          traded: orders.settled,
          byEvent: report.events.sold,
          placedByEvent: report.events.placed,
          comparedWithChain: orders.compared,
        },
        kills: storm.kills,
        killedAtCrashPoints: crew.counts.ownDeaths,
        workersStarted: crew.counts.started,
        postgresKills: storm.postgresKills,
        queueLosses: storm.queueLosses,
        connectionCuts: storm.connectionCuts,
        proxy: world.proxy.report(),
        rpcCalls: calls,
        faults: fired,
        sends: storm.sends.calls,
        faultsPerSend: Object.fromEntries(
          Object.entries(storm.sends.fired).map(([kind, count]) => [kind, share(count)]),
        ),
        signatures: oracles.signatures,
        writeAheadChecked: oracles.checked,
        writeAheadUnchecked: oracles.unchecked,
        deadAttempts: found.deadAttempts,
        settledAfterMs: report.settledMs,
        recoveredAfterMs: report.recoveries,
        yardstickMs: report.yardsticks,
        lies: world.liar.counts,
        audited: found.audited,
        doubleEffects: found.doubleEffects,
        violations: oracles.violations.length,
        lost: found.lost,
        stuck: found.stuck.length,
        ...(report.hostile === null
          ? {}
          : {
              hostile: {
                movesJudged: report.hostile.moves.judged,
                writer: report.hostile.writer,
                lies: { refused: report.hostile.liar?.refused, given: report.hostile.liar?.given.length },
                signer: report.hostile.signer.counts(),
                ...(report.hostile.signers === null
                  ? {}
                  : {
                      takeOvers: report.hostile.signers.terms,
                      journalLines: report.hostile.signers.lines,
                      signerHarms: storm.signerHarms,
                    }),
              },
            }),
      },
      null,
      2,
    ),
  );
}
