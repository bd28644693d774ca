import type { Address } from '@tradepost/solana';
import { hasCode } from '../../../core/errors/app-error.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { TokenData } from '../../market/use/token-data.ts';
import type { TokenProfile } from '../../market/use/token-profile.ts';
import type { PaperOrder, PaperQuote } from '../../paper/use/paper-quote.ts';
import { picoUsdShown } from '../../trading/rules/price.ts';
import { afterReading, type GroupCall, newCall, STAKE_LAMPORTS } from '../rules/group-call.ts';

export type ScanDeps = {
  readonly db: Pick<Database, 'groups'>;
  readonly tokens: Pick<TokenData, 'profile'>;
  readonly quote: (order: PaperOrder) => Promise<PaperQuote>;
  readonly clock: Clock;
};

/** A person of a group, by Telegram's id and name. */
export type Caller = { readonly id: bigint; readonly name: string };

/** Figures of a token, and its first scan in the group. */
export type Scan = {
  readonly profile: TokenProfile;
  /** Null where it is none: the token cannot be bought, or is blocked. */
  readonly call: GroupCall | null;
  /** This scan is the call. */
  readonly isFirst: boolean;
};

/**
 * Reads a token for a group. The first scan of a mint that can be bought is written down as a call; the result of an earlier one is read
 * anew. Null where the address is no mint. Throws CHAIN_UNREACHABLE, VENUES_UNREACHABLE and DATABASE_UNREACHABLE.
 */
export async function scanToken(
  deps: ScanDeps,
  input: {
    readonly groupId: bigint;
    readonly mint: Address;
    /** Null where no person called it: the call is the group's alone. */
    readonly caller: Caller | null;
  },
): Promise<Scan | null> {
  const { groupId, mint, caller } = input;
  const [profile, known] = await Promise.all([
    deps.tokens.profile(mint),
    deps.db.groups.call({ groupId, mint }),
  ]);
  if (profile === null) return null;
  if (known !== null) return { profile, call: await readAnew(deps, known), isFirst: false };
  if (profile.safety.level === 'BLOCK') return { profile, call: null, isFirst: false };
  const quote = await quoteOrNull(deps, { side: 'buy', mint, lamports: STAKE_LAMPORTS });
  if (quote === null) return { profile, call: null, isFirst: false };
  const call = newCall({
    groupId,
    mint,
    callerId: caller?.id ?? null,
    callerName: caller?.name ?? null,
    calledAt: deps.clock.now(),
    calledSlot: quote.slot,
    picoUsd: profile.price === null ? null : picoUsdShown(profile.price.usd),
  });
  const isFirst = await deps.db.groups.insertCall(call);
  return { profile, call: isFirst ? call : await deps.db.groups.call({ groupId, mint }), isFirst };
}

/** What one SOL buys in a slot after the scan. False while the pools were read in no later slot; nothing is written then. */
export async function enterCall(deps: Omit<ScanDeps, 'tokens'>, call: GroupCall): Promise<boolean> {
  const quote = await deps.quote({ side: 'buy', mint: call.mint, lamports: STAKE_LAMPORTS });
  if (quote.slot <= call.calledSlot) return false;
  await deps.db.groups.enter({ ...call, units: quote.fill.units, dueAt: deps.clock.now() });
  return true;
}

const TRIES = 12;

/**
 * Enters a call in the slots after its scan. Where the pools are read in no later one for a while, or fail, the watch of calls does it.
 * Never rejects.
 */
export async function enterSoon(
  deps: Omit<ScanDeps, 'tokens'> & {
    readonly pause: (ms: number) => Promise<unknown>;
    readonly slotMs: () => number;
    readonly log: Pick<Logger, 'info'>;
  },
  call: GroupCall,
): Promise<void> {
  try {
    for (let n = 0; n < TRIES; n += 1) {
      await deps.pause(deps.slotMs());
      if (await enterCall(deps, call)) return;
    }
  } catch (err) {
    deps.log.info({ err, mint: call.mint }, 'a call is entered later');
  }
}

/** Values an entered call by a sale of all its units now, and keeps the result. Throws as `scanToken`. */
export async function readAnew(deps: Omit<ScanDeps, 'tokens'>, call: GroupCall): Promise<GroupCall> {
  if (call.units === null) return call;
  const quote = await quoteOrNull(deps, { side: 'sell', mint: call.mint, units: call.units });
  const after = afterReading(call, {
    lamports: quote?.fill.lamports ?? 0n,
    slot: quote?.slot ?? null,
    now: deps.clock.now(),
  });
  await deps.db.groups.value(after);
  return after;
}

/** Null where nothing trades it, or where nothing would come back. */
async function quoteOrNull(
  { quote }: Pick<ScanDeps, 'quote'>,
  order: PaperOrder,
): Promise<PaperQuote | null> {
  try {
    return await quote(order);
  } catch (error) {
    if (hasCode(error, 'NO_ROUTE') || hasCode(error, 'AMOUNT_DUST')) return null;
    throw error;
  }
}
