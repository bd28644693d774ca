import { type Address, type ChainAccount, minBigint, mulDivFloor } from '@tradepost/solana';
import type { CurveLook, LaunchEvent, PadFeed } from '../launch-feed.ts';
import type { RanTransaction } from '../readers.ts';
import { emittedEvents, eventDiscriminator } from '../shared/emitted-events.ts';
import { eventsNaming, type LaunchReads, looksAt } from '../shared/launch-reads.ts';
import { checkedView } from '../shared/pool-checks.ts';
import { isRefusal } from '../shared/refusal.ts';
import { CONFIG, CONFIG_AT, DBC_PROGRAM, POOL, POOL_AT } from './layout.ts';

// Source of truth: the program's IDL, as published with its SDK.
const INITIALIZE = eventDiscriminator('EvtInitializePool');
const COMPLETES = [
  eventDiscriminator('EvtCurveComplete'),
  eventDiscriminator('EvtCurveCompleteWithTransferHook'),
] as const;
const INITIALIZE_AT = { pool: 0, config: 32, creator: 64, baseMint: 96, bytes: 128 } as const;
const COMPLETE_BYTES = 64;

/**
 * Launches on Meteora's curve under the operator's configuration, which their transactions name. Those of all configurations would be the
 * whole stream of the program.
 */
export function createMeteoraDbcFeed(reads: LaunchReads & { readonly config: Address }): PadFeed {
  return {
    pad: 'meteora-dbc',
    label: 'Meteora',
    events: (range) => eventsNaming(reads, [reads.config], range, dbcLaunchEvents),
    states: (curves) =>
      looksAt(reads, curves, ({ curve, config }) => [curve, config ?? reads.config], lookAtDbcCurve),
  };
}

/** Creations of pools and ends of curves, as the program logs them. */
export function dbcLaunchEvents(transaction: RanTransaction): readonly LaunchEvent[] {
  const { slot, signature, at } = transaction;
  const created = emittedEvents(transaction, DBC_PROGRAM, INITIALIZE, INITIALIZE_AT.bytes);
  const ended = COMPLETES.flatMap((kind) => emittedEvents(transaction, DBC_PROGRAM, kind, COMPLETE_BYTES));
  return [
    ...created.map(
      (event): LaunchEvent => ({
        kind: 'created',
        mint: event.address(INITIALIZE_AT.baseMint),
        curve: event.address(INITIALIZE_AT.pool),
        config: event.address(INITIALIZE_AT.config),
        creator: event.address(INITIALIZE_AT.creator),
        signature,
        slot,
        at: at * 1_000,
      }),
    ),
    ...ended.map((event): LaunchEvent => ({ kind: 'complete', curve: event.address(0), pool: null, slot })),
  ];
}

/** The account says that its liquidity moved, and not where to. */
export function lookAtDbcCurve([
  poolAccount = null,
  configAccount = null,
]: readonly (ChainAccount | null)[]): CurveLook {
  if (poolAccount === null) return 'absent';
  const pool = checkedView(poolAccount, POOL);
  const config = checkedView(configAccount, CONFIG);
  if (isRefusal(pool) || isRefusal(config)) return 'unknown';
  const threshold = config.u64(CONFIG_AT.migrationQuoteThreshold);
  const raised = pool.u64(POOL_AT.quoteReserve);
  const moved = pool.u8(POOL_AT.isMigrated) !== 0;
  const complete = moved || pool.u64(POOL_AT.finishCurveTimestamp) !== 0n || raised >= threshold;
  const soldBps = complete ? 10_000n : minBigint(10_000n, mulDivFloor(raised, 10_000n, threshold));
  return { soldBps: Number(soldBps), complete, moved: moved ? { pool: null } : null };
}
