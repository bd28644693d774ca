import { z } from 'zod';
import {
  address,
  amount,
  exactly,
  orAbsent,
  orNull,
  text,
  tier,
} from '../../../../platform/db/json/fields.ts';
import { spec, way } from '../../../../platform/db/json/token-json.ts';
import type { CreateTokenParams, PreparedMint } from './params.ts';

export const row = exactly<CreateTokenParams>({
  kind: z.literal('create-token'),
  prepared: orAbsent(exactly<PreparedMint>({ mint: address, rentLamports: amount, feeLamports: amount })),
  spec,
  way,
  uri: text,
  metadataHash: orNull(text),
  recordLamports: amount,
  mintRentLamports: amount,
  holdingRentLamports: amount,
  feeLamports: amount,
  tier,
});
