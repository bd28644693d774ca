import type { Address } from '@tradepost/solana';
import { isAppError } from '../../../core/errors/app-error.ts';
import { ageAt } from '../../../core/time/age.ts';
import type { ChainHistory } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { SolPrice } from '../../market/use/sol-price.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import type { TradeDeps } from '../../trading/use/trading-deps.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { type ExportFormat, exportTrades } from './export-trades.ts';
import { findPosition } from './find-position.ts';
import { listPositions, type PositionDeps, showPosition } from './list-positions.ts';
import { reconcileDue } from './reconcile-due.ts';
import { type ReconcileDeps, reconcileWallet } from './reconcile-wallet.ts';
import { saleNow } from './sale-now.ts';
import { type SnapshotPlace, snapshotDay } from './snapshot-day.ts';

export type PositionServiceDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly treasury: Wallet;
  readonly trade: TradeDeps;
  readonly solPrice: SolPrice;
};

/** A screen shows a wallet that was compared with the chain this recently. */
const FRESH_MS = 60_000;

/** The use cases of positions, bound to one process's dependencies. */
export function createPositionServices(world: PositionServiceDeps) {
  const { db, clock, trade, solPrice, log } = world;
  const sale: PositionDeps['saleNow'] = (wanted) => saleNow(trade, wanted);
  const deps: PositionDeps = { db, clock, solPrice, chain: trade.chain, saleNow: sale };
  const worthOf: ReconcileDeps['worthOf'] = async (wallet, mint, units) =>
    (await sale({ wallet, mint, units, tier: 'normal' }))?.netLamports ?? null;
  const reconcileDeps: ReconcileDeps = {
    ...world,
    chain: trade.chain,
    programs: trade.programs,
    worthOf,
  };

  const snapshotPlace: SnapshotPlace = { after: null };

  /** Never throws for a refusal: the known positions are shown all the same, and the next reconciliation tries again. */
  async function reconcile(wallet: Wallet, asked: boolean): Promise<void> {
    const { userId } = wallet;
    if (userId === null) return;
    try {
      await reconcileWallet(reconcileDeps, { ...wallet, userId }, { asked });
    } catch (error) {
      if (!isAppError(error)) throw error;
      log.warn({ walletId: wallet.id, code: error.code }, 'a wallet could not be compared with the chain');
    }
  }

  async function freshen(wallet: Wallet): Promise<void> {
    const at = await db.positions.checkedAt(wallet.id);
    if (at === null || ageAt(at, clock.now()) > FRESH_MS) await reconcile(wallet, true);
  }

  return {
    list: async (input: Parameters<typeof listPositions>[1]) => {
      await freshen(input.wallet);
      return listPositions(deps, input);
    },
    /** Compares wallets that people looked at in the last seven days with the chain, once an hour each. */
    reconcileDue: () => reconcileDue({ db, clock }, (wallet) => reconcile(wallet, false)),
    worthOf,
    /** Keeps the worth of wallets on this UTC day, a few a run. */
    snapshotDay: () => snapshotDay(deps, snapshotPlace),
    /** A CSV file, piece by piece. */
    export: (userId: string, format: ExportFormat) => exportTrades(deps, userId, format),
    /** One position, priced. Throws as `findPosition`. */
    find: async (input: {
      readonly userId: string;
      readonly walletId: string;
      readonly mint: Address;
      readonly tier: PriorityTier;
    }) => {
      const { wallet, position } = await findPosition(db, input);
      const [one, microUsdPerSol] = await Promise.all([
        showPosition(deps, { wallet, tier: input.tier }, position),
        solPrice(),
      ]);
      return { one, microUsdPerSol };
    },
  };
}
