import type { Address } from '@tradepost/solana';
import type { Sender } from '../../ports/sender.ts';
import { createJitoSender, type JitoOptions } from './jito.ts';
import { createTipSender, type TipSenderOptions } from './tip-sender.ts';

export type SendersOptions = {
  readonly jito: Omit<JitoOptions, 'tipAccounts'> | null;
  readonly sender: TipSenderOptions | null;
  /** The accounts that the block engine named; none before it was asked. */
  readonly jitoAccounts: readonly Address[];
};

/** The configured senders beside the nodes. One without accounts takes no tip and is left out. */
export function openSenders({ jito, sender, jitoAccounts }: SendersOptions): readonly Sender[] {
  const senders = [
    ...(jito === null ? [] : [createJitoSender({ ...jito, tipAccounts: jitoAccounts })]),
    ...(sender === null ? [] : [createTipSender(sender)]),
  ];
  return senders.filter(({ tipAccounts }) => tipAccounts.length > 0);
}
