import type { Address } from '../../../core/address/address.ts';
import { createTtlCache } from '../../../core/ttl-cache.ts';
import type { ChainHistory } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { CreatedTokenStore } from '../../mint/store/created-token-store-port.ts';
import type { Exit } from '../../tokens/rules/safety.ts';
import type { ExitCheck } from '../../trading/use/exit-check.ts';
import type { Doubt } from '../rules/doubt.ts';
import { FAIR_RETURN_BPS } from '../rules/judge-trade.ts';

export type DoubtDeps = {
  readonly db: { readonly createdTokens: Pick<CreatedTokenStore, 'find'> };
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly programs: Pick<Programs, 'metadataRecordAddress'>;
  readonly clock: Clock;
  readonly exitCheck: ExitCheck;
  /** Mints that are never asked for their age and maker: SOL, the dollar tokens, the seeded tokens of a local chain. */
  readonly knownMints: ReadonlySet<Address>;
};

/** The reasons against trading this mint without a PIN; `wallet` pretends to buy and sell it. Throws CHAIN_UNREACHABLE. */
export type DoubtToken = (mint: Address, wallet: Address | null) => Promise<readonly Doubt[]>;

/** A token that is younger takes the PIN: time for the owner to see that another person is at the chat. */
const YOUNG_MS = 24 * 3_600_000;
/** As many as a node tells at once. */
const PAGE = 1_000;
const KEPT_MS = 60_000;
const CAPACITY = 5_000;

/**
 * Three questions: who made the token, how old it is, and whether a purchase can be sold again. A missing answer counts against the
 * token, because the PIN is asked at most every twelve hours.
 */
export function createDoubtToken(deps: DoubtDeps): DoubtToken {
  const old = createTtlCache<Address, boolean>({
    ttlMs: KEPT_MS,
    capacity: CAPACITY,
    now: () => deps.clock.now(),
  });
  // Age only grows: an old token is never asked about again.
  const grown = new Set<Address>();
  const isOld = async (mint: Address): Promise<boolean> => {
    if (grown.has(mint)) return true;
    if (!(await old.get(mint, () => isOldOnChain(deps, mint)))) return false;
    if (grown.size < CAPACITY) grown.add(mint);
    return true;
  };
  return async (mint, wallet) => {
    const known = deps.knownMints.has(mint);
    const [made, aged, exit] = await Promise.all([
      known ? null : deps.db.createdTokens.find(mint),
      known || isOld(mint),
      deps.exitCheck(mint, wallet),
    ]);
    return [
      ...(made === null ? [] : (['home-made'] as const)),
      ...(aged ? [] : (['young'] as const)),
      ...(isPoorExit(exit, known) ? (['poor-exit'] as const) : []),
    ];
  };
}

function isPoorExit(exit: Exit, known: boolean): boolean {
  switch (exit.kind) {
    case 'cannot-buy':
    case 'cannot-sell':
      return true;
    case 'unchecked':
      // Hubs are never rehearsed; for any other token "could not be tried" is no proof of a way out.
      return !known;
    case 'sold':
      return exit.returnedLamports * 10_000n < exit.spentLamports * BigInt(FAIR_RETURN_BPS);
  }
}

/**
 * Whether the oldest transaction that names the mint, or its metadata record, is a day old. A busy mint has more within a day than one
 * page tells; its record is named when it is made and seldom again. A mint that cannot be dated this way counts as young.
 */
async function isOldOnChain({ history, programs, clock }: DoubtDeps, mint: Address): Promise<boolean> {
  const since = clock.now() - YOUNG_MS;
  for (const address of [mint, programs.metadataRecordAddress(mint)]) {
    const entries = await history.signatures(address, { before: null, limit: PAGE });
    const at = entries.findLast((entry) => entry.at !== null)?.at ?? null;
    if (at !== null && at <= since) return true;
  }
  return false;
}
