export {
  type Candle,
  type CandlePrices,
  type MarketStats,
  RESOLUTIONS,
  type Resolution,
  STORED_MINUTES,
  type StatedPrice,
  type StoredMinutes,
} from './candle.ts';
export { type DecodableMarket, type Decoded, decodeTrades } from './decode/decode-trades.ts';
export { type VaultChange, type VaultSide, vaultChange } from './decode/legs.ts';
export { barStart, foldCandles, minutesOf, storedFor } from './fold-candles.ts';
export { foldTrades, isSameBar } from './fold-trades.ts';
export { type Linked, linkBalances, type VaultPost } from './link-balances.ts';
export type { MarketKeys, VaultBalances } from './market-keys.ts';
export { changePercent, comparePrices, exactPrice, subtractDecimals, tenDigits } from './price.ts';
export {
  type DecimalText,
  type FeeSource,
  isDust,
  type RecordedTrade,
  type TapeTrade,
  type TradeSide,
  type TradeSource,
} from './trade.ts';
export { firstIdOfSlot, SLOT_BITS, slotOfTrade, type TradePlace, tradeId } from './trade-id.ts';
export type { TapeInstruction, TapeTransaction, TokenChange } from './transaction.ts';
