import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Candle } from '@tradepost/tape';
import { startOf } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { MarketStore } from '../../market/store/market-store-port.ts';
import type { Rate } from '../../orders/rules/rate.ts';

export type UsualPriceDeps = {
  readonly tape: Pick<TapeStore, 'candlesOf'>;
  readonly markets: Pick<MarketStore, 'ofMint'>;
  readonly clock: Clock;
};

/** Lamports per smallest unit of a token in the middle of the last hour; null where no market against SOL has recorded one. */
export type UsualPrice = (mint: Address) => Promise<Rate | null>;

const MINUTES = 60;
const LAMPORT_DIGITS = 9;

/**
 * The median of the last hour's minutes, each with the price at its end: a push of a few minutes moves it by nothing. Minutes without
 * a trade keep the price before them. The market that a pair's name means is asked first.
 */
export function createUsualPrice({ tape, markets, clock }: UsualPriceDeps): UsualPrice {
  return async (mint) => {
    const ofSol = (await markets.ofMint(mint)).filter(
      ({ baseMint, quoteMint }) => baseMint === mint && quoteMint === WSOL_MINT,
    );
    if (ofSol.length === 0) return null;
    const now = Math.floor(clock.now() / 1_000);
    const from = startOf(now, 60) - (MINUTES - 1) * 60;
    const bars = await tape.candlesOf(
      ofSol.map(({ id }) => id),
      1,
      { from, to: now + 1 },
    );
    for (const { id, baseDecimals } of ofSol) {
      const price = medianOf(bars.get(id) ?? [], from);
      if (price !== null) return rateOf(price, baseDecimals);
    }
    return null;
  };
}

function medianOf(candles: readonly Candle[], from: number): string | null {
  const priced = candles.filter(({ prices }) => prices !== null);
  const closes = new Map(priced.map(({ t, prices }) => [t, prices?.close ?? '']));
  let price: string | null = priced[0]?.prices?.open ?? null;
  if (price === null) return null;
  const minutes: string[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    price = closes.get(from + minute * 60) ?? price;
    minutes.push(price);
  }
  const sorted = minutes.toSorted((a, b) => Number(a) - Number(b));
  return sorted[MINUTES / 2] ?? null;
}

/** A price of whole tokens in SOL as exact lamports per unit. Null for text that is no price above zero. */
export function rateOf(price: string, decimals: number): Rate | null {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(price) ?? [];
  const digits = BigInt(`${whole}${fraction}` || '0');
  if (digits <= 0n) return null;
  return { got: digits * 10n ** BigInt(LAMPORT_DIGITS), given: 10n ** BigInt(fraction.length + decimals) };
}
