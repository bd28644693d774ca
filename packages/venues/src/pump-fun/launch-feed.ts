import { type Address, type ChainAccount, mulDivFloor } from '@tradepost/solana';
import type { CurveLook, LaunchEvent, PadFeed } from '../launch-feed.ts';
import type { RanTransaction } from '../readers.ts';
import type { AccountView } from '../shared/account-view.ts';
import { emittedEvents, eventDiscriminator } from '../shared/emitted-events.ts';
import { eventsNaming, type LaunchReads, looksAt } from '../shared/launch-reads.ts';
import { checkedView } from '../shared/pool-checks.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { isRefusal } from '../shared/refusal.ts';
import { CURVE, CURVE_AT, GLOBAL, GLOBAL_AT, PUMP_GLOBAL, PUMP_PROGRAM } from './layout.ts';

// Source of truth: the program's IDL. Later versions of an event are longer.
const CREATE = eventDiscriminator('CreateEvent');
const COMPLETE = eventDiscriminator('CompleteEvent');
const MIGRATION = eventDiscriminator('CompletePumpAmmMigrationEvent');
const COMPLETE_AT = { curve: 64, bytes: 104 } as const;
const MIGRATION_AT = { curve: 88, pool: 128, bytes: 160 } as const;

/** Only creations name it. */
export const MINT_AUTHORITY: Address = programAddress(PUMP_PROGRAM, [textSeed('mint-authority')]);

/** Launches on pump.fun: creations name the mint authority, migrations the authority that `Global` names, and little else does. */
export function createPumpFunFeed(reads: LaunchReads): PadFeed {
  return {
    pad: 'pump-fun',
    label: 'pump.fun',
    events: async (range) => {
      const { accounts } = await reads.chain.accounts([PUMP_GLOBAL]);
      const global = checkedView(accounts[0] ?? null, GLOBAL);
      const named = isRefusal(global)
        ? [MINT_AUTHORITY]
        : [MINT_AUTHORITY, global.address(GLOBAL_AT.withdrawAuthority)];
      return eventsNaming(reads, named, range, pumpLaunchEvents);
    },
    states: (curves) =>
      looksAt(
        reads,
        curves,
        ({ curve, pool }) => [curve, PUMP_GLOBAL, ...(pool === null ? [] : [pool])],
        (accounts, { pool }) => lookAtPumpCurve(accounts, pool),
      ),
  };
}

/** Creations, ends of curves and migrations, as the program logs them. */
export function pumpLaunchEvents(transaction: RanTransaction): readonly LaunchEvent[] {
  const { slot, signature, at } = transaction;
  const of = (kind: Uint8Array, bytes: number) => emittedEvents(transaction, PUMP_PROGRAM, kind, bytes);
  return [
    ...of(CREATE, 12).flatMap((event): readonly LaunchEvent[] => {
      const made = readCreate(event);
      if (made === null) return [];
      return [{ kind: 'created', ...made, config: null, signature, slot, at: at * 1_000 }];
    }),
    ...of(COMPLETE, COMPLETE_AT.bytes).map(
      (event): LaunchEvent => ({
        kind: 'complete',
        curve: event.address(COMPLETE_AT.curve),
        pool: null,
        slot,
      }),
    ),
    ...of(MIGRATION, MIGRATION_AT.bytes).map(
      (event): LaunchEvent => ({
        kind: 'graduated',
        curve: event.address(MIGRATION_AT.curve),
        pool: event.address(MIGRATION_AT.pool),
        slot,
      }),
    ),
  ];
}

/** Null where the bytes end before the payer. The first version of the event has no creator beside the payer. */
function readCreate(
  event: AccountView,
): { readonly mint: Address; readonly curve: Address; readonly creator: Address } | null {
  let at = 0;
  for (let text = 0; text < 3; text += 1) {
    if (at + 4 > event.length) return null;
    at += 4 + event.u32(at);
  }
  if (at + 96 > event.length) return null;
  const creatorAt = at + 128 <= event.length ? at + 96 : at + 64;
  return { mint: event.address(at), curve: event.address(at + 32), creator: event.address(creatorAt) };
}

/** A complete curve does not say whether its pool exists: the migration's event names it, and the pool's account proves it. */
export function lookAtPumpCurve(
  [curveAccount = null, globalAccount = null, poolAccount = null]: readonly (ChainAccount | null)[],
  pool: Address | null,
): CurveLook {
  if (curveAccount === null) return 'absent';
  const curve = checkedView(curveAccount, CURVE);
  const global = checkedView(globalAccount, GLOBAL);
  if (isRefusal(curve) || isRefusal(global)) return 'unknown';
  const complete = curve.u8(CURVE_AT.complete) !== 0;
  const moved = complete && poolAccount !== null ? { pool } : null;
  if (complete) return { soldBps: 10_000, complete, moved };
  const all = global.u64(GLOBAL_AT.realToken);
  const left = curve.u64(CURVE_AT.realToken);
  const soldBps = all === 0n || left >= all ? 0 : Number(mulDivFloor(all - left, 10_000n, all));
  return { soldBps, complete, moved };
}
