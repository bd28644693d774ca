import type { Address } from '@tradepost/solana';
import { address } from '../../../core/address/address.ts';
import type { TapState } from '../../../platform/telegram/feature.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import type { PriceUnit } from '../../orders/rules/order.ts';
import type { Rate } from '../../orders/rules/rate.ts';
import type { AlertDirection } from '../rules/alert.ts';

export const ALERTS = 'alerts';

/** An alert that is being made up, behind the buttons of its form. */
export type AlertDraft = {
  readonly mint: Address;
  /** Minted when the form was opened: however often Place is tapped, it is one alert. */
  readonly placeKey: string;
  readonly repeats: boolean;
  /** Null until a price was chosen. */
  readonly chosen: {
    readonly request: string;
    readonly unit: PriceUnit;
    readonly price: Rate;
    readonly direction: AlertDirection;
  } | null;
};

export function encodeAlertDraft({
  chosen,
  repeats,
  ...draft
}: AlertDraft): Readonly<Record<string, unknown>> {
  return {
    ...draft,
    repeats: repeats ? '1' : '0',
    chosen:
      chosen === null
        ? ''
        : [chosen.unit, chosen.price.got, chosen.price.given, chosen.direction, chosen.request].join('|'),
  };
}

export function decodeAlertDraft(state: TapState | null): AlertDraft {
  const [unit = '', got = '', given = '', direction, request] = textField(state, 'chosen').split('|');
  return {
    mint: address(textField(state, 'mint')),
    placeKey: textField(state, 'placeKey'),
    repeats: textField(state, 'repeats') === '1',
    chosen:
      request === undefined
        ? null
        : {
            request,
            unit: unit === 'USD' ? 'USD' : 'SOL',
            price: { got: BigInt(got), given: BigInt(given) },
            direction: direction === 'below' ? 'below' : 'above',
          },
  };
}
