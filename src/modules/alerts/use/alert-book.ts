import type { Address } from '@tradepost/solana';
import type { PoolsOfToken } from '../../../platform/ports/pool-feed.ts';
import type { HoldWindow } from '../../orders/rules/hold-window.ts';
import type { Rate } from '../../orders/rules/rate.ts';
import { rateIn, type SolUsd } from '../../orders/rules/trigger.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { type Alert, stepAlert } from '../rules/alert.ts';
import { cardRate } from './alert-deps.ts';

/** The effect of one look on an alert; `seen` in its unit. */
export type DueAlert = { readonly alert: Alert; readonly does: 'tell' | 'arm'; readonly seen: Rate };

/** The open alerts of one process in memory: a copy, the rows decide. */
export type AlertBook = {
  /** Holds exactly these from now on; `tokens` are those of mints that it did not know. */
  load(open: readonly Alert[], tokens: readonly Token[]): void;
  knows(mint: Address): boolean;
  /** One look at a token. A due alert leaves, until `put` brings it back as it was written. */
  look(told: PoolsOfToken, solUsd: SolUsd | null): readonly DueAlert[];
  put(alert: Alert): void;
  /** Every token that is watched, and how near its nearest alert is. */
  nearness(): ReadonlyMap<Address, number>;
  size(): number;
};

type Watched = { readonly token: Token; readonly alerts: Map<string, Alert>; near: number };

export function createAlertBook(): AlertBook {
  const watched = new Map<Address, Watched>();
  const windows = new Map<string, HoldWindow>();
  return {
    load: (open, tokens) => {
      const mints = new Set(open.map(({ mint }) => mint));
      for (const mint of watched.keys()) if (!mints.has(mint)) watched.delete(mint);
      for (const token of tokens) watched.set(token.mint, { token, near: 0, alerts: new Map() });
      for (const one of watched.values()) one.alerts.clear();
      for (const alert of open) watched.get(alert.mint)?.alerts.set(alert.id, alert);
      const ids = new Set(open.map(({ id }) => id));
      for (const id of windows.keys()) if (!ids.has(id)) windows.delete(id);
    },
    knows: (mint) => watched.has(mint),
    look: ({ mint, pools, slot, at }, solUsd) => {
      const one = watched.get(mint);
      if (one === undefined) return [];
      const sol = cardRate(pools, one.token);
      const due: DueAlert[] = [];
      one.near = Number.POSITIVE_INFINITY;
      for (const alert of one.alerts.values()) {
        const rate = sol === null ? null : rateIn(alert.unit, 'sell', sol, solUsd, at);
        const { window, does } = stepAlert(alert, windows.get(alert.id) ?? null, { slot, at, rate });
        if (window === null) windows.delete(alert.id);
        else windows.set(alert.id, window);
        if (rate === null) continue;
        if (does !== null) {
          one.alerts.delete(alert.id);
          due.push({ alert, does, seen: rate });
        }
        // A window is open: the next look decides.
        one.near = Math.min(one.near, window === null ? distance(rate, alert.price) : 0);
      }
      return due;
    },
    put: (alert) => void watched.get(alert.mint)?.alerts.set(alert.id, alert),
    nearness: () => new Map([...watched].map(([mint, { near }]) => [mint, near])),
    size: () => [...watched.values()].reduce((sum, { alerts }) => sum + alerts.size, 0),
  };
}

/** In hundredths of a percent. Only decides how often to look. */
function distance(rate: Rate, price: Rate): number {
  return Math.abs(Number((rate.got * price.given * 10_000n) / (rate.given * price.got)) - 10_000);
}
