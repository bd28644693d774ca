import { z } from 'zod';
import type { Row } from '../../../platform/db/json/fields.ts';
import { row as buy, unversionedRow as olderBuy } from './buy/row.ts';
import { row as closeAccounts } from './close-accounts/row.ts';
import { row as createToken } from './create-token/row.ts';
import { row as launch } from './launch/row.ts';
import type { IntentKind, IntentParams, ParamsByKind } from './params.ts';
import { row as payout } from './payout/row.ts';
import { row as prepareToken } from './prepare-token/row.ts';
import { row as revokeAuthority } from './revoke-authority/row.ts';
import { unversionedRow as olderSell, row as sell } from './sell/row.ts';
import { row as withdrawSol } from './withdraw-sol/row.ts';
import { row as withdrawToken } from './withdraw-token/row.ts';

type Rows = { readonly [K in IntentKind]: Row<ParamsByKind[K]> };

/** The stored form of each kind's params: a signature is made from it. */
const NOW: Rows = {
  'withdraw-sol': withdrawSol,
  'withdraw-token': withdrawToken,
  buy,
  sell,
  payout,
  'prepare-token': prepareToken,
  'create-token': createToken,
  'revoke-authority': revokeAuthority,
  launch,
  'close-accounts': closeAccounts,
};

/** Rows from before there were versions. */
const UNVERSIONED: Rows = { ...NOW, buy: olderBuy, sell: olderSell };

function anyOf(rows: Rows): z.ZodType<IntentParams, unknown> {
  const [first, ...others] = Object.values(rows);
  if (first === undefined) throw new Error('there are no kinds of intents');
  return z.discriminatedUnion('kind', [first, ...others]);
}

/**
 * The forms of `intents.params`, oldest first; a row says which it has. A field that older rows lack and that may stay away
 * (`orAbsent`) needs no new form.
 */
export const STORED_PARAMS = [anyOf(UNVERSIONED), anyOf(NOW)] as const;
