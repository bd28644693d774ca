import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { loadToken } from '../../trading/use/load-token.ts';
import type { OrderSide, PriceUnit } from '../rules/order.ts';
import {
  priceOf,
  priceOfCap,
  pricePerUnit,
  readPrice,
  relativePrice,
  triggerOf,
} from '../rules/placement.ts';
import { compareRates, type Rate, scaleRate } from '../rules/rate.ts';
import { executablePrice } from './executable-price.ts';
import type { OrderDeps } from './order-deps.ts';

/** A price that was typed, as a trigger: the fixed value of all later comparisons. */
export type ResolvedPrice = {
  readonly unit: PriceUnit;
  readonly trigger: Rate;
  readonly request: string;
  /** Units there were, where it was said as a cap. */
  readonly supply: bigint | null;
};

/** The price of one smallest unit where a percentage begins: of an entry, or the average price paid. */
export type PriceReference = { readonly unit: PriceUnit; readonly price: Rate };

/**
 * Resolves `0.00042`, `$0.3`, `-20%`, `2x` or `420K`. A percentage and a multiple are of `reference`, and without one of the
 * executable price of now for exactly this amount. Null is an entry that is not known: then both are refused, because the price of
 * now is another one. Throws ORDER_REFUSED for a text that is no price, for that, and where nothing trades the token; TOKEN_NOT_FOUND, SAME_TOKEN.
 */
export async function resolvePrice(
  deps: Pick<OrderDeps, 'trade'>,
  asked: {
    readonly text: string;
    readonly side: OrderSide;
    readonly mint: Address;
    readonly wallet: Address;
    readonly amount: bigint;
    readonly reference?: PriceReference | null;
  },
): Promise<ResolvedPrice> {
  const request = readPrice(asked.text);
  if (!('digits' in request)) throw new AppError('ORDER_REFUSED', request);
  const token = await loadToken(deps.trade.chain, asked.mint);
  const said = { request: asked.text.trim(), supply: null };
  const of = (unit: PriceUnit, price: Rate) => ({ ...said, unit, trigger: triggerOf(asked.side, price) });
  switch (request.kind) {
    case 'SOL':
    case 'USD':
      return of(request.kind, pricePerUnit({ ...request, kind: request.kind }, token.decimals));
    case 'cap': {
      const price = priceOfCap(request, token.supply);
      if ('kind' in price) throw new AppError('ORDER_REFUSED', price);
      return { ...of('USD', scaleRate(price, 1_000_000n, 1n)), supply: token.supply };
    }
    case 'percent':
    case 'multiple': {
      const { side, mint, wallet, amount, reference } = asked;
      if (reference === null) throw new AppError('ORDER_REFUSED', { kind: 'entry-unknown' });
      if (reference !== undefined)
        return of(reference.unit, relativePrice(reference.price, { ...request, kind: request.kind }));
      const now = await executablePrice(deps.trade, { side, mint, wallet, amount });
      if (now === null) throw new AppError('ORDER_REFUSED', { kind: 'no-market' });
      return of('SOL', relativePrice(priceOf(side, now.rate), { ...request, kind: request.kind }));
    }
  }
}

/**
 * Two prices of the token that were typed, as the band within which a round is carried out; null = no end on that side. Throws the errors
 * of `resolvePrice`. Throws ORDER_REFUSED for dollars, whose rate moves, and for a low price above the high one.
 */
export async function resolveBand(
  deps: Pick<OrderDeps, 'trade'>,
  {
    low,
    high,
    ...asked
  }: Omit<Parameters<typeof resolvePrice>[1], 'text'> & {
    readonly low: string | null;
    readonly high: string | null;
  },
): Promise<{ readonly least: Rate | null; readonly most: Rate | null }> {
  const rateOf = async (text: string | null): Promise<Rate | null> => {
    if (text === null) return null;
    const { unit, trigger } = await resolvePrice(deps, { ...asked, text });
    if (unit !== 'SOL') throw new AppError('ORDER_REFUSED', { kind: 'band-unit' });
    return trigger;
  };
  const [cheap, dear] = [await rateOf(low), await rateOf(high)];
  // A buyer gets more at the low price, a seller at the high one.
  const [least, most] = asked.side === 'buy' ? [dear, cheap] : [cheap, dear];
  if (least !== null && most !== null && compareRates(least, most) > 0)
    throw new AppError('ORDER_REFUSED', { kind: 'price-invalid' });
  return { least, most };
}
