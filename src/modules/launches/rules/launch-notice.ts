import type { Address } from '@tradepost/solana';
import { address } from '../../../core/address/address.ts';
import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';
import { type LaunchList, LISTS } from './launch-alert.ts';

/** Payload of a `launch-stage` notice, and of a `launch-back` one. */
export type LaunchStageNotice = { readonly mint: Address; readonly stage: LaunchList };

export const encodeLaunchStage = ({ mint, stage }: LaunchStageNotice): unknown => ({ mint, stage });

export function decodeLaunchStage(payload: unknown): LaunchStageNotice {
  const read = jsonReader(payload, 'notice');
  const stage = read.text('stage');
  return { mint: address(read.text('mint')), stage: LISTS.find((list) => list === stage) ?? 'new' };
}

/** Payload of a `launch-digest` notice: launches of one hour that were counted alone. */
export const encodeLaunchDigest = (count: number): unknown => ({ count });

export const decodeLaunchDigest = (payload: unknown): number =>
  jsonReader(payload, 'notice').integer('count');
