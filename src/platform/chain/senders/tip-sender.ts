import type { Sender } from '../../ports/sender.ts';
import { deliver } from './deliver.ts';

/** A paid way to the leaders, of the shape that Helius calls Sender. */
export type TipSenderOptions = {
  /** As the provider prints it, path and query included (`?swqos_only=true`). */
  readonly url: string;
  readonly minTip: bigint;
  readonly tipAccounts: Sender['tipAccounts'];
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 5_000;

/** It forwards by several ways at once and simulates nothing. It keeps no transaction to itself, so that the nodes may have it, too. */
export function createTipSender({
  url,
  minTip,
  tipAccounts,
  timeoutMs = TIMEOUT_MS,
}: TipSenderOptions): Sender {
  const to = {
    url,
    label: new URL(url).host,
    options: { skipPreflight: true, maxRetries: 0 },
    timeoutMs,
  };
  return {
    name: 'sender',
    protects: false,
    versions: [0],
    minTip,
    tipAccounts,
    send: (bytes) => deliver(to, bytes),
    tip: async () => minTip,
  };
}
