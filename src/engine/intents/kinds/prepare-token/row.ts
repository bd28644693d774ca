import { z } from 'zod';
import { exactly, tier } from '../../../../platform/db/json/fields.ts';
import { row as creation } from '../create-token/row.ts';
import type { PrepareTokenParams } from './params.ts';

export const row = exactly<PrepareTokenParams>({ kind: z.literal('prepare-token'), creation, tier });
