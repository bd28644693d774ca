import type { Address } from '@tradepost/solana';
import type { LaunchProgress, Launchpad } from '@tradepost/venues';
import { encodeGraduated } from '../../../engine/intents/rules/notice-payload.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Relay } from '../../../engine/transactions/use/relay-outbox.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { Launch } from '../rules/launch.ts';

export type LaunchState = LaunchProgress & {
  readonly launch: Launch;
  readonly pad: { readonly name: string; readonly label: string };
};

/**
 * How far a token that was launched here came: from the chain where the pad answers, else as it was last seen. Null for a
 * token that was not launched here.
 */
export async function launchProgress(
  deps: { readonly db: Pick<Stores, 'launches'>; readonly launchpads: readonly Launchpad[] },
  mint: Address,
): Promise<LaunchState | null> {
  const launch = await deps.db.launches.find(mint);
  if (launch === null) return null;
  const pad = deps.launchpads.find(({ name }) => name === launch.pad);
  const label = pad?.label ?? launch.pad;
  const seen = launch.graduatedAt === null ? await pad?.progress(launch).catch(() => null) : null;
  return {
    launch,
    pad: { name: launch.pad, label },
    soldBps: seen?.soldBps ?? launch.soldBps,
    graduated: launch.graduatedAt !== null || seen?.graduated === true,
  };
}

/** Launches looked at per run: the longest unseen first, so that every one has its turn. */
const PER_RUN = 100;

/**
 * Checks launches that are still on their curve, and notifies the creator of each that is complete, once: the note and the notice are one
 * commit. A pad that cannot answer is left for the next run.
 */
export async function watchLaunches(deps: {
  readonly db: Pick<Database, 'launches' | 'createdTokens' | 'transact'>;
  readonly launchpads: readonly Launchpad[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly relay: Pick<Relay, 'nudge'>;
  readonly log: Pick<Logger, 'warn'>;
}): Promise<void> {
  const { db, clock, log } = deps;
  for (const launch of await db.launches.onCurve(PER_RUN)) {
    const pad = deps.launchpads.find(({ name }) => name === launch.pad);
    const seen = await pad?.progress(launch).catch((err: unknown) => {
      log.warn({ err, pad: launch.pad, mint: launch.mint }, 'a launch could not be looked at');
      return null;
    });
    // Also when nothing was seen: the next in line must not wait behind it.
    const soldBps = seen?.soldBps ?? launch.soldBps;
    await db.launches.saveProgress(launch.mint, { soldBps, at: clock.now() });
    if (seen?.graduated === true && pad !== undefined) await tellGraduation(deps, launch, pad);
  }
}

async function tellGraduation(
  deps: Parameters<typeof watchLaunches>[0],
  launch: Launch,
  pad: Launchpad,
): Promise<void> {
  const token = await deps.db.createdTokens.find(launch.mint);
  await deps.db.transact(async (stores) => {
    if (!(await stores.launches.graduate(launch.mint, deps.clock.now()))) return;
    const payload = encodeGraduated({
      mint: launch.mint,
      symbol: token?.spec.symbol ?? '',
      pad: pad.label,
    });
    await addNotices(deps, stores, [{ userId: launch.userId, intentId: null, kind: 'graduated', payload }]);
  });
  deps.relay.nudge();
}
