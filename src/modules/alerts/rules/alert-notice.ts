import { maxBigint } from '@tradepost/solana';
import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';
import type { Rate } from '../../orders/rules/rate.ts';

/** Payload of an `alert` notice: which telling it is, and the price that was seen, in the alert's unit. */
export type AlertNotice = { readonly alertId: string; readonly n: number; readonly seen: Rate };

/** Payload of an `alert-ended` notice. */
export const encodeAlertEnded = (alertId: string): unknown => ({ alertId });

export const decodeAlertEnded = (payload: unknown): string => jsonReader(payload, 'notice').text('alertId');

export function encodeAlertNotice({ alertId, n, seen }: AlertNotice): unknown {
  // Shown, never compared: thirty digits are enough, and an exact price may have 60.
  const tooLong = maxBigint(seen.got, seen.given).toString().length - 30;
  const cut = tooLong > 0 ? 10n ** BigInt(tooLong) : 1n;
  return { alertId, n, got: (seen.got / cut).toString(), given: maxBigint(seen.given / cut, 1n).toString() };
}

export function decodeAlertNotice(payload: unknown): AlertNotice {
  const read = jsonReader(payload, 'notice');
  return {
    alertId: read.text('alertId'),
    n: read.integer('n'),
    seen: { got: read.amount('got'), given: read.amount('given') },
  };
}
