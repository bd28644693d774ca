import type { LaunchFeed, PadFeed } from '../ports/launch-feed.ts';
import type { Programs } from '../ports/programs.ts';
import type { TransactionSource } from '../ports/transaction-source.ts';
import { createDeskFeed } from './desk/launch-feed.ts';
import type { PadOptions } from './launchpads.ts';
import { createMeteoraDbcFeed } from './meteora-dbc/launch-feed.ts';
import { DBC_PROGRAM } from './meteora-dbc/layout.ts';
import { createPumpFunFeed } from './pump-fun/launch-feed.ts';
import { PUMP_PROGRAM } from './pump-fun/layout.ts';
import { createRaydiumLaunchlabFeed } from './raydium-launchlab/launch-feed.ts';
import { LAUNCHLAB_PROGRAM } from './raydium-launchlab/layout.ts';
import type { LaunchReads } from './shared/launch-reads.ts';

export type LaunchFeedDeps = LaunchReads & {
  readonly source: Pick<TransactionSource, 'read' | 'horizon'>;
  readonly programs: Programs;
  /** The demonstration desk of the local chain; null on every real cluster. */
  readonly deskUrl: string | null;
  readonly pads: PadOptions;
};

/** The launch feed over the launchpads whose programs the cluster has. Throws CHAIN_UNREACHABLE. */
export async function openLaunchFeed(deps: LaunchFeedDeps): Promise<LaunchFeed> {
  const { deskUrl, source } = deps;
  const { meteoraDbcConfig: config, launchlabPlatform: platform } = deps.pads;
  const programs = [PUMP_PROGRAM, LAUNCHLAB_PROGRAM, DBC_PROGRAM];
  const { accounts } = await deps.chain.accounts(programs);
  const [pump, launchlab, dbc] = accounts.map((account) => account?.executable === true);
  const pads: readonly PadFeed[] = [
    ...(deskUrl === null ? [] : [createDeskFeed({ ...deps, deskUrl })]),
    ...(pump === true ? [createPumpFunFeed(deps)] : []),
    ...(launchlab === true && platform !== null ? [createRaydiumLaunchlabFeed({ ...deps, platform })] : []),
    ...(dbc === true && config !== null ? [createMeteoraDbcFeed({ ...deps, config })] : []),
  ];
  return { pads, horizon: (level) => source.horizon(level) };
}

/** The calls of a second, divided: events of transactions, and looks at curves. Null without a limit. */
export function feedBudget(perSecond: number | null): {
  readonly transactions: number | null;
  readonly looks: number | null;
} {
  if (perSecond === null) return { transactions: null, looks: null };
  const looks = Math.ceil((perSecond * 2) / 5);
  return { transactions: perSecond - looks, looks };
}
