import type { Address } from '@tradepost/solana';
import { ownWork } from '../../../engine/audit/rules.ts';
import type { AuditLog } from '../../../engine/audit/store/audit-log-port.ts';
import type { FlagStore } from '../../../engine/switches/store-port.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Deployment, ProgramBuild, ProgramBuilds } from '../../../platform/ports/program-builds.ts';
import type { Database } from '../../../platform/ports/stores.ts';

export type WatchBuildsDeps = {
  readonly db: { readonly auditLog: Pick<AuditLog, 'list'>; readonly transact: Database['transact'] };
  readonly programBuilds: ProgramBuilds;
  readonly deployments: readonly Deployment[];
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
};

/** The newest builds that are looked for: some forty for each program that a venue runs on. */
const BUILDS_READ = 500;

/**
 * Compares the builds of the venues' programs with those in the audit log. A build that replaced another is written there and pauses
 * every venue that runs on it, in the same commit, until an operator resumes it. The first build of a program is written down alone, and
 * so is a deployment of the same code. Throws CHAIN_UNREACHABLE.
 */
export async function watchBuilds(deps: WatchBuildsDeps): Promise<void> {
  const programs = [...new Set(deps.deployments.flatMap((one) => one.programs))];
  const slots = await deps.programBuilds.deployedAt(programs);
  const known = await knownBuilds(deps.db.auditLog);
  for (const [index, program] of programs.entries()) {
    const slot = slots[index] ?? null;
    const before = known.get(program);
    // A node that lags reports an older deployment.
    if (slot === null || (before !== undefined && slot <= before.slot)) continue;
    const build = await deps.programBuilds.read(program);
    if (build === null || (before !== undefined && build.slot <= before.slot)) continue;
    await noteBuild(deps, program, {
      build,
      isReplaced: before !== undefined && before.sha256 !== build.sha256,
    });
  }
}

async function knownBuilds(auditLog: Pick<AuditLog, 'list'>): Promise<ReadonlyMap<string, ProgramBuild>> {
  const acts = await auditLog.list({ act: 'program-build-seen' }, { limit: BUILDS_READ, offset: 0 });
  const builds = acts.flatMap(({ act, details }) =>
    act === 'program-build-seen' && details !== null
      ? [[details.program, { slot: BigInt(details.slot), sha256: details.sha256 }] as const]
      : [],
  );
  // The newest counts.
  return new Map(builds.toReversed());
}

type Seen = { readonly build: ProgramBuild; readonly isReplaced: boolean };

async function noteBuild(
  { db, deployments, clock, log }: WatchBuildsDeps,
  program: Address,
  { build: { slot, sha256 }, isReplaced }: Seen,
): Promise<void> {
  const venues = deployments.filter(({ programs }) => programs.includes(program)).map(({ venue }) => venue);
  await db.transact(async ({ flags, auditLog }) => {
    const at = clock.now();
    if (isReplaced)
      await pauseVenues({ flags, auditLog }, venues, at, `its program was replaced in slot ${slot}`);
    await auditLog.record(ownWork(at, 'program-build-seen', { program, slot: String(slot), sha256 }));
  });
  const seen = { program, venues, slot: String(slot), sha256 };
  if (isReplaced)
    log.error(seen, 'ALERT: the program of a venue was replaced; the venue is paused until it is resumed');
  else log.info(seen, 'the build of a program is noted');
}

/** A pause that ends with an operator's word alone keeps its reason; one with a time of its end gets this reason and no end. */
async function pauseVenues(
  { flags, auditLog }: { readonly flags: FlagStore; readonly auditLog: Pick<AuditLog, 'record'> },
  venues: readonly string[],
  at: number,
  reason: string,
): Promise<void> {
  const endless = (await flags.pauses()).filter(({ until }) => until === null).map(({ what }) => what);
  for (const venue of venues) {
    const what = `venue:${venue}` as const;
    if (endless.includes(what)) continue;
    await flags.set(`${what}-paused`, true, at, { reason, until: null });
    await auditLog.record(ownWork(at, 'switch-paused', { what, reason, until: null }));
  }
}
