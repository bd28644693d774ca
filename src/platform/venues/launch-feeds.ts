import {
  createMeteoraDbcFeed,
  createPumpFunFeed,
  createRaydiumLaunchlabFeed,
  DBC_PROGRAM,
  LAUNCHLAB_PROGRAM,
  type LaunchReads,
  type PadFeed,
  PUMP_PROGRAM,
  type TransactionReader,
} from '@tradepost/venues';
import type { LaunchFeed } from '../ports/launch-feed.ts';
import type { Programs } from '../ports/programs.ts';
import type { TransactionSource } from '../ports/transaction-source.ts';
import { createDeskFeed } from './desk/launch-feed.ts';
import type { PadOptions } from './launchpads.ts';
import { transactionsNaming } from './transactions-naming.ts';

export type LaunchFeedDeps = Pick<LaunchReads, 'chain'> & {
  readonly source: Pick<TransactionSource, 'read' | 'horizon'>;
  readonly programs: Programs;
  /** The demonstration desk of the local chain; null on every real cluster. */
  readonly deskUrl: string | null;
  readonly pads: PadOptions;
};

/** The launch feed over the launchpads whose programs the cluster has. Throws CHAIN_UNREACHABLE. */
export async function openLaunchFeed(deps: LaunchFeedDeps): Promise<LaunchFeed> {
  const { chain, deskUrl, source } = deps;
  const transactions: TransactionReader = {
    naming: (address, range) => transactionsNaming(source, address, range),
  };
  const reads: LaunchReads = { chain, transactions };
  const { meteoraDbcConfig: config, launchlabPlatform: platform } = deps.pads;
  const programs = [PUMP_PROGRAM, LAUNCHLAB_PROGRAM, DBC_PROGRAM];
  const { accounts } = await deps.chain.accounts(programs);
  const [pump, launchlab, dbc] = accounts.map((account) => account?.executable === true);
  const pads: readonly PadFeed[] = [
    ...(deskUrl === null ? [] : [createDeskFeed({ ...deps, deskUrl })]),
    ...(pump === true ? [createPumpFunFeed(reads)] : []),
    ...(launchlab === true && platform !== null ? [createRaydiumLaunchlabFeed({ ...reads, platform })] : []),
    ...(dbc === true && config !== null ? [createMeteoraDbcFeed({ ...reads, config })] : []),
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
