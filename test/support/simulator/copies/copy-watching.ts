import { WSOL_MINT } from '@tradepost/solana';
import { bps, minimumOut } from '../../../../src/core/amounts/bps.ts';
import { AppError } from '../../../../src/core/errors/app-error.ts';
import type { TransactionDeps } from '../../../../src/engine/transactions/use/deps.ts';
import type { CopyDeps } from '../../../../src/modules/copying/use/copy-deps.ts';
import { createCopyWatch } from '../../../../src/modules/copying/use/watch-copies.ts';
import { LOCAL_RULES } from '../../../../src/modules/guard/rules/guard-rules.ts';
import type { TradeQuote } from '../../../../src/modules/trading/use/trade-quote.ts';
import type { LandedTransaction } from '../../../../src/platform/ports/chain.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import type { Vault } from '../../../../src/platform/ports/vault.ts';
import { buildToken } from '../../../modules/tokens/build-token.ts';
import { NO_EVENTS } from '../../no-events.ts';
import { askedBy, type OrderWorld, quotedAt, simMarket } from '../orders/sim-market.ts';
import { KilledError, type SimProcess } from '../process.ts';

const SOL = 1_000_000_000n;
const MICRO_USD = 150_000_000n;
const ROUND_MS = 500;
const FEE_PART = 100n;

/** The chain's record of a leader's trade, and the signer that knows the mandates. */
export type CopyWorld = OrderWorld & {
  /** A copy failed by a bug, and not by the weather. */
  readonly onFault: (err: unknown) => void;
  readonly leaderRecord: (signature: string) => LandedTransaction | null;
  readonly signer: Pick<Vault, 'confirmCopy' | 'mandateCopy' | 'confirm' | 'certifyOrders' | 'confirmFire'>;
};

/** The real watch of copies in one process, over a market that lags and a signer that may not answer. It ends with its process. */
export function watchCopiesIn(
  world: CopyWorld,
  process: SimProcess,
  deps: TransactionDeps & { readonly db: Database },
): void {
  const { random, levels, signer } = world;
  const asked = askedBy(world, process);
  const market = simMarket(world, process);
  /** The signer decides at one instant; its answer may be lost. */
  const confirmCopy: Vault['confirmCopy'] = async (request) => {
    await process.sleep(random.between(1, levels().maxLatencyMs));
    const answer = await signer.confirmCopy(request);
    await process.sleep(random.between(1, levels().maxLatencyMs));
    if (random.chance(levels().databaseFails))
      throw new AppError('SIGNER_UNAVAILABLE', { cause: 'simulated' });
    return answer;
  };
  const own: Partial<CopyDeps> = {
    ...deps,
    vault: { ...signer, confirmCopy },
    isOn: true,
    dice: () => random.next(),
    log: {
      info: () => undefined,
      warn: ({ err }: { err?: unknown }) => {
        if (!(err instanceof KilledError)) world.onFault(err);
      },
    },
    copiesChanged: () => undefined,
    ordersChanged: () => undefined,
    market,
    events: NO_EVENTS,
    solPrice: async () => MICRO_USD,
    guardRules: {
      ...LOCAL_RULES,
      delayMs: 0,
      dailyCapLamports: 1_000n * SOL,
      spendCapLamports: 1_000n * SOL,
    },
    doubtToken: async () => [],
    usualPrice: async () => null,
    autoSpendCapLamports: 1_000n * SOL,
    landed: async (signature) => {
      await asked();
      return random.chance(levels().lag) ? null : world.leaderRecord(signature);
    },
    trade: {
      hubs: [WSOL_MINT],
      clock: world.timeline.clock,
      maxStateAgeMs: 60_000,
      poolQuarantine: { holds: () => false },
      platformFee: async (gross: bigint) => ({
        lamports: gross / FEE_PART,
        discountBps: bps(0),
      }),
      chain: { token: async (mint: never) => buildToken({ mint, decimals: 9, supply: 10n ** 18n }) },
      exitCheck: async () => ({ kind: 'sold', spentLamports: 100n, returnedLamports: 97n }),
      venues: [
        {
          name: 'sim',
          pools: async () => {
            const at = await asked();
            return [...world.paths].map(([mint, path]) => ({ ...path.poolAt(at), id: mint }));
          },
          counterparts: async () => [],
        },
      ],
    } as unknown as CopyDeps['trade'],
    quote: async ({ side, wallet, mint, amount, slippageBps, tier }) => {
      const at = await asked();
      const path = world.paths.get(mint);
      const units =
        'lamports' in (amount as object)
          ? (amount as { lamports: bigint }).lamports
          : (amount as { units: bigint }).units;
      const quotedOut = path === undefined ? 0n : quotedAt(path, at, { side, mint }, units);
      if (quotedOut <= 0n) throw new AppError('NO_ROUTE', { mintIn: WSOL_MINT, mintOut: mint });
      return {
        side,
        wallet,
        token: buildToken({ mint, decimals: 9, supply: 10n ** 18n }),
        tier,
        amountIn: units,
        terms: {
          amountIn: units,
          quotedOut,
          minOut: minimumOut(quotedOut, slippageBps),
          platformFeeLamports: (side === 'buy' ? units : quotedOut) / FEE_PART,
          priceImpactBps: 1,
          slippageBps,
          route: [],
        },
        safety: { level: 'OK', warnings: [] },
        quotedAt: world.timeline.now(),
      } as unknown as TradeQuote;
    },
  };
  // Some processes skip trades together, others one by one.
  const watch = createCopyWatch(own as CopyDeps, undefined, random.chance(0.5) ? 0 : undefined);
  const loop = async (): Promise<void> => {
    for (;;) await process.sleep(Math.min(await watch.round(), ROUND_MS));
  };
  loop().catch(() => undefined);
}
