import type { LookupTable } from '../../core/lookup-tables/lookup-table.ts';
import { ownTableState } from '../../core/lookup-tables/own-table.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { LookupTableStore } from '../../core/ports/lookup-table-store.ts';
import type { LookupTables } from '../../core/ports/lookup-tables.ts';

/** Routes may be laid by tables that were read this long ago; before a signature they are read again. */
const KEPT_MS = 20_000;

/** The tables that are written down, as far as the chain agrees with what is written. */
export function createOwnTables(deps: {
  readonly store: Pick<LookupTableStore, 'list'>;
  readonly chain: Pick<Chain, 'accounts'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error' | 'warn'>;
}): LookupTables {
  let kept: { readonly at: number; readonly tables: Promise<readonly LookupTable[]> } | null = null;

  async function verified(): Promise<readonly LookupTable[]> {
    const own = (await deps.store.list()).filter(({ closingAt }) => closingAt === null);
    if (own.length === 0) return [];
    const { accounts, slot } = await deps.chain.accounts(own.map(({ address }) => address));
    return own.flatMap((table, index) => {
      const state = ownTableState(table, accounts[index] ?? null, slot);
      if (state.kind === 'changed') {
        deps.log.error({ table: table.address }, 'a lookup table is not as it was written down; not used');
      }
      return state.kind === 'usable' ? [state.table] : [];
    });
  }

  return {
    verified,
    usable: () => {
      const now = deps.clock.now();
      if (kept === null || now - kept.at >= KEPT_MS) {
        const tables = verified().catch((err: unknown) => {
          deps.log.warn({ err }, 'lookup tables cannot be read; routes are laid without them');
          return [];
        });
        kept = { at: now, tables };
      }
      return kept.tables;
    },
  };
}
