import { elapsedSince, markOf } from '../../core/time/elapsed.ts';
import type { LookupTable } from '../../engine/lookup-tables/rules/lookup-table.ts';
import { ownTableState } from '../../engine/lookup-tables/rules/own-table.ts';
import type { LookupTableStore } from '../../engine/lookup-tables/store-port.ts';
import type { Chain } from '../ports/chain.ts';
import type { Clock, Mark } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { LookupTables } from '../ports/lookup-tables.ts';

/** Routes may be laid by tables that were read this long ago; before a signature they are read again. */
const KEPT_MS = 20_000;

/** The tables that are written down, as far as the chain agrees with their rows. */
export function createOwnTables(deps: {
  readonly store: Pick<LookupTableStore, 'list'>;
  readonly chain: Pick<Chain, 'accounts'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error' | 'warn'>;
}): LookupTables {
  let kept: { readonly at: Mark; readonly tables: Promise<readonly LookupTable[]> } | null = null;

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
      if (kept === null || elapsedSince(kept.at, deps.clock) >= KEPT_MS) {
        const tables = verified().catch((err: unknown) => {
          deps.log.warn({ err }, 'lookup tables cannot be read; routes are laid without them');
          return [];
        });
        kept = { at: markOf(deps.clock), tables };
      }
      return kept.tables;
    },
  };
}
