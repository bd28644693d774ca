import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';

/** Events of a wallet that its person must hear of. All can be answered by a freeze, which takes back waiting changes. */
export const WALLET_EVENTS = ['imported', 'renamed', 'wallet-confirm-asked', 'payout-wallet-asked'] as const;
export type WalletEvent = (typeof WALLET_EVENTS)[number];

/** Payload of a `wallet` notice. */
export type WalletNotice = {
  readonly walletId: string;
  readonly event: WalletEvent;
  /** Its name before, where that was changed. */
  readonly was: string | null;
};

export const encodeWalletNotice = ({ walletId, event, was }: WalletNotice): unknown => ({
  walletId,
  event,
  was,
});

export function decodeWalletNotice(payload: unknown): WalletNotice {
  const read = jsonReader(payload, 'notice');
  return {
    walletId: read.text('walletId'),
    event: read.oneOf('event', WALLET_EVENTS),
    was: read.textOrNull('was'),
  };
}
