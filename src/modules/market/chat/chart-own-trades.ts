import { tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { CandlesPicture } from '../../../platform/ports/charts.ts';
import type { Token } from '../../tokens/rules/token.ts';

const LAMPORTS = 1e9;

/** The viewer's final trades of a token, at the price in the chain's record: SOL per whole token. */
export function ownTrades(intents: readonly Intent[], token: Token): CandlesPicture['trades'] {
  return intents.flatMap(({ params, outcome, status }) => {
    const receipt = outcome?.receipt ?? null;
    if (status !== 'SUCCEEDED' || receipt === null || receipt.landedAt === null) return [];
    const trade = tradeOf(params);
    if (trade === null || trade.mint !== token.mint) return [];
    const delta = receipt.tokenDeltas.find(({ mint }) => mint === token.mint)?.delta ?? 0n;
    const units = Number(delta < 0n ? -delta : delta) / 10 ** token.decimals;
    if (units === 0) return [];
    const lamports =
      trade.side === 'buy'
        ? trade.amountIn - receipt.platformFeeLamports
        : receipt.walletLamportsDelta +
          receipt.feeLamports +
          receipt.rentLamports +
          (receipt.tipLamports ?? 0n) +
          receipt.platformFeeLamports;
    const price = Number(lamports) / LAMPORTS / units;
    return [{ t: Math.floor(receipt.landedAt / 1_000), price, side: trade.side }];
  });
}
