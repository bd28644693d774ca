import { decodeUnresolved } from '../../../engine/signing/rules/decode-message.ts';
import { tipPaidTo } from '../../../engine/signing/rules/tip-rule.ts';
import type { SendBy, Sender } from '../../../platform/ports/sender.ts';

/** The senders beside the nodes that a transaction goes to; none: the nodes and nothing else. `alone`: to the one that is named, and never to a node. */
export type SendWay = { readonly senders: readonly string[]; readonly alone: boolean };

/** What a caller asks for: a sender's name, `rpc` or `auto`, and whether the bytes may be public only after they have landed. */
export type AskedWay = { readonly sender: string; readonly protects: boolean };

/** Why a transaction cannot go the way that was asked for. Lamports. */
export type WayProblem =
  | { readonly code: 'SENDER_UNKNOWN'; readonly sender: string; readonly known: readonly string[] }
  /** Null: no sender that protects is configured; else the named one does not. */
  | { readonly code: 'PROTECTION_UNAVAILABLE'; readonly sender: string | null }
  | {
      readonly code: 'TIP_TOO_SMALL';
      readonly sender: string;
      readonly least: bigint;
      readonly paid: bigint;
    }
  | { readonly code: 'SENDER_VERSION_UNSUPPORTED'; readonly sender: string };

type Terms = Pick<Sender, 'name' | 'protects' | 'versions' | 'minTip' | 'tipAccounts'>;

/**
 * The way of a message: with protection the one protecting sender whose tip it pays, alone; by a name that sender beside the nodes; with
 * `auto` every sender whose tip it pays, beside the nodes. A tip is one plain transfer to an account that the message itself names. Throws
 * UndecodableMessageError.
 */
export function sendWayOf(
  message: Uint8Array,
  { sender: name, protects }: AskedWay,
  senders: readonly Terms[],
): SendWay | WayProblem {
  const { instructions } = decodeUnresolved(message);
  const paidTo = ({ tipAccounts }: Terms): bigint => tipPaidTo(instructions, tipAccounts);
  const takes = ({ versions }: Terms): boolean => versions.includes(message[0] === VERSION_1 ? 1 : 0);
  const problemOf = (sender: Terms): WayProblem | null => {
    const paid = paidTo(sender);
    if (!takes(sender)) return { code: 'SENDER_VERSION_UNSUPPORTED', sender: sender.name };
    if (paid >= sender.minTip) return null;
    return { code: 'TIP_TOO_SMALL', sender: sender.name, least: sender.minTip, paid };
  };
  const named = senders.filter((one) => name === 'auto' || one.name === name);
  if (name !== 'auto' && name !== 'rpc' && named.length === 0)
    return {
      code: 'SENDER_UNKNOWN',
      sender: name,
      known: ['auto', 'rpc', ...senders.map((one) => one.name)],
    };
  if (!protects) {
    const good = named.filter((one) => problemOf(one) === null);
    const [first] = named;
    const problem = name === 'auto' || first === undefined ? null : problemOf(first);
    return problem ?? { senders: namesOf(good), alone: false };
  }
  const protecting = named.filter((one) => one.protects);
  const [first] = protecting;
  if (first === undefined) return { code: 'PROTECTION_UNAVAILABLE', sender: name === 'auto' ? null : name };
  const good = protecting.find((one) => problemOf(one) === null);
  if (good !== undefined) return { senders: namesOf([good]), alone: true };
  return problemOf(first) ?? { code: 'PROTECTION_UNAVAILABLE', sender: null };
}

const VERSION_1 = 0x81;

const namesOf = (senders: readonly Terms[]): readonly string[] => senders.map(({ name }) => name);

/** The way as the chain takes it; undefined for the nodes alone. Bytes that must go to one sender never go to a node in its place. */
export function sendByOf({ senders: [first, ...also], alone }: SendWay): SendBy | undefined {
  if (first === undefined) return alone ? { sender: '', protects: true } : undefined;
  return { sender: first, protects: alone, also };
}

/** Every way by name, as callers read it. */
export const namesOfWay = ({ senders, alone }: SendWay): string[] => [...(alone ? [] : ['rpc']), ...senders];

export const encodeSenders = ({ senders }: SendWay): string => senders.join(',');

export const decodeSenders = (text: string): readonly string[] => (text === '' ? [] : text.split(','));
