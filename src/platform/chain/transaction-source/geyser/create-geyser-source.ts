import type { TransactionSource } from '../../../ports/transaction-source.ts';
import { type GeyserOptions, keepStreaming } from './keep-streaming.ts';
import { createStreamWindow } from './stream-window.ts';

/**
 * A Yellowstone stream in front of a source that proves: confirmed transactions are known with their block, without a call, and final ones
 * are read from the other. Where the stream was cut, or has not covered a market for long enough, the other one is read too.
 */
export function createGeyserSource(options: GeyserOptions, proving: TransactionSource): TransactionSource {
  const window = createStreamWindow();
  let stream: ReturnType<typeof keepStreaming> | null = null;
  return {
    ...proving,
    wakes: (markets, wake) => {
      stream = keepStreaming(options, window, markets, wake);
      return stream;
    },
    horizon: async (level) => {
      const tip = level === 'confirmed' && stream?.isUp() === true ? window.tip() : null;
      return tip ?? proving.horizon(level);
    },
    read: async (market, range) => {
      const told =
        range.level === 'confirmed' && range.effort === 'usual'
          ? window.read(market.address, range.after, range.upTo)
          : null;
      return told ?? proving.read(market, range);
    },
  };
}
