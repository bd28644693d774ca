import type { Address } from '@tradepost/solana';
import type { SafetyLevel } from '../../tokens/rules/safety.ts';

export type Side = 'buy' | 'sell';

/** A token as a card shows it: its words are cleaned of marks that turn lines around. */
export type ActionToken = {
  readonly mint: Address;
  readonly symbol: string;
  readonly name: string;
  readonly level: SafetyLevel;
  /** US dollars; null where the price is not known. */
  readonly priceUsd: number | null;
};

const VERDICTS: Readonly<Record<SafetyLevel, string>> = {
  OK: 'No warning was found.',
  CAREFUL: 'Careful: its passport has warnings.',
  BLOCK: 'Blocked: its passport says why.',
};
const SOL_AMOUNTS = ['0.1', '0.5', '1'] as const;

/** The card of an action, as the specification of Actions wants it. A blocked token cannot be bought; a sale stays open. */
export function cardOf(side: Side, token: ActionToken, publicUrl: string): Readonly<Record<string, unknown>> {
  const { mint, symbol, name, level, priceUsd } = token;
  const isBuy = side === 'buy';
  const path = `/actions/${side}/${mint}`;
  const price = priceUsd === null ? '' : ` $${priceUsd.toPrecision(4)} each.`;
  const typed = (label: string, unit: 'sol' | 'tokens', description: string) => ({
    type: 'transaction',
    label,
    href: `${path}?${unit}={${unit}}`,
    parameters: [
      {
        name: unit,
        label: description,
        required: true,
        pattern: '^[0-9]{1,12}(\\.[0-9]{1,18})?$',
        patternDescription: 'A number such as 0.25',
      },
    ],
  });
  return {
    type: 'action',
    icon: `${publicUrl}/token/${mint}.png`,
    title: `${isBuy ? 'Buy' : 'Sell'} ${symbol}`,
    description: `${name}.${price} ${VERDICTS[level]} ${publicUrl}/token/${mint}`,
    label: isBuy ? 'Buy' : 'Sell',
    disabled: isBuy && level === 'BLOCK',
    links: {
      actions: isBuy
        ? [
            ...SOL_AMOUNTS.map((sol) => ({
              type: 'transaction',
              label: `${sol} SOL`,
              href: `${path}?sol=${sol}`,
            })),
            typed('Buy', 'sol', 'SOL to spend'),
          ]
        : [typed('Sell', 'tokens', `${symbol} to sell`)],
    },
  };
}
