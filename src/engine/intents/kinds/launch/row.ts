import { z } from 'zod';
import {
  address,
  amount,
  exactly,
  orAbsent,
  orNull,
  rate,
  text,
  tier,
} from '../../../../platform/db/json/fields.ts';
import { TIP } from '../../../../platform/db/json/tip-json.ts';
import { spec } from '../../../../platform/db/json/token-json.ts';
import type { LaunchFirstBuy, LaunchParams } from './params.ts';

const firstBuy = exactly<LaunchFirstBuy>({
  lamports: amount,
  quotedTokens: amount,
  minTokens: amount,
  slippageBps: rate,
});

export const row = exactly<LaunchParams>({
  kind: z.literal('launch'),
  pad: text,
  program: orNull(address),
  config: orNull(address),
  spec,
  uri: text,
  metadataHash: orNull(text),
  firstBuy: orNull(firstBuy),
  costLamports: amount,
  feeLamports: amount,
  tier,
  tip: orAbsent(TIP),
});
