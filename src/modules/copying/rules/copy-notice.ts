import type { Address } from '@tradepost/solana';
import { address } from '../../../core/address/address.ts';
import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';
import { COPY_PAUSES, type CopyPause } from './copy.ts';

/** `paused`: it buys nothing more by itself. `sale-stuck`: a sale that follows the leader was tried three times without effect. */
export const COPY_EVENTS = ['paused', 'sale-stuck'] as const;
export type CopyEvent = (typeof COPY_EVENTS)[number];

/** Payload of a `copy` notice. */
export type CopyNotice = {
  readonly copyId: string;
  readonly event: CopyEvent;
  /** Of `paused`: why. */
  readonly code: CopyPause | null;
  /** Of `sale-stuck`: the token. */
  readonly mint: Address | null;
};

export const encodeCopyNotice = ({ copyId, event, code, mint }: CopyNotice): unknown => ({
  copyId,
  event,
  code,
  mint,
});

export function decodeCopyNotice(payload: unknown): CopyNotice {
  const read = jsonReader(payload, 'notice');
  const [mint, code] = [read.textOrNull('mint'), read.textOrNull('code')];
  return {
    copyId: read.text('copyId'),
    event: read.text('event') === 'sale-stuck' ? 'sale-stuck' : 'paused',
    code: COPY_PAUSES.find((pause) => pause === code) ?? null,
    mint: mint === null ? null : address(mint),
  };
}
