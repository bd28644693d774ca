import { MAX_U64, maxBigint, minBigint } from '@tradepost/solana';
import { bps, minimumOut } from '../../../core/amounts/bps.ts';
import type { TradeTerms } from '../../../engine/intents/rules/terms.ts';
import { fairOut, spotOutOf } from '../../guard/rules/judge-trade.ts';
import { defaultFloor, limitRate, stopTerms } from './fire-terms.ts';
import type { Order } from './order.ts';
import { leastGot, type Rate } from './rate.ts';
import { rateInSol, type SolUsd } from './trigger.ts';

/** The possible proceeds of a placed sale when it fires, in lamports. */
export type AgreedOut = {
  /**
   * `minOut`: the minimum received that it would be signed for at its own price. `spotOut`: the proceeds of the units there before their
   * impact.
   */
  readonly minOut: bigint;
  readonly spotOut: bigint;
  /** The least of any later fire, however far the price falls until then. */
  readonly leastOut: bigint;
};

export type AgreedLook = {
  readonly units: bigint;
  /** Lamports per unit at which it begins, before its own impact: the price of now, or of the purchase that it waits for. */
  readonly spot: Rate;
  readonly impactBps: number;
  readonly solUsd: SolUsd | null;
  readonly now: number;
};

type Agreed = Pick<Order, 'side' | 'type' | 'unit' | 'trigger' | 'terms'>;

/**
 * The proceeds that the terms of a sale allow. A rising order sells no lower than its limit, at a price that is its trigger at the least. A
 * falling order sells at the price of that time: only its floor bounds it. A round sells at the price of that time, less its slippage.
 */
export function agreedOut(order: Agreed, look: AgreedLook): AgreedOut {
  const spotOut = leastGot(look.spot, look.units);
  const agreed = agreedByType(order, look, spotOut);
  if (!order.terms.sellsOnExpiry) return agreed;
  // At its end it sells as a stop that was passed.
  return { ...agreed, leastOut: minBigint(agreed.leastOut, leastBy(order.terms.floor, order, look)) };
}

function agreedByType(order: Agreed, look: AgreedLook, spotOut: bigint): AgreedOut {
  const { terms, trigger } = order;
  const quoted = (spotOut * BigInt(Math.max(0, 10_000 - look.impactBps))) / 10_000n;
  switch (order.type) {
    case 'LIMIT':
    case 'TAKE_PROFIT': {
      const limit = trigger === null ? null : limitRate(trigger, bps(terms.toleranceBps));
      const minOut = leastBy(limit, order, look);
      return { minOut, leastOut: minOut, spotOut: maxBigint(spotOut, mostBy(trigger, order, look)) };
    }
    case 'STOP_LOSS':
    case 'STOP_BUY':
    case 'DEV_SELLS':
    case 'LIQUIDITY_FALLS':
      return { ...stopAt(quoted, spotOut), leastOut: leastBy(terms.floor, order, look) };
    case 'TRAILING_STOP': {
      const high = limitRate(look.spot, bps(terms.trailing?.bps ?? 0));
      const floor =
        terms.floor === null ? leastGot(defaultFloor(high), look.units) : leastBy(terms.floor, order, look);
      return { ...stopAt(quoted, spotOut), leastOut: floor };
    }
    case 'DCA': {
      const least = terms.schedule?.band.least ?? null;
      return {
        minOut: minimumOut(spotOut, bps(terms.slippageBps)),
        spotOut,
        leastOut: least === null ? 0n : leastGot(least, look.units),
      };
    }
  }
}

/** A stop takes the price of then: only its own size makes that steep. */
function stopAt(quoted: bigint, spotOut: bigint): Pick<AgreedOut, 'minOut' | 'spotOut'> {
  const stop = stopTerms(null, 1n, quoted);
  const minOut = stop.kind === 'fire' ? stop.minimumOut : 0n;
  return { minOut: fairMinimum({ minOut, quotedOut: quoted, spotOut }), spotOut };
}

/** Lamports that the units bring at least at a rate of the order's unit; 0 where it has none, or no price of SOL is known. */
function leastBy(rate: Rate | null, { unit, side }: Agreed, { units, solUsd, now }: AgreedLook): bigint {
  const inSol = rate === null ? null : rateInSol(unit, side, rate, solUsd, now);
  return inSol === null ? 0n : leastGot(inSol, units);
}

/** The same, rounded down, and without end where it is not known. */
function mostBy(rate: Rate | null, { unit, side }: Agreed, { units, solUsd, now }: AgreedLook): bigint {
  const inSol = rate === null ? null : rateInSol(unit, side, rate, solUsd, now);
  return inSol === null ? MAX_U64 : (units * inSol.got) / inSol.given;
}

/** A minimum without a grant is raised to the fair one, as far as the quote goes. */
export function fairMinimum({
  minOut,
  quotedOut,
  spotOut,
}: Pick<TradeTerms, 'minOut' | 'quotedOut'> & { readonly spotOut: bigint }): bigint {
  return maxBigint(minOut, minBigint(quotedOut, fairOut(spotOut)));
}

/** The least that a fire may bring: of a sale without a grant, no less than the fair minimum. */
export function firesFor(
  { side, terms }: Pick<Order, 'side' | 'terms'>,
  quote: Pick<TradeTerms, 'quotedOut' | 'priceImpactBps'>,
  minOut: bigint,
): bigint {
  if (side === 'buy' || terms.grants?.steep === true) return minOut;
  return fairMinimum({ minOut, quotedOut: quote.quotedOut, spotOut: spotOutOf(quote) });
}
