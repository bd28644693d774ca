import { type Address, type ChainAccount, minBigint, mulDivFloor } from '@tradepost/solana';
import type { CurveLook, LaunchEvent, PadFeed } from '../launch-feed.ts';
import type { RanTransaction } from '../readers.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import { startsWith } from '../shared/emitted-events.ts';
import { eventsNaming, type LaunchReads, looksAt } from '../shared/launch-reads.ts';
import { checkedView } from '../shared/pool-checks.ts';
import { isRefusal } from '../shared/refusal.ts';
import { LAUNCHLAB_PROGRAM, POOL, POOL_AT, STATUS_MOVED, STATUS_TRADING } from './layout.ts';

/** The forms of a creation; all begin with the same accounts. */
const INITIALIZES = ['initialize', 'initialize_v2', 'initialize_with_token_2022'].map(
  instructionDiscriminator,
);
const INITIALIZE_ACCOUNTS = { creator: 1, pool: 5, baseMint: 6 } as const;

/** Launches at Raydium LaunchLab under the operator's platform, which their transactions name. */
export function createRaydiumLaunchlabFeed(reads: LaunchReads & { readonly platform: Address }): PadFeed {
  return {
    pad: 'raydium-launchlab',
    label: 'Raydium LaunchLab',
    events: (range) => eventsNaming(reads, [reads.platform], range, launchlabLaunchEvents),
    states: (curves) => looksAt(reads, curves, ({ curve }) => [curve], lookAtLaunchlabCurve),
  };
}

/** Creations by their instruction: the program's event of one does not name the mint. The pool's status says the rest. */
export function launchlabLaunchEvents(transaction: RanTransaction): readonly LaunchEvent[] {
  const { slot, signature, at } = transaction;
  return transaction.instructions.flatMap(({ program, data, accounts }): readonly LaunchEvent[] => {
    if (program !== LAUNCHLAB_PROGRAM || !INITIALIZES.some((kind) => startsWith(data, kind, 0))) return [];
    const [creator, curve, mint] = [
      accounts[INITIALIZE_ACCOUNTS.creator],
      accounts[INITIALIZE_ACCOUNTS.pool],
      accounts[INITIALIZE_ACCOUNTS.baseMint],
    ];
    if (creator === undefined || curve === undefined || mint === undefined) return [];
    return [{ kind: 'created', mint, curve, config: null, creator, signature, slot, at: at * 1_000 }];
  });
}

export function lookAtLaunchlabCurve([account = null]: readonly (ChainAccount | null)[]): CurveLook {
  if (account === null) return 'absent';
  const pool = checkedView(account, POOL);
  if (isRefusal(pool)) return 'unknown';
  const status = pool.u8(POOL_AT.status);
  if (status !== STATUS_TRADING)
    return { soldBps: 10_000, complete: true, moved: status >= STATUS_MOVED ? { pool: null } : null };
  const all = pool.u64(POOL_AT.totalSellA);
  const soldBps = all === 0n ? 0n : minBigint(10_000n, mulDivFloor(pool.u64(POOL_AT.realA), 10_000n, all));
  return { soldBps: Number(soldBps), complete: false, moved: null };
}
