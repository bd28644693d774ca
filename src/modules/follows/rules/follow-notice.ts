import { address } from '../../../core/address/address.ts';
import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';
import type { LeaderTrade } from './leader-trade.ts';

/** Payload of a `follow-trade` notice, and of a `follow-back` one: the trade, or the one that was taken back. */
export type FollowNotice = {
  readonly followId: string;
  readonly trade: Pick<LeaderTrade, 'signature' | 'mint' | 'side' | 'at' | 'units' | 'paid'>;
};

export function encodeFollowTrade({ followId, trade }: FollowNotice): unknown {
  const { signature, mint, side, at, units, paid } = trade;
  return {
    followId,
    signature,
    mint,
    side,
    at,
    units: units.toString(),
    paidMint: paid?.mint ?? null,
    paidUnits: (paid?.units ?? 0n).toString(),
  };
}

export function decodeFollowTrade(payload: unknown): FollowNotice {
  const read = jsonReader(payload, 'notice');
  const paidMint = read.textOrNull('paidMint');
  return {
    followId: read.text('followId'),
    trade: {
      signature: read.text('signature'),
      mint: address(read.text('mint')),
      side: read.text('side') === 'sell' ? 'sell' : 'buy',
      at: read.integer('at'),
      units: read.amount('units'),
      paid: paidMint === null ? null : { mint: address(paidMint), units: read.amount('paidUnits') },
    },
  };
}

/** Payload of a `follow-digest` notice: trades of one hour that were counted alone. */
export type FollowDigest = { readonly followId: string; readonly count: number };

export const encodeFollowDigest = ({ followId, count }: FollowDigest): unknown => ({ followId, count });

export function decodeFollowDigest(payload: unknown): FollowDigest {
  const read = jsonReader(payload, 'notice');
  return { followId: read.text('followId'), count: read.integer('count') };
}
