import { type Address, WSOL_MINT } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import type { PriceUnit } from '../../orders/rules/order.ts';
import { priceOfCap, pricePerUnit, readPrice, relativePrice } from '../../orders/rules/placement.ts';
import { type Rate, scaleRate } from '../../orders/rules/rate.ts';
import { rateIn } from '../../orders/rules/trigger.ts';
import { solUsdNow } from '../../orders/use/order-deps.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { freshPools } from '../../trading/use/fresh-pools.ts';
import { loadToken } from '../../trading/use/load-token.ts';
import { mintsOf } from '../../trading/use/own-wallet.ts';
import { type AlertDirection, directionTo } from '../rules/alert.ts';
import { type AlertDeps, cardRate } from './alert-deps.ts';

/** A price that was typed, beside the one of now. */
export type ResolvedAlert = {
  readonly token: Token;
  readonly unit: PriceUnit;
  readonly price: Rate;
  /** The price of now in the same unit. */
  readonly now: Rate;
  /** From which side it would be crossed. */
  readonly direction: AlertDirection;
};

/** A token and its price as its card shows it. Throws ORDER_REFUSED where nothing trades it, TOKEN_NOT_FOUND, SAME_TOKEN. */
export async function priceNow(
  deps: Pick<AlertDeps, 'trade'>,
  mint: Address,
): Promise<{ readonly token: Token; readonly sol: Rate }> {
  if (mint === WSOL_MINT) throw new AppError('ORDER_REFUSED', { kind: 'mint-is-sol' });
  const token = await loadToken(deps.trade.chain, mint);
  const { pools } = await freshPools(deps.trade, mintsOf('buy', mint))();
  const sol = cardRate(pools, token);
  if (sol === null) throw new AppError('ORDER_REFUSED', { kind: 'no-market' });
  return { token, sol };
}

/**
 * Resolves `0.00042`, `$0.3`, `-20%`, `2x` or `420K`; a percentage and a multiple are of the price that the card shows now. Throws
 * ORDER_REFUSED for a text that is no price and where none is known, TOKEN_NOT_FOUND, SAME_TOKEN.
 */
export async function resolveAlert(
  deps: Pick<AlertDeps, 'trade' | 'solPrice' | 'clock'>,
  asked: { readonly mint: Address; readonly text: string },
): Promise<ResolvedAlert> {
  const request = readPrice(asked.text);
  if (!('digits' in request)) throw new AppError('ORDER_REFUSED', request);
  const [{ token, sol }, solUsd] = await Promise.all([priceNow(deps, asked.mint), solUsdNow(deps)]);
  const at = (unit: PriceUnit, price: Rate): ResolvedAlert => {
    const now = rateIn(unit, 'sell', sol, solUsd, deps.clock.now());
    if (now === null) throw new AppError('ORDER_REFUSED', { kind: 'no-market' });
    return { token, unit, price, now, direction: directionTo(price, now) };
  };
  switch (request.kind) {
    case 'SOL':
    case 'USD':
      return at(request.kind, pricePerUnit({ ...request, kind: request.kind }, token.decimals));
    case 'cap': {
      const price = priceOfCap(request, token.supply);
      if ('kind' in price) throw new AppError('ORDER_REFUSED', price);
      return at('USD', scaleRate(price, 1_000_000n, 1n));
    }
    case 'percent':
    case 'multiple':
      return at('SOL', relativePrice(sol, { ...request, kind: request.kind }));
  }
}
