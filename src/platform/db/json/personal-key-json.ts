import { z } from 'zod';
import { type KeyTerms, RIGHTS } from '../../../modules/personal-keys/rules/personal-key.ts';
import { address, amount, exactly, orNull, text } from './fields.ts';
import { jsonColumn } from './json-column.ts';

const terms = exactly<KeyTerms>({
  rights: z.array(z.enum(RIGHTS)),
  orderLamports: amount,
  dayLamports: amount,
  tokens: orNull(z.array(address)),
  ips: orNull(z.array(text)),
});

export const KEY_TERMS = jsonColumn<KeyTerms>('personal_keys.terms', [terms, terms]);
